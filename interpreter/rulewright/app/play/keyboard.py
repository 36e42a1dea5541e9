"""Reading single keys from a terminal, and the text of a prompt.

In: a terminal; a state.  Out: keys one by one, none of those typed ahead lost, None if a time limit
passes; the keys that stand for decisions of the state, and its kinds of moves as a short text.
Elsewhere than on POSIX systems readchar reads keys, and a read with a time limit gives None.
"""

from __future__ import annotations

import codecs
import os
import re
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial

from attrs import define, field

from rulewright.games.engine.game import State
from rulewright.matches.protocols.san import WrittenMoves
from rulewright.reference.decisions import NONE

UP, DOWN, LEFT, RIGHT = "up", "down", "left", "right"
_NAMES = {
    "[A": UP, "[B": DOWN, "[D": LEFT, "[C": RIGHT, "[5~": UP, "[6~": DOWN,
    "OA": UP, "OB": DOWN, "OD": LEFT, "OC": RIGHT,
}  # fmt: skip
_REST = 0.05
"""Seconds to wait for the rest of an escape sequence."""


class EndOfInput(Exception):
    """Raised when the terminal is closed or Ctrl-D is pressed."""


@define
class Keys:
    """Reads keys from a file descriptor."""

    fd: int
    _decoder: codecs.IncrementalDecoder = field(init=False)
    _ahead: list[str] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def press(self, seconds: float | None = None) -> str | None:
        """Wait for a key; None after so many *seconds*.  Raises `EndOfInput`."""
        limit = None if seconds is None else time.monotonic() + seconds
        while True:
            key = self._character(limit)
            if key == "\x04":
                raise EndOfInput
            if key != "\x1b":
                return key
            name = self._sequence()
            if name:
                return name

    def _character(self, limit: float | None) -> str | None:
        while not self._ahead:
            seconds = None if limit is None else max(0.0, limit - time.monotonic())
            ready, _, _ = select.select([self.fd], [], [], seconds)
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
        """Read the rest of an escape sequence; the name of its key, empty if it has no use here."""
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
    """Reads keys where there is no `termios`."""

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
    """Read keys of the standard input without echo; restores the terminal's mode at the end."""
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


_TEXTS = WrittenMoves()
"""Writes every move as its text."""
_FEW = 30
"""Characters of decisions that a prompt lists at the most."""


def single_keys(state: State) -> dict[str, str]:
    """Map keys to decisions; empty unless every decision is a single character.

    A move that has only one decision here can also be played by its first letter, and `none` (no
    decision) by `p`, for pass.
    """
    keys = {text: text for text in state.moves.texts if len(text) == 1}
    if len(keys) < len(state.moves):
        return {}
    for text, letter in state.letters().items():
        keys.setdefault(letter, text)
    return keys


def prompt_text(state: State, notation: WrittenMoves = _TEXTS) -> str:
    """List the kinds of moves for a prompt, each with its key or with examples."""
    spell = partial(notation.text, state)
    letters = state.letters() if single_keys(state) else {}
    parts = []
    for name, texts in state.by_kind().items():
        only = texts[0] if len(texts) == 1 else ""
        key = f" {letters[only]}" if only in letters else f" {spell(only)}" if only else ""
        if key == f" {name}":
            key = ""
        parts.append(f"{name}{key}" if only else f"{name} {texts_summary(texts, spell)}")
    return ", ".join(parts) + "; ? lists moves"


def short_prompt_text(state: State, notation: WrittenMoves) -> str:
    """Give a single example of a move, for a prompt with little room."""
    return f"such as {notation.text(state, state.moves.texts[0])}; ? lists moves"


def texts_summary(texts: list[str], spell: Callable[[str], str] = str) -> str:
    """Summarize decisions: all of them, a range of numbers without a gap, or an example.

    *spell* writes them as people do.
    """
    if texts == [NONE]:
        return NONE
    ordered = sorted(texts, key=_natural)
    if all(text.isdecimal() for text in ordered) and len(ordered) > 2:
        first, last = int(ordered[0]), int(ordered[-1])
        if last - first + 1 == len(ordered):
            return f"{first}-{last}"
    summary = " ".join(ordered)
    if len(summary) > _FEW:
        return f"such as {spell(ordered[0])}"
    return " ".join(map(spell, ordered))


def _natural(text: str) -> list[tuple[int, str]]:
    """The key of a natural sort: numbers by size, other text by the alphabet."""
    parts = re.findall(r"\d+|\D+", text)
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]
