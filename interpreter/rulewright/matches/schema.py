"""What records may say: data from a file to typed records, or a message with what is wrong.

In: parsed JSON, and its place for messages.  Out: a game, or the head of a match.  Types and limits
are those of the classes; cattrs checks them.  Nothing is converted: a number in quotes is none.  A
checksum, where there is one, must be right; records of 0.1 have none.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache, partial
from typing import Any, TypeVar, get_args, get_origin

from attrs import evolve, frozen
from cattrs import BaseValidationError, Converter, transform_error
from cattrs.gen import make_dict_structure_fn, override

from rulewright.errors import RulewrightError
from rulewright.matches.plan import Adjudication, Plan
from rulewright.matches.record import FORMAT, SUM, GameRecord, Move, RecordError, checksum

T = TypeVar("T")
Setting = int | float | bool


@frozen
class Head:
    """What stands in front of the games of a match; each opening is a line of decisions."""

    match: str
    plan: Plan
    openings: tuple[str, ...]

    @property
    def lines(self) -> list[list[str]]:
        """The openings, as decisions."""
        return [line.split() for line in self.openings]

    def refused(self, game: GameRecord) -> str:
        """Why a game cannot be of this match; empty when it can."""
        if game.number >= self.plan.total:
            return f"the match has only {self.plan.total} games"
        strange = [name for name in game.players if name not in self.plan.players]
        return f"{strange[0]} is no player of the match" if strange else ""


def read_game(data: object, where: str) -> GameRecord:
    """The record of parsed JSON; *where* names its place in messages."""
    known = _checked(data, "game", where)
    game = _structured(known, GameRecord, f"{where}: the record of a game is damaged")
    return game if SUM in known else evolve(game, checked=False)


def read_head(data: object, where: str) -> Head:
    """The head of a match; raises `RecordError`."""
    known = _checked(data, "match", where)
    return _structured(known, Head, f"{where}: the plan of the match is damaged")


def plan_of(data: object) -> Plan:
    """The plan that `as_data` gave; raises `RecordError`."""
    return _structured(data, Plan, "the plan of a match is damaged")


def parse_json(text: str | bytes | None, where: str) -> object:
    """The data of a text; *text* is None where a database has none."""
    try:
        found: object = json.loads(text)  # type: ignore[arg-type]  # None is a TypeError
    except (ValueError, TypeError, RecursionError):
        raise RecordError(f"{where}: this is no JSON text") from None
    return found


def game_of(line: str | bytes | None, where: str) -> GameRecord:
    """The game of a line of JSON."""
    return read_game(parse_json(line, where), where)


def _checked(data: object, kind: str, where: str) -> Mapping[str, Any]:
    """*data* if it says that it is of a kind, in today's format, and its checksum is right."""
    if not isinstance(data, dict) or data.get("kind") != kind:
        raise RecordError(f"{where}: this is no record of a {kind}")
    if data.get("format") != FORMAT or type(data["format"]) is not int:
        raise RecordError(f"{where}: the record has the unknown format {data.get('format')!r}")
    if SUM in data and data[SUM] != checksum(data):
        raise RecordError(f"{where}: this record was changed, for its checksum is another")
    return data


def _structured(data: object, kind: type[T], told: str) -> T:
    try:
        return _converter().structure(data, kind)
    except BaseValidationError as error:
        what = "; ".join(transform_error(error, "record", _explained)[:3])
    except RecursionError:
        what = "it is nested too deeply"
    raise RecordError(f"{told} ({what})") from None


def _explained(error: BaseException, kind: type | None) -> str:
    if isinstance(error, Refused | RulewrightError):
        return str(error)
    if isinstance(error, KeyError):
        return "it is missing"
    return f"that is no {getattr(kind, '__name__', kind)}"


class Refused(ValueError):
    """A value that a record cannot have; the message says what it should be."""


@cache
def _converter() -> Converter:
    made = Converter()
    for kind in (str, bool, int):
        made.register_structure_hook(kind, _exactly)
    made.register_structure_hook(float, _number)
    made.register_structure_hook(Setting, _setting)
    made.register_structure_hook(Adjudication, _adjudication)
    made.register_structure_hook_factory(_is_tuple, partial(_tuple_hook, converter=made))
    move = make_dict_structure_fn(Move, made, text=override(rename="move"))
    made.register_structure_hook(Move, move)
    game = make_dict_structure_fn(
        GameRecord, made, moves=override(rename="decisions"), checked=override(omit=True)
    )
    made.register_structure_hook(GameRecord, game)
    return made


def _exactly(value: object, kind: type) -> object:
    if type(value) is not kind:
        raise Refused(f"{_shown(value)} is no {kind.__name__}")
    return value


def _number(value: object, _: type) -> float:
    """A number that is finite as a float; a truth is none.  A plan's name tells 1 from 1.0."""
    with suppress(OverflowError):
        if isinstance(value, int | float) and type(value) is not bool and math.isfinite(value):
            return value
    raise Refused(f"{_shown(value)} is no number")


def _setting(value: object, _: type) -> int | float | bool:
    return value if isinstance(value, bool | int) else _number(value, float)


def _adjudication(value: object, _: type) -> Adjudication:
    found = _converter().structure(value, tuple[float, int])
    return Adjudication(*found)


def _is_tuple(kind: Any) -> bool:
    return get_origin(kind) is tuple


def _tuple_hook(kind: Any, converter: Converter) -> Callable[[object, Any], object]:
    """Reads lists only: a text is a sequence too, of its letters."""
    parts = get_args(kind)
    hooks = [(converter.get_structure_hook(part), part) for part in parts if part is not ...]

    def read(value: object, _: Any) -> object:
        if type(value) is not list:
            raise Refused(f"{_shown(value)} is no list")
        if parts[-1] is ...:
            hook, part = hooks[0]
            return tuple([hook(one, part) for one in value])
        if len(value) != len(hooks):
            raise Refused(f"{_shown(value)} is no list of {len(hooks)}")
        return tuple([h(one, part) for (h, part), one in zip(hooks, value, strict=True)])

    return read


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:40]}..."
