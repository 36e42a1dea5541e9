"""Conniption: every sentence of the rules that a position can show."""

from __future__ import annotations

from functools import cache

import pytest

from rulewright.errors import IllegalMove, MoveError, UnreadableMove
from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import load


@cache
def game() -> Game:
    return load("conniption")


def after(moves: str) -> State:
    return game().start().play(moves)


def board(*rows: str, mover: str = "red", rest: str = "flip?", settled: str = "no") -> State:
    """A position from its rows, top row first."""
    lines = [f"{6 - i} {' '.join(row)}" for i, row in enumerate(rows)]
    fields = [f"mover: {mover}", "ply: 7", "flips: red 3, blue 3", f"settled: {settled}"]
    return game().read("\n".join([*lines, "", *fields, f"rest: {rest}"]))


def test_a_turn_is_three_decisions_of_the_same_player() -> None:
    state = game().start()
    assert (state.mover, state.moves.texts) == ("red", ["!", "-"])
    state = state.play("-")
    assert (state.mover, state.moves.texts) == ("red", list("1234567"))
    state = state.play("4")
    assert (state.mover, state.moves.texts) == ("red", ["!", "-"])
    state = state.play("-")
    assert (state.mover, state.ply) == ("blue", 1)


def test_a_flip_of_the_empty_board_on_the_first_turn_is_legal() -> None:
    assert after("! 4").text().splitlines()[5] == "1 . . . X . . ."


def test_a_flip_turns_every_column_upside_down_and_mirrors_nothing() -> None:
    state = after("4 4 4 4! ")
    columns = state.board().splitlines()
    assert [row[8] for row in columns[:6]] == [".", ".", "X", "O", "X", "O"]
    assert all(row[c] == "." for row in columns[:6] for c in (2, 4, 6, 10, 12, 14))


def test_no_flip_follows_a_flip_across_the_turn() -> None:
    assert after("4!").moves.texts == ["-"]
    with pytest.raises(MoveError):
        after("4! !")


def test_a_closing_flip_may_follow_the_own_opening_flip() -> None:
    assert "!" in after("! 4").moves


def test_each_player_has_four_flips() -> None:
    state = after("!1! 2 !1! 2")
    assert "flips: red 0, blue 4" in state.text()
    assert state.mover == "red"
    assert state.moves.texts == ["-"]
    blue = state.play("3").moves.texts
    assert blue == ["!", "-"]


def test_a_drop_wins_in_the_middle_of_the_turn() -> None:
    state = after("1 2 1 2 1 2 - 1")
    assert state.over
    assert state.result is not None
    assert state.result.winner == "red"
    assert state.moves.texts == []


FOUR_OF_BOTH = (
    # upside down, the lone tiles of columns 1-3 and 5-7 meet the taller ones in two rows
    ".......",
    ".......",
    ".......",
    "X......",
    "OXXX...",
    "XOOO...",
)


@pytest.mark.parametrize("mover", ["red", "blue"])
def test_a_flip_with_lines_of_both_wins_for_the_flipper(mover: str) -> None:
    # Column 1 has three tiles (X below O below X).  Reversed it reads X O X again, and columns
    # 2 to 4 change from O below X to X below O: red gets X X X X in row 1, blue O O O O in row 2.
    state = board(*FOUR_OF_BOTH, mover=mover, settled="yes").play("!")
    assert state.board().splitlines()[4:6] == ["2 O O O O . . .", "1 X X X X . . ."]
    assert state.result is not None
    assert state.result.winner == mover
    assert "win when four" in state.result.rule


def test_a_flip_that_makes_only_the_other_player_s_line_loses() -> None:
    rows = (*["......."] * 4, "O.OO...", "XOXX...")
    state = board(*rows, mover="red", settled="yes").play("!")
    assert state.board().splitlines()[5] == "1 O O O O . . ."
    assert state.result is not None
    assert (state.result.winner, state.result.rule) == ("blue", "lose when four for enemy")


def test_nothing_is_tested_after_the_decision_not_to_flip() -> None:
    standing = board(*["......."] * 5, "OOOO...", mover="red", rest="flip?", settled="yes")
    assert standing.over, "a position that is loaded is tested"
    going = game().play.resume(standing.situation.position)
    none = next(option for option in going.options if option.text == "-")
    assert going.after(none).ended is None


FULL_BUT_ONE = ("OXOXOX.", "XOXOXOX", "XOXOXOX", "OXOXOXO", "OXOXOXO", "XOXOXOX")


def test_the_last_tile_draws_at_once_without_a_closing_flip() -> None:
    state = board(*FULL_BUT_ONE, mover="red", rest="drop flip?", settled="yes").play("7")
    assert state.over
    assert state.result is not None
    assert state.result.winner is None


def test_whole_turns_are_read_only_where_a_turn_begins() -> None:
    assert after("4").same(after("- 4 -"))
    assert after("!4").same(after("! 4 -"))
    assert after("4!").same(after("- 4 !"))
    assert after("!4!").same(after("! 4 !"))
    with pytest.raises((IllegalMove, UnreadableMove)):
        after("- 4 4")


def test_turns_are_written_together() -> None:
    assert after("- 4 - ! 4 ! - 3").turns() == ["4", "!4!", "3"]
