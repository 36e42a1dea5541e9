"""What a choice changes in a sum over groups: only groups that it touches are looked at.

In: `sum(g in groups(A) : f(g))` or a count of groups, where A and f look at the sites of the group
alone.  A group that neither holds nor adjoins a site that has changed is the same before and after,
and worth the same.  Out: the change of the number.  Refuses (`Unfit`) other numbers, and sums that
are not whole, whose order would matter.

The reference adds all groups, and could meet an overflow among those left out; so `look` notes in
g.scratch[ROUNDED] when a group is worth more than 2^46, and the reference decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from attrs import frozen

from rulewright.codegen.fills import Unfit
from rulewright.codegen.plain import Plainer, is_apply
from rulewright.codegen.writer import Words
from rulewright.model import expressions as m
from rulewright.model.expressions import Const, Expr, Type

if TYPE_CHECKING:
    from rulewright.codegen.judging import Judging

EXACT = 2**46
"""Whole numbers up to this, and sums of hundreds of them, are exact as floats."""
_STILL = frozenset({
    "add", "subtract", "multiply", "divide", "negate", "abs", "sign", "div", "mod", "power", "item",
    "numbers", "placed", "count", "any", "not", "x", "y", "less", "less_equal", "equal", "between",
    "meets", "inside", "unite", "intersect", "row", "column",
})  # fmt: skip
"""Operations that look at nothing but their arguments."""
_POINTWISE = frozenset({"owned", "of_kind", "full", "empty"})
_COMBINED = frozenset({"unite", "intersect", "complement"})


@frozen
class Grouped:
    """A sum (or without `value` a count) over the groups of `sites` that pass all `tests`."""

    sites: Expr
    steps: Expr
    slots: tuple[int, ...]
    tests: tuple[Expr, ...]
    value: Expr | None


def grouped(v: Judging, e: Expr) -> Grouped:
    """The form of a number, as the player looked at sees it."""
    plain = Plainer(v.plan.rules, v.view, v.mover)(e)
    value: Expr | None = None
    slots: list[int] = []
    tests: list[Expr] = []
    if isinstance(plain, m.Each) and plain.quantifier == "sum" and len(plain.slots) == 1:
        domain, value = plain.domains[0], plain.body
        slots.append(plain.slots[0])
    elif isinstance(plain, m.Apply) and plain.operation == "members":
        domain = plain.arguments[0]
    else:
        raise Unfit
    while isinstance(domain, m.Each) and domain.quantifier == "those":
        slots.append(domain.slots[0])
        tests.append(domain.body)
        domain = domain.domains[0]
    if not is_apply(domain, "groups") or plain.type is not Type.INT:
        raise Unfit
    assert isinstance(domain, m.Apply)
    sites, steps = domain.arguments
    found = Grouped(sites, steps, tuple(slots), tuple(tests), value)
    looked_at = [*tests, *([] if value is None else [value])]
    if not _pointwise(found.sites) or not all(_local(part, found.slots) for part in looked_at):
        raise Unfit
    return found


def _pointwise(e: Expr) -> bool:
    """Whether a site belongs to a set for what stands on that site alone."""
    if isinstance(e, Const):
        return True
    if not isinstance(e, m.Apply):
        return False
    if e.operation in _POINTWISE:
        return all(isinstance(a, Const) for a in e.arguments)
    return e.operation in _COMBINED and all(map(_pointwise, e.arguments))


def _local(e: Expr, slots: tuple[int, ...]) -> bool:
    """Whether an expression looks at nothing but the sites of the group."""
    match e:
        case Const() | m.Local() | m.FactorValue():
            return True
        case m.Choice(condition=condition, then=then, otherwise=otherwise):
            return all(_local(part, slots) for part in (condition, then, otherwise))
        case m.Logic(items=items):
            return all(_local(item, slots) for item in items)
        case m.Each(domains=domains, body=body):
            return all(_local(part, slots) for part in (*domains, body))
        case m.Apply(operation="meets" | "inside" | "intersect", arguments=arguments):
            of_group = any(isinstance(a, m.Local) and a.slot in slots for a in arguments)
            rest = [a for a in arguments if not (isinstance(a, m.Local) and a.slot in slots)]
            if of_group and (e.operation != "inside" or arguments[0] not in rest):
                return all(_pointwise(a) or _local(a, slots) for a in rest)
            return all(_local(a, slots) for a in arguments)
        case m.Apply(operation=operation, arguments=arguments):
            return operation in _STILL and all(_local(a, slots) for a in arguments)
    return False


# --- writing ---


def guard(v: Judging, form: Grouped) -> None:
    """Note when a group is worth so much that the order of the sum could matter."""
    if form.value is None:
        return
    everywhere = v.w.constant(v.plan.rules.board.sites)
    with _each(v, form, everywhere):
        _bounded(v, v.number(form.value))


def total(v: Judging, form: Grouped, near: Words) -> str:
    """The sum over the groups that meet a set."""
    result = v.w.fresh("q")
    v.w.put(f"{result} = 0")
    with _each(v, form, near):
        if form.value is None:
            v.w.put(f"{result} = {result} + 1")
        else:
            value = v.w.let(v.number(form.value), "n")
            _bounded(v, value)
            v.w.put(f"{result} = {result} + {value}")
    return result


def _bounded(v: Judging, value: str) -> None:
    with v.w.block(f"if {value} > {EXACT} or {value} < -{EXACT}:"):
        v.w.put("g.scratch.rounded = 1")


@contextmanager
def _each(v: Judging, form: Grouped, near: Words) -> Iterator[None]:
    """For every group that meets a set and passes the tests."""
    w, steps, outer = v.w, v.known_steps(form.steps), dict(v.frame)
    sites = v.words(form.sites)
    rest = w.variable(w.each("{0} & {1}", sites, near))
    with w.block(f"while {w.some(rest)}:"):
        seed = w.site_bit(w.lowest(rest))
        group = w.flood(seed, sites, lambda words: v.neighbours(steps, words))
        w.assign(rest, w.each("{0} & ~{1}", rest, group))
        v.frame |= dict.fromkeys(form.slots, group)
        kept = " and ".join(f"{v.flag(v.truth(test))} != 0" for test in form.tests)
        with w.block(f"if {kept or '1 == 1'}:"):
            yield
    v.frame = outer


def neighbourhood(v: Judging, form: Grouped, sites: Words) -> Words:
    """A set of sites and all that adjoin it."""
    steps = v.known_steps(form.steps)
    both = tuple(dict.fromkeys([*steps, *map(v.plan.rules.board.opposite, steps)]))
    return v.w.each("{0} | {1}", sites, v.neighbours(both, sites))


def difference(v: Judging, room: int) -> Words:
    """The sites on which another piece stands now than in the copy at *room* of X."""
    plan, w = v.plan, v.w
    count = plan.owners + (len(plan.rules.kinds) if plan.kinds_kept else 0)
    found: list[str] = []
    for word in range(plan.words):
        places = [plan.owned + i * plan.words + word for i in range(count)]
        differ = (f"({plan.word('g.state', at)} ^ g.scratch[{room + at}])" for at in places)
        found.append(w.let(" | ".join(differ), "m"))
    return found
