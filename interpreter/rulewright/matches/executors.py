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
from typing import Any, Protocol, TypeAlias

from attrs import define, field

from rulewright.errors import RulewrightError
from rulewright.matches import arena
from rulewright.matches.arena import Task

_ENDING = {signal.SIGINT, signal.SIGTERM}
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
class InProcess:
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
    """*width* processes of this machine, started afresh: nothing of this one is copied."""

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
        """Hand a task to a free process, which may have to be started."""
        with _uninterrupted():
            return self._pool.submit(arena.play, task)

    def renew(self) -> None:
        """Start all processes anew."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = self._made()

    def close(self) -> None:
        """End the processes, and with them the games that nobody waits for any more."""
        workers = list((self._pool._processes or {}).values())
        self._pool.shutdown(wait=False, cancel_futures=True)
        deadline = time.monotonic() + FAREWELL
        for worker in workers:
            worker.join(max(0.0, deadline - time.monotonic()))
            if worker.is_alive():
                worker.terminate()
        self._pool.shutdown(wait=True)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Hold signals that end back; processes that are started inside begin without them."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


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
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent.join,), daemon=True).start()


def _follow(wait: Callable[[], object]) -> None:
    wait()
    os._exit(1)  # without the parent nobody takes the answer


@define(eq=False)
class GivenExecutor:
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


@define(eq=False)
class Cluster:
    """A Dask cluster: its scheduler gives the task of a lost worker to another one."""

    address: str
    patience: float = 10.0
    """Seconds in which the scheduler must answer."""
    _client: Any = field(init=False)
    _executor: Executor = field(init=False)

    def __attrs_post_init__(self) -> None:
        try:
            from distributed import Client  # an extra
        except ImportError:
            message = "--cluster needs the package distributed: pip install 'rulewright[cluster]'"
            raise RulewrightError(message) from None
        try:
            self._client = Client(  # type: ignore[no-untyped-call]
                self.address, timeout=self.patience, set_as_default=False
            )
        except (OSError, ValueError) as error:
            raise RulewrightError(f"no cluster answers at {self.address}: {error}") from None
        self._executor = self._client.get_executor(retries=3)

    @property
    def width(self) -> int:
        """The threads of all workers, which may come and go."""
        threads: int = sum(self._client.ncores().values())
        return max(1, threads)

    def submit(self, task: Task) -> Future[Answer]:
        """Hand a task to the scheduler."""
        return self._executor.submit(arena.play, task)

    def renew(self) -> None:
        """The scheduler mends what it can by itself."""
        raise RulewrightError(
            f"the cluster at {self.address} broke down; what was recorded is kept"
        )

    def close(self) -> None:
        """Leave the cluster as it was."""
        self._executor.shutdown(wait=False)
        self._client.close()
