"""Mistakes that were planted in good games are named, and few good decisions are."""

from __future__ import annotations

from random import Random

import rulewright
from rulewright.app.studio.judging import curve
from rulewright.app.studio.thinking import Telling
from rulewright.games.engine.game import State
from rulewright.search.best import best
from rulewright.search.results import MEBIBYTE, Limits

LONGEST = 60
EARLIEST = 4
"""Decisions by chance at the beginning, so that games differ."""
GOOD = 200_000
DEEP = 1_200_000
LOST = 0.3
"""The share of a point that a planted decision costs, by a search of `DEEP` nodes."""


def searched(state: State, nodes: int, seed: int = 0) -> tuple[str, float, str]:
    """What a search plays, and its value for the side that moves."""
    result = best(state, Limits(None, nodes, memory=16 * MEBIBYTE), seed)
    sure = {"win": 1.0, "loss": -1.0, "draw": 0.0}.get(str(result.proven), result.value)
    return result.move, max(-1.0, min(1.0, sure)), result.side


def worth(state: State, side: str) -> float:
    if state.result is not None:
        return {None: 0.0, side: 1.0}.get(state.result.winner, -1.0)
    _, value, mover = searched(state, DEEP)
    return value if mover == side else -value


def on(state: State, chance: Random) -> State:
    """A good game from here on."""
    while not state.over and len(state.decisions()) < LONGEST:
        early = len(state.decisions()) < EARLIEST
        text = (
            chance.choice(state.moves.texts)
            if early
            else searched(state, GOOD, chance.randrange(9999))[0]
        )
        state = state.play_decision(text)
    return state


def planted(states: list[State], chance: Random) -> State | None:
    """A position of the game with a blunder after it."""
    places = [state for state in states[EARLIEST:-2] if not state.over]
    for state in chance.sample(places, len(places)):
        _, value, side = searched(state, DEEP)
        for text in chance.sample(list(state.moves.texts), min(6, len(state.moves.texts))):
            after = state.play_decision(text)
            if (value - worth(after, side)) / 2 >= LOST:
                return after
    return None


def test_of_fifty_planted_blunders_most_are_named_and_few_others() -> None:
    chance = Random(1)
    named, others, games = 0, 0, 0
    while games < 50:
        game = rulewright.load(("connect4", "breakthrough")[games % 2])
        blunder = planted(list(on(game.start(), chance).states()), chance)
        if blunder is None:
            continue
        games += 1
        states = list(enumerate(on(blunder, chance).states()))
        judged = curve(states, 600.0, Telling(lambda _: None, lambda: False))
        at = len(blunder.decisions())
        named += any(entry.name for entry in judged if entry.node == at)
        others += sum(bool(e.name) for e in judged if e.node > EARLIEST and e.node != at)
    print(f"{named} of {games} named, {others / games:.2f} others a game")
    assert named >= 45
    assert others <= 2 * games
