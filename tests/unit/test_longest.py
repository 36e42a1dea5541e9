"""Longest ways through a part of a turn: by their decisions, and by a number at their end."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulewright

TEXT = """format 1
game hops

players white black
board square 7 by 1
pieces man "Oo", king "K"

setup
  put white man at c1
  put black man at b1 or d1 or f1
  put black king at {king}

state worth = 0 in 0..9 within turn

move hop
  choose a in own man
  choose ray from a along (east or west) /[over: enemy], [b: empty]/
  worth := worth + (5 if over in king else 1)
  clear over
  move a to b

turn {part}

draw when stuck
"""


def decisions(folder: Path, part: str, king: str, backend: str) -> list[str]:
    path = folder / "hops.rules"
    path.write_text(TEXT.format(part=part, king=king), "utf-8")
    return [move.text for move in rulewright.load(path, backend=backend).start().moves]


@pytest.mark.parametrize("backend", ["reference", "python", "llvm"])
@pytest.mark.parametrize(
    ("part", "king", "expected"),
    [
        ("hop+", "b1", ["c1-b1-a1", "c1-d1-e1"]),
        ("longest hop+", "b1", ["c1-d1-e1"]),  # two men rather than a king
        ("longest by worth hop+", "b1", ["c1-b1-a1"]),  # a king rather than two men
        ("longest by worth hop+", "f1", ["c1-d1-e1"]),
    ],
)
def test_longest_ways(
    tmp_path: Path, part: str, king: str, expected: list[str], backend: str
) -> None:
    assert sorted(decisions(tmp_path, part, king, backend)) == expected


def test_no_longest_part_holds_another(tmp_path: Path) -> None:
    (found,) = rulewright.check(TEXT.format(part="longest (longest hop+)", king="b1")).diagnostics
    assert found.code == "misplaced"
