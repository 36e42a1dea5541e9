"""`python -m tests.tools.mutants [--only TEXT] [--claims] [--measure] [--effort X]`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.tools.mutants.faults import LIST, Outcome, claimed, mutants, shortest, tried

LEAST = 0.9


def main() -> int:
    """Try the faults; 1 when too few of them are found."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.mutants")
    parser.add_argument("--only", default="", help="those whose game or name contains this")
    parser.add_argument("--effort", type=float, default=1.0)
    parser.add_argument("--claims", action="store_true", help="only what files claim, and counts")
    parser.add_argument("--part", type=int, default=0, help="of so many parts, from 0")
    parser.add_argument("--parts", type=int, default=1)
    parser.add_argument("--measure", action="store_true", help="write the shortest games anew")
    arguments = parser.parse_args()
    chosen = [m for m in mutants() if arguments.only in f"{m.game}: {m.name}"]
    chosen = chosen[arguments.part :: arguments.parts]
    if arguments.measure:
        return _measure()
    outcomes = []
    for mutant in chosen:
        with tempfile.TemporaryDirectory() as folder:
            outcome = (
                tried(mutant, Path(folder), arguments.effort) if not arguments.claims else None
            )
            outcomes.append(outcome or claimed(mutant))
        print(_line(outcomes[-1]), flush=True)
    return _summary(outcomes)


def _line(one: Outcome) -> str:
    mutant = one.mutant
    by = ", ".join(one.properties) or ("cover: " + one.dead[0] if one.dead else one.refused)
    length = "" if one.moves is None else f"{len(one.moves)} decisions"
    known = "" if mutant.shortest is None else f"(differs after {mutant.shortest})"
    return f"{mutant.game}: {mutant.name}: {by or 'NOT FOUND'} {length} {known}".rstrip()


def _summary(outcomes: list[Outcome]) -> int:
    found = [one for one in outcomes if one.found]
    by = Counter("test" if o.properties else "cover" if o.dead else "check" for o in found)
    print(f"\n{len(found)} of {len(outcomes)} found ({len(found) / len(outcomes):.0%}): {dict(by)}")
    pairs = [
        (len(o.moves), o.mutant.shortest)
        for o in found
        if o.moves and o.mutant.shortest is not None
    ]
    longer = sorted(shown - known for shown, known in pairs)
    if longer:
        middle = longer[len(longer) // 2]
        print(
            f"{len(pairs)} with a game: median {middle} decisions longer than the first difference"
        )
    return 0 if len(found) >= LEAST * len(outcomes) else 1


def _measure() -> int:
    """Write the shortest known games into the list."""
    lines = [t for t in LIST.read_text("utf-8").splitlines() if not t.startswith("shortest")]
    text = "\n".join(lines) + "\n"
    for mutant in mutants():
        with tempfile.TemporaryDirectory() as folder:
            number = shortest(mutant, Path(folder))
        print(f"{mutant.game}: {mutant.name}: {number}", flush=True)
        if number is not None:
            named = f'game = "{mutant.game}"\nname = "{mutant.name}"\n'
            text = text.replace(named, f"{named}shortest = {number}\n")
    LIST.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
