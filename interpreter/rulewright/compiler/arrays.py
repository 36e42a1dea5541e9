"""Arrays as each backend takes them: guarded ones for plain Python, memory for machine code.

In: how many elements, or which.  Out: arrays of whole numbers or floats, all 0 at first; words of
an array by the names that kernels have for them.
"""

from __future__ import annotations

import ctypes
import mmap
import struct
from collections.abc import Callable, Sequence
from functools import cache
from inspect import get_annotations
from typing import Any, Protocol

from attrs import frozen

from rulewright.compiler.runtime import GuardedArray, Room, place
from rulewright.errors import NotEnoughMemory


class Arrays(Protocol):
    """Make the arrays of one backend."""

    def ints(self, count: int, scattered: bool = False) -> Any:
        """Make an array of *count* whole numbers, all 0; memory is taken as they are used.

        *scattered*: nearly all will be used, in no order, so that large pages pay.
        """

    def floats(self, count: int) -> Any:
        """Make an array of *count* floats, all 0."""

    def of(self, values: Sequence[float]) -> Any:
        """Make an array of *values*; the last of them gives its type."""

    def memory(self, size: int) -> Any:
        """Make a buffer of *size* bytes, all 0, whose slices are bytes."""

    def argument(self, buffer: Any) -> Any:
        """Return what kernels take for an array of whole numbers, or for a buffer that holds it."""


class Guarded:
    """Make the arrays of kernels in plain Python, which refuse an index out of bounds."""

    def ints(self, count: int, scattered: bool = False) -> Any:
        """Make an array of *count* whole numbers, all 0."""
        return Room(max(1, count))

    def floats(self, count: int) -> Any:
        """Make an array of *count* floats, all 0."""
        return GuardedArray([0.0] * count)

    def of(self, values: Sequence[float]) -> Any:
        """Make an array of *values*."""
        return GuardedArray(values)

    def memory(self, size: int) -> Any:
        """Make a buffer of *size* bytes, all 0."""
        return own_memory(size)

    def argument(self, buffer: Any) -> Any:
        """Return a guarded view of a buffer; a guarded array is its own."""
        return buffer if isinstance(buffer, GuardedArray) else _View(buffer)


class _View(GuardedArray[int]):
    """The words of a buffer as a guarded array."""

    def __init__(self, buffer: Any) -> None:
        super().__init__(())
        self._values: Any = memoryview(buffer).cast("B").cast("q")


def own_memory(size: int) -> Any:
    """Return a buffer of *size* bytes, all 0, whose memory is taken as it is used.

    Raises `NotEnoughMemory`.
    """
    try:
        if hasattr(mmap, "MAP_ANONYMOUS"):  # pages that nobody shares are had in half the time
            return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        return mmap.mmap(-1, size)
    except (OSError, OverflowError, MemoryError):
        raise NotEnoughMemory(size) from None


def require_memory(size: int) -> None:
    """Raise `NotEnoughMemory` unless *size* bytes are free now."""
    own_memory(size).close()


@frozen
class InMemory:
    """Make the arrays of machine code: `ctypes` arrays in memory that `take` gives."""

    take: Callable[[int], Any] = own_memory

    def ints(self, count: int, scattered: bool = False) -> Any:
        """Make an array of *count* whole numbers, all 0."""
        return self._array(ctypes.c_int64, count, scattered)

    def floats(self, count: int) -> Any:
        """Make an array of *count* floats, all 0."""
        return self._array(ctypes.c_double, count)

    def of(self, values: Sequence[float]) -> Any:
        """Make an array of *values*."""
        floats = bool(values) and isinstance(values[-1], float)
        array = self._array(ctypes.c_double if floats else ctypes.c_int64, len(values))
        array[: len(values)] = values
        return array

    def memory(self, size: int) -> Any:
        """Make a buffer of *size* bytes, all 0."""
        return self.take(size)

    def argument(self, buffer: Any) -> int:
        """Return the address of a buffer."""
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
        """Name the elements of the array *words* by the fields of *layout*."""
        self.__dict__.update(_words=words, _places=_places(layout))

    def __getattr__(self, name: str) -> int:
        return int(self.__dict__["_words"][self.__dict__["_places"][name]])

    def __setattr__(self, name: str, value: int) -> None:
        self.__dict__["_words"][self.__dict__["_places"][name]] = value


def signed_words(mask: int, count: int) -> tuple[int, ...]:
    """Split a mask into *count* words, as signed numbers."""
    return struct.unpack(f"<{count}q", (mask & (1 << 64 * count) - 1).to_bytes(8 * count, "little"))
