"""Expressions and texts: every name and sign gets its meaning and its type.

In: a syntax expression and the local names.  Out: an expression of the model, or a notation.  A
mistake is reported once and replaced by a value of unknown type, which fits everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from rulewright.ground import limits
from rulewright.language import syntax
from rulewright.language.diagnostics import nearest
from rulewright.language.resolve.calls import read_call, read_ray
from rulewright.language.resolve.membership import read_membership
from rulewright.language.resolve.name_lookup import call_single, read_name, read_player
from rulewright.language.resolve.scope import UNKNOWN, VALUES, Locals, Reader, Scope, is_unknown
from rulewright.language.resolve.values import (
    NUMBERS,
    SETS,
    STEPS,
    apply,
    common,
    fit,
    hint,
    read,
    read_as,
)
from rulewright.model import expressions as m
from rulewright.model.expressions import Apply, Const, Expr, Type

_ARITHMETIC = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide"}
_WHOLE = {"div": "div", "mod": "mod"}
_COMPARE = {
    "<": ("less", False), "<=": ("less_equal", False),
    ">": ("less", True), ">=": ("less_equal", True),
}  # fmt: skip


# --- signs ---


def _read_literal(scope: Scope, node: syntax.Number, frame: Locals) -> Expr:
    if node.value >= limits.NUMBER:
        message = "this number is too large: it needs more than 62 bits"
        scope.complain("out-of-range", node, message)
        return UNKNOWN
    return Const(Type.INT if isinstance(node.value, int) else Type.REAL, node.value)


def _apply_prefix(scope: Scope, node: syntax.Prefix, frame: Locals) -> Expr:
    operand = read(scope, node.operand, frame)
    if is_unknown(operand):
        return UNKNOWN
    match node.sign:
        case "-":
            return apply(scope, "negate", (fit(scope, operand, node.operand, Type.REAL),), node)
        case "count" if operand.type is Type.FAMILY:
            return apply(scope, "members", (operand,), node)
        case "count":
            return apply(scope, "count", (fit(scope, operand, node.operand, Type.SITES),), node)
        case "not" if operand.type in SETS:
            sites = fit(scope, operand, node.operand, Type.SITES)
            return apply(scope, "complement", (sites,), node)
        case "not":
            return apply(scope, "not", (fit(scope, operand, node.operand, Type.TRUTH),), node)
    some = apply(scope, "any", (fit(scope, operand, node.operand, Type.SITES),), node)
    return some if node.sign == "any" else apply(scope, "not", (some,), node)


def _read_binary(scope: Scope, node: syntax.Binary, frame: Locals) -> Expr:
    sign = node.sign
    if sign in _ARITHMETIC or sign in _WHOLE:
        type_ = Type.INT if sign in _WHOLE else Type.REAL
        left = read_as(scope, node.left, frame, type_)
        right = read_as(scope, node.right, frame, type_)
        return apply(scope, _ARITHMETIC.get(sign) or _WHOLE[sign], (left, right), node)
    if sign in _COMPARE:
        operation, turned = _COMPARE[sign]
        left = read_as(scope, node.left, frame, Type.REAL)
        right = read_as(scope, node.right, frame, Type.REAL)
        return apply(scope, operation, (right, left) if turned else (left, right), node)
    if sign == "meets":
        left = read_as(scope, node.left, frame, Type.SITES)
        return apply(scope, "meets", (left, read_as(scope, node.right, frame, Type.SITES)), node)
    left, right = read(scope, node.left, frame), read(scope, node.right, frame)
    if sign == "in" and not is_unknown(right):
        return read_membership(scope, node, frame, left, right)
    if is_unknown(left, right):
        return UNKNOWN
    same = _read_equality(scope, node, left, right)
    return same if sign == "=" else apply(scope, "not", (same,), node)


def _read_equality(scope: Scope, node: syntax.Binary, left: Expr, right: Expr) -> Expr:
    types = {left.type, right.type}
    shared = common(left.type, right.type)
    if shared is None or shared in (Type.FAMILY, Type.TEXT, Type.RANGE, Type.LINK):
        message = f"{left.type} cannot be compared with {right.type}"
        advice = hint(left.type, right.type) or hint(right.type, left.type)
        if right.type in (Type.KINDS, Type.NUMBERS):
            advice = "whether it is in a list is asked with `in`: `k in [queen, rook]`"
        scope.complain("wrong-type", node, message, advice)
        return UNKNOWN
    if _are_unlike(left, right) or _are_unlike(right, left):
        kind = "player" if Type.PLAYER in types else "kind"
        message = f"a {kind} is compared with a set of sites here, as the set of its pieces"
        advice = f"compare {kind}s with each other; of sites, write `in`: `b in king`"
        scope.complain("wrong-type", node, message, advice)
        return UNKNOWN
    if shared in SETS and shared not in (Type.KIND, Type.PLAYER):
        left = fit(scope, left, node.left, Type.SITES)
        right = fit(scope, right, node.right, Type.SITES)
    return apply(scope, "equal", (left, right), node)


def _are_unlike(compared: Expr, other: Expr) -> bool:
    """Whether the sites of a player or a kind are compared, where something else is meant.

    A set of own pieces may be those of a player; a site, or what a state holds, hardly is; and
    `mover` is who is to move.
    """
    if compared.type not in (Type.KIND, Type.PLAYER):
        return False
    if other.type is Type.SITE or isinstance(other, m.StateValue):
        return True
    return (
        other.type is Type.SITES
        and not isinstance(compared, Const)
        and compared.type is Type.PLAYER
    )


def _read_joined(scope: Scope, node: syntax.Many, frame: Locals) -> Expr:
    items = [read(scope, item, frame) for item in node.items]
    types = [item.type for item in items if not is_unknown(item)]
    if not types:
        return UNKNOWN
    if node.sign == "&":
        return _read_adjoined(scope, node, items)
    if types[0] in STEPS and node.sign == "or":
        parts = _fit_all(scope, items, node.items, Type.STEPS)
        return apply(scope, "join_steps", parts, node)
    if types[0] in SETS:
        sets = _fit_all(scope, items, node.items, Type.SITES)
        return apply(scope, "unite" if node.sign == "or" else "intersect", sets, node)
    truths = _as_truths(scope, node, items)
    _warn_or(scope, node)
    return UNKNOWN if is_unknown(*truths) else m.Logic(Type.TRUTH, node.sign == "and", truths)


def _fit_all(
    scope: Scope, items: Sequence[Expr], nodes: Sequence[syntax.Expr], type_: Type
) -> tuple[Expr, ...]:
    return tuple(fit(scope, i, n, type_) for i, n in zip(items, nodes, strict=True))


def _as_truths(scope: Scope, node: syntax.Many, items: list[Expr]) -> tuple[Expr, ...]:
    """Make the items truths; `a in king or man` is read as `(a in king) or man`."""
    truths, advice = [], ""
    for item, part in zip(items, node.items, strict=True):
        truths.append(fit(scope, item, part, Type.TRUTH, advice if item.type in SETS else ""))
        if isinstance(part, syntax.Binary) and part.sign in ("in", "meets", "="):
            advice = f"put sets in brackets: `... {part.sign} (A {node.sign} B)`"
            if _asks_of_kind(item):
                advice = "a kind is among several where a list holds it: `k in [queen, rook]`"
    return tuple(truths)


def _warn_or(scope: Scope, node: syntax.Many) -> None:
    """Report `A and no S or B in S`: the last two are one question, and `and` joins first."""
    for left, right in pairwise(node.items if node.sign == "or" else ()):
        last = left.items[-1] if isinstance(left, syntax.Many) and left.sign == "and" else None
        if not isinstance(last, syntax.Prefix) or not isinstance(right, syntax.Binary):
            continue
        if last.sign == "no" and right.right == last.operand:
            message = "`and` joins before `or`, so this alone is enough"
            both = f"{scope.text_of(last)} or {scope.text_of(right)}"
            advice = f"write brackets: `({both})`, or around what belongs together"
            scope.complain("unbracketed-or", right, message, advice)


def _asks_of_kind(truth: Expr) -> bool:
    """Whether a comparison has a kind that is not known before play on its left."""
    match truth:
        case Apply(operation="equal", arguments=(left, _)):
            return left.type is Type.KIND and not isinstance(left, Const)
        case Apply(
            operation="inside", arguments=(Apply(operation="of_kind", arguments=(kind,)), _)
        ):
            return not isinstance(kind, Const)
    return False


def _read_adjoined(scope: Scope, node: syntax.Many, items: list[Expr]) -> Expr:
    for item, part in zip(items, node.items, strict=True):
        if item.type not in SETS and not is_unknown(item):
            message = f"only sets stand side by side, and this is {item.type}"
            advice = "join truths with `and`" if item.type is Type.TRUTH else ""
            advice = advice or hint(item.type, Type.SITES)
            scope.complain("wrong-type", part, message, advice)
            return UNKNOWN
    _warn_apart(scope, node, items)
    return apply(scope, "intersect", _fit_all(scope, items, node.items, Type.SITES), node)


def _warn_apart(scope: Scope, node: syntax.Many, items: list[Expr]) -> None:
    fixed = [i for i in items if isinstance(i, Const)]
    kinds = {i.value for i in fixed if i.type is Type.KIND}
    players = {i.value for i in fixed if i.type is Type.PLAYER}
    sides = {i.operation for i in items if isinstance(i, Apply) and not i.arguments}
    sites = {i.value for i in fixed if i.type is Type.SITE}
    several = max(len(kinds), len(players), len(sites)) > 1
    if several or {"own", "enemy"} <= sides or {"empty", "full"} <= sides:
        message = "these sets have no site in common, so this is always empty"
        scope.complain("always-empty", node, message, "`or` unites sets")
    names = [n.text for n in node.items if isinstance(n, syntax.Name)]
    twice = next((n for n in names if names.count(n) > 1), None)
    if twice:
        message = f"`{twice}` stands here twice, which changes nothing"
        scope.complain("same-twice", node, message)


def _read_conditional(scope: Scope, node: syntax.Conditional, frame: Locals) -> Expr:
    condition = read_as(scope, node.condition, frame, Type.TRUTH)
    then, other = read(scope, node.then, frame), read(scope, node.otherwise, frame)
    if is_unknown(condition, then, other):
        return UNKNOWN
    shared = common(then.type, other.type)
    if shared is None:
        message = f"the two sides differ: {then.type} and {other.type}"
        scope.complain("wrong-type", node, message)
        return UNKNOWN
    then = fit(scope, then, node.then, shared)
    other = fit(scope, other, node.otherwise, shared)
    return m.Conditional(shared, condition, then, other)


def _read_viewed(scope: Scope, node: syntax.Viewed, frame: Locals) -> Expr:
    if node.player.text in scope.absent:
        return _read_of_absent(scope, node)
    player = read_player(scope, node.player)
    viewed = read(scope, node.operand, frame)
    if player is None or is_unknown(viewed):
        return UNKNOWN
    _check_view(scope, node)
    return viewed if player == -1 else m.Viewed(viewed.type, player, viewed)


def _read_of_absent(scope: Scope, node: syntax.Viewed) -> Expr:
    """Read a definition of a player who does not play with these options."""
    name = node.operand.text if isinstance(node.operand, syntax.Name) else ""
    declared = scope.declared.get(name)
    for let in declared.nodes if declared and declared.kind == "let" else ():
        if let.player is not None and let.player.text == node.player.text and not let.parameters:
            scope.use(let.name)
            return call_single(scope, let, node)
    message = f"{node.player.text} does not play with these options"
    advice = f"a definition for such a player can be used: `home for {node.player.text}`"
    scope.complain("which-players", node.player, message, advice)
    return UNKNOWN


def _check_view(scope: Scope, node: syntax.Viewed) -> None:
    """Report `for` behind a name that looks the same to every player."""
    if not isinstance(node.operand, syntax.Name):
        return
    name, player = node.operand.text, node.player.text
    declared = scope.declared.get(name)
    kind = declared.kind if declared else ""
    if player in scope.bound_players:
        player = "PLAYER"
    if kind in ("let", "state", "path", "table") or name in (*VALUES, "mover", *scope.own_words):
        return
    advice = f"to give it to one player, write `let NAME for {player} = {name}`"
    if kind == "kind of piece":
        advice = f"the pieces of one player are `own {name} for {player}`"
    message = f"`{name}` is the same for both players, so `for` changes nothing"
    scope.complain("same-for-both", node, message, advice)


def _read_list(scope: Scope, node: syntax.ListOf, frame: Locals) -> Expr:
    items = [read(scope, item, frame) for item in node.items]
    if is_unknown(*items):
        return UNKNOWN
    types = {item.type for item in items}
    if types <= NUMBERS:
        return apply(scope, "numbers", tuple(items), node)
    if types == {Type.KIND}:
        return apply(scope, "kinds", tuple(items), node)
    if types <= STEPS:
        return apply(scope, "join_steps", tuple(items), node)
    if Type.TRUTH in types:
        message = "a list holds numbers, kinds, steps or sets, and no truths"
        scope.complain("wrong-type", node, message, "`choose n in 0..1`, and `n = 1` is a truth")
        return UNKNOWN
    sets = _fit_all(scope, items, node.items, Type.SITES)
    return apply(scope, "family", sets, node)


def _read_interval(scope: Scope, node: syntax.Interval, frame: Locals) -> Expr:
    low = read_as(scope, node.low, frame, Type.INT)
    high = read_as(scope, node.high, frame, Type.INT)
    return apply(scope, "range", (low, high), node)


def _read_bracketed(scope: Scope, node: syntax.Bracketed, frame: Locals) -> Expr:
    return read(scope, node.inner, frame)


def _refuse_text(scope: Scope, node: syntax.Text, frame: Locals) -> Expr:
    message = "a text can stand only after `write`, `label` and in `pieces`"
    scope.complain("wrong-type", node, message)
    return UNKNOWN


READERS: Mapping[type[syntax.Node], Reader] = {
    syntax.Name: read_name,
    syntax.Number: _read_literal,
    syntax.Call: read_call,
    syntax.Prefix: _apply_prefix,
    syntax.Binary: _read_binary,
    syntax.Many: _read_joined,
    syntax.Conditional: _read_conditional,
    syntax.Viewed: _read_viewed,
    syntax.Interval: _read_interval,
    syntax.Bracketed: _read_bracketed,
    syntax.ListOf: _read_list,
    syntax.Ray: read_ray,
    syntax.Text: _refuse_text,
}
"""What reads each kind of expression."""


# --- texts: a hole may hold anything that can be shown ---


def refuse_blanks(scope: Scope, text: syntax.Expr) -> None:
    """Report a notation that could not be told from two moves."""
    match text:
        case syntax.Text(parts):
            if any(isinstance(part, str) and " " in part for part in parts):
                message = "blanks part the moves of a game, so no move can have one"
                scope.complain("notation", text, message)
        case syntax.Conditional(then, _, otherwise):
            refuse_blanks(scope, then)
            refuse_blanks(scope, otherwise)


def read_notation(scope: Scope, node: syntax.Expr, frame: Locals) -> m.Notation | None:
    """Read a text with holes, or a choice between two; None where one is wrong."""
    match node:
        case syntax.Text(parts):
            shown: list[str | Expr] = []
            for part in parts:
                shown.append(part if isinstance(part, str) else _read_hole(scope, part, frame))
            if any(not isinstance(p, str) and is_unknown(p) for p in shown):
                return None
            return m.Text(tuple(shown))
        case syntax.Conditional(then, condition, otherwise):
            tested = read_as(scope, condition, frame, Type.TRUTH)
            texts = [read_notation(scope, text, frame) for text in (then, otherwise)]
            if texts[0] is None or texts[1] is None or is_unknown(tested):
                return None
            return m.TextChoice(tested, texts[0], texts[1])
        case syntax.Bracketed(inner):
            return read_notation(scope, inner, frame)
    scope.complain("wrong-type", node, 'a text is needed here: `"{a}-{b}"`')
    return None


def _read_hole(scope: Scope, node: syntax.Expr, frame: Locals) -> Expr:
    if isinstance(node, syntax.Name) and node.text not in scope.visible(frame):
        if node.text in scope.excused:
            return UNKNOWN
        message = f"the notation names `{node.text}`, which is not chosen here"
        close = nearest(node.text, frame.names)
        scope.mentioned.add(close)
        names = ", ".join(f"`{n}`" for n in frame.names) or "nothing"
        advice = f"did you mean `{close}`?" if close else f"chosen here: {names}"
        scope.complain("notation", node, message, advice)
        return UNKNOWN
    hole = read(scope, node, frame)
    if hole.type in (Type.LINK, Type.RANGE, Type.NUMBERS, Type.KINDS):
        scope.complain("wrong-type", node, f"{hole.type} cannot be written")
        return UNKNOWN
    return fit(scope, hole, node, Type.SITES) if hole.type is Type.FAMILY else hole
