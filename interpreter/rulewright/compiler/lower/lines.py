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
    """Write a quantifier over lines or groups; raises `Unsupported` unless a fast form fits."""
    if len(e.slots) != 1 or e.domains[0].type is not Type.FAMILY:
        raise Unsupported
    normal = Normalizer(v.rules, v.view, v.mover)(e)
    assert isinstance(normal, m.Quantified)
    domain = normal.domains[0]
    note = v.layout.note
    if is_apply(domain, "lines") and e.quantifier in ("some", "count"):
        result = _lines(v, read_lines(normal), e.quantifier)
        note("lines", "by shifts of whole sets, all lines of a direction at once", e.origin)
        return result
    if is_apply(domain, "groups", "groups_linked") and e.quantifier == "some":
        result = _groups(v, read_groups(normal, v.board))
        note("groups", "by one flood from the first goal, then a look at the second", e.origin)
        return result
    raise Unsupported


# --- lines ---


@record
class Lines(Record):
    """Lines of a length that lie in all of `inside`, and whose ends are in none of `outside`."""

    length: int
    inside: tuple[m.Expr, ...]
    outside: tuple[m.Expr, ...]


def read_lines(e: m.Quantified) -> Lines:
    """Read a quantifier (in normal form) over lines; raises `Unsupported`."""
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
                inside.append(_fixed_set(whole, slot))
            case m.Apply(operation="not", arguments=(m.Apply(operation="any", arguments=(a,)),)):
                outside.append(_fixed_set(beside_ends(a, slot), slot))
            case _:
                raise Unsupported
    if not inside:
        raise Unsupported
    return Lines(length.value, tuple(inside), tuple(outside))


def _fixed_set(e: m.Expr, slot: int) -> m.Expr:
    if uses_slot(e, slot) or not harmless(e):
        raise Unsupported
    return e


def beside_ends(e: m.Expr, slot: int) -> m.Expr:
    """Return X of `X ends(l)`; raises `Unsupported`."""
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
    if board.is_irregular:
        raise Unsupported
    members = reduce(and_, [v.sites(e) for e in lines.inside])
    outside = [v.sites(e) for e in lines.outside]
    starts: list[Sites] = []
    for step in board.axes:
        begins = _begins(v, members, step, lines.length)
        for sites in outside:
            begins = without_ends_in(v, begins, sites, step, lines.length)
        starts.append(begins)
    if quantifier == "count":
        return w.let(total(sites.count() for sites in starts), "n")
    return Sites(w, tuple(word for sites in starts for word in sites.words)).any()


def line_starts(board: Board, step: Step, length: int) -> int:
    """Return the set of sites where a line of that length begins."""
    sites = (s for s in range(len(board.names)) if board.sites >> s & 1)
    return sum(1 << s for s in sites if len(board.walk(s, step)) >= length - 1)


def overlap(sites: Sites, length: int, by: int) -> Sites:
    """Write the set where *length* sites in a row begin; copies are doubled in each round."""
    starts, reach = sites, 1
    while reach < length:
        stride = min(reach, length - reach)
        starts = starts & starts.shifted(-stride * by)
        reach += stride
    return starts


def _begins(v: Values, sites: Sites, step: Step, length: int) -> Sites:
    """Write the set of sites where lines within *sites* begin."""
    starts = overlap(sites, length, step[0] + step[1] * v.board.width)
    return starts & v.w.constant(line_starts(v.board, step, length))


def margins(v: Values, step: Step, length: int) -> tuple[Sites, Sites]:
    """Return the sites with one before them, and those with one behind a line from there."""
    board = v.board
    before = sum(1 << s for s, t in enumerate(board.targets(board.opposite(step))) if t)
    return v.w.constant(before), v.w.constant(line_starts(board, step, length + 1))


def without_ends_in(v: Values, begins: Sites, sites: Sites, step: Step, length: int) -> Sites:
    """Narrow lines to those with neither end in *sites*."""
    by = step[0] + step[1] * v.board.width
    for existing, shift in zip(margins(v, step, length), (by, -length * by), strict=True):
        begins = begins - (sites.shifted(shift) & existing)
    return begins


# --- groups ---


@record
class Groups(Record):
    """Connected parts of a set that meet all of `goals`; joined by steps, or by links if None."""

    sites: m.Expr
    steps: tuple[Step, ...] | None
    goals: tuple[m.Expr, ...]


def read_groups(e: m.Quantified, board: Board) -> Groups:
    """Read a quantifier (in normal form) over groups; raises `Unsupported`."""
    slot, domain = e.slots[0], e.domains[0]
    assert isinstance(domain, m.Apply)
    steps = joining_steps(domain, board)
    goals = []
    for part in parts_of(e.body):
        if not is_apply(part, "meets"):
            raise Unsupported
        a, b = part.arguments
        if b == m.Local(Type.SITES, slot):
            a, b = b, a
        if a != m.Local(Type.SITES, slot):
            raise Unsupported
        goals.append(_fixed_set(b, slot))
    return Groups(_fixed_set(domain.arguments[0], slot), steps, tuple(goals))


def joining_steps(domain: m.Expr, board: Board) -> tuple[Step, ...] | None:
    """Return the steps that join groups, None for links; raises `Unsupported`."""
    if not is_apply(domain, "groups"):
        return None
    along = domain.arguments[1]
    if not isinstance(along, Const):
        raise Unsupported
    return board.both_ways(along.steps)


def _groups(v: Values, groups: Groups) -> Lowered:
    if len(groups.goals) != 2:
        raise Unsupported
    w, sites = v.w, v.sites(groups.sites)
    seed, goal = (sites & v.sites(g) for g in groups.goals)
    steps = groups.steps
    near: Callable[[Sites], Sites] = (
        (lambda part: linked_sites(v, part))
        if steps is None
        else (lambda part: v.neighbours(steps, part))
    )
    result = w.var(0, "b")
    with w.when(seed.any() & goal.any()):
        reached = w.flood(seed, sites, near)
        w.set(result, choice((reached & goal).any(), 1, 0))
    return result.ne(0)


MOST_SETS = 2
"""Sets whose counts are combined: with more there are too many combinations."""


def lower_line_sum(v: Values, e: m.Quantified) -> Expr:
    """Write a sum over lines; raises `Unsupported`."""
    if len(e.slots) != 1 or e.type is not Type.INT or v.board.is_irregular:
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
    return _count_lines(v, normal.body, slot, sets, length.value)


def sets_asked(body: m.Expr, slot: int) -> Iterator[m.Expr]:
    """Walk the sets whose share of the line a sum asks for, each once."""
    shares: list[m.Expr] = []
    for node in nodes(body):
        share = share_of(node, slot)
        if share is not None and share not in shares:
            shares.append(share)
            yield share


def share_of(node: Any, slot: int) -> m.Expr | None:
    """Return X of `count (X l)`, `any (X l)`, `X meets l` or `l in X`; None for other nodes."""
    line = m.Local(Type.SITES, slot)
    if is_apply(node, "meets", "inside"):
        a, b = node.arguments
        if a == line and not uses_slot(b, slot):
            return b
        if node.operation == "meets" and b == line and not uses_slot(a, slot):
            return a
    if is_apply(node, "count", "any") and is_apply(node.arguments[0], "intersect"):
        parts = node.arguments[0].arguments
        sets = [x for x in parts if x != line]
        if len(parts) == 2 and len(sets) == 1 and not uses_slot(sets[0], slot):
            return sets[0]
    return None


# --- what a combination is worth ---


def worth_of(
    body: m.Expr, slot: int, sets: list[m.Expr], counts: tuple[int, ...], length: int
) -> m.Expr:
    """Put counts into the body of a sum, and fold it; raises `Unsupported`."""

    def replace(node: m.Expr) -> m.Expr:
        share = share_of(node, slot)
        if share is None:
            return node
        n = counts[sets.index(share)]
        match node.operation:  # type: ignore[union-attr]
            case "count":
                return Const(Type.INT, n)
            case "inside":
                return Const(Type.TRUTH, n == length)
        return Const(Type.TRUTH, n > 0)

    result = _fold(body, replace)
    if uses_slot(result, slot):
        raise Unsupported
    return result


def _fold(e: m.Expr, replace: Callable[[m.Expr], m.Expr]) -> m.Expr:
    e = replace(e)
    match e:
        case m.Conditional(condition=condition, then=then, otherwise=otherwise):
            test = _fold(condition, replace)
            if isinstance(test, Const):
                return _fold(then if test.value else otherwise, replace)
            return rebuilt(e, lambda x: _fold(x, replace))
        case m.Logic(conjunction=conjunction, items=items):
            operands = [_fold(i, replace) for i in items]
            if any(isinstance(k, Const) and k.value is not conjunction for k in operands):
                return Const(Type.TRUTH, not conjunction)
            unknown = [k for k in operands if not isinstance(k, Const)]
            return evolve(e, items=tuple(unknown)) if unknown else Const(Type.TRUTH, conjunction)
        case m.Apply(operation="item", arguments=(m.Apply() as numbers, index)):
            place = _fold(index, replace)
            if isinstance(place, Const) and 0 <= int(place.value) < len(numbers.arguments):  # type: ignore[arg-type]
                return _fold(numbers.arguments[int(place.value)], replace)  # type: ignore[arg-type]
            raise Unsupported
        case m.Apply():
            return _evaluate(rebuilt(e, lambda x: _fold(x, replace)))
    return e


def _evaluate(e: m.Apply) -> m.Expr:
    """Evaluate an operation on constants; others stay as they are."""
    if not e.arguments or not all(isinstance(a, Const) for a in e.arguments):
        return e
    nowhere: Any = None
    try:
        value = evaluate(e, Context(nowhere, (), (), nowhere))
    except (Fault, AttributeError):
        raise Unsupported from None
    return Const(e.type, value)


# --- lines by columns of bits ---


def _count_lines(v: Values, body: m.Expr, slot: int, sets: list[m.Expr], length: int) -> Expr:
    worths = {
        counts: worth_of(body, slot, sets, counts, length)
        for counts in product(range(length + 1), repeat=len(sets))
        if sum(counts) <= length or not disjoint(sets)
    }
    terms = {c: e for c, e in worths.items() if not (isinstance(e, Const) and e.value == 0)}
    w, board = v.w, v.board
    names = {counts: v.number(e) for counts, e in terms.items()}
    members = [v.sites(s) for s in sets]
    line_counts: dict[tuple[int, ...], list[Expr]] = {counts: [] for counts in terms}
    for step in board.axes:
        by = step[0] + step[1] * board.width
        planes = [planes_of(sites, by, length) for sites in members]
        begins = w.constant(line_starts(board, step, length))
        for counts in terms:
            lines = begins
            for plane, n in zip(planes, counts, strict=True):
                for bit, column in enumerate(plane):
                    lines = lines & column if n >> bit & 1 else lines - column
            line_counts[counts].append(lines.count())
    return w.let(total(total(line_counts[c]) * names[c] for c in terms), "n")


def disjoint(sets: list[m.Expr]) -> bool:
    """Whether no site is in two of the sets."""
    owners = [s.arguments[0] for s in sets if is_apply(s, "owned")]
    return len(owners) == len(sets) == len(set(owners))


def columns(sets: list[Sites]) -> list[Sites]:
    """Count, for each site, the sets that it is in; set i holds bit i of the counts."""
    planes: list[Sites] = []
    for number, sites in enumerate(sets, 1):
        carry = sites
        for i, plane in enumerate(planes):
            planes[i], carry = plane ^ carry, plane & carry
        if number.bit_length() > len(planes):
            planes.append(carry)
    return planes


def planes_of(sites: Sites, by: int, length: int) -> list[Sites]:
    """Count, for each site, the members among *length* sites from there on, as `columns` does."""
    return columns([sites.shifted(-place * by) if place else sites for place in range(length)])
