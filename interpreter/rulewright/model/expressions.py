"""Expressions of the model: few node classes, and a table of operations.

Every name is resolved, every type is known.  `origin` is the number of a place in the text (see
`Rules.origins`); it takes no part in equality.  Values while playing: numbers and truths are
Python's; a player is 0 or 1; sites are a mask (see `board`); a family is a tuple of masks; steps
are a tuple of steps; a kind is its number; lists are tuples.
"""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias, cast

from attrs import field

from rulewright.records import Record, record


class Type(Enum):
    """The types of the language.  SITE is a set with one member, STEP a set with one step."""

    INT = "a whole number"
    REAL = "a number"
    TRUTH = "a truth"
    SITE = "a site"
    SITES = "a set of sites"
    FAMILY = "a family of sets"
    STEP = "a step"
    STEPS = "steps"
    LINK = "a kind of link"
    KIND = "a kind of piece"
    PLAYER = "a player"
    NUMBERS = "a list of numbers"
    KINDS = "a list of kinds"
    RANGE = "a range"
    TEXT = "a text"
    UNKNOWN = "something wrong"

    def __str__(self) -> str:
        return self.value


Value: TypeAlias = "int | float | bool | str | tuple[Value, ...]"


@record
class Expression(Record):
    """The common part: a type, and where the text says it."""

    type: Type
    origin: int = field(default=0, eq=False, kw_only=True)


@record
class Const(Expression):
    """A value known before the game begins."""

    value: Value

    @property
    def steps(self) -> tuple[tuple[int, int], ...]:
        """The value of steps, or of a single one."""
        return cast("tuple[tuple[int, int], ...]", self.value)

    @property
    def numbers(self) -> tuple[int, ...] | None:
        """The value of a list, of kinds or of a range, if all in it are whole numbers."""
        values = self.value if isinstance(self.value, tuple) else ()
        whole = tuple(value for value in values if isinstance(value, int))
        return whole if len(whole) == len(values) else None


@record
class Local(Expression):
    """A parameter, a chosen value, or a `let` inside a move, by its place in the frame."""

    slot: int


@record
class StateValue(Expression):
    """A declared state as the player looked at has it."""

    index: int


@record
class Apply(Expression):
    """An operation on values; `OPERATIONS` says what each one takes and gives."""

    operation: str
    arguments: tuple[Expr, ...] = ()


@record
class Logic(Expression):
    """`and` or `or` over truths, from the left, stopping early."""

    conjunction: bool
    items: tuple[Expr, ...]


@record
class Conditional(Expression):
    """`A if C else B`; only the chosen side is evaluated."""

    condition: Expr
    then: Expr
    otherwise: Expr


@record
class Viewed(Expression):
    """`X for P`.  `player` is 0 or 1, or ENEMY or MOVER as seen at that moment."""

    player: int
    body: Expr


ENEMY, MOVER = 2, 3


@record
class Quantified(Expression):
    """A quantifier: `some every those count sum max min` over members, with variables in slots.

    `domains` are evaluated in order, each seeing the variables before it.
    """

    quantifier: str
    slots: tuple[int, ...]
    domains: tuple[Expr, ...]
    body: Expr


@record
class CallFunction(Expression):
    """A definition (`let`) applied to argument values."""

    function: int
    arguments: tuple[Expr, ...]


# --- what only evaluators have ---


@record
class FactorValue(Expression):
    """A factor: a number that a personality sets, by its place in `Evaluator.factors`.

    `most`: what the absolute value of a whole one does not exceed.
    """

    index: int
    most: int | None = None


@record
class ChosenValue(Expression):
    """The choice of the judged move under a name."""

    name: str


@record
class Change(Expression):
    """The number after the player looked at makes the judged choice here, less the number now."""

    body: Expr


@record
class ScanValue(Expression):
    """The result of a scan from a site along a step; see `evaluation.Scan`."""

    scan: int
    site: Expr
    step: Expr


@record
class PathValue(Expression):
    """The cost of a cheapest path for the player looked at; see `evaluation.CheapestPath`."""

    path: int


# --- rays ---


@record
class OnSite(Record):
    """One site of a set."""

    sites: Expr


@record
class Sequence(Record):
    """One part after the other."""

    items: tuple[RayPattern, ...]


@record
class Alternatives(Record):
    """One of several parts."""

    items: tuple[RayPattern, ...]


@record
class Repeated(Record):
    """A part between `low` and `high` times (None: any number)."""

    item: RayPattern
    low: Expr
    high: Expr | None


@record
class Marked(Record):
    """The part that the ray is about, kept under a number."""

    mark: int
    item: RayPattern


RayPattern: TypeAlias = OnSite | Sequence | Alternatives | Repeated | Marked


@record
class Ray(Expression):
    """From every site of `source` along every step: the marked sites of all ways to match."""

    source: Expr
    along: Expr
    pattern: RayPattern
    marks: int


Expr: TypeAlias = (
    Const | Local | StateValue | Apply | Logic | Conditional | Viewed | Quantified | CallFunction
    | Ray | FactorValue | ChosenValue | Change | ScanValue | PathValue
)  # fmt: skip


@record
class Text(Record):
    """A text with holes."""

    parts: tuple[str | Expr, ...]


@record
class TextChoice(Record):
    """One text or another."""

    condition: Expr
    then: Notation
    otherwise: Notation


Notation: TypeAlias = Text | TextChoice


@record
class Function(Record):
    """A definition for one combination of argument types; `bodies` has two where players differ.

    `slots` is the size of its frame: parameters first, then variables of quantifiers.
    """

    name: str
    parameters: int
    slots: int
    bodies: tuple[Expr, ...]
    origin: int = field(default=0, eq=False)

    def body(self, view: int) -> Expr:
        """The expression that holds for player *view*, 0 or 1."""
        return self.bodies[view if len(self.bodies) > 1 else 0]


S, F, N, B = Type.SITES, Type.FAMILY, Type.INT, Type.TRUTH
D, P, K = Type.STEPS, Type.PLAYER, Type.KIND


@record
class Operation(Record):
    """The signature of an operation; `repeats` means any number of arguments of the last type."""

    takes: tuple[Type, ...]
    gives: Type
    reads: str = "nothing"
    repeats: bool = False


def _of(*takes: Type, gives: Type, reads: str = "nothing", repeats: bool = False) -> Operation:
    return Operation(takes, gives, reads, repeats)


R = Type.REAL

OPERATIONS: dict[str, Operation] = {
    # numbers; add, subtract, multiply, negate, abs and sign give whole numbers for whole numbers
    "add": _of(R, R, gives=R),
    "subtract": _of(R, R, gives=R),
    "multiply": _of(R, R, gives=R),
    "divide": _of(R, R, gives=R),
    "div": _of(N, N, gives=N),
    "mod": _of(N, N, gives=N),
    "negate": _of(R, gives=R),
    "abs": _of(R, gives=R),
    "sign": _of(R, gives=N),
    "count": _of(S, gives=N),
    "members": _of(F, gives=N),
    "x": _of(S, gives=N, reads="board"),
    "y": _of(S, gives=N, reads="board"),
    "item": _of(Type.NUMBERS, N, gives=R),
    "ply": _of(gives=N, reads="position"),
    "repeats": _of(gives=N, reads="position"),
    "board_repeats": _of(gives=N, reads="position"),
    # numbers that only evaluators ask for
    "power": _of(R, N, gives=R),
    "placed": _of(Type.NUMBERS, S, gives=R),
    "random": _of(N, N, gives=N, reads="position"),
    "mobility": _of(gives=N, reads="position"),
    # truths
    "not": _of(B, gives=B),
    "less": _of(R, R, gives=B),
    "less_equal": _of(R, R, gives=B),
    "equal": _of(Type.UNKNOWN, Type.UNKNOWN, gives=B),
    "inside": _of(S, S, gives=B),
    "between": _of(R, R, R, gives=B),
    "meets": _of(S, S, gives=B),
    "any": _of(S, gives=B),
    "crossed": _of(S, S, S, gives=B, reads="position"),
    "stuck": _of(gives=B, reads="position"),
    # sets of sites
    "unite": _of(S, gives=S, repeats=True),
    "intersect": _of(S, gives=S, repeats=True),
    "complement": _of(S, gives=S, reads="board"),
    "gather": _of(F, gives=S),
    "own": _of(gives=S, reads="position"),
    "enemy": _of(gives=S, reads="position"),
    "owned": _of(P, gives=S, reads="position"),
    "of_kind": _of(K, gives=S, reads="position"),
    "full": _of(gives=S, reads="position"),
    "empty": _of(gives=S, reads="position"),
    "step": _of(D, S, gives=S, reads="board"),
    "linked": _of(Type.LINK, S, gives=S, reads="position"),
    "row": _of(N, gives=S, reads="board"),
    "column": _of(N, gives=S, reads="board"),
    "site": _of(N, N, gives=S, reads="board"),
    "whole_line": _of(S, D, gives=S, reads="board"),
    "ends": _of(S, gives=S, reads="board"),
    "reach": _of(S, S, D, gives=S, reads="board"),
    "reach_linked": _of(S, S, Type.LINK, gives=S, reads="position"),
    # families
    "lines": _of(N, gives=F, reads="board"),
    "groups": _of(S, D, gives=F, reads="board"),
    "groups_linked": _of(S, Type.LINK, gives=F, reads="position"),
    "family": _of(S, gives=F, repeats=True),
    # steps, players, lists
    "join_steps": _of(D, gives=D, repeats=True),
    "opposite": _of(D, gives=D, reads="board"),
    "viewer": _of(gives=P, reads="position"),
    "numbers": _of(R, gives=Type.NUMBERS, repeats=True),
    "kinds": _of(K, gives=Type.KINDS, repeats=True),
    "range": _of(N, N, gives=Type.RANGE),
}
