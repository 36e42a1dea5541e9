"""Turns, the lines of a block, and the lines at the margin."""

from __future__ import annotations

from typing import TypeAlias

from attrs import field, frozen

from rulewright.language.syntax.expressions import Call, Expr, Name, Node, Number, Ray
from rulewright.records import Record

# --- turns ---


@frozen(repr=False, eq=False)
class OneMove(Node):
    """A move by its name."""

    name: Name


@frozen(repr=False, eq=False)
class InOrder(Node):
    """A course after another."""

    items: tuple[Course, ...]


@frozen(repr=False, eq=False)
class Either(Node):
    """`A or B`."""

    items: tuple[Course, ...]


@frozen(repr=False, eq=False)
class Otherwise(Node):
    """`A else B`: B only when no decision of A is legal."""

    first: Course
    second: Course


@frozen(repr=False, eq=False)
class Often(Node):
    """`A?`, `A*`, `A+`, `A?*`."""

    item: Course
    sign: str


Course: TypeAlias = OneMove | InOrder | Either | Otherwise | Often


# --- effects: the lines of a block ---


@frozen(repr=False, eq=False)
class Choose(Node):
    """`choose x in X`."""

    name: Name
    domain: Expr


@frozen(repr=False, eq=False)
class ChooseRay(Node):
    """`choose ray from A along D /pattern/`: binds every named part."""

    ray: Ray


@frozen(repr=False, eq=False)
class Write(Node):
    """`write "{a}-{b}"`: the notation of a move."""

    text: Expr


@frozen(repr=False, eq=False)
class Need(Node):
    """`need C`."""

    condition: Expr


@frozen(repr=False, eq=False)
class Let(Node):
    """`let f(a) for P = E`, at the top or in a block."""

    name: Name
    parameters: tuple[Name, ...]
    player: Name | None
    value: Expr


@frozen(repr=False, eq=False)
class Put(Node):
    """`put PLAYER KIND at X`."""

    player: Name | None
    kind: Name
    sites: Expr


@frozen(repr=False, eq=False)
class Clear(Node):
    """`clear X`."""

    sites: Expr


@frozen(repr=False, eq=False)
class MovePiece(Node):
    """`move a to b`."""

    source: Expr
    target: Expr


@frozen(repr=False, eq=False)
class MoveEach(Node):
    """`move each s in X to E`."""

    name: Name
    domain: Expr
    target: Expr


@frozen(repr=False, eq=False)
class Link(Node):
    """`link a to X`, and `unlink a to X`."""

    source: Expr
    target: Expr
    remove: bool


@frozen(repr=False, eq=False)
class LinkEach(Node):
    """`link each s in X to E`, and `unlink each`."""

    name: Name
    domain: Expr
    target: Expr
    remove: bool


@frozen(repr=False, eq=False)
class Assign(Node):
    """`NAME for P := E`."""

    name: Name
    player: Name | None
    value: Expr


@frozen(repr=False, eq=False)
class Perform(Node):
    """`f(a, b)` as a line of its own: an action."""

    call: Call


@frozen(repr=False, eq=False)
class If(Node):
    """`if`, `else if` or `else` (no condition) with its block."""

    word: str
    condition: Expr | None
    block: tuple[Effect, ...] = ()


@frozen(repr=False, eq=False)
class Again(Node):
    """`again`."""


@frozen(repr=False, eq=False)
class SwapSides(Node):
    """`swap sides`."""


Effect: TypeAlias = (
    Choose | ChooseRay | Write | Need | Let | Put | Clear | MovePiece | MoveEach | Link | LinkEach
    | Assign | Perform | If | Again | SwapSides
)  # fmt: skip


# --- items: the lines at the margin ---


@frozen(repr=False, eq=False)
class Format(Node):
    """`format 1`."""

    number: Number


@frozen(repr=False, eq=False)
class GameName(Node):
    """`game NAME`."""

    name: Name


@frozen(repr=False, eq=False)
class Players(Node):
    """`players FIRST SECOND`."""

    first: Name
    second: Name


@frozen(repr=False, eq=False)
class Option(Node):
    """`option NAME = V in LOW..HIGH`."""

    name: Name
    default: Expr
    range: Expr | None


@frozen(repr=False, eq=False)
class BoardLine(Node):
    """`line a7 d7 g7` of a drawn board."""

    sites: tuple[Name, ...]


@frozen(repr=False, eq=False)
class Board(Node):
    """`board SHAPE W by H from top where SET`, or `board graph` with its lines."""

    shape: Name
    width: Expr | None
    height: Expr | None
    row_one: Name | None
    where: Expr | None
    block: tuple[BoardLine, ...] = ()


@frozen(repr=False, eq=False)
class Label(Node):
    """`label s in SET : "text"`: names for sites."""

    name: Name
    domain: Expr
    text: Expr


@frozen(repr=False, eq=False)
class PieceKind(Node):
    """A kind of piece and the letters that show it."""

    name: Name
    letters: str | None


@frozen(repr=False, eq=False)
class Pieces(Node):
    """`pieces KIND "letters", ...`."""

    kinds: tuple[PieceKind, ...]


@frozen(repr=False, eq=False)
class Links(Node):
    """`links NAME along STEPS`."""

    name: Name
    steps: Expr


@frozen(repr=False, eq=False)
class StateVariable(Node):
    """`state NAME each = V in R within turn`."""

    name: Name
    each: bool
    value: Expr
    range: Expr | None
    within_turn: bool
    unseen: bool


@frozen(repr=False, eq=False)
class Setup(Node):
    """`setup` with its block."""

    block: tuple[Effect, ...] = ()


@frozen(repr=False, eq=False)
class Action(Node):
    """`action f(a, b)` with its block."""

    name: Name
    parameters: tuple[Name, ...]
    block: tuple[Effect, ...] = ()


@frozen(repr=False, eq=False)
class MoveKind(Node):
    """`move NAME` with its block."""

    name: Name
    block: tuple[Effect, ...] = ()


@frozen(repr=False, eq=False)
class Turn(Node):
    """`turn COURSE`, and `first turn COURSE`."""

    course: Course
    first: bool


@frozen(repr=False, eq=False)
class WriteTogether(Node):
    """`write turn together`."""


@frozen(repr=False, eq=False)
class End(Node):
    """`win when C`, `lose when C`, `draw when C`, `score E when C`."""

    verdict: str
    score: Expr | None
    condition: Expr


@frozen(repr=False, eq=False)
class Claim(Node):
    """`claim ...`: `kind` is always, start, after, illegal, never, bound, wins, symmetric or perft.

    Of evaluators it is symmetric or antisymmetric.
    """

    kind: str
    what: Name | None
    value: Expr | None
    numbers: tuple[int, ...] = ()
    swap: bool = False
    verb: Name | None = None
    chosen: tuple[WithOption, ...] = ()
    moves: str = ""
    decision: str = ""


@frozen(repr=False, eq=False)
class WithOption(Node):
    """`size = 3` behind `with`: an option of the game that a claim is about."""

    name: Name
    value: Expr


@frozen(repr=False, eq=False)
class Untested(Node):
    """`untested PROPERTY "reason"`: what `test` leaves out."""

    what: Name
    reason: str


Item: TypeAlias = (
    Format | GameName | Players | Option | Board | Label | Pieces | Links | StateVariable | Let
    | Setup | Action | MoveKind | Turn | WriteTogether | End | Claim | Untested
)  # fmt: skip


@frozen(repr=False, eq=False)
class Rules(Record):
    """A whole file.

    Of the lines that could not be read: `excused` are the names they may have declared, `missing`
    the statements they were meant to be, `mentioned` all their words.
    """

    items: tuple[Item, ...]
    excused: frozenset[str] = field(default=frozenset(), eq=False)
    missing: frozenset[str] = field(default=frozenset(), eq=False)
    mentioned: frozenset[str] = field(default=frozenset(), eq=False)
