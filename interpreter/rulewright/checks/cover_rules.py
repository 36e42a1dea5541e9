"""Which clauses of a rules file are used, by the positions of random games; what its options do.

In: a game, an effort and a seed.  Out: for each clause how often it was reached and how it came
out; for each option whether another value changes the game, and what only such a value brings to
life.  Options are changed one at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from random import Random

from attrs import define, evolve

from rulewright.checks import sampling
from rulewright.checks.coverage import ClauseUsage, Counter, Coverage, proofs
from rulewright.checks.findings import clause
from rulewright.checks.instrument import Tracer, instrumented_rules
from rulewright.checks.playouts import is_fault, replayed_state, tally
from rulewright.checks.subject import Subject, option_text
from rulewright.errors import Fault, OutOfBudget, RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.ground import budget
from rulewright.model.rules import OptionValue

_WHOLE = 0.5
"""The share of the steps that goes into looking at the whole game, where it is small enough."""
_RARE = 0.5
"""The share of the steps beyond that for playing rare games again."""


def cover_rules(game: Game, effort: float = 1.0, seed: int = 0) -> Coverage:
    """Play random games on rules with tracepoints, and count what these tell.

    Raises `OutOfBudget` when the time is over before the first position was looked at.
    """
    rules, tracer = instrumented_rules(game.rules)
    run = _Run(game, Game(rules, backend="reference"), effort, seed)
    counter = tracer.listener = Counter()
    with suppress(OutOfBudget), budget.share(1):  # what was looked at by then counts
        run.look()
    tracer.listener = None
    if not run.states:
        raise OutOfBudget(budget.why())
    uses = tuple(_uses(game, tracer, counter, run.whole))
    return Coverage(game.name, dict(game.options), uses, run.states, run.games, run.whole)


@define
class _Run:
    """Looks at positions of a game with tracepoints in its rules, and counts them."""

    game: Game
    noted: Game
    effort: float
    seed: int
    states: int = 0
    games: int = 0
    whole: bool = False
    """Whether these were all positions."""

    def look(self) -> None:
        """Look at short games, random ones and rare ones, as far as the effort goes."""
        cost, steps = sampling.cost_of(self.game, self.seed), round(sampling.STEPS * self.effort)
        self._short(round(steps * _WHOLE), cost.listing)
        if self.whole:
            return
        for state in sampling.sampled_positions(
            self.noted, cost, round(steps * (1 - _WHOLE)), self.seed
        ):
            self._look(state)
            self.games += state.position.ended is not None
        for moves in _rare(self.game, cost, round(steps * _RARE), self.seed):
            _list_decisions(Subject(self.noted).played(moves))
            self.games += 1

    def _short(self, steps: int, listing: int) -> None:
        for state in sampling.short_games(self.noted):
            self._look(state)
            steps -= listing
            if steps < 0:
                return
        self.whole = not self.game.rules.looks_back

    def _look(self, state: State) -> None:
        _list_decisions(state)
        self.states += 1


def _rare(game: Game, cost: sampling.Cost, steps: int, seed: int) -> Iterator[list[str]]:
    """Games that end in rare ways, found among many that kernels play, as far as steps allow."""
    subject = Subject(game)
    if subject.engine is None:
        return
    games = tally(subject, cost, 0, sampling.GAMES, seed)
    for kind, played in sorted(games.first.items(), key=lambda item: games.ends[item[0]]):
        steps -= played.plies * cost.listing
        if steps < 0 or budget.over():
            return
        state = None if is_fault(kind) else replayed_state(subject, played, played.plies)
        if state is not None:
            yield state.decisions()


def _list_decisions(state: State) -> None:
    try:
        _ = state.moves.texts
        _ = state.result
    except Fault:
        return


def _uses(game: Game, tracer: Tracer, counter: Counter, whole: bool) -> Iterator[ClauseUsage]:
    """The usage of each clause, with a proof where one can never matter."""
    proof_of = proofs(game.rules)
    proof = "every position of the game was looked at" if whole else ""
    for use in counter.uses(tracer, game.rules):
        origin = use.point.origin if use.point else 0
        yield evolve(use, proof=(proof_of.get(origin) or proof) if use.why else "")


_COMPARED = 0.5
"""The share of the effort that goes into finding out whether an option changes anything."""
_VALUES = 4
"""Other values of an option that are tried."""
_AGAIN = 0.5
"""The share for each option that may bring lines to life."""
Reload = Callable[[dict[str, object]], Game]


def with_options(
    coverage: Coverage, game: Game, reload: Reload, effort: float = 1.0, seed: int = 0
) -> Coverage:
    """The coverage of a game, and what its options do."""
    for option in game.rules.options:
        if budget.over():
            break
        tried, changes = list[str](), False
        others = list(islice(otherwise(game, option, reload), _VALUES))
        for other in others:
            tried.append(option_text(other.options[option.name]))
            steps = round(sampling.STEPS * effort * _COMPARED / len(others))
            if not changes or coverage.dead:
                differs = _differ(game, other, steps, seed)
                changes = changes or differs
                if differs and coverage.dead:
                    again = cover_rules(other, effort * _AGAIN / len(others), seed)
                    coverage = _revived(coverage, again, f"{option.name} = {tried[-1]}")
        if tried:
            coverage = evolve(coverage, uses=(*coverage.uses, _use(game, option, tried, changes)))
    return coverage


def _use(game: Game, option: OptionValue, tried: list[str], changes: bool) -> ClauseUsage:
    line = game.rules.origins[option.origin].line
    about = clause(game.rules, option.origin)
    why = "" if changes else f"changed nothing in random games with {' or '.join(tried)}"
    return ClauseUsage("option", line, about, len(tried), int(changes), why)


def otherwise(game: Game, option: OptionValue, reload: Reload) -> Iterator[Game]:
    """The game with other values of one option, as far as the others allow them."""
    settings = {o.name: o.value for o in game.rules.options if o.value != o.default}
    for value in other_values(option):
        try:
            other = reload({**settings, option.name: value})
        except OutOfBudget:
            raise
        except RulewrightError:
            continue
        yield other


def other_values(option: OptionValue) -> Iterator[object]:
    """Other values: for numbers what is near and small first, since big boards take long."""
    if option.low is None or option.high is None:
        yield not option.value
        return
    value = option.value
    assert isinstance(value, int)
    low, high = int(option.low), int(option.high)
    near = (low, value - 1, value + 1, value - 2, value + 2, high)
    for other in range(low, high + 1) if high - low < _VALUES + 1 else near:
        if low <= other <= high and other != value:
            yield other


def _differ(first: Game, other: Game, steps: int, seed: int) -> bool:
    """Whether any decision of random games is not the same in both, or leads to something else."""
    random, subject, cost = Random(seed), Subject(other), sampling.cost_of(first, seed)
    while steps > 0:
        state, other_state = first.start(), other.start()
        for ply in range(sampling.LONGEST):
            if not ply & (ply - 1):  # all decisions here, ever more rarely: lists are dear
                steps -= 2 * cost.listing
                if state.moves.texts != other_state.moves.texts:
                    return True
            steps -= 2 * cost.playing
            try:
                following = sampling.random_step(state, random)
                after = following and subject.after(other_state, following.move)
            except Fault:
                break
            if following is None or steps < 0:
                break
            if after is None or not _same(following, after):
                return True
            state, other_state = following, after
    return False


def _same(first: State, second: State) -> bool:
    """Whether two states show the same, and have ended alike."""
    ends = [s.position.ended for s in (first, second)]
    winners = [end.winner if end else None for end in ends]
    alike = (ends[0] is None) == (ends[1] is None) and winners[0] == winners[1]
    return alike and first.situation.position == second.situation.position


def _revived(coverage: Coverage, again: Coverage, setting: str) -> Coverage:
    """The coverage in which clauses that *again* uses are no longer unused, but `only` so."""
    alive = {_key(use) for use in again.uses} - {_key(use) for use in again.uses if use.why}
    uses = (
        evolve(use, only=setting) if use.why and not use.only and _key(use) in alive else use
        for use in coverage.uses
    )
    return evolve(coverage, uses=tuple(uses))


def _key(use: ClauseUsage) -> tuple[int, str]:
    return use.line, use.kind
