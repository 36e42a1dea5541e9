"""What only many games show: error rates of the sequential test, openings that run out."""

from __future__ import annotations

from random import Random

import rulewright
from rulewright.matches.openings import (
    enough,
    generate,
)
from rulewright.matches.statistics import Sprt, expected
from tests.tools.sprt_check import Race, errors, too_many


def test_the_sequential_test_is_wrong_as_often_as_was_asked_for() -> None:
    test, matches = Sprt(0, 60, 0.1, 0.05), 150
    (alpha, some), (beta, others) = errors(test, matches, seed=3)
    assert not too_many(alpha, matches, 0.1)
    assert not too_many(beta, matches, 0.05)
    assert alpha > 0  # a test that is never wrong asks for too many games
    assert 10 < (some + others) / (2 * matches) < 150


def test_it_is_as_often_wrong_where_both_games_of_a_pair_have_the_same_dice() -> None:
    """Shared dice take most of the luck away, and the test needs no more than that says."""
    test, matches = Sprt(0, 40, 0.1, 0.05), 150
    (alpha, some), (beta, others) = errors(test, matches, seed=3, game=Race())
    assert alpha > 0
    assert not too_many(alpha, matches, 0.1)
    assert not too_many(beta, matches, 0.05)
    assert (some + others) / (2 * matches) < 90


def test_a_race_is_worth_what_its_exact_share_says() -> None:
    race, random = Race(), Random(1)
    strength = race.strength(80)
    played = [race.points(strength, random) / 2 for _ in range(3000)]
    assert abs(sum(played) / 3000 - expected(80)) < 0.02
    assert abs(race.share(race.other) - 0.5) < 1e-9


def test_where_there_are_never_enough_there_are_the_most() -> None:
    game = rulewright.load("tictactoe")
    lines = enough(game, 1000, 2)
    assert 1 <= len(generate(game, 1000, 2)) < len(set(lines)) == len(lines) < 1000
    assert {len(line) for line in lines} == {3}  # half of a game, and no more
