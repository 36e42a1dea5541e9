"""Where two personalities part, and which of their factors make it so.

In: two personalities of a game, and a position, or random games that lead to positions.  Out: their
decisions, and the factors that alone make one decide like the other.
"""

from __future__ import annotations

import time
from random import Random

from attrs import field, frozen

from rulewright.engine.game import State
from rulewright.model.personality import Number
from rulewright.players.lint import random_positions
from rulewright.players.personality import Personality


@frozen
class Difference:
    """Where two personalities part: their decisions, and the factors that alone make it so.

    A factor is named when the first personality, given only that factor of the second, decides like
    the second.
    """

    first: str
    second: str
    factors: tuple[str, ...] = field(default=())


def difference(state: State, first: Personality, second: Personality, seed: int = 0) -> Difference:
    """Where two personalities part in *state*, and which single factors make them do so."""
    one = first.choose(state, Random(seed))
    other = second.choose(state, Random(seed))
    if one == other:
        return Difference(one, other)
    if not _same_evaluator(first, second):
        return Difference(one, other)  # factors of the same name would not be the same
    mine, theirs = first.factors, second.factors
    found = [
        name
        for name in mine
        if name in theirs
        and mine[name] != theirs[name]
        and _with(first, name, theirs[name]).choose(state, Random(seed)) == other
    ]
    return Difference(one, other, tuple(found))


@frozen
class Parting:
    """A position of a random game in which two personalities decide differently."""

    moves: tuple[str, ...]
    found: Difference


def partings(
    first: Personality,
    second: Personality,
    positions: int = 20,
    seed: int = 0,
    seconds: float | None = None,
) -> tuple[list[Parting], int]:
    """Positions of random games where the two part, and how many positions were looked at.

    After *seconds* no other position is begun.
    """
    until = None if seconds is None else time.perf_counter() + seconds
    found, looked = list[Parting](), 0
    for state in random_positions(first.game, positions, Random(seed)):
        if looked and until is not None and time.perf_counter() > until:
            break
        looked += 1
        one = difference(state, first, second, seed)
        if one.first != one.second:
            found.append(Parting(tuple(state.decisions()), one))
    return found, looked


def _same_evaluator(first: Personality, second: Personality) -> bool:
    judges = [one.model.evaluator for one in (first, second)]
    return None not in judges and len({judge.name for judge in judges if judge}) == 1


def _with(personality: Personality, name: str, value: Number) -> Personality:
    return personality.with_factors(**{name: value})
