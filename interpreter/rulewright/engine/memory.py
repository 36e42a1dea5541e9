"""What packed positions are made of: memory for kernels, their addresses, and what stood before.

In: sizes, words, a module of machine code.  Out: `Memory` that both see, functions that are called
with addresses, and `Past`, a chain of keys that `repeats` can be asked about.
"""

from __future__ import annotations

import ctypes
import mmap
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

from attrs import define, field

from rulewright.reference.position import History

WORD = 8
"""Bytes of a word."""
MASK = 2**64 - 1


@define(eq=False)
class Past:
    """What stood before, newest first: a key for `repeats`, and the sum of all hashes."""

    before: Past | None
    key: bytes
    history: History = None
    """The same as the reference has it, once that was asked for."""
    number: int = field(init=False)
    total: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.number = self.before.number + 1 if self.before else 0
        self.total = hash(self.key) + (self.before.total if self.before else 0) & MASK

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


class Memory:
    """Memory that kernels work on, seen as bytes and as numbers; taken as it is used."""

    def __init__(self, words: int) -> None:
        """Room for so many words, all 0."""
        memory = mmap.mmap(-1, max(1, words) * WORD)
        self.bytes = memoryview(memory)
        self.numbers = self.bytes.cast("q")
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(memory))


def packed_words(words: Iterable[int]) -> bytes:
    """Words as bytes."""
    found = list(words)
    return struct.pack(f"={len(found)}q", *found)


Kernel: TypeAlias = Callable[..., int]


def function_at(native: Any, name: str, held: bool) -> Kernel:
    """A kernel that is called with addresses; *held*: no other thread runs meanwhile."""
    kind = ctypes.PYFUNCTYPE if held else ctypes.CFUNCTYPE
    signature = native.signatures[name]
    takes = [ctypes.c_int64 if t == "i64" else ctypes.c_void_p for _, t in signature.flat]
    function: Any = kind(None if signature.gives == "None" else ctypes.c_int64, *takes)(
        native.address(name)
    )
    function.code = native  # the code must outlive whoever calls it
    found: Kernel = function
    return found
