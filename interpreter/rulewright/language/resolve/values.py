"""Values of expressions: their types, what is known before the game begins, and what is accepted.

In: syntax, read through the scope's readers, and expressions of the model.  Out: expressions of the
type that is wanted, and the values of those that need no position.  What is too deep, too slow,
known too late or of the wrong type is reported, and `UNKNOWN` takes its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import evolve

from rulewright.errors import Fault
from rulewright.ground import limits
from rulewright.language import syntax
from rulewright.language.resolve import cost
from rulewright.language.resolve.cost import largest
from rulewright.language.resolve.scope import UNKNOWN, Locals, Scope, is_unknown
from rulewright.model import expressions as m
from rulewright.model.board import Board
from rulewright.model.expressions import OPERATIONS, Apply, Const, Expr, Function, Type
from rulewright.model.rules import EMPTY
from rulewright.reference.evaluate import evaluate
from rulewright.reference.position import Context, Position

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


def coerce(expression: Expr, type_: Type) -> Expr | None:
    """*expression* as a value of the wanted type, or None if it cannot be one."""
    have = expression.type
    if have is Type.UNKNOWN or type_ is Type.UNKNOWN or have is type_:
        return expression
    match type_:
        case Type.REAL if have is Type.INT:
            return expression
        case Type.INT:
            return as_whole(expression)
        case Type.STEPS if have is Type.STEP:
            return expression
        case Type.SITES:
            return _as_sites(expression)
    return None


def as_whole(expression: Expr, functions: Sequence[Function] = ()) -> Expr | None:
    """A number of a list as a whole number, where the list holds whole numbers alone, else None."""
    match expression:
        case Apply(operation="item", arguments=(numbers, _)) if are_whole(numbers, functions):
            return evolve(expression, type=Type.INT)
    return None


def are_whole(numbers: Expr, functions: Sequence[Function] = ()) -> bool:
    """Whether a list holds whole numbers alone; *functions* are those of the file it stands in."""
    match numbers:
        case Const(value=tuple(values)):
            return all(isinstance(n, int) for n in values)
        case Apply(operation="numbers", arguments=items):
            return all(item.type is Type.INT for item in items)
        case m.CallFunction(_, number) if functions:
            return all(are_whole(body, functions) for body in functions[number].bodies)
        case m.Viewed():
            return are_whole(numbers.body, functions)
    return False


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


def hint(have: Type, type_: Type) -> str:
    """What to write instead, where that is clear."""
    return _HINTS.get((have, type_), "")


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


# --- reading ---


def read(scope: Scope, node: syntax.Expr, frame: Locals) -> Expr:
    """Read *node* as an expression of whatever type it has."""
    effort = scope.effort
    if effort.level > limits.HEIGHT or not within_budget(scope, node):
        if effort.level > limits.HEIGHT:
            _complain_height(scope, node)
        return UNKNOWN
    effort.level += 1
    expression = scope.readers[type(node)](scope, node, frame)
    effort.level -= 1
    return expression


def read_all(scope: Scope, nodes: Iterable[syntax.Expr], frame: Locals) -> None:
    """Read *nodes* for their own mistakes; what they are part of is already reported."""
    for node in nodes:
        read(scope, node, frame)


def read_as(scope: Scope, node: syntax.Expr, frame: Locals, type_: Type) -> Expr:
    """Read *node* as a value of the wanted type; report a mismatch."""
    return fit(scope, read(scope, node, frame), node, type_)


def read_closed(scope: Scope, node: syntax.Expr, type_: Type) -> Expr:
    """Read an expression outside any body; give its variables a frame of their own."""
    frame = Locals()
    return enclose(scope, read_as(scope, node, frame, type_), frame, node)


def enclose(scope: Scope, expression: Expr, frame: Locals, node: syntax.Node) -> Expr:
    """Accept *expression*, with a frame for the variables it needs."""
    expression = accept(scope, expression, node)
    if frame.size == 0:
        return expression
    scope.functions.append(Function("", 0, frame.size, (expression,), scope.origin(node)))
    return m.CallFunction(expression.type, len(scope.functions) - 1, ())


def read_number(scope: Scope, node: syntax.Expr, frame: Locals | None = None) -> int | None:
    """Read a whole number that is known before the game begins; None where it is not."""
    inner = frame or Locals()
    expression = enclose(scope, read_as(scope, node, inner, Type.INT), inner, node)
    value = constant_value(scope, expression, node)
    return value if isinstance(value, int) else None


# --- what is accepted ---


def fit(scope: Scope, expression: Expr, node: syntax.Node, type_: Type, advice: str = "") -> Expr:
    """Make *expression* a value of the wanted type; report a mismatch at *node*."""
    fitting = coerce(expression, type_)
    if fitting is None:
        message = f"{type_} is needed here, and this is {expression.type}"
        if type_ is Type.STEPS:
            message = f"steps are needed here, and this is {expression.type}"
        scope.complain("wrong-type", node, message, advice or hint(expression.type, type_))
        return UNKNOWN
    return fitting


def as_storable(scope: Scope, expression: Expr, node: syntax.Node) -> Expr:
    """Refuse a player or a kind of piece, of which a state could keep only the sites."""
    if expression.type not in (Type.KIND, Type.PLAYER):
        return expression
    text = scope.text_of(node)
    held = "a player" if expression.type is Type.PLAYER else "a kind of piece"
    message = f"`{text}` is {held}, and a state holds a number, a truth or a set of sites"
    advice = f"`sites {text}` is the set of its pieces"
    if expression.type is Type.PLAYER:
        advice += "; keep a player as a truth: `mover = red`"
    scope.complain("wrong-type", node, message, advice)
    return UNKNOWN


def accept(scope: Scope, expression: Expr, node: syntax.Node) -> Expr:
    """Refuse what is too deep or too slow for play, or asks what is not known here."""
    measure = scope.measures.of(expression)
    if scope.measures.steps(measure) > limits.PLAY_COST:
        _complain_cost(scope, expression, node)
    elif measure.height > limits.HEIGHT:
        _complain_height(scope, node)
    elif measure.flags & cost.STUCK and not scope.in_end and not scope.resolving:
        message = "this asks for `stuck`, which is known only where an end is tested"
        scope.complain("misplaced", node, message, "use it after `when`")
    elif measure.flags & cost.STATE and scope.stateless and not scope.resolving:
        scope.complain("not-constant", node, f"{scope.stateless} cannot look at a state")
    else:
        return expression
    return UNKNOWN


def _complain_cost(scope: Scope, expression: Expr, node: syntax.Node) -> None:
    """Report an expression that is too slow for play, with the part that makes it so."""
    steps = f"{limits.PLAY_COST // 10**6} million steps"
    message = f"this would take too long: more than {steps} at the worst"
    factor = largest(expression, scope.measures)
    if factor is None:
        scope.complain("too-large", node, message)
    else:
        scope.complain("too-large", node, f"{message}; {factor.text}", factor.advice)


def _complain_height(scope: Scope, node: syntax.Node) -> None:
    if scope.effort.is_too_deep:
        return
    scope.effort.is_too_deep = True
    message = f"definitions and signs are nested deeper than {limits.HEIGHT} levels here"
    scope.complain("too-deep", node, message)


def constant_value(scope: Scope, expression: Expr, node: syntax.Node) -> m.Value | None:
    """Work out *expression* without a position; report why that cannot be done."""
    if is_unknown(expression):
        return None
    if isinstance(expression, Const):
        return expression.value
    measure = scope.measures.of(expression)
    if measure.flags & cost.POSITION:
        message = "this must be known before the game begins, and it depends on the position"
        scope.complain("not-constant", node, message)
        return None
    if not scope.board_known and measure.flags & cost.BOARD:
        return None
    if not is_affordable(scope, measure, node, made_of=expression):
        return None
    try:
        value: m.Value = evaluate(expression, static_context(scope))
    except Fault as fault:
        scope.complain("arithmetic", node, fault.message)
        return None
    return value


def is_affordable(
    scope: Scope,
    measure: cost.Measure,
    node: syntax.Node | None,
    times: int = 1,
    made_of: Expr | None = None,
) -> bool:
    """Whether so much work may be done now; report at *node* that it may not."""
    steps = scope.measures.steps(measure) * times
    if measure.flags & cost.TABLE:
        steps *= 20 * scope.measures.sites
    endless = measure.flags & cost.UNBOUNDED or steps > limits.STATIC_COST
    if not endless and scope.effort.steps + steps <= limits.STATIC_TOTAL:
        scope.effort.steps += steps
        return True
    if node is not None and scope.effort.steps <= limits.STATIC_TOTAL:
        message = f"this takes more than {limits.STATIC_COST:,} steps to work out"
        factor = made_of and largest(made_of, scope.measures)
        advice = "a smaller board, or fewer variables, would make it fast"
        if factor:
            message, advice = f"{message}: {factor.text}", factor.advice
        if not endless:
            message = f"the constants of this file take more than {limits.STATIC_TOTAL:,} steps"
            scope.effort.steps = limits.STATIC_TOTAL + 1  # said once
        scope.complain("too-large", node, message, advice)
    return False


def static_context(scope: Scope) -> Context:
    """What an expression is evaluated in where there is no position."""
    board = scope.board or _NO_BOARD
    return Context(board, tuple(scope.functions), (), _NO_POSITION, 0, [])


def within_budget(scope: Scope, node: syntax.Node) -> bool:
    """Count one more part of the text; false, and reported once, when there are too many."""
    scope.effort.nodes += 1
    if scope.effort.nodes == limits.RESOLVED:
        message = "too many definitions are used with too many types of arguments"
        scope.complain("too-large", node, message)
    return scope.effort.nodes < limits.RESOLVED


def apply(scope: Scope, operation: str, arguments: tuple[Expr, ...], node: syntax.Node) -> Expr:
    """Apply an operation; whole numbers stay whole, and constants are worked out."""
    if is_unknown(*arguments):
        return UNKNOWN
    signature = OPERATIONS[operation]
    gives = signature.gives
    if signature.reads == "board" and scope.board is None:
        complain_no_board(scope, node)
        return UNKNOWN
    if gives is Type.REAL and operation != "divide" and all(a.type is Type.INT for a in arguments):
        gives = Type.INT
    expression = Apply(gives, operation, arguments, origin=scope.origin(node))
    fixed = signature.reads != "position" and gives is not Type.FAMILY
    if not fixed or not all(isinstance(a, Const) for a in arguments):
        return expression
    value = constant_value(scope, expression, node)
    return UNKNOWN if value is None else Const(gives, value)


def complain_no_board(scope: Scope, node: syntax.Node) -> None:
    """Report that something needs the board before there is one."""
    what = f"`{node.text}`" if isinstance(node, syntax.Name) else "this"
    message = f"{what} needs the board, and the board is made from what stands here"
    scope.complain("not-constant", node, message)


_NO_POSITION = Position((0, 0, 0), (), (), (), 0, 0, EMPTY)
_NO_BOARD = Board("square", 0, 0, 0, (), (), (), (), {}, ())
