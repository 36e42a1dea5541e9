"""Object code put into memory, without the library of LLVM, which takes long to load.

In: object files for x86-64 in ELF, as LLVM writes them for its small model of code that may lie
anywhere: an address in them is the way there, in half a word.  Out: where their functions lie.
Refuses (as `Unloadable`) files of other machines, other ways to name an address, and systems that
let nobody make code; LLVM loads those.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import struct
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from rulewright.ground.records import record

_HEAD = b"\x7fELF\x02\x01\x01"
_RELOCATABLE, _X86_64 = 1, 62
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_PLACE = struct.Struct("<QQq")
_SYMBOLS, _PLACES, _ZEROS = 2, 4, 8
"""Kinds of sections."""
_NEEDED = 2
"""The flag of a section that is there when the code runs."""
_UNWINDING = ".eh_frame"
"""How to leave functions by exceptions, which kernels never do."""
_WAYS = (2, 4)
"""How an address is named: as the way to data, or to a function."""
_JUMP = b"\xff\x25\0\0\0\0"
"""The instruction that goes to the address behind it: the library of C may lie far away."""
_JUMP_SIZE = 16
_LOCAL = 0


def is_loaded_here() -> bool:
    """Whether this system is one whose objects are loaded without LLVM."""
    return sys.platform == "linux" and os.uname().machine == "x86_64" and sys.maxsize > 2**32


class Unloadable(Exception):
    """This object code, or this machine, is none of those that are known here."""


@record
class _Section:
    name: str
    kind: int
    flags: int
    data: bytes
    size: int
    link: int
    info: int
    align: int


class _File:
    """An object file, its sections and where they will lie from the beginning of the memory."""

    def __init__(self, code: bytes) -> None:
        kind, machine = struct.unpack_from("<HH", code, 16)
        if not code.startswith(_HEAD) or (kind, machine) != (_RELOCATABLE, _X86_64):
            raise Unloadable("no object file of x86-64")
        (start,) = struct.unpack_from("<Q", code, 40)
        _, count, names = struct.unpack_from("<HHH", code, 58)
        heads = [_SECTION.unpack_from(code, start + i * _SECTION.size) for i in range(count)]
        told = code[heads[names][4] :]
        self.sections = [
            _Section(
                _text(told, h[0]), h[1], h[2], code[h[4] : h[4] + h[5]], h[5], h[6], h[7], h[8]
            )
            for h in heads
        ]
        self.starts: dict[int, int] = {}

    def laid_out(self, at: int) -> int:
        """The place behind this file, which begins at *at*."""
        for number, s in enumerate(self.sections):
            if s.flags & _NEEDED and s.name != _UNWINDING:
                at += -at % max(1, s.align)
                self.starts[number] = at
                at += s.size
        return at

    def missing(self) -> int:
        """How many functions it calls that are elsewhere, at the most."""
        tables = [section for section in self.sections if section.kind == _SYMBOLS]
        return sum(place is None for table in tables for _, _, place in self.symbols(table))

    def symbols(self, table: _Section) -> Iterator[tuple[str, bool, int | None]]:
        """Name, whether other files may ask for it, and the place; None: nowhere in this file."""
        texts = self.sections[table.link].data
        for name, info, _, section, value, _ in _SYMBOL.iter_unpack(table.data):
            start = self.starts.get(section)
            yield _text(texts, name), info >> 4 != _LOCAL, None if start is None else start + value


def _text(data: bytes, at: int) -> str:
    return data[at : data.index(b"\0", at)].decode()


class Image:
    """Object files in memory, linked to each other; there as long as this object lives."""

    def __init__(self, codes: Sequence[bytes]) -> None:
        """Load the files; raises `Unloadable`."""
        if not is_loaded_here():
            raise Unloadable("another system")
        files, size = [_File(code) for code in codes], 0
        for file in files:
            size = file.laid_out(size)
        self._free = size
        size += _JUMP_SIZE * sum(file.missing() for file in files)
        self._memory = mmap.mmap(-1, max(1, size), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self._base = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        self._known: dict[str, int] = {}
        for file in files:
            for table in file.sections:
                if table.kind == _SYMBOLS:
                    for name, told, place in file.symbols(table):
                        if told and place is not None:
                            self._known[name] = self._base + place
        for file in files:
            self._put(file)
        _make_code(self._base, len(self._memory))

    def address(self, name: str) -> int:
        """Where a function lies; 0 if it is not there."""
        return self._known.get(name, 0)

    def _put(self, file: _File) -> None:
        for number, start in file.starts.items():
            if file.sections[number].kind != _ZEROS:
                self._memory[start : start + file.sections[number].size] = file.sections[
                    number
                ].data
        for places in file.sections:
            if places.kind == _PLACES and places.info in file.starts:
                self._link(file, places)

    def _link(self, file: _File, places: _Section) -> None:
        """Write addresses where a section of *file* asks for them."""
        start = file.starts[places.info]
        found = list(file.symbols(file.sections[places.link]))
        for at, info, more in _PLACE.iter_unpack(places.data):
            name, _, place = found[info >> 32]
            if info & 2**32 - 1 not in _WAYS:
                raise Unloadable(f"an address of kind {info & 2**32 - 1}")
            value = self._named(name) if place is None else self._base + place
            way = value + more - (self._base + start + at)
            self._memory[start + at : start + at + 4] = (way % 2**32).to_bytes(4, "little")

    def _named(self, name: str) -> int:
        """Where a function lies, or a jump to one that lies outside."""
        if name not in self._known:
            jump = _JUMP + _outside(name).to_bytes(8, "little")
            self._memory[self._free : self._free + len(jump)] = jump
            self._known[name] = self._base + self._free
            self._free += _JUMP_SIZE
        return self._known[name]


@cache
def _process() -> Any:
    """What this process has loaded, the library of C among it."""
    return ctypes.CDLL(None, use_errno=True)


def _outside(name: str) -> int:
    try:
        return ctypes.cast(_process()[name], ctypes.c_void_p).value or 0
    except AttributeError:
        raise Unloadable(f"there is no `{name}`") from None


def _make_code(address: int, size: int) -> None:
    """Memory that was written becomes code, and can be written no more."""
    protect = _process().mprotect
    protect.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    if protect(address, size, mmap.PROT_READ | mmap.PROT_EXEC):
        raise Unloadable("this system lets nobody make code")
