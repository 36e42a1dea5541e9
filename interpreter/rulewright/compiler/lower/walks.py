"""Rays that are walked site by site: places along the walk are bits of a word.

In: a ray, its source and its steps.  Out: a loop over its matches.  A walk notes its sites, and for
every set of the pattern a word that says which of them it holds; each part of the pattern maps the
places where it may begin to those where it may end.  No site is visited that no match can reach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import reduce
from operator import add, or_
from typing import cast

from attrs import define, field

from rulewright.compiler.ir.nodes import Expr, Local, as_expr, choice, op
from rulewright.compiler.layout import Unsupported
from rulewright.compiler.lower.entries import each_site
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.writer import AnySteps, Once, OneStep, Sites, also, at
from rulewright.compiler.passes.notations import is_one_site
from rulewright.ground.records import Record, record
from rulewright.model import expressions as m

Marks = dict[int, tuple[Expr, Expr]]
"""Where each mark begins and ends, as places along the walk."""
LONGEST = 62
"""Sites of a walk: places are bits of a word."""
_LAST_BIT = 61
"""The bit that all further sets of a pattern share."""


@define(repr=False, eq=False)
class WalkedRay(Record):
    """One ray that is walked site by site."""

    v: Values
    pattern: m.RayPattern
    path: int
    """The offset in the scratch array of the sites of the walk."""
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
                limit = None if high is None else self.v.number(high)
                self.times[id(part)] = (self.v.number(low), limit)
                self.prepare(item)
            case m.Marked(_, item):
                self.prepare(item)

    def walk(self, site: Expr, step: OneStep) -> None:
        """Walk and note the sites, and for every set of the pattern which of them it holds."""
        v, w = self.v, self.v.w
        self.fits = [w.var(0, "f") for _ in self.sets]
        place = w.var(0, "p")
        next_site = _next_site(v, site, step)
        current = w.var(next_site(site, place), "s")
        longest = self._longest(self.pattern)
        limit = LONGEST if longest is None else _least(longest, LONGEST)
        goes_on = (current >= 0) & (place < limit)
        if v.board.has_rounds and not _crosses_itself(v, step):  # once round, and not further
            goes_on = goes_on & current.ne(site)
        follow = list[int]()
        expected = w.var(_read_order(self.pattern, follow).first, "e")
        with w.loop(goes_on & expected.ne(0)):
            w.set(at("g.scratch", self.path + place), current)
            following: list[Expr] = []
            for number, (fit, sites) in enumerate(zip(self.fits, self.sets, strict=True)):
                is_in = w.let(sites.has(current), "t")
                w.set(fit, fit | op("wrap_shl", is_in, place))
                here = op("shift_right", expected, min(number, _LAST_BIT)) & is_in
                following.append(here * follow[number])
            w.set(expected, reduce(or_, following))
            w.set(place, place + 1)
            w.set(current, next_site(current, place))

    def _longest(self, part: m.RayPattern) -> Expr | int | None:
        """Return the most sites that a part takes; None where nothing bounds it."""
        match part:
            case m.OnSite():
                return 1
            case m.Marked(_, item):
                return self._longest(item)
            case m.Sequence(items):
                lengths = [self._longest(i) for i in items]
                bounds = [as_expr(n) for n in lengths if n is not None]
                return reduce(add, bounds) if bounds and len(bounds) == len(items) else None
            case m.Repeated(item):
                _, high = self.times[id(part)]
                once = self._longest(item)
                return None if high is None or once != 1 else choice(high > 0, high, 0)
            case m.Alternatives(items):
                return 1 if all(self._longest(i) == 1 for i in items) else None

    # --- matching ---

    def ends(
        self, part: m.RayPattern, starts: Expr, first: int, start: Expr | None = None
    ) -> tuple[Expr, int]:
        """Write the places where *part* can end; *first* counts the sets before it.

        *start* is the one place where it can begin, if *starts* is not 0 and there is only one.
        Also returns the number of the sets up to its end.
        """
        w = self.v.w
        match part:
            case m.OnSite():
                return w.let(op("wrap_shl", starts & self.fits[first], 1), "e"), first + 1
            case m.Marked(_, item):
                return self.ends(item, starts, first, start)
            case m.Sequence(items):
                for item in items:
                    starts, first = self.ends(item, starts, first, start)
                    start = None
                return starts, first
            case m.Alternatives(items):
                results = []
                for item in items:
                    end, first = self.ends(item, starts, first)
                    results.append(end)
                return w.let(reduce(or_, results), "e"), first
            case m.Repeated(item):
                if start is not None and is_one_site(item):
                    return self._run(part, starts, first, start)
                return self._repeat(part, starts, first)

    def _run(self, part: m.Repeated, starts: Expr, first: int, start: Expr) -> tuple[Expr, int]:
        """Write where a part of single sites can end, which begins at one place: a row of bits."""
        w, next_set = self.v.w, first + _sets_of(part)
        low, high = self.times[id(part)]
        fits = reduce(or_, self.fits[first:next_set])
        far = w.let(op("trailing", ~op("shift_right", fits, start)), "n")
        if high is not None:
            far = w.let(_least(far, high), "n")
        low = w.let(choice(low > 0, low, 0), "n")
        ends = w.var(0, "e")
        with w.when(starts.ne(0) & (low <= far)):
            beyond = op("wrap_shl", -2, start + far)
            w.set(ends, op("wrap_shl", -1, start + low) & ~beyond)
        return ends, next_set

    def _repeat(self, part: m.Repeated, starts: Expr, first: int) -> tuple[Expr, int]:
        w = self.v.w
        low, high = self.times[id(part)]
        may_be_none = low <= 0 if high is None else (low <= 0) & (high >= 0)
        current, ends = w.var(starts, "e"), w.var(choice(may_be_none, starts, 0), "e")
        times = w.var(0, "i")
        limit = None if high is None else times < high
        next_set = first
        with w.loop(also(current.ne(0) & (times < LONGEST + 2), limit)):
            reached, next_set = self.ends(part.item, current, first)
            w.set(times, times + 1)
            w.set(current, reached)
            with w.when(times >= low):
                if high is None:
                    w.set(current, current & ~ends)
                w.set(ends, ends | current)
        return ends, next_set

    def matches(self, on_match: Callable[[Marks], None]) -> None:
        """Write a loop over the ways to match, with the places where each mark begins and ends."""
        items = self.pattern.items if isinstance(self.pattern, m.Sequence) else (self.pattern,)
        self._from(items, (as_expr(1), as_expr(0)), 0, {}, on_match)

    def _from(
        self,
        items: tuple[m.RayPattern, ...],
        starts: tuple[Expr, Expr | None],
        first: int,
        marks: Marks,
        on_match: Callable[[Marks], None],
    ) -> None:
        w, (bits, start) = self.v.w, starts
        if not items:
            with w.when(bits.ne(0)):
                on_match(marks)
            return
        item, rest = items[0], items[1:]
        if not isinstance(item, m.Marked):
            if _has_mark(item):
                raise Unsupported("a mark inside a repeated or optional part of a ray")
            ends, next_set = self.ends(item, bits, first, start)
            end = start + 1 if start is not None and is_one_site(item) else None
            self._from(rest, (ends, end), next_set, marks, on_match)
            return
        with self._places(bits, start) as begin:
            start_bit = w.let(op("wrap_shl", 1, begin), "e")
            ends, next_set = self.ends(item.item, start_bit, first, begin)
            with self._places(ends, begin + 1 if is_one_site(item.item) else None) as end:
                end_bit = w.let(op("wrap_shl", 1, end), "e")
                bounds = {**marks, item.mark: (begin, end)}
                self._from(rest, (end_bit, end), next_set, bounds, on_match)

    @contextmanager
    def _places(self, places: Expr, only: Expr | None) -> Iterator[Expr]:
        """Write a loop over places; *only* is the one that there can be, if it is known."""
        if only is None:
            with self.v.w.bits(places, name="p") as place:
                yield place
            return
        with self.v.w.when(places.ne(0)):
            yield self.v.w.let(only, "p")

    # --- marks as values ---

    def site_of(self, mark: tuple[Expr, Expr]) -> Expr:
        """Look up the number of the one site of a mark."""
        return self.v.w.let(at("g.scratch", self.path + mark[0]), "s")

    def run_of(self, mark: tuple[Expr, Expr]) -> MarkedRun:
        """Write names for the sites of a mark, which are filled where they are first asked for."""
        w = self.v.w
        flag, sites = w.var(0, "b"), w.empty()

        def value() -> Sites:
            with w.when(flag.eq(0)):
                w.set(flag, 1)
                self.add_to(sites, mark)
            return sites

        return MarkedRun(value, w.let(mark[1] - mark[0], "n"))

    def add_to(self, sites: Sites, mark: tuple[Expr, Expr]) -> None:
        """Add the sites of a mark to a set held in variables."""
        w, (begin, end) = self.v.w, mark
        with w.each(begin, end, "p") as place:
            w.add(sites, w.site_bit(w.let(at("g.scratch", self.path + place), "s")))


@record
class _Order(Record):
    """Which sets of a part can be matched first and last, as bits of words."""

    first: int
    last: int
    may_be_empty: bool


def _read_order(part: m.RayPattern, follow: list[int]) -> _Order:
    """Add, for every set of a part, the sets that may be matched at the next site.

    Counts of repeated parts are not looked at, so that more may follow here than in a match.
    """
    match part:
        case m.OnSite():
            follow.append(0)
            bit = 1 << min(len(follow) - 1, _LAST_BIT)
            return _Order(bit, bit, may_be_empty=False)
        case m.Marked(_, item):
            return _read_order(item, follow)
        case m.Repeated(item, low):
            once = _read_order(item, follow)
            _lead(follow, once.last, once.first)
            is_needed = isinstance(low, m.Const) and cast("int", low.value) > 0
            return _Order(once.first, once.last, once.may_be_empty or not is_needed)
        case m.Sequence(items) | m.Alternatives(items):
            parts = [_read_order(item, follow) for item in items]
            if isinstance(part, m.Sequence):
                return reduce(lambda a, b: _in_order(follow, a, b), parts, _Order(0, 0, True))
            first, last = (
                reduce(or_, sets) for sets in zip(*((p.first, p.last) for p in parts), strict=True)
            )
            return _Order(first, last, any(p.may_be_empty for p in parts))


def _in_order(follow: list[int], a: _Order, b: _Order) -> _Order:
    """Return the order of two parts, the second behind the first."""
    _lead(follow, a.last, b.first)
    first = a.first | b.first if a.may_be_empty else a.first
    last = a.last | b.last if b.may_be_empty else b.last
    return _Order(first, last, a.may_be_empty and b.may_be_empty)


def _lead(follow: list[int], sources: int, targets: int) -> None:
    for number in range(len(follow)):
        if sources >> min(number, _LAST_BIT) & 1:
            follow[number] |= targets


@record
class MarkedRun(Once):
    """The sites of a mark, whose number is known without them."""

    length: Expr


def _crosses_itself(v: Values, step: OneStep) -> bool:
    return any(map(v.board.crosses_itself, step.steps))


def _next_site(v: Values, site: Expr, step: OneStep) -> Callable[[Expr, Expr], Expr]:
    """Return what writes the site after a site, which is the number *place* of the walk.

    A line that crosses itself is no matter of sites alone: its walks are listed from every site.
    """
    w, count = v.w, len(v.board.names)
    if _crosses_itself(v, step):
        table = v.layout.walk_table(step.steps)
        row = at("g.tables", table + step.index * count + site)
        first = w.let(table + row, "k")
        return lambda site, place: at("g.tables", first + place)
    base = w.let(v.layout.next_table(step.steps) + step.index * count, "k")
    return lambda site, place: at("g.tables", base + site)


def _least(a: Expr | int, b: Expr | int) -> Expr:
    a, b = as_expr(a), as_expr(b)
    return choice(a < b, a, b)


def _sets_of(part: m.RayPattern) -> int:
    """Count the sets of a part."""
    match part:
        case m.Sequence(items) | m.Alternatives(items):
            return sum(map(_sets_of, items))
        case m.Marked(_, item) | m.Repeated(item):
            return _sets_of(item)
    return 1


def _has_mark(part: m.RayPattern) -> bool:
    match part:
        case m.Marked():
            return True
        case m.Sequence(items) | m.Alternatives(items):
            return any(_has_mark(i) for i in items)
        case m.Repeated(item):
            return _has_mark(item)
    return False


def each_match(
    v: Values,
    source: m.Expr,
    along: m.Expr,
    pattern: m.RayPattern,
    on_match: Callable[[WalkedRay, Marks], None],
) -> None:
    """Write a loop over the matches of a ray from every source along every step."""
    ray = WalkedRay(v, pattern, v.layout.scratch(LONGEST + 2))
    ray.prepare(pattern)
    value = v.value(source)

    def along_steps(steps: AnySteps) -> None:
        with each_site(v, value) as site:

            def walk_step(step: OneStep) -> None:
                ray.walk(site, step)
                ray.matches(lambda marks: on_match(ray, marks))

            v.each_step(steps, walk_step, None)

    v.each_way(along, along_steps)
