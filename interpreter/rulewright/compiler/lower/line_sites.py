"""The sites of lines by whole sets: squares that complete a row, and where a row can be stopped.

In: `those(l in lines(n) : C)` where a set is wanted, `those(s in S : some(l in lines(n) : s in l
and C))`, the same with `every` and `or not C`, or `count` and `some` of lines.  Out: the set, the
number or the truth by shifts, by counting bits in columns.  C asks how many sites of other sets a
line holds, and what its ends are.

Also sites told apart by a coordinate, `those(s in X : y(s) <= N)`, a line of the board at a time:
there N asks for a site by its other coordinate only, and for whether it lies in one set, and is
worked out once for each line (and for the sites of it that lie in that set).  Refuses
(`Unsupported`) whatever has another form, and all N that can meet another fault than numbers that
are too large: the first one could be another's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from itertools import product
from operator import or_

from attrs import define, evolve, field

from rulewright.compiler.ir.nodes import choice, op
from rulewright.compiler.layout import Unsupported
from rulewright.compiler.lower.lines import (
    MOST_SETS,
    beside_ends,
    columns,
    disjoint,
    line_starts,
    margins,
    overlap,
    planes_of,
    sets_asked,
    without_ends_in,
    worth_of,
)
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.writer import Lowered, Sites, total
from rulewright.compiler.passes.normalize import Normalizer, harmless, is_apply, parts_of, uses_slot
from rulewright.ground.records import Record, record
from rulewright.model import expressions as m
from rulewright.model.board import Board, Step, bits
from rulewright.model.expressions import Const, Type
from rulewright.model.walk import nodes, rebuilt


@record
class LineSites(Record):
    """The sites in `within` of lines with a condition (`cells`), those at their `ends`, or both.

    `body` asks how many sites of other sets a line holds; both ends lie in all of `ends_in`, and
    neither of them in any of `ends_out`.  `all`: only the sites that belong to every such line.
    """

    length: int
    slot: int
    body: m.Expr
    ends_in: tuple[m.Expr, ...]
    ends_out: tuple[m.Expr, ...]
    cells: bool = True
    ends: bool = False
    within: m.Expr | None = None
    all: bool = False


def lower_line_sites(v: Values, e: m.Quantified) -> Sites:
    """Write the set of sites of lines; raises `Unsupported` unless the fast form covers it."""
    sites = _line_sites(v, read_line_sites(v, e))
    v.layout.note("sites of lines", "by shifts, all lines of a direction at once", e.origin)
    return sites


def lower_lines_where(v: Values, e: m.Quantified) -> Lowered:
    """Write how many lines have a condition, or whether any has it; raises `Unsupported`."""
    if len(e.slots) != 1 or e.quantifier not in ("some", "count"):
        raise Unsupported
    normal = Normalizer(v.rules, v.view, v.mover)(e)
    assert isinstance(normal, m.Quantified)
    form = LineSites(_length(v, normal, normal.domains[0]), normal.slots[0], normal.body, (), ())
    starts = [begins for _, begins in _lines_where(v, _with_parts(form, parts_of(form.body), None))]
    v.layout.note("lines", "by shifts, all lines of a direction at once", e.origin)
    if e.quantifier == "count":
        return v.w.let(total(begins.count() for begins in starts), "n")
    return Sites(v.w, tuple(word for begins in starts for word in begins.words)).any()


def _length(v: Values, normal: m.Quantified, domain: m.Expr) -> int:
    """Return the length of the lines of a domain; raises `Unsupported`."""
    if not is_apply(domain, "lines") or v.board.is_irregular or not harmless(normal):
        raise Unsupported
    length = domain.arguments[0]
    if not isinstance(length, Const) or not isinstance(length.value, int) or length.value < 2:
        raise Unsupported
    return length.value


def read_line_sites(v: Values, e: m.Quantified) -> LineSites:
    """Read `those(l in lines(n) : C)`, or a set of sites on lines; raises `Unsupported`."""
    normal = Normalizer(v.rules, v.view, v.mover)(e)
    assert isinstance(normal, m.Quantified)
    domain, body, within, site = normal.domains[0], normal.body, None, None
    slot, every = normal.slots[0], False
    if e.type is Type.SITES and isinstance(body, m.Quantified):
        inner, every = body, body.quantifier == "every"
        if len(inner.slots) != 1 or not (every or inner.quantifier == "some"):
            raise Unsupported
        domain, body, within, site = inner.domains[0], inner.body, domain, slot
        slot = inner.slots[0]
    length = _length(v, normal, domain)
    form = LineSites(length, slot, body, (), (), within=within, all=every)
    parts = _unless(body, site) if every and site is not None else parts_of(body)
    return _with_parts(form, parts, site)


def _unless(body: m.Expr, site: int) -> tuple[m.Expr, ...]:
    """Split `A or not C` into A (about the site) and C; raises `Unsupported`."""
    conditions: list[m.Expr] = []
    for part in parts_of(body, conjunction=False):
        if uses_slot(part, site):
            conditions.append(part)
        elif is_apply(part, "not") and not is_apply(part.arguments[0], "any"):
            conditions += parts_of(part.arguments[0])
        else:
            raise Unsupported
    return tuple(conditions)


def _with_parts(form: LineSites, parts: tuple[m.Expr, ...], site: int | None) -> LineSites:
    """Sort the parts of a condition into a form; one part says where the site (if any) lies."""
    groups = {"both": list[m.Expr](), "neither": list[m.Expr](), "": list[m.Expr]()}
    where: list[tuple[bool, bool]] = []
    for part in parts:
        if site is not None and uses_slot(part, site):
            where.append(_where(part, form.slot, site))
            continue
        kind, ends = _about_ends(part, form.slot)
        groups[kind].append(ends)
    ends_in, ends_out, counts = map(tuple, groups.values())
    if len(where) != (site is not None) or any(uses_slot(x, form.slot) for x in ends_in + ends_out):
        raise Unsupported
    cells, ends_too = where[0] if where else (True, False)
    body = m.Logic(Type.TRUTH, True, counts) if counts else Const(Type.TRUTH, value=True)
    return evolve(form, body=body, ends_in=ends_in, ends_out=ends_out, cells=cells, ends=ends_too)


def _where(part: m.Expr, line: int, site: int) -> tuple[bool, bool]:
    """Return whether a site may lie on a line, and whether at its ends; raises `Unsupported`."""
    if not is_apply(part, "inside") or part.arguments[0] != m.Local(Type.SITE, site):
        raise Unsupported
    region = part.arguments[1]
    parts = region.arguments if is_apply(region, "unite") else (region,)
    cells, ends = m.Local(Type.SITES, line), _ends_of(line)
    if not all(term in (cells, ends) for term in parts):
        raise Unsupported
    return cells in parts, ends in parts


def _ends_of(line: int) -> m.Apply:
    return m.Apply(Type.SITES, "ends", (m.Local(Type.SITES, line),))


def _about_ends(part: m.Expr, line: int) -> tuple[str, m.Expr]:
    """Read X of `count (X ends(l)) = 2` ("both") or `no X ends(l)` ("neither"), else the part."""
    match part:
        case m.Apply(
            operation="equal", arguments=(m.Apply(operation="count") as n, Const(value=2))
        ):
            if is_apply(n.arguments[0], "intersect") and _ends_of(line) in n.arguments[0].arguments:
                return "both", beside_ends(n.arguments[0], line)
        case m.Apply(operation="not", arguments=(m.Apply(operation="any", arguments=(a,)),)):
            if is_apply(a, "intersect") and _ends_of(line) in a.arguments:
                return "neither", beside_ends(a, line)
    return "", part


def _line_sites(v: Values, form: LineSites) -> Sites:
    lines = _lines_where(v, form)
    if form.all:
        sites = _in_all(v, form, lines)
    else:
        sites = reduce(or_, [_sites_of_lines(v, form, *line) for line in lines])
    return sites if form.within is None else sites & v.sites(form.within)


def _lines_where(v: Values, form: LineSites) -> list[tuple[Step, Sites]]:
    """Write, for each direction, the set of sites where lines with the condition begin."""
    n = form.length
    sets = list(sets_asked(form.body, form.slot))
    if len(sets) > MOST_SETS or not all(harmless(s) for s in sets):
        raise Unsupported
    allowed = _allowed_counts(form, sets)
    members = [v.sites(s) for s in sets]
    ends_in, ends_out = ([v.sites(s) for s in sites] for sites in (form.ends_in, form.ends_out))
    lines: list[tuple[Step, Sites]] = []
    for step in v.board.axes:
        begins = _counting(v, step, n, members, allowed)
        for sites in ends_in:
            begins = _between(v, begins, sites, step, n)
        for sites in ends_out:
            begins = without_ends_in(v, begins, sites, step, n)
        lines.append((step, begins))
    return lines


def _sites_of_lines(v: Values, form: LineSites, step: Step, begins: Sites) -> Sites:
    """Write the set of sites of lines of one direction, of their ends, or of both."""
    by, sites = step[0] + step[1] * v.board.width, v.w.constant(0)
    if form.ends:
        before, after = margins(v, step, form.length)
        sites = (begins & before).shifted(-by) | (begins & after).shifted(form.length * by)
    return sites | _spread(begins, form.length, by) if form.cells else sites


def _in_all(v: Values, form: LineSites, lines: list[tuple[Step, Sites]]) -> Sites:
    """Write the set of sites in all lines: those in as many lines as there are."""
    w, sets = v.w, list[Sites]()
    for step, begins in lines:
        by, n = step[0] + step[1] * v.board.width, form.length
        places = list(range(n)) if form.cells else []
        copies = [begins.shifted(place * by) if place else begins for place in places]
        if form.ends:
            before, after = margins(v, step, n)
            copies += [(begins & before).shifted(-by), (begins & after).shifted(n * by)]
        sets += copies
    planes = columns(sets)
    whole = w.let(total(begins.count() for _, begins in lines), "n")
    sites = w.constant(v.board.sites)
    for bit, plane in enumerate(planes):
        inverse = w.let(0 - (op("shift_right", whole, bit) & 1), "m")
        sites = sites - plane.each(lambda a, inverse=inverse: a ^ inverse)
    fits = w.let(choice(whole < 1 << len(planes), -1, 0), "m")
    return sites.each(lambda a: a & fits)


def _allowed_counts(form: LineSites, sets: list[m.Expr]) -> list[tuple[int, ...]]:
    """List the combinations of counts, for each set, with which the condition holds."""
    allowed = []
    for counts in product(range(form.length + 1), repeat=len(sets)):
        if sum(counts) > form.length and disjoint(sets):
            continue
        worth = worth_of(form.body, form.slot, sets, counts, form.length)
        if not isinstance(worth, Const):
            raise Unsupported
        if worth.value:
            allowed.append(counts)
    return allowed


def _counting(
    v: Values, step: Step, length: int, members: list[Sites], allowed: list[tuple[int, ...]]
) -> Sites:
    """Write the set of sites where lines begin that hold an *allowed* number of each set."""
    by = step[0] + step[1] * v.board.width
    begins, planes = v.w.constant(line_starts(v.board, step, length)), []
    for number, sites in enumerate(members):
        if all(counts[number] == 0 for counts in allowed):
            begins = begins & overlap(~sites, length, by)
            planes.append(list[Sites]())
        else:
            planes.append(planes_of(sites, by, length))
    starts = v.w.constant(0)
    for counts in allowed:
        starts = starts | _with_counts(begins, planes, counts)
    return starts


def _with_counts(begins: Sites, planes: list[list[Sites]], counts: tuple[int, ...]) -> Sites:
    """Narrow lines to those that hold exactly *counts* sites of each set."""
    for plane, n in zip(planes, counts, strict=True):
        for bit, column in enumerate(plane):
            begins = begins & column if n >> bit & 1 else begins - column
    return begins


def _spread(begins: Sites, length: int, by: int) -> Sites:
    """Write the set of all sites of lines, from where they begin."""
    sites, reach = begins, 1
    while reach < length:
        stride = min(reach, length - reach)
        sites = sites | sites.shifted(stride * by)
        reach += stride
    return sites


def _between(v: Values, begins: Sites, sites: Sites, step: Step, length: int) -> Sites:
    """Narrow lines to those with both ends in *sites*."""
    by = step[0] + step[1] * v.board.width
    before, after = margins(v, step, length)
    return begins & before & after & sites.shifted(by) & sites.shifted(-length * by)


# --- sites told apart by a coordinate ---

_ACROSS = {"x": "y", "y": "x"}
_TESTS: Mapping[str, Callable[[int, int], bool]] = {
    "less": lambda a, b: a < b,
    "less_equal": lambda a, b: a <= b,
    "equal": lambda a, b: a == b,
}


def lower_by_coordinate(v: Values, e: m.Quantified) -> Sites:
    """Write `those(s in X : y(s) <= N)`, a line of the board at a time; raises `Unsupported`."""
    slot, body = e.slots[0], e.body
    if len(e.slots) != 1 or e.type is not Type.SITES or not is_apply(body, *_TESTS):
        raise Unsupported
    _only_overflows(Normalizer(v.rules, v.view, v.mover)(e))
    key, limit_index = _coordinate(body, slot)
    limit = _Limit(slot, _ACROSS[key])
    limit.of(body.arguments[limit_index])
    places = places_of(v.board, key)
    rows = _rows(v.board, places, _TESTS[body.operation], first=limit_index == 1)
    table = v.layout.mask_table(rows)
    lines = lines_of(v.board, places_of(v.board, limit.across))
    starts, w, result = v.layout.mask_table(lines), v.w, v.w.empty()
    domain = v.sites(e.domains[0])
    within = None if limit.within is None else v.sites(limit.within)
    with w.each(0, len(lines)) as index:
        v.frame[slot] = index
        line = domain & w.load("g.tables", starts + index * v.layout.words)
        sides = (
            [(line, None)] if within is None else [(line & within, True), (line - within, False)]
        )
        for sites, is_inside in sides:
            with w.when(sites.any()):
                number = w.let(v.number(limit.of(body.arguments[limit_index], is_inside)), "n")
                clamped = choice(number < -1, -1, number)
                place = w.let(choice(clamped > len(rows) - 2, len(rows) - 2, clamped) + 1, "k")
                row = w.load("g.tables", table + place * v.layout.words)
                w.add(result, sites & row)
    v.layout.note("those", "a line of the board at a time", e.origin)
    return result


def _coordinate(body: m.Apply, slot: int) -> tuple[str, int]:
    """Return the coordinate of the site, and the index of the argument it is compared with."""
    for limit_index, e in enumerate(reversed(body.arguments)):
        if is_apply(e, *_ACROSS) and e.arguments == (m.Local(Type.SITE, slot),):
            return e.operation, limit_index
    raise Unsupported


@define(repr=False, eq=False)
class _Limit(Record):
    """The limit of a coordinate, for all sites of a line."""

    slot: int
    across: str
    within: m.Expr | None = field(default=None, init=False)
    """The set for whose members the limit differs, if any."""

    def of(self, e: m.Expr, is_inside: bool | None = None) -> m.Expr:
        """Rewrite the limit with the line's number for the site's, and *is_inside* constant."""
        site = m.Local(Type.SITE, self.slot)
        match e:
            case m.Local(slot=slot) if slot == self.slot:
                raise Unsupported
            case m.Apply(operation=self.across, arguments=(term,)) if term == site:
                return m.Local(Type.INT, self.slot)
            case m.Apply(operation="inside", arguments=(term, whole)) if term == site:
                if uses_slot(whole, self.slot) or self.within not in (None, whole):
                    raise Unsupported
                self.within = whole
                return Const(Type.TRUTH, value=bool(is_inside))
        return rebuilt(e, lambda x: self.of(x, is_inside))


def _only_overflows(e: m.Expr) -> None:
    """Raise `Unsupported` unless overflow is the one fault that an expression can meet."""
    if not all(map(_is_sound, nodes(e))):
        raise Unsupported


def _is_sound(node: m.Expr) -> bool:
    """Whether a node by itself can meet no fault but an overflow."""
    if is_apply(node, "div", "mod"):
        by = node.arguments[1]
        return isinstance(by, Const) and bool(by.value)
    if isinstance(node, m.Apply):
        return node.operation in _ACROSS or harmless(evolve(node, arguments=()))
    return not (isinstance(node, m.Quantified) and node.quantifier in ("max", "min"))


def places_of(board: Board, key: str) -> list[int]:
    """List the column, row or layer of every site, from 1 on."""
    return list(board.coordinates(key))


def lines_of(board: Board, places: list[int]) -> tuple[int, ...]:
    """List the sites of each column or row, by its number."""
    numbers = range(max(places) + 1)
    return tuple(sum(1 << s for s in bits(board.sites) if places[s] == n) for n in numbers)


def _rows(
    board: Board, places: list[int], test: Callable[[int, int], bool], *, first: bool
) -> tuple[int, ...]:
    """List the sites whose coordinate passes, for every limit from -1 to the largest plus one.

    *first*: the coordinate is the first of the two that are compared.
    """
    masks = []
    for limit in range(-1, max(places) + 2):
        passing = (s for s in bits(board.sites) if _passes(test, places[s], limit, first=first))
        masks.append(sum(1 << s for s in passing))
    return tuple(masks)


def _passes(test: Callable[[int, int], bool], place: int, limit: int, *, first: bool) -> bool:
    return test(place, limit) if first else test(limit, place)
