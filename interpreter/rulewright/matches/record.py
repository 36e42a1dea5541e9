"""One game on record: everything needed to play it again and to believe its result.

In: a game that was played, or a line of JSON.  Out: the other of the two.  A line that is no record
is refused with a message; nothing is ever unpickled.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from attrs import evolve, field, frozen

from rulewright.errors import RulewrightError

FORMAT = 1
REASONS = ("rules", "long", "adjudicated", "fault", "crash", "hang", "illegal", "time")
"""Why a game ended: by its rules; too long; by agreement of both players' values; a fault of the
rules, which counts for nobody; or because a player failed."""


class RecordError(RulewrightError):
    """A record cannot be read or written; the message names the file and says what to do."""


@frozen
class Move:
    """A decision of a game, the seat that made it, and what its player told.

    Moves of an opening tell nothing and took no seconds.
    """

    text: str
    seat: int
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

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> Move:
        """What `as_data` gave."""
        numbers = (data.get(name) for name in ("value", "depth", "nodes", "seconds"))
        return cls(str(data["move"]), int(data["seat"]), *numbers)


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
    number: int
    pair: int
    game: str
    options: Mapping[str, int | float | bool]
    players: tuple[str, str]
    moves: tuple[Move, ...]
    opening: int
    winner: int | None
    reason: str
    detail: str
    turns: int
    seed: int
    limits: Mapping[str, Any] = field(factory=dict)
    hashes: Mapping[str, str] = field(factory=dict)
    version: str = ""
    date: str = ""
    fixed: bool = False

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
        return json.dumps(self.as_data(), separators=(",", ":"), ensure_ascii=False)

    def same_game(self, other: GameRecord) -> bool:
        """Whether both tell of the same play: all but the time it took and when it was."""
        return self._timeless() == other._timeless()

    def _timeless(self) -> GameRecord:
        moves = tuple(evolve(move, seconds=None) for move in self.moves)
        return evolve(self, moves=moves, date="", version="")


def read_game(data: object, where: str) -> GameRecord:
    """The record of parsed JSON; *where* names its place in messages."""
    try:
        if not isinstance(data, dict) or data["kind"] != "game":
            raise RecordError(f"{where}: this is no record of a game")
        if data["format"] != FORMAT:
            raise RecordError(f"{where}: the record has the unknown format {data['format']!r}")
        return _of_data(data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RecordError(f"{where}: the record of a game is damaged ({error!r})") from None


_TYPES: dict[str, type] = {
    "match": str, "number": int, "pair": int, "game": str, "options": dict, "players": list,
    "reason": str, "detail": str, "turns": int, "opening": int, "decisions": list, "seed": int,
    "limits": dict, "hashes": dict, "version": str, "date": str,
}  # fmt: skip


def _of_data(data: Mapping[str, Any]) -> GameRecord:
    for name, kind in _TYPES.items():
        if type(data[name]) is not kind:
            raise ValueError(f"{name} {data[name]!r}")
    winner, (first, second) = data["winner"], data["players"]
    if winner not in (0, 1, None) or data["reason"] not in REASONS:
        raise ValueError(f"winner {winner!r}, reason {data['reason']!r}")
    return GameRecord(
        data["match"], data["number"], data["pair"], data["game"], data["options"],
        (str(first), str(second)), tuple(Move.of_data(move) for move in data["decisions"]),
        data["opening"], winner, data["reason"], data["detail"], data["turns"], data["seed"],
        data["limits"], data["hashes"], data["version"], data["date"],
        data.get("fixed") is True,
    )  # fmt: skip
