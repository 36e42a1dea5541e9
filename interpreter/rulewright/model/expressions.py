"""Expressions of the model: few node classes, and a table of operations.

Every name is resolved, every type is known.  `origin` is the number of a place in the text (see
`Rules.origins`); it takes no part in equality.  Values while playing: numbers and truths are
Python's; a player is a number from 0; sites are a mask (see `board`); a family is a tuple of masks;
steps are a tuple of steps; a kind is its number; lists are tuples.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from math import prod
from typing import Any, Protocol, TypeAlias, cast

from attrs import field

from rulewright.ground.records import Record, record


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


_MEMBERS = {
    Type.SITE: Type.SITE, Type.SITES: Type.SITE, Type.FAMILY: Type.SITES,
    Type.STEP: Type.STEP, Type.STEPS: Type.STEP, Type.KINDS: Type.KIND,
}  # fmt: skip


def member_type(domain: Type) -> Type:
    """The type of a variable by the type of what it runs over: a whole number for all others."""
    return _MEMBERS.get(domain, Type.INT)


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
    """A declared state as the player looked at has it; of a table the entry `at`."""

    index: int
    at: tuple[Expr, ...] = ()


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
    """`X for P`.  `player` is a number, or ENEMY, MOVER or NEXT as seen at that moment."""

    player: int
    body: Expr


ENEMY, MOVER, NEXT = -2, -3, -4
"""Players other than the one looked at (-1): NEXT is the one after it that is still in."""


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
    """A definition for one combination of argument types; `bodies` has all where players differ.

    `slots` is the size of its frame: parameters first, then variables of quantifiers.
    """

    name: str
    parameters: int
    slots: int
    bodies: tuple[Expr, ...]
    origin: int = field(default=0, eq=False)

    def body(self, view: int) -> Expr:
        """The expression that holds for player *view*."""
        return self.bodies[view if len(self.bodies) > 1 else 0]


# --- operations ---


class Sizes(Protocol):
    """The quantities that bound the steps of an operation in the worst case."""

    @property
    def sites(self) -> int:
        """Sites of the board."""

    @property
    def longest(self) -> int:
        """Sites of its longest line."""

    def members(self, domain: Expr) -> int:
        """The upper bound of the members of a set, a family or steps."""


class Bounds(Protocol):
    """The quantities that bound the absolute value of a number."""

    @property
    def coordinate(self) -> int:
        """The upper bound of counts of sites, rows and columns."""

    @property
    def members(self) -> int:
        """The upper bound of the members of a family."""

    @property
    def pieces(self) -> int:
        """How many pieces the piles of all sites hold at most."""

    def most(self, number: Expr) -> int:
        """The upper bound of the absolute value of a number."""

    def entry(self, numbers: Expr) -> int:
        """The upper bound of the numbers of a table."""


Arguments: TypeAlias = tuple[Expr, ...]
Interval: TypeAlias = tuple[int, int]
MOST = 2**62 - 1
"""What no number in play exceeds; it stands where nothing less is known."""
_PLIES = 2**40
"""More turns than any game has."""


@record
class Operation(Record):
    """All that is said of an operation beside its meaning, which stands in `reference/operate.py`.

    A number must say how large it can be, and everything how many steps it takes.
    """

    takes: tuple[Type, ...]
    gives: Type
    steps: int | Callable[[Sizes, Arguments], int]
    """Elementary steps beside those of its arguments, at the worst."""
    most: int | Callable[[Bounds, Arguments], int] | None = None
    """The upper bound of the absolute value of a number."""
    span: Callable[[int, list[Interval]], Interval] | None = None
    """The least and the greatest number, by the sites of the board and the spans of its arguments,
    where a range up to it may be tried in play."""
    reads: str = "nothing"
    """`board`, or `position`."""
    needs: str = ""
    """`end`: known only where an end is tested; `table`: makes a table at its first use."""
    repeats: bool = False
    """Whether it takes any number of arguments of its last type."""
    may_fail: bool = False
    """Whether some arguments have no value, which is a `Fault`."""
    word: str = ""
    """Where its name is a word of the language: in `rules` and evaluators, or in an `evaluator`."""

    def __attrs_post_init__(self) -> None:
        """Refuse a number that does not say how large it can be."""
        if (self.gives in (Type.INT, Type.REAL)) != (self.most is not None):
            raise ValueError(f"`most` goes with numbers, and this gives {self.gives}")


def _flood(sizes: Sizes, arguments: Arguments) -> int:
    return 2 * sizes.sites


def _both_ways(sizes: Sizes, arguments: Arguments) -> int:
    return 2 * sizes.longest * prod(sizes.members(a) for a in arguments if a.type is not N)


def _counted(sites: int, numbers: list[Interval]) -> Interval:
    return 0, 4 * sites


def _added(sites: int, numbers: list[Interval]) -> Interval:
    (low, high), (least, greatest) = numbers
    return low + least, high + greatest


def _taken_away(sites: int, numbers: list[Interval]) -> Interval:
    (low, high), (least, greatest) = numbers
    return low - greatest, high - least


def _of(*takes: Type, **properties: Any) -> Operation:
    return Operation(takes, **properties)


def _word(*takes: Type, **properties: Any) -> Operation:
    return Operation(takes, word="rules", **properties)


R, S, F, N, B = Type.REAL, Type.SITES, Type.FAMILY, Type.INT, Type.TRUTH
D, P, K = Type.STEPS, Type.PLAYER, Type.KIND

_COORDINATE = _word(
    S, gives=N, steps=1, most=lambda b, _: b.coordinate, span=_counted, reads="board", may_fail=True
)
OPERATIONS: dict[str, Operation] = {
    # numbers; add, subtract, multiply, negate, abs and sign give whole numbers for whole numbers
    "add": _of(R, R, gives=R, steps=1, most=lambda b, a: sum(map(b.most, a)), span=_added),
    "subtract": _of(
        R, R, gives=R, steps=1, most=lambda b, a: sum(map(b.most, a)), span=_taken_away
    ),
    "multiply": _of(R, R, gives=R, steps=1, most=lambda b, a: prod(map(b.most, a))),
    "divide": _of(R, R, gives=R, steps=1, most=MOST, may_fail=True),
    "div": _of(N, N, gives=N, steps=1, most=lambda b, a: b.most(a[0]), may_fail=True),
    "mod": _of(N, N, gives=N, steps=1, most=lambda b, a: b.most(a[1]), may_fail=True),
    "negate": _of(R, gives=R, steps=1, most=lambda b, a: b.most(a[0])),
    "abs": _word(R, gives=R, steps=1, most=lambda b, a: b.most(a[0])),
    "sign": _word(R, gives=N, steps=1, most=1),
    "count": _of(S, gives=N, steps=1, most=lambda b, _: b.coordinate, span=_counted),
    "height": _word(
        S, gives=N, steps=lambda z, a: z.members(a[0]), most=lambda b, _: b.pieces, reads="position"
    ),
    "members": _of(F, gives=N, steps=1, most=lambda b, _: b.members, span=_counted),
    "x": _COORDINATE,
    "y": _COORDINATE,
    "z": _COORDINATE,
    "item": _of(Type.NUMBERS, N, gives=R, steps=1, most=MOST, may_fail=True),
    "ply": _word(gives=N, steps=1, most=_PLIES, reads="position"),
    "repeats": _word(gives=N, steps=1, most=_PLIES, reads="position"),
    "board_repeats": _word(gives=N, steps=1, most=_PLIES, reads="position"),
    # numbers that only evaluators ask for
    "power": _of(R, N, gives=R, steps=1, most=MOST, word="evaluator"),
    "placed": _of(Type.NUMBERS, S, gives=R, steps=1, most=lambda b, a: b.entry(a[0])),
    "random": _of(N, N, gives=N, steps=1, most=MOST, reads="position", word="evaluator"),
    "mobility": _of(gives=N, steps=1, most=MOST, reads="position", word="evaluator"),
    # truths
    "not": _of(B, gives=B, steps=1),
    "less": _of(R, R, gives=B, steps=1),
    "less_equal": _of(R, R, gives=B, steps=1),
    "equal": _of(Type.UNKNOWN, Type.UNKNOWN, gives=B, steps=1),
    "inside": _of(S, S, gives=B, steps=1),
    "between": _of(R, R, R, gives=B, steps=1),
    "meets": _of(S, S, gives=B, steps=1),
    "any": _of(S, gives=B, steps=1),
    "crossed": _word(S, S, S, gives=B, steps=_flood, reads="position", may_fail=True),
    "stuck": _word(gives=B, steps=1, reads="position", needs="end"),
    # sets of sites
    "unite": _of(S, gives=S, steps=1, repeats=True),
    "intersect": _of(S, gives=S, steps=1, repeats=True),
    "complement": _of(S, gives=S, steps=1, reads="board"),
    "gather": _of(F, gives=S, steps=1),
    "image": _of(F, S, gives=S, steps=1, reads="board"),
    "own": _word(gives=S, steps=1, reads="position"),
    "enemy": _word(gives=S, steps=1, reads="position"),
    "owned": _of(P, gives=S, steps=1, reads="position"),
    "of_kind": _of(K, gives=S, steps=1, reads="position"),
    "full": _word(gives=S, steps=1, reads="position"),
    "empty": _word(gives=S, steps=1, reads="position"),
    "step": _of(D, S, gives=S, steps=lambda z, a: z.members(a[1]), reads="board"),
    "ahead": _of(D, S, N, gives=S, steps=_both_ways, reads="board", may_fail=True),
    "linked": _of(Type.LINK, S, gives=S, steps=1, reads="position"),
    "row": _word(N, gives=S, steps=_flood, reads="board"),
    "column": _word(N, gives=S, steps=_flood, reads="board"),
    "layer": _word(N, gives=S, steps=_flood, reads="board"),
    "site": _word(N, N, gives=S, steps=1, reads="board"),
    "whole_line": _word(S, D, gives=S, steps=_both_ways, reads="board", may_fail=True),
    "ends": _word(S, gives=S, steps=1, reads="board", needs="table"),
    "reach": _word(S, S, D, gives=S, steps=_flood, reads="board"),
    "reach_linked": _of(S, S, Type.LINK, gives=S, steps=_flood, reads="position"),
    # families
    "lines": _word(N, gives=F, steps=lambda z, _: 20 * z.sites, reads="board"),
    "groups": _word(S, D, gives=F, steps=_flood, reads="board"),
    "groups_linked": _of(S, Type.LINK, gives=F, steps=_flood, reads="position"),
    "family": _of(S, gives=F, steps=1, repeats=True),
    # steps, players, lists
    "join_steps": _of(D, gives=D, steps=1, repeats=True),
    "opposite": _word(D, gives=D, steps=1, reads="board"),
    "step_item": _of(D, N, gives=Type.STEP, steps=1, reads="board", may_fail=True),
    "kind_item": _of(Type.KINDS, N, gives=K, steps=1, may_fail=True),
    "viewer": _of(gives=P, steps=1, reads="position"),
    "numbers": _of(R, gives=Type.NUMBERS, steps=1, repeats=True),
    "kinds": _of(K, gives=Type.KINDS, steps=1, repeats=True),
    "range": _of(N, N, gives=Type.RANGE, steps=1),
}
