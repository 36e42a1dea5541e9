"""Walking over the model: every record inside others, and which operations are used.

In: any records of the model.  Out: their nodes.  Bodies of definitions are not inside their calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.model import expressions as m
from rulewright.model import rules as r

_FIELDS: dict[type, tuple[str, ...]] = {}


def nodes(*roots: object) -> Iterator[Any]:
    """All records in *roots*, outer ones first."""
    todo: list[Any] = list(reversed(roots))
    while todo:
        node = todo.pop()
        if isinstance(node, tuple | list):
            todo += reversed(node)
        elif hasattr(type(node), "__attrs_attrs__"):
            yield node
            todo += [getattr(node, name) for name in reversed(_fields(type(node)))]


def _fields(kind: Any) -> tuple[str, ...]:
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(a.name for a in kind.__attrs_attrs__ if a.name != "origin")
    return _FIELDS[kind]


def everything(rules: r.Rules) -> Iterator[Any]:
    """All records of a game's moves, definitions, actions and ends."""
    return nodes(rules.functions, rules.actions, rules.moves, rules.ends)


def operations(*roots: object) -> set[str]:
    """The operations that *roots* use."""
    return {n.operation for n in nodes(*roots) if isinstance(n, m.Apply)}
