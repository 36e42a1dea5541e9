"""Ends that are tested when a turn is over only, in every execution."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulewright

ROW = """format 1
game row

players white black
board square 5 by 1
pieces man "Oo"

move drop
  choose c in empty
  put man at c

move lift
  choose c in own
  clear c
  write "-{{c}}"

turn drop (lift or drop)?

{end}
draw when no empty
draw when stuck
"""
PAIR = "win {after}when count own = 2"
BACKENDS = ("reference", "python", "llvm")


def state_after(folder: Path, end: str, moves: str, backend: str) -> rulewright.State:
    path = folder / "row.rules"
    path.write_text(ROW.format(end=end), "utf-8")
    return rulewright.load(path, backend=backend).start().play(moves)


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_end_waits_until_the_turn_is_over(tmp_path: Path, backend: str) -> None:
    moves = "a1 - c1 - b1"
    assert str(state_after(tmp_path, PAIR.format(after=""), moves, backend).result).startswith(
        "white wins"
    )
    waits = state_after(tmp_path, PAIR.format(after="after turn "), moves, backend)
    assert waits.result is None
    assert str(waits.play("-").result).startswith("white wins")  # not to go on ends the turn too
    assert waits.play("d1").result is None  # three
    assert waits.play("-a1").result is None


def test_who_is_stuck_has_ended_no_turn(tmp_path: Path) -> None:
    text = ROW.format(end="win after turn when stuck")
    (found,) = rulewright.check(text).diagnostics
    assert (found.code, "no turn ends then" in found.message) == ("misplaced", True)
