"""Rays: by whole sets where the pattern allows it, else as places along a walk.

`Fill` reads a pattern as an automaton, run over all sites at once: a part is matched *at* a site;
that it can be reached from the source, and that the rest can follow, are two sets, filled along the
step by shifts.  It refuses (`Unsupported`) drawn boards, and patterns that repeat more than a
single set.  Places along a walk are bits of a word, and every part of the pattern maps the places
where it may begin to those where it may end.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import or_

from attrs import define, field

from rulewright.compiler.ir.nodes import Expr, Local, as_expr, choice, op
from rulewright.compiler.layout import Unsupported
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.writer import AnySteps, OneStep, Sites, Writer, also, at
from rulewright.compiler.passes.normalize import may_mark_none
from rulewright.ground.records import Record, record
from rulewright.model import expressions as m
from rulewright.model.board import Board, Step


@define(repr=False, eq=False)
class _Leaf(Record):
    """One set of the pattern; `again` when it may be matched several times in a row."""

    sites: Sites
    marks: tuple[int, ...]
    again: bool = False
    follow: list[int] = field(factory=list)


@record
class _Part(Record):
    """Where a part of the pattern begins and ends, and whether it may match nothing."""

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
        """Build the automaton; *sites* writes the sets."""
        if self.board.is_drawn:
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
                found = _Part((), (), empty=True)
                for item in items:
                    found = self._joined(found, self._part(item, marks, sites))
                return found
            case m.Alternatives(items=items):
                parts = [self._part(i, marks, sites) for i in items]
                first = tuple(n for x in parts for n in x.first)
                last = tuple(n for x in parts for n in x.last)
                return _Part(first, last, any(x.empty for x in parts))
            case m.Repeated():
                return self._repeated(p, marks, sites)

    def _joined(self, a: _Part, b: _Part) -> _Part:
        for number in a.last:
            self.leaves[number].follow += b.first
        first = a.first + b.first if a.empty else a.first
        last = a.last + b.last if b.empty else b.last
        return _Part(first, last, a.empty and b.empty)

    def _repeated(
        self, p: m.Repeated, marks: tuple[int, ...], sites: Callable[[m.Expr], Sites]
    ) -> _Part:
        low, high = _number(p.low), None if p.high is None else _number(p.high)
        if low > 8 or (high or 0) > 8:
            raise Unsupported
        copies = max(low, 1) if high is None else high
        found = _Part((), (), empty=True)
        for i in range(copies):
            part = self._part(p.item, marks, sites)
            if high is None and i == copies - 1:
                if not isinstance(p.item, m.OnSite):
                    raise Unsupported
                self.leaves[-1].again = True
            may_stop = _Part(part.first, part.last, part.empty or i >= low)
            found = self._joined(found, may_stop)
        return found

    # --- running it along a step ---

    def back(self, step: Step) -> dict[int, Sites]:
        """For every leaf the sites where it stands and the rest of the pattern can follow."""
        found: dict[int, Sites] = {}
        for number in reversed(range(len(self.leaves))):
            leaf = self.leaves[number]
            after = [found[n] for n in leaf.follow]
            sites = leaf.sites
            if number not in self.whole.last:
                sites = self._arrived(leaf.sites, self.opposite(step), after)
            found[number] = self._filled(sites, number, self.opposite(step))
        return found

    def forth(self, source: Sites, step: Step) -> dict[int, Sites]:
        """For every leaf the sites where it stands and the pattern before it has matched."""
        found: dict[int, Sites] = {}
        for number, leaf in enumerate(self.leaves):
            before = [found[n] for n in range(number) if number in self.leaves[n].follow]
            if number in self.whole.first:
                before.append(source)
            arrived = self._arrived(leaf.sites, step, before)
            found[number] = self._filled(arrived, number, step)
        return found

    def matching(self, step: Step) -> Sites:
        """The sites from which the pattern matches along *step*."""
        if self.whole.empty:
            return self.w.constant(self.board.sites)
        back = self.back(step)
        return self.stepped([back[n] for n in self.whole.first], self.opposite(step))

    def marked(self, source: Sites, step: Step) -> Sites:
        """The marked sites of all matches from *source* along *step*."""
        forth, back = self.forth(source, step), self.back(step)
        wanted = [n for n, leaf in enumerate(self.leaves) if leaf.marks] or list(forth)
        found = self.w.constant(0)
        for number in wanted:
            found = found | (forth[number] & back[number])
        return found

    # --- shifts ---

    def opposite(self, step: Step) -> Step:
        """The step back."""
        return self.board.opposite(step)

    def _by(self, step: Step) -> int:
        return step[0] + step[1] * self.board.width

    def stepped(self, sets: list[Sites], step: Step) -> Sites:
        """The sites one *step* after those of *sets*."""
        reached = self.w.constant(self.board.arrivals(step))
        return reached & self._shifted(sets, step)

    def _shifted(self, sets: list[Sites], step: Step) -> Sites:
        joined = self.w.union(sets)
        return joined.shifted(self._by(step))

    def _arrived(self, sites: Sites, step: Step, sets: list[Sites]) -> Sites:
        """The sites of *sites* that are one *step* after a site of *sets*."""
        if not sets:
            return self.w.constant(0)
        return sites & self.stepped(sets, step)

    def _filled(self, seed: Sites, number: int, step: Step) -> Sites:
        """The sites of a leaf reached from *seed* by any number of steps within it.

        Doubling: each round goes twice as far as the one before it, but as far where that is
        enough.  In a row of sites the first is the source, and the last is left to what follows.
        """
        leaf, found, way, reached = self.leaves[number], seed, 1, 0
        if not leaf.again:
            return seed
        through = leaf.sites & self.w.constant(self.board.arrivals(step))
        far = self.board.longest(step) - (2 if number in self.whole.last else 3)
        while reached < far:
            moved = found.shifted(way * self._by(step))
            found = found.each(lambda a, b, c: a | b & c, through, moved)
            reached += way
            if way < far - reached:
                through = through & through.shifted(way * self._by(step))
                way *= 2
        return found


def _number(e: m.Expr) -> int:
    if isinstance(e, m.Const) and isinstance(e.value, int):
        return e.value
    raise Unsupported


Marks = dict[int, tuple[Expr, Expr]]
"""Where each mark begins and ends, as places along the walk."""
LONGEST = 62
"""Sites of a walk: places are bits of a word."""


@define(repr=False, eq=False)
class WalkedRay(Record):
    """One ray that is walked site by site."""

    v: Values
    pattern: m.RayPattern
    path: int
    """Where in the scratch array the sites of the walk are kept."""
    sets: list[Sites] = field(factory=list)
    fits: list[Local] = field(factory=list)
    times: dict[int, tuple[Expr, Expr | None]] = field(factory=dict)

    # --- before the walk: sets and counts ---

    def prepare(self, part: m.RayPattern) -> None:
        """Work out every set and count of the pattern, in order."""
        match part:
            case m.OnSite(sites):
                self.sets.append(self.v.sites(sites))
            case m.Sequence(items) | m.Alternatives(items):
                for item in items:
                    self.prepare(item)
            case m.Repeated(item, low, high):
                most = None if high is None else self.v.number(high)
                self.times[id(part)] = (self.v.number(low), most)
                self.prepare(item)
            case m.Marked(_, item):
                self.prepare(item)

    def walk(self, site: Expr, table: int, step: Expr) -> None:
        """Note the sites of the walk, and for every set of the pattern which of them it holds."""
        v, w = self.v, self.v.w
        count = len(v.board.names)
        self.fits = [w.var(0, "f") for _ in self.sets]
        place, base = w.var(0, "p"), w.let(table + step * count, "k")
        here = w.var(at("g.tables", base + site), "s")
        with w.loop((here >= 0) & (place < LONGEST)):
            w.set(at("g.scratch", self.path + place), here)
            for fit, sites in zip(self.fits, self.sets, strict=True):
                w.set(fit, fit | op("wrap_shl", sites.has(here), place))
            w.set(place, place + 1)
            w.set(here, at("g.tables", base + here))

    # --- matching ---

    def ends(self, part: m.RayPattern, starts: Expr, first: int) -> tuple[Expr, int]:
        """Where *part* can end; *first* counts the sets before it in the pattern."""
        w = self.v.w
        match part:
            case m.OnSite():
                return w.let(op("wrap_shl", starts & self.fits[first], 1), "e"), first + 1
            case m.Marked(_, item):
                return self.ends(item, starts, first)
            case m.Sequence(items):
                for item in items:
                    starts, first = self.ends(item, starts, first)
                return starts, first
            case m.Alternatives(items):
                found = []
                for item in items:
                    end, first = self.ends(item, starts, first)
                    found.append(end)
                return w.let(reduce(or_, found), "e"), first
            case m.Repeated():
                return self._repeated(part, starts, first)

    def _repeated(self, part: m.Repeated, starts: Expr, first: int) -> tuple[Expr, int]:
        w = self.v.w
        low, high = self.times[id(part)]
        now, found = w.var(starts, "e"), w.var(choice(low <= 0, starts, 0), "e")
        times = w.var(0, "i")
        limit = None if high is None else times < high
        after = first
        with w.loop(also(now.ne(0) & (times < LONGEST + 2), limit)):
            following, after = self.ends(part.item, now, first)
            w.set(times, times + 1)
            w.set(now, following)
            with w.when(times >= low):
                if high is None:
                    w.set(now, now & ~found)
                w.set(found, found | now)
        return found, after

    def matches(self, done: Callable[[Marks], None]) -> None:
        """Write *done* for every way to match, with the places where each mark begins and ends."""
        items = self.pattern.items if isinstance(self.pattern, m.Sequence) else (self.pattern,)
        self._from(items, as_expr(1), 0, {}, done)

    def _from(
        self,
        items: tuple[m.RayPattern, ...],
        starts: Expr,
        first: int,
        marks: Marks,
        done: Callable[[Marks], None],
    ) -> None:
        w = self.v.w
        if not items:
            with w.when(starts.ne(0)):
                done(marks)
            return
        item, rest = items[0], items[1:]
        if not isinstance(item, m.Marked):
            if _marked(item):
                raise Unsupported("a mark inside a repeated or optional part of a ray")
            ends, after = self.ends(item, starts, first)
            self._from(rest, ends, after, marks, done)
            return
        with w.bits(starts, name="p") as begin:
            one = w.let(op("wrap_shl", 1, begin), "e")
            ends, after = self.ends(item.item, one, first)
            with w.bits(ends, name="p") as end:
                there = w.let(op("wrap_shl", 1, end), "e")
                self._from(rest, there, after, {**marks, item.mark: (begin, end)}, done)

    # --- marks as values ---

    def site_of(self, mark: tuple[Expr, Expr]) -> Expr:
        """The number of the one site of a mark."""
        return self.v.w.let(at("g.scratch", self.path + mark[0]), "s")

    def add_to(self, found: Sites, mark: tuple[Expr, Expr]) -> None:
        """Add the sites of a mark to a set held in variables."""
        w, (begin, end) = self.v.w, mark
        with w.each(begin, end, "p") as place:
            w.add(found, w.site_bit(w.let(at("g.scratch", self.path + place), "s")))


def _marked(part: m.RayPattern) -> bool:
    match part:
        case m.Marked():
            return True
        case m.Sequence(items) | m.Alternatives(items):
            return any(_marked(i) for i in items)
        case m.Repeated(item):
            return _marked(item)
    return False


def each_match(
    v: Values,
    source: m.Expr,
    along: m.Expr,
    pattern: m.RayPattern,
    done: Callable[[WalkedRay, Marks], None],
) -> None:
    """Write *done* for every match of a ray from every source along every step."""
    ray = WalkedRay(v, pattern, v.layout.scratch(LONGEST + 2))
    ray.prepare(pattern)
    value = v.value(source)

    def along_steps(steps: AnySteps) -> None:
        with v.w.sites(v.as_sites(value)) as site:

            def one(step: OneStep) -> None:
                ray.walk(site, v.layout.next_table(step.steps), step.index)
                ray.matches(lambda marks: done(ray, marks))

            v.each_step(steps, one, None)

    v.each_way(along, along_steps)


FEW_WORDS = 2
"""On boards of so few words a ray is filled by shifts; on larger ones, where every shift takes
several lines for each word, it is walked."""


def _filled(v: Values, e: m.Ray, of: Callable[[Fill, Step], Sites]) -> Sites:
    """What a pattern read by `Fill` gives for all steps; refuses larger boards."""
    if v.layout.words > FEW_WORDS:
        raise Unsupported
    steps, fill = v.known_steps(e.along), Fill(v.w, v.board)
    fill.read(e.pattern, v.sites)
    return v.w.union(of(fill, step) for step in steps)


def filled(v: Values, e: m.Ray) -> Sites:
    """All that a ray marks, by whole sets; refuses (`Unsupported`) what `Fill` refuses."""
    source = v.sites(e.source)
    return _filled(v, e, lambda fill, step: fill.marked(source, step))


def some_match(v: Values, e: m.Ray) -> Expr:
    """The condition that a ray marks anything; refuses (`Unsupported`) what `Fill` refuses."""
    if may_mark_none(e):
        raise Unsupported
    source = v.sites(e.source)
    return (_filled(v, e, Fill.matching) & source).any()


def lower_ray(v: Values, e: m.Ray) -> Sites:
    """All that a ray marks."""
    fast: Sites | None = v.w.attempt(lambda: filled(v, e))
    if fast is not None:
        v.layout.note_at(e.origin, "ray", "filled by shifts, because a set of sites is few words")
        return fast
    v.layout.note_at(e.origin, "ray", "walked site by site")
    found = v.w.empty()

    def done(ray: WalkedRay, marks: Marks) -> None:
        for mark in marks.values():
            ray.add_to(found, mark)

    each_match(v, e.source, e.along, e.pattern, done)
    return found
