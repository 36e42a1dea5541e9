"""Calls: definitions, steps and lists used as functions, built-ins, quantifiers; and rays."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from rulewright.errors import Fault
from rulewright.ground import limits
from rulewright.ground.printable import amount
from rulewright.language import syntax
from rulewright.language.diagnostics import did_you_mean
from rulewright.language.resolve import cost
from rulewright.language.resolve.name_lookup import (
    call_definition,
    complain_arguments,
    read_constant,
)
from rulewright.language.resolve.scope import (
    CONSTANTS,
    DEFAULTS,
    FUNCTIONS,
    LEAPS,
    QUANTIFIERS,
    STEP_NAMES,
    UNKNOWN,
    VALUES,
    YIELDING,
    Declared,
    Locals,
    Scope,
    is_unknown,
    names_used,
)
from rulewright.language.resolve.seats import list_of_first, read_over_players
from rulewright.language.resolve.states import read_entry
from rulewright.language.resolve.values import (
    NUMBERS,
    SETS,
    STEPS,
    apply,
    are_whole,
    as_whole,
    complain_no_board,
    constant_value,
    fit,
    is_affordable,
    read,
    read_all,
    read_as,
    static_context,
)
from rulewright.model import expressions as m
from rulewright.model.board import Board, Step
from rulewright.model.expressions import OPERATIONS, Const, Expr, Type
from rulewright.model.walk import nodes as walked
from rulewright.reference.evaluate import evaluate

_MEMBERS = {
    Type.SITE: Type.SITE, Type.SITES: Type.SITE, Type.FAMILY: Type.SITES, Type.STEP: Type.STEP,
    Type.STEPS: Type.STEP, Type.RANGE: Type.INT, Type.NUMBERS: Type.REAL, Type.KINDS: Type.KIND,
}  # fmt: skip
"""The type of a variable, by the type of what it runs over."""
_ITEMS = {Type.NUMBERS: "item", Type.KINDS: "kind_item"}
"""What looks up a member of a list by its number."""


def _signs(node: syntax.Many) -> set[str]:
    return {item.sign for item in node.items if isinstance(item, syntax.Binary)}


def _is_function(declared: Declared) -> bool:
    return declared.kind == "let" and any(let.parameters for let in declared.nodes)


def _is_table(scope: Scope, name: syntax.Name, frame: Locals) -> bool:
    declared = scope.declared.get(name.text)
    if name.text in frame.names or declared is None or declared.kind != "state":
        return False
    node: syntax.StateVariable = declared.nodes[0]
    return any(index.name is not None for index in node.indices)


def _binds(node: syntax.Expr) -> bool:
    return isinstance(node, syntax.Binary) and node.sign == "in"


def member_type(domain: Expr, functions: Sequence[m.Function] = ()) -> Type | None:
    """The type of a variable that runs over *domain*; None if nothing can."""
    whole = domain.type is Type.NUMBERS and are_whole(domain, functions)
    return Type.INT if whole else _MEMBERS.get(domain.type)


def read_call(scope: Scope, node: syntax.Call, frame: Locals) -> Expr:
    """Read a call: of a quantifier, a definition, a built-in function or a value."""
    name = node.name
    if name.text in QUANTIFIERS:
        return _read_quantifier(scope, node, frame)
    if node.body is not None:
        message = f"`{name.text}` takes no `:`"
        words = ", ".join(QUANTIFIERS)
        advice = did_you_mean(name.text, QUANTIFIERS) or f"a `:` stands in {words}"
        scope.complain("wrong-arguments", node, message, advice)
        _read_quantified(scope, node, frame, Type.UNKNOWN)
        return UNKNOWN
    declared = scope.declared.get(name.text)
    if name.text not in frame.names and declared is not None and _is_function(declared):
        arguments = tuple(read(scope, a, frame) for a in node.arguments)
        scope.use(name)
        return call_definition(scope, declared, arguments, node)
    if _is_table(scope, name, frame):
        return read_entry(scope, node, frame)
    is_given = name.text in YIELDING and (name.text in frame.names or declared is not None)
    if name.text in FUNCTIONS and not is_given:
        return _call_built_in(scope, node, frame)
    return _call_value(scope, node, frame)


# --- values and built-ins as functions ---


def _call_value(scope: Scope, node: syntax.Call, frame: Locals) -> Expr:
    name = node.name
    called = _read_callee(scope, name, frame)
    if called is None or is_unknown(called):
        read_all(scope, node.arguments, frame)
        return UNKNOWN
    if called.type in STEPS and len(node.arguments) == 2:
        return _call_ahead(scope, node, called, frame)
    if len(node.arguments) != 1:
        complain_arguments(scope, node, name.text, 1, len(node.arguments))
        read_all(scope, node.arguments, frame)
        return UNKNOWN
    argument = node.arguments[0]
    if called.type in STEPS:
        value = read(scope, argument, frame)
        if value.type in NUMBERS:
            value = fit(scope, value, argument, Type.INT)
            return apply(scope, "step_item", (called, value), node)
        return apply(scope, "step", (called, fit(scope, value, argument, Type.SITES)), node)
    if called.type is Type.LINK:
        sites = read_as(scope, argument, frame, Type.SITES)
        return apply(scope, "linked", (called, sites), node)
    if called.type in _ITEMS:
        index = read_as(scope, argument, frame, Type.INT)
        item = apply(scope, _ITEMS[called.type], (called, index), node)
        return as_whole(item, scope.functions) or item
    read_all(scope, node.arguments, frame)
    message = f"`{name.text}` is {called.type}, not a function"
    sets = called.type in SETS
    advice = "sets side by side have a blank between them: `own (a or b)`" if sets else ""
    scope.complain("wrong-arguments", node, message, advice)
    return UNKNOWN


def _call_ahead(scope: Scope, node: syntax.Call, steps: Expr, frame: Locals) -> Expr:
    """Read `D(A, N)`: each single step of D, taken N times from A."""
    sites = read_as(scope, node.arguments[0], frame, Type.SITES)
    number = read_as(scope, node.arguments[1], frame, Type.INT)
    if isinstance(number, Const) and isinstance(number.value, int) and number.value < 0:
        message = "a step is taken 0 times or more; the other way is `opposite`"
        scope.complain("out-of-range", node.arguments[1], message)
        return UNKNOWN
    return apply(scope, "ahead", (steps, sites, number), node)


def _read_callee(scope: Scope, name: syntax.Name, frame: Locals) -> Expr | None:
    tables = (frame.names, scope.declared, VALUES, CONSTANTS)
    if any(name.text in names for names in tables):
        return scope.readers[syntax.Name](scope, name, frame)
    functions = {n for n, d in scope.declared.items() if d.kind == "let"}
    candidates = {*functions, *FUNCTIONS, *QUANTIFIERS}
    scope.unknown(name, "function", {*candidates, *STEP_NAMES})
    return None


def _call_built_in(scope: Scope, node: syntax.Call, frame: Locals) -> Expr:
    name, operands = node.name.text, node.arguments
    takes = (Type.INT, Type.INT) if name in LEAPS else OPERATIONS[name].takes
    least = len(takes) - (name in DEFAULTS)
    if not least <= len(operands) <= len(takes):
        counts = least if least == len(takes) else (least, len(takes))
        complain_arguments(scope, node, name, counts, len(operands))
        read_all(scope, operands, frame)
        return UNKNOWN
    if name == "height" and not refuse_flat(scope, node):
        read_all(scope, operands, frame)
        return UNKNOWN
    if name in ("groups", "reach") and len(operands) == len(takes):
        return _call_connected(scope, node, frame)
    arguments = [read_as(scope, a, frame, t) for a, t in zip(operands, takes, strict=False)]
    if is_unknown(*arguments):
        return UNKNOWN
    if name in LEAPS:
        return _read_leap(scope, node, arguments)
    if len(operands) < len(takes):
        arguments.append(read_constant(scope, syntax.Name(DEFAULTS[name], span=node.span)))
    applied = apply(scope, name, tuple(arguments), node)
    _check_place(scope, node, applied)
    return applied


def refuse_flat(scope: Scope, node: syntax.Node) -> bool:
    """Whether the board has piles; reports it if not."""
    if not scope.board_known or scope.board is None or scope.board.stacked:
        return True
    message = "no pieces are piled up on this board: a site holds one piece or none"
    scope.complain("not-stacked", node, message, "`board ... stacked N` allows piles of N pieces")
    return False


def _call_connected(scope: Scope, node: syntax.Call, frame: Locals) -> Expr:
    *sets, way = node.arguments
    sites = [read_as(scope, a, frame, Type.SITES) for a in sets]
    along = read(scope, way, frame)
    if along.type is Type.LINK:
        return apply(scope, f"{node.name.text}_linked", (*sites, along), node)
    along = fit(scope, along, way, Type.STEPS)
    if node.name.text == "groups":
        _warn_one_way(scope, way, along)
    return apply(scope, node.name.text, (*sites, along), node)


def _warn_one_way(scope: Scope, node: syntax.Node, along: Expr) -> None:
    """Report steps of `groups` some of which do not lead back; neighbours count either way."""
    if scope.board is None or is_unknown(along):
        return
    step_sets = [_known_steps(scope, along, view) for view in scope.views]
    if any(set(scope.board.both_ways(steps)) - set(steps) for steps in step_sets):
        message = "some of these steps do not lead back; `groups` counts neighbours either way"
        advice = "`reach(A, B, D)` follows steps in one direction"
        scope.complain("one-way-groups", node, message, advice)


def _known_steps(scope: Scope, along: Expr, view: int) -> tuple[Step, ...]:
    """The steps as a player sees them; none where a position or a variable matters."""
    measure = scope.measures.of(along)
    free = any(isinstance(n, m.Local) for n in walked(along))
    if free or measure.flags & cost.POSITION or not is_affordable(scope, measure, None):
        return ()
    context = static_context(scope)
    context.view = view
    with suppress(Fault):
        return tuple(evaluate(along, context))
    return ()


def _read_leap(scope: Scope, node: syntax.Call, arguments: list[Expr]) -> Expr:
    name = node.name.text
    first, second = [constant_value(scope, a, node) for a in arguments]
    if scope.board is None:
        complain_no_board(scope, node)
        return UNKNOWN
    if not isinstance(first, int) or not isinstance(second, int) or not scope.shape_known:
        return UNKNOWN
    if not scope.board.is_square:
        message = f"`{name}` is for square boards, and this one is a {scope.board.shape}"
        scope.complain("no-direction", node, message)
        return UNKNOWN
    if scope.board.layers > 1:
        message = f"a board with a third extent has no `{name}`, only single steps"
        scope.complain("no-direction", node, message, "`north(east(A))` goes north and east")
        return UNKNOWN
    least, far = 0 if name == "leap" else -50, max(abs(first), abs(second))
    if not (least <= min(first, second) and 0 < far <= 50):
        scope.complain("out-of-range", node, f"a {name} goes 1 to 50 sites")
        return UNKNOWN
    number = len(scope.leaps)
    scope.leaps.add((min(abs(first), abs(second)), far))
    if len(scope.leaps) > limits.LEAPS:
        if number == limits.LEAPS:
            message = f"a file may use at most {limits.LEAPS} different leaps"
            scope.complain("too-large", node, message)
        return UNKNOWN
    steps = scope.board.leap(first, second) if name == "leap" else ((first, -second),)
    return Const(Type.STEPS, steps)


def _check_place(scope: Scope, node: syntax.Call, applied: Expr) -> None:
    """Report constant rows, columns, sites and lines that are not on the board."""
    name, board = node.name.text, scope.board
    if board is None or not scope.board_known:
        return
    if name == "lines" and isinstance(applied, m.Apply) and isinstance(applied.arguments[0], Const):
        length, most = applied.arguments[0].value, scope.measures.longest
        longer = isinstance(length, int) and length > most and scope.settings_given
        if isinstance(length, int) and not 1 <= length <= most and not longer:
            message = f"no line of this board has {amount(length, 'site')}; the longest has {most}"
            scope.complain("off-board", node, message)
    elif name in ("row", "column", "layer", "site") and applied == Const(Type.SITES, 0):
        shown = scope.text_of(node)
        message = f"`{shown}` is not on this board, which is {_extent(board)}"
        scope.complain("off-board", node, message)


def _extent(board: Board) -> str:
    if board.layers == 1:
        return f"{board.width} by {board.height}"
    return f"{board.lift - 1} by {board.height} by {board.layers}"


# --- quantifiers ---


def _read_quantifier(scope: Scope, node: syntax.Call, frame: Locals) -> Expr:
    name = node.name.text
    if node.body is None:
        return _read_without_body(scope, node, frame)
    body_type = Type.REAL if name in ("sum", "max", "min") else Type.TRUTH
    if (listed := list_of_first(scope, node, frame)) is not None:
        return read_over_players(scope, node, frame, listed, _read_quantifier)
    domains, slots, body = _read_quantified(scope, node, frame, body_type)
    if is_unknown(body, *domains) or len(slots) < len(domains):
        return UNKNOWN
    type_ = _quantified_type(scope, name, domains, body, node)
    if type_ is Type.UNKNOWN:
        return UNKNOWN
    origin = scope.origin(node)
    return m.Quantified(type_, name, slots, tuple(domains), body, origin=origin)


def _read_quantified(
    scope: Scope, node: syntax.Call, frame: Locals, body_type: Type
) -> tuple[list[Expr], tuple[int, ...], Expr]:
    """The domains of a quantifier, the places of its variables, and its body."""
    assert node.body is not None
    variables: list[syntax.Name] = []
    domains = [_bind(scope, argument, frame, variables) for argument in node.arguments]
    slots = tuple(frame.names[v.text].slot for v in variables)
    body: Expr = UNKNOWN
    if len(variables) == len(domains):
        body = read_as(scope, node.body, frame, body_type)
        _check_variables(scope, node, variables)
    for variable in variables:
        del frame.names[variable.text]
    return domains, slots, body


def _check_variables(scope: Scope, node: syntax.Call, variables: list[syntax.Name]) -> None:
    used = set(names_used(*node.arguments[1:], node.body)) | scope.mentioned
    for variable in variables:
        if variable.text not in used:
            message = f"the variable `{variable.text}` is never used"
            scope.complain("unused-name", variable, message)


def _read_without_body(scope: Scope, node: syntax.Call, frame: Locals) -> Expr:
    name = node.name.text
    if name == "count" and len(node.arguments) == 1:
        inner = node.arguments[0]
        if _binds(inner):
            advice = "`count X` counts a set, `count(x in X : condition)` a part of it"
            message = "`count` of a variable needs a `:` and a condition"
            scope.complain("wrong-arguments", node, message, advice)
            return UNKNOWN
        counted = syntax.Prefix("count", inner, span=node.span)
        return scope.readers[syntax.Prefix](scope, counted, frame)
    read_all(scope, tuple(a for a in node.arguments if not _binds(a)), frame)
    message = f"`{name}` needs a variable, a `:` and a condition or value behind it"
    scope.complain("wrong-arguments", node, message, f"`{name}(x in X : ...)`")
    return UNKNOWN


def _bind(scope: Scope, node: syntax.Expr, frame: Locals, variables: list[syntax.Name]) -> Expr:
    """Read `x in X`; add the variable to *frame* and to *variables*."""
    if not (isinstance(node, syntax.Binary) and node.sign == "in"):
        joined = isinstance(node, syntax.Many) and "in" in _signs(node)
        advice = "put the set in brackets: `x in (a or b)`" if joined else ""
        scope.complain("wrong-arguments", node, "a variable is given as `x in X`", advice)
        return UNKNOWN
    domain = read(scope, node.right, frame)
    if domain.type in (Type.KIND, Type.PLAYER):  # where a set is wanted they stand for one
        domain = fit(scope, domain, node.right, Type.SITES)
    if not isinstance(node.left, syntax.Name):
        scope.complain("wrong-arguments", node.left, "a variable is one name")
        return UNKNOWN
    member = member_type(domain, scope.functions)
    if member is None and not is_unknown(domain):
        message = f"a variable cannot run over {domain.type}"
        scope.complain("wrong-type", node.right, message)
    if scope.check_local(node.left, frame):
        frame.add(node.left, member or Type.UNKNOWN)
        variables.append(node.left)
    return UNKNOWN if member is None else domain


def _quantified_type(
    scope: Scope, name: str, domains: list[Expr], body: Expr, node: syntax.Call
) -> Type:
    match name:
        case "some" | "every":
            return Type.TRUTH
        case "count":
            return Type.INT
        case "sum" | "max" | "min":
            return body.type if body.type in NUMBERS else Type.UNKNOWN
    whole = domains[0].type
    if len(domains) > 1 or whole not in (Type.SITE, Type.SITES, Type.FAMILY):
        message = "`those` takes one variable, over a set of sites or a family"
        scope.complain("wrong-arguments", node, message)
        return Type.UNKNOWN
    return Type.FAMILY if whole is Type.FAMILY else Type.SITES


# --- rays ---


def read_ray(scope: Scope, node: syntax.Ray, frame: Locals) -> Expr:
    """Read a ray as a set: the sites it marks, or all it matches when nothing is marked."""
    marks: list[syntax.Marked] = []
    source, along, pattern = read_ray_parts(scope, node, frame, marks)
    if pattern is None or is_unknown(source, along):
        return UNKNOWN
    if not marks:
        pattern = m.Marked(0, pattern)
    origin = scope.origin(node)
    count = max(1, len(marks))
    return m.Ray(Type.SITES, source, along, pattern, count, origin=origin)


def read_ray_parts(
    scope: Scope, node: syntax.Ray, frame: Locals, marks: list[syntax.Marked]
) -> tuple[Expr, Expr, m.RayPattern | None]:
    """Read source, steps and pattern of a ray; append its marked parts to *marks* in order."""
    source = read_as(scope, node.origin, frame, Type.SITES)
    along = read_as(scope, node.along, frame, Type.STEPS)
    return source, along, _read_pattern(scope, node.pattern, frame, marks)


def _read_pattern(
    scope: Scope, node: syntax.RayPattern, frame: Locals, marks: list[syntax.Marked]
) -> m.RayPattern | None:
    match node:
        case syntax.Places():
            return _read_places(scope, node, frame)
        case syntax.Sequence() | syntax.Alternatives():
            items = [_read_pattern(scope, i, frame, marks) for i in node.items]
            parts = tuple(i for i in items if i is not None)
            if len(parts) < len(items):
                return None
            if isinstance(node, syntax.Sequence):
                return m.Sequence(parts)
            return m.Alternatives(parts)
        case syntax.Repeated():
            return _read_repeated(scope, node, frame, marks)
        case syntax.Marked():
            number = len(marks)
            marks.append(node)
            item = _read_pattern(scope, node.item, frame, marks)
            return None if item is None else m.Marked(number, item)


def _read_places(scope: Scope, node: syntax.Places, frame: Locals) -> m.RayPattern | None:
    sets = []
    for positive, name in node.items:
        sites = read_as(scope, name, frame, Type.SITES)
        sets.append(sites if positive else apply(scope, "complement", (sites,), name))
    if is_unknown(*sets):
        return None
    if len(sets) == 1:
        return m.OnSite(sets[0])
    return m.OnSite(apply(scope, "intersect", tuple(sets), node))


def _read_repeated(
    scope: Scope, node: syntax.Repeated, frame: Locals, marks: list[syntax.Marked]
) -> m.RayPattern | None:
    item = _read_pattern(scope, node.item, frame, marks)
    if node.times is not None:
        times = read_as(scope, node.times, frame, Type.INT)
        return None if item is None or is_unknown(times) else m.Repeated(item, times, times)
    if item is None:
        return None
    least, most = {"*": (0, None), "+": (1, None)}.get(node.sign, (0, Const(Type.INT, 1)))
    return m.Repeated(item, Const(Type.INT, least), most)
