"""A proof played through by the reference: who can force a result does so against every answer.

In: a solver that has found a value.  Out: how many positions were gone through.  For each person
whose result is claimed there is one decision in every position of theirs, which the kernels choose,
and all decisions of the other person are tried; the reference lists what may be played, plays it,
and says how the games end.  So no hash, table, cut-off or kernel has to be believed.

Refuses, as `Unproven`, a value that does not hold; as `Uncheckable`, decisions that lead round in a
circle, which ends no game, and games whose rules look back, where a position is not known by
itself.  Where words of a text were believed, it names the one that is wrong: from where the proof
fails it goes down to a position of which a word says what a search that believes nothing refutes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from random import Random
from typing import TypeAlias, TypeVar

from attrs import define, field

from rulewright.errors import OutOfBudget, RulewrightError
from rulewright.games.engine.memory import packed_words
from rulewright.games.engine.position_words import Words
from rulewright.model.personality import Belief, Number
from rulewright.reference.decisions import LegalDecision
from rulewright.reference.evaluation import StaticEvaluator, side
from rulewright.reference.play import Situation
from rulewright.reference.position import Position
from rulewright.search.connections import ConnectionSearch, number_of
from rulewright.search.driver import DEEPEST, UNLIMITED
from rulewright.search.results import person_at, result_of
from rulewright.search.solve import Solver
from rulewright.search.thread_arrays import ThreadArrays

T = TypeVar("T")
Chooser: TypeAlias = Callable[[Position, tuple[LegalDecision, ...], int], int | None]
"""Gives the number of a decision by which who is at move has at least a result (1 a win, 0 a draw),
None where it knows none."""


_Way: TypeAlias = tuple[str, ...]
"""The decisions from the root to a position."""
_TRUE_NODES = 3_000_000
"""Nodes for the true result of one position, where it is asked which word is wrong."""

_LATE = "the time was over before the proof was checked"

_MOST_BELOW = 1_000
"""Positions that are asked for the word that is wrong, where no search leads to one."""


_DEPTHS: tuple[int, ...] = (*range(1, 16), *range(16, 64, 4), *range(64, DEEPEST, 16), DEEPEST)
"""How far decisions are searched, further and further.

Where games can go on for ever, looking through a bad decision to the end would take as long.
"""


class Unproven(RulewrightError):
    """A claimed value does not hold."""


class Uncheckable(Unproven):
    """A claimed value may hold, and nothing here can check it."""


@define
class _Failed(Exception):
    """A proof fails behind a position: these are the last two on the way, the later one first."""

    message: str
    last: tuple[tuple[Situation, _Way], ...]


@define
class Believed:
    """The words of a text that a proof rests on, as the reference reads them."""

    words: Sequence[Belief]
    judge: StaticEvaluator
    factors: tuple[Number, ...]

    def signed_value(self, name: str, position: Position) -> Number:
        """Return the value of a position, bigger for who is at move."""
        value = self.judge.evaluator.value(name)
        assert value is not None
        score = self.judge.of_position(value, position, self.factors, Random(0))[0]
        return score if side(value, position) == position.mover else -score

    def required_decisions(self, name: str, here: Situation) -> list[int]:
        """Return the numbers of the decisions that `must` allows; none where it allows all."""
        value, position = self.judge.evaluator.value(name), here.position
        assert value is not None
        rows = list[int]()
        for number, option in enumerate(here.options):
            if option.move in value.moves:
                choice = self.judge.choices(position, option)
                score = self.judge.of_move(value, position, choice, self.factors, Random(0))[0]
                score = score if side(value, position) == position.mover else -score
                rows += [number] if score > 0 else []
        return rows

    def refuted(self, word: Belief, here: Situation, results: Sequence[int]) -> str:
        """Return what a word claims if all decisions refute it, else an empty text."""
        true = max(results)
        if word.word == "must":
            required = self.required_decisions(word.value, here)
            if not required or max(results[number] for number in required) == true:
                return ""
            texts = ", ".join(here.options[number].text for number in required[:8])
            return f"leaves only {texts}"
        score = self.signed_value(word.value, here.position)
        if word.word == "drawn":
            return "calls a draw" if score != 0 and true != 0 else ""
        if word.word == "decided":
            wrong = score != 0 and true != (1 if score > 0 else -1)
            return f"calls a {'win' if score > 0 else 'loss'}" * wrong
        wrong = (score > 0 and true > 0) or (score < 0 and true < 0)
        return f"says that {'it' if score > 0 else 'the other'} cannot win" * wrong


def check(
    solver: Solver,
    over: Callable[[], bool] = lambda: False,
    believed: Believed | None = None,
) -> int:
    """Play through the proof of what a solver has found; *over* is asked whether to give up.

    *believed* are the words that led it: one that is wrong is named where the proof fails.
    """
    try:
        return _check(solver, over)
    except _Failed as failed:
        blame = _Blame(solver, believed, over).blame(failed) if believed else ""
        raise Unproven(f"{failed.message}{blame}") from None


def _check(solver: Solver, over: Callable[[], bool]) -> int:
    if solver.least != solver.most:
        raise Unproven("nothing is proven that could be checked")
    if solver.engine.play.rules.looks_back:
        raise Uncheckable(
            "the rules look at earlier positions, so a position has no value of its own"
        )
    me, value = solver.root.person, solver.least
    choose = (
        _by_connections(solver.race, over) if solver.race else _by_value(solver.choosing(), over)
    )
    count = 0
    for person, least in ((me, value), (1 - me, -value)):
        if least > -1:
            walk = _Walk(choose, person, least, over)
            walk.through(solver.root.state.situation)
            if walk.has_circle():
                raise Uncheckable("the decisions lead round in a circle, which ends no game")
            count += len(walk.followers)
    return count


@define
class _Walk:
    """Checks a claim that one person forces at least a result (1 a win, 0 a draw), game by game."""

    choose: Chooser
    person: int
    least: int
    over: Callable[[], bool]
    followers: dict[Position, list[Position]] = field(factory=dict)
    """The positions that were gone through, and those that follow each."""

    def through(self, first: Situation) -> None:
        """Play every answer of the opponent to the chosen decisions; raise where one fails."""
        todo: list[tuple[Situation, Situation, _Way]] = [(first, first, ())]
        while todo:
            here, before, way = todo.pop()
            position = here.position
            outcome = here.outcome
            if outcome is not None:
                if result_of(outcome, position, self.person) < self.least:
                    message = "a game that follows does not end as was claimed"
                    raise _Failed(message, ((before, way[:-1]),))
                continue
            if position in self.followers:
                continue
            if self.over():
                raise OutOfBudget(_LATE)
            options = here.options
            if person_at(position) == self.person:
                number = self.choose(position, options, self.least)
                if number is None:
                    message = "no decision keeps what was claimed"
                    raise _Failed(message, ((here, way), (before, way[:-1])))
                options = (options[number],)
            below = [(here.after(option), here, (*way, option.text)) for option in options]
            self.followers[position] = [after.position for after, _, _ in below]
            todo += below

    def has_circle(self) -> bool:
        """Whether the decisions can lead back to a position."""
        leading = Counter(after for afters in self.followers.values() for after in afters)
        free = [position for position in self.followers if not leading[position]]
        for position in free:  # which grows
            for after in self.followers[position]:
                leading[after] -= 1
                if not leading[after] and after in self.followers:
                    free.append(after)
        return len(free) < len(self.followers)


@define
class _Blame:
    """Looks for the word that is wrong, below a position where a proof fails."""

    solver: Solver
    believed: Believed
    over: Callable[[], bool]
    plain: ThreadArrays = field(init=False)
    led: ThreadArrays = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.plain, self.led = (
            self.solver.arrays_without_symmetry(led=False),
            self.solver.arrays_without_symmetry(led=True),
        )

    def blame(self, failed: _Failed) -> str:
        """Say which word is wrong and where, or which were believed.

        The table takes images for one position, of which a word may say different things.
        """
        for here, way in failed.last:
            descent = self._descent(here)
            if descent is not None:
                word, statement, then, true = descent
                where = self._after((*way, *then))
                return f": {_named(word)} is wrong {where}: it {statement}, and {_true(true)}"
        first, way = failed.last[0]
        for then, here in self._below(first):
            for image in self._images(here):
                refuted = self._refuted(image)
                if refuted is not None:
                    word, statement, true = refuted
                    where = f"{self._after((*way, *then))}, turned as below"
                    fault = f"{_named(word)} is wrong {where}: it {statement}, and {_true(true)}"
                    return f": {fault}\n{self._board(image)}"
        return f": {' or '.join(map(_named, self.believed.words))} led it and is wrong somewhere"

    def _descent(self, here: Situation) -> tuple[Belief, str, _Way, int] | None:
        """Find a wrong word at or below a position: word, claim, the way there, and the truth."""
        way: _Way = ()
        while True:
            refuted = self._refuted(here)
            if refuted is not None:
                word, statement, result = refuted
                return word, statement, way, result
            true_results, led_results = (
                self._results(self.plain, here),
                self._results(self.led, here),
            )
            pairs = enumerate(zip(true_results or (), led_results or (), strict=False))
            wrong = next((number for number, (result, other) in pairs if result != other), None)
            if wrong is None:
                return None
            option = here.options[wrong]
            here, way = here.after(option), (*way, option.text)

    def _refuted(self, here: Situation) -> tuple[Belief, str, int] | None:
        """Find a word that is wrong of this very position: the word, its claim, and the truth."""
        true = self._results(self.plain, here)
        for word in self.believed.words if true else ():
            statement = self.believed.refuted(word, here, true or ())
            if statement:
                return word, statement, max(true or ())
        return None

    def _below(self, first: Situation) -> Iterator[tuple[_Way, Situation]]:
        """Yield the positions below a position, the nearest first, each with the way to it."""
        todo: list[tuple[_Way, Situation]] = [((), first)]
        for way, here in todo:  # which grows
            yield way, here
            for option in here.options if len(todo) < _MOST_BELOW else ():
                after = here.after(option)
                if after.outcome is None:
                    todo.append(((*way, option.text), after))

    def _images(self, here: Situation) -> Iterator[Situation]:
        """The position, turned in each way that the rules do not tell apart."""
        worker = self.solver.choosing()
        for number in range(worker.control.symmetries):
            worker.place(here.position)
            worker.kernels["become_image"](*worker.arrays, number)
            words = packed_words(worker.game[0][: self.solver.engine.plan.size])
            position = Words(self.solver.engine).position(words, None)
            yield Situation(here.play, position)

    def _board(self, here: Situation) -> str:
        return self.solver.root.state.game.state(here).board()

    def _after(self, way: _Way) -> str:
        moves = " ".join((*self.solver.root.state.decisions(), *way))
        return f"after `{moves}`" if moves else "at first"

    def _results(self, worker: ThreadArrays, here: Situation) -> list[int] | None:
        """Search the result of each decision for who is at move; None if that takes too long."""
        if worker.place(here.position) != len(here.options):
            raise Unproven("kernels and reference list different decisions")
        results = list[int]()
        for number in range(len(here.options)):
            worker.allow(_TRUE_NODES, UNLIMITED)
            value = _within(worker.value(number, DEEPEST, -1.0, 1.0), self.over)
            if value is None or not value[1]:
                worker.leave()
                return None
            results.append((value[0] > 0) - (value[0] < 0))
        return results


def _named(word: Belief) -> str:
    place = f" ({word.place})" if word.place else ""
    return f"`{word.word} {word.value}` of {word.personality}{place}"


def _true(result: int) -> str:
    name = {1: "a win", 0: "a draw", -1: "a loss"}[result]
    return f"for the player to move there it is {name}"


def _within(work: Generator[None, None, T], over: Callable[[], bool]) -> T | None:
    """Run a search and return its result; None if a limit stopped it."""
    if over():
        raise OutOfBudget(_LATE)
    try:
        next(work)
    except StopIteration as end:
        result: T = end.value
        return result
    work.close()
    return None


def _by_value(worker: ThreadArrays, over: Callable[[], bool]) -> Chooser:
    """The decision of which alpha-beta proves first that it is good enough."""

    def choose(position: Position, options: tuple[LegalDecision, ...], least: int) -> int | None:
        if worker.place(position) != len(options):
            raise Unproven("kernels and reference list different decisions")
        low, high = (0.0, 1.0) if least == 1 else (-1.0, 0.0)
        worker.allow(UNLIMITED, UNLIMITED)
        numbers = list[int](range(len(options)))
        for depth in _DEPTHS:
            for number in tuple(numbers):
                value, proven = _ended(worker.value(number, depth, low, high), over)
                if proven and value >= high:
                    return number
                if proven:
                    numbers.remove(number)
        return None

    return choose


def _by_connections(search: ConnectionSearch, over: Callable[[], bool]) -> Chooser:
    """The decision by which a race of connections is won."""

    def choose(position: Position, options: tuple[LegalDecision, ...], least: int) -> int | None:
        search.place(position)
        search.worker.allow(UNLIMITED, UNLIMITED)
        if not _ended(search.wins(), over):
            return None
        return number_of(position, options, search.winning)

    return choose


def _ended(work: Generator[None, None, T], over: Callable[[], bool]) -> T:
    """Run a search and return its result; raises `OutOfBudget` when the time is over."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: T = end.value
            return result
        if over():
            work.close()
            raise OutOfBudget(_LATE)
