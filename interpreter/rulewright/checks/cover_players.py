"""Coverage of evaluators, personalities and pattern files by the positions of games.

In: a file that is in order, an effort and a seed.  Out: its coverage by positions of random games.
Patterns seldom fire in random games, so these are covered by games that play proposals.  A factor
counts as used when another value of it changes some value (after three changes it is not tried
again); a factor that a personality sets, when 0 would change the decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from attrs import define, evolve, field

from rulewright.checks.coverage import ClauseUsage, Counter, Coverage, use_of_line
from rulewright.checks.findings import clause
from rulewright.checks.instrument import Tracer, instrumented_evaluator
from rulewright.checks.properties_of_evaluators import MOVES
from rulewright.checks.properties_of_players import quickly
from rulewright.checks.sampling import (
    STEPS,
    endings,
    games_of,
    openings,
    random_step,
    states,
    steps_of,
)
from rulewright.errors import Fault
from rulewright.games.engine.game import Game, State
from rulewright.ground.budget import suppress_refusals
from rulewright.ground.printable import amount
from rulewright.language import syntax
from rulewright.language.diagnostics import Collector
from rulewright.language.languages import parse_evaluator, parse_personality
from rulewright.language.parse_patterns import parse_patterns
from rulewright.language.source import Source
from rulewright.language.syntax.patterns import Begin
from rulewright.model.evaluation import Evaluator, Factor
from rulewright.model.patterns import Patterns
from rulewright.model.personality import Personality as Model
from rulewright.model.personality import Pick
from rulewright.players.choose import choose
from rulewright.players.lint import lint, matter_deeper
from rulewright.players.pattern_use import Workbench, cover
from rulewright.players.personality import Personality
from rulewright.reference.evaluation import MoveChoice, StaticEvaluator

_MOST = 300
"""Positions at the most."""
_LEAST, _DECIDED = 4, 24
"""Positions at the least: for values, and for decisions, which kernels find."""
_DECISIONS = 3_000
"""Decisions of a personality at effort 1."""
_GAMES, _PLIES = 4, 2
"""The beginnings that a personality decides in, beside positions from all parts of games."""
JUDGES_NOTHING = ("mcts", "random")
"""Searches that ask no evaluator."""
_SHOWN = 3
"""Positions that are enough to show that a factor changes values."""
Tree = syntax.Evaluator | syntax.Personality


@define(eq=False)
class _Lines:
    """The lines of a file as clauses."""

    source: Source
    tree: Tree

    def use(self, node: syntax.Node, kind: str, counts: tuple[int, int], why: str) -> ClauseUsage:
        """The usage of the line of *node*; see `use_of_line`."""
        return use_of_line(self.source, self.source.line_of(node.span.start), kind, counts, why)

    def of(self, *kinds: type[syntax.Node]) -> Iterator[Any]:
        """The statements of certain kinds."""
        return (item for item in self.tree.items if isinstance(item, kinds))


# --- evaluators ---


def cover_evaluator(
    game: Game, evaluator: Evaluator, source: Source, effort: float, seed: int
) -> Coverage:
    """Value positions of random games, and the decisions there."""
    noted, tracer = instrumented_evaluator(evaluator, source.name)
    run = _Valued(game, evaluator, noted, tracer, seed)
    number = run.affordable(round(STEPS * effort))
    sample = [*states(game, number, seed), *endings(game, _GAMES, seed)]
    for state in sample:
        run.look(state)
    lines = _Lines(source, parse_evaluator(source, Collector()))
    faults = (_fault(evaluator, origin, messages) for origin, messages in run.faults.items())
    uses = [*run.counter.uses(tracer, evaluator), *faults]
    places = {factor.name: n for n, factor in enumerate(evaluator.factors)}
    for node in lines.of(syntax.Factor):
        index = places[node.name.text]
        if not evaluator.factors[index].for_search:
            counts = run.tried[index], run.changed[index]
            uses.append(lines.use(node, "factor", counts, "changes no value"))
    return Coverage(game.name, dict(game.options), tuple(uses), len(sample), games_of(sample))


def _fault(evaluator: Evaluator, origin: int, messages: list[str]) -> ClauseUsage:
    """The usage of a line whose value was a fault."""
    line, about = evaluator.origins[origin].line, clause(evaluator, origin)
    why = f"{messages[0]}, in {amount(len(messages), 'value')}"
    return ClauseUsage("fault", line, about, len(messages), 0, why)


@define(eq=False)
class _Valued:
    """An evaluator with tracepoints, and how often another value of a factor changed a value."""

    game: Game
    evaluator: Evaluator
    noted: Evaluator
    tracer: Tracer
    seed: int
    counter: Counter = field(factory=Counter)
    faults: dict[int, list[str]] = field(factory=dict)
    """Messages of faults with the factors' own values, by the origin of their line."""
    changed: list[int] = field(init=False)
    tried: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.changed = [0] * len(self.evaluator.factors)
        self.tried = list(self.changed)

    def affordable(self, steps: int) -> int:
        """The number of positions that *steps* allow, if factors soon change a value."""
        start = self.game.start()
        each = steps_of(
            lambda: self._values(StaticEvaluator(self.game.play, self.evaluator), start)
        )[0]
        steps -= each * _SHOWN * 2 * len(self.evaluator.factors)
        return max(_LEAST, min(_MOST, steps // (3 * each)))

    def look(self, state: State) -> None:
        """Count what the values of a position use."""
        judge = StaticEvaluator(self.game.play, self.evaluator)
        self.tracer.listener = self.counter
        self._values(StaticEvaluator(self.game.play, self.noted), state)
        self.tracer.listener = None
        before = self._values(judge, state)
        for index, factor in enumerate(self.evaluator.factors):
            if not factor.for_search and self.changed[index] < _SHOWN:
                self.tried[index] += 1
                self.changed[index] += any(
                    _differ(self._values(judge, state, self._with(index, value)), before)
                    for value in _extremes(factor)
                )

    def _with(self, index: int, value: float) -> tuple[float, ...]:
        values = self.evaluator.defaults
        return (*values[:index], value, *values[index + 1 :])

    def _values(
        self, judge: StaticEvaluator, state: State, factors: tuple[float, ...] | None = None
    ) -> list[object]:
        """All values of a position, and of the first decisions there; None for a fault."""
        here, values = state.situation.position, list[object]()
        for value in judge.evaluator.values:
            choices: list[MoveChoice | None] = [None]
            if value.of_move:
                options = state.situation.options[:MOVES]
                judged = (judge.choices(here, option) for option in options)
                choices = [c for c in judged if c is not None and c.move in value.moves]
            for choice in choices:
                try:
                    chance = Random(self.seed)
                    values.append(judge.of_move(value, here, choice, factors, chance))
                except Fault as fault:
                    values.append(None)  # no value is no other value
                    if factors is None and judge.evaluator is self.evaluator:
                        self.faults.setdefault(fault.origin, []).append(fault.message)
        return values


def _differ(first: Sequence[object], second: Sequence[object]) -> bool:
    """Whether a value that could be worked out both times is not the same."""
    pairs = zip(first, second, strict=True)
    return any(a != b and None not in (a, b) for a, b in pairs)


def _extremes(factor: Factor) -> Iterator[float]:
    """The ends of its range, the one that is further from the default first."""
    ends = sorted((factor.low, factor.high), key=lambda n: -abs(n - factor.default))
    return (n for n in ends if n != factor.default)


# --- personalities ---


def cover_personality(
    game: Game, model: Model, source: Source, effort: float, seed: int
) -> Coverage:
    """Decide in positions of random games, looking one decision ahead."""
    player = Personality.of(quickly(model), game)
    number = _affordable(player, effort)
    lines = _Lines(source, parse_personality(source, Collector()))
    sample = [*openings(game, _GAMES, _PLIES, seed), *states(game, number, seed)]
    uses = [
        *_settings(lines, Personality.of(model, game), sample, seed),
        *_picks(lines, player, sample, seed),
        *_narrowed(lines, player, sample),
    ]
    return Coverage(game.name, dict(game.options), tuple(uses), len(sample), games_of(sample))


def _affordable(player: Personality, effort: float) -> int:
    """The number of positions that the effort allows."""
    evaluator = player.model.evaluator
    rounds = 2 + (len(evaluator.factors) if evaluator else 0)
    return max(_DECIDED, min(_MOST, round(_DECISIONS * effort) // rounds))


def _settings(
    lines: _Lines, player: Personality, sample: Sequence[State], seed: int
) -> Iterator[ClauseUsage]:
    """Factors that the file sets."""
    judges = player.model.search.kind not in JUDGES_NOTHING
    uses = lint(player, seed=seed, states=sample, shallow=True) if judges else ()
    idle = [use.factor for use in uses if not use.changed]
    deeper = matter_deeper(player, idle, sample, seed) if idle else set()
    changed_uses = {u.factor: evolve(u, changed=1) if u.factor in deeper else u for u in uses}
    evaluator = player.model.evaluator
    searching = {f.name for f in evaluator.factors if f.for_search} if evaluator else set()
    for node in lines.of(syntax.Setting):
        use = changed_uses.get(node.name.text)
        if use is not None or (not judges and node.name.text not in searching):
            counts = (use.positions, use.changed) if use else (len(sample), 0)
            yield lines.use(node, "factor", counts, "changes no decision")


def _picks(
    lines: _Lines, player: Personality, sample: list[State], seed: int
) -> Iterator[ClauseUsage]:
    """For each `pick` how often it was reached, and how often it decided."""
    nodes = list(lines.of(syntax.PickBest, syntax.PickAny))
    tried, decided = [0] * len(nodes), [0] * len(nodes)
    for state in sample:
        last = _deciding(player, state, seed)
        for index in range(len(nodes)):
            tried[index] += index <= last
            decided[index] += index == last
    for index, node in enumerate(nodes):
        why = "never decides" if tried[index] else "never reached"
        yield lines.use(node, "pick", (tried[index], decided[index]), why)


def _deciding(player: Personality, state: State, seed: int) -> int:
    """Which pick decides; as many as there are where none does."""
    picks, chance = player.model.picks, Random(seed)

    def holds(number: int, pick: Pick) -> bool:
        only = evolve(player.model, picks=(pick,))
        decision = choose(only, state, lambda name: player.root(state, name, chance), chance)
        return pick.how != "best" or pick.condition is None or bool(decision.value)

    with suppress_refusals():
        return next((n for n, pick in enumerate(picks) if holds(n, pick)), len(picks))
    return len(picks)


def _narrowed(lines: _Lines, player: Personality, sample: list[State]) -> Iterator[ClauseUsage]:
    """For `consider` how often patterns leave fewer decisions than there are."""
    considered = player.considered
    if considered is None:
        return
    for node in lines.of(syntax.Consider):
        fewer = sum(len(considered.options(s.situation)) < len(s.situation.options) for s in sample)
        yield lines.use(node, "consider", (len(sample), fewer), "never leaves anything out")


_PROPOSED = 0.8
"""The share of decisions that are proposals, where there are any."""
_LONGEST = 60
"""Decisions of a game that are looked at."""
_LEAST_GAMES = 2
_POSITIONS = 600
"""Positions of games with proposals that are looked at, at effort 1."""


def cover_patterns(
    game: Game, file: Patterns, source: Source, effort: float, seed: int
) -> Coverage:
    """Count what fires in games in which proposals are played."""
    bench = Workbench(game, file)
    played = list(_proposed_games(bench, round(_POSITIONS * effort), seed))
    usage = cover(bench, played)
    tree = parse_patterns(source, Collector())
    own = sum(isinstance(item, Begin) for item in tree.items)
    uses = (
        use_of_line(source, n.pattern.line, "pattern", (usage.positions, n.fired), "never fires")
        for n in usage.counts[-own:]
    )
    return Coverage(game.name, dict(game.options), tuple(uses), usage.positions, usage.games)


def _proposed_games(bench: Workbench, positions: int, seed: int) -> Iterator[State]:
    """The last states of games with so many positions, and of some games at the least."""
    number = 0
    while positions > 0 or number < _LEAST_GAMES:
        random, state = Random(f"{seed} {number}"), bench.game.start()
        for _ in range(_LONGEST):
            positions -= 1
            following = _next(bench, state, random)
            if following is None:
                break
            state = following
        number += 1
        yield state


def _next(bench: Workbench, state: State, random: Random) -> State | None:
    """The state after a proposal, or after any decision."""
    try:
        if random.random() < _PROPOSED and state.position.ended is None:
            proposals = sorted(bench.proposals(state.situation.position))
            if proposals:
                return state.play_decision(random.choice(proposals))
        return random_step(state, random)
    except Fault:
        return None
