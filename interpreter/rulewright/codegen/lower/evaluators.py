"""Expressions of evaluators: factors, numbers that are not whole, tables, scans, chance.

In: an expression of an evaluator, and for values of moves what the judged move has chosen.  Out:
lines in a `Writer`, and a value.  Whole numbers are i64, others f64, worked out in the order of the
reference, so that both agree to the last bit; a whole factor lies in `factors` as the float of the
same 64 bits.  A float that grows beyond all bounds is a fault, and 0 from there on.  A scan is a
walk with registers; one step past the border counts as outside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy

from attrs import define, evolve, field, frozen

from rulewright.codegen.layout import DECISIONS, MARGIN, StateLayout, Unsupported
from rulewright.codegen.lower.deltas import Grouped, lower_change
from rulewright.codegen.lower.lines import lower_line_sum, lower_quantifier
from rulewright.codegen.lower.operations import OPERATIONS, each_set
from rulewright.codegen.lower.paths import PathEnds, Rooms, lower_path
from rulewright.codegen.lower.rays import lower_ray
from rulewright.codegen.lower.values import Forms, OneStep, Site, Value, Values
from rulewright.codegen.lower.writer import Writer
from rulewright.codegen.passes.normalize import Normalizer
from rulewright.codegen.passes.pushdown import numbers_by_site
from rulewright.model import evaluation as ev
from rulewright.model import expressions as m
from rulewright.model.expressions import Expr, Type
from rulewright.model.walk import nodes


def lower_scan(v: EvaluatorValues, e: m.ScanValue) -> Value:
    """What a scan gives, walking from a site along a step."""
    scan = v.evaluator.scans[e.scan]
    site, step = v.site(e.site), v.value(e.step)
    next_site = _next(v, step)
    outer, v.frame = v.frame, {0: Site(site), 1: step}
    try:
        return _walked(v, scan, next_site, site)
    finally:
        v.frame = outer


def _walked(v: EvaluatorValues, scan: ev.Scan, next_site: str, site: str) -> Value:
    w = v.w
    sets = [v.words(reaction.sites) for reaction in scan.reactions]
    for register in scan.registers:
        v.frame[register.slot] = _register(v, register)
    here, more = w.fresh("s"), w.fresh("b")
    w.put(f"{here} = {next_site.format(site)}")
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
                    _deeds(v, reaction.deeds, more)
        with w.block(f"if {here} < 0:"):
            w.put(f"{more} = 0")
        with w.block("else:"):
            w.put(f"{here} = {next_site.format(here)}")
    return v.value(scan.give)


def _next(v: EvaluatorValues, step: Value) -> str:
    """The site one step on (-1 past the border), with a hole for the number of the site."""
    if isinstance(step, OneStep):
        count = len(v.board.names)
        base = v.w.let(f"{v.layout.next_table(step.steps)} + {step.index} * {count}", "k")
        return f"g.tables[{base} + {{0}}]"
    if not isinstance(step, tuple) or len(step) != 1:
        raise Unsupported("a scan along a step that depends on the position")
    return f"g.tables[{v.layout.next_table(step)} + {{0}}]"


def _register(v: EvaluatorValues, register: ev.SetRegister) -> Value:
    value = v.value(register.value)
    if register.value.type is Type.TRUTH:
        return f"{v.flag(value)} != 0"
    name = v.w.fresh("v")
    v.w.put(f"{name} = {value}")
    return name


def _deeds(v: EvaluatorValues, deeds: tuple[ev.ScanEffect, ...], more: str) -> None:
    for deed in deeds:
        match deed:
            case ev.SetRegister(slot=slot, value=value):
                name = v.frame[slot].removesuffix(" != 0")
                found = v.value(value)
                truth = value.type is Type.TRUTH
                v.w.put(f"{name} = {f'1 if {found} else 0' if truth else found}")
            case ev.If(condition=condition, then=then, otherwise=otherwise):
                test = v.flag(v.truth(condition))
                with v.w.block(f"if {test} != 0:"):
                    _deeds(v, then, more)
                with v.w.block("else:"):
                    _deeds(v, otherwise, more)
            case ev.Stop():
                v.w.put(f"{more} = 0")


FREE_ROWS = MARGIN
"""Rows at the end of `g.rows` for counting decisions while a search holds rows of its own."""


def _divide(v: Values, e: m.Apply) -> Value:
    a, b = (v.real(i) for i in e.arguments)
    result = v.w.fresh("r")
    v.w.put(f"{result} = 0.0")
    with v.w.block(f"if {b} == 0.0:"):
        v.fault("divide-by-zero")
    with v.w.block("else:"):
        v.w.put(f"{result} = {a} / {b}")
        v.finite(result)
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
            v.finite(result)
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
            raise Unsupported("a list of numbers that depends on the position")


def _placed(v: Values, e: m.Apply) -> Value:
    """A number of a table, for a site."""
    with _listed(v, e.arguments[0]) as items:
        values = [i.value if isinstance(i, m.Const) else None for i in items]
    if not all(isinstance(n, int) for n in values):
        raise Unsupported("a table of numbers that are not whole")
    table = v.layout.number_table(f"places {values}", values)  # type: ignore[arg-type]
    found = v.w.let(f"g.tables[{table} + {v.site(e.arguments[1])}]", "n")
    return v.w.let(f"real({found})", "r") if e.type is Type.REAL else found


# --- decisions and chance ---


def _mobility(v: Values, e: m.Apply) -> Value:
    """Decisions of the player looked at, with a turn of his own now; counted in a copy."""
    del e
    w, first = v.w, DECISIONS - FREE_ROWS
    result = w.fresh("n")
    w.put(f"{result} = 0")
    with w.block(f"if g.state.mover == {v.view}:"):
        w.put(f"{result} = how_many(g, {first})")
    with w.block("else:"), v.kept():
        w.put(f"g.state.mover = {v.view}")
        w.put(f"g.state.rest = {v.layout.courses[v.rules.course]}")
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
    raise Unsupported(f"`{e.operation}` has no kernel in evaluators")


REALS: dict[str, Callable[[Values, m.Apply], Value]] = {
    "divide": _divide,
    "power": _power,
    "item": _item,
    "placed": _placed,
    "mobility": _mobility,
    "random": _random,
    "repeats": _refused,
    "board_repeats": _refused,
}
"""What evaluators write in their own way, or not at all."""


@frozen(eq=False)
class Shared:
    """What all decisions of a position share, while one player decides.

    `before` are numbers, by view and expression, with their place in `g.scratch`; `guards` are
    sums that have to be tested once.
    """

    before: dict[tuple[int, Expr], int] = field(factory=dict)
    guards: dict[tuple[int, Expr], Grouped] = field(factory=dict)


@frozen(eq=False)
class JudgedMove:
    """The move that is judged, and what it has chosen, by name and by slot.

    `bodies` are the numbers whose changes the value asks for; `changes` are the names of those that
    are known.
    """

    move: int
    by_name: Mapping[str, Value]
    by_slot: Mapping[int, Value]
    shared: Shared
    bodies: tuple[Expr, ...] = ()
    changes: dict[tuple[int, Expr], str] = field(factory=dict)


@define
class EvaluatorValues(Values):
    """Writes the expressions that only evaluators have, and numbers that are not whole."""

    evaluator: ev.Evaluator = field(kw_only=True)
    judged: JudgedMove | None = field(default=None, kw_only=True)

    def number(self, e: Expr) -> str:
        """A number of the expression's own type."""
        found: str = self.value(e)
        return found

    def value(self, e: Expr) -> Value:
        """The value of any expression but a family."""
        match e:
            case m.FactorValue(index=index):
                cell = (
                    f"factors[{index}]" if e.type is Type.REAL else f"float_bits(factors[{index}])"
                )
                return self.w.let(cell, "f")
            case m.ScanValue():
                with self.at(self.evaluator.scans[e.scan].origin):
                    return lower_scan(self, e)
            case m.PathValue(path=number):
                path = self.evaluator.paths[number]
                with self.at(path.origin):
                    return lower_path(self, path, e.type)
            case m.Const(type=Type.REAL):
                return repr(e.value)
            case m.ChosenValue(name=name):
                if self.judged is None:
                    raise Unsupported("what a move chooses, where no move is judged")
                return self.judged.by_name[name]
            case m.Change():
                return lower_change(self, e)
            case m.Quantified(type=Type.INT) | m.CallFunction(type=Type.INT):
                found = self._by_site(e)
                if found is not None:
                    return found
        return super().value(e)

    def _by_site(self, e: Expr) -> str | None:
        """A number that depends on a site alone, worked out now for every site."""
        whole = Normalizer(self.rules, self.view, self.mover)(e)
        inner = {slot for n in nodes(whole) if isinstance(n, m.Quantified) for slot in n.slots}
        free = {n.slot for n in nodes(whole) if isinstance(n, m.Local)} - inner
        slot = next(iter(free), None)
        if len(free) != 1 or slot is None or not isinstance(self.frame.get(slot), Site):
            return None
        values = numbers_by_site(self.rules, whole, slot)
        if values is None:
            return None
        table = self.layout.number_table(f"by site {values}", values)
        return self.w.let(f"g.tables[{table} + {self.frame[slot].number}]", "n")


def _fast(v: Values, e: m.Quantified) -> Value:
    if e.quantifier == "sum":
        return v.w.attempt(lambda: lower_line_sum(v, e))
    return v.w.attempt(lambda: lower_quantifier(v, e))


def _written_out(v: Values, e: m.CallFunction) -> Value:
    """Definitions of evaluators may ask for factors, which kernels of definitions do not take."""
    del v, e
    return None


FORMS = Forms({**OPERATIONS, **REALS}, each_set, lower_ray, _fast, _written_out)


# --- the ends of paths ---


def lower_path_ends(
    layout: StateLayout, rooms: Rooms, path: tuple[ev.Evaluator, str], seen: tuple[int, int]
) -> str:
    """The body of the kernel for a path of an evaluator, *seen* by a player while one is to move.

    It takes `g` and `at`.  Its tables are added to those of *layout*.
    """
    evaluator, name = path
    found = next(p for p in evaluator.paths if p.name == name)
    inner = copy(layout)
    inner.rules = evolve(layout.rules, functions=evaluator.functions)
    w = Writer(inner)
    v = _Fixed(FORMS, inner, w, *seen, evaluator=evaluator)
    PathEnds(v, found, rooms.buckets, rooms).write()
    layout.scratch_size = inner.scratch_size
    return "\n".join(w.lines)


@define
class _Fixed(EvaluatorValues):
    """Factors are the numbers that the evaluator gives them."""

    def value(self, e: Expr) -> Value:
        """The value of any expression but a family."""
        if isinstance(e, m.FactorValue):
            number = self.evaluator.defaults[e.index]
            return repr(float(number)) if e.type is Type.REAL else str(int(number))
        return super().value(e)
