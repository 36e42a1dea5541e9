"""A fault put into rules: whether a claim or a property of the file fails, else which claim would.

In: a file under trial and a change of its text.  Out: a verdict.  The cheapest comes first: claims
and small counts by the reference, then kernels that are soon there, then properties by chance.  For
a change that nothing finds, the shortest game that tells it from the original, and the claim that
would catch it.  Everything is so made that a process of its own can do it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from functools import lru_cache, partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

from attrs import define, evolve, field, frozen

from rulewright.checks import cases, claims
from rulewright.checks.catching import catching, first_failing
from rulewright.checks.claims import FailedClaim
from rulewright.checks.compare import Comparison, GameDifference
from rulewright.checks.cover_rules import other_values
from rulewright.checks.mutations import Mutation
from rulewright.checks.properties_of_rules import RulesProperties
from rulewright.checks.sampling import Workload
from rulewright.checks.subject import Subject, option_text
from rulewright.errors import Fault, OutOfBudget, RulewrightError
from rulewright.games.engine.game import Game
from rulewright.games.files.games import RULES
from rulewright.games.files.kinds import FileContext, check_file
from rulewright.ground import budget
from rulewright.ground.budget import Budget, suppress_refusals, within_seconds
from rulewright.ground.printable import amount
from rulewright.model.properties import RULES as PROPERTIES
from rulewright.search.background import in_time

REFUSED, SAME, FOUND, SURVIVED, LATE = "refused", "same", "found", "survived", "late"
SMALL = 500
"""Decisions that the reference counts for one line of perft."""
LARGE = 200_000
"""Decisions that kernels count for one line of perft."""
LONGEST = 25.0
"""Seconds of the processor for one question about one change."""
_OF_THE_PROGRAM = {"agreement", "hashes", "printed", "undo", *claims.FACTS}
"""Properties that say nothing of the rules, or that are tried before."""
BY_CHANCE = tuple(name for name in PROPERTIES if name not in _OF_THE_PROGRAM)
_OPTIONS = 0.3
"""The share of the effort that goes into each other value of an option."""
_VALUES = 2
"""Other values of an option with which games are compared."""


@frozen
class MutationSubject:
    """A file whose faults should be found: its name in messages, its place, its text."""

    name: str
    path: str
    text: str
    seed: int = 0
    effort: float = 0.2
    broken: frozenset[str] = frozenset()
    """Properties that do not hold even in the file as it is."""
    ahead: bool = True
    """Whether the reference is asked before kernels are compiled."""


@frozen
class Verdict:
    """What became of a change: `kind` is one of five words, `by` a claim, property or error."""

    kind: str
    by: str = ""


@frozen
class Survivor:
    """A change that nothing found: the claim that would, the game, how much was looked at.

    `moves` is None where no game tells it from the original.
    """

    claim: str = ""
    moves: tuple[str, ...] | None = None
    settings: str = ""
    first: str = ""
    second: str = ""
    extent: str = ""
    late: bool = False


# --- games of texts ---


def _read(
    trial: MutationSubject, reference: bool, text: str, options: Mapping[str, object]
) -> Game:
    """The game of a text in the place of the file; raises `TextError`."""
    where = FileContext(None, Path(trial.path).parent, dict(options))  # type: ignore[arg-type]
    game = check_file(RULES, trial.name, text.encode(), where).loaded()
    return evolve(game, backend="reference") if reference else game


@define(eq=False)
class Changed:
    """A text in the place of the file: the original, or one with a fault."""

    trial: MutationSubject
    text: str
    game: Game
    _subjects: dict[bool, Subject] = field(factory=dict)

    def subject(self, reference: bool) -> Subject:
        """The subject for tests, played by the reference or by kernels that compile fast."""
        if reference not in self._subjects:
            game = evolve(self.game, backend="reference") if reference else self.game
            again = partial(_read, self.trial, reference, self.text)
            self._subjects[reference] = Subject(game, Path(self.trial.path), again, quick=True)
        return self._subjects[reference]

    # --- what may find a fault, one after the other ---

    def failing(self, ahead: bool, but: frozenset[str]) -> str:
        """The line of the claim, or the property, that fails; *ahead*: by the reference first."""
        by_reference, by_kernels = partial(self.subject, True), partial(self.subject, False)
        by_first = by_reference if ahead else by_kernels
        steps: list[tuple[str, Callable[[], Iterator[FailedClaim]]]] = [
            ("start", lambda: claims.start(by_reference())),
            ("perft", lambda: claims.perft(by_reference(), SMALL)),
            ("after", lambda: claims.after(by_first())),
            ("wins", lambda: claims.failed_win_claims(by_first(), ended=True)),
            ("perft", lambda: claims.perft(by_kernels(), LARGE)),
            ("wins", lambda: claims.failed_win_claims(by_kernels())),
        ]
        for name, step in steps:
            wrong = next((w for w in step() if not w.unknown), None) if name not in but else None
            if wrong is not None:
                return self.game.rules.origins[wrong.origin].text.strip() if wrong.origin else name
        return self.by_chance(but)

    def by_chance(self, but: frozenset[str]) -> str:
        """A property that random games break, but for those in *but*; empty where none is."""
        case_file = cases.cases_path(Path(self.trial.path))
        earlier_cases = cases.read(case_file).cases if case_file.is_file() else ()
        names = tuple(name for name in BY_CHANCE if name not in but)
        work = Workload.of(self.trial.effort)
        subject = self.subject(False)
        return RulesProperties(subject, self.trial.seed, work, names, earlier_cases).broken()


# --- the original ---


def _within(seconds: float = LONGEST) -> AbstractContextManager[Budget]:
    """A limit in processor time, so that other processes on a busy machine cost nothing."""
    return within_seconds(seconds, 1.0, "", time.process_time)


@lru_cache(maxsize=2)
def original(trial: MutationSubject) -> Changed:
    """The file itself; raises `TextError` with its mistakes."""
    return Changed(trial, trial.text, _read(trial, False, trial.text, {}))


def prepared(trial: MutationSubject) -> MutationSubject:
    """The trial, with what does not hold even so, and which way of asking is the quicker one."""
    changed, broken = original(trial), set[str]()
    with _within(60 * LONGEST):
        begun = time.process_time()
        list(claims.after(changed.subject(True)))
        middle = time.process_time()
        _ = changed.subject(False).engine
        ahead = middle - begun <= time.process_time() - middle
        while name := _broken(changed, ahead, frozenset(broken)):
            broken.add(name)
    return evolve(trial, broken=frozenset(broken), ahead=ahead)


def _broken(changed: Changed, ahead: bool, but: frozenset[str]) -> str:
    """A property that does not hold, by its name."""
    for name, fact in claims.FACTS.items():
        if name not in but:
            wrong = (w for w in fact(changed.subject(False)) if not w.unknown)
            if next(wrong, None) is not None:
                return name
    return changed.by_chance(but)


# --- one change ---


def judge(trial: MutationSubject, mutation: Mutation) -> Verdict:
    """Whether anything that the file says of itself finds a change."""
    text = mutation.of(trial.text)
    try:
        game = _read(trial, False, text, {})
    except RulewrightError as error:
        return Verdict(REFUSED, str(error).splitlines()[0])
    if game.rules == original(trial).game.rules:
        return Verdict(SAME, "it means the same")
    work = partial(Changed(trial, text, game).failing, trial.ahead, trial.broken)
    try:
        with _within():
            by = in_time(work)
    except Fault as fault:
        by = f"a fault: {fault.code}"
    except OutOfBudget:
        return Verdict(LATE)
    except RulewrightError as error:
        by = str(error).splitlines()[0]
    return Verdict(FOUND, by) if by else Verdict(SURVIVED)


def tell(trial: MutationSubject, mutation: Mutation, proposed: tuple[str, ...]) -> Survivor:
    """The claim that would catch a change that survived: one of *proposed*, or one for it."""
    text = mutation.of(trial.text)
    try:
        with _within():
            return in_time(partial(_survivor, trial, text, proposed))
    except OutOfBudget:
        return Survivor(late=True)


def _survivor(trial: MutationSubject, text: str, proposed: tuple[str, ...]) -> Survivor:
    by_reference = partial(_read, trial, True)
    proposed_claim = first_failing(text, proposed, by_reference)
    if proposed_claim:
        return Survivor(proposed_claim, ())
    extents = list[str]()
    for settings, games in chain([("", _pair(trial, text, {}))], _others(trial, text)):
        effort = trial.effort * (_OPTIONS if settings else 1)
        compared = Comparison(*games, trial.seed, effort, deep=True, quick=True)
        difference = None
        with suppress(OutOfBudget), budget.share(0.7):
            difference = compared.run().difference
        if difference is not None:
            claim = catching(difference, games, settings, (trial.text, text), by_reference)
            first, second = _endings(difference)
            return Survivor(claim, difference.moves, settings, first, second)
        with_settings = f" with {settings}" if settings else ""
        extents.append(f"{amount(compared.positions, 'position')}{with_settings}")
    return Survivor(extent=", ".join(extents))


def _endings(d: GameDifference) -> Iterator[str]:
    """For each of two games what it alone has, or how it goes on or ends."""
    for ending, only in ((d.first, d.only_first), (d.second, d.only_second)):
        yield ending or (f"only here: {' '.join(only[:6])}" if only else "the game goes on")


def _pair(trial: MutationSubject, text: str, options: Mapping[str, object]) -> tuple[Game, Game]:
    if not options:
        return original(trial).game, _read(trial, False, text, {})
    first, second = (_read(trial, False, t, options) for t in (trial.text, text))
    return first, second


def _others(trial: MutationSubject, text: str) -> Iterator[tuple[str, tuple[Game, Game]]]:
    """Both games with other values of each option."""
    for option in original(trial).game.rules.options:
        pairs = partial(_with, trial, text, option.name)
        games = (pair for value in other_values(option) if (pair := pairs(value)))
        yield from islice(games, _VALUES)


def _with(
    trial: MutationSubject, text: str, name: str, value: Any
) -> tuple[str, tuple[Game, Game]] | None:
    with suppress_refusals():
        return f"{name} = {option_text(value)}", _pair(trial, text, {name: value})
    return None
