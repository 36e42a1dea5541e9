"""Positions to look at: all of the shortest games, then some of random ones.

In: a game, a price, and how many calls may be made.  Out: states, those of short games first.  The
same seed gives the same states.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from random import Random

from rulewright.checks.effort import Price, stepped
from rulewright.engine.game import Game, State
from rulewright.errors import Fault

_MOST = 400
"""Decisions of a random game that are followed on the reference."""
_PER_GAME = 4
"""Positions of each random game that are looked at, and its end."""
_BREADTH = 0.35
"""The share of the calls that goes into short games."""


def positions(game: Game, price: Price, calls: int, seed: int) -> Iterator[State]:
    """States that are worth looking at; each costs about *price* to list."""
    left = calls * _BREADTH
    for state in shortest(game):
        left -= price.listing
        yield state
        if left < 0:
            break
    yield from sampled(game, price, round(calls * (1 - _BREADTH)), seed)


def shortest(game: Game) -> Iterator[State]:
    """Every position once, those of the shortest games first (each on every way, with repeats)."""
    waiting, known = deque([game.start()]), set()
    while waiting:
        state = waiting.popleft()
        if not game.rules.looks_back:
            key = (state.situation.position, state.situation.ended, state.swapped)
            if key in known:
                continue
            known.add(key)
        yield state
        waiting.extend(_following(state))


def _following(state: State) -> Iterator[State]:
    """The states after each decision, but for those that a fault keeps from being."""
    try:
        texts = state.moves.texts
    except Fault:
        return
    for text in texts:
        try:
            yield state.play_decision(text)
        except Fault:
            continue


def sampled(game: Game, price: Price, calls: int, seed: int) -> Iterator[State]:
    """Positions of random games, and how each of these ends."""
    random, left = Random(seed), calls
    while left > 0:
        state, way, faulty = game.start(), list[State](), False
        while state.situation.ended is None and len(way) < _MOST and not faulty:
            way.append(state)
            try:
                following = stepped(state, random)
            except Fault:
                following, faulty = None, True
            left -= price.step
            if following is None:
                break
            state = following
        chosen = random.sample(range(len(way)), min(_PER_GAME, len(way))) if way else []
        left -= price.listing * (len(chosen) + 1) + price.step
        for index in sorted(chosen):
            yield way[index]
        yield state
