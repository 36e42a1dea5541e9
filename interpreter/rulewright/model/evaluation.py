"""Evaluators: what positions and moves are worth, as formulas over factors.  Right by construction.

Numbers that a personality sets are data (`FactorValue`), so a changed personality changes no model.
"""

from __future__ import annotations

from typing import TypeAlias

from attrs import field

from rulewright.ground.records import Record, record
from rulewright.model.expressions import Expr, Function
from rulewright.model.rules import Claim, Origin, Untested, place_of


@record
class Factor(Record):
    """A number that a personality sets, with its range and what it means.

    A `whole` factor takes whole numbers only.  The values of a `percent` factor are shares of 1.
    `for_search` says that settings of searches use it, not formulas.
    """

    name: str
    default: int | float
    low: int | float
    high: int | float
    whole: bool
    percent: bool
    unit: str
    for_search: bool
    meaning: str
    evaluator: str

    def value_text(self, value: float) -> str:
        """A value as texts write it: `50%` for a share of a half."""
        number = value * 100 if self.percent else value
        return f"{number:.10g}" + "%" * self.percent

    @property
    def range(self) -> str:
        """The values that it may have, as texts write them."""
        return f"{self.value_text(self.low)}..{self.value_text(self.high)}"

    def refusal(self, value: float) -> str:
        """The message on why a value is refused, in the units of texts; empty if it is allowed."""
        if self.whole and not self.percent and not isinstance(value, int):
            return f"`{self.name}` takes a whole number, not {self.value_text(value)}"
        if self.low <= value <= self.high:
            return ""
        message = f"{self.value_text(value)} lies outside the range {self.range} of `{self.name}`"
        meant = self.percent and self.low <= value / 100 <= self.high
        return f"{message}; is {value:.10g}% meant?" if meant else message


# --- scans: a walk from a site along a step, with registers ---


@record
class SetRegister(Record):
    """`v := E`."""

    slot: int
    value: Expr
    origin: int = field(default=0, eq=False, kw_only=True)


@record
class If(Record):
    """`if` with both blocks."""

    condition: Expr
    then: tuple[ScanEffect, ...]
    otherwise: tuple[ScanEffect, ...]
    origin: int = field(default=0, eq=False, kw_only=True)


@record
class Stop(Record):
    """`stop`."""


ScanEffect: TypeAlias = SetRegister | If | Stop


@record
class Reaction(Record):
    """The effects on a site of a set, or (`outside`) one step past the border."""

    sites: Expr
    outside: bool
    deeds: tuple[ScanEffect, ...]


@record
class Scan(Record):
    """A scan: its site and step fill the first two slots, its registers the next.

    For each site after the first one along the step, and once for the place past the border, the
    first reaction that holds it is carried out; then `give` is the value.
    """

    name: str
    slots: int
    registers: tuple[SetRegister, ...]
    reactions: tuple[Reaction, ...]
    give: Expr
    origin: int = field(default=0, eq=False)


# --- cheapest paths ---


@record
class PathFrom(Record):
    """Sites where a path may begin, and what that costs."""

    sites: Expr
    cost: Expr


@record
class PathStep(Record):
    """Steps (or links) a path may take.

    The slots 0 and 1 hold the two sites of a step where they are named (`named`).  A step ends in
    `into`, and `local` says that this set asks for the first site; it may be taken only where
    `when` holds, and its `cost` is never negative.  With `over` it leads two such steps away, to
    where at least two sites of that set lie between (`twice over` in a text).
    """

    steps: Expr
    linked: bool
    named: bool
    local: bool
    slots: int
    into: Expr
    when: Expr
    cost: Expr
    origin: int = field(default=0, eq=False)
    over: Expr | None = None


@record
class CheapestPath(Record):
    """The cost of the cheapest way from a start to `target`, or `otherwise` where there is none.

    Where it leaves groups is asked of all ways to a site of `target` whose costs are the least in
    whole `unit`s, each the cheapest to its site.
    """

    name: str
    starts: tuple[PathFrom, ...]
    target: Expr
    steps: tuple[PathStep, ...]
    otherwise: Expr
    unit: int = 1
    origin: int = field(default=0, eq=False)


# --- values ---


@record
class Term(Record):
    """One of the summands of a value, with its text; `subtract` where it is taken away."""

    text: str
    subtract: bool
    value: Expr


@record
class ValueOf(Record):
    """The value of a position (or a move of one of `moves`) for `player`: 0, 1 or MOVER.

    Several `parts` compare in order; `texts` are what the file says of them.  `terms` add up to the
    first part.
    """

    name: str
    moves: tuple[int, ...]
    player: int
    parts: tuple[Expr, ...]
    terms: tuple[Term, ...]
    origin: int = field(default=0, eq=False)
    texts: tuple[str, ...] = field(default=(), eq=False)

    @property
    def of_move(self) -> bool:
        """Whether moves are judged, not positions."""
        return bool(self.moves)


REMEMBERED = 4
"""Last decisions that a reply may ask for, at the most."""


@record
class OpeningLine(Record):
    """A line of openings or replies: which decisions of a `move` it says, and when it says any.

    The slots 0 to `last` - 1 hold the sites of the last decisions, the last one first.  Of several
    `sets` the first counts that holds what a legal decision chooses; without any every decision of
    the move is meant.  `chance` is the share of cases in which the line is followed, from 0 to 1.
    A `reply` is asked in random games, any other line where a player decides.
    """

    name: str
    move: int
    last: int
    slots: int
    sets: tuple[Expr, ...]
    condition: Expr
    chance: float = 1
    origin: int = field(default=0, eq=False)
    reply: bool = False


@record
class ClaimAfter(Record):
    """A claim of the file: after `moves` (decisions or turns) a condition holds."""

    moves: str
    value: Expr
    origin: int = field(default=0, eq=False)


@record
class Evaluator(Record):
    """A whole evaluator for one game with its options fixed.

    `functions` begins with the functions of the rules; `places` are those of `Rules.origins`, and
    more for what the evaluator says itself.
    """

    name: str
    game: str
    factors: tuple[Factor, ...]
    functions: tuple[Function, ...]
    scans: tuple[Scan, ...]
    paths: tuple[CheapestPath, ...]
    values: tuple[ValueOf, ...]
    examples: tuple[ClaimAfter, ...]
    view: int
    origins: tuple[Origin, ...] = field(eq=False, repr=False)
    claims: tuple[Claim, ...] = field(default=(), eq=False)
    untested: tuple[Untested, ...] = field(default=(), eq=False)
    openings: tuple[OpeningLine, ...] = ()
    replies: tuple[OpeningLine, ...] = ()

    def place(self, origin: int) -> str:
        """`file:line` of an origin."""
        return place_of(self.origins[origin])

    def value(self, name: str) -> ValueOf | None:
        """The value of that name; without a name the first."""
        return next((v for v in self.values if not name or v.name == name), None)

    def opening(self, name: str) -> OpeningLine | None:
        """The line of openings of that name."""
        return next((line for line in self.openings if line.name == name), None)

    def reply(self, name: str) -> OpeningLine | None:
        """The line of replies of that name."""
        return next((line for line in self.replies if line.name == name), None)

    @property
    def defaults(self) -> tuple[int | float, ...]:
        """The value of every factor where a personality says nothing."""
        return tuple(factor.default for factor in self.factors)
