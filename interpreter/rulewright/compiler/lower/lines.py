"""Lines and groups by whole sets: quantifiers, and sums over lines by counting.

In: a quantifier or a sum over `lines(n)` or `groups(X)`.  Out: the same truth or number by shifts
(a line is n copies of a set), by floods, or for a sum by adding bits in columns: how many lines of
a direction hold so many sites of each set.  Refuses (`Unsupported`) whatever has another form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from itertools import product
from operator import and_
from typing import Any

from attrs import evolve

from rulewright.compiler.ir.nodes import Expr, choice
from rulewright.compiler.layout import Unsupported
from rulewright.compiler.lower.links import linked_sites
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.writer import Lowered, Sites, total
from rulewright.compiler.passes.normalize import Normalizer, harmless, is_apply, parts_of, uses_slot
from rulewright.errors import Fault
from rulewright.ground.records import Record, record
from rulewright.model import expressions as m
from rulewright.model.board import Board, Step
from rulewright.model.expressions import Const, Type
from rulewright.model.walk import nodes, rebuilt
from rulewright.reference.evaluate import evaluate
from rulewright.reference.position import Context


def lower_quantifier(v: Values, e: m.Quantified) -> Lowered:
    """A quantifier over lines or groups, if a fast form covers it."""
    if len(e.slots) != 1 or e.domains[0].type is not Type.FAMILY:
        raise Unsupported
    normal = Normalizer(v.rules, v.view, v.mover)(e)
    assert isinstance(normal, m.Quantified)
    domain = normal.domains[0]
    note = v.layout.note_at
    if is_apply(domain, "lines") and e.quantifier in ("some", "count"):
        found = _lines(v, read_lines(normal), e.quantifier)
        note(e.origin, "lines", "by shifts of whole sets, all lines of a direction at once")
        return found
    if is_apply(domain, "groups", "groups_linked") and e.quantifier == "some":
        found = _groups(v, read_groups(normal, v.board))
        note(e.origin, "groups", "by one flood from the first goal, then a look at the second")
        return found
    raise Unsupported


# --- lines ---


@record
class Lines(Record):
    """Lines of a length that lie in all of `inside`, and whose ends are in none of `outside`."""

    length: int
    inside: tuple[m.Expr, ...]
    outside: tuple[m.Expr, ...]


def read_lines(e: m.Quantified) -> Lines:
    """The form of a quantifier (in normal form) over lines."""
    slot, domain = e.slots[0], e.domains[0]
    assert isinstance(domain, m.Apply)
    length = domain.arguments[0]
    if not isinstance(length, Const) or not isinstance(length.value, int) or length.value < 2:
        raise Unsupported
    inside: list[m.Expr] = []
    outside: list[m.Expr] = []
    for part in parts_of(e.body):
        match part:
            case m.Apply(operation="inside", arguments=(m.Local(slot=l), whole)) if l == slot:
                inside.append(_still(whole, slot))
            case m.Apply(operation="not", arguments=(m.Apply(operation="any", arguments=(a,)),)):
                outside.append(_still(beside_ends(a, slot), slot))
            case _:
                raise Unsupported
    if not inside:
        raise Unsupported
    return Lines(length.value, tuple(inside), tuple(outside))


def _still(e: m.Expr, slot: int) -> m.Expr:
    if uses_slot(e, slot) or not harmless(e):
        raise Unsupported
    return e


def beside_ends(e: m.Expr, slot: int) -> m.Expr:
    """X of `X ends(l)`."""
    ends = m.Apply(Type.SITES, "ends", (m.Local(Type.SITES, slot),))
    if is_apply(e, "intersect") and len(e.arguments) == 2:
        a, b = e.arguments
        if b == ends:
            return a
        if a == ends:
            return b
    raise Unsupported


def _lines(v: Values, lines: Lines, quantifier: str) -> Lowered:
    board, w = v.board, v.w
    if board.is_drawn:
        raise Unsupported
    held = reduce(and_, [v.sites(e) for e in lines.inside])
    beyond = [v.sites(e) for e in lines.outside]
    found: list[Sites] = []
    for step in board.axes:
        begins = _begins(v, held, step, lines.length)
        for sites in beyond:
            begins = without_ends_in(v, begins, sites, step, lines.length)
        found.append(begins)
    if quantifier == "count":
        return w.let(total(sites.count() for sites in found), "n")
    return Sites(w, tuple(word for sites in found for word in sites.words)).any()


def line_starts(board: Board, step: Step, length: int) -> int:
    """The sites where a line of that length begins."""
    sites = (s for s in range(len(board.names)) if board.sites >> s & 1)
    return sum(1 << s for s in sites if len(board.walk(s, step)) >= length - 1)


def overlap(held: Sites, length: int, by: int) -> Sites:
    """Sites from which that many in a row are held; the copies are doubled in each round."""
    found, reach = held, 1
    while reach < length:
        more = min(reach, length - reach)
        found = found & found.shifted(-more * by)
        reach += more
    return found


def _begins(v: Values, held: Sites, step: Step, length: int) -> Sites:
    """Where lines within *held* begin."""
    found = overlap(held, length, step[0] + step[1] * v.board.width)
    return found & v.w.constant(line_starts(v.board, step, length))


def beyond(v: Values, step: Step, length: int) -> tuple[Sites, Sites]:
    """The sites that have one before them, and those that have one behind a line from there."""
    board = v.board
    before = sum(1 << s for s, t in enumerate(board.targets(board.opposite(step))) if t)
    return v.w.constant(before), v.w.constant(line_starts(board, step, length + 1))


def without_ends_in(v: Values, begins: Sites, sites: Sites, step: Step, length: int) -> Sites:
    """Only the lines whose two ends are not in *sites*."""
    by = step[0] + step[1] * v.board.width
    for there, shift in zip(beyond(v, step, length), (by, -length * by), strict=True):
        begins = begins - (sites.shifted(shift) & there)
    return begins


# --- groups ---


@record
class Groups(Record):
    """Connected parts of a set that meet all of `goals`; joined by steps, or by links if None."""

    sites: m.Expr
    steps: tuple[Step, ...] | None
    goals: tuple[m.Expr, ...]


def read_groups(e: m.Quantified, board: Board) -> Groups:
    """The form of a quantifier (in normal form) over groups."""
    slot, domain = e.slots[0], e.domains[0]
    assert isinstance(domain, m.Apply)
    steps = None
    if domain.operation == "groups":
        way = domain.arguments[1]
        if not isinstance(way, Const):
            raise Unsupported
        steps = board.both_ways(way.steps)
    goals = []
    for part in parts_of(e.body):
        if not is_apply(part, "meets"):
            raise Unsupported
        a, b = part.arguments
        if b == m.Local(Type.SITES, slot):
            a, b = b, a
        if a != m.Local(Type.SITES, slot):
            raise Unsupported
        goals.append(_still(b, slot))
    return Groups(_still(domain.arguments[0], slot), steps, tuple(goals))


def _groups(v: Values, groups: Groups) -> Lowered:
    if len(groups.goals) != 2:
        raise Unsupported
    w, sites = v.w, v.sites(groups.sites)
    seed, goal = (sites & v.sites(g) for g in groups.goals)
    steps = groups.steps
    near: Callable[[Sites], Sites] = (
        (lambda found: linked_sites(v, found))
        if steps is None
        else (lambda found: v.neighbours(steps, found))
    )
    result = w.var(0, "b")
    with w.when(seed.any() & goal.any()):
        reached = w.flood(seed, sites, near)
        w.set(result, choice((reached & goal).any(), 1, 0))
    return result.ne(0)


MOST_SETS = 2
"""Sets whose counts are combined: with more there are too many combinations."""


def lower_line_sum(v: Values, e: m.Quantified) -> Expr:
    """A sum over lines as a number."""
    if len(e.slots) != 1 or e.type is not Type.INT or v.board.is_drawn:
        raise Unsupported
    normal = Normalizer(v.rules, v.view, v.mover)(e)
    assert isinstance(normal, m.Quantified)
    domain, slot = normal.domains[0], normal.slots[0]
    if not is_apply(domain, "lines"):
        raise Unsupported
    length = domain.arguments[0]
    if not isinstance(length, Const) or not isinstance(length.value, int) or length.value < 2:
        raise Unsupported
    sets = list(sets_asked(normal.body, slot))
    if not 1 <= len(sets) <= MOST_SETS or not all(harmless(s) for s in sets):
        raise Unsupported
    return _counted(v, normal.body, slot, sets, length.value)


def sets_asked(body: m.Expr, slot: int) -> Iterator[m.Expr]:
    """The sets whose share of the line the sum asks for, each once."""
    found: list[m.Expr] = []
    for node in nodes(body):
        share = _share(node, slot)
        if share is not None and share not in found:
            found.append(share)
            yield share


def _share(node: Any, slot: int) -> m.Expr | None:
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


def worth_of(
    body: m.Expr, slot: int, sets: list[m.Expr], counts: tuple[int, ...], length: int
) -> m.Expr:
    """The body with the counts put in, folded as far as it goes."""

    def known(node: m.Expr) -> m.Expr:
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
        raise Unsupported
    return found


def _folded(e: m.Expr, known: Callable[[m.Expr], m.Expr]) -> m.Expr:
    e = known(e)
    match e:
        case m.Conditional(condition=condition, then=then, otherwise=otherwise):
            test = _folded(condition, known)
            if isinstance(test, Const):
                return _folded(then if test.value else otherwise, known)
            return rebuilt(e, lambda x: _folded(x, known))
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
            raise Unsupported
        case m.Apply():
            return _applied(rebuilt(e, lambda x: _folded(x, known)))
    return e


def _applied(e: m.Apply) -> m.Expr:
    """An operation on known values, worked out."""
    if not e.arguments or not all(isinstance(a, Const) for a in e.arguments):
        return e
    nowhere: Any = None
    try:
        value = evaluate(e, Context(nowhere, (), (), nowhere))
    except (Fault, AttributeError):
        raise Unsupported from None
    return Const(e.type, value)


# --- lines by columns of bits ---


def _counted(v: Values, body: m.Expr, slot: int, sets: list[m.Expr], length: int) -> Expr:
    worths = {
        counts: worth_of(body, slot, sets, counts, length)
        for counts in product(range(length + 1), repeat=len(sets))
        if sum(counts) <= length or not disjoint(sets)
    }
    wanted = {c: e for c, e in worths.items() if not (isinstance(e, Const) and e.value == 0)}
    w, board = v.w, v.board
    names = {counts: v.number(e) for counts, e in wanted.items()}
    held = [v.sites(s) for s in sets]
    found: dict[tuple[int, ...], list[Expr]] = {counts: [] for counts in wanted}
    for step in board.axes:
        by = step[0] + step[1] * board.width
        planes = [planes_of(one, by, length) for one in held]
        begins = w.constant(line_starts(board, step, length))
        for counts in wanted:
            lines = begins
            for plane, n in zip(planes, counts, strict=True):
                for bit, column in enumerate(plane):
                    lines = lines & column if n >> bit & 1 else lines - column
            found[counts].append(lines.count())
    return w.let(total(total(found[c]) * names[c] for c in wanted), "n")


def disjoint(sets: list[m.Expr]) -> bool:
    """Whether no site is in two of the sets."""
    owners = [s.arguments[0] for s in sets if is_apply(s, "owned")]
    return len(owners) == len(sets) == len(set(owners))


def columns(sets: list[Sites]) -> list[Sites]:
    """Column i: bit i of how many of the sets a site is in."""
    planes: list[Sites] = []
    for number, one in enumerate(sets, 1):
        carry = one
        for i, plane in enumerate(planes):
            planes[i], carry = plane ^ carry, plane & carry
        if number.bit_length() > len(planes):
            planes.append(carry)
    return planes


def planes_of(held: Sites, by: int, length: int) -> list[Sites]:
    """Column i: bit i of how many of the *length* sites from here on are in the set."""
    return columns([held.shifted(-place * by) if place else held for place in range(length)])
