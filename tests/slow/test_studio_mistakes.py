"""Mistakes that were planted in good games are named, and few good decisions are.

A run of a sample plants them in one kind of game, the next one on the day after.
"""

from __future__ import annotations

import math
from functools import cache
from random import Random

import pytest
from attrs import evolve, frozen

import rulewright
from rulewright.app.studio.judging import PositionJudge, curve
from rulewright.app.studio.thinking import Telling
from rulewright.games.engine.game import State
from rulewright.matches.protocols.contestant import Contestant
from rulewright.players.builtin import PersonalityPlayer
from rulewright.players.player import GameLimits
from rulewright.search.best import best
from rulewright.search.results import MEBIBYTE, Limits
from tests.shared.sample import of_the_day

EARLIEST = 4
"""Decisions by chance at the beginning, so that games differ."""
LOST = 0.3
"""The share of a point that a planted decision costs, by a deep search."""


@frozen
class Trial:
    """Games of so many decisions at most, played by `good` nodes, looked into by `deep` ones.

    At least `named` of so many `blunders` must be named.
    """

    games: tuple[str, ...]
    longest: int
    good: int
    deep: int
    blunders: int
    named: int
    player: str = ""


RULES_ALONE = Trial(("connect4", "breakthrough"), 60, 200_000, 1_200_000, 12, 9)
PLAYER = Trial(("chess",), 40, 3_000, 60_000, 5, 5, "club")
"""Few blunders, as each takes seconds; docs/studio.md has the figures of fifty."""
DISCS = Trial(("othello",), 60, 3_000, 60_000, 6, 6, "gardener")


@cache
def strong(game: str, player: str, nodes: int) -> PositionJudge:
    """A judge of another size than the page's, on the same scale."""
    loaded, limits = rulewright.load(game), GameLimits(nodes=nodes, memory=16)
    who = PersonalityPlayer(player, Contestant.parse(player).personality(loaded, limits))
    who.start(loaded, limits, 0)
    return evolve(PositionJudge.of(loaded, math.inf), player=who)


def searched(state: State, nodes: int, player: str, seed: int = 0) -> tuple[str, float, str]:
    """What a search plays, and its value for the side that moves."""
    if player:
        judgement = strong(state.game.name, player, nodes).judge(state)
        assert judgement is not None
        return judgement.move, judgement.value, judgement.side
    result = best(state, Limits(None, nodes, memory=16 * MEBIBYTE), seed)
    sure = {"win": 1.0, "loss": -1.0, "draw": 0.0}.get(str(result.proven), result.value)
    return result.move, max(-1.0, min(1.0, sure)), result.side


def worth(state: State, side: str, trial: Trial) -> float:
    if state.result is not None:
        return {None: 0.0, side: 1.0}.get(state.result.winner, -1.0)
    _, value, mover = searched(state, trial.deep, trial.player)
    return value if mover == side else -value


def on(state: State, chance: Random, trial: Trial) -> State:
    """A good game from here on."""
    while not state.over and len(state.decisions()) < trial.longest:
        early = len(state.decisions()) < EARLIEST
        text = (
            chance.choice(state.moves.texts)
            if early
            else searched(state, trial.good, trial.player, chance.randrange(9999))[0]
        )
        state = state.play_decision(text)
    return state


def planted(states: list[State], chance: Random, trial: Trial) -> State | None:
    """A position of the game with a blunder after it."""
    places = [state for state in states[EARLIEST:-2] if not state.over]
    for state in chance.sample(places, len(places)):
        _, value, side = searched(state, trial.deep, trial.player)
        for text in chance.sample(list(state.moves.texts), min(6, len(state.moves.texts))):
            after = state.play_decision(text)
            if (value - worth(after, side, trial)) / 2 >= LOST:
                return after
    return None


TRIALS = {"rules": RULES_ALONE, "player": PLAYER, "discs": DISCS}


@pytest.mark.parametrize("name", of_the_day(*TRIALS))
def test_most_planted_blunders_are_named_and_few_others(name: str) -> None:
    trial = TRIALS[name]
    chance = Random(1)
    named, others, games = 0, 0, 0
    while games < trial.blunders:
        game = rulewright.load(trial.games[games % len(trial.games)])
        blunder = planted(list(on(game.start(), chance, trial).states()), chance, trial)
        if blunder is None:
            continue
        games += 1
        states = list(enumerate(on(blunder, chance, trial).states()))
        judged = curve(states, 600.0, Telling(lambda _: None, lambda: False))
        at = len(blunder.decisions())
        named += any(entry.name for entry in judged if entry.node == at)
        others += sum(bool(e.name) for e in judged if e.node > EARLIEST and e.node != at)
        print(f"{named} of {games} named, {others / games:.2f} others a game", flush=True)
    assert named >= trial.named
    assert others <= 2 * games
