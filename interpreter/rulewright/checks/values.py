"""The values that a condition saw: names of the text with what they stood for.

In: an expression of the model and the context in which it was evaluated.  Out: pairs of texts, for
chosen values, states, and each definition that the condition asks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulewright.errors import Fault
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import Board, bits
from rulewright.model.expressions import Expr, Type
from rulewright.model.walk import nodes
from rulewright.reference.evaluate import evaluate
from rulewright.reference.position import Context

Pairs = tuple[tuple[str, str], ...]
_WORDS = ("own", "enemy", "empty", "full", "ply", "repeats", "board_repeats")
MOST, SITES = 12, 10
"""Values and sites that are shown."""


def seen(rules: r.Rules, e: Any, c: Context, names: Mapping[int, str]) -> Pairs:
    """What the names in an expression stood for."""
    found: dict[str, str] = {}
    for name, value in _pairs(rules, e, c, names):
        found.setdefault(name, value)
    return tuple(found.items())[:MOST]


def _pairs(
    rules: r.Rules, e: Any, c: Context, names: Mapping[int, str]
) -> Iterator[tuple[str, str]]:
    for node in nodes(e):
        match node:
            case m.Local(_, slot) if slot in names and c.frame[slot] is not None:
                yield names[slot], value_text(c.frame[slot], node.type, c.board)
            case m.StateValue(_, index):
                yield rules.states[index].name, value_text(evaluate(node, c), node.type, c.board)
            case m.CallFunction(_, function, arguments):
                yield from _call(rules, node, function, arguments, c)
            case m.Apply(_, word, ()) if word in _WORDS:
                yield word, value_text(evaluate(node, c), node.type, c.board)


def _call(
    rules: r.Rules, node: m.CallFunction, function: int, arguments: tuple[Expr, ...], c: Context
) -> Iterator[tuple[str, str]]:
    """A definition, with its arguments, where these are known here."""
    try:
        shown = [value_text(evaluate(a, c), a.type, c.board) for a in arguments]
        value = value_text(evaluate(node, c), node.type, c.board)
    except (Fault, TypeError):
        return  # a variable of a quantifier has no value outside it
    name = rules.functions[function].name
    yield f"{name}({', '.join(shown)})" if shown else name, value


def value_text(value: Any, type_: Type, board: Board) -> str:
    """A value as a rules file would write it."""
    match type_:
        case Type.SITE | Type.SITES:
            sites = [board.names[i] for i in bits(value)]
            more = f" or ... ({len(sites)} sites)" if len(sites) > SITES else ""
            return " or ".join(sites[:SITES]) + more if sites else "nowhere"
        case Type.TRUTH:
            return "true" if value else "false"
        case Type.STEP | Type.STEPS:
            return " or ".join(board.direction_name(step) for step in value)
        case Type.FAMILY:
            return "[" + ", ".join(value_text(s, Type.SITES, board) for s in value[:6]) + "]"
    return str(value)
