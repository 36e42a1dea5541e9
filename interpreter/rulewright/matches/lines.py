"""Records as lines of JSON: `.jsonl`, a file that can be appended, by several matches in turn.

In: a path and a plan.  Out: the games of that plan.  Each match has a line of its own before its
games; games know their match by name.  A last line that a killed process left unfinished is cut off
when the file is opened for writing; one process writes at a time.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from attrs import define, field, frozen

from rulewright.disk import open_file
from rulewright.matches.keeping import Lines, head_line
from rulewright.matches.plan import Plan
from rulewright.matches.record import GameRecord, RecordError
from rulewright.matches.schema import game_of, read_game, read_head

if sys.platform != "win32":
    import fcntl


LINE_BYTES = 16 * 1024 * 1024
"""Bytes of a line at the most."""


@define(eq=False)
class LineRecords:
    """The games of one plan in a file of lines."""

    path: Path
    plan: Plan
    openings: Lines | None = field(default=None, init=False)
    damaged: list[str] = field(factory=list, init=False)
    _file: int = field(init=False)
    _games: dict[int, GameRecord] = field(factory=dict, init=False)
    _size: int = field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        try:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
            _lock(self._file, self.path)
            self._mend()
        except OSError as error:
            raise _unwritable(self.path, error) from None
        for line in read_lines(self.path):
            self._take(line)

    def _take(self, line: Line) -> None:
        """Remember what a line says of this plan."""
        try:
            if line.match not in ("", self.plan.name):
                return
            if line.kind == "match":
                self.openings = read_head(line.data, line.where).lines
            else:
                game = read_game(line.data, line.where)
                self._games.setdefault(game.number, game)
        except RecordError as error:
            self.damaged.append(str(error))

    def _mend(self) -> None:
        """Cut off what a killed process left of a line; refuse a file that is something else."""
        found = os.fstat(self._file)
        if not stat.S_ISREG(found.st_mode):
            raise RecordError(f"{self.path} is no file that lines can be appended to")
        self._size, whole, first = found.st_size, 0, b""
        with open_file(self.path) as file:
            for line in _lines(file, self.path):
                first = first or line
                whole += len(line) if line.endswith(b"\n") else 0
        if first and not first.startswith(b'{"format"'):
            raise RecordError(f"{self.path} is there already and is no record; choose another name")
        if whole < self._size:
            os.ftruncate(self._file, whole)
            self._size = whole

    def begin(self, openings: Lines) -> None:
        """Write the line of the match."""
        self.openings = openings
        self._append([head_line(self.plan, openings)])

    def games(self) -> list[GameRecord]:
        """The games of this plan."""
        return list(self._games.values())

    def add(self, lines: Iterable[str]) -> list[GameRecord]:
        """Append those games that are not there yet, all at once."""
        given = [(line, game_of(line, "a worker's answer")) for line in lines]
        self._append([line for line, game in given if game.number not in self._games])
        return [self._games.setdefault(game.number, game) for _, game in given]

    def _append(self, lines: list[str]) -> None:
        data = "".join(f"{line}\n" for line in lines).encode()
        try:
            if os.fstat(self._file).st_size > self._size:  # of a line that could not be cut off
                os.ftruncate(self._file, self._size)
            written = os.write(self._file, data)
            if written < len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            with suppress(OSError):  # nothing may be left of half a line
                os.ftruncate(self._file, self._size)
            raise _unwritable(self.path, error) from None
        self._size += written

    def fresh(self) -> list[GameRecord]:
        """Nobody else writes."""
        return []

    def close(self) -> None:
        """Close the file, which also unlocks it."""
        os.close(self._file)


@frozen
class Line:
    """A finished line of a file; `match` and `kind` are empty where it does not tell."""

    where: str
    data: object
    kind: str
    match: str


def read_lines(path: Path) -> Iterator[Line]:
    """Every finished line of a file; of one that is no JSON the data is None."""
    try:
        with open_file(path) as file:
            for number, text in enumerate(_lines(file, path), 1):
                if text.endswith(b"\n"):
                    yield _line(text, f"{path}:{number}")
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from None


def _line(text: bytes, where: str) -> Line:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    told = data if isinstance(data, dict) else {}
    kind, match = told.get("kind"), told.get("match")
    return Line(where, data, str(kind or ""), match if isinstance(match, str) else "")


def _lines(file: BinaryIO, path: Path) -> Iterator[bytes]:
    """The lines of a file, which are never longer than a game can be."""
    while line := file.readline(LINE_BYTES + 1):
        if len(line) > LINE_BYTES:
            raise RecordError(f"{path} has a line of more than {LINE_BYTES:,} bytes")
        yield line


def _lock(file: int, path: Path) -> None:
    """Keep other processes from writing; done without where the system has no such locks."""
    if sys.platform != "win32":
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            message = f"{path} is being written by another process"
            raise RecordError(f"{message}; wait for it, or choose another name") from None


def _unwritable(path: Path, error: OSError) -> RecordError:
    why = error.strerror or str(error)
    return RecordError(
        f"{path} cannot be written: {why}; what was recorded is kept, and the same command goes on"
    )
