"""The store in which a match keeps its games.

In: a plan, and the path of a database or nothing.  Out: a `RecordStore` for whoever plays it, in
that database or in the memory of the process.  A game on record is never lost and never counted
twice, whatever happens to the process that writes.  A database of another plan is refused, with
what is different.

Matches are played into databases only.  Where a match is to go on in a file of lines, as 0.1 wrote
them, its database is made of that file first, once.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from attrs import define, field

from rulewright.ground.disk import is_file
from rulewright.matches import game_record, record_files
from rulewright.matches.database import PATIENCE, Database, Row
from rulewright.matches.game_record import GameRecord, Head, RecordError
from rulewright.matches.plan import MatchPlan, OpeningLines


@define(eq=False)
class RecordStore:
    """The recorded games of one plan.

    `openings` are those that were drawn when the plan was begun; None when it begins now.
    `damaged` says what cannot be read, each with its place; those games are played again.
    `notice` says that the games are kept elsewhere than the path that was given; mostly empty.
    """

    plan: MatchPlan
    base: Database
    notice: str = ""
    openings: OpeningLines | None = field(default=None, init=False)
    damaged: list[str] = field(factory=list, init=False)
    _match: int = field(default=0, init=False)
    """The number of the match in the database."""
    _numbers: set[int] = field(factory=set, init=False)
    """The numbers of the games that this process knows."""
    _changes: int = field(default=-1, init=False)
    """Counts what other processes have written, as far as it was looked at."""

    def __attrs_post_init__(self) -> None:
        try:
            self._read_head()
        except BaseException:
            self.close()
            raise

    def _read_head(self) -> None:
        """Remember the openings of the plan, if it is on record; refuse other plans."""
        heads = self.base.rows("SELECT id, name, CAST(head AS BLOB) FROM matches ORDER BY id")
        for number, name, text in heads:
            if name == self.plan.name:
                self._match, self.openings = number, game_record.head_of(text, self.base.path).lines
                return
        if heads:
            settings = self.plan.differences(game_record.head_of(heads[-1][2], self.base.path).plan)
            raise RecordError(
                f"{self.base.path} is the record of another command, which differs in "
                f"{', '.join(settings)}; repeat that command, or choose another name"
            )

    def begin(self, openings: OpeningLines) -> None:
        """Record the plan with its openings, before the first game.

        If another process was faster, its openings hold.
        """
        with self.base.transaction():
            self._read_head()
            if self.openings is None:
                record_files.insert_head(self.base, Head.of(self.plan, openings))
                self._read_head()

    def games(self) -> list[GameRecord]:
        """Read all games on record; a damaged one is put aside."""
        rows = self._rows("ORDER BY number")
        games = [game for number, text in rows if (game := self._read(number, text))]
        self._numbers = {game.number for game in games}
        return games

    def _rows(self, condition: str, *values: int) -> list[Row]:
        query = f"SELECT number, CAST(record AS BLOB) FROM games WHERE match_id = ? {condition}"
        return self.base.rows(query, self._match, *values)

    def _read(self, number: int, text: bytes | None) -> GameRecord | None:
        place = f"{self.base.path}, game {number}"
        try:
            game = game_record.game_of_row(number, text, place)
            if reason := game_record.refusal_of_game(game, self.plan):
                raise RecordError(f"{place}: {reason}")
            return game
        except RecordError as error:
            self.damaged.append(str(error))
        with self.base.transaction():
            row = "FROM games WHERE match_id = ? AND number = ? AND CAST(record AS BLOB) IS ?"
            put_aside = f"INSERT INTO damaged SELECT match_id, number, record {row}"
            for statement in (put_aside, f"DELETE {row}"):
                self.base.execute(statement, self._match, number, text)
        return None

    def add(self, lines: Iterable[str]) -> list[GameRecord]:
        """Record games, given as lines of JSON, and return them as they stand in the record.

        A game on record already stays as it was; one there that cannot be read is put aside, and
        the new one takes its place.
        """
        games = [game_record.game_of(line, "a worker's answer") for line in lines]
        with self.base.transaction():
            added = [record_files.insert_game(self.base, self._match, game) for game in games]
        self._numbers |= {game.number for game in games}
        return [
            game if new else self._game(game.number) or self._instead(game)
            for game, new in zip(games, added, strict=True)
        ]

    def _instead(self, game: GameRecord) -> GameRecord:
        """Keep a game in the place of one that could not be read."""
        with self.base.transaction():
            record_files.insert_game(self.base, self._match, game)
        return game

    def _game(self, number: int) -> GameRecord | None:
        rows = self._rows("AND number = ?", number)
        return self._read(*rows[0]) if rows else None

    def fresh(self) -> list[GameRecord]:
        """Games that another process has recorded since the last call."""
        ((changes,),) = self.base.rows("PRAGMA data_version")
        if changes == self._changes:
            return []
        self._changes = changes
        rows = self.base.rows("SELECT number FROM games WHERE match_id = ?", self._match)
        numbers = {number for (number,) in rows} - self._numbers
        self._numbers |= numbers
        return [game for number in sorted(numbers) if (game := self._game(number))]

    def close(self) -> None:
        """Let go of the file."""
        self.base.close()


def open_store(path: Path | None, plan: MatchPlan, patience: float = PATIENCE) -> RecordStore:
    """The records of *plan* in a file, or in memory; raises `RecordError` when that cannot be."""
    if path is None:
        return RecordStore(plan, Database.in_memory())
    if path.suffix not in record_files.SUFFIXES:
        raise RecordError(f"{path}: a match is kept in a database, `{record_files.STORED}`")
    if path.suffix == record_files.STORED:
        return RecordStore(plan, record_files.open_database(path, patience))
    return _made_of_lines(path, plan, patience)


def _made_of_lines(path: Path, plan: MatchPlan, patience: float) -> RecordStore:
    """The records of a plan whose earlier games stand in lines: a database beside them."""
    database = path.with_suffix(record_files.STORED)
    if not is_file(path):
        hint = "a match is kept in a database; `rulewright export --as jsonl` writes lines of it"
        raise RecordError(f"{path}: {hint}: choose {database.name}")
    matches = [] if _holds_matches(database) else record_files.read_matches(path)
    base = record_files.open_database(database, patience)
    try:
        record_files.keep(base, matches)
    except BaseException:
        base.close()
        raise
    notice = f"the match goes on in {database}, which was made of {path}"
    store = RecordStore(plan, base, notice)
    store.damaged += [complaint for match in matches for complaint in match.damaged]
    return store


def _holds_matches(path: Path) -> bool:
    """Whether there is a database in which a match was begun."""
    if not is_file(path):
        return False
    with closing(Database.reading(path)) as base:
        return any(record_files.database_entries(base))
