"""Work that nobody has to wait for: code is compiled, players think, while something else is done.

In: the work.  Out: its result, when it is there.  A process that ends does not wait for it either
(see `cli`): LLVM cannot be interrupted.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from threading import Event, Thread
from typing import Generic, TypeVar

from attrs import define, field

from rulewright import budget
from rulewright.errors import OutOfBudget
from rulewright.search.ahead import COMPILER

T = TypeVar("T")


@define(eq=False)
class Beside(Generic[T]):
    """Work in a thread, begun at once."""

    work: Callable[[], T]
    done: Event = field(factory=Event)
    _result: list[T] = field(factory=list)
    _failed: list[BaseException] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        context = copy_context()
        Thread(target=context.run, args=(self._do,), name=COMPILER, daemon=True).start()

    def _do(self) -> None:
        try:
            self._result.append(self.work())
        except BaseException as error:  # raised again where the result is asked for
            self._failed.append(error)
        finally:
            self.done.set()

    def result(self, seconds: float | None = None) -> T:
        """The result, or what the work raised; `OutOfBudget` if it is not there by then."""
        if not self.done.wait(seconds):
            raise OutOfBudget(budget.why())
        if self._failed:
            raise self._failed[0]
        return self._result[0]


def in_time(work: Callable[[], T], seconds: float | None = None) -> T:
    """The result of *work*; where time is limited, `OutOfBudget` in time (after *seconds*)."""
    remaining = budget.remaining()
    if remaining is None:
        return work()
    return Beside(work).result(remaining if seconds is None else seconds)
