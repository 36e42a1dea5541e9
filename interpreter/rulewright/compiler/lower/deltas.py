"""Delta evaluation: what a choice changes in a number, `change(E)`.

The judged choice is made on the position, E is worked out there, and the position comes back.
A sum over groups looks only at groups that the choice touches: one that neither holds nor adjoins a
changed site is the same before and after.

The reference adds all groups, and could meet an overflow among those left out; so `look` notes in
`g.scratch.rounded` when a group is worth more than 2^46, and the reference decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import reduce
from operator import and_, or_

from attrs import define, field, frozen

from rulewright.compiler.ir.nodes import Expr, op, truth
from rulewright.compiler.layout import Unsupported
from rulewright.compiler.lower.moves import MoveWriter
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.writer import (
    SCRATCH,
    STATE,
    Lowered,
    OneStep,
    Site,
    Sites,
    as_word,
    at,
)
from rulewright.compiler.passes.decision_rows import SETS
from rulewright.compiler.passes.normalize import Normalizer, harmless, is_apply
from rulewright.compiler.seats import view_of
from rulewright.ground.records import Record, record
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.evaluation import Evaluator
from rulewright.model.expressions import Const, Type
from rulewright.model.walk import nodes, parts, reachable_nodes
from rulewright.reference.effects import has_need

EXACT = 2**46
"""Whole numbers up to this, and sums of hundreds of them, are exact as floats."""
_OF_ARGUMENTS = frozenset({
    "add", "subtract", "multiply", "divide", "negate", "abs", "sign", "div", "mod", "power", "item",
    "kind_item", "step_item",
    "numbers", "placed", "count", "any", "not", "x", "y", "z", "less", "less_equal", "equal",
    "between", "meets", "inside", "unite", "intersect", "row", "column", "layer", "image",
})  # fmt: skip
"""Operations that look at nothing but their arguments."""
_POINTWISE = frozenset({"owned", "of_kind", "full", "empty"})
_COMBINED = frozenset({"unite", "intersect", "complement"})


@record
class Grouped(Record):
    """A sum (or without `value` a count) over the groups of `sites` that pass all `tests`."""

    sites: m.Expr
    steps: m.Expr
    slots: tuple[int, ...]
    tests: tuple[m.Expr, ...]
    value: m.Expr | None


@frozen(eq=False)
class SharedValues:
    """Values that all decisions of a position share, while one player decides.

    `numbers` have, by view and expression, their place in `g.scratch`; `sets` are those that
    definitions name, in the order of their dependencies; `guards` are sums to test once.
    """

    numbers: dict[tuple[int, m.Expr], int] = field(factory=dict)
    sets: dict[tuple[int, m.Expr], int] = field(factory=dict)
    guards: dict[tuple[int, m.Expr], Grouped] = field(factory=dict)


@frozen(eq=False)
class JudgedChoice:
    """The move that is judged, and its chosen values by name and by slot.

    `bodies` are the numbers whose changes the value asks for; `changes` holds the changes that are
    worked out already.
    """

    move: int
    by_name: Mapping[str, Lowered]
    by_slot: Mapping[int, Lowered]
    pool: SharedValues
    bodies: tuple[m.Expr, ...] = ()
    changes: dict[tuple[int, m.Expr], Expr] = field(factory=dict)


@define
class JudgingValues(Values):
    """Write values of an evaluator, maybe for a move that is judged."""

    evaluator: Evaluator = field(kw_only=True)
    judged: JudgedChoice | None = field(default=None, kw_only=True)
    ready: dict[tuple[int, m.Expr], Sites] = field(factory=dict, kw_only=True)
    """Sets that have been worked out, by view and expression."""
    changed: bool = field(default=False, kw_only=True)
    """Whether the judged choice has been made, so that shared sets are void."""


def group_sum(v: JudgingValues, e: m.Expr) -> Grouped:
    """Read a number as a sum over groups, in the present view; raises `Unsupported`."""
    normal = Normalizer(v.rules, v.view, v.mover)(e)
    value: m.Expr | None = None
    slots: list[int] = []
    tests: list[m.Expr] = []
    if isinstance(normal, m.Quantified) and normal.quantifier == "sum" and len(normal.slots) == 1:
        domain, value = normal.domains[0], normal.body
        slots.append(normal.slots[0])
    elif isinstance(normal, m.Apply) and normal.operation == "members":
        domain = normal.arguments[0]
    else:
        raise Unsupported
    while isinstance(domain, m.Quantified) and domain.quantifier == "those":
        slots.append(domain.slots[0])
        tests.append(domain.body)
        domain = domain.domains[0]
    if not is_apply(domain, "groups") or normal.type is not Type.INT:
        raise Unsupported
    assert isinstance(domain, m.Apply)
    sites, steps = domain.arguments
    form = Grouped(sites, steps, tuple(slots), tuple(tests), value)
    looked_at = [*tests, *([] if value is None else [value])]
    if not _pointwise(form.sites) or not all(_local(part, form.slots) for part in looked_at):
        raise Unsupported
    return form


def _pointwise(e: m.Expr) -> bool:
    """Whether membership of a site depends on what stands on that site alone."""
    if isinstance(e, Const):
        return True
    if not isinstance(e, m.Apply):
        return False
    if e.operation in _POINTWISE:
        return all(isinstance(a, Const) for a in e.arguments)
    return e.operation in _COMBINED and all(map(_pointwise, e.arguments))


def _local(e: m.Expr, slots: tuple[int, ...]) -> bool:
    """Whether an expression depends on the sites of the group alone."""
    match e:
        case Const() | m.Local() | m.FactorValue():
            return True
        case m.Conditional(condition=condition, then=then, otherwise=otherwise):
            return all(_local(part, slots) for part in (condition, then, otherwise))
        case m.Logic(items=items):
            return all(_local(item, slots) for item in items)
        case m.Quantified(domains=domains, body=body):
            return all(_local(part, slots) for part in (*domains, body))
        case m.Apply(operation="meets" | "inside" | "intersect", arguments=arguments):
            of_group = any(isinstance(a, m.Local) and a.slot in slots for a in arguments)
            sets = [a for a in arguments if not (isinstance(a, m.Local) and a.slot in slots)]
            if of_group and (e.operation != "inside" or arguments[0] not in sets):
                return all(_pointwise(a) or _local(a, slots) for a in sets)
            return all(_local(a, slots) for a in arguments)
        case m.Apply(operation=operation, arguments=arguments):
            return operation in _OF_ARGUMENTS and all(_local(a, slots) for a in arguments)
    return False


# --- writing ---


def guard(v: JudgingValues, form: Grouped) -> None:
    """Write the test that no group is worth so much that the order of the sum could matter."""
    if form.value is None:
        return
    everywhere = v.w.constant(v.board.sites)
    with _each_group(v, form, everywhere):
        _check_bound(v, v.number(form.value))


def total(v: JudgingValues, form: Grouped, near: Sites) -> Expr:
    """Write the sum over the groups that meet a set."""
    result = v.w.var(0, "q")
    with _each_group(v, form, near):
        if form.value is None:
            v.w.set(result, result + 1)
        else:
            value = v.w.let(v.number(form.value), "n")
            _check_bound(v, value)
            v.w.set(result, result + value)
    return result


def _check_bound(v: JudgingValues, value: Expr) -> None:
    with v.w.when((value > EXACT) | (value < -EXACT)):
        v.w.set(SCRATCH.rounded, 1)


@contextmanager
def _each_group(v: JudgingValues, form: Grouped, near: Sites) -> Iterator[None]:
    """Write a loop over the groups that meet a set and pass the tests."""
    w, outer = v.w, dict(v.frame)
    steps = v.board.both_ways(v.known_steps(form.steps))
    sites = v.sites(form.sites)
    rest = w.variable(sites & near)
    with w.loop(rest.any()):
        seed = w.site_bit(rest.lowest())
        group = w.flood(seed, sites, lambda reached: v.neighbours(steps, reached))
        w.assign(rest, rest - group)
        v.frame |= dict.fromkeys(form.slots, group)
        tests = [w.flag(v.truth(test)).ne(0) for test in form.tests]
        with w.when(reduce(and_, tests, truth(True))):
            yield
    v.frame = outer


def neighbourhood(v: JudgingValues, form: Grouped, sites: Sites) -> Sites:
    """Write the union of a set and all sites that adjoin it."""
    steps = v.board.both_ways(v.known_steps(form.steps))
    return sites | v.neighbours(steps, sites)


def difference(v: JudgingValues, room: int) -> Sites:
    """Write the set of sites whose piece differs from that in the copy at *room* of X."""
    layout, w = v.layout, v.w
    count = layout.owners + (len(layout.rules.kinds) if layout.kinds_kept else 0)
    words: list[Expr] = []
    for word in range(layout.words):
        places = [layout.owned + i * layout.words + word for i in range(count)]
        differ = [at("g.state", place) ^ at("g.scratch", room + place) for place in places]
        words.append(reduce(or_, differ))
    return w.sites_of(words)


def lower_change(v: JudgingValues, e: m.Change) -> Expr:
    """Write the change of a number: its value after the judged choice, less that of now."""
    judged = v.judged
    if judged is None:
        raise Unsupported("a change, where no move is judged")
    if any(isinstance(n, m.Change) for n in nodes(e.body)):
        raise Unsupported("a change within a change")
    change = judged.changes.get((v.view, e.body))
    if change is not None:
        return change
    fast: Expr | None = v.w.attempt(lambda: _touched(v, judged, e))
    return _anywhere(v, judged, e) if fast is None else fast


def _anywhere(v: JudgingValues, judged: JudgedChoice, e: m.Change) -> Expr:
    """Write the change of any number, evaluated before and after the choice."""
    w, real = v.w, e.type is Type.REAL
    present, result = now(v, judged, e.body), w.var(0.0 if real else 0, "c")

    def use() -> None:
        w.set(result, v.number(e.body) - present)

    with v.keep_position():
        after_choice(v, judged, use)
    v.no_overflow(result)
    return result


def _touched(v: JudgingValues, judged: JudgedChoice, e: m.Change) -> Expr:
    """Write the change of a sum over groups, from the groups that the choice touches.

    Outside of all blocks, the changes of all sums over the same groups are worked out together.
    """
    base, w = group_sum(v, e.body), v.w
    forms = {e.body: base}
    if w.level == 0:
        for body in judged.bodies:
            sum_ = _form(v, body)
            if sum_ and (sum_.sites, sum_.steps) == (base.sites, base.steps):
                forms[body] = sum_
    near = w.empty()
    results = {body: w.var(0, "c") for body in forms}

    with v.keep_position() as room:

        def use() -> None:
            changed = difference(v, room)
            w.assign(near, neighbourhood(v, base, changed))
            for body, form in forms.items():
                w.set(results[body], total(v, form, near))

        after_choice(v, judged, use)
    for body, form in forms.items():
        judged.pool.guards[v.view, body] = form
        w.set(results[body], results[body] - total(v, form, near))
        if w.level == 0:
            judged.changes[v.view, body] = results[body]
    return results[e.body]


def _form(v: JudgingValues, e: m.Expr) -> Grouped | None:
    try:
        return group_sum(v, e)
    except Unsupported:
        return None


def now(v: JudgingValues, judged: JudgedChoice, e: m.Expr) -> Expr:
    """Write a number of the present position, once for all decisions where it is the same."""
    if not is_shared(v, e):
        return v.number(e)
    place = judged.pool.numbers.setdefault((v.view, e), v.layout.scratch_size)
    if place == v.layout.scratch_size:
        v.layout.scratch(1)
    cell = at("g.scratch", place)
    return v.w.let(op("bits_float", cell) if e.type is Type.REAL else cell, "n")


def is_shared(v: JudgingValues, e: m.Expr) -> bool:
    """Whether a value is the same for all decisions of a position."""
    scans: set[int] = set()
    todo: list[object] = [e]
    while todo:
        for node in reachable_nodes(todo.pop(), v.rules.functions):
            match node:
                case m.ChosenValue() | m.Change() | m.Apply(operation="random"):
                    return False
                case m.ScanValue(scan=number) if number not in scans:
                    scans.add(number)
                    todo.append(v.evaluator.scans[number])
    return not any(isinstance(n, m.Local) for n in nodes(e)) or _closed(e)


def _closed(e: m.Expr) -> bool:
    """Whether an expression has no free variable."""
    own = {slot for n in nodes(e) if isinstance(n, m.Quantified) for slot in n.slots}
    return {n.slot for n in nodes(e) if isinstance(n, m.Local)} <= own


# --- sets that all decisions share ---


def shared_sites(v: JudgingValues, e: m.CallFunction) -> Sites | None:
    """Load the set of a definition that is worked out once for all decisions of a position.

    None if it depends on a choice, may have been changed by one, or could be a fault.
    """
    if (v.view, e) in v.ready:
        return v.ready[v.view, e]
    judged = v.judged
    if judged is None or v.changed or not _sharable(v, e, v.view):
        return None
    for key in _named_sets(v, e, v.view):
        place = judged.pool.sets.setdefault(key, v.layout.scratch_size)
        if place == v.layout.scratch_size:
            v.layout.scratch(v.layout.words)
    return v.w.load("g.scratch", judged.pool.sets[v.view, e])


def _sharable(v: JudgingValues, e: m.CallFunction, view: int) -> bool:
    form = Normalizer(v.rules, view, v.mover)(e)
    odd = (m.Local, m.FactorValue, m.ScanValue, m.PathValue)
    return is_shared(v, e) and harmless(form) and not any(isinstance(n, odd) for n in _free(form))


def _free(e: m.Expr) -> Iterator[m.Expr]:
    """Walk the nodes of an expression, without the variables of its own quantifiers."""
    own = {slot for n in nodes(e) if isinstance(n, m.Quantified) for slot in n.slots}
    return (n for n in nodes(e) if not (isinstance(n, m.Local) and n.slot in own))


def _named_sets(v: JudgingValues, e: m.Expr, view: int) -> Iterator[tuple[int, m.CallFunction]]:
    """Walk the definitions of sharable sets in an expression with their views, inner ones first."""
    if isinstance(e, m.Viewed):
        view = view_of(v.rules, e.player, view, v.mover)
    for part in parts(e):
        yield from _named_sets(v, part, view)
    if isinstance(e, m.CallFunction):
        bodies = v.rules.functions[e.function].bodies
        yield from _named_sets(v, bodies[view if len(bodies) > 1 else 0], view)
        if e.type is Type.SITES and not e.arguments and _sharable(v, e, view):
            yield view, e


# --- the choice made ---


def after_choice(v: JudgingValues, judged: JudgedChoice, use: Callable[[], None]) -> None:
    """Write the effects of the judged choice, made by the viewer, and then call *use*.

    Inside *use* the position is the one after the choice, with the same player to move.
    """
    mover, player, outer, place = v.mover, v.view, v.frame, v.origin
    was_changed, v.changed = v.changed, True
    v.w.set(STATE.mover, player)
    v.w.set(STATE.fresh, 0)
    v.frame, v.mover = dict(judged.by_slot), player
    writer = MoveWriter(v.layout, judged.move, player, reading=True)
    writer.begin_with(v)

    def finish() -> None:
        inner, v.frame, v.mover = v.frame, outer, mover
        v.w.set(STATE.mover, mover)
        with v.at(place):
            use()
        v.frame, v.mover = inner, player

    body = writer.move.body
    try:
        if player == mover:
            writer.run(body, finish)
        else:
            _run_for_opponent(writer, v, body, finish)
    finally:  # also where the choice turns out to have no kernel
        v.frame, v.mover, v.view, v.origin = outer, mover, player, place
        v.changed = was_changed


def _run_for_opponent(
    writer: MoveWriter, v: JudgingValues, body: tuple[r.Effect, ...], finish: Callable[[], None]
) -> None:
    """Write the effects for the player who is not to move, with tests that he could choose so."""
    for index, s in enumerate(body):
        rest = body[index + 1 :]
        match s:
            case r.Choose(slot=slot, domain=domain):
                with v.w.when(_member(v, domain, v.frame[slot]).ne(0)):
                    _run_for_opponent(writer, v, rest, finish)
                return
            case r.Need(condition=condition):
                with v.at(s.origin):
                    test = v.truth(condition)
                with v.w.when(test):
                    _run_for_opponent(writer, v, rest, finish)
                return
            case r.ChooseRay():
                raise Unsupported("a ray that the other player might choose")
            case r.Perform() | r.If() | r.Each() if has_need((s,), v.rules):
                raise Unsupported("a need of the other player inside an action or block")
        writer.run((s,), lambda: None)
    finish()


def _member(v: JudgingValues, domain: m.Expr, value: Lowered) -> Expr:
    """Write whether a chosen value is in a domain, in the present view, as 1 or 0."""
    match domain.type:
        case _ if domain.type in SETS:
            assert isinstance(value, Site)
            return v.sites(domain).has(value.number)
        case Type.STEP | Type.STEPS:
            assert isinstance(value, OneStep)
            steps = v.known_steps(domain)
            membership = [int(step in steps) for step in value.steps]
            table = v.layout.number_table(f"among {membership}", membership)
            return v.w.let(at("g.tables", table + value.index), "b")
        case Type.RANGE:
            low, high = v.ends(domain)
            number = as_word(value)
            return v.w.flag((number >= low) & (number <= high))
        case Type.NUMBERS | Type.KINDS if isinstance(domain, m.Const):
            number, values = as_word(value), domain.numbers or ()
            return v.w.flag(reduce(or_, [number.eq(n) for n in values], truth(False)))
    raise Unsupported("a choice that the other player might not have")
