"""Rays: by whole sets where the pattern allows it, else as places along a walk.

`Fill` reads a pattern as an automaton, run over all sites at once: a part is matched *at* a site;
that it can be reached from the source, and that the rest can follow, are two sets, filled along the
step by shifts.  It refuses (`Unsupported`) drawn boards, and patterns that repeat more than a
single set.  Places along a walk are bits of a word, and every part of the pattern maps the places
where it may begin to those where it may end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import reduce

from attrs import define, field, frozen

from rulewright.codegen.layout import Unsupported
from rulewright.codegen.lower.values import Value, Values
from rulewright.codegen.lower.writer import Words, Writer
from rulewright.codegen.passes.normalize import may_mark_none
from rulewright.model import expressions as m
from rulewright.model.board import Board, Step
from rulewright.model.expressions import Expr


@define
class _Leaf:
    """One set of the pattern; `again` when it may be matched several times in a row."""

    words: Words
    marks: tuple[int, ...]
    again: bool = False
    follow: list[int] = field(factory=list)


@frozen
class _Part:
    """Where a part of the pattern begins and ends, and whether it may match nothing."""

    first: tuple[int, ...]
    last: tuple[int, ...]
    empty: bool


@define
class Fill:
    """A ray's pattern with the values of its sets."""

    w: Writer
    board: Board
    leaves: list[_Leaf] = field(factory=list)
    whole: _Part = field(init=False)

    def read(self, pattern: m.RayPattern, words: Callable[[Expr], Words]) -> None:
        """Build the automaton; *words* writes the sets."""
        if self.board.is_drawn:
            raise Unsupported
        self.whole = self._part(pattern, (), words)

    def _part(
        self, p: m.RayPattern, marks: tuple[int, ...], words: Callable[[Expr], Words]
    ) -> _Part:
        match p:
            case m.OnSite(sites=sites):
                self.leaves.append(_Leaf(words(sites), marks))
                number = (len(self.leaves) - 1,)
                return _Part(number, number, empty=False)
            case m.Marked(mark=mark, item=item):
                return self._part(item, (*marks, mark), words)
            case m.Sequence(items=items):
                found = _Part((), (), empty=True)
                for item in items:
                    found = self._joined(found, self._part(item, marks, words))
                return found
            case m.Alternatives(items=items):
                parts = [self._part(i, marks, words) for i in items]
                first = tuple(n for x in parts for n in x.first)
                last = tuple(n for x in parts for n in x.last)
                return _Part(first, last, any(x.empty for x in parts))
            case m.Repeated():
                return self._repeated(p, marks, words)

    def _joined(self, a: _Part, b: _Part) -> _Part:
        for number in a.last:
            self.leaves[number].follow += b.first
        first = a.first + b.first if a.empty else a.first
        last = a.last + b.last if b.empty else b.last
        return _Part(first, last, a.empty and b.empty)

    def _repeated(
        self, p: m.Repeated, marks: tuple[int, ...], words: Callable[[Expr], Words]
    ) -> _Part:
        low, high = _number(p.low), None if p.high is None else _number(p.high)
        if low > 8 or (high or 0) > 8:
            raise Unsupported
        copies = max(low, 1) if high is None else high
        found = _Part((), (), empty=True)
        for i in range(copies):
            part = self._part(p.item, marks, words)
            if high is None and i == copies - 1:
                if not isinstance(p.item, m.OnSite):
                    raise Unsupported
                self.leaves[-1].again = True
            may_stop = _Part(part.first, part.last, part.empty or i >= low)
            found = self._joined(found, may_stop)
        return found

    # --- running it along a step ---

    def back(self, step: Step) -> dict[int, Words]:
        """For every leaf the sites where it stands and the rest of the pattern can follow."""
        found: dict[int, Words] = {}
        for number in reversed(range(len(self.leaves))):
            leaf = self.leaves[number]
            after = [found[n] for n in leaf.follow]
            words = leaf.words
            if number not in self.whole.last:
                words = self._arrived(leaf.words, self.opposite(step), after)
            found[number] = self._filled(words, leaf, self.opposite(step))
        return found

    def forth(self, source: Words, step: Step) -> dict[int, Words]:
        """For every leaf the sites where it stands and the pattern before it has matched."""
        found: dict[int, Words] = {}
        for number, leaf in enumerate(self.leaves):
            before = [found[n] for n in range(number) if number in self.leaves[n].follow]
            if number in self.whole.first:
                before.append(source)
            found[number] = self._filled(self._arrived(leaf.words, step, before), leaf, step)
        return found

    def matching(self, step: Step) -> Words:
        """The sites from which the pattern matches along *step*."""
        if self.whole.empty:
            return self.w.constant(self.board.sites)
        back = self.back(step)
        return self.stepped([back[n] for n in self.whole.first], self.opposite(step))

    def marked(self, source: Words, step: Step) -> Words:
        """The marked sites of all matches from *source* along *step*."""
        forth, back = self.forth(source, step), self.back(step)
        wanted = [n for n, leaf in enumerate(self.leaves) if leaf.marks] or list(forth)
        found = self.w.constant(0)
        for number in wanted:
            both = self.w.both(forth[number], back[number])
            found = self.w.either(found, both)
        return found

    # --- shifts ---

    def opposite(self, step: Step) -> Step:
        """The step back."""
        return self.board.opposite(step)

    def _by(self, step: Step) -> int:
        return step[0] + step[1] * self.board.width

    def stepped(self, sets: list[Words], step: Step) -> Words:
        """The sites one *step* after those of *sets*."""
        reached = self.w.constant(arrivals(self.board, step))
        return self.w.both(reached, self._shifted(sets, step))

    def _shifted(self, sets: list[Words], step: Step) -> Words:
        joined = self.w.constant(0)
        for one in sets:
            joined = self.w.either(joined, one)
        return self.w.shifted(joined, self._by(step))

    def _arrived(self, words: Words, step: Step, sets: list[Words]) -> Words:
        """The sites of *words* that are one *step* after a site of *sets*."""
        if not sets:
            return self.w.constant(0)
        return self.w.both(words, self.stepped(sets, step))

    def _filled(self, seed: Words, leaf: _Leaf, step: Step) -> Words:
        """The sites of a leaf reached from *seed* by any number of steps within it.

        Doubling: after k rounds all that is up to 2**k - 1 steps away is reached.
        """
        if not leaf.again:
            return seed
        through = self.w.both(leaf.words, self.w.constant(arrivals(self.board, step)))
        found, way = seed, 1
        while way < self.board.longest(step):
            moved = self.w.shifted(found, way * self._by(step))
            found = self.w.each("{0} | {1} & {2}", found, through, moved)
            if 2 * way < self.board.longest(step):
                moved = self.w.shifted(through, way * self._by(step))
                through = self.w.both(through, moved)
            way *= 2
        return found


def _number(e: Expr) -> int:
    if isinstance(e, m.Const) and isinstance(e.value, int):
        return e.value
    raise Unsupported


def arrivals(board: Board, step: Step) -> int:
    """The sites that are one *step* after another; a plain shift by the step is right there."""
    found = 0
    for target in board.targets(step):
        found |= target
    return found


LONGEST = 62
"""Sites of a walk: places are bits of a word."""


@define
class _Ray:
    v: Values
    pattern: m.RayPattern
    path: int
    """Where in the scratch array the sites of the walk are kept."""
    sets: list[Words] = field(factory=list)
    fits: list[str] = field(factory=list)
    times: dict[int, tuple[str, str | None]] = field(factory=dict)

    # --- before the walk: sets and counts ---

    def prepare(self, part: m.RayPattern) -> None:
        """Work out every set and count of the pattern, in order."""
        match part:
            case m.OnSite(sites):
                self.sets.append(self.v.words(sites))
            case m.Sequence(items) | m.Alternatives(items):
                for item in items:
                    self.prepare(item)
            case m.Repeated(item, low, high):
                most = None if high is None else self.v.number(high)
                self.times[id(part)] = (self.v.number(low), most)
                self.prepare(item)
            case m.Marked(_, item):
                self.prepare(item)

    def walk(self, site: str, table: int, step: str) -> None:
        """Note the sites of the walk, and for every set of the pattern which of them it holds."""
        v, w = self.v, self.v.w
        count = len(v.board.names)
        self.fits = [w.fresh("f") for _ in self.sets]
        for fit in self.fits:
            w.put(f"{fit} = 0")
        place, here = w.fresh("p"), w.fresh("s")
        w.put(f"{place} = 0")
        w.put(f"{here} = g.tables[{table} + {step} * {count} + {site}]")
        with w.block(f"while {here} >= 0 and {place} < {LONGEST}:"):
            w.put(f"g.scratch[{self.path} + {place}] = {here}")
            for fit, words in zip(self.fits, self.sets, strict=True):
                w.put(f"{fit} = {fit} | wrap_shl({w.has(words, here)}, {place})")
            w.put(f"{place} = {place} + 1")
            w.put(f"{here} = g.tables[{table} + {step} * {count} + {here}]")

    # --- matching ---

    def ends(self, part: m.RayPattern, starts: str, first: int) -> tuple[str, int]:
        """Where *part* can end; *first* counts the sets before it in the pattern."""
        w = self.v.w
        match part:
            case m.OnSite():
                return w.let(f"wrap_shl({starts} & {self.fits[first]}, 1)", "e"), first + 1
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
                return w.let(" | ".join(found), "e"), first
            case m.Repeated():
                return self._repeated(part, starts, first)

    def _repeated(self, part: m.Repeated, starts: str, first: int) -> tuple[str, int]:
        w = self.v.w
        low, high = self.times[id(part)]
        now, found, times = w.fresh("e"), w.fresh("e"), w.fresh("i")
        w.put(f"{now} = {starts}")
        w.put(f"{found} = {starts} if {low} <= 0 else 0")
        w.put(f"{times} = 0")
        limit = f" and {times} < {high}" if high is not None else ""
        after = first
        with w.block(f"while {now} != 0 and {times} < {LONGEST + 2}{limit}:"):
            following, after = self.ends(part.item, now, first)
            w.put(f"{times} = {times} + 1")
            w.put(f"{now} = {following}")
            with w.block(f"if {times} >= {low}:"):
                w.put(f"{now} = {now} & ~{found}" if high is None else f"{now} = {now}")
                w.put(f"{found} = {found} | {now}")
        return found, after

    def matches(self, done: Callable[[dict[int, tuple[str, str]]], None]) -> None:
        """Write *done* for every way to match, with the places where each mark begins and ends."""
        items = self.pattern.items if isinstance(self.pattern, m.Sequence) else (self.pattern,)
        self._from(items, "1", 0, {}, done)

    def _from(
        self,
        items: tuple[m.RayPattern, ...],
        starts: str,
        first: int,
        marks: dict[int, tuple[str, str]],
        done: Callable[[dict[int, tuple[str, str]]], None],
    ) -> None:
        w = self.v.w
        if not items:
            with w.block(f"if {starts} != 0:"):
                done(marks)
            return
        item, rest = items[0], items[1:]
        if not isinstance(item, m.Marked):
            if _marked(item):
                raise Unsupported("a mark inside a repeated or optional part of a ray")
            ends, after = self.ends(item, starts, first)
            self._from(rest, ends, after, marks, done)
            return
        with self._each_bit(starts) as begin:
            one = w.let(f"wrap_shl(1, {begin})", "e")
            ends, after = self.ends(item.item, one, first)
            with self._each_bit(ends) as end:
                there = w.let(f"wrap_shl(1, {end})", "e")
                self._from(rest, there, after, {**marks, item.mark: (begin, end)}, done)

    @contextmanager
    def _each_bit(self, places: str) -> Iterator[str]:
        w, rest = self.v.w, self.v.w.fresh("r")
        w.put(f"{rest} = {places}")
        with w.block(f"while {rest} != 0:"):
            place = w.let(f"trailing({rest})", "p")
            w.put(f"{rest} = {rest} & wrap_add({rest}, -1)")
            yield place

    # --- marks as values ---

    def site_of(self, mark: tuple[str, str]) -> str:
        """The number of the one site of a mark."""
        return self.v.w.let(f"g.scratch[{self.path} + {mark[0]}]", "s")

    def add_to(self, found: Words, mark: tuple[str, str]) -> None:
        """Add the sites of a mark to a set held in variables."""
        w, (begin, end) = self.v.w, mark
        place = w.fresh("p")
        with w.block(f"for {place} in range({begin}, {end}):"):
            bit = w.site_bit(w.let(f"g.scratch[{self.path} + {place}]", "s"))
            w.add(found, bit)


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
    source: Expr,
    along: Expr,
    pattern: m.RayPattern,
    done: Callable[[_Ray, dict[int, tuple[str, str]]], None],
) -> None:
    """Write *done* for every match of a ray from every source along every step."""
    ray = _Ray(v, pattern, v.layout.scratch(LONGEST + 2))
    ray.prepare(pattern)
    value = v.value(source)

    def along_steps(steps: Value) -> None:
        with v.w.sites(v.as_words(value)) as site:

            def one(step: Value) -> None:
                ray.walk(site, v.layout.next_table(step.steps), step.index)
                ray.matches(lambda marks: done(ray, marks))

            v.each_step(steps, one, "")

    v.each_way(along, along_steps)


FEW_WORDS = 1
"""On boards of so few words a ray is filled by shifts; on larger ones, where every shift takes
several lines for each word, it is walked."""


def _filled(v: Values, e: m.Ray, of: Callable[[Fill, Step], Words]) -> Words:
    """What a pattern read by `Fill` gives for all steps; refuses larger boards."""
    if v.layout.words > FEW_WORDS:
        raise Unsupported
    steps, fill = v.known_steps(e.along), Fill(v.w, v.board)
    fill.read(e.pattern, v.words)
    return reduce(v.w.either, (of(fill, step) for step in steps), v.w.constant(0))


def filled(v: Values, e: m.Ray) -> Words:
    """All that a ray marks, by whole sets; refuses (`Unsupported`) what `Fill` refuses."""
    source = v.words(e.source)
    return _filled(v, e, lambda fill, step: fill.marked(source, step))


def some_match(v: Values, e: m.Ray) -> str:
    """The condition that a ray marks anything; refuses (`Unsupported`) what `Fill` refuses."""
    if may_mark_none(e):
        raise Unsupported
    source = v.words(e.source)
    return v.w.some(v.w.both(_filled(v, e, Fill.matching), source))


def lower_ray(v: Values, e: m.Ray) -> Words:
    """All that a ray marks."""
    fast: Words | None = v.w.attempt(lambda: filled(v, e))
    if fast is not None:
        v.layout.note_at(e.origin, "ray", "filled by shifts, because a set of sites is one word")
        return fast
    v.layout.note_at(e.origin, "ray", "walked site by site")
    found = v.w.empty()

    def done(ray: _Ray, marks: dict[int, tuple[str, str]]) -> None:
        for mark in marks.values():
            ray.add_to(found, mark)

    each_match(v, e.source, e.along, e.pattern, done)
    return found
