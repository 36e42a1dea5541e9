"""Who does the work: this process, several on this machine, any other executor, a Dask cluster.

In: tasks.  Out: futures of what a `Pool` makes of them.  A pool whose processes died is renewed;
processes whose parent died end by themselves.  Workers of a cluster (the extra `cluster`)
need rulewright, and the files that the plan names at the same paths.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeAlias, TypeVar

from rulewright.errors import RulewrightError
from rulewright.interruption import ENDING, uninterrupted
from rulewright.matches import arena
from rulewright.matches.arena import Task

T = TypeVar("T")
Answer: TypeAlias = tuple[list[str], float]
"""Records as lines of JSON, and the seconds that the task took."""


FAREWELL = 1.0
"""Seconds that a process has for the game it plays, when no more games are wanted."""


class Pool:
    """Takes tasks for an executor of somebody else, who also closes it."""

    def __init__(self, executor: Executor, width: int, name: str = "the executor") -> None:
        """An executor that works on *width* tasks at once, and its name in messages."""
        self.executor, self._width, self._name = executor, width, name

    @property
    def width(self) -> int:
        """How many tasks are under way at once."""
        return self._width

    def submit(self, task: Task) -> Future[Answer]:
        """Begin a task."""
        return self.executor.submit(arena.play, task)

    def renew(self) -> None:
        """Make good what broke, where that is possible; else raise."""
        raise RulewrightError(f"{self._name} broke down; what was recorded is kept")

    def close(self) -> None:
        """End what is ours, without waiting for tasks that have not begun."""


class _AtOnce(Executor):
    """Does what is submitted before it answers."""

    def submit(self, work: Callable[..., T], /, *given: Any, **more: Any) -> Future[T]:
        found: Future[T] = Future()
        found.set_result(work(*given, **more))
        return found


class InProcess(Pool):
    """This process: a task is done when it is submitted."""

    def __init__(self) -> None:
        """One task at a time."""
        super().__init__(_AtOnce(), 1)

    def close(self) -> None:
        """Let the players go."""
        arena.leave()


class Processes(Pool):
    """*width* processes of this machine, started afresh: nothing of this one is copied."""

    executor: ProcessPoolExecutor

    def __init__(self, width: int) -> None:
        """The processes are started when they are needed."""
        super().__init__(_spawned(width), width)

    def renew(self) -> None:
        """Start all processes anew."""
        self.executor.shutdown(wait=False, cancel_futures=True)
        self.executor = _spawned(self.width)

    def close(self) -> None:
        """End the processes, and with them the games that nobody waits for any more."""
        workers = list((self.executor._processes or {}).values())
        answers: Any = self.executor._result_queue  # None where it was closed before
        manager: Any = self.executor._executor_manager_thread
        self.executor.shutdown(wait=False, cancel_futures=True)
        deadline = time.monotonic() + FAREWELL
        for worker in workers:
            worker.join(max(0.0, deadline - time.monotonic()))
            if worker.is_alive():
                worker.kill()  # one that has just been started hears no other signal
        for worker in workers:
            worker.join()
        if answers is not None and sys.platform != "win32":
            answers._writer.close()  # else half an answer of a killed one is waited for for ever
        if manager is not None:
            manager.join(FAREWELL)  # else the end of Python may wake it by a pipe that it closes


class _Spawned(ProcessPoolExecutor):
    """Starts its processes when they are needed, without the signals that end this one."""

    def submit(self, work: Callable[..., T], /, *given: Any, **more: Any) -> Future[T]:
        with uninterrupted():
            return super().submit(work, *given, **more)


def _spawned(width: int) -> ProcessPoolExecutor:
    context = multiprocessing.get_context("spawn")
    return _Spawned(width, mp_context=context, initializer=_settle)


@contextmanager
def ended_at_once(lasting: bool) -> Iterator[None]:
    """While this runs, SIGTERM ends the processes that play, and then this one, with status 143.

    For programs only: a library leaves signals alone.  *lasting*: keep the handler afterwards, as
    what the processes shared is only given back when this one ends.
    """

    def end(number: int, frame: object) -> None:
        for worker in multiprocessing.active_children():
            worker.kill()
        raise SystemExit(128 + number)

    mine = threading.current_thread() is threading.main_thread()
    if not mine or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        if not lasting:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _settle() -> None:
    """A worker leaves Ctrl-C to its parent, and ends when the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent.join,), daemon=True).start()


def _follow(wait: Callable[[], object]) -> None:
    wait()
    os._exit(1)  # without the parent nobody takes the answer


class Cluster(Pool):
    """A Dask cluster: its scheduler gives the task of a lost worker to another one."""

    def __init__(self, address: str, patience: float = 10.0) -> None:
        """*patience*: seconds in which the scheduler must answer."""
        try:
            from distributed import Client  # an extra
        except ImportError:
            message = "--cluster needs the package distributed: pip install 'rulewright[cluster]'"
            raise RulewrightError(message) from None
        try:
            client: Any = Client(  # type: ignore[no-untyped-call]
                address, timeout=patience, set_as_default=False
            )
        except (OSError, ValueError) as error:
            raise RulewrightError(f"no cluster answers at {address}: {error}") from None
        self._client = client
        super().__init__(client.get_executor(retries=3), 1, f"the cluster at {address}")

    @property
    def width(self) -> int:
        """The threads of all workers, which may come and go."""
        threads: int = sum(self._client.ncores().values())
        return max(1, threads)

    def close(self) -> None:
        """Leave the cluster as it was."""
        self.executor.shutdown(wait=False)
        self._client.close()
