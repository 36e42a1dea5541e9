"""What a program says of TwixT positions, beside what T1j says of them.

    python benchmarks/t1j/compare.py tests/data/t1j.jsonl /tmp/t1j --patterns FILE

In: positions with T1j's values (tenths of a row, for either side to move next), reference points
and candidates, one object of JSON a line; a program that answers `values`, `points` and
`candidates` (t1j.c).  Out: how many of them are equal.  A program that answers otherwise ends it
with an `IndexError` or `ValueError`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ASKED = ("values", "points", "candidates")


def answers(command: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """The three answers of the program for each position."""
    lines = []
    for row in rows:
        size = f"width={row['width']} height={row['height']}"
        lines += [f"game twixt {size} pie=false", f"position moves {row['moves']}", *ASKED]
    text = "\n".join(lines) + "\n"
    out = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    said = [line for line in out.splitlines() if line != "ok"]
    return [said[at : at + len(ASKED)] for at in range(0, len(said), len(ASKED))]


def wanted_values(row: Mapping[str, Any]) -> list[int]:
    """T1j's values in the order in which the program prints them."""
    return [row["values"][turn][side] for turn in ("red_next", "blue_next") for side in SIDES]


SIDES = ("red", "blue")


def shares(command: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> dict[str, tuple[int, int]]:
    """For each thing compared, how many are equal, and of how many."""
    equal = dict.fromkeys((*ASKED, "found", "wrong"), 0)
    of = dict.fromkeys(equal, 0)
    for row, (values, points, candidates) in zip(rows, answers(command, rows), strict=True):
        pairs = zip(map(int, values.split()), wanted_values(row), strict=True)
        equal["values"] += sum(one == other for one, other in pairs)
        of["values"] += 4
        for side in SIDES:
            found = {tuple(p.split(":")[1:]) for p in points.split() if p.startswith(side)}
            equal["points"] += found == set(map(tuple, row["points"][side]))
            of["points"] += 1
        said, known = set(candidates.split()), set(row["candidates"])
        for name, number, total in (
            ("candidates", said == known, 1),
            ("found", len(said & known), len(known)),
            ("wrong", len(said - known), len(said)),
        ):
            equal[name] += number
            of[name] += total
    return {name: (equal[name], of[name]) for name in equal}


def main() -> None:
    """Print the shares."""
    rows = [json.loads(line) for line in Path(sys.argv[1]).read_text("utf-8").splitlines()]
    for name, (equal, of) in shares(sys.argv[2:], rows).items():
        print(f"{name:10} {equal:5} of {of:5}  {equal / max(1, of):.3f}")


if __name__ == "__main__":
    main()
