"""Who does the work: this process, several on this machine, or any other executor.

In: a wish.  Out: a `Pool` that takes tasks and gives futures.  A pool whose processes died is
renewed; processes whose parent died end by themselves.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from typing import Protocol, TypeAlias

from attrs import define, field

from rulewright.errors import RulewrightError
from rulewright.matches import arena
from rulewright.matches.arena import Task

Answer: TypeAlias = tuple[list[str], float]
"""Records as lines of JSON, and the seconds that the task took."""


FAREWELL = 1.0
"""Seconds that a process has for the game it plays, when no more games are wanted."""


class Pool(Protocol):
    """Takes tasks; `width` is how many it works on at once."""

    @property
    def width(self) -> int:
        """How many tasks are under way at once."""

    def submit(self, task: Task) -> Future[Answer]:
        """Begin a task."""

    def renew(self) -> None:
        """Make good what broke, where that is possible; else raise."""

    def close(self) -> None:
        """End, without waiting for tasks that have not begun."""


@define
class Here:
    """This process: a task is done when it is submitted."""

    width: int = 1

    def submit(self, task: Task) -> Future[Answer]:
        """Do the task."""
        found: Future[Answer] = Future()
        found.set_result(arena.play(task))
        return found

    def renew(self) -> None:
        """Nothing can break."""

    def close(self) -> None:
        """Let the players go."""
        arena.leave()


@define(eq=False)
class Processes:
    """So many processes of this machine, started afresh: nothing of this one is copied."""

    width: int
    _pool: ProcessPoolExecutor = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._pool = self._made()

    @property
    def executor(self) -> Executor:
        """The processes, for somebody who keeps them for several matches."""
        return self._pool

    def _made(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self.width, mp_context=context, initializer=_settle)

    def submit(self, task: Task) -> Future[Answer]:
        """Hand a task to a free process."""
        return self._pool.submit(arena.play, task)

    def renew(self) -> None:
        """Start all processes anew."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = self._made()

    def close(self) -> None:
        """End the processes, and with them the games that nobody waits for any more."""
        workers = list((self._pool._processes or {}).values())
        self._pool.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.join(FAREWELL)
            if worker.is_alive():
                worker.terminate()
        self._pool.shutdown(wait=True)


def _settle() -> None:
    """A worker leaves Ctrl-C to its parent, and ends when the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent.join,), daemon=True).start()


def _follow(wait: Callable[[], object]) -> None:
    wait()
    os._exit(1)  # without the parent nobody takes the answer


@define(eq=False)
class Given:
    """An executor of the caller, who also closes it."""

    executor: Executor
    width: int

    def submit(self, task: Task) -> Future[Answer]:
        """Hand a task to the executor."""
        return self.executor.submit(arena.play, task)

    def renew(self) -> None:
        """It is not ours to mend."""
        raise RulewrightError("the executor broke down; what was recorded is kept")

    def close(self) -> None:
        """It is not ours to close."""
