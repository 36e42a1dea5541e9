"""Requests of the page to its service: their parameters as classes, checked on both sides.

In: JSON texts from a page, which may be malicious.  Out: requests with parameters of their classes.
Refuses unknown methods, missing or unknown fields, and wrong types, with a message that names the
field.  The page's types are made from the same classes (`typescript.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from rulewright.errors import RulewrightError
from rulewright.ground.records import DataError, from_json, read_json

LONGEST = 8_000_000
"""Letters of a message at most: a file may have four million, and escapes need more."""


@frozen
class Nothing:
    """No parameters."""


@frozen
class Text:
    """The text that an editor holds for a file."""

    path: str
    text: str


@frozen
class TextOffset(Text):
    """An offset in the text that an editor holds for a file, in code points."""

    offset: int


@frozen
class OfPersonality:
    """The factors of a personality."""

    personality: str


@frozen
class Learn:
    """Pictures and a puzzle of a game."""

    game: str


@frozen
class OpenGame:
    """Open a game: its name or path, options as they are typed, moves played so far.

    *players* sit on the chairs in their order, and the last of them on all that are left.
    """

    game: str
    options: dict[str, str] = field(factory=dict)
    moves: str = ""
    players: tuple[str, ...] = ("human",)
    position: str = ""


@frozen
class Gallery:
    """The cards of games, by their names or paths; of a few at a time."""

    games: tuple[str, ...]


@frozen
class Play:
    """Play a decision as it is written, or a whole turn.

    *at* is the node that the page shows; *by* is the player, if that was no person.
    """

    text: str
    at: int | None = None
    by: str = ""


@frozen
class GoTo:
    """Show a node of the game."""

    node: int


@frozen
class Resign:
    """Give up the game; *late*: because no time is left."""

    late: bool = False


@frozen
class Sit:
    """Choose the player of a chair, from 0: `human`, or the text of a player."""

    chair: int
    player: str


@frozen
class Think:
    """Let the player to move decide, within *seconds* or the player's own limits."""

    seconds: float | None = None


@frozen
class Search:
    """Search for good decisions, by the rules alone, for so many seconds."""

    seconds: float = 5.0


@frozen
class Explain(OfPersonality):
    """Explain the decision of a personality with changed factors, within *seconds*."""

    factors: dict[str, float] = field(factory=dict)
    seconds: float = 10.0


@frozen
class LightUp(OfPersonality):
    """The sites that a term or a factor is about, at the end of the line of a decision."""

    value: str
    line: tuple[str, ...]
    name: str
    factors: dict[str, float] = field(factory=dict)


@frozen
class Against(OfPersonality):
    """Compare the decision of a personality with another's, and find the factors behind it."""

    other: str
    factors: dict[str, float] = field(factory=dict)
    seconds: float = 20.0


@frozen
class Curve:
    """Judge the position after each decision so far, within so many seconds in all."""

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
class Tune(OfPersonality):
    """Try other values of factors in matches of so many games each; no factors: all of them.

    The best is confirmed by a match of *confirm* games against the personality as it is.
    """

    factors: tuple[str, ...] = ()
    opponents: tuple[str, ...] = ()
    trials: int = 20
    games: int = 20
    seconds: float | None = None
    nodes: int | None = None
    confirm: int = 0


@frozen
class Match:
    """The patterns of a file that fire in the position; the file by its name."""

    file: str


@frozen
class LookAt(TextOffset):
    """Show the pattern at an offset on the board, at site *at* in frame *frame*."""

    at: int | None = None
    frame: int | None = None


@frozen
class EditPattern(TextOffset):
    """Add a condition to the pattern at an offset, or remove it where it is there already.

    `erase` removes all that is about *site*.
    """

    at: int
    frame: int
    word: str
    site: int
    other: int | None = None


@frozen
class Ask:
    """A decision as it is written, or as the sites that were clicked, in order."""

    text: str
    sites: tuple[int, ...] = ()


@frozen
class SavePersonality(OfPersonality):
    """Write a personality with changed factors to a new file below the opened folder."""

    factors: dict[str, float]
    name: str


@frozen
class File:
    """A file below the opened folder, by its path from there."""

    path: str


@frozen
class Follow(Text):
    """Play by a rules text: on from the position on the board, or *moves* from the beginning.

    *players* sit down as when a game is opened; unsaid, whoever sits there stays.
    """

    moves: str | None = None
    options: dict[str, str] = field(factory=dict)
    players: tuple[str, ...] | None = None


@frozen
class FindOut(Text):
    """Study a text: its `properties`, `faults` put into it, or its `coverage`."""

    what: str
    seconds: float = 120.0


@frozen
class Diff(Text):
    """Compare a rules text with another: *other*, the rules *against*, or the file as it is.

    With *moves* the two are shown after these, instead of searching for a difference.
    """

    against: str = ""
    other: str | None = None
    moves: str | None = None
    options: dict[str, str] = field(factory=dict)
    seconds: float = 60.0


@frozen
class Rename(TextOffset):
    """Rename the name at an offset, in all files of the game."""

    name: str


@frozen
class AddClaims(Text):
    """Add claims to a rules text."""

    claims: tuple[str, ...]


@frozen
class PutRecipe(TextOffset):
    """Put a recipe into a text at an offset, by its title."""

    title: str


@frozen
class Stop:
    """Stop a long request: the one that is waited for, or the one *behind*."""

    behind: bool = False


@frozen
class Write(Text):
    """Write a file, if its content still has the digest that the page has seen (empty: new)."""

    digest: str


@frozen
class NewName:
    """Look at a *name* for a new text of the same kind as another."""

    name: str
    like: str


@frozen
class ReadGame:
    """Open a game from a text, or from the bytes of a file in base64, in the format of its name."""

    name: str
    text: str = ""
    data: str = ""


@frozen
class WriteGame:
    """Write the game so far in a format: `sgf`, `txt` or any other of `convert`."""

    form: str


@frozen
class MakeParcel:
    """Pack the game so far with the texts that it needs; `text` stands for that of its rules."""

    text: str = ""


METHODS: Mapping[str, type[Any]] = {
    "hello": Nothing, "gallery": Gallery, "learn": Learn, "open": OpenGame, "table": Nothing,
    "play": Play,
    "goto": GoTo, "play_on": Nothing, "resign": Resign, "claim_draw": Nothing, "sit": Sit,
    "hand_over": Nothing, "think": Think, "hurry": Nothing,
    "search": Search, "explain": Explain, "lit": LightUp,
    "versus": Against, "curve": Curve,
    "compare": Compare, "tournament": Tournament, "records": ReadRecords, "tune": Tune,
    "patterns": Match, "pattern": LookAt, "draw": EditPattern, "why_not": Ask, "why": Ask,
    "personalities": Nothing, "factors": OfPersonality, "save_personality": SavePersonality,
    "files": Nothing, "read": File, "write": Write, "texts": Nothing,
    "check": Text, "hover": TextOffset, "complete": TextOffset, "define": TextOffset,
    "format": Text, "follow": Follow, "new_name": NewName, "rename": Rename,
    "claim": AddClaims, "study": FindOut, "diff": Diff, "recipes": Text, "recipe": PutRecipe,
    "read_game": ReadGame, "write_game": WriteGame, "parcel": MakeParcel, "stop": Stop,
}  # fmt: skip
"""The methods, each with the class of its parameters."""
LONG = frozenset({"think", "search", "explain", "versus", "curve"})
"""Methods that may take seconds: they run beside others, report progress, and can be stopped."""
BEHIND = frozenset({"compare", "tournament", "tune", "study", "diff"})
"""Methods that may take minutes: they run in the background of all other requests."""


@frozen
class Envelope:
    """A message before the parameters of its method are read."""

    id: int
    method: str
    params: dict[str, Any] = field(factory=dict)


@frozen
class Request:
    """A request of a page; its answer has the same number."""

    number: int
    method: str
    params: Any


class BadRequest(RulewrightError):
    """Raised for a message that does not follow this protocol."""


def read_request(text: str) -> Request:
    """Read the request of a message; raises `BadRequest`."""
    if len(text) > LONGEST:
        raise BadRequest(f"a message has {LONGEST:,} letters at most")
    try:
        message = read_json(text, Envelope)
    except DataError as error:
        raise BadRequest(f"a message has an id, a method and params ({error})") from None
    if message.method not in METHODS:
        raise BadRequest("there is no such method with params")
    try:
        params = from_json(message.params, METHODS[message.method], "params", strict=True)
    except DataError as error:
        raise BadRequest(f"{message.method}: {error}") from None
    return Request(message.id, message.method, params)
