"""Games that come back to where they were: what repeated positions do is seldom met by chance.

In: a state.  Out: decisions, first one of each player and then one of each that undoes it, after
which everybody's pieces stand where they stood and the same player moves.  Work is limited by a
number of beginnings.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

from rulewright.errors import Fault
from rulewright.games.engine.game import State
from rulewright.ground import budget
from rulewright.model.board import Mask

BEGINNINGS = 60
"""Pairs of decisions that are looked at to find the first loop of a state."""
_EACH = 3
"""Answers to one decision that are tried before the next decision is."""


def loops(state: State, random: Random) -> Iterator[tuple[str, ...]]:
    """Loops of four decisions from a state on."""
    try:
        for first, second in islice(_beginnings(state, random), BEGINNINGS):
            if budget.over():
                return
            yield from _closed(state, first, second)
    except Fault:
        return  # told where the rules are tested


def _beginnings(state: State, random: Random) -> Iterator[tuple[State, State]]:
    """The states after a decision and its answer, many different decisions first."""
    for _ in range(BEGINNINGS):
        for text in _shuffled(state, random):
            first = state.play_decision(text)
            if first.mover == state.mover:
                continue  # still the same turn: it would have to be undone within it
            for answer in _shuffled(first, random)[:_EACH]:
                yield first, first.play_decision(answer)


def _shuffled(state: State, random: Random) -> list[str]:
    texts = [] if state.over else list(state.moves.texts)
    return random.sample(texts, len(texts))


def _closed(state: State, first: State, second: State) -> Iterator[tuple[str, ...]]:
    """The loops that begin with two decisions: the third undoes the first, the fourth the other."""
    if second.over or second.mover != state.mover:
        return
    home, answered = _stands(state), _apart(_stands(first), _stands(second))
    for text in second.moves.texts:
        third = second.play_decision(text)
        if third.over or third.mover != first.mover or _apart(home, _stands(third)) > answered:
            continue
        for last in third.moves.texts:
            back = third.play_decision(last)
            if back.mover == state.mover and _stands(back) == home:
                yield (first.move, second.move, text, last)
                return


def _stands(state: State) -> tuple[Mask, ...]:
    return state.situation.position.owned


def _apart(first: tuple[Mask, ...], second: tuple[Mask, ...]) -> int:
    """The number of sites that have another owner in two positions."""
    return sum((a ^ b).bit_count() for a, b in zip(first, second, strict=True))
