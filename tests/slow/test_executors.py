"""Processes that play end with whoever started them; an interruption leaves nothing taken."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection
from types import FrameType
from typing import Any

import pytest

from rulewright.matches import executors
from rulewright.matches.api import match
from rulewright.matches.executors import Processes

posix = pytest.mark.skipif(sys.platform == "win32", reason="asks for processes by POSIX")


@posix
def test_a_worker_that_has_just_been_started_ends_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until it has settled it holds back the signals that end it, and Ctrl-C waited for that."""
    monkeypatch.setattr(executors, "FAREWELL", 0.0)
    pool = Processes(1)
    pool.submit(({}, []))
    (worker,) = pool.executor._processes
    pool.close()
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)


@posix
def test_half_an_answer_is_not_waited_for() -> None:
    """Of a killed worker: this process could write the rest itself, so it saw no end of it."""
    pool = Processes(1)
    future = pool.executor.submit(answer_half)
    next(iter(pool.executor._processes.values())).join()
    pool.close()
    assert isinstance(future.exception(timeout=20), BrokenExecutor)


def answer_half() -> bytes:
    """Die while an answer is written."""
    send: Callable[..., None] = Connection._send  # type: ignore[attr-defined]

    def half(self: Connection, data: bytes) -> None:
        send(self, data[: len(data) // 2])
        if len(data) > 20_000:
            os.kill(os.getpid(), signal.SIGKILL)
        send(self, data[len(data) // 2 :])

    Connection._send = half  # type: ignore[attr-defined]
    return bytes(40_000)


class Fourth(Executor):
    """Does the fourth task and never one of the others."""

    def __init__(self) -> None:
        self.futures = list[Future[Any]]()

    def submit(self, work: Any, /, *given: Any, **more: Any) -> Future[Any]:
        future = Future[Any]()
        if len(self.futures) == 3:
            future.set_result(work(*given, **more))
        self.futures.append(future)
        return future


@posix
@pytest.mark.parametrize("cancelled", [False, True])
def test_an_interruption_leaves_no_future_locked(cancelled: bool) -> None:
    """Else the thread that brings its answer waits for ever, and the end of the process with it."""
    executor = Fourth()
    terms: dict[str, Any] = {"games": 8, "executor": executor, "workers": 2}
    with match("tictactoe", "random", "computer@nodes=9", **terms) as run:
        if cancelled:
            next(run)
            run.cancel()
        with interrupted_at_locks():
            list(zip(run, range(3), strict=False))
    with ThreadPoolExecutor(1) as other:
        for future in executor.futures[:3]:
            assert other.submit(future._condition.acquire, True, 1.0).result()


@contextmanager
def interrupted_at_locks() -> Iterator[None]:
    """Ctrl-C as soon as this thread has taken a lock of a future and hears of it."""

    def entered(frame: FrameType, event: str, _: object) -> Any:
        heard = signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
        if event == "return" and heard:
            raise KeyboardInterrupt
        return entered

    def called(frame: FrameType, _event: str, _given: object) -> Any:
        code = frame.f_code
        locks = code.co_filename.endswith(("threading.py", "_base.py"))
        return entered if locks and code.co_name == "__enter__" else None

    before = sys.gettrace()
    sys.settrace(called)
    try:
        yield
    except KeyboardInterrupt:
        pass
    finally:
        sys.settrace(before)
