"""`rulewright demo`: the main job, without asking anything."""

from __future__ import annotations

import time
from argparse import Namespace

from rulewright.game import State
from rulewright.loading import bundled, check_bytes, load
from rulewright.search.best import best
from rulewright.search.results import Limits
from rulewright.verify.claims import failing

_GAMES: tuple[tuple[str, dict[str, int]], ...] = (
    ("connect5", {"size": 11}),
    ("conniption", {}),
    ("spanit", {}),
    ("twixt", {"size": 12}),
)


def run(arguments: Namespace) -> int:
    """Check the bundled files, then let two computer players finish one game each of four."""
    begun = time.perf_counter()
    failed = 0
    for name, path in bundled().items():
        report = check_bytes(path.name, path.read_bytes())
        found = [*report.diagnostics, *(failing(report.game) if report.game else ())]
        failed += bool(found)
        print(f"check {name}: {'fine' if not found else ''}")
        for diagnostic in found:
            print(diagnostic.render())
    for name, options in _GAMES:
        _play(name, options, arguments.time, arguments.seed)
    print(f"\ndone in {time.perf_counter() - begun:.0f} s")
    return 1 if failed else 0


def _play(name: str, options: dict[str, int], seconds: float, seed: int) -> None:
    shown = " ".join(f"{k}={v}" for k, v in options.items())
    print(f"\n{name} {shown}: the computer plays both sides".replace(" :", ":"), flush=True)
    state: State = load(name, **options).start()
    while not state.over:
        found = best(state, Limits(seconds), seed + len(state.decisions()))
        state = state.play_decision(found.move)
    print(f"{len(state.turns())} turns: {' '.join(state.turns())}")
    print(state.board())
    print(state.result, flush=True)
