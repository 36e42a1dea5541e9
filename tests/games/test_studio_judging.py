"""The course of a game: values, and decisions that cost something by name."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulewright
from rulewright.app.studio.answers import JudgedNode
from rulewright.app.studio.judging import curve, mistake
from rulewright.app.studio.thinking import Telling
from tests.shared.places import RULESETS


def judged(moves: str, ended: bool = False, seconds: float = 60.0) -> list[JudgedNode]:
    states = rulewright.load("tictactoe").start().play(moves).states()
    return curve(list(enumerate(states)), seconds, Telling(lambda _: None, lambda: ended))


def test_a_draw_given_away_is_a_blunder_with_what_was_better() -> None:
    entries = judged("a1 b1 b2")  # only the centre answers a corner
    assert [entry.name for entry in entries] == ["", "", "blunder", ""]
    assert entries[2].drop == 0.5
    assert entries[2].best == "b2"
    assert entries[2].depth > 0
    assert entries[3].value == 1.0
    assert not entries[1].refutation
    after = rulewright.load("tictactoe").start().play("a1 b1").play(" ".join(entries[2].refutation))
    assert after.result is None or after.result.winner == "cross"
    assert len(after.decisions()) > 2


def in_chess(moves: str, text: str = "chess", seconds: float = 60.0) -> list[JudgedNode]:
    states = rulewright.load(text).start().play(moves).states()
    return curve(list(enumerate(states)), seconds, Telling(lambda _: None, lambda: False))


def test_a_queen_given_away_in_chess_is_a_blunder_to_a_player_of_it() -> None:
    entries = in_chess("e2e4 e7e5 g1f3 d8g5 f3g5")
    assert [entry.name for entry in entries] == ["", "", "", "", "blunder", ""]
    assert entries[5].value > 0.9
    assert entries[5].proven is None


def test_a_mate_that_a_player_sees_is_proven() -> None:
    entries = in_chess("f2f3 e7e5 g2g4")
    assert (entries[3].name, entries[3].value, entries[3].proven) == ("blunder", -1.0, "black: win")


def test_what_a_player_has_no_time_for_has_no_value() -> None:
    assert in_chess("e2e4 e7e5", seconds=1e-9) == []


def test_rules_of_ones_own_with_the_name_are_judged_without_its_player(tmp_path: Path) -> None:
    tictactoe = RULESETS / "tictactoe" / "tictactoe.rules"
    own = tmp_path / "chess.rules"
    own.write_text(tictactoe.read_text("utf-8").replace("game tictactoe", "game chess"))
    entries = in_chess("a1 b1 b2", str(own))
    assert [entry.name for entry in entries] == ["", "", "blunder", ""]


def test_a_decision_after_all_is_lost_costs_nothing() -> None:
    entries = judged("a1 b1 b2 c3 a3 a2 c1")
    assert [entry.drop for entry in entries[3:]] == [0.0] * 5
    assert entries[-1].proven == "cross has won"


@pytest.mark.parametrize(("ended", "seconds"), [(True, 60.0), (False, 1e-9)])
def test_what_there_is_no_time_for_has_no_value(ended: bool, seconds: float) -> None:
    assert judged("a1 b1", ended, seconds) == []


@pytest.mark.parametrize(
    ("lost", "name"),
    [(0.0, ""), (0.09, ""), (0.1, "inaccuracy"), (0.2, "mistake"), (0.3, "blunder")],
)
def test_names_begin_at_their_drop(lost: float, name: str) -> None:
    assert mistake(lost) == name
