"""Running a program from outside, with lines through its standard input and output.

In: a command, lines to send, deadlines for answers.  Out: the lines of the program.  A program that
hangs, ends, floods its output or closes its pipes raises `Failed` with the reason; `close` ends it
with all processes that it has started.  Threads write and read, and every wait has a deadline, so
that no program can hold up its caller.

On Linux the program runs under a warden (`warden.py`): processes that have left its group are ended
too, and everything is ended if this process is killed.  Elsewhere only the group is ended.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import IO

from attrs import define, field

from rulewright.errors import RulewrightError
from rulewright.players.player import Failed

MOST_BYTES = 1 << 20
"""Bytes that a program may write between two lines that it is sent; more is a flood."""
GRACE = 0.5
"""Seconds for a program to end by itself after each request, before it is killed."""
_WARDEN = 8.0
"""Seconds in which a warden has to end all processes."""
_CHUNK = 1 << 16
_MOST_LINES = 2000


class CannotStart(RulewrightError):
    """Raised if a program does not exist or may not be run: the mistake is in the command."""


def words(command: str) -> tuple[str, ...]:
    """Split a command line into words, as a shell does; raises `RulewrightError`."""
    try:
        parts = tuple(shlex.split(command))
    except ValueError as error:
        raise RulewrightError(f"the command `{command}` cannot be read: {error}") from None
    if not parts:
        raise RulewrightError("the command of a program is missing")
    return parts


@define(eq=False)
class Program:
    """A running program; use it in a `with` statement, or `close` it."""

    command: tuple[str, ...]
    process: subprocess.Popen[bytes]
    _life: int | None = None
    """The descriptor of the pipe to the warden."""
    _lines: SimpleQueue[str | None] = field(factory=SimpleQueue, init=False)
    _outbox: SimpleQueue[bytes | None] = field(factory=SimpleQueue, init=False)
    _lock: Lock = field(factory=Lock, init=False)
    _byte_count: int = field(default=0, init=False)
    _flooded: bool = field(default=False, init=False)
    _errors: bytearray = field(factory=bytearray, init=False)
    _threads: list[Thread] = field(factory=list, init=False)
    _closed: bool = field(default=False, init=False)

    @classmethod
    def start(cls, command: str | Sequence[str], folder: str | None = None) -> Program:
        """Start a program in a process group of its own; raises `CannotStart`."""
        parts = words(command) if isinstance(command, str) else tuple(command)
        try:
            begin = _guarded if sys.platform == "linux" and sys.executable else _alone
            program = cls(parts, *begin(parts, folder))
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise CannotStart(f"`{parts[0]}` cannot be started: {reason}") from None
        for work in (program._read, program._read_errors, program._write):
            program._threads.append(Thread(target=work, daemon=True))
            program._threads[-1].start()
        return program

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def name(self) -> str:
        """The name of the program in messages."""
        return os.path.basename(self.command[-1 if len(self.command) == 2 else 0])  # noqa: PTH119

    # --- talking ---

    def say(self, *lines: str) -> None:
        """Send lines without waiting for the program to read them."""
        with self._lock:
            self._byte_count = 0
        self._outbox.put("".join(f"{line}\n" for line in lines).encode())

    def hear(self, deadline: float) -> str:
        """Wait for a line up to *deadline* (of `time.monotonic`); raises `Failed`."""
        while True:
            seconds = deadline - time.monotonic()
            try:
                line = self._lines.get(timeout=max(seconds, 0.0))
            except Empty:
                raise Failed("hang", f"{self.name} gave no answer in time") from None
            if line is None:
                self._lines.put(None)
                raise Failed("crash", f"{self.name} {self._why_silent()}")
            if line:
                return line

    def _why_silent(self) -> str:
        if self._flooded:
            return f"wrote more than {MOST_BYTES} bytes where one line was expected"
        status = _status(self.process, GRACE)
        if status is None:
            return "closed its output"
        self._threads[1].join(GRACE)  # its last error messages may not be read yet
        lines = bytes(self._errors).decode("utf-8", "replace").strip().splitlines()
        last = f": {lines[-1]}" if lines else ""
        if status < 0:
            return f"was ended by {signal.Signals(-status).name}{last}"
        return f"ended with status {status}{last}"

    # --- the threads ---

    def _read(self) -> None:
        """Read the output as lines, until it ends or becomes a flood."""
        rest = b""
        while chunk := _chunk_of(self.process.stdout):
            with self._lock:
                self._byte_count += len(chunk)
                self._flooded = self._byte_count > MOST_BYTES
            if self._flooded:
                break
            *lines, rest = (rest + chunk).replace(b"\r", b"\n").split(b"\n")
            for line in lines:
                self._lines.put(line.decode("utf-8", "replace").strip())
        if rest and not self._flooded:
            self._lines.put(rest.decode("utf-8", "replace").strip())
        self._lines.put(None)

    def _read_errors(self) -> None:
        """Read the error output, and keep its end."""
        while chunk := _chunk_of(self.process.stderr):
            self._errors += chunk
            del self._errors[:-_MOST_LINES]

    def _write(self) -> None:
        assert self.process.stdin is not None
        pipe = self.process.stdin
        try:
            while (data := self._outbox.get()) is not None:
                while data:
                    data = data[os.write(pipe.fileno(), data) :]
            pipe.close()
        except OSError:
            pass  # the program has ended, or closed its input, which reading notices

    # --- ending ---

    def close(self, *last: str) -> None:
        """Send *last*, close the input, and end the program: by request, SIGTERM, then SIGKILL."""
        if self._closed:
            return
        self._closed = True
        if last:
            self.say(*last)
        self._outbox.put(None)
        for number in (None, signal.SIGTERM, _KILL):
            if number is not None:
                self._signal(number)
            if _status(self.process, GRACE) is not None:
                break
        self._signal(_KILL)  # processes that it has started, and that do not end with it
        self.process.wait()
        if self._life is not None:
            os.close(self._life)
            self._life = None
        for thread, pipe in zip(self._threads, self._pipes(), strict=True):
            thread.join(GRACE)
            if not thread.is_alive() and pipe is not None:  # else another process holds the pipe
                pipe.close()

    def _pipes(self) -> tuple[IO[bytes] | None, ...]:
        return self.process.stdout, self.process.stderr, self.process.stdin

    def _signal(self, number: int) -> None:
        try:
            if self._life is not None:
                self._tell_warden(number)
            elif sys.platform == "win32":
                self.process.kill()
            else:
                os.killpg(self.process.pid, number)
        except (ProcessLookupError, PermissionError, BrokenPipeError):
            pass  # everybody of the group has ended

    def _tell_warden(self, number: int) -> None:
        """Ask the warden to end all processes by a byte, or to kill them by closing the pipe."""
        assert self._life is not None
        if number != _KILL:
            os.write(self._life, b"T")
            return
        os.close(self._life)
        self._life = None
        if _status(self.process, _WARDEN) is None:
            self.process.kill()  # the warden hangs


def _alone(parts: Sequence[str], folder: str | None) -> tuple[subprocess.Popen[bytes], None]:
    """Start a program in a process group of its own."""
    return _opened(parts, folder, ()), None


def _guarded(parts: Sequence[str], folder: str | None) -> tuple[subprocess.Popen[bytes], int]:
    """Start a program under a warden; returns the warden and the descriptor that controls it."""
    failure, report = os.pipe()
    listens, life = os.pipe()
    try:
        python = (sys.executable, "-I", "-S", str(Path(__file__).with_name("warden.py")))
        process = _opened((*python, str(report), str(listens), *parts), folder, (report, listens))
    except BaseException:
        os.close(failure)
        os.close(life)
        raise
    finally:
        os.close(report)
        os.close(listens)
    with open(failure, "rb") as answer:  # noqa: PTH123  (a descriptor)
        number = answer.read()  # ends as soon as the program runs
    if number:
        os.close(life)
        process.communicate()
        raise OSError(int(number), os.strerror(int(number)))
    return process, life


def _opened(
    command: Sequence[str], folder: str | None, descriptors: Sequence[int]
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command, bufsize=0, cwd=folder, start_new_session=True, pass_fds=descriptors,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


_KILL: int = getattr(signal, "SIGKILL", signal.SIGTERM)


def _status(process: subprocess.Popen[bytes], seconds: float) -> int | None:
    """Wait for a program to end: its exit status, a negative signal number, None if it runs on.

    The program is left unreaped, so that no other process can get the number of its group.
    """
    if sys.platform == "win32":
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
    deadline = time.monotonic() + seconds
    while True:
        state = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if state is not None:
            return state.si_status if state.si_code == os.CLD_EXITED else -state.si_status
        if time.monotonic() >= deadline:
            return None
        time.sleep(0.002)


def _chunk_of(stream: IO[bytes] | None) -> bytes:
    """Read some bytes of a pipe; none at its end."""
    assert stream is not None
    try:
        return os.read(stream.fileno(), _CHUNK)
    except OSError:
        return b""
