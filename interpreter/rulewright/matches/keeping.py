"""What a match asks of the place where its games are kept, and the place that is none.

In: a plan.  Out: `Records`.  A kept game is never lost and never counted twice, whatever happens to
the process that writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from attrs import define, field

from rulewright._version import __version__
from rulewright.matches.plan import Plan
from rulewright.matches.record import FORMAT, GameRecord, line_of
from rulewright.matches.schema import game_of

Lines = Sequence[Sequence[str]]
"""Openings, as decisions."""


class Records(Protocol):
    """The kept games of one plan."""

    @property
    def openings(self) -> Lines | None:
        """The openings that were drawn when the plan was begun; None when it begins now."""

    @property
    def damaged(self) -> Sequence[str]:
        """What cannot be read, each with its place; those games are played again."""

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
    damaged: Sequence[str] = ()
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


def head_line(plan: Plan, openings: Lines) -> str:
    """What stands in front of the games of a plan, as a line of JSON."""
    return line_of({
        "format": FORMAT, "kind": "match", "match": plan.name, "version": __version__,
        "plan": plan.as_data(), "openings": [" ".join(line) for line in openings],
    })  # fmt: skip
