"""Matches on record in files: databases (`.db`) and lines of JSON (`.jsonl`).

In: paths of files that anybody may have written.  Out: the matches that they hold; in one database
if that is wanted.  What cannot be read is left out, and told with its place.  Refuses files that
are neither, and lines longer than a game can be.  A last line that a killed process left unfinished
does not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import BinaryIO

from attrs import define, field, frozen

from rulewright.ground.disk import LARGEST, is_file, open_file
from rulewright.ground.records import DataError, parse_json
from rulewright.matches import game_record
from rulewright.matches.database import PATIENCE, VERSION, Database
from rulewright.matches.game_record import GameRecord, Head, RecordEntry, RecordError
from rulewright.matches.plan import MatchPlan, OpeningLines

STORED, LINES = ".db", ".jsonl"
SUFFIXES = (STORED, LINES)


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
    if path.suffix == LINES:
        matches = _matches(_line_entries(path))
    else:
        with closing(Database.reading(path)) as base:
            matches = _matches(database_entries(base))
    if not matches:
        raise RecordError(f"{path} holds no match")
    return matches


# --- into a database ---


def import_matches(path: Path, sources: Iterable[Path]) -> tuple[list[Match], int]:
    """Put the matches of files into a database; what was read, and how many games were new."""
    matches = [match for source in sources for match in read_matches(source)]
    with closing(open_database(path)) as base:
        return matches, keep(base, matches)


def open_database(path: Path, patience: float = PATIENCE) -> Database:
    """A database for writing; one of 0.1 gets today's tables."""
    return Database.writing_to(path, _upgrade, patience)


def _upgrade(base: Database) -> None:
    matches = _matches(database_entries(base))
    with base.new_tables():
        _insert(base, matches)


def keep(base: Database, matches: Iterable[Match]) -> int:
    """Put matches into a database, all or none; how many games were new.

    A game whose number is on record already stays as it was.
    """
    with base.transaction():
        return _insert(base, matches)


def _insert(base: Database, matches: Iterable[Match]) -> int:
    added = 0
    for match in matches:
        head = Head.of(match.plan, match.openings)
        insert_head(base, head)
        ((number,),) = base.rows("SELECT id FROM matches WHERE name = ?", head.match)
        added += sum(insert_game(base, number, game) for game in match.games)
    return added


def insert_head(base: Database, head: Head) -> None:
    """Put a match into a database, unless it is there already."""
    statement = "INSERT INTO matches (name, game, head) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
    base.execute(statement, head.match, head.plan.game, head.line())


def insert_game(base: Database, match: int, game: GameRecord) -> bool:
    """Put a game into a database; whether its number was not on record yet."""
    winner = None if game.places else game.winner  # docs/matches.md: the columns are for two
    row = (match, game.number, *game.players[:2], winner, game.reason, game.turns, game.line())
    statement = "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
    return base.execute(statement, *row) == 1


# --- entries of files ---


def database_entries(base: Database) -> Iterator[RecordEntry]:
    """The heads of a database of any version, and its games."""
    if base.version is None:
        return
    today = base.version == VERSION
    heads = "id, CAST(head AS BLOB) FROM matches" if today else "1, CAST(head AS BLOB) FROM plan"
    matches = base.rows(f"SELECT {heads} ORDER BY 1")
    for match, text in matches:
        yield RecordEntry(base.path, match, partial(game_record.head_of, text, base.path))
    column = "match_id" if today else "1"
    rows = f"SELECT {column}, number, CAST(record AS BLOB) FROM games ORDER BY 1, 2"
    for match, number, text in base.rows(rows):
        label = f"match {match}, game {number}" if len(matches) > 1 else f"game {number}"
        place = f"{base.path}, {label}"
        yield RecordEntry(place, match, partial(game_record.game_of_row, number, text, place))


def _line_entries(path: Path) -> Iterator[RecordEntry]:
    """Every finished line of a file."""
    try:
        with open_file(path) as file:
            for number, text in enumerate(_lines(file, path), 1):
                if text.endswith(b"\n"):
                    yield _line_entry(text, f"{path}:{number}")
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from None


def _lines(file: BinaryIO, path: Path) -> Iterator[bytes]:
    while line := file.readline(LARGEST + 1):
        if len(line) > LARGEST:
            raise RecordError(f"{path} has a line of more than {LARGEST:,} bytes")
        yield line


def _line_entry(text: bytes, place: str) -> RecordEntry:
    data = None
    with suppress(DataError):
        data = parse_json(text)
    match = data.get("match") if isinstance(data, dict) else None
    read = partial(_read_line, data, place)
    return RecordEntry(place, match if isinstance(match, str) else "", read)


def _read_line(data: object, place: str) -> Head | GameRecord:
    """Read the record in a line, by the kind that it says it is of."""
    match data:
        case None:
            raise RecordError(f"{place}: this line is no JSON text")
        case {"kind": "match"}:
            return game_record.read_head(data, place)
        case {"kind": "game"}:
            return game_record.read_game(data, place)
    raise RecordError(f"{place}: this line is no record of a match or a game")


# --- matches of entries ---


def _matches(entries: Iterable[RecordEntry]) -> list[Match]:
    """The matches of entries; raises `RecordError` where all that there is cannot be read."""
    contents = _Contents()
    for entry in entries:
        contents.take(entry)
    matches = contents.matches()
    if contents.damaged and not matches:
        raise RecordError(contents.damaged[0])
    return matches


@define
class _Contents:
    """The heads and games read from a file so far, by what tells their matches apart."""

    damaged: list[str] = field(factory=list)
    _heads: dict[int | str, Head] = field(factory=dict)
    _games: dict[int | str, list[tuple[GameRecord, str]]] = field(factory=dict)

    def take(self, entry: RecordEntry) -> None:
        try:
            record = entry.read()
        except RecordError as error:
            self.damaged.append(str(error))
            return
        if isinstance(record, Head):
            self._heads.setdefault(entry.match, record)
        else:
            self._games.setdefault(entry.match, []).append((record, entry.place))

    def matches(self) -> list[Match]:
        """The matches with the games that belong to them; the last one has the complaints."""
        for match in (match for match in self._games if match not in self._heads):
            reason = "this game belongs to a match that has no line that can be read"
            self.damaged += [f"{place}: {reason}" for _, place in self._games[match]]
        matches = [self._match(match, head) for match, head in self._heads.items()]
        if matches:
            matches[-1].damaged.extend(self.damaged)
        return matches

    def _match(self, match: int | str, head: Head) -> Match:
        games = dict[int, GameRecord]()
        for game, place in self._games.get(match, ()):
            if reason := game_record.refusal_of_game(game, head.plan):
                self.damaged.append(f"{place}: {reason}")
            else:
                games.setdefault(game.number, game)
        return Match(head.plan, head.lines, [games[number] for number in sorted(games)])
