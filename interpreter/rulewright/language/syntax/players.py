"""Statements of evaluators and personalities, and the lines of their blocks."""

from __future__ import annotations

from typing import TypeAlias

from rulewright.language.syntax.expressions import Expr, Name, Node
from rulewright.language.syntax.statements import (
    Assign,
    Claim,
    FaultyLines,
    Format,
    If,
    Let,
    Untested,
)
from rulewright.records import record


@record
class Quantity(Node):
    """A number with its sign; `value` is 0.5 for `50%`."""

    value: int | float
    percent: bool


@record
class EvaluatorName(Node):
    """`evaluator NAME for GAME`."""

    name: Name
    game: Name


@record
class Use(Node):
    """`use NAME, NAME`."""

    names: tuple[Name, ...]


@record
class Factor(Node):
    """`factor NAME = V UNIT in LOW..HIGH for search "meaning"`."""

    name: Name
    default: Quantity
    unit: Name | None
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

    name: Name
    flipped_for: Name | None
    block: tuple[Row, ...] = ()


@record
class Register(Node):
    """`with v = E`: what a scan remembers."""

    name: Name
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

    name: Name
    parameters: tuple[Name, ...]
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
    first: Name | None
    second: Name | None
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

    name: Name
    block: tuple[PathLine, ...] = ()


@record
class ValueOf(Node):
    """`value NAME of position for P = E, ...`, or of one or more moves."""

    name: Name | None
    moves: tuple[Name, ...]
    player: Name
    parts: tuple[Expr, ...]


@record
class OpeningLine(Node):
    """`opening NAME of move M after a, b from S, T when C with 50%`; most of it may be left out.

    `reply NAME of move M ...` is read alike.
    """

    name: Name
    move: Name
    last: tuple[Name, ...]
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
class Evaluator(FaultyLines):
    """The items of an evaluator file, and what is known of its faulty lines."""

    items: tuple[EvaluatorItem, ...]


@record
class PersonalityName(Node):
    """`personality NAME for GAME`."""

    name: Name
    game: Name


@record
class Extends(Node):
    """`extends NAME`."""

    name: Name


@record
class Setting(Node):
    """`FACTOR = VALUE UNIT`."""

    name: Name
    value: Quantity
    unit: Name | None


@record
class Limit(Node):
    """`depth 3 turns`, `breadth MaxBreadth`: a setting of the search."""

    name: Name
    value: Quantity | Name
    unit: Name | None


@record
class Search(Node):
    """`search KIND, setting, ...`."""

    kind: Name
    limits: tuple[Limit, ...]


@record
class Consider(Node):
    """`consider patterns NAME, most 14 else all`."""

    what: Name
    name: Name
    most: Limit | None
    otherwise: Name | None


@record
class ConsiderValue(Node):
    """`consider VALUE, most 14 else all`."""

    value: Name
    most: Limit | None
    otherwise: Name | None


@record
class Forcing(Node):
    """`forcing VALUE, depth 8`."""

    value: Name
    reach: Limit | None


@record
class NamesValue(Node):
    """`WORD VALUE`: a value of the evaluator that leads the search."""

    value: Name


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

    value: Name
    most: Limit | None


@record
class Replies(Node):
    """`reply save, shape`: lines of the evaluator that random games ask first."""

    names: tuple[Name, ...]


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

    what: Name


@record
class PickBest(Node):
    """`pick best VALUE if VALUE >= n`."""

    value: Name | None
    first: Name | None
    sign: str
    second: Quantity | Name | None


@record
class PickAny(Node):
    """`pick first`, `pick random`."""

    how: Name


@record
class Prefer(Node):
    """`prefer none, drop, flip`."""

    moves: tuple[Name, ...]


@record
class Ties(Node):
    """`ties random`, `ties first`."""

    how: Name


@record
class OpeningRandom(Node):
    """`opening random 1 turn`."""

    how: Name
    number: Quantity
    unit: Name


@record
class OpeningMoves(Node):
    """`opening "f6", "swap"`: the first turns of this player."""

    turns: tuple[str, ...]


@record
class OpeningLines(Node):
    """`opening first, block`: lines of the evaluator, the first that has a decision decides."""

    names: tuple[Name, ...]


PersonalityItem: TypeAlias = (
    Format | PersonalityName | Extends | Use | Setting | Search | Consider | ConsiderValue
    | Forcing | Must | Threats | Order | Policy | Replies | Passing | Drawn | Decided | Hopeless
    | Reduce | PickBest | PickAny | Prefer | Ties | OpeningRandom | OpeningMoves | OpeningLines
    | Untested
)  # fmt: skip


@record
class Personality(FaultyLines):
    """The items of a personality file, and what is known of its faulty lines."""

    items: tuple[PersonalityItem, ...]
