"""Arrays as each backend takes them: guarded ones for plain Python, memory for machine code.

In: how many elements, or which.  Out: arrays of whole numbers or floats, all 0 at first; words of
an array by the names that kernels have for them.
"""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable, Sequence
from functools import cache
from inspect import get_annotations
from typing import Any, Protocol

from attrs import frozen

from rulewright.compiler.runtime import GuardedArray, Room, place
from rulewright.errors import NotEnoughMemory


class Arrays(Protocol):
    """What makes arrays."""

    def ints(self, count: int, scattered: bool = False) -> Any:
        """So many whole numbers, which take memory only as they are used.

        *scattered*: they will be used here and there and nearly all, so that large pages pay.
        """

    def floats(self, count: int) -> Any:
        """So many floats."""

    def of(self, values: Sequence[float]) -> Any:
        """An array of these; the last of them gives its type."""

    def memory(self, size: int) -> Any:
        """So many bytes, all 0: a buffer, whose slices are bytes."""

    def given(self, buffer: Any) -> Any:
        """What kernels take for an array of whole numbers, or for the memory of one."""


class Guarded:
    """For kernels as plain Python."""

    def ints(self, count: int, scattered: bool = False) -> Any:
        """So many whole numbers."""
        return Room(max(1, count))

    def floats(self, count: int) -> Any:
        """So many floats."""
        return GuardedArray([0.0] * count)

    def of(self, values: Sequence[float]) -> Any:
        """An array of these."""
        return GuardedArray(values)

    def memory(self, size: int) -> Any:
        """So many bytes."""
        return own_memory(size)

    def given(self, buffer: Any) -> Any:
        """A guarded view of memory."""
        return buffer if isinstance(buffer, GuardedArray) else _View(buffer)


class _View(GuardedArray[int]):
    """The words of a buffer, guarded."""

    def __init__(self, buffer: Any) -> None:
        super().__init__(())
        self._values: Any = memoryview(buffer).cast("B").cast("q")


def own_memory(size: int) -> Any:
    """So many bytes, all 0: a buffer, taken as it is used."""
    try:
        if hasattr(mmap, "MAP_ANONYMOUS"):  # pages that nobody shares are had in half the time
            return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        return mmap.mmap(-1, size)
    except (OSError, OverflowError, MemoryError):
        raise NotEnoughMemory(size) from None


def reserved(size: int) -> None:
    """Raise `NotEnoughMemory` unless so many bytes could be had at once."""
    own_memory(size).close()


@frozen
class InMemory:
    """For machine code: `ctypes` arrays in memory that it can reach."""

    take: Callable[[int], Any] = own_memory

    def ints(self, count: int, scattered: bool = False) -> Any:
        """So many whole numbers."""
        return self._array(ctypes.c_int64, count, scattered)

    def floats(self, count: int) -> Any:
        """So many floats."""
        return self._array(ctypes.c_double, count)

    def of(self, values: Sequence[float]) -> Any:
        """An array of these."""
        floats = bool(values) and isinstance(values[-1], float)
        found = self._array(ctypes.c_double if floats else ctypes.c_int64, len(values))
        found[: len(values)] = values
        return found

    def memory(self, size: int) -> Any:
        """So many bytes."""
        return self.take(size)

    def given(self, buffer: Any) -> int:
        """Its address."""
        return ctypes.addressof(ctypes.c_char.from_buffer(buffer))

    def _array(self, kind: Any, count: int, scattered: bool = False) -> Any:
        kind = kind * max(1, count)
        memory = self.memory(ctypes.sizeof(kind))
        if scattered and isinstance(memory, mmap.mmap) and hasattr(mmap, "MADV_HUGEPAGE"):
            memory.madvise(mmap.MADV_HUGEPAGE)
        return kind.from_buffer(memory)


@cache
def _places(layout: type) -> dict[str, int]:
    return {name: place(layout, name) for name in get_annotations(layout)}


class SharedWords:
    """Words that Python and kernels share, by the names of a class of kernels."""

    def __init__(self, layout: type, words: Any) -> None:
        """The names of an array."""
        self.__dict__.update(_words=words, _places=_places(layout))

    def __getattr__(self, name: str) -> int:
        return int(self.__dict__["_words"][self.__dict__["_places"][name]])

    def __setattr__(self, name: str, value: int) -> None:
        self.__dict__["_words"][self.__dict__["_places"][name]] = value
