"""A game that is turned as its rules claim is the same game, in observations and in actions."""

from __future__ import annotations

import random
from math import prod

import numpy as np
import pytest

from rulewright import batch, loads
from rulewright.checks.subject import BoardSymmetry, symmetry
from rulewright.games.files.games import load
from rulewright.learning.augmentation import augmentation, augmentations
from rulewright.learning.batch import Batch
from rulewright.learning.lane_arrays import LearningError
from rulewright.model.rules import Claim
from tests.shared.backends import needs_llvm
from tests.shared.bundled import game
from tests.shared.sample import chosen

pytestmark = needs_llvm
STEPS = 8
BETWEEN = {"coins", "domineering"}
"""Games whose actions name one of two sites that are taken together: the image names the other."""


def claims(name: str) -> list[Claim]:
    return [c for c in game(name).rules.claims if c.kind == "symmetric" and not c.settings]


GAMES = sorted(name for name in {*chosen()} - BETWEEN if claims(name))


def turned(games: Batch, by: BoardSymmetry) -> None:
    """Put the position of the first lane, turned, into the second one."""
    situation = by.situation(games.state(0).situation)
    games.put(1, games.game.state(situation))


@pytest.mark.parametrize("name", GAMES)
def test_the_turned_game_is_the_same_game(name: str) -> None:
    """After every step, by a judge who turns positions and knows nothing of planes."""
    games, generator = batch(game(name), 2, threads=1, longest=500), random.Random(1)
    for claim in claims(name):
        by = symmetry(games.game.play, claim.what, claim.swap)
        assert by is not None
        turn = augmentation(games, by.sites)
        games.reset(1)
        turned(games, by)
        for _ in range(STEPS):
            first, second = games.observe()
            assert (turn.turn_planes(first) == second).all()
            assert (turn.turn_numbers(games.numbers()[0]) == games.numbers()[1]).all()
            assert (turn.turn_actions(games.legal[0]) == games.legal[1]).all()
            action = int(generator.choice(np.flatnonzero(games.legal[0])))
            games.step([action, turn.actions[action]])
            if games.over.any():
                assert games.over.all()
                break
            turned_here = by.position(games.state(0).situation.position)
            assert games.state(1).situation.position == turned_here


@pytest.mark.parametrize(
    ("name", "count"), [("tictactoe", 8), ("connect4", 2), ("breakthrough", 4), ("chess", 1)]
)
def test_all_that_follows_from_claims_is_there(name: str, count: int) -> None:
    games = batch(load(name), 3, threads=1, seed=2)
    for _ in range(4):
        games.step()
    group = augmentations(games)
    assert len({turn.sites for turn in group}) == len(group) == count
    assert (group[0].turn_planes(games.observe()) == games.observe()).all()
    for turn in group:
        back = next(other for other in group if turn.then(other).sites == group[0].sites)
        assert (back.turn_planes(turn.turn_planes(games.observe())) == games.observe()).all()
        assert (back.turn_actions(turn.turn_actions(games.legal)) == games.legal).all()
        assert turn.turn_planes(games.observe()).shape == (3, *games.observe().shape[1:])
        assert prod(turn.shape) == len(turn.sites)


def test_actions_without_an_image_are_refused() -> None:
    rules = loads("""format 1
game corner
players red blue
board square 3 by 1
pieces stone
move place
  choose cell in empty and (a1 or b1)
  put stone at cell
turn place
draw when stuck
claim symmetric under mirror
""")
    for name in BETWEEN:
        with pytest.raises(LearningError, match="has no image"):
            augmentations(batch(name, 1, threads=1))
    with pytest.raises(LearningError, match="action a1 has no image"):
        augmentations(batch(rules, 1, threads=1))
