"""A proof played through by the reference: who can force a result does so against every answer.

In: a solver that has found a value.  Out: how many positions were gone through.  For each person
whose result is claimed there is one decision in every position of theirs, which the kernels choose,
and all decisions of the other person are tried; the reference lists what may be played, plays it,
and says how the games end.  So no hash, table, cut-off or kernel has to be believed.

Refuses, as `Unproven`, a value that does not hold, and games whose rules look back, where a
position is not known by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeAlias, TypeVar

from attrs import define, field

from rulewright.errors import OutOfBudget, RulewrightError
from rulewright.reference.play import LegalDecision, Situation
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


class Unproven(RulewrightError):
    """A value that was told does not hold."""


def check(solver: Solver, over: Callable[[], bool] = lambda: False) -> int:
    """Play through the proof of what a solver has found; *over* is asked whether to give up."""
    if solver.least != solver.most:
        raise Unproven("nothing is proven that could be checked")
    if solver.engine.play.rules.looks_back:
        raise Unproven("the rules look back, so that a position is not known by itself")
    me, value = solver.root.who, solver.least
    choose = _by_connections(solver.race) if solver.race else _by_value(solver.choosing())
    count = 0
    for who, least in ((me, value), (1 - me, -value)):
        if least > -1:
            walk = _Walk(choose, who, least, over)
            walk.through(solver.root.state.situation)
            count += len(walk.seen)
    return count


@define
class _Walk:
    """The positions that a person comes to who can force at least a result: 1 a win, 0 a draw."""

    choose: Chooser
    who: int
    least: int
    over: Callable[[], bool]
    seen: set[tuple[Position, bool]] = field(factory=set)

    def through(self, first: Situation) -> None:
        """Every game that can follow, where the other person may do as they like."""
        todo = [first]
        while todo:
            here = todo.pop()
            position = here.position
            outcome = here.outcome
            if outcome is not None:
                if result_of(outcome, position, self.who) < self.least:
                    raise Unproven("a game that follows does not end as was claimed")
                continue
            if (position, position.swapped) in self.seen:
                continue
            self.seen.add((position, position.swapped))
            if self.over():
                raise OutOfBudget("the time was over before the proof was checked")
            options = here.options
            if person_at(position) == self.who:
                options = (self._chosen(position, options),)
            todo += [here.after(option) for option in options]

    def _chosen(self, position: Position, options: tuple[LegalDecision, ...]) -> LegalDecision:
        """A decision that the kernels prove to be good enough."""
        number = self.choose(position, options, self.least)
        if number is None:
            raise Unproven("no decision keeps what was claimed")
        return options[number]


def _by_value(space: ThreadArrays) -> Chooser:
    """The first decision of which alpha-beta proves that it is good enough."""

    def choose(position: Position, options: tuple[LegalDecision, ...], least: int) -> int | None:
        if space.place(position) != len(options):
            raise Unproven("kernels and reference list different decisions")
        low, high = (0.0, 1.0) if least == 1 else (-1.0, 0.0)
        space.allow(UNLIMITED, UNLIMITED)
        for number in range(len(options)):
            value, proven = _ended(space.value(number, DEEPEST, low, high))
            if proven and value >= high:
                return number
        return None

    return choose


def _by_connections(search: ConnectionSearch) -> Chooser:
    """The decision by which a race of connections is won."""

    def choose(position: Position, options: tuple[LegalDecision, ...], least: int) -> int | None:
        search.place(position)
        search.space.allow(UNLIMITED, UNLIMITED)
        if not _ended(search.wins()):
            return None
        return number_of(position, options, search.winning)

    return choose


def _ended(work: Generator[None, None, T]) -> T:
    """What a search returns that nothing limits."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            found: T = end.value
            return found
