"""Statements of evaluators (factors, tables, scans, paths, values) and lines of their blocks."""

from __future__ import annotations

from typing import TypeAlias

from attrs import field, frozen

from rulewright.language.syntax.expressions import Expr, Name, Node
from rulewright.language.syntax.statements import Assign, Claim, Format, If, Let, Untested


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
    """`to SET`: where a path may end."""

    sites: Expr


@frozen(repr=False, eq=False)
class PathStep(Node):
    """`step STEPS from a to b into SET when C costs E`."""

    steps: Expr
    first: Name | None
    second: Name | None
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
class ClaimAfter(Node):
    """`claim start C`, `claim after "moves" C` (`moves` is empty at the start)."""

    moves: str
    value: Expr


EvaluatorItem: TypeAlias = (
    Format | EvaluatorName | Use | Factor | Let | Table | Scan | CheapestPath | ValueOf | ClaimAfter
    | Claim | Untested
)  # fmt: skip


@frozen
class Evaluator:
    """A whole evaluator file; the sets say of faulty lines what they say of `Rules`."""

    items: tuple[EvaluatorItem, ...]
    excused: frozenset[str] = field(default=frozenset(), eq=False)
    missing: frozenset[str] = field(default=frozenset(), eq=False)
    mentioned: frozenset[str] = field(default=frozenset(), eq=False)
