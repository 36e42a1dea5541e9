"""Turns, the lines of a block, and the lines at the margin."""

from __future__ import annotations

from typing import TypeAlias

from attrs import field

from rulewright.ground.records import Record, record
from rulewright.language.syntax.expressions import (
    MOVE,
    NAME,
    WORD,
    Call,
    Expr,
    Name,
    Node,
    Number,
    Ray,
    declares,
    mentions,
)

# --- turns ---


@record
class OneMove(Node):
    """A move by its name."""

    name: Name = field(metadata=mentions(MOVE))


@record
class InOrder(Node):
    """A course after another."""

    items: tuple[Course, ...]


@record
class Either(Node):
    """`A or B`."""

    items: tuple[Course, ...]


@record
class Otherwise(Node):
    """`A else B`: B only when no decision of A is legal."""

    first: Course
    second: Course


@record
class Often(Node):
    """`A?`, `A*`, `A+`, `A?*`."""

    item: Course
    sign: str


@record
class Longest(Node):
    """`longest A`, `longest by NAME A`."""

    item: Course
    by: Expr | None


Course: TypeAlias = OneMove | InOrder | Either | Otherwise | Often | Longest


# --- effects: the lines of a block ---


@record
class Choose(Node):
    """`choose x in X`, and `chance x in X by E`: chance makes the choice."""

    name: Name = field(metadata=declares(NAME, "choice"))
    domain: Expr
    weight: Expr | None = None
    by_chance: bool = False


@record
class ChooseRay(Node):
    """`choose ray from A along D /pattern/`: binds every named part."""

    ray: Ray


@record
class Write(Node):
    """`write "{a}-{b}"`: the notation of a move."""

    text: Expr


@record
class Need(Node):
    """`need C`."""

    condition: Expr


@record
class Let(Node):
    """`let f(a) for P = E`, at the top or in a block."""

    name: Name = field(metadata=declares(NAME, "let"))
    parameters: tuple[Name, ...] = field(metadata=declares(NAME, "parameter"))
    player: Name | None = field(metadata=mentions(NAME))
    value: Expr


@record
class Put(Node):
    """`put PLAYER KIND at X`."""

    player: Name | None = field(metadata=mentions(NAME))
    kind: Name = field(metadata=mentions(NAME))
    sites: Expr


@record
class Clear(Node):
    """`clear X`, and `clear n of X`: so many pieces from the top of piles."""

    number: Expr | None
    sites: Expr


@record
class MovePiece(Node):
    """`move a to b`; of piles also `move n of a to b`, and `under b` in place of `to b`."""

    number: Expr | None
    source: Expr
    target: Expr
    under: bool


@record
class MoveEach(Node):
    """`move each s in X to E`."""

    name: Name = field(metadata=declares(NAME, "local"))
    domain: Expr
    target: Expr


@record
class Link(Node):
    """`link a to X`, and `unlink a to X`."""

    source: Expr
    target: Expr
    remove: bool


@record
class LinkEach(Node):
    """`link each s in X to E`, and `unlink each`."""

    name: Name = field(metadata=declares(NAME, "local"))
    domain: Expr
    target: Expr
    remove: bool


@record
class Assign(Node):
    """`NAME(I) for P := E`; without brackets a state of one value."""

    name: Name = field(metadata=mentions(NAME, is_use=False))
    at: tuple[Expr, ...]
    player: Name | None = field(metadata=mentions(NAME))
    value: Expr


@record
class Perform(Node):
    """`f(a, b)` as a line of its own: an action; of the base, with its name: `BASE f(a, b)`."""

    base: Name | None = field(metadata=mentions("game"))
    call: Call


@record
class PerformMove(Node):
    """`BASE NAME` as a line of its own: the lines of a move of the base."""

    base: Name = field(metadata=mentions("game"))
    move: Name = field(metadata=mentions(MOVE))


@record
class If(Node):
    """`if`, `else if` or `else` (no condition) with its block."""

    word: str
    condition: Expr | None
    block: tuple[Effect, ...] = ()


@record
class Loop(Node):
    """`each x in X` with its block."""

    name: Name = field(metadata=declares(NAME, "local"))
    domain: Expr
    block: tuple[Effect, ...] = ()


@record
class Again(Node):
    """`again`."""


@record
class SwapSides(Node):
    """`swap sides`."""


Effect: TypeAlias = (
    Choose | ChooseRay | Write | Need | Let | Put | Clear | MovePiece | MoveEach | Link | LinkEach
    | Assign | Perform | PerformMove | If | Loop | Again | SwapSides
)  # fmt: skip


# --- items: the lines at the margin ---


@record
class Format(Node):
    """`format 1`."""

    number: Number


@record
class GameName(Node):
    """`game NAME`, and `game NAME extends BASE`."""

    name: Name = field(metadata=declares("game", "game"))
    base: Name | None = field(metadata=mentions("game"))


@record
class Players(Node):
    """`players A B C`, and `players A B when CONDITION` where options decide who plays."""

    names: tuple[Name, ...] = field(metadata=declares(NAME, "player"))
    condition: Expr | None


@record
class Option(Node):
    """`option NAME = V in LOW..HIGH`."""

    name: Name = field(metadata=declares(NAME, "option"))
    default: Expr
    range: Expr | None


@record
class BoardLine(Node):
    """`line a7 d7 g7` of a drawn board, and `line onward for red: a1 b1 c1` of any board."""

    name: Name | None = field(metadata=declares(NAME, "line"))
    player: Name | None = field(metadata=mentions(NAME))
    sites: tuple[Name, ...] = field(metadata=mentions(NAME, is_use=False))


@record
class Board(Node):
    """`board SHAPE W by H by D stacked N from top wrap left where SET`, or `graph` with lines."""

    shape: Name = field(metadata=mentions(WORD))
    width: Expr | None
    height: Expr | None
    layers: Expr | None
    stacked: Expr | None
    row_one: Name | None = field(metadata=mentions(WORD))
    wrap: Name | None = field(metadata=mentions(WORD))
    also_wrap: Name | None = field(metadata=mentions(WORD))
    where: Expr | None
    block: tuple[BoardLine, ...] = ()


@record
class Label(Node):
    """`label s in SET : "text"`: names for sites."""

    name: Name = field(metadata=declares(NAME, "local"))
    domain: Expr
    text: Expr


@record
class PieceKind(Node):
    """A kind of piece and the letters that show it."""

    name: Name = field(metadata=declares(NAME, "kind of piece"))
    letters: str | None


@record
class Pieces(Node):
    """`pieces KIND "letters", ...`."""

    kinds: tuple[PieceKind, ...]


@record
class Links(Node):
    """`links NAME along STEPS`."""

    name: Name = field(metadata=declares(NAME, "link"))
    steps: Expr


@record
class StateIndex(Node):
    """`x in X` of a table: it has an entry for every member; nothing else is `player`."""

    name: Name | None = field(metadata=declares(NAME, "local"))
    domain: Expr | None


@record
class StateVariable(Node):
    """`state NAME each x in X = V in R within turn`."""

    name: Name = field(metadata=declares(NAME, "state"))
    each: bool
    indices: tuple[StateIndex, ...]
    value: Expr
    range: Expr | None
    with_pieces: bool
    within_turn: bool
    unseen: bool
    hidden: bool = False


@record
class Sees(Node):
    """`sees SET`: where a player sees what stands, beside the own pieces."""

    sites: Expr


@record
class Setup(Node):
    """`setup` with its block."""

    block: tuple[Effect, ...] = ()


@record
class AfterTurn(Node):
    """`after turn` with its block."""

    block: tuple[Effect, ...] = ()


@record
class Action(Node):
    """`action f(a, b)` with its block."""

    name: Name = field(metadata=declares(NAME, "action"))
    parameters: tuple[Name, ...] = field(metadata=declares(NAME, "parameter"))
    block: tuple[Effect, ...] = ()


@record
class MoveKind(Node):
    """`move NAME` with its block."""

    name: Name = field(metadata=declares(MOVE, "move"))
    block: tuple[Effect, ...] = ()


@record
class Turn(Node):
    """`turn COURSE`, and `first turn COURSE`."""

    course: Course
    first: bool


@record
class WriteTogether(Node):
    """`write turn together`."""


@record
class End(Node):
    """`win when C`, `lose when C`, `draw when C`, `score E when C`, `draw may be claimed when C`.

    `verdict` is the word that begins it, `claim` for the last; `after_turn` stands before `when`.
    """

    verdict: str
    score: Expr | None
    condition: Expr
    after_turn: bool = False


@record
class Claim(Node):
    """`claim ...`: `kind` is always, start, after, illegal, never, bound, wins, symmetric or perft.

    Of evaluators it is symmetric or antisymmetric.
    """

    kind: str
    what: Name | None = field(metadata=mentions(WORD))
    value: Expr | None
    numbers: tuple[int, ...] = ()
    swap: bool = False
    verb: Name | None = field(default=None, metadata=mentions(WORD))
    chosen: tuple[WithOption, ...] = ()
    moves: str = ""
    decision: str = ""


@record
class WithOption(Node):
    """`size = 3` behind `with`: an option of the game that a claim is about."""

    name: Name = field(metadata=mentions(NAME, is_use=False))
    value: Expr


@record
class Untested(Node):
    """`untested PROPERTY "reason"`: what `test` leaves out."""

    what: Name = field(metadata=mentions(WORD))
    reason: str


@record
class LeftOut(Node):
    """A statement of the base that is left out: by its name, or all ends of a word."""

    name: Name | None = field(metadata=mentions(WORD))
    word: str


@record
class Without(Node):
    """`without NAME, draw`: statements of the base that are left out."""

    items: tuple[LeftOut, ...]


Item: TypeAlias = (
    Format | GameName | Players | Option | Board | Label | Pieces | Links | StateVariable | Sees
    | Let | Setup | AfterTurn | Action | MoveKind | Turn | WriteTogether | End | Claim | Untested
    | Without
)  # fmt: skip


@record
class File(Record):
    """The items of a file, and what is known of its lines that cannot be read.

    `excused` are the names that these lines may declare, `missing` the statements that they were
    meant to be, `mentioned` all their words.
    """

    items: tuple[Node, ...]
    excused: frozenset[str] = field(default=frozenset(), eq=False, kw_only=True)
    missing: frozenset[str] = field(default=frozenset(), eq=False, kw_only=True)
    mentioned: frozenset[str] = field(default=frozenset(), eq=False, kw_only=True)


@record
class Rules(File):
    """The items of a rules file, and what is known of its faulty lines."""

    items: tuple[Item, ...]
