"""Links as kernel text: numbers of possible links, which are there, what they join and cross.

For paths that step `when not crossed(a, b, ...)`, four sets say where links may begin, so that the
steps of a set are taken at once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import and_, or_
from typing import cast

from attrs import define, field, frozen

from rulewright.compiler.ir.nodes import Const, Expr, op, same, truth
from rulewright.compiler.ir.types import INT
from rulewright.compiler.layout import StateLayout, Unsupported
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.writer import Site, Sites, at
from rulewright.compiler.passes.normalize import Normalizer, is_apply, parts_of, uses_slot
from rulewright.ground.records import Record, record
from rulewright.model import expressions as m
from rulewright.model.board import Step
from rulewright.model.evaluation import CheapestPath, PathStep
from rulewright.model.expressions import Type
from rulewright.model.walk import operations


@frozen
class LinkedSite(Site):
    """A site that a link could join to `source`, and that link's number."""

    source: Expr
    link: Expr


def link_each(
    v: Values, source: m.Local, target: m.Expr, write_target: Callable[[LinkedSite], None]
) -> None:
    """Write a loop over the targets of links from a site, through its possible links.

    Refuses (`Unsupported`) targets that are not narrowed from the sites a link away.
    """
    e = Normalizer(v.rules, v.view, v.mover)(target)
    slot, body = -1, None
    if isinstance(e, m.Quantified) and e.quantifier == "those":
        slot, body, e = e.slots[0], e.body, e.domains[0]
    if body is not None and operations(body) & _READ_LINKS:
        raise Unsupported
    parts = list(e.arguments) if is_apply(e, "intersect") else [e]
    link_parts = [part for part in parts if uses_slot(part, source.slot)]
    if len(link_parts) != 1 or not _is_a_link_away(v, link_parts[0], source):
        raise Unsupported
    place = v.value(source)
    assert isinstance(place, Site)
    table, row = v.layout.incident_table
    base = v.w.let(table + place.number * row, "k")
    with v.w.each(0, at("g.tables", base)) as index:
        neighbour = v.w.let(at("g.tables", base + 1 + 2 * index), "s")
        tests = [site_in(v, part, neighbour) for part in parts if part is not link_parts[0]]
        if (
            v.crossed_links is not None
            and is_apply(body, "not")
            and is_apply(body.arguments[0], "crossed")
        ):
            link = v.w.let(at("g.tables", base + 2 + 2 * index), "n")
            site = v.frame[slot] = LinkedSite(neighbour, place.number, link)
            tests.append(v.w.flag(v.truth(body)))  # no branch that often goes the other way
            with v.w.when(reduce(and_, tests).ne(0)):
                write_target(site)
            return
        with v.w.when(reduce(and_, tests, Const(1, INT)).ne(0)):
            link = v.w.let(at("g.tables", base + 2 + 2 * index), "n")
            site = LinkedSite(neighbour, place.number, link)
            if body is None:
                write_target(site)
                return
            v.frame[slot] = site
            with v.w.when(v.truth(body)):
                write_target(site)


_READ_LINKS = frozenset({"linked", "groups_linked", "reach_linked", "repeats", "board_repeats"})


def _is_a_link_away(v: Values, e: m.Expr, source: m.Local) -> bool:
    if not is_apply(e, "step"):
        return False
    way, site = e.arguments
    kind = v.rules.links[0]
    steps = {*kind.steps, *map(v.board.opposite, kind.steps)}
    return isinstance(way, m.Const) and set(way.value) == steps and site == source  # type: ignore[arg-type]


def site_in(v: Values, e: m.Expr, site: Expr) -> Expr:
    """Write whether a set holds a site, as 1 or 0; sets in memory are not loaded whole."""
    if isinstance(e, m.Const):
        table = v.layout.mask_table((e.value,))  # type: ignore[arg-type]
        return _bit(v, at("g.tables", table + (site >> 6)), site)
    if isinstance(e, m.Apply):
        match e.operation:
            case "owned" if isinstance(e.arguments[0], m.Const):
                offset = v.layout.owned + int(e.arguments[0].value) * v.layout.words  # type: ignore[arg-type]
                return bit_at(v, offset, site)
            case "complement" if e.type in (Type.SITE, Type.SITES):
                return v.w.let(1 - site_in(v, e.arguments[0], site), "b")
            case "intersect":
                return v.w.let(reduce(and_, [site_in(v, a, site) for a in e.arguments]), "b")
            case "unite":
                return v.w.let(reduce(or_, [site_in(v, a, site) for a in e.arguments]), "b")
    return v.sites(e).has(site)


def _bit(v: Values, word: Expr, number: Expr) -> Expr:
    """Write the bit of a number, from the word in which it lies."""
    return v.w.let(op("shift_right", word, number & 63) & 1, "b")


def bit_at(v: Values, offset: int, site: Expr) -> Expr:
    """Write the bit of a site in a set that lies in the position."""
    if v.layout.words == 1:
        return v.w.let(op("shift_right", at(v.state, offset), site) & 1, "b")
    return _bit(v, v.w.word_of(v.state, offset, site), site)


def lower_crossed(v: Values, e: m.Apply) -> Expr:
    """Write whether a link that is there crosses the possible link between two sites."""
    if v.layout.link_table is None:
        return truth(False)
    w, number = v.w, _number_of(v, e.arguments[0], e.arguments[1])
    everywhere = isinstance(e.arguments[2], m.Const) and e.arguments[2].value == v.board.sites
    if everywhere and v.crossed_links is not None:
        return _bit(v, v.w.word_of(v.state, v.crossed_links, number), number).ne(0)
    if everywhere:
        return _crossed_by_any(v, number)
    region = v.sites(e.arguments[2])
    table, row = v.layout.crossing_table
    is_crossed = w.var(0, "b")
    base = w.let(table + number * row, "k")
    index = w.var(0, "i")
    with w.loop((index < at("g.tables", base)) & is_crossed.eq(0)):
        place = w.let(base + 1 + 3 * index, "k")
        w.set(index, index + 1)
        with w.when(link_bit(v, at("g.tables", place)).ne(0)):
            ends = [w.let(at("g.tables", place + i), "s") for i in (1, 2)]
            w.set(is_crossed, region.has(ends[0]) & region.has(ends[1]))
    return is_crossed.ne(0)


def _crossed_by_any(v: Values, number: Expr) -> Expr:
    """Write whether any link crosses the link of a number, word by word."""
    w, (table, row) = v.w, v.layout.crossing_words
    crossings, base = w.var(0, "b"), w.let(table + number * row, "k")
    with w.each(0, at("g.tables", base)) as index:
        place = w.let(base + 1 + 2 * index, "k")
        word = at(v.state, v.layout.links + at("g.tables", place))
        w.set(crossings, crossings | word & at("g.tables", place + 1))
    return crossings.ne(0)


# --- while links are only added ---


def bar_crossing(v: Values, crossed_links: int, link: Expr) -> None:
    """Add the links that a new link crosses to the set of crossed links."""
    w, (table, row) = v.w, v.layout.crossing_words
    base = w.let(table + link * row, "k")
    with w.each(0, at("g.tables", base)) as index:
        place = w.let(base + 1 + 2 * index, "k")
        cell = at(v.state, w.let(crossed_links + at("g.tables", place), "c"))
        w.set(cell, cell | at("g.tables", place + 1))


def begin_barred(v: Values, crossed_links: int) -> None:
    """Set up the set of crossed links for a position."""
    with v.w.each(0, v.layout.link_words) as word:
        v.w.set(at(v.state, crossed_links + word), 0)
    with v.w.each(0, v.layout.link_words) as word:
        links = at(v.state, v.layout.links + word)
        with v.w.bits(links, name="n") as place:
            bar_crossing(v, crossed_links, v.w.let(word * 64 + place, "n"))


def _number_of(v: Values, source: m.Expr, target: m.Expr) -> Expr:
    """Return the number of the link between two sites, which a `LinkedSite` already has."""
    a, b = v.value(source), v.value(target)
    for x, y in ((a, b), (b, a)):
        if isinstance(x, LinkedSite) and isinstance(y, Site) and same(x.source, y.number):
            return x.link
    return link_number(v, v.site(source), v.site(target))


def link_number(v: Values, a: Expr, b: Expr) -> Expr:
    """Look up the number of the link between two sites; a fault when none can join them."""
    w, (table, row) = v.w, v.layout.incident_table
    number, index = w.var(-1, "n"), w.var(0, "i")
    base = w.let(table + a * row, "k")
    with w.loop((index < at("g.tables", base)) & (number < 0)):
        with w.when(at("g.tables", base + 1 + 2 * index).eq(b)):
            w.set(number, at("g.tables", base + 2 + 2 * index))
        w.set(index, index + 1)
    with w.when(number < 0):
        v.fault("link-length")
        w.set(number, 0)
    return number


def link_bit(v: Values, number: Expr) -> Expr:
    """Write whether the link of a number is there, as 1 or 0."""
    n = v.w.let(number, "n")
    return _bit(v, v.w.word_of(v.state, v.layout.links, n), n)


def linked_sites(v: Values, sites: Sites | Site) -> Sites:
    """Write the set of sites that links join to a set or to a single site."""
    neighbours = v.w.empty()
    if isinstance(sites, Site):
        _add_linked(v, sites.number, neighbours)
        return neighbours
    with v.w.sites(sites) as site:
        _add_linked(v, site, neighbours)
    return neighbours


def _add_linked(v: Values, site: Expr, neighbours: Sites) -> None:
    """Add the sites that links join to a site to *neighbours*."""
    w, (table, row) = v.w, v.layout.incident_table
    base = w.let(table + site * row, "k")
    index = w.var(0, "i")
    with w.loop(index < at("g.tables", base)):
        place = w.let(base + 1 + 2 * index, "k")
        w.set(index, index + 1)
        with w.when(link_bit(v, at("g.tables", place + 1)).ne(0)):
            w.add(neighbours, w.site_bit(w.let(at("g.tables", place), "s")))


def goes_uncrossed(v: Values, step: PathStep) -> bool:
    """Whether a step goes wherever a link could be made, and asks nothing else of its sites."""
    if step.linked or not step.named or not v.layout.link_table:
        return False
    if any(uses_slot(_normal(v, e), slot) for e in (step.into, step.cost) for slot in (0, 1)):
        return False
    kind = v.rules.links[0]
    board = v.board
    links = {*kind.steps, *map(board.opposite, kind.steps)}
    if not isinstance(step.steps, m.Const) or {*step.steps.value} != links:  # type: ignore[misc]
        return False
    when = _normal(v, step.when)
    if not is_apply(when, "not") or not is_apply(when.arguments[0], "crossed"):
        return False
    source, target, region = when.arguments[0].arguments
    slots = {e.slot for e in (source, target) if isinstance(e, m.Local)}
    return slots == {0, 1} and isinstance(region, m.Const) and region.value == board.sites


def _normal(v: Values, e: m.Expr) -> m.Expr:
    return Normalizer(v.rules, v.view, v.mover)(e)


@define(repr=False, eq=False)
class LinkSets(Record):
    """For each direction (of every two opposite ones) the sites where a link could begin, or does.

    They are filled once a position.
    """

    v: Values
    room: int
    begins: dict[Step, int]

    @classmethod
    def of(cls, v: Values) -> LinkSets:
        """Work the sets out, for a game with links."""
        table = v.layout.link_table
        assert table is not None
        begins = table.begins
        size = 2 * len(begins) * v.layout.words
        room = v.fill_room("links by direction", size, _fill_link_sets)
        return cls(v, room, begins)

    def _loaded(self, number: int) -> Sites:
        return self.v.w.load("g.scratch", self.room + number * self.v.layout.words)

    def uncrossed(self) -> list[tuple[Step, Sites]]:
        """List directions, each with the sites where links begin that nothing crosses."""
        return [(step, self._loaded(i)) for i, step in enumerate(self.begins)]

    def present(self) -> list[tuple[Step, Sites]]:
        """List directions, each with the sites where links begin that are there."""
        offset = len(self.begins)
        return [(step, self._loaded(offset + i)) for i, step in enumerate(self.begins)]

    def from_site(self, sets: list[tuple[Step, Sites]], step: Step) -> Sites:
        """Return the sites from which a link of *sets* leads along a step, either way."""
        for direction, sites in sets:
            if direction == step:
                return sites
            if direction == self.v.board.opposite(step):
                return sites.shifted(direction[1] * self.v.board.width + direction[0])
        raise Unsupported("a step that no link has")

    def link_ends(self) -> Sites:
        """Write the set of sites at which links end: few, where a board is wide."""
        ends, width = self.v.w.constant(0), self.v.board.width
        for (dx, dy), sites in self.present():
            ends = ends | sites | sites.shifted(dy * width + dx)
        return ends


def _fill_link_sets(v: Values, room: int) -> None:
    """Fill in, for each direction, where links could begin, and then where they do."""
    w, layout, links = v.w, v.layout, v.layout.link_table
    assert links is not None
    begins, words = links.begins, layout.words
    present = room + len(begins) * words
    for number, sites in enumerate(begins.values()):
        w.store("g.scratch", room + number * words, w.constant(sites))
        w.store("g.scratch", present + number * words, w.constant(0))
    table, row = _closed_table(layout, list(begins))
    with (
        w.each(0, layout.link_words) as word,
        w.bits(at("g.state", layout.links + word)) as place,
    ):
        base = w.let(table + (word * 64 + place) * row, "k")
        bit = w.let(at("g.tables", base + row - 1), "k")
        cell = at("g.scratch", w.let(present + (bit >> 6), "k"))
        w.set(cell, cell | op("wrap_shl", 1, bit & 63))
        with w.each(0, at("g.tables", base)) as index:
            bit = w.let(at("g.tables", base + 1 + index), "k")
            cell = at("g.scratch", w.let(room + (bit >> 6), "k"))
            w.set(cell, cell & ~op("wrap_shl", 1, bit & 63))


@define(repr=False, eq=False)
class Uncrossed(Record):
    """For each direction (of every two opposite ones) where a link could begin, and where end."""

    v: Values
    directions: list[tuple[Step, Sites]]
    ends: list[Sites] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.ends = [sites.shifted(self._by(step)) for step, sites in self.directions]

    @classmethod
    def of(cls, v: Values, path: CheapestPath) -> Uncrossed | None:
        """Load the sets, where the path begins; None if none of its steps needs them."""
        if not any(goes_uncrossed(v, step) for step in path.steps):
            return None
        return cls(v, LinkSets.of(v).uncrossed())

    def _by(self, step: Step) -> int:
        return step[1] * self.v.board.width + step[0]

    def near(self, sites: Sites) -> Sites:
        """Write the set of sites that could be linked with a set."""
        result = self.v.w.constant(0)
        for (step, begins), ends in zip(self.directions, self.ends, strict=True):
            ahead, back = (sites.shifted(by) for by in (self._by(step), -self._by(step)))
            result = result.each(lambda a, b, c, d, e: a | b & c | d & e, ahead, ends, back, begins)
        return result


def _closed_table(layout: StateLayout, directions: list[Step]) -> tuple[int, int]:
    """Add a table with a row for each link: the places (as bits) of the links that it crosses.

    The last word of a row is the link's own place.  Also returns the length of a row.
    """
    table, board = layout.link_table, layout.rules.board
    assert table is not None
    crossing, row = layout.crossing_table
    place = []
    for a, b in table.ends:
        step = (board.columns[b] - board.columns[a], board.rows[b] - board.rows[a])
        place.append(directions.index(step) * layout.words * 64 + a)
    width = (row - 1) // 3
    values: list[int] = []
    for number in range(len(table.ends)):
        base = crossing + number * row
        count = layout.table[base]
        closed = [place[layout.table[base + 1 + 3 * i]] for i in range(count)]
        values += [count, *closed, *([0] * (width - count)), place[number]]
    return layout.add("closed links", values), 2 + width


# --- sites whose links are asked for ---


def lower_link_sites(v: Values, e: m.Quantified) -> Sites:
    """`those(s in S : C)` by whole sets, where C asks for links from s along one step.

    C joins `bridge(s) meets T`, `crossed(s, T, sites)`, both also with `not`, and `any A`, where T
    is a step from s and A a set within T.  Refuses (`Unsupported`) everything else.
    """
    if v.layout.link_table is None or v.state != "g.state" or v.board.is_irregular:
        raise Unsupported
    normal = Normalizer(v.rules, v.view, v.mover)(e)
    assert isinstance(normal, m.Quantified)
    if len(normal.slots) != 1:
        raise Unsupported
    tests = [_LinkTest.read(part, normal.slots[0]) for part in parts_of(normal.body)]
    if all(test.asks == "any" for test in tests):
        raise Unsupported
    sets = LinkSets.of(v)
    sites = v.sites(e.domains[0])
    for test in tests:
        sites = test.narrow(sets, sites)
    return sites


@record
class _LinkTest(Record):
    """A test of a site and the one a step away; `within` are sets that must hold the second."""

    asks: str
    step: Step
    no: bool = False
    within: tuple[m.Expr, ...] = ()

    @classmethod
    def read(cls, e: m.Expr, slot: int) -> _LinkTest:
        """Read an expression as a test; raises `Unsupported`."""
        no = is_apply(e, "not")
        inner = e.arguments[0] if is_apply(e, "not") else e
        if is_apply(inner, "meets"):
            links, target = inner.arguments
            if is_apply(links, "linked") and links.arguments[1] == m.Local(Type.SITE, slot):
                return cls("made", _one_step(target, slot), no)
        elif is_apply(inner, "crossed"):
            source, target, region = inner.arguments
            is_constant = isinstance(region, m.Const)
            if is_constant and source == m.Local(Type.SITE, slot):
                return cls("crossed", _one_step(target, slot), no, (region,))
        elif is_apply(inner, "any") and not no:
            parts = _operands(inner.arguments[0])
            dependent = [part for part in parts if uses_slot(part, slot)]
            if len(dependent) == 1:
                sets = tuple(part for part in parts if part is not dependent[0])
                return cls("any", _one_step(dependent[0], slot), no, sets)
        raise Unsupported

    def narrow(self, sets: LinkSets, sites: Sites) -> Sites:
        """Narrow a set to the sites for which the test holds."""
        v, board = sets.v, sets.v.board
        back = (board.opposite(self.step),)
        if self.asks == "any":
            targets = v.w.constant(board.sites)
            for region in self.within:
                targets = targets & v.sites(region)
            return sites & v.neighbours(back, targets)
        if self.asks == "made":
            present = sets.from_site(sets.present(), self.step)
            return sites - present if self.no else sites & present
        if self.within != (m.Const(Type.SITES, board.sites),):
            raise Unsupported
        with v.w.when((sites - v.neighbours(back, v.w.constant(board.sites))).any()):
            v.fault("not-one-site")
        free = sets.from_site(sets.uncrossed(), self.step)
        return sites & free if self.no else sites - free


def _operands(e: m.Expr) -> tuple[m.Expr, ...]:
    """Return the sets of which an expression is the intersection."""
    if not is_apply(e, "intersect"):
        return (e,)
    return tuple(part for argument in e.arguments for part in _operands(argument))


def _one_step(e: m.Expr, slot: int) -> Step:
    """Return the one step along which an expression leads from a variable; or `Unsupported`."""
    if is_apply(e, "step") and isinstance(e.arguments[0], m.Const):
        steps, site = e.arguments[0].value, e.arguments[1]
        if isinstance(steps, tuple) and len(steps) == 1 and site == m.Local(Type.SITE, slot):
            return cast(Step, steps[0])
    raise Unsupported
