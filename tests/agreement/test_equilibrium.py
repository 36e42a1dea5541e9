"""Values of small games with secrets: bounds that hold, and what is known of some games."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

import rulewright
from rulewright.app.cli import main
from rulewright.errors import RulewrightError
from rulewright.games.engine.sight import open_game
from rulewright.search.equilibrium import equilibrium

PENNIES = """format 1
game pennies

# Both choose one of two numbers unseen; the first wins PRIZE where both are 1, and so on.

players even odd

board square 1 by 1
pieces coin

state pick each = 0 in 0..2 hidden

move choice
  choose n in 1..2
  pick := n
  write "{n}"

turn choice

let both = pick = pick for enemy
let prize = 3 if pick = 1 else 1

score -(prize if both else -1) when ply = 1
"""


def test_kuhn_poker_is_worth_minus_an_eighteenth_for_the_first_player(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert equilibrium(rulewright.load("kuhn").start()).least == Fraction(-1, 18)
    monkeypatch.setattr("rulewright.search.sequence_form.MOST", 0)  # by rounds
    value = equilibrium(rulewright.load("kuhn").start(), 300)
    assert value.least <= Fraction(-1, 18) <= value.most
    assert value.most - value.least < Fraction(1, 1000)
    assert (value.sets, value.positions) == (12, 55)


def test_where_the_cards_lie_open_the_higher_one_wins_the_stake() -> None:
    value = equilibrium(open_game(rulewright.load("kuhn")).start(), 200)
    assert value.least <= 0 <= value.most
    assert value.most - value.least < Fraction(1, 20)
    assert value.sets == 24


@pytest.mark.parametrize("rounds", [0, 1, 7, 200])
def test_bounds_hold_after_any_number_of_rounds(
    rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulewright.search.sequence_form.MOST", 0)  # which needs no rounds
    game = rulewright.check(PENNIES).game
    assert game is not None
    value = equilibrium(game.start(), rounds)
    # The first mixes p so that 3p - (1-p) = -p + (1-p): p = 1/3, and the value is 1/3.
    assert value.least <= Fraction(1, 3) <= value.most
    assert value.most - value.least < (Fraction(1, 20) if rounds == 200 else 5)


def test_the_command_tells_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "kuhn", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["least"] <= -1 / 18 <= data["most"]
    assert data["simplest"] == "-1/18"
    assert main(["solve", "kuhn", "--shortest"]) == 2
    assert "leave --shortest out" in capsys.readouterr().err


def test_a_game_that_has_begun_is_refused() -> None:
    state = rulewright.load("kuhn").start().play("12")
    with pytest.raises(RulewrightError, match="begin at its start"):
        equilibrium(state)
