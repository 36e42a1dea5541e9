"""Record store in an SQLite database (`.db`), for one match or tournament.

In: a path and a plan.  Out: its games.  The database is in WAL mode: a process that is killed
leaves every finished transaction, and several processes may work on one database.  A database that
belongs to another plan is refused, with what is different.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from attrs import define, field

from rulewright.matches.game_record import (
    GameRecord,
    Head,
    RecordEntry,
    RecordError,
    game_of,
    head_of,
    refused,
)
from rulewright.matches.plan import MatchPlan, OpeningLines

APPLICATION = 0x52574D31
"""Tells SQLite's tools, and us, whose database this is: `RWM1`."""
PATIENCE = 30.0
"""Seconds to wait for another process that is writing."""
_TABLES = """
CREATE TABLE IF NOT EXISTS plan (one INTEGER PRIMARY KEY CHECK (one = 1), head TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS games (number INTEGER PRIMARY KEY, record TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS damaged (number INTEGER, record);
"""


@define(eq=False)
class SqliteStore:
    """The games of one plan in a database."""

    path: Path
    plan: MatchPlan
    patience: float = PATIENCE
    openings: OpeningLines | None = field(default=None, init=False)
    damaged: list[str] = field(factory=list, init=False)
    _base: sqlite3.Connection = field(init=False)
    _seen: set[int] = field(factory=set, init=False)
    _version: int = field(default=-1, init=False)

    def __attrs_post_init__(self) -> None:
        with _explained(self.path):
            self._base = _connect(self.path, self.patience)
            with _writing(self._base):
                for statement in _TABLES.split(";"):
                    self._base.execute(statement)
                self._base.execute(f"PRAGMA application_id = {APPLICATION}")
        self._take_head()

    def _take_head(self) -> None:
        """The openings of the plan that is kept, if one is; refuses another plan."""
        with _explained(self.path):
            found = _head_text(self._base)
        if found is None:
            return
        try:
            known = head_of(found[0], str(self.path))
            if known.match != self.plan.name:
                what = ", ".join(self.plan.differences(known.plan))
                message = f"{self.path} is the record of another command, which differs in {what}"
                raise RecordError(f"{message}; repeat that command, or choose another name")
        except RecordError:
            self._base.close()
            raise
        self.openings = known.lines

    def begin(self, openings: OpeningLines) -> None:
        """Record the plan; if another process was faster, its openings hold."""
        with _explained(self.path), _writing(self._base):
            line = Head.of(self.plan, openings).line()
            self._base.execute("INSERT OR IGNORE INTO plan VALUES (1, ?)", (line,))
        self._take_head()

    def games(self) -> list[GameRecord]:
        """All games on record; what cannot be read is put aside and played again."""
        with _explained(self.path):
            rows = _rows(self._base)
        found = [game for number, text in rows if (game := self._read(number, text))]
        self._seen = {game.number for game in found}
        return found

    def _read(self, number: int, text: bytes | None) -> GameRecord | None:
        where = f"{self.path}, game {number}"
        try:
            game = _game_of_row(number, text, where)
            if told := refused(game, self.plan):
                raise RecordError(f"{where}: {told}")
            return game
        except RecordError as error:
            self.damaged.append(str(error))
        with _explained(self.path), _writing(self._base):
            row = "FROM games WHERE number = ? AND CAST(record AS BLOB) IS ?"
            self._base.execute(f"INSERT INTO damaged SELECT number, record {row}", (number, text))
            self._base.execute(f"DELETE {row}", (number, text))
        return None

    def add(self, lines: Iterable[str]) -> list[GameRecord]:
        """Record games in one transaction; those of another process stay as they are."""
        given = [(game_of(line, "a worker's answer"), line) for line in lines]
        with _explained(self.path), _writing(self._base):
            added = [self._insert(game.number, line) for game, line in given]
        self._seen |= {game.number for game, _ in given}
        return [
            game if new else self._kept(game.number) or self._instead(game, line)
            for (game, line), new in zip(given, added, strict=True)
        ]

    def _insert(self, number: int, line: str) -> bool:
        insert = "INSERT OR IGNORE INTO games VALUES (?, ?)"
        return self._base.execute(insert, (number, line)).rowcount == 1

    def _instead(self, game: GameRecord, line: str) -> GameRecord:
        """Keep a game in the place of one that could not be read."""
        with _explained(self.path), _writing(self._base):
            self._insert(game.number, line)
        return game

    def _kept(self, number: int) -> GameRecord | None:
        with _explained(self.path):
            rows = _rows(self._base, "WHERE number = ?", number)
        return self._read(*rows[0]) if rows else None

    def fresh(self) -> list[GameRecord]:
        """Games of other processes."""
        with _explained(self.path):
            (version,) = self._base.execute("PRAGMA data_version").fetchone()
            if version == self._version:  # it changes with what other connections write
                return []
            self._version = version
            numbers = {n for (n,) in self._base.execute("SELECT number FROM games")} - self._seen
        self._seen |= numbers
        return [game for number in sorted(numbers) if (game := self._kept(number))]

    def close(self) -> None:
        """Close the database; the last process to do so folds its log into it."""
        self._base.close()


def _connect(path: Path, patience: float = PATIENCE, read_only: bool = False) -> sqlite3.Connection:
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


def database_entries(path: Path) -> Iterator[RecordEntry]:
    """The head of a database, and its games; nothing is written."""
    with _explained(path):
        base = _connect(path, read_only=True)
        try:
            head, rows = _head_text(base), _rows(base)
        except sqlite3.OperationalError:
            raise RecordError(f"{path} holds no match") from None
        finally:
            base.close()
    if head is None:
        return
    yield RecordEntry(str(path), "", partial(head_of, head[0], str(path)))
    for number, text in rows:
        where = f"{path}, game {number}"
        yield RecordEntry(where, "", partial(_game_of_row, number, text, where))


Texts = tuple[bytes | None]
"""A column of one row; as bytes, since SQLite refuses a whole table for one letter that is none."""


def _head_text(base: sqlite3.Connection) -> Texts | None:
    """What stands in front of the games; None in an empty database."""
    found: Texts | None = base.execute("SELECT CAST(head AS BLOB) FROM plan").fetchone()
    return found


def _rows(
    base: sqlite3.Connection, which: str = "", *values: int
) -> list[tuple[int, bytes | None]]:
    """Numbers and texts of games, in order."""
    query = f"SELECT number, CAST(record AS BLOB) FROM games {which} ORDER BY number"
    return base.execute(query, values).fetchall()


def _game_of_row(number: int, text: bytes | None, where: str) -> GameRecord:
    """The game of a row; raises `RecordError`."""
    game = game_of(text, where)
    if game.number != number:
        raise RecordError(f"{where}: the record is that of game {game.number}")
    return game


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
def _explained(path: Path) -> Iterator[None]:
    """Say in a user's words what SQLite complains of."""
    try:
        yield
    except sqlite3.Error as error:
        raise RecordError(f"{path} {_reason(error)}") from None
    except UnicodeDecodeError:  # even a complaint of SQLite can quote what is no text
        raise RecordError(f"{path} is damaged: a part of it is no text") from None
    except MemoryError:  # a damaged length is what SQLite has no memory for
        raise RecordError(f"{path} is damaged, or larger than the memory that there is") from None


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
