"""One game on record: everything needed to play it again and to believe its result.

In: a game that was played.  Out: a line of JSON with a checksum, which `schema` reads back; nothing
is ever unpickled.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from attrs import evolve, field, frozen
from attrs.validators import ge, in_

from rulewright import cache
from rulewright.errors import RulewrightError

FORMAT = 1
SUM = "sum"
"""The name of the checksum in a line."""
REASONS = ("rules", "long", "adjudicated", "fault", "crash", "hang", "illegal", "time")
"""Why a game ended: by its rules; too long; by agreement of both players' values; a fault of the
rules, which counts for nobody; or because a player failed."""


class RecordError(RulewrightError):
    """A record cannot be read or written; the message names the file and says what to do."""


def line_of(data: Mapping[str, Any]) -> str:
    """One line of JSON, with its checksum."""
    summed = {**data, SUM: checksum(data)}
    return json.dumps(summed, separators=(",", ":"), ensure_ascii=False)


def checksum(data: Mapping[str, Any]) -> str:
    """What tells this record from one in which anything was changed by accident."""
    told = {name: value for name, value in data.items() if name != SUM}
    return cache.digest(json.dumps(told, sort_keys=True))[:16]


@frozen
class Move:
    """A decision of a game, the seat that made it, and what its player told.

    Moves of an opening tell nothing and took no seconds.
    """

    text: str
    seat: int = field(validator=in_((0, 1)))
    value: float | None = None
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    def as_data(self) -> dict[str, Any]:
        """The decision as JSON has it; what is not known is left out."""
        known = {"value": self.value, "depth": self.depth, "nodes": self.nodes}
        told: dict[str, Any] = {n: v for n, v in known.items() if v is not None}
        if self.seconds is not None:
            told["seconds"] = round(self.seconds, 6)
        return {"move": self.text, "seat": self.seat, **told}


@frozen
class GameRecord:
    """A finished game.

    `number` counts the games of a match from 0, `pair` the pairs with one opening; `players` are
    in the order of their seats, the first one began.  `winner` is a seat, None for a draw.
    `reason` is one of `REASONS`, `detail` the rule that ended the game or what went wrong.
    `opening` says how many of the moves were given.  `fixed`: neither chance nor time had a part,
    so that the same players play the same game again from the same opening.
    """

    match: str
    number: int = field(validator=ge(0))
    pair: int = field(validator=ge(0))
    game: str
    options: Mapping[str, int | float | bool]
    players: tuple[str, str]
    moves: tuple[Move, ...]
    opening: int = field(validator=ge(0))
    winner: int | None = field(validator=in_((0, 1, None)))
    reason: str = field(validator=in_(REASONS))
    detail: str
    turns: int = field(validator=ge(0))
    seed: int
    limits: Mapping[str, int | float | bool] = field(factory=dict)
    hashes: Mapping[str, str] = field(factory=dict)
    version: str = ""
    date: str = ""
    fixed: bool = False
    checked: bool = field(default=True, eq=False)
    """Whether it was read with a checksum, or has never been on record; 0.1 wrote none."""

    @property
    def decisions(self) -> list[str]:
        """The decisions alone."""
        return [move.text for move in self.moves]

    @property
    def points(self) -> tuple[float, float]:
        """The points of both seats; a draw is half a point for each."""
        if self.winner is None:
            return 0.5, 0.5
        return (1.0, 0.0) if self.winner == 0 else (0.0, 1.0)

    def verdict(self) -> str:
        """How the game ended, in a few words."""
        if self.winner is None:
            return f"draw ({self.detail})"
        return f"{self.players[self.winner]} wins ({self.detail})"

    def as_data(self) -> dict[str, Any]:
        """The record as JSON has it."""
        return {
            "format": FORMAT, "kind": "game", "match": self.match, "number": self.number,
            "pair": self.pair, "game": self.game, "options": dict(self.options),
            "players": list(self.players), "winner": self.winner, "reason": self.reason,
            "detail": self.detail, "turns": self.turns, "opening": self.opening,
            "decisions": [move.as_data() for move in self.moves], "seed": self.seed,
            "limits": dict(self.limits), "hashes": dict(self.hashes), "version": self.version,
            "date": self.date, "fixed": self.fixed,
        }  # fmt: skip

    def line(self) -> str:
        """The record as one line of JSON."""
        return line_of(self.as_data())

    def same_game(self, other: GameRecord) -> bool:
        """Whether both tell of the same play: all but the time it took and when it was."""
        return self._timeless() == other._timeless()

    def _timeless(self) -> GameRecord:
        moves = tuple(evolve(move, seconds=None) for move in self.moves)
        return evolve(self, moves=moves, date="", version="")
