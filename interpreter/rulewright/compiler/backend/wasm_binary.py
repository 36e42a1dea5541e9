"""WebAssembly's binary format, written directly: what a translator needs of it, and no more.

In: instructions as bytes (`WasmCode`), signatures, memory, data.  Out: the bytes of a module.
Nothing is checked here: whoever loads a module validates it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence

from attrs import define, field, frozen

I32, I64, F64 = 0x7F, 0x7E, 0x7C
EMPTY = 0x40
"""The type of a block that gives nothing."""
PAGE = 65_536
"""Bytes of a page of memory."""
_FUNCTION, _MEMORY = 0, 2
_TYPES, _IMPORTS, _FUNCTIONS, _MEMORIES, _EXPORTS, _START, _CODES, _DATA = 1, 2, 3, 5, 7, 8, 10, 11

PLAIN: Mapping[str, int] = {
    "unreachable": 0x00, "else": 0x05, "end": 0x0B, "return": 0x0F, "drop": 0x1A, "select": 0x1B,
    "i32.eqz": 0x45, "i32.and": 0x71, "i32.or": 0x72, "i32.add": 0x6A, "i32.shl": 0x74,
    "i64.eqz": 0x50, "i64.eq": 0x51, "i64.ne": 0x52, "i64.lt_s": 0x53, "i64.gt_s": 0x55,
    "i64.le_s": 0x57, "i64.ge_s": 0x59,
    "f64.eq": 0x61, "f64.ne": 0x62, "f64.lt": 0x63, "f64.gt": 0x64, "f64.le": 0x65, "f64.ge": 0x66,
    "i64.ctz": 0x7A, "i64.popcnt": 0x7B, "i64.add": 0x7C, "i64.sub": 0x7D, "i64.mul": 0x7E,
    "i64.div_s": 0x7F, "i64.rem_s": 0x81, "i64.and": 0x83, "i64.or": 0x84, "i64.xor": 0x85,
    "i64.shl": 0x86, "i64.shr_s": 0x87, "i64.shr_u": 0x88,
    "f64.neg": 0x9A, "f64.sqrt": 0x9F, "f64.add": 0xA0, "f64.sub": 0xA1, "f64.mul": 0xA2,
    "f64.div": 0xA3,
    "i32.wrap_i64": 0xA7, "i64.extend_i32_s": 0xAC, "f64.convert_i64_s": 0xB9,
    "i64.reinterpret_f64": 0xBD, "f64.reinterpret_i64": 0xBF,
}  # fmt: skip
"""Instructions without immediate arguments."""
_LOAD, _STORE = {I64: 0x29, F64: 0x2B}, {I64: 0x37, F64: 0x39}
_BLOCK, _LOOP, _IF, _BR, _BR_IF, _CALL = 0x02, 0x03, 0x04, 0x0C, 0x0D, 0x10
_GET, _SET, _TEE = 0x20, 0x21, 0x22
_I32_CONST, _I64_CONST, _F64_CONST = 0x41, 0x42, 0x44
_ALIGNED = 3
"""Words lie at multiples of 2^3 bytes."""


def unsigned_bytes(value: int) -> bytes:
    """Encode a number of at least 0 in LEB128."""
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def signed_bytes(value: int) -> bytes:
    """Encode a number with its sign in LEB128."""
    encoded = bytearray()
    while not -0x40 <= value < 0x40:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value & 0x7F)
    return bytes(encoded)


def _vector(items: Iterable[bytes]) -> bytes:
    entries = list(items)
    return unsigned_bytes(len(entries)) + b"".join(entries)


def _name(text: str) -> bytes:
    data = text.encode()
    return unsigned_bytes(len(data)) + data


@define
class WasmCode:
    """Append instructions; blocks are counted, so that jumps find theirs."""

    data: bytearray = field(factory=bytearray)
    depth: int = 0
    """Blocks that are open."""

    def op(self, *names: str) -> None:
        """Append instructions without immediate arguments."""
        for name in names:
            self.data.append(PLAIN[name])

    def _with(self, byte: int, number: int) -> None:
        self.data.append(byte)
        self.data += unsigned_bytes(number)

    def get(self, local: int) -> None:
        """Push a local."""
        self._with(_GET, local)

    def set(self, local: int) -> None:
        """Pop into a local."""
        self._with(_SET, local)

    def tee(self, local: int) -> None:
        """Copy into a local."""
        self._with(_TEE, local)

    def call(self, function: int) -> None:
        """Call a function by its number."""
        self._with(_CALL, function)

    def i32(self, value: int) -> None:
        """Push a number of 32 bits."""
        self.data.append(_I32_CONST)
        self.data += signed_bytes(value)

    def i64(self, value: int) -> None:
        """Push a number of 64 bits."""
        self.data.append(_I64_CONST)
        self.data += signed_bytes(value)

    def f64(self, value: float) -> None:
        """Push a float."""
        self.data.append(_F64_CONST)
        self.data += struct.pack("<d", value)

    def load(self, type_: int, offset: int) -> None:
        """Replace an address by the word that lies *offset* bytes behind it."""
        self.data += bytes((_LOAD[type_], _ALIGNED))
        self.data += unsigned_bytes(offset)

    def store(self, type_: int, offset: int) -> None:
        """Pop a word and an address, and put the one *offset* bytes behind the other."""
        self.data += bytes((_STORE[type_], _ALIGNED))
        self.data += unsigned_bytes(offset)

    def block(self) -> int:
        """Open a block; its label, for jumps to its end."""
        return self._open(_BLOCK, EMPTY)

    def loop(self) -> int:
        """Open a loop; its label, for jumps to its beginning."""
        return self._open(_LOOP, EMPTY)

    def if_(self, type_: int = EMPTY) -> int:
        """Pop a truth and open the block for it."""
        return self._open(_IF, type_)

    def _open(self, byte: int, type_: int) -> int:
        self.data += bytes((byte, type_))
        self.depth += 1
        return self.depth

    def end(self) -> None:
        """Close the innermost block."""
        self.op("end")
        self.depth -= 1

    def jump(self, label: int) -> None:
        """Go to a label."""
        self._with(_BR, self.depth - label)

    def jump_if(self, label: int) -> None:
        """Pop a truth and go to a label where it holds."""
        self._with(_BR_IF, self.depth - label)


@frozen
class WasmShape:
    """The types of a function's arguments and results in WebAssembly."""

    takes: tuple[int, ...]
    gives: tuple[int, ...]

    def encoded(self) -> bytes:
        """Encode the shape as an entry of the section of types."""
        return (
            b"\x60"
            + _vector(bytes((t,)) for t in self.takes)
            + _vector(bytes((t,)) for t in self.gives)
        )


@frozen
class WasmFunction:
    """A function: its shape, its further locals, its instructions."""

    shape: WasmShape
    locals: Sequence[int]
    code: WasmCode

    def encoded(self) -> bytes:
        """Encode the function as an entry of the section of codes."""
        runs: list[list[int]] = []
        for type_ in self.locals:
            if runs and runs[-1][1] == type_:
                runs[-1][0] += 1
            else:
                runs.append([1, type_])
        declared = _vector(unsigned_bytes(count) + bytes((type_,)) for count, type_ in runs)
        content = declared + bytes(self.code.data) + bytes((PLAIN["end"],))
        return unsigned_bytes(len(content)) + content


@define
class WasmModule:
    """A module with one memory: its own of so many `pages`, or `env.memory` if it has none."""

    pages: int = 0
    functions: list[WasmFunction] = field(factory=list)
    exports: dict[str, int] = field(factory=dict)
    """Functions by the names that others know them by."""
    start: int | None = None
    """The function that is run when the module has been loaded."""
    data: list[tuple[int, bytes]] = field(factory=list)
    """The initial bytes of the memory, and where they lie."""

    def encoded(self) -> bytes:
        """Encode the module."""
        shapes = list(dict.fromkeys(f.shape for f in self.functions))
        numbers = {shape: unsigned_bytes(i) for i, shape in enumerate(shapes)}
        exported = [
            _name(n) + bytes((_FUNCTION,)) + unsigned_bytes(i) for n, i in self.exports.items()
        ]
        sections = [(_TYPES, _vector(shape.encoded() for shape in shapes))]
        if self.pages:
            exported.append(_name("memory") + bytes((_MEMORY, 0)))
        else:
            memory = _name("env") + _name("memory") + bytes((_MEMORY, 0, 0))
            sections.append((_IMPORTS, _vector([memory])))
        sections.append((_FUNCTIONS, _vector(numbers[f.shape] for f in self.functions)))
        if self.pages:
            sections.append((_MEMORIES, _vector([b"\x00" + unsigned_bytes(self.pages)])))
        sections.append((_EXPORTS, _vector(exported)))
        if self.start is not None:
            sections.append((_START, unsigned_bytes(self.start)))
        sections.append((_CODES, _vector(f.encoded() for f in self.functions)))
        if self.data:
            sections.append((_DATA, _vector(_segment(at, block) for at, block in self.data)))
        content = b"".join(bytes((n,)) + unsigned_bytes(len(body)) + body for n, body in sections)
        return b"\0asm\x01\0\0\0" + content


def _segment(at: int, content: bytes) -> bytes:
    code = WasmCode()
    code.i32(at)
    code.op("end")
    return b"\x00" + bytes(code.data) + unsigned_bytes(len(content)) + content
