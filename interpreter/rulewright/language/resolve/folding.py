"""Definitions worked out when a game is loaded: constants, and tables by site.

In: the bodies of a definition, one or one for each player.  Out: bodies with the same values that
need no work in play, where no position can change them; else the bodies as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.errors import Fault
from rulewright.ground import limits
from rulewright.language.resolve import cost
from rulewright.language.resolve.scope import Scope
from rulewright.language.resolve.values import is_affordable, static_context
from rulewright.model import expressions as m
from rulewright.model.board import Board
from rulewright.model.expressions import Apply, Const, Expr, Local, Type, Value
from rulewright.model.walk import reachable_nodes

_SITE = Local(Type.SITE, 0)


def fold(scope: Scope, bodies: list[Expr], type_: Type, size: int) -> list[Expr]:
    """Work out a definition without parameters that no position can change.

    A family stays an expression: how its sets came about is worth more than their list.
    """
    if type_ is Type.FAMILY or not _is_still(scope, bodies):
        return bodies
    if not all(is_affordable(scope, scope.measures.of(body), None) for body in bodies):
        return bodies
    return _by_view(
        bodies,
        scope.views,
        lambda body, view: Const(type_, _value(scope, body, view, [None] * size)),
    )


def tabulate(scope: Scope, bodies: list[Expr], type_: Type, size: int) -> list[Expr]:
    """Make a table of a definition that a site alone determines, and that takes loops to work out.

    What takes none stays an expression: kernels do steps and rays for all sites at once.
    """
    board = scope.board
    if type_ not in _TABLES or board is None or not _is_still(scope, bodies):
        return bodies
    if not any(_loops(scope, b) for b in bodies) or not _may_tabulate(scope, board, bodies):
        return bodies

    def table(body: Expr, view: int) -> Expr:
        values: list[Value] = []
        for site in range(len(board.names)):
            frame: list[Value | None] = [1 << site, *[None] * (size - 1)]
            values.append(_value(scope, body, view, frame) if board.sites >> site & 1 else 0)
        return _TABLES[type_](type_, values, body.origin)

    return _by_view(bodies, scope.views, table)


def _is_still(scope: Scope, bodies: list[Expr]) -> bool:
    """Whether no position can change what is defined, and the board it asks for is there."""
    flags = 0
    for body in bodies:
        flags |= scope.measures.of(body).flags
    return not flags & cost.POSITION and (scope.board_known or not flags & cost.BOARD)


def _by_view(bodies: list[Expr], views: range, work_out: Callable[[Expr, int], Expr]) -> list[Expr]:
    """Work out the body of each player; a single one where all come to the same."""
    try:
        worked_out = [work_out(bodies[view % len(bodies)], view) for view in views]
    except Fault:
        return bodies  # reported where the definition is used, or a fault in play
    return worked_out[:1] if all(body == worked_out[0] for body in worked_out) else worked_out


def _value(scope: Scope, body: Expr, view: int, frame: list[Value | None]) -> Value:
    context = static_context(scope)
    context.view, context.frame = view, frame
    return scope.worked_out.value(body, context, scope.meanings)


# --- tables ---

_LOOKED_UP = frozenset({"image", "placed", "site", "row", "column", "layer"})


def _loops(scope: Scope, body: Expr) -> bool:
    """Whether an expression goes over sites one after the other, or looks a site up."""
    return any(
        isinstance(n, m.Quantified) or (isinstance(n, Apply) and n.operation in _LOOKED_UP)
        for n in reachable_nodes(body, scope.functions)
    )


def _may_tabulate(scope: Scope, board: Board, bodies: list[Expr]) -> bool:
    """Whether tables may be made now; counts the work that they take."""
    measures = [scope.measures.of(body) for body in bodies]
    if any(measure.flags & (cost.UNBOUNDED | cost.TABLE) for measure in measures):
        return False
    steps = board.count * sum(map(scope.measures.steps, measures))
    if scope.effort.tabulated + steps > limits.TABULATED:
        return False
    scope.effort.tabulated += steps
    return True


def _sets(type_: Type, sets: Sequence[Value], origin: int) -> Expr:
    return Apply(type_, "image", (Const(Type.FAMILY, tuple(sets)), _SITE), origin=origin)


def _numbers(type_: Type, numbers: Sequence[Value], origin: int) -> Expr:
    return Apply(type_, "placed", (Const(Type.NUMBERS, tuple(numbers)), _SITE), origin=origin)


def _truths(type_: Type, truths: Sequence[Value], origin: int) -> Expr:
    mask = sum(1 << site for site, holds in enumerate(truths) if holds)
    return Apply(type_, "meets", (_SITE, Const(Type.SITES, mask)), origin=origin)


_TABLES: dict[Type, Callable[[Type, Sequence[Value], int], Expr]] = {
    Type.SITE: _sets, Type.SITES: _sets, Type.INT: _numbers, Type.TRUTH: _truths,
}  # fmt: skip
