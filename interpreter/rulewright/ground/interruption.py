"""Work that an interruption must not break: starting processes, and waiting for their answers.

In: work to be done whole, or futures.  Out: the same, with signals that end held back meanwhile;
the futures that are done.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

T = TypeVar("T")
ENDING = {signal.SIGINT, signal.SIGTERM}
"""Signals that end a program."""


@contextmanager
def hold_signals() -> Iterator[None]:
    """Hold signals that end back; processes that are started inside begin without them."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Arrivals(Generic[T]):
    """Futures as they are done, for whoever may be interrupted at any moment.

    `concurrent.futures.wait` takes the lock of each future that it waits for.  A Ctrl-C that comes
    just then leaves them taken, and the thread that brings the answers, and with it the end of this
    process, waits for ever.
    """

    def __init__(self) -> None:
        """None are expected yet."""
        self._done: SimpleQueue[Future[T]] = SimpleQueue()

    def expect(self, future: Future[T]) -> None:
        """Wait for a future too."""
        with hold_signals():
            future.add_done_callback(self._done.put)

    def next(self, seconds: float | None = None) -> list[Future[T]]:
        """The futures done since the last call, at least one; an empty list after *seconds*."""
        try:
            results = [self._done.get(timeout=seconds)]
            while not self._done.empty():
                results.append(self._done.get())
        except Empty:
            return []
        return results
