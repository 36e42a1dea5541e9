"""Files of records, found by their names: lines of JSON (`.jsonl`) or a database (`.db`).

In: a path.  Out: the place where a plan's games are kept, or the matches that a file holds.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from attrs import define, field, frozen

from rulewright.disk import is_file
from rulewright.matches.database import (
    DatabaseRecords,
    connect,
    explained,
    game_of_row,
    read_head_text,
    read_rows,
)
from rulewright.matches.keeping import Forgotten, Lines, Records
from rulewright.matches.lines import LineRecords, read_lines
from rulewright.matches.plan import Plan
from rulewright.matches.record import GameRecord, RecordError
from rulewright.matches.schema import Head, parse_json, read_game, read_head

SUFFIXES = (".jsonl", ".db")


def open_records(path: Path | None, plan: Plan) -> Records:
    """The records of *plan* in a file; raises `RecordError` when that cannot be."""
    if path is None:
        return Forgotten()
    if path.suffix == ".jsonl":
        return LineRecords(path, plan)
    if path.suffix == ".db":
        return DatabaseRecords(path, plan)
    raise RecordError(f"{path}: a record is a file of lines, `.jsonl`, or a database, `.db`")


@frozen
class Match:
    """A match on record: its plan, its openings, its games in the order of their numbers.

    `damaged` says what the file holds that cannot be read, each with its place.
    """

    plan: Plan
    openings: Lines
    games: list[GameRecord] = field(factory=list)
    damaged: list[str] = field(factory=list)


def read_matches(path: Path) -> list[Match]:
    """Every match of a file, in the order in which they were begun; the file is only read.

    What can be read is; raises `RecordError` where that is nothing.
    """
    if not is_file(path):
        raise RecordError(f"{path} is no file")
    reading = _Reading()
    (reading.lines if path.suffix == ".jsonl" else reading.database)(path)
    found = reading.matches()
    if not found:
        raise RecordError("\n".join(reading.damaged[:1]) or f"{path} holds no match")
    return found


@define
class _Reading:
    """What was found in a file so far."""

    damaged: list[str] = field(factory=list)
    _heads: dict[str, Head] = field(factory=dict)
    _games: dict[str, dict[int, tuple[GameRecord, str]]] = field(factory=dict)

    def lines(self, path: Path) -> None:
        for line in read_lines(path):
            self._take(line.data, line.where, line.kind, line.match)

    def _take(self, data: object, where: str, kind: str, match: str) -> None:
        try:
            if data is None:
                raise RecordError(f"{where}: this line is no JSON text")
            if kind == "match":
                self._heads.setdefault(match, read_head(data, where))
            elif kind == "game":
                game = read_game(data, where)
                self._games.setdefault(match, {}).setdefault(game.number, (game, where))
            else:
                raise RecordError(f"{where}: this line is no record of a match or a game")
        except RecordError as error:
            self.damaged.append(str(error))

    def database(self, path: Path) -> None:
        with explained(path):
            base = connect(path, read_only=True)
            try:
                head, rows = read_head_text(base), read_rows(base)
            except sqlite3.OperationalError:
                raise RecordError(f"{path} holds no match") from None
            finally:
                base.close()
        if head is None:
            return
        self._heads[""] = read_head(parse_json(head[0], str(path)), str(path))
        for number, text in rows:
            where = f"{path}, game {number}"
            try:
                self._games.setdefault("", {})[number] = game_of_row(number, text, where), where
            except RecordError as error:
                self.damaged.append(str(error))

    def matches(self) -> list[Match]:
        """The matches with the games that belong to them; the last one has the complaints."""
        for name in [name for name in self._games if name not in self._heads]:
            for _, where in self._games.pop(name).values():
                told = "this game belongs to a match that has no line that can be read"
                self.damaged.append(f"{where}: {told}")
        found = [self._match(name, head) for name, head in self._heads.items()]
        if found:
            found[-1].damaged.extend(self.damaged)
        return found

    def _match(self, name: str, head: Head) -> Match:
        games = []
        for game, where in self._games.get(name, {}).values():
            refused = head.refused(game)
            if refused:
                self.damaged.append(f"{where}: {refused}")
            else:
                games.append(game)
        return Match(head.plan, head.lines, sorted(games, key=lambda game: game.number))
