"""Evaluators as kernels: what a position is worth, as text.

In: an evaluator, one of its values, and the plan of its game.  Out: the text of a module with the
kernel `value`, and what its factors are in the array F.  Whole numbers are i64, others f64, worked
out in the order of the reference, so that both agree to the last bit; a whole factor lies in F as
the float of the same 64 bits.  Refuses (`NoPlan`)
values of moves and values of several parts.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy

from attrs import define, evolve, field

from rulewright.kernels import plan as p
from rulewright.kernels.families import each_set
from rulewright.kernels.lift import attempt, numbers_by_site
from rulewright.kernels.operations import OPERATIONS
from rulewright.kernels.plain import Plainer
from rulewright.kernels.plan import NoPlan, Plan
from rulewright.kernels.rays import ray_words
from rulewright.kernels.shapes import quantified
from rulewright.kernels.sums import line_sum
from rulewright.kernels.values import Forms, Site, Value, Values
from rulewright.kernels.ways import cheapest
from rulewright.kernels.writer import Writer
from rulewright.model import evaluation as ev
from rulewright.model import expressions as m
from rulewright.model.expressions import MOVER, Expr, Type
from rulewright.model.walk import nodes

HEAD = "S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, F: floats"
FREE_ROWS = 512
"""Rows at the end of M for counting decisions while a search holds rows of its own."""


def judge_text(plan: Plan, evaluator: ev.Evaluator, value: ev.Value) -> str:
    """The module of a value; its tables are added to those of *plan*."""
    if value.of_move or len(value.parts) != 1:
        raise NoPlan("only values of positions with one part have kernels")
    inner = copy(plan)
    inner.rules = evolve(plan.rules, functions=evaluator.functions)
    bodies = [_for(inner, evaluator, value, mover) for mover in (0, 1)]
    plan.scratch_size = inner.scratch_size
    parts = [f"def value_{mover}({HEAD}) -> f64:\n{body}" for mover, body in enumerate(bodies)]
    if bodies[0] == bodies[1] and value.player != MOVER:
        parts.pop()  # it does not matter whose turn it is
    head = f'"""Value {value.name} of {evaluator.name}."""'
    return "\n\n\n".join([head, *parts, _first_colour(value, len(parts))]) + "\n"


def _for(plan: Plan, evaluator: ev.Evaluator, value: ev.Value, mover: int) -> str:
    """The value while *mover* decides, bigger better for the player it is said for."""
    w = Writer(plan)
    view = mover if value.player == MOVER else value.player
    v = Judging(FORMS, plan, w, view, mover, judge=evaluator)
    found = v.converted(value.parts[0], Type.REAL)
    return "\n".join([*w.lines, f"    return {found}"])


def _first_colour(value: ev.Value, movers: int) -> str:
    """`value`: bigger is better for the first colour."""
    signs = [-1 if (mover if value.player == MOVER else value.player) else 1 for mover in (0, 1)]
    calls = [f"{'-' if s < 0 else ''}value_{i}(S, K, M, H, X, T, F)" for i, s in enumerate(signs)]
    lines = [f"def value({HEAD}) -> f64:"]
    if movers == 2:
        lines += [f"    if S[{p.MOVER}] == 1:", f"        return {calls[1]}"]
    return "\n".join([*lines, f"    return {calls[0]}"])


@define
class Judging(Values):
    """Writes the expressions that only evaluators have, and numbers that are not whole."""

    judge: ev.Evaluator = field(kw_only=True)

    def number(self, e: Expr) -> str:
        """A number of the expression's own type."""
        found: str = self.value(e)
        return found

    def real(self, e: Expr) -> str:
        """A number as a float."""
        found: str = self.converted(e, Type.REAL)
        return found

    def value(self, e: Expr) -> Value:
        """The value of any expression but a family."""
        match e:
            case m.FactorValue(index=index):
                cell = f"F[{index}]" if e.type is Type.REAL else f"float_bits(F[{index}])"
                return self.w.let(cell, "f")
            case m.ScanValue():
                return self._scan(e)
            case m.PathValue(path=number):
                return cheapest(self, self.judge.paths[number], e.type)
            case m.Const(type=Type.REAL):
                return repr(e.value)
            case m.Chosen() | m.Change():
                raise NoPlan("a value of a move")
            case m.Each(type=Type.INT) | m.CallFunction(type=Type.INT):
                found = self._by_site(e)
                if found is not None:
                    return found
        return super().value(e)

    def _by_site(self, e: Expr) -> str | None:
        """A number that depends on a site alone, worked out now for every site."""
        whole = Plainer(self.plan.rules, self.view, self.mover)(e)
        inner = {slot for n in nodes(whole) if isinstance(n, m.Each) for slot in n.slots}
        free = {n.slot for n in nodes(whole) if isinstance(n, m.Local)} - inner
        slot = next(iter(free), None)
        if len(free) != 1 or slot is None or not isinstance(self.frame.get(slot), Site):
            return None
        values = numbers_by_site(self.plan.rules, whole, slot)
        if values is None:
            return None
        table = self.plan.number_table(f"by site {values}", values)
        return self.w.let(f"K[{table} + {self.frame[slot].number}]", "n")

    # --- scans ---

    def _scan(self, e: m.ScanValue) -> Value:
        """A walk with registers; one step past the border counts as outside."""
        scan, w = self.judge.scans[e.scan], self.w
        site, step = self.site(e.site), self.value(e.step)
        if not isinstance(step, tuple) or len(step) != 1:
            raise NoPlan("a scan along a step that depends on the position")
        outer, self.frame = self.frame, {0: Site(site), 1: step}
        sets = [self.words(reaction.sites) for reaction in scan.reactions]
        for register in scan.registers:
            self.frame[register.slot] = self._register(register)
        here, more = w.fresh("s"), w.fresh("b")
        w.put(f"{here} = K[{self.plan.next_table(step)} + {site}]")
        w.put(f"{more} = 1")
        with w.block(f"while {more} != 0:"):
            done = w.fresh("b")
            w.put(f"{done} = 0")
            for reaction, words in zip(scan.reactions, sets, strict=True):
                with w.block(f"if {done} == 0:"):
                    inside = w.fresh("b")
                    w.put(f"{inside} = {int(reaction.outside)}")
                    with w.block(f"if {here} >= 0:"):
                        w.put(f"{inside} = {w.has(words, here)}")
                    with w.block(f"if {inside} != 0:"):
                        w.put(f"{done} = 1")
                        self._deeds(reaction.deeds, more)
            with w.block(f"if {here} < 0:"):
                w.put(f"{more} = 0")
            with w.block("else:"):
                w.put(f"{here} = K[{self.plan.next_table(step)} + {here}]")
        found = self.value(scan.give)
        self.frame = outer
        return found

    def _register(self, register: ev.SetRegister) -> Value:
        value = self.value(register.value)
        if register.value.type is Type.TRUTH:
            return f"{self.flag(value)} != 0"
        name = self.w.fresh("v")
        self.w.put(f"{name} = {value}")
        return name

    def _deeds(self, deeds: tuple[ev.Deed, ...], more: str) -> None:
        for deed in deeds:
            match deed:
                case ev.SetRegister(slot=slot, value=value):
                    name = self.frame[slot].removesuffix(" != 0")
                    found = self.value(value)
                    truth = value.type is Type.TRUTH
                    self.w.put(f"{name} = {f'1 if {found} else 0' if truth else found}")
                case ev.Test(condition=condition, then=then, otherwise=otherwise):
                    test = self.flag(self.truth(condition))
                    with self.w.block(f"if {test} != 0:"):
                        self._deeds(then, more)
                    with self.w.block("else:"):
                        self._deeds(otherwise, more)
                case ev.Halt():
                    self.w.put(f"{more} = 0")


# --- operations on numbers that may not be whole ---


def _numbers(e: m.Apply, v: Values) -> tuple[list[str], str]:
    """The arguments as numbers of one type, and that type's zero."""
    assert isinstance(v, Judging)
    if any(a.type is Type.REAL for a in e.arguments):
        return [v.real(a) for a in e.arguments], "0.0"
    return [v.number(a) for a in e.arguments], "0"


def _whole_or(form: str) -> Callable[[Values, m.Apply], Value]:
    """As the rules do with whole numbers; *form* with others."""

    def write(v: Values, e: m.Apply) -> Value:
        if e.type is not Type.REAL and all(a.type is not Type.REAL for a in e.arguments):
            return OPERATIONS[e.operation](v, e)
        assert isinstance(v, Judging)
        numbers = [v.real(a) for a in e.arguments]
        return v.w.let(form.format(*numbers), "r")

    return write


def _compare(form: str) -> Callable[[Values, m.Apply], Value]:
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
    assert isinstance(v, Judging)
    a, b = (v.real(i) for i in e.arguments)
    result = v.w.fresh("r")
    v.w.put(f"{result} = 0.0")
    with v.w.block(f"if {b} == 0.0:"):
        v.fault("divide-by-zero")
    with v.w.block("else:"):
        v.w.put(f"{result} = {a} / {b}")
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
    return result


def _item(v: Values, e: m.Apply) -> Value:
    """One of a list of numbers; a fault beyond its ends."""
    assert isinstance(v, Judging)
    numbers = e.arguments[0]
    if not isinstance(numbers, m.Apply | m.Const | m.CallFunction):
        raise NoPlan("a list of numbers that is given another name")
    if isinstance(numbers, m.CallFunction):
        with v.called(numbers) as body:
            return _chosen(v, body, v.number(e.arguments[1]), e.type)
    return _chosen(v, numbers, v.number(e.arguments[1]), e.type)


def _chosen(v: Judging, numbers: Expr, index: str, type_: Type) -> str:
    items = _items(numbers)
    result = v.w.fresh("r")
    v.w.put(f"{result} = {'0.0' if type_ is Type.REAL else '0'}")
    with v.w.block(f"if {index} < 0 or {index} >= {len(items)}:"):
        v.fault("not-in-list")
    for place, item in enumerate(items):
        with v.w.block(f"if {index} == {place}:"):
            v.w.put(f"{result} = {v.converted(item, type_)}")
    return result


def _items(numbers: Expr) -> tuple[Expr, ...]:
    if isinstance(numbers, m.Apply) and numbers.operation == "numbers":
        return numbers.arguments
    if isinstance(numbers, m.Const) and isinstance(numbers.value, tuple):
        kinds = {int: Type.INT, float: Type.REAL}
        return tuple(m.Const(kinds[type(n)], n) for n in numbers.value)
    raise NoPlan("a list of numbers that depends on the position")


def _placed(v: Values, e: m.Apply) -> Value:
    """A number of a table, for a site."""
    values = [i.value for i in _items(e.arguments[0]) if isinstance(i, m.Const)]
    if not all(isinstance(n, int) for n in values):
        raise NoPlan("a table of numbers that are not whole")
    table = v.plan.number_table(f"places {values}", values)  # type: ignore[arg-type]
    found = v.w.let(f"K[{table} + {v.site(e.arguments[1])}]", "n")
    return v.w.let(f"real({found})", "r") if e.type is Type.REAL else found


def _mobility(v: Values, e: m.Apply) -> Value:
    """Decisions of the player looked at, with a turn of his own now; counted in a copy."""
    del e
    w, first = v.w, p.DECISIONS - FREE_ROWS
    index, result = w.fresh("i"), w.fresh("n")
    w.put(f"{result} = 0")
    with w.block(f"if S[{p.MOVER}] == {v.view}:"):
        w.put(f"{result} = how_many(S, K, M, H, X, T, {first})")
    with w.block("else:"):
        kept = v.plan.scratch(v.plan.size)
        with w.block(f"for {index} in range({v.plan.size}):"):
            w.put(f"X[{kept} + {index}] = S[{index}]")
        w.put(f"S[{p.MOVER}] = {v.view}")
        w.put(f"S[{p.REST}] = {v.plan.courses[v.plan.rules.course]}")
        w.put(f"S[{p.FRESH}] = 1")
        w.put(f"{result} = how_many(S, K, M, H, X, T, {first})")
        with w.block(f"for {index} in range({v.plan.size}):"):
            w.put(f"S[{index}] = X[{kept} + {index}]")
    return result


CHANCE = 1
"""Where in X the state of the generator lies that `random` draws from."""


def _random(v: Values, e: m.Apply) -> Value:
    """A whole number between two, both included, in either order (xorshift64*, Vigna 2016)."""
    w = v.w
    a, b = (v.number(i) for i in e.arguments)
    low = w.let(f"{a} if {a} < {b} else {b}", "n")
    span = w.let(f"({b} - {a} if {a} < {b} else {a} - {b}) + 1", "n")
    x = w.fresh("x")
    w.put(f"{x} = X[{CHANCE}]")
    w.put(f"{x} = {x} ^ shift_right({x}, 12)")
    w.put(f"{x} = {x} ^ wrap_shl({x}, 25)")
    w.put(f"{x} = {x} ^ shift_right({x}, 27)")
    w.put(f"X[{CHANCE}] = {x}")
    half = w.let(f"shift_right(wrap_mul({x}, 2685821657736338717), 33)", "x")
    return w.let(f"{low} + (wrap_mul({half}, {span}) >> 31)", "n")


def _refused(v: Values, e: m.Apply) -> Value:
    del v
    raise NoPlan(f"`{e.operation}` has no kernel in evaluators")


_MORE: dict[str, Callable[[Values, m.Apply], Value]] = {
    "add": _whole_or("{0} + {1}"),
    "subtract": _whole_or("{0} - {1}"),
    "multiply": _whole_or("{0} * {1}"),
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


def _fast(v: Values, e: m.Each) -> Value:
    if e.quantifier == "sum":
        return attempt(v.w, lambda: line_sum(v, e))
    return attempt(v.w, lambda: quantified(v, e))


def _written_out(v: Values, e: m.CallFunction) -> Value:
    """Definitions of evaluators may ask for factors, which kernels of definitions do not take."""
    del v, e
    return None


FORMS = Forms({**OPERATIONS, **_MORE}, each_set, ray_words, _fast, _written_out)
