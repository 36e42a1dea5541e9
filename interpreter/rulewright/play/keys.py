"""Keys of a terminal, one by one, with nothing that was typed ahead lost.

In: a terminal, for as long as a game lasts.  Out: characters, names of the few keys that move a
view, or None where nobody has pressed one in time.  Elsewhere than on POSIX systems readchar reads
keys, and nothing is read in time.
"""

from __future__ import annotations

import codecs
import os
import select
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from attrs import define, field

UP, DOWN, LEFT, RIGHT = "up", "down", "left", "right"
_NAMES = {
    "[A": UP, "[B": DOWN, "[D": LEFT, "[C": RIGHT, "[5~": UP, "[6~": DOWN,
    "OA": UP, "OB": DOWN, "OD": LEFT, "OC": RIGHT,
}  # fmt: skip
_REST = 0.05
"""Seconds in which the rest of a key's sequence comes."""


class EndOfInput(Exception):
    """The terminal has gone, or Ctrl-D was pressed."""


@define
class Keys:
    """Reads keys from a file descriptor."""

    fd: int
    _decoder: codecs.IncrementalDecoder = field(init=False)
    _ahead: list[str] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def press(self, seconds: float | None = None) -> str | None:
        """The next key, or None if none comes in time; without a limit one always comes."""
        limit = None if seconds is None else time.monotonic() + seconds
        while True:
            key = self._character(limit)
            if key == "\x04":
                raise EndOfInput
            if key != "\x1b":
                return key
            named = self._sequence()
            if named:
                return named

    def _character(self, limit: float | None) -> str | None:
        while not self._ahead:
            left = None if limit is None else max(0.0, limit - time.monotonic())
            ready, _, _ = select.select([self.fd], [], [], left)
            if not ready:
                return None
            try:
                data = os.read(self.fd, 1024)
            except OSError:
                raise EndOfInput from None
            if not data:
                raise EndOfInput
            self._ahead += self._decoder.decode(data)
        return self._ahead.pop(0)

    def _sequence(self) -> str:
        """The name of the key whose sequence has begun; nothing for one without a use here."""
        text = ""
        while len(text) < 8:
            character = self._character(time.monotonic() + _REST)
            if character is None:
                break
            text += character
            if text not in ("[", "O") and (character.isalpha() or character == "~"):
                break
        return _NAMES.get(text, "")


@define
class _Readchar:
    """Keys where there is no `termios`."""

    def press(self, seconds: float | None = None) -> str | None:
        import readchar  # noqa: PLC0415 - loaded where it is used

        if seconds is not None:
            time.sleep(seconds)
            return None
        key: str = readchar.readkey()
        if key == "\x04":
            raise EndOfInput
        return key


@contextmanager
def keyboard() -> Iterator[Keys | _Readchar]:
    """The keys of the standard input, unechoed; the terminal is as before afterwards."""
    try:
        import termios  # noqa: PLC0415 - not everywhere
        import tty  # noqa: PLC0415
    except ImportError:
        yield _Readchar()
        return
    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)
    tty.setcbreak(fd, termios.TCSADRAIN)
    again = signal.signal(signal.SIGCONT, lambda *_: tty.setcbreak(fd))  # after Ctrl-Z and `fg`
    try:
        yield Keys(fd)
    finally:
        signal.signal(signal.SIGCONT, again)
        with suppress(termios.error):  # the terminal may have gone
            termios.tcsetattr(fd, termios.TCSADRAIN, before)
