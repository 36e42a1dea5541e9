"""Operations of evaluators on numbers that may not be whole, on lists, and on chance.

In: an operation of the model.  Out: its text, in the order of the reference, so that both round
alike; whole numbers are worked out as the rules do it.  A float that grows beyond all bounds is a
fault, and 0 from there on.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rulewright.codegen import plan as p
from rulewright.codegen.operations import OPERATIONS, Write
from rulewright.codegen.plan import NoPlan
from rulewright.codegen.values import Value, Values
from rulewright.model import expressions as m
from rulewright.model.expressions import Expr, Type

FREE_ROWS = p.MARGIN
"""Rows at the end of M for counting decisions while a search holds rows of its own."""
_LARGEST = repr(sys.float_info.max)


def finite(v: Values, name: str) -> str:
    """A fault when a float has grown beyond all bounds; it is 0 then."""
    with v.w.block(f"if {name} > {_LARGEST} or {name} < -{_LARGEST}:"):
        v.fault("overflow")
        v.w.put(f"{name} = 0.0")
    return name


def _numbers(e: m.Apply, v: Values) -> tuple[list[str], str]:
    """The arguments as numbers of one type, and that type's zero."""
    if any(a.type is Type.REAL for a in e.arguments):
        return [v.real(a) for a in e.arguments], "0.0"
    return [v.number(a) for a in e.arguments], "0"


def _whole_or(form: str, grows: bool = False) -> Write:
    """As the rules do with whole numbers; *form* with others, which may grow beyond bounds."""

    def write(v: Values, e: m.Apply) -> Value:
        if e.type is not Type.REAL and all(a.type is not Type.REAL for a in e.arguments):
            return OPERATIONS[e.operation](v, e)
        numbers = [v.real(a) for a in e.arguments]
        found = v.w.let(form.format(*numbers), "r")
        return finite(v, found) if grows else found

    return write


def _compare(form: str) -> Write:
    def write(v: Values, e: m.Apply) -> Value:
        numbers, _ = _numbers(e, v)
        return form.format(*numbers)

    return write


def _equal(v: Values, e: m.Apply) -> Value:
    if all(a.type in (Type.INT, Type.REAL) for a in e.arguments):
        (a, b), _ = _numbers(e, v)
        return f"{a} == {b}"
    return OPERATIONS["equal"](v, e)


def _sign(v: Values, e: m.Apply) -> Value:
    (a,), zero = _numbers(e, v)
    return v.w.let(f"1 if {a} > {zero} else (-1 if {a} < {zero} else 0)", "n")


def _divide(v: Values, e: m.Apply) -> Value:
    a, b = (v.real(i) for i in e.arguments)
    result = v.w.fresh("r")
    v.w.put(f"{result} = 0.0")
    with v.w.block(f"if {b} == 0.0:"):
        v.fault("divide-by-zero")
    with v.w.block("else:"):
        v.w.put(f"{result} = {a} / {b}")
        finite(v, result)
    return result


def _power(v: Values, e: m.Apply) -> Value:
    """By repeated multiplication from the left, as the reference does."""
    base, times = v.number(e.arguments[0]), v.number(e.arguments[1])
    real = e.arguments[0].type is Type.REAL
    result, count = v.w.fresh("r"), v.w.fresh("i")
    v.w.put(f"{result} = {'1.0' if real else '1'}")
    with v.w.block(f"if {times} < 0 or {times} > 64:"):
        v.fault("bad-power")
    with v.w.block("else:"), v.w.block(f"for {count} in range({times}):"):
        if not real:
            size = v.w.let(f"{base} if {base} >= 0 else 0 - {base}", "n")
            held = v.w.let(f"{result} if {result} >= 0 else 0 - {result}", "n")
            with v.w.block(f"if {size} != 0:"), v.w.block(f"if {held} > {2**62 - 1} // {size}:"):
                v.fault("overflow")
                v.w.put(f"{result} = 0")
        v.w.put(f"{result} = {result} * {base}")
        if real:
            finite(v, result)
    return result


# --- lists and tables ---


def _item(v: Values, e: m.Apply) -> Value:
    """One of a list of numbers; a fault beyond its ends."""
    with _listed(v, e.arguments[0]) as items:
        values = [v.converted(item, e.type) for item in items]
    return _chosen(v, values, v.number(e.arguments[1]), e.type)


def _chosen(v: Values, values: list[str], index: str, type_: Type) -> str:
    result = v.w.fresh("r")
    v.w.put(f"{result} = {'0.0' if type_ is Type.REAL else '0'}")
    with v.w.block(f"if {index} < 0 or {index} >= {len(values)}:"):
        v.fault("not-in-list")
    for place, value in enumerate(values):
        with v.w.block(f"if {index} == {place}:"):
            v.w.put(f"{result} = {value}")
    return result


@contextmanager
def _listed(v: Values, e: Expr) -> Iterator[tuple[Expr, ...]]:
    """The numbers of a list, which may be a definition, or one for each player."""
    match e:
        case m.Apply(operation="numbers", arguments=items):
            yield items
        case m.Const(value=tuple(numbers)):
            kinds = {int: Type.INT, float: Type.REAL}
            yield tuple(m.Const(kinds[type(n)], n) for n in numbers)
        case m.CallFunction():
            with v.called(e) as body, _listed(v, body) as items:
                yield items
        case _:
            raise NoPlan("a list of numbers that depends on the position")


def _placed(v: Values, e: m.Apply) -> Value:
    """A number of a table, for a site."""
    with _listed(v, e.arguments[0]) as items:
        values = [i.value if isinstance(i, m.Const) else None for i in items]
    if not all(isinstance(n, int) for n in values):
        raise NoPlan("a table of numbers that are not whole")
    table = v.plan.number_table(f"places {values}", values)  # type: ignore[arg-type]
    found = v.w.let(f"g.tables[{table} + {v.site(e.arguments[1])}]", "n")
    return v.w.let(f"real({found})", "r") if e.type is Type.REAL else found


# --- decisions and chance ---


def _mobility(v: Values, e: m.Apply) -> Value:
    """Decisions of the player looked at, with a turn of his own now; counted in a copy."""
    del e
    w, first = v.w, p.DECISIONS - FREE_ROWS
    result = w.fresh("n")
    w.put(f"{result} = 0")
    with w.block(f"if g.state.mover == {v.view}:"):
        w.put(f"{result} = how_many(g, {first})")
    with w.block("else:"), v.kept():
        w.put(f"g.state.mover = {v.view}")
        w.put(f"g.state.rest = {v.plan.courses[v.plan.rules.course]}")
        w.put("g.state.fresh = 1")
        w.put(f"{result} = how_many(g, {first})")
    return result


def _random(v: Values, e: m.Apply) -> Value:
    """A whole number between two, both included, in either order (xorshift64*, Vigna 2016)."""
    w = v.w
    a, b = (v.number(i) for i in e.arguments)
    low = w.let(f"{a} if {a} < {b} else {b}", "n")
    span = w.let(f"({b} - {a} if {a} < {b} else {a} - {b}) + 1", "n")
    x = w.fresh("x")
    w.put(f"{x} = g.scratch.chance")
    w.put(f"{x} = {x} ^ shift_right({x}, 12)")
    w.put(f"{x} = {x} ^ wrap_shl({x}, 25)")
    w.put(f"{x} = {x} ^ shift_right({x}, 27)")
    w.put(f"g.scratch.chance = {x}")
    half = w.let(f"shift_right(wrap_mul({x}, 2685821657736338717), 33)", "x")
    return w.let(f"{low} + (wrap_mul({half}, {span}) >> 31)", "n")


def _refused(v: Values, e: m.Apply) -> Value:
    del v
    raise NoPlan(f"`{e.operation}` has no kernel in evaluators")


REALS: dict[str, Callable[[Values, m.Apply], Value]] = {
    "add": _whole_or("{0} + {1}", grows=True),
    "subtract": _whole_or("{0} - {1}", grows=True),
    "multiply": _whole_or("{0} * {1}", grows=True),
    "negate": _whole_or("-{0}"),
    "abs": _whole_or("{0} if {0} >= 0.0 else -{0}"),
    "sign": _sign,
    "divide": _divide,
    "power": _power,
    "less": _compare("{0} < {1}"),
    "less_equal": _compare("{0} <= {1}"),
    "between": _compare("{0} >= {1} and {0} <= {2}"),
    "equal": _equal,
    "item": _item,
    "placed": _placed,
    "mobility": _mobility,
    "random": _random,
    "repeats": _refused,
    "board_repeats": _refused,
}
"""What evaluators write in their own way, or not at all."""
