"""What a match asks of the place where its games are kept, and the place that is none.

In: a plan.  Out: `Records`.  A kept game is never lost and never counted twice, whatever happens to
the process that writes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from attrs import define, field

from rulewright._version import __version__
from rulewright.matches.plan import Plan
from rulewright.matches.record import FORMAT, GameRecord, RecordError, read_game

Lines = Sequence[Sequence[str]]
"""Openings, as decisions."""


class Records(Protocol):
    """The kept games of one plan."""

    @property
    def openings(self) -> Lines | None:
        """The openings that were drawn when the plan was begun; None when it begins now."""

    def begin(self, openings: Lines) -> None:
        """Keep the plan with its openings, before the first game."""

    def games(self) -> list[GameRecord]:
        """All games that are kept."""

    def add(self, lines: Iterable[str]) -> list[GameRecord]:
        """Keep games, given as lines of JSON, and return them as they stand in the record.

        A game whose number is kept already stays as it was.
        """

    def fresh(self) -> list[GameRecord]:
        """Games that another process has kept since this was asked the last time."""

    def close(self) -> None:
        """Let go of the file."""


@define
class Forgotten:
    """No file: the games live as long as the process."""

    openings: Lines | None = None
    _games: dict[int, GameRecord] = field(factory=dict)

    def begin(self, openings: Lines) -> None:
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


def game_of(line: str, where: str) -> GameRecord:
    """The game of a line of JSON."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise RecordError(f"{where}: this is no JSON text") from None
    return read_game(data, where)


def head(plan: Plan, openings: Lines) -> dict[str, Any]:
    """What stands in front of the games of a plan."""
    return {
        "format": FORMAT, "kind": "match", "match": plan.name, "version": __version__,
        "plan": plan.as_data(), "openings": [" ".join(line) for line in openings],
    }  # fmt: skip


def openings_of(data: dict[str, Any]) -> Lines:
    """The openings of a head."""
    return [str(line).split() for line in data["openings"]]


def plan_of(data: dict[str, Any], where: str) -> Plan:
    """The plan of a head."""
    try:
        return Plan.of_data(data["plan"])
    except (KeyError, TypeError, ValueError) as error:
        raise RecordError(f"{where}: the plan of the match is damaged ({error!r})") from None
