"""Random rules files on every backend, and as C under the sanitizers of a compiler.

In: a backend and the number of a file.  Out: what became of it.  The files are one stream, the
same for every backend; what `check` refuses, and what no kernel can play, is no comparison.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from rulewright.app.build import c
from rulewright.compiler.engine import Engine
from rulewright.errors import Fault, RulewrightError
from rulewright.games.engine.game import Game
from rulewright.games.files.games import check
from tests.shared.engines import CAREFUL, COMPILER, OUTSIDE, agrees, planned, write
from tests.tools.agreement.files import AGREES, FALLS_BACK, FAULTY, REFUSED, Verdict, texts, verdict
from tests.tools.agreement.pair import Counts

SEED = 16
GAMES, MOST = 3, 25
"""Random games of each file, and decisions of a game at the most."""
OPTIONS = ("-std=c99", "-O0", *CAREFUL[2:])
"""Without thought for speed: to compile is what takes the time."""
FAULT = 5
"""How `tests/outside/play.c` ends when the rules are at fault."""
_stream = texts(1_000_000, SEED)
_known: list[str] = []


def text(number: int) -> str:
    """A file of the stream, which is made as far as it is wanted."""
    while len(_known) <= number:
        _known.append(next(_stream))
    return _known[number]


def compared(number: int, backend: str) -> Verdict:
    """What became of a file on one backend."""
    if backend == "c":
        return as_c(text(number))
    return verdict(text(number), backend, GAMES, MOST, Counts())


def as_c(text_: str) -> Verdict:
    """A file as an engine in C, played under the sanitizers."""
    report = check(text_)
    if report.game is None:
        return Verdict(REFUSED)
    try:
        report.game.play.start()
        plan = planned(report.game)
    except Fault as fault:
        return Verdict(FAULTY, fault.code)
    except RulewrightError as reason:
        return Verdict(FALLS_BACK, str(reason))
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), c.files(plan))
        return _played(report.game, Path(folder))


def _played(game: Game, folder: Path) -> Verdict:
    name = game.name
    sources = map(str, (OUTSIDE / "play.c", folder / f"{name}.c"))
    words = [str(COMPILER), *OPTIONS, f'-DENGINE="{name}.h"', f"-I{folder}", *sources, "-lm"]
    subprocess.run([*words, "-o", str(folder / "play")], check=True, capture_output=True)
    done = subprocess.run(
        [str(folder / "play"), "1", "7"], capture_output=True, text=True, check=False, timeout=300
    )
    if done.returncode not in (0, FAULT):
        return Verdict(f"C ends with {done.returncode}", trace=done.stderr[-4000:])
    try:
        return _agreed(game, [json.loads(line) for line in done.stdout.splitlines()])
    except AssertionError as difference:
        return Verdict("C differs", trace=str(difference))


def _agreed(game: Game, printed: list[dict[str, Any]]) -> Verdict:
    """Compare what the program told with the reference, and random games with plain kernels."""
    start = game.start("reference")
    try:
        agrees(start, printed[0], (0, 1))
    except Fault:  # the reference does what it lists, C only what it plays
        return Verdict(AGREES)
    assert len(printed) == 2, "C is at fault and the reference is not"
    plies, (*wins, draws, _) = Engine(game.play, "python").playouts(game.play.first, 20, 5, 10_000)
    assert (printed[1]["playouts"], printed[1]["wins"]) == (plies, [*wins, draws])
    assert printed[1]["moves"] == start.moves.texts
    counts = []
    try:
        for depth in range(3):
            counts.append(start.count(depth)[0])
    except Fault:  # for the same reason
        pass
    assert printed[1]["perft"][: len(counts)] == counts
    return Verdict(AGREES)
