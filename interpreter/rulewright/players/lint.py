"""Which factors of a personality ever matter, and which make two personalities part.

In: a personality, or two, and positions: given, or of random games.  Out: for each factor how often
the decision would have been another with the factor at 0, looked at as deep as the personality
itself looks there; the decisions of two, and the factors that alone make one decide like the other.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from random import Random

from attrs import evolve, frozen

from rulewright.errors import Fault
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.luck import random_decision
from rulewright.ground import budget
from rulewright.model.personality import Opening, Search, Setting
from rulewright.players.personality import Personality
from rulewright.search.results import counting_searches

_DEEP = 6
"""Positions that are looked at in depth for what seems to be of no use."""
_UNLINTED = ("depth", "breadth", "trim", "fade", "ends")
"""Settings that say what a search looks at; the others only say when it stops."""


@frozen
class FactorUse:
    """How often a factor changed the decision, of how many positions that were tried."""

    factor: str
    changed: int
    positions: int


@frozen
class _Case:
    """A position, a personality that decides there alike whenever it is asked, its decision."""

    state: State
    personality: Personality
    move: str


def lint(
    personality: Personality,
    positions: int = 20,
    seed: int = 0,
    states: Sequence[State] = (),
    shallow: bool = False,
) -> list[FactorUse]:
    """How often each factor (but those for searches, and those at 0) changes a decision.

    In *states*, or else in so many *positions* of random games.  A *shallow* look is one decision
    ahead: what it misses may matter further on.
    """
    if shallow:
        model = evolve(personality.model, search=Search("one_ply"))
        personality = Personality.of(model, personality.game)
    states = states or random_positions(personality.game, positions, Random(seed))
    return _uses(personality, _factors(personality), states, seed)


def _factors(personality: Personality) -> list[str]:
    """The factors that formulas look at and that are not 0."""
    pairs = personality.model.factor_values()
    return [factor.name for factor, value in pairs if value and not factor.for_search]


def _uses(
    personality: Personality, names: Collection[str], states: Sequence[State], seed: int
) -> list[FactorUse]:
    if not names:
        return []
    cases = _cases(personality, states, seed)
    return [
        FactorUse(name, sum(_differs(case, name, seed) for case in cases), len(cases))
        for name in names
    ]


def matter_deeper(
    personality: Personality, names: Collection[str], states: Sequence[State], seed: int = 0
) -> set[str]:
    """Those factors that change a decision where the personality looks as deep as it does.

    *names* are factors that change none one decision ahead; a few of the *states* are tried.
    """
    if not names or personality.model.search.kind == "one_ply":
        return set()
    uses = _uses(personality, names, states[:_DEEP], seed)
    return {use.factor for use in uses if use.changed}


def _cases(personality: Personality, states: Sequence[State], seed: int) -> list[_Case]:
    """The positions in which a decision can be made; a fault there is no factor's."""
    cases = []
    for state in states:
        try:
            steady = _steady(personality, state, seed)
            cases.append(_Case(state, steady, steady.choose(state, Random(seed))))
        except Fault:
            continue
    return cases


def _steady(personality: Personality, state: State, seed: int) -> Personality:
    """A personality as deep as this one here, which neither time nor chance can change.

    Where alpha-beta keeps any of several best decisions, it gives all of them their values.
    """
    model = evolve(personality.model, ties="first", opening=Opening())
    search = model.search
    settings = [s for s in search.settings if s.name in _UNLINTED]
    if search.kind in ("minimax", "alphabeta"):
        depth = next(s for s in settings if s.name == "depth")
        settings = [s for s in settings if s is not depth]
        settings.append(Setting("depth", _depth(personality, state, seed, depth), depth.unit))
        search = Search("minimax")
    model = evolve(model, search=evolve(search, settings=tuple(settings)))
    return Personality.of(model, personality.game)


def _depth(personality: Personality, state: State, seed: int, own: Setting) -> int:
    """How deep a search looks in a position: a limit of time or nodes may stop it."""
    search, depth = personality.model.search, int(personality.model.number("depth") or 1)
    if search.setting("time") is None and search.setting("nodes") is None:
        return depth
    bare = evolve(personality.model, opening=Opening())
    with counting_searches() as spent:
        Personality.of(bare, personality.game).choose(state, Random(seed))
    return min(depth, spent.depth or 1) if own.unit != "turns" else depth


def _differs(case: _Case, factor: str, seed: int) -> bool:
    """Whether another decision is made when *factor* is 0, be that in its range or not."""
    model = case.personality.model
    factors = tuple(0 if f.name == factor else value for f, value in model.factor_values())
    without = Personality.of(evolve(model, factors=factors), case.personality.game)
    try:
        return without.choose(case.state, Random(seed)) != case.move
    except Fault:
        return True  # the formula has no value without it


def random_positions(game: Game, number: int, random: Random) -> list[State]:
    """Positions of random games, from all parts of them, each with a decision to make."""
    return [*each_position(game, number, random)]


def each_position(game: Game, number: int, random: Random) -> Iterator[State]:
    """Yield positions of random games one after the other, each with a decision to make."""
    count = 0
    while count < number:
        state, way = game.start(), list[State]()
        while not state.over and len(way) < 200:
            way.append(state)
            state = state.play_decision(random_decision(state, random))
        choices = [start for start in way if len(start.moves) > 1] or way
        sample = random.sample(choices, min(3, number - count, len(choices)))
        count += len(sample)
        yield from sample


# --- two personalities ---


@frozen
class Difference:
    """Where two personalities part: their decisions, and the factors that alone make it so.

    A factor is named when the first personality, given only that factor of the second, decides like
    the second.
    """

    first: str
    second: str
    factors: tuple[str, ...] = ()


def difference(state: State, first: Personality, second: Personality, seed: int = 0) -> Difference:
    """Where two personalities part in *state*, and which single factors make them do so."""
    move, target = (player.choose(state, Random(seed)) for player in (first, second))
    return parting_factors(state, first, second, (move, target), seed)


def parting_factors(
    state: State, first: Personality, second: Personality, decisions: tuple[str, str], seed: int = 0
) -> Difference:
    """The single factors for which two personalities make these two decisions in *state*."""
    move, target = decisions
    if move == target or not _same_evaluator(first, second):
        return Difference(move, target)  # factors of the same name would not be the same
    mine, theirs = first.factors, second.factors
    factors = [
        name
        for name in mine
        if name in theirs
        and mine[name] != theirs[name]
        and first.with_factors(**{name: theirs[name]}).choose(state, Random(seed)) == target
    ]
    return Difference(move, target, tuple(factors))


@frozen
class Parting:
    """A position of a random game in which two personalities decide differently."""

    moves: tuple[str, ...]
    difference: Difference


def partings(
    first: Personality,
    second: Personality,
    positions: int = 20,
    seed: int = 0,
    seconds: float | None = None,
) -> tuple[list[Parting], int]:
    """Positions of random games where the two part, and how many positions were looked at.

    After *seconds*, or when a command's own time is over, no other position is begun.
    """
    limits = [s for s in (seconds, budget.seconds_left()) if s is not None]
    until = time.perf_counter() + min(limits) if limits else None
    places, count = list[Parting](), 0
    for state in random_positions(first.game, positions, Random(seed)):
        if count and until is not None and time.perf_counter() > until:
            break
        count += 1
        parts = difference(state, first, second, seed)
        if parts.first != parts.second:
            places.append(Parting(tuple(state.decisions()), parts))
    return places, count


def _same_evaluator(first: Personality, second: Personality) -> bool:
    judges = [personality.model.evaluator for personality in (first, second)]
    return None not in judges and len({judge.name for judge in judges if judge}) == 1
