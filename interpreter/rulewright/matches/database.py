"""The database in which matches are kept: its tables, who may open it, and what goes wrong with it.

In: a path, or None for a database in memory.  Out: a `Database` for queries and transactions.
SQLite in WAL mode: a process that is killed leaves every finished transaction, and several
processes may work on one file.  Refuses databases of other programs and of later versions, and
those whose tables are no tables; reads those of 0.1, and turns them into today's when it may write.

The statements keep to what other databases take as well; docs/matches.md says how they map.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import define

from rulewright.ground.disk import LARGEST, is_file, is_there
from rulewright.matches.game_record import RecordError

APPLICATION = 0x52574D31
"""Tells SQLite's tools, and us, whose database this is: `RWM1`."""
VERSION = 2
"""The version of the tables, in the head of the file; 0.1 wrote none (0)."""
PATIENCE = 30.0
"""Seconds to wait for another process that is writing."""
SCHEMA = """
CREATE TABLE matches (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  game TEXT NOT NULL,
  head TEXT NOT NULL
);
CREATE TABLE games (
  match_id INTEGER NOT NULL REFERENCES matches (id),
  number INTEGER NOT NULL,
  first_player TEXT NOT NULL,
  second_player TEXT NOT NULL,
  winner INTEGER CHECK (winner IN (0, 1)),
  reason TEXT NOT NULL,
  turns BIGINT NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (match_id, number)
);
CREATE INDEX games_by_players ON games (first_player, second_player);
CREATE TABLE damaged (
  match_id INTEGER REFERENCES matches (id),
  number INTEGER,
  record BLOB
);
"""
"""`head` and `record` are lines of JSON with checksums, and alone are read; the other columns are
copies for queries.  `id` counts matches in the order in which they were begun."""
OLD_TABLES = ("plan", "games", "damaged")
_TABLES = {0: OLD_TABLES[:2], VERSION: ("matches", "games", "damaged")}
"""The tables of each version."""

Row = tuple[int, bytes | None]
"""A number and a text; as bytes, since SQLite refuses a whole table for one letter that is none."""


@define(eq=False)
class Database:
    """A connection; what goes wrong is a `RecordError` in a user's words.

    `version` is that of its tables, None while there are none.
    """

    path: str
    _connection: sqlite3.Connection
    version: int | None

    @classmethod
    def in_memory(cls) -> Database:
        """An empty database that lasts as long as the process."""
        opened = cls("the match", _connection(":memory:", PATIENCE), None)
        opened._make_tables()
        return opened

    @classmethod
    def reading(cls, path: Path) -> Database:
        """A database that is left as it is."""
        return cls._opened(path, "ro", PATIENCE)

    @classmethod
    def writing_to(
        cls, path: Path, upgrade: Callable[[Database], None], patience: float = PATIENCE
    ) -> Database:
        """A database in which matches can be kept, empty where there was no file.

        *upgrade* is called with a database of 0.1, in a transaction.
        """
        if is_there(path) and not is_file(path):
            raise RecordError(f"{path} is no file in which matches can be kept")
        opened = cls._opened(path, "rwc", patience)
        try:
            opened.execute("PRAGMA journal_mode = WAL")
            opened.execute("PRAGMA synchronous = NORMAL")
            with opened.transaction():
                opened._prepare(upgrade)
        except BaseException:
            opened.close()
            raise
        return opened

    @classmethod
    def _opened(cls, path: Path, mode: str, patience: float) -> Database:
        with explain_errors(str(path)):
            connection = _connection(f"{path.absolute().as_uri()}?mode={mode}", patience)
            try:
                return cls(str(path), connection, _version(connection, path))
            except BaseException:
                connection.close()
                raise

    def _prepare(self, upgrade: Callable[[Database], None]) -> None:
        """Make today's tables, unless another process has made them meanwhile."""
        with explain_errors(self.path):
            self.version = _version(self._connection, Path(self.path))
        if self.version is None:
            self._make_tables()
        elif self.version != VERSION:
            upgrade(self)

    @contextmanager
    def new_tables(self) -> Iterator[None]:
        """Today's tables in the place of those of 0.1, which a block still sees as `old_games`.

        What it does not take from there is kept as damaged.
        """
        self.execute("CREATE TABLE IF NOT EXISTS damaged (number INTEGER, record)")
        for name in OLD_TABLES:
            self.execute(f"ALTER TABLE {name} RENAME TO old_{name}")
        self._make_tables()
        yield
        unread = "FROM old_games WHERE number NOT IN (SELECT number FROM games)"
        self.execute(f"INSERT INTO damaged SELECT NULL, number, record {unread}")
        self.execute("INSERT INTO damaged SELECT NULL, number, record FROM old_damaged")
        for name in OLD_TABLES:
            self.execute(f"DROP TABLE old_{name}")

    def _make_tables(self) -> None:
        for statement in SCHEMA.split(";"):
            self.execute(statement)
        self.execute(f"PRAGMA application_id = {APPLICATION}")
        self.execute(f"PRAGMA user_version = {VERSION}")
        self.version = VERSION

    def rows(self, query: str, *values: object) -> list[Any]:
        """All rows of a query."""
        with explain_errors(self.path):
            return self._connection.execute(query, values).fetchall()

    def execute(self, statement: str, *values: object) -> int:
        """Carry out a statement; how many rows it changed."""
        with explain_errors(self.path):
            return self._connection.execute(statement, values).rowcount

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All statements of a block, or none of them."""
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def close(self) -> None:
        """Close the file; the last process to do so folds its log into it."""
        self._connection.close()


def _connection(address: str, patience: float) -> sqlite3.Connection:
    """A connection that believes nothing that a stranger's file says of itself."""
    base = sqlite3.connect(
        address, timeout=patience, isolation_level=None, uri=True, check_same_thread=False
    )
    base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST)
    for setting in ("trusted_schema = OFF", "cell_size_check = ON", "foreign_keys = ON"):
        base.execute(f"PRAGMA {setting}")
    return base


def _version(base: sqlite3.Connection, path: Path) -> int | None:
    """The version of a database of ours, None for an empty one; refuses all others."""
    (owner,) = base.execute("PRAGMA application_id").fetchone()
    (version,) = base.execute("PRAGMA user_version").fetchone()
    kinds = dict(base.execute("SELECT name, type FROM sqlite_master WHERE type <> 'index'"))
    if not owner and not kinds:
        return None
    if owner != APPLICATION:
        raise RecordError(f"{path} is a database of another program; choose another name")
    if version not in _TABLES:
        raise RecordError(
            f"{path} has tables of version {version}, and {VERSION} is the last known"
        )
    if "trigger" in kinds.values() or any(kinds.get(name) != "table" for name in _TABLES[version]):
        raise RecordError(f"{path} is damaged: its tables are not those of matches")
    return int(version)


@contextmanager
def explain_errors(path: str) -> Iterator[None]:
    """Turn errors of SQLite into a `RulewrightError` that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        raise RecordError(f"{path} {_reason(error)}") from None
    except UnicodeDecodeError:  # even a complaint of SQLite can quote what is no text
        raise RecordError(f"{path} is damaged: a part of it is no text") from None
    except MemoryError:  # a damaged length is what SQLite has no memory for
        raise RecordError(f"{path} is damaged, or larger than the memory that there is") from None


def _reason(error: sqlite3.Error) -> str:
    advice = "what was recorded is kept, and the same command goes on"
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return f"is locked by another program; {advice} when it is free"
    if name.startswith("SQLITE_FULL"):
        return f"cannot be written: the disk is full; {advice} when there is room"
    if name.startswith("SQLITE_NOTADB"):
        return "is there already and is no record; choose another name"
    if name.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_IOERR", "SQLITE_PERM")):
        return f"cannot be written ({error}); {advice} when it can"
    return f"is damaged ({error})"
