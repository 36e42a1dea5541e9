"""Compiling in processes of their own, for servers that stay: LLVM's memory ends with them.

In: an assembly text.  Out: its object code; None where no process could make it, so that the caller
compiles by itself.  A process stays for the next text.  It ends when none comes for a while, and
when the server ends: its input ends then.  Run as a program, this module is such a process.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import threading
from contextlib import suppress
from typing import BinaryIO, cast

from attrs import define, field

from rulewright.compiler.backend.native import compile_object, fast_deposit

_SIZE = struct.Struct("<Q")
_CAREFUL = "careful"
_PATIENCE = 5.0
"""Seconds after which a process that has nothing to do ends."""
_POLITE = 10
"""How nice a process is that compiles with care, which can wait."""


def _write(stream: BinaryIO, part: bytes) -> None:
    stream.write(_SIZE.pack(len(part)) + part)
    stream.flush()


def _read(stream: BinaryIO) -> bytes:
    """Read a part; raises `EOFError` where the other side has ended."""
    head = stream.read(_SIZE.size)
    part = stream.read(_SIZE.unpack(head)[0]) if len(head) == _SIZE.size else b""
    if not part:
        raise EOFError
    return part


@define(eq=False)
class _Compiler:
    """A process that compiles quickly, or with care."""

    process: subprocess.Popen[bytes]
    fast_deposit: bool = False
    texts: int = 0
    """How many texts it was given."""

    @classmethod
    def start(cls, quick: bool) -> _Compiler:
        """Start a process; raises `OSError` or `EOFError`."""
        words = [sys.executable, "-P", "-m", __name__, *([] if quick else [_CAREFUL])]
        process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            start_new_session=True,  # an interrupt at the terminal is for the server
        )  # fmt: skip
        compiler = cls(process)
        try:
            compiler.fast_deposit = compiler.receive() == b"1"
        except BaseException:
            compiler.end()
            raise
        return compiler

    def send(self, text: bytes) -> None:
        """Give it a text."""
        self.texts += 1
        _write(cast(BinaryIO, self.process.stdin), text)

    def receive(self) -> bytes:
        """Wait for its answer; raises `EOFError`."""
        return _read(cast(BinaryIO, self.process.stdout))

    def end(self) -> None:
        """End it, whatever it does."""
        self.process.kill()
        with self.process:
            pass


@define(eq=False)
class Compilers:
    """The processes of a server; any thread may use them."""

    _idle: dict[bool, list[_Compiler]] = field(factory=lambda: {True: [], False: []})
    _lock: threading.Lock = field(factory=threading.Lock)

    def compile(self, assembly: str, quick: bool) -> bytes | None:
        """Return object code of an assembly text; None where no process has made it."""
        compiler: _Compiler | None = None
        with suppress(OSError, EOFError):
            compiler = self._take(quick)
            compiler.send(assembly.encode())
            code = compiler.receive()
            self._give_back(compiler, quick)
            return code
        if compiler is not None:
            compiler.end()
        return None

    def fast_deposit(self) -> bool | None:
        """Whether the processor has a fast pdep, as LLVM knows; None where no process said so."""
        with suppress(OSError, EOFError):
            compiler = self._take(True)
            self._give_back(compiler, True)
            return compiler.fast_deposit
        return None

    def _take(self, quick: bool) -> _Compiler:
        with self._lock:
            if self._idle[quick]:
                return self._idle[quick].pop()
        return _Compiler.start(quick)

    def _give_back(self, compiler: _Compiler, quick: bool) -> None:
        with self._lock:
            self._idle[quick].append(compiler)
        timer = threading.Timer(_PATIENCE, self._end, (compiler, quick, compiler.texts))
        timer.daemon = True
        timer.start()

    def _end(self, compiler: _Compiler, quick: bool, texts: int) -> None:
        """End a process that was given no further text."""
        with self._lock:
            if compiler not in self._idle[quick] or compiler.texts != texts:
                return
            self._idle[quick].remove(compiler)
        compiler.end()


def main() -> None:
    """Compile texts until there is no more input."""
    quick = _CAREFUL not in sys.argv[1:]
    if not quick and hasattr(os, "nice"):
        os.nice(_POLITE)
    _write(sys.stdout.buffer, b"1" if fast_deposit() else b"0")
    with suppress(EOFError, BrokenPipeError):
        while True:
            _write(sys.stdout.buffer, compile_object(_read(sys.stdin.buffer).decode(), quick))


if __name__ == "__main__":
    main()
