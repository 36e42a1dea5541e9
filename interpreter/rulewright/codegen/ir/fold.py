"""Expressions made simpler: what is known now is worked out, what changes nothing is left out.

In: an expression.  Out: one with the same value.  A call is never left out, nor a number that a
backend could refuse made of numbers that it would not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rulewright.codegen.ir.nodes import (
    Call,
    Choice,
    Const,
    Element,
    Expr,
    Local,
    Logic,
    Op,
    parts,
    same,
    truth,
)
from rulewright.codegen.ir.types import FLOAT, INT
from rulewright.codegen.runtime import INTRINSICS

_LEAST, _MOST = -(2**63), 2**63 - 1
_KNOWN: Mapping[str, Callable[..., int | float | bool]] = {
    **{name: f for name, f in INTRINSICS.items() if name != "volatile"},
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
    "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
    "neg": lambda a: -a, "inv": lambda a: ~a, "not": lambda a: not a,
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
}  # fmt: skip
_NEUTRAL = {
    "add": 0, "sub": 0, "or": 0, "xor": 0, "mul": 1, "div": 1, "and": -1, "shl": 0, "shr": 0,
    "wrap_add": 0, "wrap_mul": 1, "wrap_shl": 0, "shift_right": 0,
}  # fmt: skip
"""What changes nothing on the right of an operation."""
_OF_ITSELF = {
    "eq": True, "le": True, "ge": True, "ne": False, "lt": False, "gt": False, "xor": 0, "sub": 0,
}  # fmt: skip
"""What an operation gives of a number and itself."""
_SAME_BOTH_WAYS = {"add", "mul", "and", "or", "xor", "wrap_add", "wrap_mul"}
_OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}


def simplified(e: Expr) -> Expr:
    """The same value, made simpler from the inside."""
    found = _SIMPLER.get(type(e))
    return found(e) if found else e


def _inside(args: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """The same tuple where nothing in it gets simpler."""
    found = tuple([simplified(a) for a in args])  # once: what is inside gets simpler inside, too
    return args if all(a is b for a, b in zip(args, found, strict=True)) else found


def _op(e: Op) -> Expr:
    inner = _inside(e.args)
    return _operation(e if inner is e.args else Op(e.name, inner))


def _element(e: Element) -> Expr:
    found = simplified(e.index)
    return e if found is e.index else Element(e.array, found, e.volatile)


def _call(e: Call) -> Expr:
    inner = _inside(e.args)
    return e if inner is e.args else Call(e.name, inner, e.type)


def has_call(e: Expr) -> bool:
    """Whether something may happen while it is worked out."""
    return isinstance(e, Call) or any(map(has_call, parts(e)))


def _operation(e: Op) -> Expr:
    if type(e.args[-1]) is Const and _all_known(e):
        return _worked_out(e)
    if e.name == "not":
        return _negated(e)
    if len(e.args) != 2 or e.args[0].type != INT:
        return e
    a, b = e.args
    if type(a) is Local and same(a, b) and e.name in _OF_ITSELF:
        return Const(_OF_ITSELF[e.name], e.type)
    if e.name in _SAME_BOTH_WAYS and isinstance(a, Const):
        a, b = b, a
    if not isinstance(b, Const):
        return e
    if _NEUTRAL.get(e.name) == b.value:
        return a
    if e.name in ("and", "mul", "wrap_mul") and b.value == 0 and not has_call(a):
        return b
    if e.name in ("ne", "eq") and isinstance(a, Choice):
        return _flag(e, a, b)
    if e.name == "add" and isinstance(a, Op) and a.name == "add" and isinstance(a.args[1], Const):
        return _operation(Op("add", (a.args[0], _worked_out(Op("add", (a.args[1], b))))))
    return e if b is e.args[1] else Op(e.name, (a, b))


def _all_known(e: Op) -> bool:
    known = all(isinstance(a, Const) and a.type != FLOAT for a in e.args)
    return known and e.name in _KNOWN


def _worked_out(e: Op) -> Expr:
    value = _KNOWN[e.name](*(a.value for a in e.args if isinstance(a, Const)))
    if e.type == INT and not _LEAST <= value <= _MOST:
        return e  # whoever wrote it is told when it is worked out
    return Const(value, e.type)


def _negated(e: Op) -> Expr:
    inner = e.args[0]
    if isinstance(inner, Op) and inner.name in _OPPOSITE:
        return Op(_OPPOSITE[inner.name], inner.args)
    return inner.args[0] if isinstance(inner, Op) and inner.name == "not" else e


def _flag(e: Op, a: Choice, b: Const) -> Expr:
    """`(1 if C else 0) != 0` is C."""
    if isinstance(a.then, Const) and isinstance(a.otherwise, Const):
        sides = [(s.value == b.value) == (e.name == "eq") for s in (a.then, a.otherwise)]
        if sides[0] != sides[1]:
            return a.test if sides[0] else simplified(Op("not", (a.test,)))
    return e


def _joined(e: Logic) -> Expr:
    found: list[Expr] = []
    for item in map(simplified, e.items):
        if isinstance(item, Const):
            if bool(item.value) is not e.both:
                found.append(item)
                break  # what follows is never looked at
        elif isinstance(item, Logic) and item.both is e.both:
            found += item.items
        else:
            found.append(item)
    if not found:
        return truth(e.both)
    if isinstance(found[-1], Const) and not any(map(has_call, found)):
        return found[-1]
    return found[0] if len(found) == 1 else Logic(e.both, tuple(found))


def _chosen(e: Choice) -> Expr:
    test = simplified(e.test)
    if isinstance(test, Const):
        return simplified(e.then if test.value else e.otherwise)
    return Choice(test, simplified(e.then), simplified(e.otherwise))


_SIMPLER: Mapping[type, Callable[[Any], Expr]] = {
    Op: _op, Element: _element, Call: _call, Logic: _joined, Choice: _chosen,
}  # fmt: skip
