"""Watch over work in another thread: limits of time, cancellation, progress, Ctrl-C.

In: the work, and how to make it stop.  Out: its result.  Machine code sees no signals and holds no
lock of Python; it is told to stop by a flag, which it looks at with every decision it plays.  Where
the caller's time is limited and the work does not stop by then, it is left alone: `OutOfBudget`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Generic, TypeVar

from attrs import define, field

from rulewright import budget
from rulewright.errors import OutOfBudget
from rulewright.search.ahead import COMPILER
from rulewright.search.results import Found, Progress

T = TypeVar("T")
_SLICE = 0.05
"""Seconds between two looks at the clock when nothing else happens."""


@define
class Watch(Generic[T]):
    """Runs work in a thread and calls `stop` when it has to end.

    `tick` looks at the clock and says in how many seconds it has to look again, None for never.
    `post` may be called from the work; what is posted goes to `progress` in the caller's thread.
    """

    stop: Callable[[], None]
    tick: Callable[[], float | None]
    progress: Progress | None = None
    cancelled: Callable[[], bool] | None = None
    _events: SimpleQueue[Found | bool] = field(factory=SimpleQueue)
    _result: list[T] = field(factory=list)
    _failed: list[BaseException] = field(factory=list)

    def post(self, found: Found) -> None:
        """Tell what is known so far."""
        if self.progress is not None:
            self._events.put(found)

    def run(self, work: Callable[[], T]) -> T:
        """The result of the work, or what it raised."""
        context = copy_context()  # what limits the caller limits the work
        worker = Thread(target=context.run, args=(self._do, work), name=COMPILER, daemon=True)
        worker.start()
        try:
            self._wait(worker)
        except OutOfBudget:
            self.stop()  # nobody waits for it: it may be far from its next look at the flag
            raise
        except BaseException:
            self.stop()
            worker.join()
            raise
        worker.join()
        if self._failed:
            raise self._failed[0]
        return self._result[0]

    def nudge(self) -> None:
        """Look at the clock again: what `tick` said last has changed."""
        self._events.put(True)

    def _do(self, work: Callable[[], T]) -> None:
        try:
            self._result.append(work())
        except BaseException as error:  # raised again in the thread of the caller
            self._failed.append(error)
        finally:
            self._events.put(False)

    def _wait(self, worker: Thread) -> None:
        """Until the work is done; meanwhile hand on progress and look at clock and cancellation."""
        while True:
            if budget.remaining() == 0.0:
                raise OutOfBudget(budget.why())
            left = self.tick()
            try:
                found = self._events.get(timeout=_SLICE if left is None else min(left, _SLICE))
            except Empty:
                found = True
            if found is False:
                return
            told = isinstance(found, Found) and self.progress is not None and self.progress(found)
            if told or (self.cancelled is not None and self.cancelled()):
                self.stop()
