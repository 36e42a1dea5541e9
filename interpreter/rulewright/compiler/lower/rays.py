"""Rays: by whole sets where the pattern allows it, else as places along a walk (`walks.py`).

`Fill` reads a pattern as an automaton, run over all sites at once: a part is matched *at* a site;
that it can be reached from the source, and that the rest can follow, are two sets, filled along the
step by shifts.  It refuses (`Unsupported`) drawn boards, and patterns that repeat more than a
single set.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field

from rulewright.compiler.ir.nodes import Expr
from rulewright.compiler.layout import Unsupported
from rulewright.compiler.lower.loops import note_walk
from rulewright.compiler.lower.runs import lower_run
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.walks import Marks, WalkedRay, each_match
from rulewright.compiler.lower.writer import Site, Sites, Writer
from rulewright.compiler.passes.normalize import Normalizer, may_mark_none
from rulewright.compiler.passes.stillness import still_ray
from rulewright.ground.records import Record, record
from rulewright.model import expressions as m
from rulewright.model.board import Board, Step


@define(repr=False, eq=False)
class _Leaf(Record):
    """One set of the pattern; `repeats` if it may be matched several times in a row."""

    sites: Sites
    marks: tuple[int, ...]
    repeats: bool = False
    follow: list[int] = field(factory=list)


@record
class _Part(Record):
    """The leaves at which a part of the pattern begins and ends, and whether it may be empty."""

    first: tuple[int, ...]
    last: tuple[int, ...]
    empty: bool


@define(repr=False, eq=False)
class Fill(Record):
    """A ray's pattern with the values of its sets."""

    w: Writer
    board: Board
    leaves: list[_Leaf] = field(factory=list)
    whole: _Part = field(init=False)

    def read(self, pattern: m.RayPattern, sites: Callable[[m.Expr], Sites]) -> None:
        """Build the automaton; *sites* writes the sets.  Raises `Unsupported`."""
        if self.board.is_irregular:
            raise Unsupported
        self.whole = self._part(pattern, (), sites)

    def _part(
        self, p: m.RayPattern, marks: tuple[int, ...], sites: Callable[[m.Expr], Sites]
    ) -> _Part:
        match p:
            case m.OnSite(sites=expression):
                self.leaves.append(_Leaf(sites(expression), marks))
                number = (len(self.leaves) - 1,)
                return _Part(number, number, empty=False)
            case m.Marked(mark=mark, item=item):
                return self._part(item, (*marks, mark), sites)
            case m.Sequence(items=items):
                part = _Part((), (), empty=True)
                for item in items:
                    part = self._concatenate(part, self._part(item, marks, sites))
                return part
            case m.Alternatives(items=items):
                parts = [self._part(i, marks, sites) for i in items]
                first = tuple(n for x in parts for n in x.first)
                last = tuple(n for x in parts for n in x.last)
                return _Part(first, last, any(x.empty for x in parts))
            case m.Repeated():
                return self._repeat(p, marks, sites)

    def _concatenate(self, a: _Part, b: _Part) -> _Part:
        for number in a.last:
            self.leaves[number].follow += b.first
        first = a.first + b.first if a.empty else a.first
        last = a.last + b.last if b.empty else b.last
        return _Part(first, last, a.empty and b.empty)

    def _repeat(
        self, p: m.Repeated, marks: tuple[int, ...], sites: Callable[[m.Expr], Sites]
    ) -> _Part:
        low, high = _number(p.low), None if p.high is None else _number(p.high)
        if low > 8 or (high or 0) > 8:
            raise Unsupported
        copies = max(low, 1) if high is None else high
        sequence = _Part((), (), empty=True)
        for i in range(copies):
            part = self._part(p.item, marks, sites)
            if high is None and i == copies - 1:
                if not isinstance(p.item, m.OnSite):
                    raise Unsupported
                self.leaves[-1].repeats = True
            may_stop = _Part(part.first, part.last, part.empty or i >= low)
            sequence = self._concatenate(sequence, may_stop)
        return sequence

    # --- running it along a step ---

    def back(self, step: Step) -> dict[int, Sites]:
        """Write, for every leaf, the sites where it matches and the rest can follow."""
        sets: dict[int, Sites] = {}
        for number in reversed(range(len(self.leaves))):
            leaf = self.leaves[number]
            followers = [sets[n] for n in leaf.follow]
            sites = leaf.sites
            if number not in self.whole.last:
                sites = self._arrivals(leaf.sites, self.opposite(step), followers)
            sets[number] = self._fill(sites, number, self.opposite(step))
        return sets

    def forth(self, source: Sites, step: Step) -> dict[int, Sites]:
        """Write, for every leaf, the sites where it matches behind the pattern before it."""
        sets: dict[int, Sites] = {}
        for number, leaf in enumerate(self.leaves):
            sources = [sets[n] for n in range(number) if number in self.leaves[n].follow]
            if number in self.whole.first:
                sources.append(source)
            arrived = self._arrivals(leaf.sites, step, sources)
            sets[number] = self._fill(arrived, number, step)
        return sets

    def matching_sites(self, step: Step) -> Sites:
        """Write the sites from which the pattern matches along *step*."""
        if self.whole.empty:
            return self.w.constant(self.board.sites)
        back = self.back(step)
        return self.step_on([back[n] for n in self.whole.first], self.opposite(step))

    def marked_sites(self, source: Sites, step: Step) -> Sites:
        """Write the marked sites of all matches from *source* along *step*."""
        forth, back = self.forth(source, step), self.back(step)
        numbers = [n for n, leaf in enumerate(self.leaves) if leaf.marks] or list(forth)
        sites = self.w.constant(0)
        for number in numbers:
            sites = sites | (forth[number] & back[number])
        return sites

    # --- shifts ---

    def opposite(self, step: Step) -> Step:
        """Return the opposite step."""
        return self.board.opposite(step)

    def _by(self, step: Step) -> int:
        return step[0] + step[1] * self.board.width

    def step_on(self, sets: list[Sites], step: Step) -> Sites:
        """Write the sites one *step* after those of *sets*."""
        reached = self.w.constant(self.board.arrivals(step))
        return reached & self._shift(sets, step)

    def _shift(self, sets: list[Sites], step: Step) -> Sites:
        joined = self.w.union(sets)
        return joined.shifted(self._by(step))

    def _arrivals(self, sites: Sites, step: Step, sets: list[Sites]) -> Sites:
        """Write the sites of *sites* that are one *step* after a site of *sets*."""
        if not sets:
            return self.w.constant(0)
        return sites & self.step_on(sets, step)

    def _fill(self, seed: Sites, number: int, step: Step) -> Sites:
        """Write the sites of a leaf reached from *seed* by any number of steps within it.

        Doubling: each round goes twice as far as the one before it, but as far where that is
        enough.  In a row of sites the first is the source, and the last is left to what follows.
        """
        leaf, sites, stride, reached = self.leaves[number], seed, 1, 0
        if not leaf.repeats:
            return seed
        through = leaf.sites & self.w.constant(self.board.arrivals(step))
        far = self.board.longest(step) - (2 if number in self.whole.last else 3)
        while reached < far:
            copies = sites.shifted(stride * self._by(step))
            sites = sites.each(lambda a, b, c: a | b & c, through, copies)
            reached += stride
            if stride < far - reached:
                through = through & through.shifted(stride * self._by(step))
                stride *= 2
        return sites


def _number(e: m.Expr) -> int:
    if isinstance(e, m.Const) and isinstance(e.value, int):
        return e.value
    raise Unsupported


FEW_WORDS = 2
"""On boards of so few words a ray is filled by shifts; on larger ones, where every shift takes
several lines for each word, it is walked."""


def _fill(v: Values, e: m.Ray, of: Callable[[Fill, Step], Sites]) -> Sites:
    """Write the union over all steps of a set that `Fill` gives; refuses larger boards."""
    if v.layout.words > FEW_WORDS:
        raise Unsupported
    steps, fill = v.known_steps(e.along), Fill(v.w, v.board)
    fill.read(e.pattern, v.sites)
    return v.w.union(of(fill, step) for step in steps)


def fill_ray(v: Values, e: m.Ray) -> Sites:
    """Write all that a ray marks, by whole sets; raises `Unsupported`."""
    source = v.sites(e.source)
    return _fill(v, e, lambda fill, step: fill.marked_sites(source, step))


def some_match(v: Values, e: m.Ray) -> Expr:
    """Write whether a ray marks anything, by whole sets; raises `Unsupported`."""
    if may_mark_none(e):
        raise Unsupported
    source = v.sites(e.source)
    return (_fill(v, e, Fill.matching_sites) & source).any()


def lower_ray(v: Values, e: m.Ray) -> Sites:
    """Write all that a ray marks."""
    by_site: Sites | None = v.w.attempt(lambda: _look_up(v, e))
    if by_site is not None:
        v.layout.note("ray", "a table by site, because no position changes it", e.origin)
        return by_site
    run: Sites | None = v.w.attempt(lambda: lower_run(v, e))
    if run is not None:
        v.layout.note("ray", "a run to its nearest end, without a loop", e.origin)
        return run
    fast: Sites | None = v.w.attempt(lambda: fill_ray(v, e))
    if fast is not None:
        v.layout.note("ray", "filled by shifts, because a set of sites is few words", e.origin)
        return fast
    note_walk(v.layout, e.origin, v.rounds)
    sites = v.w.empty()

    def on_match(ray: WalkedRay, marks: Marks) -> None:
        for mark in marks.values():
            ray.add_to(sites, mark)

    each_match(v, e.source, e.along, e.pattern, on_match)
    return sites


def _look_up(v: Values, e: m.Ray) -> Sites:
    """Load what a ray marks from a table, where one site determines it; raises `Unsupported`."""
    sets = still_ray(Normalizer(v.rules, v.view, v.mover), e)
    source = v.value(e.source) if sets is not None else None
    if sets is None or not isinstance(source, Site):
        raise Unsupported
    return v.w.load("g.tables", v.layout.mask_table(sets) + source.number * v.layout.words)
