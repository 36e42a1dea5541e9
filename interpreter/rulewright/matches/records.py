"""Files of records, found by their names: lines of JSON (`.jsonl`) or a database (`.db`).

In: a path.  Out: the place where a plan's games are kept, or the matches that a file holds.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from attrs import field, frozen

from rulewright.matches.database import DatabaseRecords, connect, explained, read_head
from rulewright.matches.keeping import Forgotten, Lines, Records, game_of, openings_of, plan_of
from rulewright.matches.lines import LineRecords, read_lines
from rulewright.matches.plan import Plan
from rulewright.matches.record import GameRecord, RecordError, read_game

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
    """A match on record: its plan, its openings, its games in the order of their numbers."""

    plan: Plan
    openings: Lines
    games: list[GameRecord] = field(factory=list)


def read_matches(path: Path) -> list[Match]:
    """Every match of a file, in the order in which they were begun; the file is only read."""
    if not path.is_file():
        raise RecordError(f"{path} is no file")
    found = list(_of_lines(path) if path.suffix == ".jsonl" else _of_database(path))
    if not found:
        raise RecordError(f"{path} holds no match")
    return found


def _of_lines(path: Path) -> Iterator[Match]:
    known: dict[str, Match] = {}
    numbers: dict[str, set[int]] = {}
    for data, where in read_lines(path):
        name = str(data.get("match"))
        if data["kind"] == "match":
            known.setdefault(name, Match(plan_of(data, where), openings_of(data)))
            continue
        game = read_game(data, where)
        if name not in known:
            raise RecordError(f"{where}: this game belongs to a match that has no line above it")
        if game.number not in numbers.setdefault(name, set()):
            numbers[name].add(game.number)
            known[name].games.append(game)
    for match in known.values():
        match.games.sort(key=lambda game: game.number)
        yield match


def _of_database(path: Path) -> Iterator[Match]:
    with explained(path):
        base = connect(path, read_only=True)
        try:
            head = read_head(base, path)
            if head is None:
                return
            rows = base.execute("SELECT number, record FROM games ORDER BY number").fetchall()
        except sqlite3.OperationalError:
            raise RecordError(f"{path} holds no match") from None
        finally:
            base.close()
    games = [game_of(text, f"{path}, game {number}") for number, text in rows]
    yield Match(plan_of(head, str(path)), openings_of(head), games)
