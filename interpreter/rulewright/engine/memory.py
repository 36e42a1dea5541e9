"""What packed positions are made of: memory for kernels, their addresses, and what stood before.

In: sizes, words, a module of machine code.  Out: `Buffer` that both see, functions that are called
with addresses, the kernels of games that `stepping` calls, and `Past`, a chain of keys that
`repeats` can be asked about.
"""

from __future__ import annotations

import ctypes
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias, cast

from rulewright.codegen.arrays import Arrays
from rulewright.codegen.runtime import GameArrays, i64
from rulewright.reference.position import History

WORD = 8
"""Bytes of a word."""
MASK = 2**64 - 1


class Past:
    """What stood before, newest first: a key for `repeats`; made in every turn, so kept bare.

    `history` is the same as the reference has it, once that was asked for.
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
        here: Past | None = self
        while here is not None and here._total < 0:
            todo.append(here)
            here = here.before
        total = 0 if here is None else here._total
        for one in reversed(todo):
            total = one._total = hash(one.key) + total & MASK
        return total

    def keys(self) -> Iterator[bytes]:
        """All keys, the newest first."""
        here: Past | None = self
        while here is not None:
            yield here.key
            here = here.before


def same_past(one: Past | None, other: Past | None) -> bool:
    """Whether `repeats` can tell no difference: the same positions stood before, as often."""
    if one is other:
        return True
    if one is None or other is None or (one.number, one.total) != (other.number, other.total):
        return False
    return Counter(one.keys()) == Counter(other.keys())


class Buffer:
    """Memory that kernels work on, seen as bytes and as numbers; taken as it is used."""

    def __init__(self, words: int, arrays: Arrays) -> None:
        """Room for so many words, all 0."""
        self.bytes = arrays.memory(max(1, words) * WORD)
        self.numbers = memoryview(self.bytes).cast("B").cast("q")
        self.given: Any = arrays.given(self.bytes)
        """What kernels take for it: its address, if they are compiled."""
        self._arrays = arrays

    def behind(self, words: int) -> Any:
        """What kernels take for all but the first words."""
        if isinstance(self.given, int):
            return self.given + words * WORD
        return self._arrays.given(memoryview(self.bytes)[words * WORD :])


def packed_words(words: Iterable[int]) -> bytes:
    """Words as bytes."""
    found = list(words)
    return struct.pack(f"={len(found)}q", *found)


Kernel: TypeAlias = Callable[..., int]


def function_at(native: Any, name: str, held: bool) -> Kernel:
    """A kernel that is called with addresses; *held*: no other thread runs meanwhile."""
    if not hasattr(native, "address"):  # no machine code of our own
        return cast(Kernel, native[name])
    kind = ctypes.PYFUNCTYPE if held else ctypes.CFUNCTYPE
    signature = native.signatures[name]
    takes = [ctypes.c_int64 if t == "i64" else ctypes.c_void_p for _, t in signature.flat]
    function: Any = kind(None if signature.gives == "None" else ctypes.c_int64, *takes)(
        native.address(name)
    )
    function.code = native  # the code must outlive whoever calls it
    found: Kernel = function
    return found


# --- what kernels of games give to those of `stepping`: linked by name, never run from here ---


def decisions(g: GameArrays, n: i64) -> i64:
    """Write the decisions of the position from row n on; the row behind the last one."""
    raise NotImplementedError


def play(g: GameArrays, at: i64, top: i64) -> None:
    """Play the decision in the row at word `at`; rows from `top` on are free."""
    raise NotImplementedError


def stuck(g: GameArrays) -> i64:
    """The result for a player without a decision; RUNNING when no rule says one."""
    raise NotImplementedError
