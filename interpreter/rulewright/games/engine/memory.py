"""Parts of packed positions: memory shared with kernels, kernel functions, the chain of past keys.

In: sizes, words, a module of machine code.  Out: `Buffer`, memory that Python and kernels share;
functions that are called with addresses; the kernels of games that `stepping` calls; `Past`, the
chain of keys of earlier positions that `repeats` compares.
"""

from __future__ import annotations

import ctypes
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias, cast

from rulewright.compiler.arrays import Arrays
from rulewright.compiler.runtime import Chance, GameArrays, i64
from rulewright.reference.position import History

WORD = 8
"""Bytes of a word."""
MASK = 2**64 - 1


class Past:
    """A chain of earlier positions, newest first: a key of each, for `repeats`.

    `history` is the same chain in the form of the reference, once it was asked for.
    """

    __slots__ = ("_total", "before", "history", "key", "number")

    def __init__(self, before: Past | None, key: bytes, history: History = None) -> None:
        """A key on top of those before."""
        self.before, self.key, self.history = before, key, history
        self.number: int = 0 if before is None else before.number + 1
        self._total = -1

    @property
    def total(self) -> int:
        """The sum of the hashes of all keys."""
        todo = list[Past]()
        entry: Past | None = self
        while entry is not None and entry._total < 0:
            todo.append(entry)
            entry = entry.before
        total = 0 if entry is None else entry._total
        for entry in reversed(todo):
            total = entry._total = hash(entry.key) + total & MASK
        return total

    def keys(self) -> Iterator[bytes]:
        """All keys, the newest first."""
        entry: Past | None = self
        while entry is not None:
            yield entry.key
            entry = entry.before


def same_past(first: Past | None, second: Past | None) -> bool:
    """Whether two chains have the same keys, each as often: then `repeats` sees no difference."""
    if first is second or first is None or second is None:
        return first is second
    alike = first.number == second.number and first.total == second.total
    return alike and Counter(first.keys()) == Counter(second.keys())


class Buffer:
    """Memory that kernels work on, seen by Python as bytes and as numbers."""

    def __init__(self, words: int, arrays: Arrays) -> None:
        """Room for so many words, all 0."""
        self.bytes = arrays.memory(max(1, words) * WORD)
        self.numbers = memoryview(self.bytes).cast("B").cast("q")
        self.argument: Any = arrays.argument(self.bytes)
        """The argument that stands for it in calls of kernels: its address, if these are native."""
        self._arrays = arrays

    def behind(self, words: int) -> Any:
        """The argument that stands for the memory behind the first words."""
        if isinstance(self.argument, int):
            return self.argument + words * WORD
        return self._arrays.argument(memoryview(self.bytes)[words * WORD :])


def packed_words(words: Iterable[int]) -> bytes:
    """Words as bytes."""
    numbers = list(words)
    return struct.pack(f"={len(numbers)}q", *numbers)


Kernel: TypeAlias = Callable[..., int]


def function_at(native: Any, name: str, held: bool) -> Kernel:
    """The kernel of a name, called with addresses; *held*: with the lock of Python held."""
    if not hasattr(native, "address"):  # no machine code of our own
        return cast(Kernel, native[name])
    kind = ctypes.PYFUNCTYPE if held else ctypes.CFUNCTYPE
    signature = native.signatures[name]
    takes = [ctypes.c_int64 if t == "i64" else ctypes.c_void_p for _, t in signature.flat]
    function: Any = kind(None if signature.gives == "None" else ctypes.c_int64, *takes)(
        native.address(name)
    )
    function.code = native  # the code must outlive whoever calls it
    return cast(Kernel, function)


# --- kernels of games that `stepping` and batches call: linked by name, never run from Python ---


def decisions(g: GameArrays, n: i64) -> i64:
    """Write the decisions of the position from row n on; the row behind the last one."""
    raise NotImplementedError


def play(g: GameArrays, at: i64, top: i64) -> None:
    """Play the decision in the row at word `at`; rows from `top` on are free."""
    raise NotImplementedError


def stuck(g: GameArrays) -> i64:
    """The result for a player without a decision; RUNNING when no rule says one."""
    raise NotImplementedError


def ply(g: GameArrays, chance: Chance, n: i64) -> i64:
    """Play a random decision, with rows from `n` on free; 0 where there is none."""
    raise NotImplementedError
