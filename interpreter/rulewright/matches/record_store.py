"""Record stores: where a match writes its games, and what a file of records holds.

In: a path and a plan.  Out: a `RecordStore` for whoever plays it: memory, lines of JSON (`.jsonl`)
or a database (`.db`); or, of a path alone, the matches that the file holds.  A game on record is
never lost and never counted twice, whatever happens to the process that writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

from attrs import define, field, frozen

from rulewright.disk import is_file
from rulewright.matches import line_store, sqlite_store
from rulewright.matches.game_record import Entry, GameRecord, Head, RecordError, game_of
from rulewright.matches.line_store import LineStore
from rulewright.matches.plan import MatchPlan, OpeningLines
from rulewright.matches.sqlite_store import SqliteStore


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
    kind = line_store if path.suffix == ".jsonl" else sqlite_store
    contents = _Contents()
    for entry in kind.entries(path):
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
    _games: dict[str, dict[int, tuple[GameRecord, str]]] = field(factory=dict)

    def take(self, entry: Entry) -> None:
        try:
            found = entry.read()
        except RecordError as error:
            self.damaged.append(str(error))
            return
        if isinstance(found, Head):
            self._heads.setdefault(entry.match, found)
        else:
            games = self._games.setdefault(entry.match, {})
            games.setdefault(found.number, (found, entry.where))

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
