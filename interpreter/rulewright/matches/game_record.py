"""What records of matches say: one game, or the head of a match, as a line of JSON.

In: a game that was played, or a line from a file.  Out: a line with a checksum, or the typed record
that it holds; nothing is ever unpickled.  Types and limits are those of the classes; cattrs checks
them, and nothing is converted: a number in quotes is none.  Refuses with a `RecordError` that says
what is wrong and where.  A checksum, where there is one, must be right; records of 0.1 have none.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar, get_args, get_origin

from attrs import evolve, field, frozen, has
from attrs.validators import ge, in_, lt, optional
from cattrs import BaseValidationError, Converter, transform_error
from cattrs.gen import make_dict_structure_fn, override

from rulewright import __version__
from rulewright.errors import RulewrightError
from rulewright.ground import cache
from rulewright.ground.printable import amount
from rulewright.matches.plan import Adjudication, MatchPlan, OpeningLines
from rulewright.search.results import told_value

FORMAT = 1
SUM = "sum"
"""The name of the checksum in a line."""
REASONS = ("rules", "claimed", "long", "adjudicated", "fault", "crash", "hang", "illegal", "time",
           "refused")  # fmt: skip
"""Why a game ended: by its rules; as a draw that was claimed; too long; by agreement of both
players' values; a fault of the rules, which counts for nobody; because a player failed; or because
a program refused a decision that is legal by the rules, which counts as the plan says."""

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

    text: str
    seat: int = field(validator=in_((0, 1)))
    value: float | None = None
    depth: int | None = field(default=None, validator=optional(lt(COUNTED)))
    nodes: int | None = field(default=None, validator=optional(lt(COUNTED)))
    seconds: float | None = None
    searched: bool = True
    result: str = ""
    """What its player saw of the end: `win in 5`."""

    @property
    def worth(self) -> str:
        """What it was worth for its player: a result or a value; empty where nothing is known."""
        return self.result or (told_value(self.value) if self.value is not None else "")

    def as_data(self) -> dict[str, Any]:
        """The decision as JSON has it; what is not known is left out."""
        known = {"value": self.value, "depth": self.depth, "nodes": self.nodes}
        data: dict[str, Any] = {n: v for n, v in known.items() if v is not None}
        if self.seconds is not None:
            data["seconds"] = round(self.seconds, 6)
        if not self.searched:
            data["searched"] = False
        if self.result:
            data["result"] = self.result
        return {"move": self.text, "seat": self.seat, **data}


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
    moves: tuple[RecordedMove, ...]
    opening: int = field(validator=ge(0))
    winner: int | None = field(validator=in_((0, 1, None)))
    reason: str = field(validator=in_(REASONS))
    detail: str
    turns: int = field(validator=(ge(0), lt(COUNTED)))
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

    @property
    def searched(self) -> bool:
        """Whether every decision came of what its player does as a rule."""
        return all(move.searched for move in self.moves)

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
        """The record as one line of JSON, without a checksum where it was read without one."""
        return line_of(self.as_data(), self.checked)


@frozen
class Head:
    """What stands in front of the games of a match; each opening is a line of decisions."""

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
    """What it holds; raises `RecordError`."""


def refused(game: GameRecord, plan: MatchPlan) -> str:
    """Why a game cannot be of a match; empty when it can."""
    if game.number >= plan.total:
        return f"the match has only {amount(plan.total, 'game')}"
    strange = [name for name in game.players if name not in plan.players]
    if strange:
        return f"{strange[0]} is no player of the match"
    pair = plan.pair(game.number // 2)
    first, second = (plan.players[who] for who in pair.games()[game.number % 2][1])
    if (game.pair, game.players) != (pair.number, (first, second)):
        return f"game {game.number} of the match is of pair {pair.number}, {first} against {second}"
    return ""


# --- from data to records ---


T = TypeVar("T")
Setting = int | float | bool


def read_game(data: object, place: str) -> GameRecord:
    """The record of parsed JSON; *place* names its place in messages."""
    known = _checked(data, "game", place)
    game = _structured(known, GameRecord, f"{place}: the record of a game is damaged")
    return game if SUM in known else evolve(game, checked=False)


def read_head(data: object, place: str) -> Head:
    """The head of a match; raises `RecordError`."""
    known = _checked(data, "match", place)
    return _structured(known, Head, f"{place}: the plan of the match is damaged")


def plan_of(data: object) -> MatchPlan:
    """The plan that `as_data` gave; raises `RecordError`."""
    return _structured(data, MatchPlan, "the plan of a match is damaged")


def parse_json(text: str | bytes | None, place: str) -> object:
    """The data of a text; *text* is None where a database has none."""
    try:
        data: object = json.loads(text)  # type: ignore[arg-type]  # None is a TypeError
    except (ValueError, TypeError, RecursionError):
        raise RecordError(f"{place}: this is no JSON text") from None
    return data


def game_of(line: str | bytes | None, place: str) -> GameRecord:
    """The game of a line of JSON."""
    return read_game(parse_json(line, place), place)


def game_of_row(number: int, record: bytes | None, place: str) -> GameRecord:
    """The game of a row of a database, whose number must be that of the record."""
    game = game_of(record, place)
    if game.number != number:
        raise RecordError(f"{place}: the record is that of game {game.number}")
    return game


def head_of(line: str | bytes | None, place: str) -> Head:
    """The head of a match, of a line of JSON."""
    return read_head(parse_json(line, place), place)


def _checked(data: object, kind: str, place: str) -> Mapping[str, Any]:
    """*data* if it says that it is of a kind, in today's format, and its checksum is right."""
    if not isinstance(data, dict) or data.get("kind") != kind:
        raise RecordError(f"{place}: this is no record of a {kind}")
    if data.get("format") != FORMAT or type(data["format"]) is not int:
        raise RecordError(f"{place}: the record has the unknown format {data.get('format')!r}")
    if SUM in data and data[SUM] != checksum(data):
        raise RecordError(f"{place}: this record was changed, for its checksum is another")
    return data


def _structured(data: object, kind: type[T], complaint: str) -> T:
    try:
        return _converter().structure(data, kind)
    except BaseValidationError as error:
        reasons = "; ".join(transform_error(error, "record", _explained)[:3])
    except RecordRefused as error:  # of the whole, and not of a part
        reasons = str(error)
    except RecursionError:
        reasons = "it is nested too deeply"
    raise RecordError(f"{complaint} ({reasons})") from None


def _explained(error: BaseException, kind: type | None) -> str:
    if isinstance(error, RecordRefused | RulewrightError):
        return str(error)
    if isinstance(error, KeyError):
        return "it is missing"
    if kind is None and error.args:  # a validator, whose message names the attribute
        return _cut(str(error.args[0]), 200)
    return f"that is no {getattr(kind, '__name__', kind)}"


class RecordRefused(ValueError):
    """A record cannot have this value; the message says what it should be."""


@functools.cache
def _converter() -> Converter:
    made = Converter()
    for kind in (str, bool, int):
        made.register_structure_hook(kind, _exactly)
    made.register_structure_hook(float, _number)
    made.register_structure_hook(Setting, _setting)
    made.register_structure_hook(Adjudication, _adjudication)
    made.register_structure_hook_factory(_is_tuple, partial(_tuple_hook, converter=made))
    made.register_structure_hook_factory(has, partial(_object_hook, converter=made))
    return made


_CALLED = {
    RecordedMove: {"text": override(rename="move")},
    GameRecord: {"moves": override(rename="decisions"), "checked": override(omit=True)},
}
"""Fields that records call otherwise, or have not."""


def _object_hook(kind: Any, converter: Converter) -> Callable[[object, Any], object]:
    """Reads objects of JSON only: a text and a list can be asked for their parts too."""
    fill = make_dict_structure_fn(kind, converter, **_CALLED.get(kind, {}))  # type: ignore[arg-type]

    def read(value: object, _: Any) -> object:
        if not isinstance(value, dict):
            raise RecordRefused(f"{_shown(value)} is no object")
        return fill(value, kind)

    return read


def _exactly(value: object, kind: type) -> object:
    if type(value) is not kind:
        raise RecordRefused(f"{_shown(value)} is no {kind.__name__}")
    return value


def _number(value: object, _: type) -> float:
    """A number that is finite as a float; a truth is none.  A plan's name tells 1 from 1.0."""
    with suppress(OverflowError):
        if isinstance(value, int | float) and type(value) is not bool and math.isfinite(value):
            return value
    raise RecordRefused(f"{_shown(value)} is no number")


def _setting(value: object, _: type) -> int | float | bool:
    return value if isinstance(value, bool | int) else _number(value, float)


def _adjudication(value: object, _: type) -> Adjudication:
    parts = _converter().structure(value, tuple[float, int])
    return Adjudication(*parts)


def _is_tuple(kind: Any) -> bool:
    return get_origin(kind) is tuple


def _tuple_hook(kind: Any, converter: Converter) -> Callable[[object, Any], object]:
    """Reads lists only: a text is a sequence too, of its letters."""
    parts = get_args(kind)
    hooks = [(converter.get_structure_hook(part), part) for part in parts if part is not ...]

    def read(value: object, _: Any) -> object:
        if type(value) is not list:
            raise RecordRefused(f"{_shown(value)} is no list")
        if parts[-1] is ...:
            hook, part = hooks[0]
            return tuple([hook(item, part) for item in value])
        if len(value) != len(hooks):
            raise RecordRefused(f"{_shown(value)} is no list of {len(hooks)}")
        return tuple([h(item, part) for (h, part), item in zip(hooks, value, strict=True)])

    return read


def _shown(value: object) -> str:
    return _cut(json.dumps(value), 40)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}..."
