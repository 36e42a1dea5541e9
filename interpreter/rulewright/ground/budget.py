"""Budgets: limits of steps of the reference, and of seconds by a clock.

In: a limit, for as long as a `with` block lasts.  Out: `OutOfBudget` from wherever the reference
works when it is used up.  What works long asks the budget that holds where it began; nobody passes
one along.  A step is a value that a variable takes, a decision that is tried, a call of a
definition, a statement that is done, 32 sites that an operation visits: a few microseconds of the
reference.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING

from attrs import define, field

from rulewright.errors import OutOfBudget, RulewrightError
from rulewright.ground.scoped import set_temporarily

if TYPE_CHECKING:
    from types import TracebackType

_SLICE = 64
"""Steps between two looks at the clock."""


LONGEST = 1e8
"""Seconds, three years: what waits for longer fails, as no clock of the system goes so far."""


def bounded(seconds: float | None) -> float | None:
    """*seconds*, but no more than `LONGEST`; None stays None."""
    return None if seconds is None else min(seconds, LONGEST)


@define(eq=False)
class Budget:
    """A limit of steps, of time, or both; `outer` is the one that it is part of.

    *until* and *latest* are times of its clock: when an answer should be there, and when the
    reference stops wherever it is.  They differ by what it takes to write an answer down.
    """

    steps: int | None = None
    until: float | None = None
    latest: float | None = None
    why: str = ""
    outer: Budget | None = None
    exact: bool = True
    """Whether steps limit all work, so that nothing may do the reference's instead."""
    clock: Callable[[], float] = time.perf_counter
    spent: int = 0
    statements: int = 0
    """The number of spent steps that are statements."""
    _next: int = field(default=0)

    @property
    def used_up(self) -> bool:
        """Whether more steps were spent than there were, whatever the time."""
        return self.steps is not None and self.spent > self.steps

    def spend(self, steps: int = 1) -> None:
        """Count *steps*; raises `OutOfBudget` when there are no more, or no time."""
        self.spent += steps
        if self.spent >= self._next:
            self._check()

    def spend_statement(self) -> None:
        """Count a statement: a step, which `statements` counts too."""
        self.statements += 1
        self.spend()

    def _check(self) -> None:
        self._next = self.spent + _SLICE
        if self.steps is not None:
            if self.spent > self.steps:
                raise OutOfBudget(self.why)
            self._next = min(self._next, self.steps + 1)
        self._check_clock()

    def _check_clock(self) -> None:
        if self.latest is not None and self.clock() > self.latest:
            raise OutOfBudget(self.why)
        if self.outer is not None:
            self.outer._check_clock()


_CURRENT: ContextVar[Budget | None] = ContextVar("budget", default=None)
current = _CURRENT.get
"""The budget that holds here, None where nothing is limited."""


def seconds_left() -> float | None:
    """Seconds until an answer should be there (not below 0); None where no time limits."""
    return _before((budget.until, budget.clock) for budget in _budgets())


def remaining() -> float | None:
    """Seconds until nothing more may be done (not below 0); None where no time limits."""
    return _before((budget.latest, budget.clock) for budget in _budgets())


def _budgets() -> Iterator[Budget]:
    """The budgets that hold here, the innermost first."""
    budget = current()
    while budget is not None:
        yield budget
        budget = budget.outer


def counts_steps() -> bool:
    """Whether steps of the reference are counted here, so that nothing else may do its work."""
    return any(budget.steps is not None and budget.exact for budget in _budgets())


def _before(moments: Iterator[tuple[float | None, Callable[[], float]]]) -> float | None:
    """Seconds until the first of some moments (not below 0); None where there is none."""
    first = min((moment - now() for moment, now in moments if moment is not None), default=None)
    return None if first is None else max(0.0, first)


def why() -> str:
    """The message for when the time is over: that of the innermost budget that has one."""
    messages = (budget.why for budget in _budgets() if budget.why)
    return next(messages, "the time was over before there was an answer")


def over() -> bool:
    """Whether an answer should be there by now."""
    return seconds_left() == 0.0


def check_time() -> None:
    """Raise `OutOfBudget` where no time is left, though something inside has passed over that."""
    if remaining() == 0.0:
        raise OutOfBudget(why())


@contextmanager
def within_steps(steps: int, why: str, exact: bool = True) -> Iterator[Budget]:
    """At most so many steps of the reference in this block; *why* is the message.

    Not *exact*: what machine code can do is not the reference's to do, and takes no steps.
    """
    with _hold(Budget(steps=steps, why=why, outer=current(), exact=exact)) as budget:
        yield budget


@contextmanager
def within_seconds(
    seconds: float, grace: float, why: str, clock: Callable[[], float] = time.perf_counter
) -> Iterator[Budget]:
    """At most so many seconds in this block, and *grace* to write down what is known.

    With `time.process_time` as the *clock* other processes cost nothing.
    """
    until = clock() + min(seconds, LONGEST)
    with _hold(Budget(None, until, until + grace, why, current(), clock=clock)) as budget:
        yield budget


@contextmanager
def share(part: float) -> Iterator[None]:
    """Limit a block to a *part* (0 to 1) of the time that is left, where time is limited.

    The reference raises `OutOfBudget` when the part is over, so that there is time for an answer.
    """
    budgets = [budget for budget in _budgets() if budget.until is not None]
    if not budgets:
        yield
        return
    first = min(budgets, key=lambda budget: (budget.until or 0.0) - budget.clock())
    seconds = max(0.0, (first.until or 0.0) - first.clock())
    until = first.clock() + part * seconds
    with _hold(Budget(None, until, until, why(), current(), clock=first.clock)):
        yield


def regardless() -> AbstractContextManager[None]:
    """Lift all budgets in a block, which is short, and in which there must be an answer."""
    return set_temporarily(_CURRENT, None)


@contextmanager
def _hold(budget: Budget) -> Iterator[Budget]:
    """Let *budget* hold in the block; what is spent of it is spent of the outer one too."""
    try:
        with set_temporarily(_CURRENT, budget):
            yield budget
    finally:
        if budget.outer is not None:
            budget.outer.spent += budget.spent
            budget.outer.statements += budget.statements


class suppress_refusals(suppress):  # noqa: N801  (called like `suppress`)
    """Leave a block where the library refuses something; a budget that is used up still raises."""

    def __init__(self) -> None:
        super().__init__(RulewrightError)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        return not isinstance(error, OutOfBudget) and super().__exit__(kind, error, trace)
