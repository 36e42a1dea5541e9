"""What a search needs from the machine, begun while the main thread still reads a game.

In: nothing.  Out: threads.  Neither imports anything, as two threads that import may wait for each
other for ever; only what the first one needs makes this module slow to load.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from threading import Thread

COMPILER = "compiler"
"""The name of threads that a process which ends does not wait for."""


def load_library() -> Thread | None:
    """Begin to load LLVM's library, which is a quarter of the time to load everything."""
    found = find_spec("llvmlite")
    folders = found.submodule_search_locations if found else None
    rooms = [Path(folder, "binding") for folder in folders or ()]
    files = [file for room in rooms for file in room.glob("*llvmlite.*")]
    return _begun(lambda: _load(files), "loader") if files else None


def compile_ahead() -> Thread | None:
    """Begin to compile, quickly, what most searches use; without LLVM nothing happens.

    The thread is not a daemon, as the compiler would not survive the end of the libraries it runs
    in: a process that ends has to wait for it, or to leave without ceremony.
    """
    from rulewright.codegen.engine import native_is_there

    if not native_is_there():
        return None
    from rulewright.codegen.backend.native import compile_ahead
    from rulewright.search.trees import tree_search
    from rulewright.search.workspace import alpha_beta, no_patterns, no_value

    def work() -> None:
        parts = (alpha_beta(), no_value(), no_patterns(), tree_search())
        compile_ahead((part.text, part.outside) for part in parts)

    return _begun(work, COMPILER)


def _load(files: list[Path]) -> None:
    for file in files:
        with suppress(OSError):  # whoever needs it will say what is wrong
            ctypes.CDLL(str(file))


def _begun(work: Callable[[], None], name: str) -> Thread:
    thread = Thread(target=work, name=name)
    thread.start()
    return thread
