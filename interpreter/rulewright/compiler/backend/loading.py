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
_ALLOCATED = 2
"""The flag of a section that lies in memory when the code runs."""
_UNWINDING = ".eh_frame"
"""How to leave functions by exceptions, which kernels never do."""
_RELATIVE = (2, 4)
"""Kinds of addresses that can be written: the distance to data, or to a function."""
_JUMP = b"\xff\x25\0\0\0\0"
"""The instruction that goes to the address behind it: the library of C may lie far away."""
_JUMP_SIZE = 16
_LOCAL = 0


def is_loaded_here() -> bool:
    """Whether this system is one whose objects are loaded without LLVM."""
    return sys.platform == "linux" and os.uname().machine == "x86_64" and sys.maxsize > 2**32


class Unloadable(Exception):
    """Object code, or a machine, that this module does not load."""


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
        texts = code[heads[names][4] :]
        self.sections = [
            _Section(_text(texts, h[0]), h[1], h[2], code[h[4] : h[4] + h[5]], *h[5:9])
            for h in heads
        ]
        self.starts: dict[int, int] = {}

    def laid_out(self, at: int) -> int:
        """Place the sections of the file from *at* on; returns the place behind them."""
        for number, s in enumerate(self.sections):
            if s.flags & _ALLOCATED and s.name != _UNWINDING:
                at += -at % max(1, s.align)
                self.starts[number] = at
                at += s.size
        return at

    def missing(self) -> int:
        """Count the symbols that the file does not define: an upper bound of jumps needed."""
        tables = [section for section in self.sections if section.kind == _SYMBOLS]
        return sum(place is None for table in tables for _, _, place in self.symbols(table))

    def symbols(self, table: _Section) -> Iterator[tuple[str, bool, int | None]]:
        """Walk symbols: the name, whether it is global, and the place (None: not in this file)."""
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
        self._addresses: dict[str, int] = {}
        for file in files:
            for table in file.sections:
                if table.kind == _SYMBOLS:
                    for name, is_global, place in file.symbols(table):
                        if is_global and place is not None:
                            self._addresses[name] = self._base + place
        for file in files:
            self._copy_in(file)
        _make_code(self._base, len(self._memory))

    def address(self, name: str) -> int:
        """Return the address of a function; 0 if there is none of that name."""
        return self._addresses.get(name, 0)

    def _copy_in(self, file: _File) -> None:
        for number, start in file.starts.items():
            if file.sections[number].kind != _ZEROS:
                self._memory[start : start + file.sections[number].size] = file.sections[
                    number
                ].data
        for places in file.sections:
            if places.kind == _PLACES and places.info in file.starts:
                self._link(file, places)

    def _link(self, file: _File, places: _Section) -> None:
        """Relocate a section of *file*; raises `Unloadable` for unknown kinds of addresses."""
        start = file.starts[places.info]
        symbols = list(file.symbols(file.sections[places.link]))
        for at, info, addend in _PLACE.iter_unpack(places.data):
            name, _, place = symbols[info >> 32]
            if info & 2**32 - 1 not in _RELATIVE:
                raise Unloadable(f"an address of kind {info & 2**32 - 1}")
            value = self._address_of(name) if place is None else self._base + place
            distance = value + addend - (self._base + start + at)
            self._memory[start + at : start + at + 4] = (distance % 2**32).to_bytes(4, "little")

    def _address_of(self, name: str) -> int:
        """Return the address of a function, or of a jump to one of the process's libraries."""
        if name not in self._addresses:
            jump = _JUMP + _library_address(name).to_bytes(8, "little")
            self._memory[self._free : self._free + len(jump)] = jump
            self._addresses[name] = self._base + self._free
            self._free += _JUMP_SIZE
        return self._addresses[name]


@cache
def _process() -> Any:
    """Return the libraries that this process has loaded, that of C among them."""
    return ctypes.CDLL(None, use_errno=True)


def _library_address(name: str) -> int:
    try:
        return ctypes.cast(_process()[name], ctypes.c_void_p).value or 0
    except AttributeError:
        raise Unloadable(f"there is no `{name}`") from None


def _make_code(address: int, size: int) -> None:
    """Make memory executable and read-only; raises `Unloadable`."""
    protect = _process().mprotect
    protect.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    if protect(address, size, mmap.PROT_READ | mmap.PROT_EXEC):
        raise Unloadable("this system lets nobody make code")
