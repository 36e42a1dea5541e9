"""What the page and its service say to each other: one schema, checked on both sides.

In: JSON texts from a page, which anybody may have written.  Out: requests with parameters of their
classes.  Refuses unknown methods, missing or unknown fields, and wrong types, with a message that
names the field.  The page's types are made from the same classes (`typescript.py`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import isfinite
from typing import Any

from attrs import field, frozen
from cattrs import Converter
from cattrs.errors import BaseValidationError, ClassValidationError, ForbiddenExtraKeysError
from cattrs.v import format_exception

from rulewright.errors import RulewrightError

LONGEST = 8_000_000
"""Letters of a message: a file may have four million, and needs escapes."""


@frozen
class Nothing:
    """No parameters."""


@frozen
class OpenGame:
    """Play a game: its name or path, options as a command line has them, what has been played."""

    game: str
    options: dict[str, str] = field(factory=dict)
    moves: str = ""
    players: tuple[str, str] = ("human", "human")
    position: str = ""


@frozen
class Play:
    """Play a decision as it is written, or a whole turn.

    *at* is the node that the page shows; *by* is who chose, where that was no person.
    """

    text: str
    at: int | None = None
    by: str = ""


@frozen
class GoTo:
    """Show a node of the game."""

    node: int


@frozen
class Sit:
    """Let somebody sit on a chair, 0 or 1; `human`, or what a match calls a player."""

    chair: int
    player: str


@frozen
class Think:
    """Let whoever is to move decide within so many seconds; the player's own limits if unsaid."""

    seconds: float | None = None


@frozen
class Search:
    """Look for good decisions here, by rules alone, for so many seconds."""

    seconds: float = 5.0


@frozen
class Explain:
    """What a personality thinks here, with other values of its factors, within *seconds*."""

    personality: str
    factors: dict[str, float] = field(factory=dict)
    seconds: float = 10.0


@frozen
class Whose:
    """The factors of a personality."""

    personality: str


@frozen
class LightUp:
    """The sites that a term or a factor is about, at the end of the line of a decision."""

    personality: str
    value: str
    line: tuple[str, ...]
    name: str
    factors: dict[str, float] = field(factory=dict)


@frozen
class Against:
    """What another personality decides here, and what makes it so."""

    personality: str
    other: str
    factors: dict[str, float] = field(factory=dict)
    seconds: float = 20.0


@frozen
class Curve:
    """How the game stands after each decision up to here, within so many seconds in all."""

    seconds: float = 10.0


@frozen
class Compare:
    """Play a match of two players of the game, with the options of the one on the board.

    *games* is even: both begin as often.  Each decision has *seconds* or *nodes*; a player that has
    limits of its own keeps them.  *elo* are the two differences of a sequential test, if any.
    """

    first: str
    second: str
    games: int = 20
    seconds: float | None = None
    nodes: int | None = None
    elo: tuple[float, float] | None = None


@frozen
class Tournament:
    """Let several players of the game meet: everybody everybody, or the first all others.

    *games* are those of each pairing; the limits are those of a match.
    """

    players: tuple[str, ...]
    games: int = 10
    seconds: float | None = None
    nodes: int | None = None
    gauntlet: bool = False


@frozen
class ReadRecords:
    """The games of a file of records: lines of JSON, or a database (`.db`) in base64."""

    name: str
    data: str


@frozen
class Tune:
    """Try other values of factors in matches of so many games each; no factors: all of them.

    The best is confirmed by a match of *confirm* games against the personality as it is.
    """

    personality: str
    factors: tuple[str, ...] = ()
    opponents: tuple[str, ...] = ()
    trials: int = 20
    games: int = 20
    seconds: float | None = None
    nodes: int | None = None
    confirm: int = 0


@frozen
class Match:
    """Which patterns of a file fire here; the file by its name, beside the game's."""

    file: str


@frozen
class LookAt:
    """The pattern at a place of a text on the board: around site *at*, as frame *frame* lays it."""

    path: str
    text: str
    offset: int
    at: int | None = None
    frame: int | None = None


@frozen
class Draw:
    """Say a condition of a pattern by clicks: its word (or `erase`), one site or two."""

    path: str
    text: str
    offset: int
    at: int
    frame: int
    word: str
    site: int
    other: int | None = None


@frozen
class Ask:
    """A decision as it is written, or as the sites that were clicked one after the other."""

    text: str
    sites: tuple[int, ...] = ()


@frozen
class SavePersonality:
    """Write a personality with other factors as a file of its own below the opened folder."""

    personality: str
    factors: dict[str, float]
    name: str


@frozen
class File:
    """A file below the opened folder, by its path from there."""

    path: str


@frozen
class Text:
    """What an editor holds of a file."""

    path: str
    text: str


@frozen
class Spot:
    """A place in what an editor holds of a file: how many code points stand before it."""

    path: str
    text: str
    offset: int


@frozen
class Follow:
    """Play a rules text: on from what is on the board, or *moves* from the beginning."""

    path: str
    text: str
    moves: str | None = None
    options: dict[str, str] = field(factory=dict)


@frozen
class FindOut:
    """Find out about a text: its `properties`, `faults` put into it, or its `coverage`."""

    path: str
    text: str
    what: str
    seconds: float = 120.0


@frozen
class Diff:
    """Compare a rules text with another: *other*, the rules *against*, or the file as it is.

    With *moves* the two are not searched, but shown after these.
    """

    path: str
    text: str
    against: str = ""
    other: str | None = None
    moves: str | None = None
    options: dict[str, str] = field(factory=dict)
    seconds: float = 60.0


@frozen
class Rename:
    """Give the name at a place of a text another text, in all files of the game."""

    path: str
    text: str
    offset: int
    name: str


@frozen
class AddClaims:
    """Claims to be written into a rules text."""

    path: str
    text: str
    claims: tuple[str, ...]


@frozen
class Stop:
    """End what takes long: what is waited for, or what goes on *behind*."""

    behind: bool = False


@frozen
class Write:
    """Write a file, if its content still has the digest that the page has seen (empty: new)."""

    path: str
    text: str
    digest: str


@frozen
class ReadGame:
    """Go on with a game from the text of a file, of the format that its name tells."""

    name: str
    text: str


@frozen
class WriteGame:
    """The game up to here in a format: `sgf`, `txt` or what else `convert` knows."""

    form: str


METHODS: Mapping[str, type[Any]] = {
    "hello": Nothing,
    "open": OpenGame,
    "table": Nothing,
    "play": Play,
    "goto": GoTo,
    "resign": Nothing,
    "claim_draw": Nothing,
    "sit": Sit,
    "think": Think,
    "search": Search,
    "explain": Explain,
    "lit": LightUp,
    "versus": Against,
    "curve": Curve,
    "compare": Compare,
    "tournament": Tournament,
    "records": ReadRecords,
    "tune": Tune,
    "patterns": Match,
    "pattern": LookAt,
    "draw": Draw,
    "why_not": Ask,
    "why": Ask,
    "personalities": Nothing,
    "factors": Whose,
    "save_personality": SavePersonality,
    "files": Nothing,
    "read": File,
    "write": Write,
    "texts": Nothing,
    "check": Text,
    "hover": Spot,
    "complete": Spot,
    "define": Spot,
    "format": Text,
    "follow": Follow,
    "rename": Rename,
    "claim": AddClaims,
    "study": FindOut,
    "diff": Diff,
    "read_game": ReadGame,
    "write_game": WriteGame,
    "stop": Stop,
}
"""What can be asked for, with the class of its parameters."""
LONG = frozenset({"think", "search", "explain", "versus", "curve"})
"""Methods that may take seconds: they run beside others, tell progress, and can be stopped."""
BEHIND = frozenset({"compare", "tournament", "tune", "study", "diff"})
"""Methods that may take minutes: they go on behind whatever else is asked for."""


@frozen
class Request:
    """A request of a page; the answer bears its number."""

    number: int
    method: str
    params: Any


class BadRequest(RulewrightError):
    """A message that is none of this protocol."""


def _converter() -> Converter:
    found = Converter(forbid_extra_keys=True, detailed_validation=True)
    for kind in (int, float, str, bool):
        found.register_structure_hook(kind, _exactly)
    found.register_structure_hook(
        float | None, lambda v, _: None if v is None else _exactly(v, float)
    )
    found.register_structure_hook(int | None, lambda v, _: None if v is None else _exactly(v, int))
    return found


def _exactly(value: object, kind: type[Any]) -> Any:
    """A value of this type, and of no other that could become one; whole numbers are numbers."""
    if kind is float and type(value) in (int, float):
        if not isfinite(value):  # type: ignore[arg-type]
            raise TypeError("takes a number that ends")
        return float(value)  # type: ignore[arg-type]
    if type(value) is not kind:
        raise TypeError(f"takes {kind.__name__}, not {type(value).__name__}")
    return value


_READER = _converter()


def read_request(text: str) -> Request:
    """The request of a message; raises `BadRequest`."""
    if len(text) > LONGEST:
        raise BadRequest(f"a message has {LONGEST:,} letters at most")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise BadRequest("a message is JSON") from None
    if not isinstance(data, dict) or type(data.get("id")) is not int:
        raise BadRequest("a message has an id, a method and params")
    method, params = data.get("method"), data.get("params", {})
    if not isinstance(method, str) or method not in METHODS or not isinstance(params, dict):
        raise BadRequest("there is no such method with params")
    try:
        return Request(data["id"], method, _READER.structure(params, METHODS[method]))
    except (BaseValidationError, TypeError, ValueError) as error:
        raise BadRequest(f"{method}: {_wrong(error)}") from None


def _wrong(error: BaseException) -> str:
    """The first thing that is wrong, with its field."""
    if isinstance(error, ClassValidationError):
        fields, rest = error.group_exceptions()
        if rest:
            return _wrong(rest[0])
        inner, note = fields[0]
        return f"`{note.name}` {_wrong(inner)}"
    if isinstance(error, ForbiddenExtraKeysError):
        return f"there is no field `{min(map(str, error.extra_fields))}`"
    if isinstance(error, BaseValidationError):
        return _wrong(error.exceptions[0])
    if isinstance(error, KeyError):
        return "is missing"
    return format_exception(error, None)
