"""Record store of lines of JSON (`.jsonl`): a file to which several matches append in turn.

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
from functools import partial
from pathlib import Path
from typing import BinaryIO

from attrs import define, field

from rulewright.disk import open_file
from rulewright.matches.game_record import (
    Entry,
    GameRecord,
    Head,
    RecordError,
    game_of,
    read_game,
    read_head,
)
from rulewright.matches.plan import MatchPlan, OpeningLines

if sys.platform != "win32":
    import fcntl


LINE_BYTES = 16 * 1024 * 1024
"""Bytes of a line at the most."""


@define(eq=False)
class LineStore:
    """The games of one plan in a file of lines."""

    path: Path
    plan: MatchPlan
    openings: OpeningLines | None = field(default=None, init=False)
    damaged: list[str] = field(factory=list, init=False)
    _file: int = field(init=False)
    _games: dict[int, GameRecord] = field(factory=dict, init=False)
    _size: int = field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        try:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
            if not stat.S_ISREG(os.fstat(self._file).st_mode):
                raise RecordError(f"{self.path} is no file that lines can be appended to")
            _lock(self._file, self.path)
            self._mend()
        except OSError as error:
            raise _unwritable(self.path, error) from None
        for entry in entries(self.path):
            if entry.match in ("", self.plan.name):
                self._take(entry)

    def _take(self, entry: Entry) -> None:
        """Remember what a line says of this plan."""
        try:
            found = entry.read()
        except RecordError as error:
            self.damaged.append(str(error))
            return
        if isinstance(found, Head):
            self.openings = found.lines
        else:
            self._games.setdefault(found.number, found)

    def _mend(self) -> None:
        """Cut off what a killed process left of a line; refuse a file that is something else."""
        self._size, whole, first = os.fstat(self._file).st_size, 0, b""
        with open_file(self.path) as file:
            for line in _lines(file, self.path):
                first = first or line
                whole += len(line) if line.endswith(b"\n") else 0
        if first and not first.startswith(b'{"format"'):
            raise RecordError(f"{self.path} is there already and is no record; choose another name")
        if whole < self._size:
            os.ftruncate(self._file, whole)
            self._size = whole

    def begin(self, openings: OpeningLines) -> None:
        """Write the line of the match."""
        self.openings = openings
        self._append([Head.of(self.plan, openings).line()])

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


def entries(path: Path) -> Iterator[Entry]:
    """Every finished line of a file."""
    try:
        with open_file(path) as file:
            for number, text in enumerate(_lines(file, path), 1):
                if text.endswith(b"\n"):
                    yield _entry(text, f"{path}:{number}")
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from None


def _entry(text: bytes, where: str) -> Entry:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    match = data.get("match") if isinstance(data, dict) else None
    return Entry(where, match if isinstance(match, str) else "", partial(_read, data, where))


def _read(data: object, where: str) -> Head | GameRecord:
    """What a line holds, by the kind that it says it is of."""
    if data is None:
        raise RecordError(f"{where}: this line is no JSON text")
    match data:
        case {"kind": "match"}:
            return read_head(data, where)
        case {"kind": "game"}:
            return read_game(data, where)
    raise RecordError(f"{where}: this line is no record of a match or a game")


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
