"""Which patterns of a file fire, by games in which proposals are played.

In: a pattern file, an effort and a seed.  Out: its coverage.  Random games seldom come to positions
that patterns are about, so most decisions of these games are proposals, drawn at random.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random

from rulewright.checks.clauses import Clause
from rulewright.checks.coverage import Coverage, Use
from rulewright.checks.effort import CALLS, counted, stepped
from rulewright.engine.game import Game, State
from rulewright.errors import Fault
from rulewright.language.diagnostics import Collector
from rulewright.language.parse_patterns import parse_patterns
from rulewright.language.source import Source
from rulewright.language.syntax import patterns as syntax
from rulewright.model.patterns import Patterns
from rulewright.players.patterns import Count, Workbench, cover

_PROPOSED = 0.8
"""The share of decisions that are proposals, where there are any."""
_LONGEST = 60
"""Decisions of a game that are looked at."""
_LEAST = 2


def cover_patterns(
    game: Game, file: Patterns, source: Source, effort: float, seed: int
) -> Coverage:
    """Count what fires in games in which proposals are played."""
    bench = Workbench(game, file)
    played = list(_games(bench, round(CALLS * effort), seed))
    found = cover(bench, played)
    tree = parse_patterns(source, Collector())
    own = sum(isinstance(item, syntax.Begin) for item in tree.items)
    uses = (_use(source, count, found.positions) for count in found.counts[-own:])
    return Coverage(game.name, dict(game.options), tuple(uses), found.positions, found.games)


def _use(source: Source, count: Count, positions: int) -> Use:
    """What became of a pattern."""
    line = count.pattern.line
    about = Clause(f"{source.name}:{line}", source.line(line).partition("#")[0].strip())
    return Use("pattern", line, about, positions, count.fired, "" if count.fired else "never fires")


def _games(bench: Workbench, calls: int, seed: int) -> Iterator[State]:
    """The last states of games, as many as calls allow; each position is looked at twice."""
    number = 0
    while calls > 0 or number < _LEAST:
        random, state = Random(f"{seed} {number}"), bench.game.start()
        for _ in range(_LONGEST):
            spent, following = counted(partial(_next, bench, state, random))
            calls -= 2 * spent
            if following is None:
                break
            state = following
        number += 1
        yield state


def _next(bench: Workbench, state: State, random: Random) -> State | None:
    """The state after a proposal, or after any decision."""
    try:
        if random.random() < _PROPOSED and state.situation.ended is None:
            proposals = sorted(bench.proposals(state.situation.position))
            if proposals:
                return state.play_decision(random.choice(proposals))
        return stepped(state, random)
    except Fault:
        return None
