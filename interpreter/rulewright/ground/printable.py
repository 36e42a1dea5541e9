r"""Texts of others on their way out: what would steer a terminal or turn the line is spelled.

In: any text.  Out: the same text with control characters, changes of direction, halves of pairs and
what is no character for XML as Python writes them (`\x1b`, `\u202e`); ends of lines and tabs stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, TextIO

_STEERING = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
    "\ufffe\uffff]"
)


def printable(text: str) -> str:
    """A text that shows itself and does nothing else."""
    return _STEERING.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def printable_name(name: object) -> str:
    """The name of a file, a game or a player, in one line: ends of lines and tabs are spelled."""
    return printable(str(name)).replace("\n", "\\n").replace("\t", "\\t")


class Printable:  # not by attrs: errors need this module, and importing the library costs nothing
    """A stream that gets printable text only; `plain` is the stream itself, for our own signs."""

    def __init__(self, plain: TextIO) -> None:
        """Guard a stream."""
        self.plain = plain

    def write(self, text: str) -> int:
        """Write *text*; gives its length, as streams do."""
        self.plain.write(printable(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.plain, name)


def unguarded(stream: TextIO) -> TextIO:
    """The stream itself, for escape sequences that steer a terminal."""
    plain: TextIO = getattr(stream, "plain", stream)
    return plain


def amount(number: int, noun: str, several: str = "") -> str:
    """A number with its noun: `1 game`, `1,200 games`; *several* is a plural without an `s`."""
    return f"{number:,} {plural(number, noun, several or noun + 's')}"


def plural(number: int, single: str, several: str) -> str:
    """The word for so many, such as `is` or `are`."""
    return single if number == 1 else several


def columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows as lines, the first column to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        first, *cells = (
            cell.ljust(w) if i == 0 else cell.rjust(w)
            for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join([first, *cells]).rstrip()


def shown_option(value: object) -> str:
    """Write the value of an option as `--set` takes it."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
