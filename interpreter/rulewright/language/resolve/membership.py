"""`A in B`: sites in a set, a number in a range, and whatever lists hold in a list.

In: both sides as expressions of the model.  Out: a truth.  A question about a list is put as
comparisons with its members, so nothing behind `resolve` knows of it.
"""

from __future__ import annotations

from rulewright.language import syntax
from rulewright.language.resolve.calls import member_type
from rulewright.language.resolve.scope import UNKNOWN, Locals, Scope, is_unknown
from rulewright.language.resolve.values import NUMBERS, SETS, STEPS, apply, fit
from rulewright.model import expressions as m
from rulewright.model.board import bits
from rulewright.model.expressions import Apply, Const, Expr, Type

_EDGED = ("step", "linked", "ends")
"""What may lead from a site to nothing."""


def read_membership(
    scope: Scope, node: syntax.Binary, frame: Locals, left: Expr, right: Expr
) -> Expr:
    """Read `left in right`; report sides that do not fit."""
    if is_unknown(left):
        return UNKNOWN
    if right.type is Type.RANGE:
        return _in_range(scope, node, left, right)
    players = _listed_players(scope, right) if left.type is Type.PLAYER else ()
    if players:
        return _any_of([apply(scope, "equal", (left, player), node) for player in players])
    if right.type in (Type.NUMBERS, Type.KINDS, *STEPS):
        return _in_list(scope, node, frame, left, right)
    if left.type in NUMBERS:
        fit(scope, right, node.right, Type.RANGE)
        return UNKNOWN
    return _in_set(scope, node, left, right)


def _in_range(scope: Scope, node: syntax.Binary, left: Expr, right: Expr) -> Expr:
    if not isinstance(right, Apply | Const):
        fit(scope, left, node.left, Type.INT)
        return UNKNOWN
    number = fit(scope, left, node.left, Type.REAL)
    return apply(scope, "between", (number, *_range_ends(right)), node)


def _range_ends(interval: Apply | Const) -> tuple[Expr, Expr]:
    if isinstance(interval, Apply):
        return interval.arguments[0], interval.arguments[1]
    assert isinstance(interval.value, tuple)
    low, high = interval.value
    return Const(Type.INT, low), Const(Type.INT, high)


# --- lists ---


def _in_list(scope: Scope, node: syntax.Binary, frame: Locals, left: Expr, right: Expr) -> Expr:
    """Ask whether a kind, a number or a single step is among those of a list."""
    fitting = {Type.NUMBERS: NUMBERS, Type.KINDS: {Type.KIND}}.get(right.type, {Type.STEP})
    if left.type not in fitting:
        _complain_unlisted(scope, node, left, right)
        return UNKNOWN
    return _among(scope, node, frame, left, right)


def _among(scope: Scope, node: syntax.Binary, frame: Locals, left: Expr, right: Expr) -> Expr:
    """Compare with each member that the text names; else with each that there is in play."""
    match right:
        case Apply(operation="numbers" | "kinds" | "join_steps", arguments=parts):
            return _any_of([_among(scope, node, frame, left, part) for part in parts])
        case Const(value=tuple() as values) if isinstance(left, m.Local | Const):
            type_ = member_type(right) or Type.UNKNOWN
            if type_ is Type.STEP:  # a single step is a tuple as well
                values = tuple((value,) for value in values)
            members = [Const(type_, value) for value in values]
            return _any_of([apply(scope, "equal", (left, member), node) for member in members])
    if right.type in (*NUMBERS, Type.KIND, Type.STEP):
        return apply(scope, "equal", (left, right), node)
    return _some_member(scope, node, frame, left, right)


def _some_member(scope: Scope, node: syntax.Binary, frame: Locals, left: Expr, right: Expr) -> Expr:
    """Build `some(x in right : left = x)`, with a variable that has no name."""
    type_ = member_type(right, scope.functions) or Type.UNKNOWN
    member = frame.add(syntax.Name("", span=node.span), type_)
    del frame.names[""]
    same = apply(scope, "equal", (left, member), node)
    origin = scope.origin(node)
    return m.Quantified(Type.TRUTH, "some", (member.slot,), (right,), same, origin=origin)


def _any_of(truths: list[Expr]) -> Expr:
    return truths[0] if len(truths) == 1 else m.Logic(Type.TRUTH, False, tuple(truths))


def _complain_unlisted(scope: Scope, node: syntax.Binary, left: Expr, right: Expr) -> None:
    """Report something in a list that holds other things."""
    message = f"{left.type} cannot be in {right.type}"
    advice = ""
    if right.type is Type.KINDS and left.type in SETS:
        advice = "which pieces stand on sites is asked with a set: `a in (queen or rook)`"
    elif left.type is Type.STEPS and right.type in STEPS:
        message = "a list is asked for a single step, and these are several"
        advice = "ask for each: `every(d in D : d in [north, east])`"
    scope.complain("wrong-type", node.left, message, advice)


def _listed_players(scope: Scope, right: Expr) -> tuple[Expr, ...]:
    """The players of a list that holds nothing else; their sites would be a family."""
    match right:
        case Apply(operation="family", arguments=sets):
            owners = (s.arguments for s in sets if isinstance(s, Apply) and s.operation == "owned")
            players = tuple(player for (player,) in owners)
            return players if len(players) == len(sets) else ()
        case m.CallFunction(_, number, ()):
            bodies = scope.functions[number].bodies
            return _listed_players(scope, bodies[0]) if len(bodies) == 1 else ()
    return ()


# --- sets ---


def _in_set(scope: Scope, node: syntax.Binary, left: Expr, right: Expr) -> Expr:
    sites = fit(scope, left, node.left, Type.SITES), fit(scope, right, node.right, Type.SITES)
    if isinstance(left, Apply) and left.operation in _EDGED and not _always_leads(scope, left):
        message = "this set can be empty (at the border, say), and then `in` is false"
        advice = "say what must not be there: `no south(a) empty`"
        scope.complain("empty-in", node.left, message, advice)
    elif left.type is Type.KIND and not isinstance(left, Const) and _holds_kinds(right):
        message = "this asks where the pieces of a kind stand, and is false where there are none"
        scope.complain("empty-in", node.left, message, "which kind it is: `k in [queen, rook]`")
    return apply(scope, "inside", sites, node)


def _holds_kinds(sites: Expr) -> bool:
    """Whether a set is that of all pieces of some kinds."""
    match sites:
        case Apply(operation="unite", arguments=parts):
            return all(_holds_kinds(part) for part in parts)
        case Apply(operation="of_kind"):
            return True
    return sites.type is Type.KIND


def _always_leads(scope: Scope, steps: Apply) -> bool:
    """Whether a step of several leads somewhere from the one site, wherever that is."""
    if steps.operation != "step" or scope.board is None:
        return False
    ways, sites = steps.arguments
    if sites.type is not Type.SITE or not isinstance(ways, Const) or ways.type is not Type.STEPS:
        return False
    targets = [scope.board.targets(way) for way in ways.steps]
    return all(any(row[site] for row in targets) for site in bits(scope.board.sites))
