"""Expressions of evaluators: factors, numbers that are not whole, tables, scans, chance.

In: an expression of an evaluator, and for values of moves what the judged move has chosen.  Out:
statements in a `Writer`, and a value.  Whole numbers are i64, others f64, worked out in the
order of the reference, so that both agree to the last bit; a whole factor lies in `factors` as the
float of the same 64 bits.  A float that grows beyond all bounds is a fault, and 0 from there on.  A
scan is a walk with registers; one step past the border counts as outside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from attrs import define, evolve, field

from rulewright.compiler.ir.nodes import (
    Array,
    Const,
    Element,
    Expr,
    Function,
    as_expr,
    choice,
    op,
    parts,
)
from rulewright.compiler.ir.types import FLOAT, FLOATS, NOTHING
from rulewright.compiler.layout import DECISIONS, MARGIN, StateLayout, Unsupported
from rulewright.compiler.lower.definitions import nodes_in
from rulewright.compiler.lower.deltas import JudgingValues, lower_change, shared_sites
from rulewright.compiler.lower.line_sites import lower_line_sites, lower_lines_where
from rulewright.compiler.lower.lines import lower_line_sum, lower_quantifier
from rulewright.compiler.lower.links import lower_link_sites
from rulewright.compiler.lower.operations import OPERATIONS, each_set
from rulewright.compiler.lower.paths import PathEnds, PathScratch, lower_path
from rulewright.compiler.lower.rays import lower_ray
from rulewright.compiler.lower.values import Forms, Values
from rulewright.compiler.lower.writer import (
    GAME,
    SCRATCH,
    STATE,
    Lowered,
    OneStep,
    Site,
    Writer,
    as_word,
    at,
    signature,
)
from rulewright.compiler.passes.normalize import Normalizer
from rulewright.compiler.passes.stillness import numbers_by_site
from rulewright.model import evaluation as ev
from rulewright.model import expressions as m
from rulewright.model.expressions import Type
from rulewright.model.walk import depends_only_on_position, nodes, reachable_nodes


def lower_scan(v: EvaluatorValues, e: m.ScanValue) -> Lowered:
    """Write a scan: a walk from a site along a step."""
    scan = v.evaluator.scans[e.scan]
    site, step = v.site(e.site), v.value(e.step)
    next_site = _next(v, step, site)
    outer, v.frame = v.frame, {0: Site(site), 1: step}
    try:
        return _walk(v, scan, next_site, site)
    finally:
        v.frame = outer


def _walk(
    v: EvaluatorValues, scan: ev.Scan, next_site: Callable[[Expr], Expr], site: Expr
) -> Lowered:
    w = v.w
    sets = [v.sites(reaction.sites) for reaction in scan.reactions]
    for register in scan.registers:
        v.frame[register.slot] = _register(v, register)
    current, going = w.var(next_site(site), "s"), w.var(1, "b")
    with w.loop(going.ne(0)):
        reacted = w.var(0, "b")
        for reaction, sites in zip(scan.reactions, sets, strict=True):
            with w.when(reacted.eq(0)):
                matches = w.var(int(reaction.outside), "b")
                with w.when(current >= 0):
                    w.set(matches, sites.has(current))
                with w.when(matches.ne(0)):
                    w.set(reacted, 1)
                    _deeds(v, reaction.deeds, going)
        with w.when(current < 0):
            w.set(going, 0)
        with w.otherwise():
            w.set(current, next_site(current))
    return v.value(scan.give)


def _next(v: EvaluatorValues, step: Lowered, first: Expr) -> Callable[[Expr], Expr]:
    """Return what writes the site one step on from a site (-1 past the border, or once round)."""
    steps = step.steps if isinstance(step, OneStep) else step
    if not isinstance(steps, tuple) or not (isinstance(step, OneStep) or len(steps) == 1):
        raise Unsupported("a scan along a step that depends on the position")
    if any(map(v.board.crosses_itself, steps)):
        raise Unsupported("a scan along a line that crosses itself")
    base = as_expr(v.layout.next_table(steps))
    if isinstance(step, OneStep):
        base = v.w.let(base + step.index * len(v.board.names), "k")
    if not v.board.has_rounds:
        return lambda site: at("g.tables", base + site)

    def within_round(site: Expr) -> Expr:
        following = v.w.let(at("g.tables", base + site), "s")
        return choice(following.eq(first), -1, following)

    return within_round


def _register(v: EvaluatorValues, register: ev.SetRegister) -> Lowered:
    value = v.word(register.value)
    if register.value.type is Type.TRUTH:
        return v.w.var(choice(value, 1, 0), "v").ne(0)
    return v.w.var(value, "v")


def _deeds(v: EvaluatorValues, deeds: tuple[ev.ScanEffect, ...], going: Expr) -> None:
    for deed in deeds:
        match deed:
            case ev.SetRegister(slot=slot, value=value):
                is_truth, name = value.type is Type.TRUTH, as_word(v.frame[slot])
                number = v.word(value)
                if is_truth:
                    (name, _), number = parts(name), choice(number, 1, 0)
                v.w.set(name, number)
            case ev.If(condition=condition, then=then, otherwise=otherwise):
                test = v.w.flag(v.truth(condition))
                with v.w.when(test.ne(0)):
                    _deeds(v, then, going)
                with v.w.otherwise():
                    _deeds(v, otherwise, going)
            case ev.Stop():
                v.w.set(going, 0)


FREE_ROWS = MARGIN
"""Rows at the end of `g.rows` for counting decisions while a search holds rows of its own."""


def _divide(v: Values, e: m.Apply) -> Lowered:
    a, b = (v.real(i) for i in e.arguments)
    result = v.w.var(0.0, "r")
    with v.w.when(b.eq(0.0)):
        v.fault("divide-by-zero")
    with v.w.otherwise():
        v.w.set(result, a / b)
        v.no_overflow(result)
    return result


def _power(v: Values, e: m.Apply) -> Lowered:
    """Write a power by repeated multiplication from the left, as the reference does."""
    base, times = v.number(e.arguments[0]), v.number(e.arguments[1])
    real = base.type == FLOAT
    w, result = v.w, v.w.var(1.0 if real else 1, "r")
    with w.when((times < 0) | (times > 64)):
        v.fault("bad-power")
    with w.otherwise(), w.each(0, times):
        if not real:
            size, product = (w.let(choice(n >= 0, n, 0 - n), "n") for n in (base, result))
            with w.when(size.ne(0)), w.when(product > (2**62 - 1) // size):
                v.fault("overflow")
                w.set(result, 0)
        w.set(result, result * base)
        if real:
            v.no_overflow(result)
    return result


# --- lists and tables ---


def _item(v: Values, e: m.Apply) -> Lowered:
    """Write the choice of one of a list of numbers; a fault beyond its ends."""
    with _list_items(v, e.arguments[0]) as items:
        values = [as_word(v.convert(item, e.type)) for item in items]
    return _pick_number(v, values, v.number(e.arguments[1]), e.type)


def _pick_number(v: Values, values: list[Expr], index: Expr, type_: Type) -> Expr:
    result = v.w.var(0.0 if type_ is Type.REAL else 0, "r")
    with v.w.when((index < 0) | (index >= len(values))):
        v.fault("not-in-list")
    for place, value in enumerate(values):
        with v.w.when(index.eq(place)):
            v.w.set(result, value)
    return result


@contextmanager
def _list_items(v: Values, e: m.Expr) -> Iterator[tuple[m.Expr, ...]]:
    """Give the numbers of a list, which may be a definition, or one for each player."""
    match e:
        case m.Apply(operation="numbers", arguments=items):
            yield items
        case m.Const(value=tuple(numbers)):
            kinds = {int: Type.INT, float: Type.REAL}
            yield tuple(m.Const(kinds[type(n)], n) for n in numbers)
        case m.CallFunction():
            with v.in_definition(e) as body, _list_items(v, body) as items:
                yield items
        case _:
            raise Unsupported("a list of numbers that depends on the position")


def _table_value(v: Values, e: m.Apply) -> Lowered:
    """Look up the number of a site in a table."""
    with _list_items(v, e.arguments[0]) as items:
        values = [i.value if isinstance(i, m.Const) else None for i in items]
    if not all(isinstance(n, int) for n in values):
        raise Unsupported("a table of numbers that are not whole")
    table = v.layout.number_table(f"places {values}", values)  # type: ignore[arg-type]
    number = v.w.let(at("g.tables", table + v.site(e.arguments[1])), "n")
    return v.w.let(op("real", number), "r") if e.type is Type.REAL else number


# --- decisions and chance ---


def _mobility(v: Values, e: m.Apply) -> Lowered:
    """Count the decisions of the viewer if a turn of his began now; on a copy of the position."""
    w, first = v.w, DECISIONS - FREE_ROWS
    result, count = w.var(0, "n"), w.call("how_many", GAME, first)
    with w.when(STATE.mover.eq(v.view)):
        w.set(result, count)
    with w.otherwise(), v.keep_position():
        w.set(STATE.mover, v.view)
        w.set(STATE.rest, v.layout.courses[v.rules.course])
        w.set(STATE.fresh, 1)
        w.set(result, count)
    return result


def _random(v: Values, e: m.Apply) -> Lowered:
    """Draw a whole number between two, both included, in either order (xorshift64*, Vigna 2016)."""
    w = v.w
    a, b = (v.number(i) for i in e.arguments)
    low = w.let(choice(a < b, a, b), "n")
    span = w.let(choice(a < b, b - a, a - b) + 1, "n")
    x = w.var(SCRATCH.chance, "x")
    for shift, by in (("shift_right", 12), ("wrap_shl", 25), ("shift_right", 27)):
        w.set(x, x ^ op(shift, x, by))
    w.set(SCRATCH.chance, x)
    half = w.let(op("shift_right", op("wrap_mul", x, 2685821657736338717), 33), "x")
    return w.let(low + (op("wrap_mul", half, span) >> 31), "n")


def _refuse(v: Values, e: m.Apply) -> Lowered:
    raise Unsupported(f"`{e.operation}` has no kernel in evaluators")


REALS: dict[str, Callable[[Values, m.Apply], Lowered]] = {
    "divide": _divide,
    "power": _power,
    "item": _item,
    "placed": _table_value,
    "mobility": _mobility,
    "random": _random,
    "repeats": _refuse,
    "board_repeats": _refuse,
}
"""Operations that evaluators write in their own way, or refuse."""


@define
class EvaluatorValues(JudgingValues):
    """Write the expressions that only evaluators have, and numbers that are not whole."""

    settles: bool = field(default=False, kw_only=True)
    """Whether definitions that a position settles are worked out once; see `begin`."""
    extra_arrays: tuple[Array, ...] = field(default=(Array("factors", FLOATS),), kw_only=True)
    """Arrays that kernels of paths take beside the game."""

    @property
    def at_start(self) -> bool:
        """Whether the position looked at is the one of `begin`, not a copy that has changed."""
        return self.settles and self.state == "g.state"

    def begin(self) -> None:
        """Begin with a position: what was worked out of the last one is void."""
        self.settles = True
        self.w.set(SCRATCH.epoch, SCRATCH.epoch + 1)

    def fill_room(self, key: object, size: int, write: Callable[[Values, int], None]) -> int:
        """Return the offset of words that a kernel fills once a position."""
        if not self.at_start:
            return super().fill_room(key, size, write)
        return self.cache(key, size, write)

    def cache(
        self,
        key: object,
        size: int,
        write: Callable[[Values, int], None],
        extra_arrays: tuple[Array, ...] = (),
    ) -> int:
        """Call the kernel that fills *size* words once a position; returns their offset."""
        caches, key = self.layout.caches, (key, *(array.name for array in extra_arrays))
        if key not in caches:
            caches[key] = _kernel_once(self, size, write, extra_arrays)
        name, place = caches[key]
        self.w.do(name, GAME, *((array,) for array in extra_arrays))
        return place

    def number(self, e: m.Expr) -> Expr:
        """Write a number of the expression's own type."""
        return self.word(e)

    def value(self, e: m.Expr) -> Lowered:
        """Write the value of any expression but a family."""
        match e:
            case m.FactorValue(index=index):
                cell = Element(Array("factors", FLOATS), as_expr(index))
                return self.w.let(cell if e.type is Type.REAL else op("float_bits", cell), "f")
            case m.ScanValue():
                with self.at(self.evaluator.scans[e.scan].origin):
                    return lower_scan(self, e)
            case m.PathValue():
                return _path_once(self, e) if self.at_start else _path(self, e)
            case m.Const(type=Type.REAL, value=value):
                return Const(float(value), FLOAT)  # type: ignore[arg-type]
            case m.ChosenValue(name=name):
                if self.judged is None:
                    raise Unsupported("what a move chooses, where no move is judged")
                return self.judged.by_name[name]
            case m.Change():
                return lower_change(self, e)
            case m.Quantified(type=Type.INT) | m.CallFunction(type=Type.INT):
                number = self.w.attempt(lambda: self._by_site(e))
                if number is not None:
                    return number
            case m.CallFunction(type=Type.SITES, arguments=()):
                sites = shared_sites(self, e)
                if sites is not None:
                    return sites
        return super().value(e)

    def _by_site(self, e: m.Expr) -> Expr | None:
        """Look up a number that depends on a site alone; None for any other number."""
        whole = Normalizer(self.rules, self.view, self.mover)(e)
        inner = {slot for n in nodes(whole) if isinstance(n, m.Quantified) for slot in n.slots}
        free = {n.slot for n in nodes(whole) if isinstance(n, m.Local)} - inner
        slot = next(iter(free), None)
        site = None if slot is None else self.frame.get(slot)
        if len(free) != 1 or slot is None or not isinstance(site, Site):
            return None
        values = numbers_by_site(self.rules, whole, slot)
        if values is None:
            return None
        table = self.layout.number_table(f"by site {values}", values)
        return self.w.let(at("g.tables", table + site.number), "n")


def _fast(v: Values, e: m.Quantified) -> Lowered | None:
    if e.quantifier == "sum":
        return v.w.attempt(lambda: lower_line_sum(v, e))
    if e.quantifier == "those":
        sites = v.w.attempt(lambda: lower_link_sites(v, e))
        return v.w.attempt(lambda: lower_line_sites(v, e)) if sites is None else sites
    fast = v.w.attempt(lambda: lower_quantifier(v, e))
    return v.w.attempt(lambda: lower_lines_where(v, e)) if fast is None else fast


SETTLED = 12
"""A definition with fewer nodes than this, all that it calls included, is written out."""


def _settled_sites(v: Values, e: m.CallFunction) -> Lowered | None:
    """Load the sites of a definition that depends on the position alone, filled by its kernel.

    None for other definitions: they may ask for factors, which kernels do not take.
    """
    assert isinstance(v, EvaluatorValues)
    if not v.at_start or nodes_in(v.layout, e.function) < SETTLED:
        return None
    is_settled, asks_mover = _definition_facts(v, e.function)
    if not is_settled:
        return None
    key = (e.function, v.view, v.mover if asks_mover else None)
    body = v.evaluator.functions[e.function].bodies

    def write(inner: Values, place: int) -> None:
        sites = inner.sites(body[v.view if len(body) > 1 else 0])
        inner.w.store("g.scratch", place, sites)

    return v.w.load("g.scratch", v.cache(key, v.layout.words, write))


def _path(v: EvaluatorValues, e: m.PathValue) -> Expr:
    """Write the cost of a path, worked out here."""
    path = v.evaluator.paths[e.path]
    with v.at(path.origin):
        return lower_path(v, path, e.type)


def _path_once(v: EvaluatorValues, e: m.PathValue) -> Expr:
    """Load the cost of a path, which its kernel works out once a position."""

    def write(inner: Values, place: int) -> None:
        assert isinstance(inner, EvaluatorValues)
        inner.w.set(at("g.scratch", place), _path(inner, e))

    key = ("path", e.path, v.view, v.mover if _path_asks_mover(v, e.path) else None)
    return v.w.let(at("g.scratch", v.cache(key, 1, write, v.extra_arrays)), "h")


def _path_asks_mover(v: EvaluatorValues, number: int) -> bool:
    """Whether a path depends on who is to move, the view being the same."""
    members = reachable_nodes(v.evaluator.paths[number], v.evaluator.functions)
    return any(isinstance(n, m.PathValue | m.ScanValue | m.Change) or _is_mover(n) for n in members)


def _is_mover(node: object) -> bool:
    return isinstance(node, m.Viewed) and node.player == m.MOVER


def _definition_facts(v: EvaluatorValues, number: int) -> tuple[bool, bool]:
    """Return whether a definition depends on the position alone, and whether on who is to move."""
    if number not in v.layout.facts:
        functions = v.evaluator.functions
        members = reachable_nodes(functions[number].bodies, functions)
        asks_mover = any(map(_is_mover, members))
        v.layout.facts[number] = depends_only_on_position(number, functions), asks_mover
    return v.layout.facts[number]


def _kernel_once(
    v: EvaluatorValues,
    size: int,
    write: Callable[[Values, int], None],
    extra_arrays: tuple[Array, ...],
) -> tuple[str, int]:
    """Write a kernel that fills *size* words once a position; returns its name and their offset.

    It takes the game and *extra_arrays*.
    """
    layout = v.layout
    place = layout.scratch(size + 1)
    epoch = at("g.scratch", place + size)
    w = Writer(layout=layout)
    inner = evolve(v, w=w, frame={})
    with w.when(epoch.ne(SCRATCH.epoch)):
        w.set(epoch, SCRATCH.epoch)
        write(inner, place)
    name = f"once{place}"
    takes = tuple((array.name, array.type) for array in extra_arrays)
    kernel = w.function(name, signature(gives=NOTHING, more=takes))
    kernel.apart = True  # they call each other: written into each other they would double each time
    layout.kernels.append(kernel)
    return name, place


FORMS = Forms({**OPERATIONS, **REALS}, each_set, lower_ray, _fast, _settled_sites)


# --- the ends of paths ---


def lower_path_ends(
    layout: StateLayout,
    scratch: PathScratch,
    path: tuple[ev.Evaluator, str],
    players: tuple[int, int],
) -> tuple[Writer, list[Function]]:
    """Write the kernel for the ends of a path; *players* are the viewer and who is to move.

    It takes `g` and `at`.  Also returns the kernels that it calls.  Its tables are added to those
    of *layout*.
    """
    evaluator, name = path
    cheapest = next(p for p in evaluator.paths if p.name == name)
    inner = layout.for_definitions(evaluator.functions)
    w = Writer(layout=inner)
    v = _Fixed(FORMS, inner, w, *players, evaluator=evaluator)
    v.begin()
    PathEnds(v, cheapest, scratch.buckets, scratch).write()
    layout.scratch_size = inner.scratch_size
    return w, inner.kernels


@define
class _Fixed(EvaluatorValues):
    """Write expressions with the evaluator's own values of factors."""

    extra_arrays: tuple[Array, ...] = field(default=(), kw_only=True)

    def value(self, e: m.Expr) -> Lowered:
        """Write the value of any expression but a family."""
        if isinstance(e, m.FactorValue):
            number = self.evaluator.defaults[e.index]
            return as_expr(float(number) if e.type is Type.REAL else int(number))
        return super().value(e)
