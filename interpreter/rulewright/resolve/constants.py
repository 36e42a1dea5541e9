"""What is known before the game begins, and the limits of what may be worked out or asked in play.

In: expressions of the model.  Out: their values, where no position is needed, and values that stand
where another type is wanted; a stand-in of unknown type for what is too deep, too slow, known too
late or of the wrong type, which is reported.
"""

from __future__ import annotations

from attrs import Factory, define, field

from rulewright.errors import Fault
from rulewright.language import limits, syntax
from rulewright.model import expressions as m
from rulewright.model.board import Board
from rulewright.model.expressions import OPERATIONS, Apply, Const, Expr, Function, Type
from rulewright.model.rules import EMPTY
from rulewright.reference.evaluate import evaluate
from rulewright.reference.position import Context, Position
from rulewright.resolve import cost
from rulewright.resolve.cost import largest
from rulewright.resolve.scope import Scope, is_unknown

SETS = frozenset({Type.SITE, Type.SITES, Type.FAMILY, Type.KIND, Type.PLAYER})
NUMBERS = frozenset({Type.INT, Type.REAL})
STEPS = frozenset({Type.STEP, Type.STEPS})

_HINTS: dict[tuple[Type, Type], str] = {
    (Type.SITES, Type.TRUTH): "ask `any ...` or `no ...` of a set",
    (Type.SITE, Type.TRUTH): "ask `... in SET` or `any ...`",
    (Type.FAMILY, Type.TRUTH): "ask `some(x in ... : condition)`",
    (Type.SITES, Type.INT): "`count ...` gives the number of its sites",
    (Type.SITES, Type.REAL): "`count ...` gives the number of its sites",
    (Type.FAMILY, Type.INT): "`count ...` gives the number of its members",
    (Type.FAMILY, Type.REAL): "`count ...` gives the number of its members",
    (Type.TRUTH, Type.INT): "write `1 if ... else 0`",
    (Type.TRUTH, Type.REAL): "write `1 if ... else 0`",
    (Type.STEPS, Type.SITES): "a step is used as a function: `north(a)`",
    (Type.STEP, Type.SITES): "a step is used as a function: `north(a)`",
    (Type.TRUTH, Type.SITES): "join truths with `and`; sets stand side by side",
    (Type.REAL, Type.INT): "`div` divides whole numbers",
    (Type.INT, Type.TRUTH): "compare it: `... > 0`",
    (Type.LINK, Type.STEPS): "a link is used as a function, or in `groups(X, link)`",
}


def coerce(expression: Expr, wanted: Type) -> Expr | None:
    """*expression* as a value of the wanted type, or None if it cannot be one."""
    have = expression.type
    if have is Type.UNKNOWN or wanted is Type.UNKNOWN or have is wanted:
        return expression
    match wanted:
        case Type.REAL if have is Type.INT:
            return expression
        case Type.STEPS if have is Type.STEP:
            return expression
        case Type.SITES:
            return _as_sites(expression)
    return None


def _as_sites(expression: Expr) -> Expr | None:
    match expression.type:
        case Type.SITE:
            return expression
        case Type.FAMILY if isinstance(expression, Const):
            whole = 0
            assert isinstance(expression.value, tuple)
            for sites in expression.value:
                assert isinstance(sites, int)
                whole |= sites
            return Const(Type.SITES, whole)
        case Type.FAMILY:
            return Apply(Type.SITES, "gather", (expression,), origin=expression.origin)
        case Type.KIND:
            return Apply(Type.SITES, "of_kind", (expression,), origin=expression.origin)
        case Type.PLAYER:
            return Apply(Type.SITES, "owned", (expression,), origin=expression.origin)
    return None


def hint(have: Type, wanted: Type) -> str:
    """What to write instead, where that is clear."""
    return _HINTS.get((have, wanted), "")


def common(first: Type, second: Type) -> Type | None:
    """The type that two values share, as in `A if C else B`."""
    if first is Type.UNKNOWN or second is Type.UNKNOWN:
        return Type.UNKNOWN
    if first is second and first not in (Type.KIND, Type.PLAYER):
        return first
    if {first, second} <= NUMBERS:
        return Type.REAL
    if {first, second} <= STEPS:
        return Type.STEPS
    if first is second:
        return first
    return Type.SITES if {first, second} <= SETS else None


UNKNOWN = Const(Type.UNKNOWN, 0)


@define
class Constants:
    """Names, board and limits of one file, and what is worked out before the game begins."""

    scope: Scope
    board: Board | None = None
    options: dict[str, Const] = field(factory=dict)
    players: tuple[str, ...] = ()
    state_types: dict[int, Type] = field(factory=dict)
    link_steps: tuple[m.Value, ...] = ()
    functions: list[Function] = field(factory=list)
    measures: cost.Measures = Factory(lambda self: cost.Measures(self.functions), takes_self=True)
    in_end: bool = False
    board_known: bool = True
    shape_known: bool = True
    lines_missing: bool = False
    links_missing: bool = False
    settings_given: bool = False
    """Whether a caller has set options: his board may be smaller than the lines of a file."""
    stateless: str = ""
    _open: list[str] = field(factory=list)
    _faulty_options: set[str] = field(factory=set)
    _level: int = 0
    _too_high: bool = False
    _resolved: int = 0
    _spent: int = 0

    def fit(self, found: Expr, node: syntax.Node, wanted: Type, advice: str = "") -> Expr:
        """*found* as the wanted type; a mismatch is reported at *node*."""
        fitting = coerce(found, wanted)
        if fitting is None:
            verb = "are" if wanted is Type.STEPS else "is"
            message = f"{wanted} {verb} needed here, and this is {found.type}"
            self.scope.complain("wrong-type", node, message, advice or hint(found.type, wanted))
            return UNKNOWN
        return fitting

    def accept(self, found: Expr, node: syntax.Node) -> Expr:
        """*found*, unless it is too deep or too slow for play, or asks what is not known here."""
        measure = self.measures.of(found)
        if measure.cost > limits.PLAY_COST:
            self._complain_cost(found, node)
        elif measure.height > limits.HEIGHT:
            self._complain_height(node)
        elif measure.flags & cost.STUCK and not self.in_end and not self._open:
            message = "this asks for `stuck`, which is known only where an end is tested"
            self.scope.complain("misplaced", node, message, "use it after `when`")
        elif measure.flags & cost.STATE and self.stateless and not self._open:
            self.scope.complain("not-constant", node, f"{self.stateless} cannot look at a state")
        else:
            return found
        return UNKNOWN

    def _complain_cost(self, found: Expr, node: syntax.Node) -> None:
        """Report an expression that is too slow for play, with the part that makes it so."""
        steps = f"{limits.PLAY_COST // 10**6} million steps"
        message = f"this would take too long: more than {steps} at the worst"
        factor = largest(found, self.measures)
        told, advice = (f"; {factor.told}", factor.advice) if factor else ("", "")
        self.scope.complain("too-large", node, message + told, advice)

    def _complain_height(self, node: syntax.Node) -> None:
        if self._too_high:
            return
        self._too_high = True
        message = f"definitions and signs are nested deeper than {limits.HEIGHT} levels here"
        self.scope.complain("too-deep", node, message)

    def stand_on(self, board: Board) -> None:
        """Take *board* as the board; what was worked out for another one is dropped."""
        if board is not self.board:
            self.board = board
            self.forget()

    def forget(self) -> None:
        """Drop the definitions that were worked out."""
        self.functions.clear()
        self.measures.forget()
        self.measures.sites = self.board.count if self.board else 1
        self.measures.longest = cost.longest_line(self.board) if self.board else 1

    def constant(self, found: Expr, node: syntax.Node) -> m.Value | None:
        """The value of *found*, which must not depend on a position; reports it otherwise."""
        if is_unknown(found):
            return None
        if isinstance(found, Const):
            return found.value
        measure = self.measures.of(found)
        if measure.flags & cost.POSITION:
            message = "this must be known before the game begins, and it depends on the position"
            self.scope.complain("not-constant", node, message)
            return None
        if not self.board_known and measure.flags & cost.BOARD:
            return None
        if not self.affordable(measure, node, made_of=found):
            return None
        try:
            value: m.Value = evaluate(found, self.static_context())
        except Fault as fault:
            self.scope.complain("arithmetic", node, fault.message)
            return None
        return value

    def affordable(
        self,
        measure: cost.Measure,
        node: syntax.Node | None,
        times: int = 1,
        made_of: Expr | None = None,
    ) -> bool:
        """Whether so much work may be done now; reports it at *node* if not."""
        steps = measure.cost * times
        if measure.flags & cost.TABLE:
            steps *= 20 * self.measures.sites
        endless = measure.flags & cost.UNBOUNDED or steps > limits.STATIC_COST
        if not endless and self._spent + steps <= limits.STATIC_TOTAL:
            self._spent += steps
            return True
        if node is not None and self._spent <= limits.STATIC_TOTAL:
            message = f"this takes more than {limits.STATIC_COST:,} steps to work out"
            factor = made_of and largest(made_of, self.measures)
            advice = "a smaller board, or fewer variables, would make it fast"
            if factor:
                message, advice = f"{message}: {factor.told}", factor.advice
            if not endless:
                message = f"the constants of this file take more than {limits.STATIC_TOTAL:,} steps"
                self._spent = limits.STATIC_TOTAL + 1  # said once
            self.scope.complain("too-large", node, message, advice)
        return False

    def static_context(self) -> Context:
        """A context without a position."""
        board = self.board or _NO_BOARD
        return Context(board, tuple(self.functions), (), _NO_POSITION, 0, [])

    def within_budget(self, node: syntax.Node) -> bool:
        """Count one more part of the text read; false, and reported once, when it is too much."""
        self._resolved += 1
        if self._resolved == limits.RESOLVED:
            message = "too many definitions are used with too many types of arguments"
            self.scope.complain("too-large", node, message)
        return self._resolved < limits.RESOLVED

    def apply(self, operation: str, arguments: tuple[Expr, ...], node: syntax.Node) -> Expr:
        """An operation; whole-number arithmetic stays whole, constants are worked out."""
        if is_unknown(*arguments):
            return UNKNOWN
        signature = OPERATIONS[operation]
        gives = signature.gives
        if signature.reads == "board" and self.board is None:
            self._no_board(node)
            return UNKNOWN
        if (
            gives is Type.REAL
            and operation != "divide"
            and all(a.type is Type.INT for a in arguments)
        ):
            gives = Type.INT
        found = Apply(gives, operation, arguments, origin=self.scope.origin(node))
        fixed = signature.reads != "position" and gives is not Type.FAMILY
        if not fixed or not all(isinstance(a, Const) for a in arguments):
            return found
        value = self.constant(found, node)
        return UNKNOWN if value is None else Const(gives, value)

    def _no_board(self, node: syntax.Node) -> None:
        what = f"`{node.text}`" if isinstance(node, syntax.Name) else "this"
        message = f"{what} needs the board, and the board is made from what stands here"
        self.scope.complain("not-constant", node, message)


_NO_POSITION = Position((0, 0, 0), (), (), (), 0, 0, EMPTY)
_NO_BOARD = Board("square", 0, 0, 0, (), (), (), (), {}, ())
