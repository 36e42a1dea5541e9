"""Who plays: one to eight players, by options where a file has several lines `players`.

In: the lines `players` of a file.  Out: the players of its scope, in order.  Refuses
lines without `when` beside others, and options for which none
of them holds, or several.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from rulewright.language import syntax
from rulewright.language.resolve.scope import (
    PLAYER_LISTS,
    UNKNOWN,
    Declared,
    Locals,
    Scope,
    is_unknown,
    names_used,
)
from rulewright.language.resolve.statements import FileStatements, check_sides
from rulewright.language.resolve.values import constant_value, read_as, read_closed
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import Apply, Const, Expr, Type

ReadCall: TypeAlias = Callable[[Scope, syntax.Call, Locals], Expr]


def choose_players(file: FileStatements) -> None:
    """Let the scope know the players of the line that holds for these options."""
    scope, lines = file.scope, file.all(syntax.Players)
    conditions = [line for line in lines if line.condition is not None]
    if not conditions:
        return
    bare = next((line for line in lines if line.condition is None), None)
    if bare is not None:
        message = "beside another line of players, this line needs a condition behind `when`"
        scope.complain("which-players", bare, message, "`players A B when seats = 2`")
        return
    chosen = [line for line in lines if _holds(scope, line)]
    if scope.report.failed:
        return
    if len(chosen) != 1:
        number = "none" if not chosen else "more than one"
        settings = ", ".join(f"{name} = {option.value}" for name, option in scope.options.items())
        message = f"{number} of the lines `players` holds where {settings or 'there is no option'}"
        scope.complain("which-players", (chosen or lines)[0], message)
        return
    _seat(file, chosen[0])


def _holds(scope: Scope, line: syntax.Players) -> bool:
    assert line.condition is not None
    condition = read_closed(scope, line.condition, Type.TRUTH)
    return constant_value(scope, condition, line.condition) is True


def _seat(file: FileStatements, line: syntax.Players) -> None:
    """Let the players of a line play, and those of other lines not."""
    scope, names = file.scope, [name.text for name in line.names]
    scope.absent = tuple(player for player in scope.players if player not in names)
    scope.players = tuple(names)
    for name in scope.absent:
        scope.use(scope.declared.pop(name).name)
    for index, player in enumerate(line.names):
        declared = scope.declared[player.text]
        scope.declared[player.text] = Declared("player", index, declared.name, declared.nodes)
    for name, declared in scope.declared.items():
        if declared.kind == "let" and "let" not in file.tree.missing:
            check_sides(scope, name, declared.nodes)


# --- what runs over players ---


def player_list(scope: Scope, node: syntax.Expr, frame: Locals) -> str | None:
    """The word `players` or `others`, if that is what a local name runs over."""
    text = node.text if isinstance(node, syntax.Name) else ""
    is_taken = text in frame.names or text in scope.declared
    return text if text in PLAYER_LISTS and not is_taken else None


def list_of_first(scope: Scope, node: syntax.Call, frame: Locals) -> str | None:
    """The list of players that the first variable of a quantifier runs over; else None."""
    first = node.arguments[0] if node.arguments else None
    if isinstance(first, syntax.Binary) and first.sign == "in":
        return player_list(scope, first.right, frame)
    return None


def read_over_players(
    scope: Scope, node: syntax.Call, frame: Locals, listed: str, quantifier: ReadCall
) -> Expr:
    """Read a quantifier whose first variable is a player: the rest is read once for each."""
    first, variable = node.arguments[0], _variable(scope, node, frame, listed)
    assert node.body is not None
    if variable is None:
        return UNKNOWN
    name, rest, body = node.name.text, node.arguments[1:], node.body
    whole = syntax.Call(node.name, rest, body, span=first.span)
    parts = list[Expr]()
    for player in scope.views:
        with scope.binding(variable, player):
            type_ = Type.REAL if name in ("sum", "max", "min") else Type.TRUTH
            part = quantifier(scope, whole, frame) if rest else read_as(scope, body, frame, type_)
        parts.append(part)
        if is_unknown(part):
            return UNKNOWN  # what is wrong is reported once
    local = frame.add(syntax.Name("", span=node.span), Type.INT)
    del frame.names[""]
    joined = "sum" if name == "count" and rest else name
    return _over_players(joined, parts, listed == "others", local.slot)


def _variable(scope: Scope, node: syntax.Call, frame: Locals, listed: str) -> str | None:
    """The name that runs over players; None where that is a mistake, which is reported."""
    first = node.arguments[0]
    assert isinstance(first, syntax.Binary)
    if not isinstance(first.left, syntax.Name) or node.name.text == "those":
        message = "`those` takes a set of sites or a family, and these are players"
        scope.complain("wrong-arguments", node, message)
    elif listed == "others" and len(scope.players) == 1:
        message = "one player plays alone here, so there are no `others`"
        scope.complain("which-enemy", first.right, message)
    elif scope.check_local(first.left, frame):
        if first.left.text not in {*names_used(*node.arguments[1:], node.body), *scope.mentioned}:
            message = f"the variable `{first.left.text}` is never used"
            scope.complain("unused-name", first.left, message)
        return first.left.text
    return None


def each_player(
    scope: Scope, frame: Locals, node: syntax.Loop, read_block: Callable[[], tuple[r.Effect, ...]]
) -> list[r.Effect]:
    """Read a block once for every player; of `others` a condition leaves out own."""
    effects, listed = list[r.Effect](), player_list(scope, node.domain, frame)
    if not scope.check_local(node.name, frame):
        return effects
    if node.name.text not in {*names_used(node.block), *scope.mentioned}:
        scope.complain("unused-name", node.name, f"`{node.name.text}` is never used")
    for player in scope.views:
        outer = set(frame.names)
        with scope.binding(node.name.text, player):
            block = read_block()
        for name in set(frame.names) - outer:
            del frame.names[name]
        if listed == "others":
            effects.append(r.If(_is_viewer(player), (), block, origin=scope.origin(node)))
        else:
            effects += block
    return effects


def _is_viewer(player: int) -> Expr:
    """The condition that the player looked at is one of the players."""
    return Apply(Type.TRUTH, "equal", (Apply(Type.PLAYER, "viewer"), Const(Type.PLAYER, player)))


def _over_players(name: str, parts: list[Expr], others: bool, slot: int) -> Expr:
    """A quantifier over players, or over all but the one looked at, by what is asked of each.

    *slot* is free for its use.
    """
    if not others:
        return _joined(name, dict(enumerate(parts)), slot)
    views = [
        _joined(name, {p: part for p, part in enumerate(parts) if p != view}, slot)
        for view in range(len(parts))
    ]
    result = views[-1]
    for view in reversed(range(len(parts) - 1)):
        result = m.Conditional(result.type, _is_viewer(view), views[view], result)
    return result


def _joined(name: str, parts: dict[int, Expr], slot: int) -> Expr:
    items = tuple(parts.values())
    match name:
        case "some" | "every":
            return m.Logic(Type.TRUTH, name == "every", items)
        case "count" | "sum":
            return _sum(items if name == "sum" else tuple(map(_one_if, items)))
    type_ = Type.INT if all(part.type is Type.INT for part in items) else Type.REAL
    body, place = items[-1], m.Local(Type.INT, slot)
    for player, part in list(parts.items())[-2::-1]:
        is_here = Apply(Type.TRUTH, "equal", (place, Const(Type.INT, player)))
        body = m.Conditional(type_, is_here, part, body)
    return m.Quantified(type_, name, (slot,), (Const(Type.NUMBERS, tuple(parts)),), body)


def _one_if(condition: Expr) -> Expr:
    return m.Conditional(Type.INT, condition, Const(Type.INT, 1), Const(Type.INT, 0))


def _sum(items: tuple[Expr, ...]) -> Expr:
    total = items[0]
    for item in items[1:]:
        whole = total.type is item.type is Type.INT
        total = Apply(Type.INT if whole else Type.REAL, "add", (total, item))
    return total
