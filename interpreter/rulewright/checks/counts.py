"""Counts beside rules: `perft.txt`, how many sequences of decisions or turns there are.

In: such a file, and which rules are asked for.  Out: the lines of counts that belong to them, and
the lines that cannot be read, each with its place.

Counts are from the first position, or from that after moves.  A line `game NAME` says whose counts
follow.  Counts without one belong to the only rules file of the folder, or to the one that is
called like the folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import frozen

from rulewright.games.files.kinds import message_name
from rulewright.ground import limits
from rulewright.ground.disk import read_source
from rulewright.language.diagnostics import Collector
from rulewright.language.source import decode

FILE = "perft.txt"
UNITS = ("decision", "turn")
FORM = "a line is `options : decision or turn : count at depth 1, at depth 2 ... [: moves]`"
_GAME = re.compile(r"game\s+(\S+)\s*")


@frozen
class PerftLine:
    """A line of counts: by decisions or turns, with options, and the moves before them.

    `place` is its file and line; `game` the game of the line `game NAME` above it, if there is one.
    """

    unit: str
    numbers: tuple[int, ...]
    options: dict[str, str]
    origin: int = 0
    place: str = ""
    game: str | None = None
    moves: str = ""

    @property
    def where(self) -> str:
        """The beginning of a message about the line: its place."""
        return f"{self.place}: " if self.place else ""


def likely(counted: Sequence[int], claimed: int) -> int:
    """About how many sequences there are one depth beyond those *counted*, by their growth.

    What is *claimed*, if it is more, may be a slip of the pen: no reason to leave the depth out.
    """
    *_, before, last = 1, 1, *counted
    return min(claimed, last * -(-last // max(before, 1)))


@frozen
class BadLine:
    """A line that cannot be read, and why."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


def counts_of(rules: Path) -> Iterator[PerftLine | BadLine]:
    """The counts beside a rules file that are its own, and what cannot be read there."""
    path = rules.parent / FILE
    if not path.exists():
        return
    for line in counts_in(path):
        if isinstance(line, BadLine) or rules in rules_of(line, path):
            yield line
        elif line.game is None and not rules_of(line, path):
            yield BadLine(line.place, _WHOSE)
            return


_WHOSE = "several rules files stand here: write `game NAME` above the counts"


def rules_of(count: PerftLine, path: Path) -> list[Path]:
    """The rules files that a line of the file *path* is about."""
    beside = sorted(p for p in path.parent.glob("*.rules") if p.is_file())
    if count.game is not None:
        return [p for p in beside if _name(p) == count.game]
    if len(beside) == 1:
        return beside
    return [p for p in beside if p.stem == path.parent.absolute().name]


def _name(rules: Path) -> str | None:
    """The name that a rules file gives its game."""
    for line in _text(rules).splitlines():
        head = _GAME.fullmatch(line.partition("#")[0])
        if head:
            return head[1]
    return None


def _text(path: Path) -> str:
    try:
        return read_source(path).decode("utf-8", "replace")
    except OSError:
        return ""


def counts_in(path: Path) -> Iterator[PerftLine | BadLine]:
    """All lines of a file of counts."""
    name, collector = message_name(path), Collector()
    try:
        data = read_source(path)
    except OSError as error:
        yield BadLine(name, f"this file cannot be read: {error.strerror}")
        return
    source = decode(name, data, collector)
    for wrong in collector.diagnostics:
        yield BadLine(f"{name}:{wrong.place.line}", wrong.message)
    game: str | None = None
    for number, line in enumerate(source.text.splitlines() if source else (), 1):
        text = line.partition("#")[0].strip()
        head = _GAME.fullmatch(text)
        if head:
            game = head[1]
        elif text:
            yield _read(text, f"{name}:{number}", game)


def _read(text: str, place: str, game: str | None) -> PerftLine | BadLine:
    parts = [part.strip() for part in text.split(":", 3)]
    if len(parts) < 3 or not parts[-1]:
        return BadLine(place, FORM)
    options, unit, counts, *moves = parts
    if unit not in UNITS:
        return BadLine(place, f"counts are by decision or by turn, not by `{unit[:40]}`")
    pairs = [pair.partition("=") for pair in options.split()]
    for name, sign, value in pairs:
        if not (name and sign and value):
            return BadLine(place, f"an option is set as `name=value`, not as `{name}{sign}{value}`")
    words = counts.split()
    if not words:
        return BadLine(place, FORM)
    for word in words:
        if not re.fullmatch(rf"[0-9]{{1,{limits.WORD}}}", word):
            return BadLine(
                place, f"`{word[:40]}` is no count; counts are whole numbers, blanks between"
            )
    numbers = tuple(map(int, words))
    settings = {name: value for name, _, value in pairs}
    return PerftLine(unit, numbers, settings, 0, place, game, "".join(moves))
