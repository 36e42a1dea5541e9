"""Arrays of machine code, each in a mapping of its own that ends where nothing may be touched.

In: nothing; `guard()` changes this process for good, so it belongs into a child.  Out: every array
that kernels get ends at a page without rights, so that one word too far is a SIGSEGV there and
then; the words in front of it, back to another such page, hold a pattern, and `before_arrays`
names the arrays where it was overwritten.  `last_kernel` is what was called last, readable by
whoever shares the memory.  Linux and macOS.
"""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

PAGE = mmap.PAGESIZE
SIGN = b"\xa5"
NAME = 256
"""Bytes for the name of a kernel."""


@frozen
class Guarded:
    """An array's mapping: the bytes of the pattern in front of it, after the first page."""

    map: mmap.mmap
    pattern: int

    def whole(self) -> bool:
        """Whether the pattern in front of the array is as it was."""
        found = ctypes.string_at(_address(self.map) + PAGE, self.pattern)
        return found == SIGN * self.pattern


_arrays: list[Guarded] = []


def _address(memory: mmap.mmap) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))


def _protect(address: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(PAGE), 0):
        raise OSError(ctypes.get_errno(), "mprotect")


def array(kind: Any, count: int) -> Any:
    """*count* items of a ctypes kind, all 0, between two pages without rights."""
    count = max(1, count)
    bytes_ = ctypes.sizeof(kind) * count
    inner = -(-bytes_ // PAGE) * PAGE
    memory = mmap.mmap(-1, inner + 2 * PAGE)
    pattern = inner - bytes_
    memory[PAGE : PAGE + pattern] = SIGN * pattern
    found = (kind * count).from_buffer(memory, PAGE + pattern)
    _protect(_address(memory))
    _protect(_address(memory) + PAGE + inner)
    _arrays.append(Guarded(memory, pattern))
    return found


def filled(values: Sequence[float]) -> Any:
    """An array of these; the last of them gives its type."""
    floats = isinstance(values[-1], float)
    kind: Any = ctypes.c_double if floats else ctypes.c_int64
    found = array(kind, len(values))
    found[:] = list(values)
    return found


def before_arrays() -> int:
    """How many arrays were written in front of their beginning; forgets the arrays."""
    wrong = sum(not one.whole() for one in _arrays)
    _arrays.clear()
    return wrong


def guard(last_kernel: mmap.mmap) -> None:
    """Give kernels guarded arrays from now on, and note in *last_kernel* which one is called."""
    from rulewright.compiler.backend.native import Native
    from rulewright.compiler.engine import Engine
    from rulewright.search.thread_arrays import ThreadArrays

    def zeros(_: Any, size: int) -> Any:
        return array(ctypes.c_int64, size)

    def values(_: Any, given: Sequence[float]) -> Any:
        return filled(given)

    def noted(self: Native, name: str, plain: Any = Native.__getitem__) -> Callable[..., Any]:
        last_kernel[:NAME] = name.encode()[:NAME].ljust(NAME, b"\0")
        found: Callable[..., Any] = plain(self, name)
        return found

    changed: Any = Engine
    changed.zeros, changed.array = zeros, values
    changed = ThreadArrays
    changed.ints = zeros
    changed.floats = lambda _, given: (
        array(ctypes.c_double, given) if isinstance(given, int) else filled([*given, 0.0])
    )
    changed = Native
    changed.__getitem__ = noted
