"""Whole numbers for numbers with fractions, where only their sign matters.

In: an expression in normal form, such as `count own - count enemy - 6.5`.  Out: one in whole
numbers that is so many times as large, `2 * count own - 2 * count enemy - 13`; None where it has
more than sums, differences and cases of whole numbers and constants.
"""

from __future__ import annotations

from attrs import evolve

from rulewright.model import expressions as m
from rulewright.model.expressions import Const, Expr, Type

_TIMES = (1, 2, 3, 4, 5, 6, 8, 10, 20, 100, 1000)


def in_wholes(e: Expr) -> Expr | None:
    """A whole multiple of *e*, which is positive, zero or negative where *e* is."""
    return next((whole for times in _TIMES if (whole := _multiple(e, times)) is not None), None)


def _multiple(e: Expr, times: int) -> Expr | None:
    """So many times *e* in whole numbers."""
    if e.type is Type.INT:
        factor = Const(Type.INT, times)
        return e if times == 1 else m.Apply(Type.INT, "multiply", (e, factor))
    match e:
        case Const(value=float(value) | int(value)) if value * times == round(value * times):
            return Const(Type.INT, round(value * times))
        case m.Apply(operation="add" | "subtract" | "negate", arguments=arguments):
            wholes = [_multiple(a, times) for a in arguments]
            if None not in wholes:
                return evolve(e, type=Type.INT, arguments=tuple(filter(None, wholes)))
        case m.Conditional(then=then, otherwise=otherwise):
            first, second = _multiple(then, times), _multiple(otherwise, times)
            if first is not None and second is not None:
                return evolve(e, type=Type.INT, then=first, otherwise=second)
        case m.Viewed(body=body):
            inside = _multiple(body, times)
            return None if inside is None else evolve(e, type=Type.INT, body=inside)
    return None
