"""Work in background threads: LLVM is loaded, kernels are compiled, players think.

In: a function that does the work.  Out: its result, for those who wait for it.  The end of a
process does not wait (see `compiler/backend/native.py`): LLVM cannot be interrupted.  This module
loads while the main thread still reads a game: slow imports stand in the functions that need them.
"""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from importlib.util import find_spec
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Generic, TypeVar

from rulewright.ground.cache import BROUGHT, cache_folder

if TYPE_CHECKING:
    from rulewright.compiler.backend import Linked
    from rulewright.compiler.engine import Engine

T = TypeVar("T")
COMPILER = "compiler"
"""The name of threads that a process which ends does not wait for."""


def load_library() -> Thread | None:
    """Begin to load LLVM's library, which takes long, unless compiled kernels are in the cache."""
    place = cache_folder() / "kernels"
    if any(BROUGHT.glob("*.kernels")) or (place.is_dir() and any(place.glob("*.o"))):
        return None
    spec = find_spec("llvmlite")
    folders = spec.submodule_search_locations if spec else None
    rooms = [Path(folder, "binding") for folder in folders or ()]
    files = [file for room in rooms for file in room.glob("*llvmlite.*")]
    return begin(lambda: _load(files), "loader", daemon=False) if files else None


def compile_ahead() -> Thread | None:
    """Begin to compile, quickly, the kernels that most searches use; do nothing without LLVM."""
    from rulewright.compiler.engine import native_is_there

    if not native_is_there():
        return None
    from rulewright.compiler.backend.native import compile_ahead, is_kept

    missing = [part for part in usual_kernels() if not is_kept(part)]
    return begin(_while_there_is_memory(lambda: compile_ahead(missing))) if missing else None


def usual_kernels() -> list[Linked]:
    """Return the kernels that most searches use."""
    from rulewright.search.thread_arrays import (
        alpha_beta,
        at_root,
        no_guide,
        no_patterns,
        no_value,
        proof_numbers,
    )
    from rulewright.search.trees import tree_search

    generic = alpha_beta(), proof_numbers(), at_root(), tree_search()
    return [*generic, no_value(), no_patterns(), no_guide()]


def packaged_kernels() -> list[Linked]:
    """Return all kernels that no game changes; the package brings their code (`make tables`)."""
    from rulewright.games.engine.packed import stepping_kernels
    from rulewright.search.connections import connections
    from rulewright.search.thread_arrays import one_ply
    from rulewright.search.trees import several_kernels

    more = stepping_kernels(), connections(), several_kernels()
    return [*usual_kernels(), *more, *one_ply(of_move=False)]


def improve(engine: Engine) -> Thread | None:
    """Begin to compile an engine's kernels with full optimization, unless that has begun."""
    return begin(_while_there_is_memory(engine.better)) if engine.claim() else None


def compilers() -> list[Thread]:
    """Return the running threads that the end of a process does not wait for."""
    return [thread for thread in threading.enumerate() if thread.name == COMPILER]


def wait_for_compilers(until: float) -> None:
    """Wait for the threads of `compilers`, at most until a time of `perf_counter`."""
    for thread in compilers():
        if thread.is_alive():  # one that is about to start cannot be joined
            thread.join(max(0.0, until - time.perf_counter()))


def _while_there_is_memory(work: Callable[[], None]) -> Callable[[], None]:
    """Wrap work that only makes something faster: without memory, the slower form goes on."""

    def attempt() -> None:
        with suppress(MemoryError):
            work()

    return attempt


def _load(files: list[Path]) -> None:
    for file in files:
        with suppress(OSError):  # whoever needs it will say what is wrong
            ctypes.CDLL(str(file))


def begin(work: Callable[[], None], name: str = COMPILER, daemon: bool = True) -> Thread:
    """Begin *work* in a thread; the end of the process waits for it, unless it is a *daemon*."""
    thread = Thread(target=work, name=name, daemon=daemon)
    thread.start()
    return thread


class BackgroundWork(Generic[T]):
    """Work in a daemon thread, which starts at once; `completion` is set when it ends."""

    def __init__(self, work: Callable[[], T]) -> None:
        """Begin the work, in the context of the caller."""
        self.work, self.completion = work, Event()
        self._result: list[T] = []
        self._failed: list[BaseException] = []
        context = copy_context()
        if sys.platform == "emscripten":  # a page has no threads: the work is done at once
            context.run(self._do)
        else:
            Thread(target=context.run, args=(self._do,), name=COMPILER, daemon=True).start()

    def _do(self) -> None:
        try:
            self._result.append(self.work())
        except BaseException as error:  # raised again where the result is asked for
            self._failed.append(error)
        finally:
            self.completion.set()

    def result(self, seconds: float | None = None) -> T:
        """Return the result or raise the exception of the work; `OutOfBudget` after *seconds*."""
        from rulewright.errors import OutOfBudget
        from rulewright.ground import budget

        if not self.completion.wait(seconds):
            raise OutOfBudget(budget.why())
        if self._failed:
            raise self._failed[0]
        return self._result[0]


def in_time(work: Callable[[], T], seconds: float | None = None) -> T:
    """Return the result of *work*; raise `OutOfBudget` after the time limit (or *seconds*)."""
    from rulewright.ground import budget

    remaining = budget.remaining()
    if remaining is None:
        return work()
    background = BackgroundWork(work)
    while seconds is None and remaining and not background.completion.wait(remaining):
        remaining = budget.remaining()  # a clock of the processor may be behind
    return background.result(0.0 if seconds is None else seconds)


def main() -> None:
    """Compile and write the kernels that the package ships."""
    from rulewright.compiler.backend.native import for_all
    from rulewright.compiler.backend.shipped import ship

    ship({part: for_all(part) for part in packaged_kernels()})


if __name__ == "__main__":
    main()
