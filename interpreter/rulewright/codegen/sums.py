"""Sums over lines by counting: how many lines hold so many stones of each set.

In: `sum(l in lines(n) : E)`, where E asks of l only how many of its sites are in given sets.  Out:
for every combination of counts the lines that have it, found for all lines of a direction at once
by adding bits in columns, times what E is worth there.  Combinations that are worth nothing are
left out. Refuses (`Unfit`) other sums, and sums that are not whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from attrs import evolve

from rulewright.codegen.fills import Unfit
from rulewright.codegen.lift import uses_slot
from rulewright.codegen.plain import Plainer, harmless, is_apply
from rulewright.codegen.shapes import line_starts
from rulewright.codegen.values import Values
from rulewright.codegen.writer import Words
from rulewright.errors import Fault
from rulewright.model import expressions as m
from rulewright.model.expressions import Const, Expr, Type
from rulewright.model.walk import nodes
from rulewright.reference.evaluate import evaluate
from rulewright.reference.position import Context

MOST_SETS = 2
"""Sets whose counts are combined: with more there are too many combinations."""


def line_sum(v: Values, e: m.Each) -> str:
    """A sum over lines as a number."""
    if len(e.slots) != 1 or e.type is not Type.INT or v.plan.rules.board.shape == "graph":
        raise Unfit
    plain = Plainer(v.plan.rules, v.view, v.mover)(e)
    assert isinstance(plain, m.Each)
    domain, slot = plain.domains[0], plain.slots[0]
    if not is_apply(domain, "lines"):
        raise Unfit
    length = domain.arguments[0]
    if not isinstance(length, Const) or not isinstance(length.value, int) or length.value < 2:
        raise Unfit
    sets = list(_sets(plain.body, slot))
    if not 1 <= len(sets) <= MOST_SETS or not all(harmless(s) for s in sets):
        raise Unfit
    return _counted(v, plain.body, slot, sets, length.value)


def _sets(body: Expr, slot: int) -> Iterator[Expr]:
    """The sets whose share of the line the sum asks for, each once."""
    found: list[Expr] = []
    for node in nodes(body):
        share = _share(node, slot)
        if share is not None and share not in found:
            found.append(share)
            yield share


def _share(node: Any, slot: int) -> Expr | None:
    """X of `count (X l)`, `any (X l)`, `X meets l`, `l in X`."""
    line = m.Local(Type.SITES, slot)
    if is_apply(node, "meets", "inside"):
        a, b = node.arguments
        if a == line and not uses_slot(b, slot):
            return b
        if node.operation == "meets" and b == line and not uses_slot(a, slot):
            return a
    if is_apply(node, "count", "any") and is_apply(node.arguments[0], "intersect"):
        parts = node.arguments[0].arguments
        others = [x for x in parts if x != line]
        if len(parts) == 2 and len(others) == 1 and not uses_slot(others[0], slot):
            return others[0]
    return None


# --- what a combination is worth ---


def _worth(body: Expr, slot: int, sets: list[Expr], counts: tuple[int, ...], length: int) -> Expr:
    """The body with the counts put in, folded as far as it goes."""

    def known(node: Expr) -> Expr:
        share = _share(node, slot)
        if share is None:
            return node
        n = counts[sets.index(share)]
        match node.operation:  # type: ignore[union-attr]
            case "count":
                return Const(Type.INT, n)
            case "inside":
                return Const(Type.TRUTH, n == length)
        return Const(Type.TRUTH, n > 0)

    found = _folded(body, known)
    if uses_slot(found, slot):
        raise Unfit
    return found


def _folded(e: Expr, known: Callable[[Expr], Expr]) -> Expr:
    e = known(e)
    match e:
        case m.Choice(condition=condition, then=then, otherwise=otherwise):
            test = _folded(condition, known)
            if isinstance(test, Const):
                return _folded(then if test.value else otherwise, known)
            return evolve(
                e, condition=test, then=_folded(then, known), otherwise=_folded(otherwise, known)
            )
        case m.Logic(conjunction=both, items=items):
            kept = [_folded(i, known) for i in items]
            if any(isinstance(k, Const) and k.value is not both for k in kept):
                return Const(Type.TRUTH, not both)
            left = [k for k in kept if not isinstance(k, Const)]
            return evolve(e, items=tuple(left)) if left else Const(Type.TRUTH, both)
        case m.Apply(operation="item", arguments=(m.Apply() as numbers, index)):
            place = _folded(index, known)
            if isinstance(place, Const) and 0 <= int(place.value) < len(numbers.arguments):  # type: ignore[arg-type]
                return _folded(numbers.arguments[int(place.value)], known)  # type: ignore[arg-type]
            raise Unfit
        case m.Apply(arguments=arguments):
            return _applied(evolve(e, arguments=tuple(_folded(a, known) for a in arguments)))
    return e


def _applied(e: m.Apply) -> Expr:
    """An operation on known values, worked out."""
    if not e.arguments or not all(isinstance(a, Const) for a in e.arguments):
        return e
    nowhere: Any = None
    try:
        value = evaluate(e, Context(nowhere, (), (), nowhere))
    except (Fault, AttributeError):
        raise Unfit from None
    return Const(e.type, value)


# --- lines by columns of bits ---


def _counted(v: Values, body: Expr, slot: int, sets: list[Expr], length: int) -> str:
    worths = {
        counts: _worth(body, slot, sets, counts, length)
        for counts in product(range(length + 1), repeat=len(sets))
        if sum(counts) <= length or not _disjoint(sets)
    }
    wanted = {c: e for c, e in worths.items() if not (isinstance(e, Const) and e.value == 0)}
    w, board = v.w, v.plan.rules.board
    names = {counts: v.value(e) for counts, e in wanted.items()}
    words = [v.words(s) for s in sets]
    found: dict[tuple[int, ...], list[str]] = {counts: [] for counts in wanted}
    for step in board.axes:
        by = step[0] + step[1] * board.width
        planes = [_planes(v, held, by, length) for held in words]
        begins = w.constant(line_starts(board, step, length))
        for counts in wanted:
            lines = begins
            for plane, n in zip(planes, counts, strict=True):
                for bit, column in enumerate(plane):
                    form = "{0} & {1}" if n >> bit & 1 else "{0} & ~{1}"
                    lines = w.each(form, lines, column)
            found[counts].append(w.count_of(lines))
    terms = [f"({' + '.join(found[c])}) * {names[c]}" for c in wanted]
    return w.let(" + ".join(terms) or "0", "n")


def _disjoint(sets: list[Expr]) -> bool:
    """Whether no site is in two of the sets."""
    owners = [s.arguments[0] for s in sets if is_apply(s, "owned")]
    return len(owners) == len(sets) == len(set(owners))


def _planes(v: Values, held: Words, by: int, length: int) -> list[Words]:
    """Column i: bit i of how many of the *length* sites from here on are in the set."""
    w = v.w
    planes: list[Words] = []
    for place in range(length):
        carry = held if place == 0 else w.shifted(held, -place * by)
        for i, plane in enumerate(planes):
            both = w.each("{0} & {1}", plane, carry)
            planes[i] = w.each("{0} ^ {1}", plane, carry)
            carry = both
        if (place + 1).bit_length() > len(planes):
            planes.append(carry)
    return planes
