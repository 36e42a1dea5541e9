"""Statements of evaluators and personalities, and the lines of their blocks."""

from __future__ import annotations

from typing import TypeAlias

from attrs import field, frozen

from rulewright.language.syntax.expressions import Expr, Name, Node
from rulewright.language.syntax.statements import Assign, Claim, Format, If, Let, Untested
from rulewright.records import Record


@frozen(repr=False, eq=False)
class Quantity(Node):
    """A number with its sign; `value` is 0.5 for `50%`."""

    value: int | float
    percent: bool


@frozen(repr=False, eq=False)
class EvaluatorName(Node):
    """`evaluator NAME for GAME`."""

    name: Name
    game: Name


@frozen(repr=False, eq=False)
class Use(Node):
    """`use NAME, NAME`."""

    names: tuple[Name, ...]


@frozen(repr=False, eq=False)
class Factor(Node):
    """`factor NAME = V UNIT in LOW..HIGH for search "meaning"`."""

    name: Name
    default: Quantity
    unit: Name | None
    low: Quantity
    high: Quantity
    for_search: bool
    meaning: str


@frozen(repr=False, eq=False)
class Row(Node):
    """A row of a table, from the left."""

    cells: tuple[Quantity, ...]


@frozen(repr=False, eq=False)
class Table(Node):
    """`table NAME` with its rows, or `table NAME flipped for P` without."""

    name: Name
    flipped_for: Name | None
    block: tuple[Row, ...] = ()


@frozen(repr=False, eq=False)
class Register(Node):
    """`with v = E`: what a scan remembers."""

    name: Name
    value: Expr


@frozen(repr=False, eq=False)
class Stop(Node):
    """`stop`: the scan ends here."""


ScanEffect: TypeAlias = Assign | If | Stop


@frozen(repr=False, eq=False)
class Reaction(Node):
    """`on SET` with what is done there."""

    sites: Expr
    block: tuple[ScanEffect, ...] = ()


@frozen(repr=False, eq=False)
class Give(Node):
    """`give E`: the value of a scan."""

    value: Expr


ScanLine: TypeAlias = Register | Reaction | Give


@frozen(repr=False, eq=False)
class Scan(Node):
    """`scan f(s, d)` with its block."""

    name: Name
    parameters: tuple[Name, ...]
    block: tuple[ScanLine, ...] = ()


@frozen(repr=False, eq=False)
class PathFrom(Node):
    """`from SET costs E`: where a path may begin, and what that costs."""

    sites: Expr
    cost: Expr


@frozen(repr=False, eq=False)
class PathTo(Node):
    """`to SET by N`: where a path may end, and in what units costs are compared for its ends."""

    sites: Expr
    unit: Expr | None


@frozen(repr=False, eq=False)
class PathStep(Node):
    """`step STEPS from a to b twice over SET into SET when C costs E`."""

    steps: Expr
    first: Name | None
    second: Name | None
    over: Expr | None
    into: Expr | None
    condition: Expr | None
    cost: Expr


@frozen(repr=False, eq=False)
class PathElse(Node):
    """`else E`: the value when there is no path."""

    value: Expr


PathLine: TypeAlias = PathFrom | PathTo | PathStep | PathElse


@frozen(repr=False, eq=False)
class CheapestPath(Node):
    """`path NAME` with its block."""

    name: Name
    block: tuple[PathLine, ...] = ()


@frozen(repr=False, eq=False)
class ValueOf(Node):
    """`value NAME of position for P = E, ...`, or of one or more moves."""

    name: Name | None
    moves: tuple[Name, ...]
    player: Name
    parts: tuple[Expr, ...]


@frozen(repr=False, eq=False)
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


@frozen(repr=False, eq=False)
class ClaimAfter(Node):
    """`claim start C`, `claim after "moves" C` (`moves` is empty at the start)."""

    moves: str
    value: Expr


EvaluatorItem: TypeAlias = (
    Format | EvaluatorName | Use | Factor | Let | Table | Scan | CheapestPath | ValueOf
    | OpeningLine | ClaimAfter | Claim | Untested
)  # fmt: skip


@frozen(repr=False, eq=False)
class Evaluator(Record):
    """A whole evaluator file; the sets describe faulty lines, as those of `Rules` do."""

    items: tuple[EvaluatorItem, ...]
    excused: frozenset[str] = field(default=frozenset(), eq=False)
    missing: frozenset[str] = field(default=frozenset(), eq=False)
    mentioned: frozenset[str] = field(default=frozenset(), eq=False)


@frozen(repr=False, eq=False)
class PersonalityName(Node):
    """`personality NAME for GAME`."""

    name: Name
    game: Name


@frozen(repr=False, eq=False)
class Extends(Node):
    """`extends NAME`."""

    name: Name


@frozen(repr=False, eq=False)
class Setting(Node):
    """`FACTOR = VALUE UNIT`."""

    name: Name
    value: Quantity
    unit: Name | None


@frozen(repr=False, eq=False)
class Limit(Node):
    """`depth 3 turns`, `breadth MaxBreadth`: a setting of the search."""

    name: Name
    value: Quantity | Name
    unit: Name | None


@frozen(repr=False, eq=False)
class Search(Node):
    """`search KIND, setting, ...`."""

    kind: Name
    limits: tuple[Limit, ...]


@frozen(repr=False, eq=False)
class Consider(Node):
    """`consider patterns NAME, most 14 else all`."""

    what: Name
    name: Name
    most: Limit | None
    otherwise: Name | None


@frozen(repr=False, eq=False)
class ConsiderValue(Node):
    """`consider VALUE, most 14 else all`."""

    value: Name
    most: Limit | None
    otherwise: Name | None


@frozen(repr=False, eq=False)
class Forcing(Node):
    """`forcing VALUE, depth 8`."""

    value: Name
    reach: Limit | None


@frozen(repr=False, eq=False)
class Must(Node):
    """`must VALUE`."""

    value: Name


@frozen(repr=False, eq=False)
class Threats(Node):
    """`threats VALUE`."""

    value: Name


@frozen(repr=False, eq=False)
class Order(Node):
    """`order VALUE`."""

    value: Name


@frozen(repr=False, eq=False)
class Policy(Node):
    """`policy VALUE, most 4`."""

    value: Name
    most: Limit | None


@frozen(repr=False, eq=False)
class Replies(Node):
    """`reply save, shape`: lines of the evaluator that random games ask first."""

    names: tuple[Name, ...]


@frozen(repr=False, eq=False)
class Passing(Node):
    """`passing VALUE`."""

    value: Name


@frozen(repr=False, eq=False)
class Drawn(Node):
    """`drawn VALUE`."""

    value: Name


@frozen(repr=False, eq=False)
class Reduce(Node):
    """`reduce late`."""

    what: Name


@frozen(repr=False, eq=False)
class PickBest(Node):
    """`pick best VALUE if VALUE >= n`."""

    value: Name | None
    first: Name | None
    sign: str
    second: Quantity | Name | None


@frozen(repr=False, eq=False)
class PickAny(Node):
    """`pick first`, `pick random`."""

    how: Name


@frozen(repr=False, eq=False)
class Prefer(Node):
    """`prefer none, drop, flip`."""

    moves: tuple[Name, ...]


@frozen(repr=False, eq=False)
class Ties(Node):
    """`ties random`, `ties first`."""

    how: Name


@frozen(repr=False, eq=False)
class OpeningRandom(Node):
    """`opening random 1 turn`."""

    how: Name
    number: Quantity
    unit: Name


@frozen(repr=False, eq=False)
class OpeningMoves(Node):
    """`opening "f6", "swap"`: the first turns of this player."""

    turns: tuple[str, ...]


@frozen(repr=False, eq=False)
class OpeningLines(Node):
    """`opening first, block`: lines of the evaluator, the first that has a decision decides."""

    names: tuple[Name, ...]


PersonalityItem: TypeAlias = (
    Format | PersonalityName | Extends | Use | Setting | Search | Consider | ConsiderValue
    | Forcing | Must | Threats | Order | Policy | Replies | Passing | Drawn | Reduce | PickBest
    | PickAny | Prefer | Ties | OpeningRandom | OpeningMoves | OpeningLines
    | Untested
)  # fmt: skip


@frozen(repr=False, eq=False)
class Personality(Record):
    """A whole personality file; the sets describe faulty lines, as those of `Rules` do."""

    items: tuple[PersonalityItem, ...]
    excused: frozenset[str] = field(default=frozenset(), eq=False)
    missing: frozenset[str] = field(default=frozenset(), eq=False)
    mentioned: frozenset[str] = field(default=frozenset(), eq=False)
