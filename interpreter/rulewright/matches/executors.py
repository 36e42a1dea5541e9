"""Who does the work: this process, several on this machine, any other executor, a Dask cluster.

In: tasks.  Out: futures of what a `Pool` makes of them.  A pool whose processes died is renewed;
processes whose parent died end by themselves.  Workers of a cluster (the extra `cluster`)
need the same rulewright; the user's own texts come with every task, and what a worker has loaded
goes back with it and is compared.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any, TypeAlias, TypeVar

from rulewright import __version__
from rulewright.errors import RulewrightError
from rulewright.ground.interruption import ENDING, hold_signals
from rulewright.matches import arena
from rulewright.matches.arena import Loaded, Task, Texts
from rulewright.matches.game_record import plan_of

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
        self.refusals: dict[str, str] = {}
        """Workers that play nothing, each with the reason."""

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

    def submit(self, work: Callable[..., T], /, *arguments: Any, **settings: Any) -> Future[T]:
        future: Future[T] = Future()
        future.set_result(work(*arguments, **settings))
        return future


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

    def submit(self, work: Callable[..., T], /, *arguments: Any, **settings: Any) -> Future[T]:
        with hold_signals():
            return super().submit(work, *arguments, **settings)


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

    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
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
        """*patience*: seconds in which the scheduler must answer, and then its workers.

        An address that is a number is a port of this machine.
        """
        try:
            from distributed import Client  # an extra
        except ImportError:
            message = "--cluster needs the package distributed: pip install 'rulewright[cluster]'"
            raise RulewrightError(message) from None
        self.address = f"tcp://127.0.0.1:{address}" if address.isdecimal() else address
        try:
            client: Any = Client(  # type: ignore[no-untyped-call]
                self.address, timeout=patience, set_as_default=False
            )
        except (OSError, ValueError) as error:
            raise RulewrightError(f"no cluster answers at {self.address}: {error}") from None
        self._client = client
        self._texts: dict[str, tuple[Texts, Loaded]] = {}
        super().__init__(client.get_executor(retries=0), 1, f"the cluster at {self.address}")
        try:
            self._meet_workers(patience)
        except BaseException:
            self._leave()
            raise

    def _meet_workers(self, patience: float) -> None:
        """Refuse a cluster without workers, and one whose workers all have another package.

        A worker that is busy with something else is asked with its first task.
        """
        until = time.monotonic() + patience
        with suppress(OSError, TimeoutError):
            self._client.wait_for_workers(1, timeout=patience)
        workers = self._workers()
        if not workers:
            raise RulewrightError(f"the cluster at {self.address} has no workers")
        presence = _travelling("presence")
        answers = {
            worker: self._client.submit(presence, workers=[worker], pure=False)
            for worker in workers
        }
        for worker, answer in answers.items():
            try:
                version = answer.result(timeout=max(0.1, until - time.monotonic()))
            except (OSError, TimeoutError):
                continue
            except Exception as error:  # whatever is wrong with it
                version = f"{type(error).__name__}: {error}"
            if version != __version__:
                self._refuse(worker, _unlike_version(version))

    def _workers(self) -> list[str]:
        """The addresses of the workers that are there."""
        return list(self._client.ncores())

    def _refuse(self, worker: str, reason: str) -> None:
        """Give a worker no more tasks; raises the reason where no other one is there."""
        self.refusals.setdefault(worker, reason)
        if all(name in self.refusals for name in self._workers()):
            raise RulewrightError(f"{worker} cannot play this match: {reason}")

    @property
    def width(self) -> int:
        """The threads of all workers, which may come and go."""
        try:
            threads: int = sum(self._client.ncores().values())
        except Exception as error:  # the scheduler is gone
            raise self._broken(error) from None
        return max(1, threads)

    def submit(self, task: Task) -> Future[Answer]:
        """Begin a task, which a worker refuses that has other texts or another version."""
        plan = plan_of(task[0])
        if plan.name not in self._texts:
            self._texts[plan.name] = arena.texts_of(plan)
        texts, original = self._texts[plan.name]
        future = Future[Answer]()
        try:
            self._send((task, original, texts), future)
        except Exception as error:
            raise self._broken(error) from None
        return future

    def _send(self, errand: _Errand, future: Future[Answer]) -> None:
        """Send a task to the workers that are not refused, and to others where these are gone."""
        if self.refusals:
            good = [name for name in self._workers() if name not in self.refusals]
            self.executor = self._client.get_executor(
                retries=0, workers=good, allow_other_workers=True
            )
        work = self.executor.submit(_travelling("errand"), *errand)
        work.add_done_callback(lambda outcome: self._pass_on(outcome, errand, future))

    def _pass_on(
        self, work: Future[tuple[str, _Played]], errand: _Errand, future: Future[Answer]
    ) -> None:
        """Hand over what a worker has played; where it is refused, another one plays it."""
        try:
            worker, (lines, seconds, loaded) = work.result()
        except (Exception, CancelledError) as error:
            self._fail(future, error)
            return
        reason = arena.unlike(errand[1], loaded)
        if reason:  # this is Dask's own thread, which must not wait for the scheduler
            again = worker, reason, errand, future
            threading.Thread(target=self._send_again, args=again, daemon=True).start()
        elif future.set_running_or_notify_cancel():
            future.set_result((lines, seconds))

    def _send_again(
        self, worker: str, reason: str, errand: _Errand, future: Future[Answer]
    ) -> None:
        """Send what a worker has not played to another one."""
        try:
            self._refuse(worker, reason)
            if not future.cancelled():
                self._send(errand, future)
        except Exception as error:
            self._fail(future, error)

    def _fail(self, future: Future[Answer], error: BaseException) -> None:
        if future.set_running_or_notify_cancel():
            future.set_exception(
                error if isinstance(error, RulewrightError) else self._broken(error)
            )

    def _broken(self, error: BaseException) -> RulewrightError:
        why = f"{type(error).__name__}: {error}".rstrip(": ")
        advice = "what was recorded is kept, and the same command goes on"
        return RulewrightError(f"the cluster at {self.address} broke down ({why}); {advice}")

    def close(self) -> None:
        """Leave the cluster as it was."""
        self.executor.shutdown(wait=False)
        self._leave()

    def _leave(self) -> None:
        with suppress(Exception):  # nobody may be there any more
            self._client.close(timeout=FAREWELL)


_TRAVELLING = """
def presence():
    try:
        import rulewright
        if hasattr(rulewright, "__version__"):
            return rulewright.__version__
        return "there is no version of rulewright"
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def errand(task, original, texts):
    from distributed import get_worker
    worker = get_worker().address
    try:
        import rulewright
        if rulewright.__version__ != original["version"]:
            return worker, ([], 0.0, {"version": rulewright.__version__})
        from rulewright.matches.arena import play_checked
    except Exception as error:
        why = f"it cannot import rulewright ({type(error).__name__}: {error})"
        return worker, ([], 0.0, {"refusal": why})
    return worker, play_checked(task, original, texts)
"""
_Errand: TypeAlias = tuple[Task, Loaded, Texts]
_Played: TypeAlias = tuple[list[str], float, Loaded]


def _travelling(name: str) -> Callable[..., Any]:
    """A function that travels as code: a worker can run it whatever packages it has."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(_TRAVELLING, names)
    function: Callable[..., Any] = names[name]
    return function


def _unlike_version(answer: str) -> str:
    if ":" in answer:
        return f"it cannot import rulewright ({answer})"
    return f"rulewright {answer} runs there, and the match began with {__version__}"
