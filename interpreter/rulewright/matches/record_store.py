"""Record stores: where a match writes its games, and what a file of records holds.

In: a path and a plan.  Out: a `RecordStore` for whoever plays it: memory, lines of JSON (`.jsonl`)
or a database (`.db`, see `sqlite_store.py`); or, of a path alone, the matches that the file holds.
A game on record is never lost and never counted twice, whatever happens to the process that writes.

Several matches append to a file of lines in turn.  Each has a line of its own before its games,
which know their match by name.  A last line that a killed process left unfinished is cut off when
the file is opened for writing; one process writes at a time.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import BinaryIO, Protocol

from attrs import define, field, frozen

from rulewright.disk import is_file, open_file
from rulewright.matches.game_record import (
    GameRecord,
    Head,
    RecordEntry,
    RecordError,
    game_of,
    read_game,
    read_head,
    refused,
)
from rulewright.matches.plan import MatchPlan, OpeningLines
from rulewright.matches.sqlite_store import SqliteStore, database_entries


class RecordStore(Protocol):
    """The recorded games of one plan."""

    @property
    def openings(self) -> OpeningLines | None:
        """The openings that were drawn when the plan was begun; None when it begins now."""

    @property
    def damaged(self) -> Sequence[str]:
        """What cannot be read, each with its place; those games are played again."""

    def begin(self, openings: OpeningLines) -> None:
        """Record the plan with its openings, before the first game."""

    def games(self) -> list[GameRecord]:
        """All games on record."""

    def add(self, lines: Iterable[str]) -> list[GameRecord]:
        """Record games, given as lines of JSON, and return them as they stand in the record.

        A game whose number is on record already stays as it was.
        """

    def fresh(self) -> list[GameRecord]:
        """Games that another process has recorded since the last call."""

    def close(self) -> None:
        """Let go of the file."""


@define
class MemoryStore:
    """No file: the games live as long as the process."""

    openings: OpeningLines | None = None
    damaged: Sequence[str] = ()
    _games: dict[int, GameRecord] = field(factory=dict)

    def begin(self, openings: OpeningLines) -> None:
        """Nothing is kept."""
        self.openings = openings

    def games(self) -> list[GameRecord]:
        """The games of this process."""
        return list(self._games.values())

    def add(self, lines: Iterable[str]) -> list[GameRecord]:
        """Hand the games back."""
        found = [game_of(line, "a worker's answer") for line in lines]
        return [self._games.setdefault(game.number, game) for game in found]

    def fresh(self) -> list[GameRecord]:
        """There is no other process."""
        return []

    def close(self) -> None:
        """There is nothing to close."""


# --- lines of JSON ---


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
        for entry in _line_entries(self.path):
            if entry.match in ("", self.plan.name):
                self._take(entry)

    def _take(self, entry: RecordEntry) -> None:
        """Remember what a line says of this plan."""
        try:
            found = entry.read()
        except RecordError as error:
            self.damaged.append(str(error))
            return
        if isinstance(found, Head):
            self.openings = found.lines
        elif told := refused(found, self.plan):
            self.damaged.append(f"{entry.where}: {told}")
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


def _line_entries(path: Path) -> Iterator[RecordEntry]:
    """Every finished line of a file."""
    try:
        with open_file(path) as file:
            for number, text in enumerate(_lines(file, path), 1):
                if text.endswith(b"\n"):
                    yield _entry(text, f"{path}:{number}")
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from None


def _entry(text: bytes, where: str) -> RecordEntry:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    match = data.get("match") if isinstance(data, dict) else None
    return RecordEntry(where, match if isinstance(match, str) else "", partial(_read, data, where))


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


# --- files ---


SUFFIXES = (".jsonl", ".db")


def open_store(path: Path | None, plan: MatchPlan) -> RecordStore:
    """The records of *plan* in a file; raises `RecordError` when that cannot be."""
    if path is None:
        return MemoryStore()
    if path.suffix == ".jsonl":
        return LineStore(path, plan)
    if path.suffix == ".db":
        return SqliteStore(path, plan)
    raise RecordError(f"{path}: a record is a file of lines, `.jsonl`, or a database, `.db`")


@frozen
class Match:
    """A match on record: its plan, its openings, its games in the order of their numbers.

    `damaged` says what the file holds that cannot be read, each with its place.
    """

    plan: MatchPlan
    openings: OpeningLines
    games: list[GameRecord] = field(factory=list)
    damaged: list[str] = field(factory=list)


def read_matches(path: Path) -> list[Match]:
    """Every match of a file, in the order in which they were begun; the file is only read.

    Damaged parts are left out; raises `RecordError` if nothing can be read.
    """
    if not is_file(path):
        raise RecordError(f"{path} is no file")
    contents = _Contents()
    for entry in (_line_entries if path.suffix == ".jsonl" else database_entries)(path):
        contents.take(entry)
    found = contents.matches()
    if not found:
        raise RecordError("\n".join(contents.damaged[:1]) or f"{path} holds no match")
    return found


@define
class _Contents:
    """What was found in a file so far."""

    damaged: list[str] = field(factory=list)
    _heads: dict[str, Head] = field(factory=dict)
    _games: dict[str, list[tuple[GameRecord, str]]] = field(factory=dict)

    def take(self, entry: RecordEntry) -> None:
        try:
            found = entry.read()
        except RecordError as error:
            self.damaged.append(str(error))
            return
        if isinstance(found, Head):
            self._heads.setdefault(entry.match, found)
        else:
            self._games.setdefault(entry.match, []).append((found, entry.where))

    def matches(self) -> list[Match]:
        """The matches with the games that belong to them; the last one has the complaints."""
        for name in [name for name in self._games if name not in self._heads]:
            for _, where in self._games.pop(name):
                told = "this game belongs to a match that has no line that can be read"
                self.damaged.append(f"{where}: {told}")
        found = [self._match(name, head) for name, head in self._heads.items()]
        if found:
            found[-1].damaged.extend(self.damaged)
        return found

    def _match(self, name: str, head: Head) -> Match:
        games = dict[int, GameRecord]()
        for game, where in self._games.get(name, ()):
            if told := refused(game, head.plan):
                self.damaged.append(f"{where}: {told}")
            else:
                games.setdefault(game.number, game)
        return Match(head.plan, head.lines, [games[number] for number in sorted(games)])
