"""Records in one SQLite database: `.db`, for one match or tournament.

In: a path and a plan.  Out: its games.  The database is in WAL mode: a process that is killed
leaves every finished transaction, and several processes may work on one database.  A database that
belongs to another plan is refused, with what is different.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import define, field

from rulewright.matches.keeping import Lines, game_of, head, openings_of, plan_of
from rulewright.matches.plan import Plan
from rulewright.matches.record import GameRecord, RecordError

APPLICATION = 0x52574D31
"""Tells SQLite's tools, and us, whose database this is: `RWM1`."""
PATIENCE = 30.0
"""Seconds to wait for another process that is writing."""
_TABLES = """
CREATE TABLE IF NOT EXISTS plan (one INTEGER PRIMARY KEY CHECK (one = 1), head TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS games (number INTEGER PRIMARY KEY, record TEXT NOT NULL);
"""


@define(eq=False)
class DatabaseRecords:
    """The games of one plan in a database."""

    path: Path
    plan: Plan
    patience: float = PATIENCE
    openings: Lines | None = field(default=None, init=False)
    _base: sqlite3.Connection = field(init=False)
    _seen: set[int] = field(factory=set, init=False)
    _version: int = field(default=-1, init=False)

    def __attrs_post_init__(self) -> None:
        with explained(self.path):
            self._base = connect(self.path, self.patience)
            with _writing(self._base):
                for statement in _TABLES.split(";"):
                    self._base.execute(statement)
                self._base.execute(f"PRAGMA application_id = {APPLICATION}")
        known = read_head(self._base, self.path)
        if known is not None:
            self._refuse_others(known)
            self.openings = openings_of(known)

    def _refuse_others(self, known: dict[str, Any]) -> None:
        if known.get("match") != self.plan.name:
            other = plan_of(known, str(self.path))
            what = ", ".join(self.plan.differences(other))
            self._base.close()
            message = f"{self.path} is the record of another command, which differs in {what}"
            raise RecordError(f"{message}; repeat that command, or choose another name")

    def begin(self, openings: Lines) -> None:
        """Keep the plan; when another process was faster, its openings hold."""
        with explained(self.path), _writing(self._base):
            text = json.dumps(head(self.plan, openings))
            self._base.execute("INSERT OR IGNORE INTO plan VALUES (1, ?)", (text,))
        known = read_head(self._base, self.path)
        assert known is not None
        self._refuse_others(known)
        self.openings = openings_of(known)

    def games(self) -> list[GameRecord]:
        """All games of the database."""
        with explained(self.path):
            rows = self._base.execute("SELECT number, record FROM games ORDER BY number").fetchall()
        self._seen = {number for number, _ in rows}
        return [game_of(text, f"{self.path}, game {number}") for number, text in rows]

    def add(self, lines: Iterable[str]) -> list[GameRecord]:
        """Keep games in one transaction; those of another process stay as they are."""
        given = [(game_of(line, "a worker's answer"), line) for line in lines]
        with explained(self.path), _writing(self._base):
            added = [self._insert(game.number, line) for game, line in given]
        self._seen |= {game.number for game, _ in given}
        return [
            game if new else self._kept(game.number)
            for (game, _), new in zip(given, added, strict=True)
        ]

    def _insert(self, number: int, line: str) -> bool:
        insert = "INSERT OR IGNORE INTO games VALUES (?, ?)"
        return self._base.execute(insert, (number, line)).rowcount == 1

    def _kept(self, number: int) -> GameRecord:
        row = self._base.execute("SELECT record FROM games WHERE number = ?", (number,)).fetchone()
        return game_of(row[0], f"{self.path}, game {number}")

    def fresh(self) -> list[GameRecord]:
        """Games of other processes."""
        with explained(self.path):
            (version,) = self._base.execute("PRAGMA data_version").fetchone()
            if version == self._version:  # it changes with what other connections write
                return []
            self._version = version
            numbers = {n for (n,) in self._base.execute("SELECT number FROM games")} - self._seen
        self._seen |= numbers
        return [self._kept(number) for number in sorted(numbers)]

    def close(self) -> None:
        """Close the database; the last process to do so folds its log into it."""
        self._base.close()


def connect(path: Path, patience: float = PATIENCE, read_only: bool = False) -> sqlite3.Connection:
    """A connection in WAL mode that refuses foreign databases."""
    address = f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rwc'}"
    base = sqlite3.connect(address, timeout=patience, isolation_level=None, uri=True)
    try:
        (owner,) = base.execute("PRAGMA application_id").fetchone()
        (tables,) = base.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if owner != APPLICATION and (owner or tables):
            raise RecordError(f"{path} is a database of another program; choose another name")
        if not read_only:
            base.execute("PRAGMA journal_mode = WAL")
            base.execute("PRAGMA synchronous = NORMAL")
    except BaseException:
        base.close()
        raise
    return base


def read_head(base: sqlite3.Connection, path: Path) -> dict[str, Any] | None:
    """What stands in front of the games; None in an empty database."""
    with explained(path):
        row = base.execute("SELECT head FROM plan").fetchone()
    try:
        found: dict[str, Any] | None = None if row is None else dict(json.loads(row[0]))
    except (ValueError, TypeError):
        raise RecordError(f"{path}: the plan of the match is damaged") from None
    return found


@contextmanager
def _writing(base: sqlite3.Connection) -> Iterator[None]:
    """A transaction: all of it or nothing."""
    base.execute("BEGIN IMMEDIATE")
    try:
        yield
        base.execute("COMMIT")
    except BaseException:
        if base.in_transaction:
            base.execute("ROLLBACK")
        raise


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Say in a user's words what SQLite complains of."""
    try:
        yield
    except sqlite3.Error as error:
        raise RecordError(f"{path} {_reason(error)}") from None


def _reason(error: sqlite3.Error) -> str:
    kept = "what was recorded is kept, and the same command goes on"
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return f"is locked by another program; {kept} when it is free"
    if name.startswith("SQLITE_FULL"):
        return f"cannot be written: the disk is full; {kept} when there is room"
    if name.startswith("SQLITE_NOTADB"):
        return "is there already and is no record; choose another name"
    if name.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_IOERR", "SQLITE_PERM")):
        return f"cannot be written ({error}); {kept} when it can"
    return f"is damaged ({error})"
