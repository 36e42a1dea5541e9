"""Backgammon's plays in positions of random games, beside those that OpenSpiel lists."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from rulewright.games.engine.game import State
from tests.independent.backgammon import SITES
from tests.independent.plays import Men, checksum
from tests.shared.bundled import game
from tests.shared.effort import tries

TEXT = (Path(__file__).parents[1] / "data" / "backgammon.txt").read_text()
GAMES = [part.splitlines()[1:] for part in TEXT.split("\n# ")[2:]]


PLACES = {column + row: i for i, (row, column) in enumerate(product("21", "abcdefghijklmn"))}


def men(state: State) -> Men:
    """The men of both sides, from what is off to the bar."""
    piles = state.situation.position.piles
    white, black = (
        tuple(sum(owner == side for owner, _ in piles[PLACES[site]]) for site in SITES[side])
        for side in (0, 1)
    )
    return white, black


def ends(state: State, mover: str | None) -> set[Men]:
    """The boards that all plays of a roll leave; positions in the middle are looked at once."""
    boards, waiting = set[Men](), {state}
    while waiting:
        following = set[State]()
        for reached in waiting:
            if reached.over or reached.mover != mover or reached.by_chance:
                boards.add(men(reached))
                continue
            following |= {reached.play_decision(text) for text in reached.moves.texts}
        waiting = following
    return boards


@pytest.mark.parametrize("number", range(tries(len(GAMES))))
def test_plays_of_random_games(number: int) -> None:
    """Every roll of the game leaves as many boards, and the same ones."""
    state = game("backgammon").start()
    for line in GAMES[number]:
        decisions, _, counts = line.partition(" : ")
        rolled = state.play_decision(decisions.split()[0])
        boards = ends(rolled, state.mover)
        assert f"{len(boards)} {checksum(boards)}" == counts, (decisions, state.board())
        state = state.play(decisions)
    assert state.over
