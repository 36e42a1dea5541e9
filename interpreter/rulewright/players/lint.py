"""Which factors of a personality ever matter: tried on positions of random games.

In: a personality and a number of positions.  Out: for each factor how often the decision would have
been another with the factor at 0.  Decisions are looked at one ply deep, whatever the search.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from attrs import evolve, frozen

from rulewright.errors import Fault
from rulewright.game import Game, State
from rulewright.model.personality import Search
from rulewright.players.personality import Personality


@frozen
class Use:
    """How often a factor changed the decision, of how many positions that were tried."""

    factor: str
    changed: int
    positions: int


def lint(
    personality: Personality, positions: int = 20, seed: int = 0, states: Sequence[State] = ()
) -> list[Use]:
    """How often each factor (but those for searches, and those at 0) changes a decision.

    In *states*, or else in so many *positions* of random games.
    """
    evaluator = personality.model.evaluator
    if evaluator is None:
        return []
    plain = evolve(personality.model, search=Search("one_ply"), ties="first")
    quick = Personality.of(plain, personality.game)
    looked = states or _positions(personality.game, positions, Random(seed))
    states, chosen = _decided(quick, looked, seed)
    found = []
    for factor, value in zip(evaluator.factors, personality.model.factors, strict=True):
        if not factor.for_search and value:
            pairs = zip(states, chosen, strict=True)
            changed = sum(_differs(quick, factor.name, s, move, seed) for s, move in pairs)
            found.append(Use(factor.name, changed, len(states)))
    return found


def _decided(
    quick: Personality, looked: Sequence[State], seed: int
) -> tuple[list[State], list[str]]:
    """The positions in which a decision can be made, and it; a fault there is no factor's."""
    states, chosen = [], []
    for state in looked:
        try:
            chosen.append(quick.choose(state, Random(seed)))
        except Fault:
            continue
        states.append(state)
    return states, chosen


def _differs(quick: Personality, factor: str, state: State, move: str, seed: int) -> bool:
    """Whether another decision is made when *factor* is 0, be that in its range or not."""
    assert quick.model.evaluator is not None
    names = [f.name for f in quick.model.evaluator.factors]
    factors = tuple(
        0 if name == factor else value
        for name, value in zip(names, quick.model.factors, strict=True)
    )
    without = Personality.of(evolve(quick.model, factors=factors), quick.game)
    try:
        return without.choose(state, Random(seed)) != move
    except Fault:
        return True  # the formula has no value without it


def _positions(game: Game, number: int, random: Random) -> list[State]:
    """Positions of random games, from all parts of them, each with a decision to make."""
    found: list[State] = []
    while len(found) < number:
        state, way = game.start(), list[State]()
        while not state.over and len(way) < 200:
            way.append(state)
            state = state.play_decision(random.choice(state.moves()))
        open_ones = [one for one in way if len(one.moves()) > 1] or way
        found += random.sample(open_ones, min(3, number - len(found), len(open_ones)))
    return found
