"""What records of matches say: one game, or the head of a match, as a line of JSON.

In: a game that was played, or a line from a file.  Out: a line with a checksum, or the typed record
that it holds; nothing is ever unpickled.  Types and limits are those of the classes.  Refuses with
a `RecordError` that says what is wrong and where.  A checksum, where there is one, must be right;
records of 0.1 have none.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from attrs import evolve, field, frozen
from attrs.validators import and_, deep_iterable, ge, in_, le, lt, optional

from rulewright import __version__
from rulewright.errors import RulewrightError
from rulewright.ground import cache
from rulewright.ground.limits import SEATS
from rulewright.ground.printable import amount
from rulewright.ground.records import (
    JSON_NAME,
    DataError,
    Setting,
    as_json,
    fields_as_json,
    from_json,
    parse_json,
)
from rulewright.matches.plan import MatchPlan, OpeningLines
from rulewright.search.results import told_value

FORMAT = 1
SUM = "sum"
"""The name of the checksum in a line."""
REASONS = ("rules", "claimed", "long", "adjudicated", "fault", "crash", "hang", "illegal", "time",
           "refused")  # fmt: skip
"""Why a game ended: by its rules; as a draw that was claimed; too long; by agreement of both
players' values; a fault of the rules, which counts for nobody; because a player failed; or because
a program refused a decision that is legal by the rules, which counts as the plan says."""

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
"""What the seats of a game are called in records."""
_SEAT = and_(ge(0), lt(SEATS))


def _check_players(_: object, __: object, players: Sequence[str]) -> None:
    if not 2 <= len(players) <= SEATS:
        raise ValueError(f"2 to {SEATS} players are in a game, and not {len(players)}")


COUNTED = 2**53
"""No game has so many of anything; sums of less can be divided as floats."""


class RecordError(RulewrightError):
    """A record cannot be read or written; the message names the file and says what to do."""


def line_of(data: Mapping[str, Any], checked: bool = True) -> str:
    """One line of JSON, with its checksum if it is *checked*."""
    summed = {**data, SUM: checksum(data)} if checked else data
    return json.dumps(summed, separators=(",", ":"), ensure_ascii=False)


def checksum(data: Mapping[str, Any]) -> str:
    """A digest that shows whether anything in a record was changed by accident."""
    content = {name: value for name, value in data.items() if name != SUM}
    return cache.digest(json.dumps(content, sort_keys=True))[:16]


@frozen
class RecordedMove:
    """A decision of a game, the seat that made it, and what its player told.

    Moves of an opening have only text and seat.  Not `searched`: there was no time for it.
    """

    text: str = field(metadata={JSON_NAME: "move"})
    seat: int = field(validator=_SEAT)
    value: float | None = None
    depth: int | None = field(default=None, validator=optional(lt(COUNTED)))
    nodes: int | None = field(default=None, validator=optional(lt(COUNTED)))
    seconds: float | None = None
    searched: bool = True
    result: str = ""
    """What its player saw of the end: `win in 5`."""

    @property
    def worth(self) -> str:
        """The worth for its player: a result or a value; empty where nothing is known."""
        return self.result or (told_value(self.value) if self.value is not None else "")

    @property
    def facts(self) -> list[str]:
        """What is known of it, in words: `+0.25`, `depth 4`, `1,200 nodes`, `0.100 s`."""
        facts = [
            self.worth,
            f"depth {self.depth}" if self.depth is not None else "",
            amount(self.nodes, "node") if self.nodes is not None else "",
            f"{self.seconds:.3f} s" if self.seconds is not None else "opening",
        ]
        return [fact for fact in facts if fact]

    def as_data(self) -> dict[str, Any]:
        """The decision as JSON has it; what is not known is left out."""
        figures = {
            **fields_as_json(self, "value depth nodes"),
            "seconds": None if self.seconds is None else round(self.seconds, 6),
            "searched": None if self.searched else False, "result": self.result or None,
        }  # fmt: skip
        facts = {name: fact for name, fact in figures.items() if fact is not None}
        return {"move": self.text, "seat": self.seat, **facts}


@frozen
class GameRecord:
    """A finished game.

    `number` counts the games of a match from 0, `pair` the pairs with one opening; `players` are
    in the order of their seats, the first one began.  `winner` is a seat, None for a draw.  Of more
    than two players `places` has the place of each seat, from 1; `winner` is first alone.
    `reason` is one of `REASONS`, `detail` the rule that ended the game or what went wrong.
    `opening` says how many of the moves were given.  `fixed`: neither chance nor time had a part,
    so that the same players play the same game again from the same opening.
    """

    match: str
    number: int = field(validator=ge(0))
    pair: int = field(validator=ge(0))
    game: str
    options: Mapping[str, Setting]
    players: tuple[str, ...] = field(validator=_check_players)
    moves: tuple[RecordedMove, ...] = field(metadata={JSON_NAME: "decisions"})
    opening: int = field(validator=ge(0))
    winner: int | None = field(validator=optional(_SEAT))
    reason: str = field(validator=in_(REASONS))
    detail: str
    turns: int = field(validator=(ge(0), lt(COUNTED)))
    seed: int
    limits: Mapping[str, Setting] = field(factory=dict)
    hashes: Mapping[str, str] = field(factory=dict)
    version: str = ""
    date: str = ""
    fixed: bool = False
    places: tuple[int, ...] = field(default=(), validator=deep_iterable(and_(ge(1), le(SEATS))))
    checked: bool = field(default=True, eq=False, metadata={JSON_NAME: ""})
    """Whether it was read with a checksum, or has never been on record; 0.1 wrote none."""

    @property
    def decisions(self) -> list[str]:
        """The decisions alone."""
        return [move.text for move in self.moves]

    @property
    def points(self) -> tuple[float, ...]:
        """The points of all seats: 1 for who won, and half a point for each of two in a draw.

        Of more than two players, the share of the others whom a seat is in front of, those beside
        it by half.
        """
        if self.places:
            return tuple(map(self._share, self.places))
        if self.winner is None:
            return 0.5, 0.5
        return (1.0, 0.0) if self.winner == 0 else (0.0, 1.0)

    def _share(self, place: int) -> float:
        """The points of a seat of several that has this place."""
        others = len(self.places) - 1
        behind = sum(other > place for other in self.places)
        return (behind + (self.places.count(place) - 1) / 2) / others

    def is_last(self, seat: int) -> bool:
        """Whether a seat is behind all others; of two, whether the other one has won."""
        if self.places:
            return self.places[seat] == len(self.players)
        return self.winner == 1 - seat

    @property
    def searched(self) -> bool:
        """Whether every decision came of what its player does as a rule."""
        return all(move.searched for move in self.moves)

    def verdict(self) -> str:
        """Say how the game ended, in a few words."""
        if self.places:
            order = sorted(zip(self.places, self.players, strict=True))
            return f"{', '.join(f'{place}. {name}' for place, name in order)} ({self.detail})"
        if self.winner is None:
            return f"draw ({self.detail})"
        return f"{self.players[self.winner]} wins ({self.detail})"

    def as_data(self) -> dict[str, Any]:
        """The record as JSON has it."""
        head = "match number pair game options players winner reason detail turns opening"
        return {
            "format": FORMAT, "kind": "game", **fields_as_json(self, head),
            "decisions": as_json(self.moves),
            **fields_as_json(self, "seed limits hashes version date fixed"),
            **({"places": list(self.places)} if self.places else {}),
        }  # fmt: skip

    def line(self) -> str:
        """The record as one line of JSON, without a checksum where it was read without one."""
        return line_of(self.as_data(), self.checked)


@frozen
class Head:
    """The head of a match's games: its plan and its openings, each a line of decisions."""

    match: str
    plan: MatchPlan
    openings: tuple[str, ...]

    @classmethod
    def of(cls, plan: MatchPlan, openings: OpeningLines) -> Head:
        """The head of the match that plays *plan* with these openings."""
        return cls(plan.name, plan, tuple(" ".join(line) for line in openings))

    @property
    def lines(self) -> list[list[str]]:
        """The openings, as decisions."""
        return [line.split() for line in self.openings]

    def line(self) -> str:
        """The head as one line of JSON."""
        return line_of({
            "format": FORMAT, "kind": "match", "match": self.match, "version": __version__,
            "plan": self.plan.as_data(), "openings": list(self.openings),
        })  # fmt: skip


@frozen
class RecordEntry:
    """One line or row of a file of records; `match` tells its match from others of the file."""

    place: str
    match: int | str
    read: Callable[[], Head | GameRecord]
    """Reads the content of the line; raises `RecordError`."""


def refusal_of_game(game: GameRecord, plan: MatchPlan) -> str:
    """Say why a game cannot be of a match; empty when it can."""
    if game.number >= plan.total:
        return f"the match has only {amount(plan.total, 'game')}"
    strange = [name for name in game.players if name not in plan.players]
    if strange:
        return f"{strange[0]} is no player of the match"
    pair = plan.pair(game.number // plan.seats)
    seats = pair.games()[game.number % plan.seats][1]
    players = tuple(plan.players[index] for index in seats)
    if (game.pair, game.players) != (pair.number, players):
        opponents = " against ".join(players)
        return f"game {game.number} of the match is of pair {pair.number}, {opponents}"
    return _refusal_of_places(game, plan.seats)


def _refusal_of_places(game: GameRecord, seats: int) -> str:
    """Say what is wrong with seats and places of a game; empty where they fit."""
    if any(move.seat >= seats for move in game.moves):
        return f"a decision in it belongs to none of the {amount(seats, 'player')}"
    places = 0 if seats == 2 or game.reason == "fault" else seats
    first = [seat for seat, place in enumerate(game.places) if place == 1]
    winner = (first[0] if len(first) == 1 else None) if places else game.winner
    if len(game.places) != places or winner != game.winner or (game.winner or 0) >= seats:
        return "its places do not fit that many players"
    return ""


# --- from data to records ---


T = TypeVar("T")


def read_game(data: object, place: str) -> GameRecord:
    """The record of parsed JSON; *place* names its place in messages."""
    fields = _checked_fields(data, "game", place)
    game = _structured(fields, GameRecord, f"{place}: the record of a game is damaged")
    return game if SUM in fields else evolve(game, checked=False)


def read_head(data: object, place: str) -> Head:
    """The head of a match; raises `RecordError`."""
    fields = _checked_fields(data, "match", place)
    return _structured(fields, Head, f"{place}: the plan of the match is damaged")


def plan_of(data: object) -> MatchPlan:
    """The plan that `as_data` gave; raises `RecordError`."""
    return _structured(data, MatchPlan, "the plan of a match is damaged")


def parsed_record(text: str | bytes | None, place: str) -> object:
    """Parse the text of a record, None where a database has none; raises `RecordError`."""
    try:
        return parse_json(text)
    except DataError as error:
        raise RecordError(f"{place}: {error}") from None


def game_of(line: str | bytes | None, place: str) -> GameRecord:
    """The game of a line of JSON."""
    return read_game(parsed_record(line, place), place)


def game_of_row(number: int, record: bytes | None, place: str) -> GameRecord:
    """The game of a row of a database, whose number must be that of the record."""
    game = game_of(record, place)
    if game.number != number:
        raise RecordError(f"{place}: the record is that of game {game.number}")
    return game


def head_of(line: str | bytes | None, place: str) -> Head:
    """The head of a match, of a line of JSON."""
    return read_head(parsed_record(line, place), place)


def _checked_fields(data: object, kind: str, place: str) -> Mapping[str, Any]:
    """*data*, if it says that it is of a kind and in today's format; raises `RecordError`.

    A checksum may be missing, but none may be wrong.
    """
    if not isinstance(data, dict) or data.get("kind") != kind:
        raise RecordError(f"{place}: this is no record of a {kind}")
    if data.get("format") != FORMAT or type(data["format"]) is not int:
        raise RecordError(f"{place}: the record has the unknown format {data.get('format')!r}")
    if SUM in data and data[SUM] != checksum(data):
        raise RecordError(f"{place}: this record was changed, for its checksum is another")
    return data


def _structured(data: object, kind: type[T], complaint: str) -> T:
    try:
        return from_json(data, kind)
    except DataError as error:
        raise RecordError(f"{complaint} ({error})") from None
