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
from typing import Any

from attrs import define, field

from rulewright.matches.keeping import Lines, game_of, head, openings_of
from rulewright.matches.plan import Plan
from rulewright.matches.record import GameRecord, RecordError, read_game

if sys.platform != "win32":
    import fcntl


@define(eq=False)
class LineRecords:
    """The games of one plan in a file of lines."""

    path: Path
    plan: Plan
    openings: Lines | None = field(default=None, init=False)
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
        for data, where in read_lines(self.path):
            if data.get("match") != self.plan.name:
                continue
            if data["kind"] == "match":
                self.openings = openings_of(data)
            else:
                game = read_game(data, where)
                self._games.setdefault(game.number, game)

    def _mend(self) -> None:
        """Cut off what a killed process left of a line; refuse a file that is something else."""
        found = os.fstat(self._file)
        if not stat.S_ISREG(found.st_mode):
            raise RecordError(f"{self.path} is no file that lines can be appended to")
        self._size = found.st_size
        with self.path.open("rb") as file:
            data = file.read()
        whole = data.rfind(b"\n") + 1
        if data and not data.startswith(b'{"format"'):
            raise RecordError(f"{self.path} is there already and is no record; choose another name")
        if whole < len(data):
            os.ftruncate(self._file, whole)
            self._size = whole

    def begin(self, openings: Lines) -> None:
        """Write the line of the match."""
        self.openings = openings
        self._append([json.dumps(head(self.plan, openings), separators=(",", ":"))])

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


def read_lines(path: Path) -> Iterator[tuple[dict[str, Any], str]]:
    """Every finished line of a file with its place; raises `RecordError` for a damaged one."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from None
    for number, line in enumerate(text.split(b"\n")[:-1], 1):
        where = f"{path}:{number}"
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            raise RecordError(f"{where}: this line is no JSON text") from None
        if not isinstance(data, dict) or data.get("kind") not in ("match", "game"):
            raise RecordError(f"{where}: this line is no record of a match or a game")
        yield data, where


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
