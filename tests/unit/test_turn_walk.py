"""Listing, drawing at random and finding by text give the same decisions, with what they chose."""

from __future__ import annotations

from random import Random

import pytest

import rulewright
from rulewright.reference.lookup import find


@pytest.mark.parametrize("game", ["conniption", "draughts", "amazons", "coins"])
def test_every_way_to_a_decision_gives_the_same(game: str) -> None:
    play, chance = rulewright.load(game).play, Random(5)
    situation = play.start()
    for _ in range(6):
        known = {option.text: option for option in situation.options}
        assert all(option.frame for option in known.values() if option.move is not None)
        drawn = play.sample(situation.position, chance)
        assert drawn is not None
        for option in (drawn, known[chance.choice(sorted(known))]):
            found = find(play, situation.position, option.text)
            assert found is not None
            same = known[option.text]
            for other in (option, found):
                assert (other.move, other.after, other.frame) == (
                    same.move, same.after, same.frame,
                )  # fmt: skip
        situation = situation.after(known[drawn.text])
        if situation.outcome is not None:
            return
