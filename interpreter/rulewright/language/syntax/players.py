"""Statements of evaluators and personalities, and the lines of their blocks."""

from __future__ import annotations

from typing import TypeAlias

from attrs import field

from rulewright.ground.records import record
from rulewright.language.syntax.expressions import (
    MOVE,
    NAME,
    OPENING,
    REPLY,
    VALUE,
    WORD,
    Expr,
    Name,
    Node,
    declares,
    mentions,
)
from rulewright.language.syntax.statements import (
    Assign,
    Claim,
    File,
    Format,
    If,
    Let,
    Untested,
)


@record
class Quantity(Node):
    """A number with its sign; `value` is 0.5 for `50%`."""

    value: int | float
    percent: bool


@record
class EvaluatorName(Node):
    """`evaluator NAME for GAME`."""

    name: Name = field(metadata=declares("evaluator", "evaluator"))
    game: Name = field(metadata=mentions("game"))


@record
class Use(Node):
    """`use NAME, NAME`."""

    names: tuple[Name, ...] = field(metadata=mentions("evaluator"))


@record
class Factor(Node):
    """`factor NAME = V UNIT in LOW..HIGH for search "meaning"`."""

    name: Name = field(metadata=declares(NAME, "factor"))
    default: Quantity
    unit: Name | None = field(metadata=mentions(WORD))
    low: Quantity
    high: Quantity
    for_search: bool
    meaning: str


@record
class Row(Node):
    """A row of a table, from the left."""

    cells: tuple[Quantity, ...]


@record
class Table(Node):
    """`table NAME` with its rows, or `table NAME flipped for P` without."""

    name: Name = field(metadata=declares(NAME, "table"))
    flipped_for: Name | None = field(metadata=mentions(NAME, is_use=False))
    block: tuple[Row, ...] = ()


@record
class Register(Node):
    """`with v = E`: what a scan remembers."""

    name: Name = field(metadata=declares(NAME, "register"))
    value: Expr


@record
class Stop(Node):
    """`stop`: the scan ends here."""


ScanEffect: TypeAlias = Assign | If | Stop


@record
class Reaction(Node):
    """`on SET` with what is done there."""

    sites: Expr
    block: tuple[ScanEffect, ...] = ()


@record
class Give(Node):
    """`give E`: the value of a scan."""

    value: Expr


ScanLine: TypeAlias = Register | Reaction | Give


@record
class Scan(Node):
    """`scan f(s, d)` with its block."""

    name: Name = field(metadata=declares(NAME, "scan"))
    parameters: tuple[Name, ...] = field(metadata=declares(NAME, "parameter"))
    block: tuple[ScanLine, ...] = ()


@record
class PathFrom(Node):
    """`from SET costs E`: where a path may begin, and what that costs."""

    sites: Expr
    cost: Expr


@record
class PathTo(Node):
    """`to SET by N`: where a path may end, and in what units costs are compared for its ends."""

    sites: Expr
    unit: Expr | None


@record
class PathStep(Node):
    """`step STEPS from a to b twice over SET into SET when C costs E`."""

    steps: Expr
    first: Name | None = field(metadata=declares(NAME, "local"))
    second: Name | None = field(metadata=declares(NAME, "local"))
    over: Expr | None
    into: Expr | None
    condition: Expr | None
    cost: Expr


@record
class PathElse(Node):
    """`else E`: the value when there is no path."""

    value: Expr


PathLine: TypeAlias = PathFrom | PathTo | PathStep | PathElse


@record
class CheapestPath(Node):
    """`path NAME` with its block."""

    name: Name = field(metadata=declares(NAME, "path"))
    block: tuple[PathLine, ...] = ()


@record
class ValueOf(Node):
    """`value NAME of position for P = E, ...`, or of one or more moves."""

    name: Name | None = field(metadata=declares(VALUE, "value"))
    moves: tuple[Name, ...] = field(metadata=mentions(MOVE))
    player: Name = field(metadata=mentions(NAME, is_use=False))
    parts: tuple[Expr, ...]


@record
class OpeningLine(Node):
    """`opening NAME of move M after a, b from S, T when C with 50%`; most of it may be left out.

    `reply NAME of move M ...` is read alike.
    """

    name: Name = field(metadata=declares(OPENING, "opening"))
    move: Name = field(metadata=mentions(MOVE))
    last: tuple[Name, ...] = field(metadata=declares(NAME, "local"))
    sets: tuple[Expr, ...]
    condition: Expr | None
    chance: Quantity | None
    reply: bool


@record
class ClaimAfter(Node):
    """`claim start C`, `claim after "moves" C` (`moves` is empty at the start)."""

    moves: str
    value: Expr


EvaluatorItem: TypeAlias = (
    Format | EvaluatorName | Use | Factor | Let | Table | Scan | CheapestPath | ValueOf
    | OpeningLine | ClaimAfter | Claim | Untested
)  # fmt: skip


@record
class Evaluator(File):
    """The items of an evaluator file, and what is known of its faulty lines."""

    items: tuple[EvaluatorItem, ...]


@record
class PersonalityName(Node):
    """`personality NAME for GAME`."""

    name: Name = field(metadata=declares("personality", "personality"))
    game: Name = field(metadata=mentions("game"))


@record
class Extends(Node):
    """`extends NAME`."""

    name: Name = field(metadata=mentions("personality"))


@record
class Setting(Node):
    """`FACTOR = VALUE UNIT`."""

    name: Name = field(metadata=mentions(NAME))
    value: Quantity
    unit: Name | None = field(metadata=mentions(WORD))


@record
class Limit(Node):
    """`depth 3 turns`, `breadth MaxBreadth`: a setting of the search."""

    name: Name = field(metadata=mentions(WORD))
    value: Quantity | Name = field(metadata=mentions(NAME))
    unit: Name | None = field(metadata=mentions(WORD))


@record
class Search(Node):
    """`search KIND, setting, ...`."""

    kind: Name = field(metadata=mentions(WORD))
    limits: tuple[Limit, ...]


@record
class Consider(Node):
    """`consider patterns NAME, most 14 else all`."""

    what: Name = field(metadata=mentions(WORD))
    name: Name = field(metadata=mentions("patterns"))
    most: Limit | None
    otherwise: Name | None = field(metadata=mentions(WORD))


@record
class ConsiderValue(Node):
    """`consider VALUE, most 14 else all`."""

    value: Name = field(metadata=mentions(VALUE))
    most: Limit | None
    otherwise: Name | None = field(metadata=mentions(WORD))


@record
class Forcing(Node):
    """`forcing VALUE, depth 8`."""

    value: Name = field(metadata=mentions(VALUE))
    reach: Limit | None


@record
class NamesValue(Node):
    """`WORD VALUE`: a value of the evaluator that leads the search."""

    value: Name = field(metadata=mentions(VALUE))


@record
class Must(NamesValue):
    """`must VALUE`."""


@record
class Threats(NamesValue):
    """`threats VALUE`."""


@record
class Order(NamesValue):
    """`order VALUE`."""


@record
class Policy(Node):
    """`policy VALUE, most 4`."""

    value: Name = field(metadata=mentions(VALUE))
    most: Limit | None


@record
class Replies(Node):
    """`reply save, shape`: lines of the evaluator that random games ask first."""

    names: tuple[Name, ...] = field(metadata=mentions(REPLY))


@record
class Passing(NamesValue):
    """`passing VALUE`."""


@record
class Drawn(NamesValue):
    """`drawn VALUE`."""


@record
class Decided(NamesValue):
    """`decided VALUE`."""


@record
class Hopeless(NamesValue):
    """`hopeless VALUE`."""


@record
class Reduce(Node):
    """`reduce late`."""

    what: Name = field(metadata=mentions(WORD))


@record
class PickBest(Node):
    """`pick best VALUE if VALUE >= n`."""

    value: Name | None = field(metadata=mentions(VALUE))
    first: Name | None = field(metadata=mentions(VALUE))
    sign: str
    second: Quantity | Name | None = field(metadata=mentions(VALUE))


@record
class PickAny(Node):
    """`pick first`, `pick random`."""

    how: Name = field(metadata=mentions(WORD))


@record
class Prefer(Node):
    """`prefer none, drop, flip`."""

    moves: tuple[Name, ...] = field(metadata=mentions(MOVE))


@record
class Ties(Node):
    """`ties random`, `ties first`."""

    how: Name = field(metadata=mentions(WORD))


@record
class OpeningRandom(Node):
    """`opening random 1 turn`."""

    how: Name = field(metadata=mentions(WORD))
    number: Quantity
    unit: Name = field(metadata=mentions(WORD))


@record
class OpeningMoves(Node):
    """`opening "f6", "swap"`: the first turns of this player."""

    turns: tuple[str, ...]


@record
class OpeningLines(Node):
    """`opening first, block`: lines of the evaluator, the first that has a decision decides."""

    names: tuple[Name, ...] = field(metadata=mentions(OPENING))


@record
class BookLine(Node):
    """`book after "f6 g4" "h3" 12, "e5" 3`: decisions after some moves, each with its weight."""

    after: str
    decisions: tuple[str, ...]
    weights: tuple[int, ...]


PersonalityItem: TypeAlias = (
    Format | PersonalityName | Extends | Use | Setting | Search | Consider | ConsiderValue
    | Forcing | Must | Threats | Order | Policy | Replies | Passing | Drawn | Decided | Hopeless
    | Reduce | PickBest | PickAny | Prefer | Ties | OpeningRandom | OpeningMoves | OpeningLines
    | BookLine | Untested
)  # fmt: skip


@record
class Personality(File):
    """The items of a personality file, and what is known of its faulty lines."""

    items: tuple[PersonalityItem, ...]
