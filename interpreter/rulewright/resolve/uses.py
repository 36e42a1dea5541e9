"""Which names a text uses: found in the syntax, so that a mistake elsewhere cannot hide a use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.language import syntax
from rulewright.resolve import vocabulary

_NO_USE: dict[type, frozenset[str]] = {
    syntax.GameName: frozenset({"name"}),
    syntax.Players: frozenset({"first", "second"}),
    syntax.Option: frozenset({"name"}),
    syntax.Board: frozenset({"shape", "row_one", "paths"}),
    syntax.Label: frozenset({"name"}),
    syntax.PieceKind: frozenset({"name"}),
    syntax.Links: frozenset({"name"}),
    syntax.StateVariable: frozenset({"name"}),
    syntax.Let: frozenset({"name", "parameters"}),
    syntax.Action: frozenset({"name", "parameters"}),
    syntax.MoveKind: frozenset({"name"}),
    syntax.OneMove: frozenset({"name"}),
    syntax.Claim: frozenset({"what", "verb"}),
    syntax.WithOption: frozenset({"name"}),
    syntax.Untested: frozenset({"what"}),
    syntax.Choose: frozenset({"name"}),
    syntax.MoveEach: frozenset({"name"}),
    syntax.LinkEach: frozenset({"name"}),
    syntax.Assign: frozenset({"name"}),
    syntax.Marked: frozenset({"name"}),
    syntax.EvaluatorName: frozenset({"name", "game"}),
    syntax.Use: frozenset({"names"}),
    syntax.Factor: frozenset({"name", "unit"}),
    syntax.Table: frozenset({"name", "flipped_for"}),
    syntax.Register: frozenset({"name"}),
    syntax.Scan: frozenset({"name", "parameters"}),
    syntax.CheapestPath: frozenset({"name"}),
    syntax.PathStep: frozenset({"first", "second"}),
    syntax.ValueOf: frozenset({"name", "moves", "player"}),
}
"""Where a name is declared, set, or one of a few words of its own."""
_LEAVES = frozenset({"span", "depth"})


_FIELDS: dict[str, tuple[str, ...]] = {}


def _fields(node: syntax.Node) -> tuple[str, ...]:
    """The fields of a node that can hold a use."""
    kind = type(node)
    if kind.__name__ not in _FIELDS:
        left_out = _LEAVES | _NO_USE.get(kind, frozenset())
        names = (a.name for a in kind.__attrs_attrs__ if a.name not in left_out)
        _FIELDS[kind.__name__] = tuple(names)
    return _FIELDS[kind.__name__]


def names_used(*nodes: object) -> Iterator[str]:
    """Every name that *nodes* look at."""
    todo: list[Any] = list(nodes)
    while todo:
        node = todo.pop()
        if isinstance(node, syntax.Name):
            yield node.text
        elif isinstance(node, tuple | list):
            todo += node
        elif isinstance(node, syntax.Call) and node.name.text in vocabulary.QUANTIFIERS:
            todo += [_domain(a) for a in node.arguments] if node.body else node.arguments
            todo.append(node.body)
        elif isinstance(node, syntax.Node):
            todo += [getattr(node, name) for name in _fields(node)]


def _domain(argument: syntax.Expr) -> syntax.Expr:
    """The set of `x in X`, without the variable."""
    binds = isinstance(argument, syntax.Binary) and isinstance(argument.left, syntax.Name)
    return argument.right if binds and isinstance(argument, syntax.Binary) else argument


def marks_of(pattern: syntax.RayPattern) -> Iterator[syntax.Name]:
    """The names that the marks of a ray declare."""
    for node in _all((pattern,)):
        if isinstance(node, syntax.Marked) and node.name is not None:
            yield node.name


def moves_named(course: syntax.Course) -> Iterator[syntax.Name]:
    """The moves of a turn."""
    for node in _all((course,)):
        if isinstance(node, syntax.OneMove):
            yield node.name


def players_named(*nodes: object) -> Iterator[str]:
    """Every word that stands where only a player can."""
    for node in _all(nodes):
        if isinstance(node, syntax.Viewed):
            yield node.player.text
        if isinstance(node, syntax.Put | syntax.Let | syntax.Assign) and node.player is not None:
            yield node.player.text


def kinds_named(*nodes: object) -> Iterator[str]:
    """Every word that stands where only a kind of piece can."""
    for node in _all(nodes):
        if isinstance(node, syntax.Put):
            yield node.kind.text


def _all(nodes: tuple[object, ...]) -> Iterator[syntax.Node]:
    todo: list[Any] = list(nodes)
    while todo:
        node = todo.pop()
        if isinstance(node, tuple | list):
            todo += node
        elif isinstance(node, syntax.Node):
            yield node
            todo += [getattr(node, a.name) for a in type(node).__attrs_attrs__]
