"""Goes on with the totals of `totals.json`: fuzzed texts, random games between executions.

`python -m tests.tools.totals --minutes 60` gives new texts to the readers of `tests.tools.fuzz`,
plays new random games in which the fast forms of machine code are compared with the general form,
and new ones in which kernels are compared with the reference, each game and reader in turn; seeds
go on where the file stands and are never used again.  `files` are random rules files on every
backend, and as C under the sanitizers of a compiler.  Each slice is added to the file, with the
version that did it.  It ends when the time or the work is over and says what is still missing.
What differs is told and counted; the exit status is 1 then.  `--show` only says what there is.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attrs import define, field

from rulewright.compiler.layout import Unsupported
from rulewright.games.engine.kernels import load_engine
from rulewright.games.files.games import load
from rulewright.ground.disk import write_whole
from tests.shared.bundled import GAMES, game
from tests.tools.agreement.files import AGREES
from tests.tools.agreement.pair import Pair
from tests.tools.fuzz.fuzzer import Fuzzer, say
from tests.tools.fuzz.readers import READERS
from tests.tools.totals.forms import Forms
from tests.tools.totals.random_files import compared

PLACE = Path(__file__).parent / "totals.json"
TEXTS = 1_000_000
"""Fuzzed texts, of all readers together: what the others leave is for rules."""
EACH = 36_364
"""Texts of each reader but that of rules."""
FEWER = {"study": 4_000}
"""Texts of a reader that waits for a library: Optuna takes a tenth of a second to open a study."""
PLAYED = 100_000
"""Random games of each ruleset, between compiled forms and against the reference."""
FILES = {"python": 2000, "native": 2000, "wasm": 2000, "c": 500}
"""Random rules files that must have agreed, by backend."""
HOURS = 2 * 3600.0
"""Seconds of processor time of each ruleset against the reference, if they come first."""
SLICE = 5.0
"""Seconds for one game or reader before it is the turn of the next."""
Row = dict[str, Any]


@define
class Totals:
    """What the file holds: rows by kind and name, and which version did how much."""

    rows: dict[str, dict[str, Row]]
    runs: list[Row]
    _before: dict[str, int] = field(factory=dict, init=False)

    @classmethod
    def read(cls) -> Totals:
        data = json.loads(PLACE.read_text()) if PLACE.is_file() else {"rows": {}, "runs": []}
        found = cls(data["rows"], data["runs"])
        found._before = {kind: found.done(kind) for kind in KINDS}
        return found

    def row(self, kind: str, name: str) -> Row:
        fresh = {"done": 0, "next": 1, "seconds": 0.0, "differ": 0}
        return self.rows.setdefault(kind, {}).setdefault(name, fresh)

    def done(self, kind: str) -> int:
        return sum(row["done"] for row in self.rows.get(kind, {}).values())

    def differ(self) -> int:
        """How many differences and findings were ever met."""
        return sum(int(row["differ"]) for rows in self.rows.values() for row in rows.values())

    def write(self, version: str, day: str) -> None:
        """Keep everything; what this version did today is one entry."""
        added = {kind: self.done(kind) - self._before[kind] for kind in KINDS}
        entry = {"version": version, "day": day, **added}
        data = {"rows": self.rows, "runs": [*self.runs, entry]}
        write_whole(PLACE, (_laid_out(data) + "\n").encode())


def _laid_out(data: dict[str, Any]) -> str:
    """JSON with a line for each row and run, so that versions of the file can be compared."""
    kinds = [
        f'  "{kind}": {{\n'
        + ",\n".join(f'   "{name}": {json.dumps(row)}' for name, row in rows.items())
        + "\n  }"
        for kind, rows in data["rows"].items()
    ]
    runs = ",\n".join(f"  {json.dumps(run)}" for run in data["runs"])
    return '{\n "rows": {\n' + ",\n".join(kinds) + '\n },\n "runs": [\n' + runs + "\n ]\n}"


# --- one slice of each kind ---


def fuzz(name: str, row: Row, until: float) -> None:
    """New texts for a reader."""
    fuzzer = FUZZERS.get(name)
    if fuzzer is None:
        reader = next(reader for reader in READERS if reader.name == name)
        fuzzer = FUZZERS[name] = Fuzzer(reader, say, few=40)
    while time.monotonic() < until:
        done, differ = fuzzer.done, fuzzer.findings
        fuzzer.run(row["next"], 100, until + SLICE)
        row["done"] += fuzzer.done - done
        row["differ"] += fuzzer.findings - differ
        row["next"] += 1


def forms(name: str, row: Row, until: float) -> None:
    """New random games of both compiled forms, on the usual board."""
    found = FORMS.get(name) or Forms(load(name))
    FORMS[name] = found
    while time.monotonic() < until and row["done"] < PLAYED:
        if found.play(row["next"]) < 0:
            row["differ"] += 1
            say(f"{name}: the forms differ in the game of seed {row['next']}")
        row["done"] += 1
        row["next"] += 1


def reference(name: str, row: Row, until: float) -> None:
    """New random games of the reference and machine code, on a small board."""
    play = game(name).play
    kernels = load_engine(game(name), "native")
    if isinstance(kernels, str):
        raise Unsupported(kernels)
    pair = Pair(play, kernels)
    while time.monotonic() < until and row["done"] < PLAYED and row["seconds"] < HOURS:
        began = time.process_time()
        try:
            pair.game(row["next"], 200)
        except AssertionError as error:
            row["differ"] += 1
            say(f"{name}, seed {row['next']}: {error}")
        row["done"] += 1
        row["next"] += 1
        row["seconds"] = round(row["seconds"] + time.process_time() - began, 2)


def files(name: str, row: Row, until: float) -> None:
    """The next random rules files on a backend."""
    while time.monotonic() < until and row["done"] < FILES[name]:
        began = time.process_time()
        found = compared(row["next"] - 1, name)
        row["done"] += found.what == AGREES
        if found.what != AGREES:
            row["left"] = row.get("left", 0) + (not found.finding)
        if found.finding:
            row["differ"] += 1
            say(f"file {row['next']} on {name}: {found.what}\n{found.trace}")
        row["next"] += 1
        row["seconds"] = round(row["seconds"] + time.process_time() - began, 2)


FUZZERS: dict[str, Fuzzer] = {}
FORMS: dict[str, Forms] = {}
KINDS: dict[str, tuple[Callable[[str, Row, float], None], list[str]]] = {
    "texts": (fuzz, [reader.name for reader in READERS]),
    "forms": (forms, GAMES),
    "reference": (reference, GAMES),
    "files": (files, list(FILES)),
}


def texts_of(name: str) -> int:
    """How many texts a reader is to be given."""
    others = {r.name: FEWER.get(r.name, EACH) for r in READERS if r.name != "rules"}
    return others.get(name, TEXTS - sum(others.values()))


def over(totals: Totals, kind: str, name: str) -> bool:
    """Whether nothing is missing here."""
    row = totals.row(kind, name)
    if kind == "files":
        return bool(row["done"] >= FILES[name])
    if kind == "texts":
        return bool(row["done"] >= texts_of(name))
    return bool(row["done"] >= PLAYED or (kind == "reference" and row["seconds"] >= HOURS))


def go_on(totals: Totals, minutes: float, kinds: list[str], keep: Callable[[], object]) -> None:
    """A slice of each kind and name in turn, kept at once, until time or work is over."""
    until = time.monotonic() + 60 * minutes
    todo = [(kind, name) for kind in kinds for name in KINDS[kind][1]]
    while todo and time.monotonic() < until:
        for kind, name in list(todo):
            left = until - time.monotonic()
            if over(totals, kind, name) or left <= 0:
                todo.remove((kind, name))
                continue
            row = totals.row(kind, name)
            KINDS[kind][0](name, row, time.monotonic() + min(SLICE, left))
            keep()


def report(totals: Totals) -> None:
    """Say what there is and what is missing."""
    for kind, (_, names) in KINDS.items():
        ready = [name for name in names if over(totals, kind, name)]
        missing = [f"{n} {totals.row(kind, n)['done']:,}" for n in names if n not in ready]
        say(f"{kind}: {totals.done(kind):,} done, {len(ready)} of {len(names)} ready")
        say(f"  missing: {', '.join(missing)}" if missing else "  nothing is missing")
    say(f"differences and findings: {totals.differ()}")


def version() -> str:
    """The commit, with a sign where files are changed."""
    told = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    )
    return told.stdout.strip() or "unknown"


def main() -> int:
    """Go on; the exit status tells whether anything differed in this run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--only", nargs="*", choices=list(KINDS), default=list(KINDS))
    parser.add_argument("--show", action="store_true", help="only say what there is")
    options = parser.parse_args()
    totals = Totals.read()
    if options.show:
        report(totals)
        return 0
    before, begun = totals.differ(), version()
    go_on(
        totals, options.minutes, options.only,
        lambda: totals.write(begun, time.strftime("%Y-%m-%d")),
    )  # fmt: skip
    report(totals)
    return 1 if totals.differ() > before else 0


if __name__ == "__main__":
    sys.exit(main())
