"""Rays as kernel text.

The sites after the source along a step are numbered from 0; a set of places between them is a word
(bit i: before site i).  A part of the pattern turns a set of places where it may begin into the set
where it may end, so stars and counts need no tables.  Only the marked parts are gone through one by
one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from attrs import define, field

from rulewright.codegen.fills import Fill, Unfit
from rulewright.codegen.lift import attempt, may_mark_none
from rulewright.codegen.plan import NoPlan
from rulewright.codegen.values import Value, Values
from rulewright.codegen.writer import Words
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import Expr

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
        count = len(v.plan.rules.board.names)
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
                raise NoPlan("a mark inside a repeated or optional part of a ray")
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
            w.assign(found, w.each("{0} | {1}", found, bit))


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
    ray = _Ray(v, pattern, v.plan.scratch(LONGEST + 2))
    ray.prepare(pattern)
    value = v.value(source)

    def along_steps(steps: Value) -> None:
        with v.w.sites(v.as_words(value)) as site:

            def one(step: Value) -> None:
                ray.walk(site, v.plan.next_table(step.steps), step.index)
                ray.matches(lambda marks: done(ray, marks))

            v.each_step(steps, one, "")

    v.each_way(along, along_steps)


FEW_WORDS = 1
"""On boards of so few words a ray is filled by shifts; on larger ones, where every shift takes
several lines for each word, it is walked."""


def filled(v: Values, e: m.Ray) -> Words:
    """All that a ray marks, by whole sets; refuses (`Unfit`) what `fills` refuses."""
    if v.plan.words > FEW_WORDS:
        raise Unfit
    source, steps = v.words(e.source), v.known_steps(e.along)
    fill = Fill(v.w, v.plan.rules.board)
    fill.read(e.pattern, v.words)
    found = v.w.constant(0)
    for step in steps:
        found = v.w.each("{0} | {1}", found, fill.marked(source, step))
    return found


def some_match(v: Values, e: m.Ray) -> str:
    """The condition that a ray marks anything; refuses (`Unfit`) what `fills` refuses."""
    if v.plan.words > FEW_WORDS or may_mark_none(e):
        raise Unfit
    source, steps = v.words(e.source), v.known_steps(e.along)
    fill = Fill(v.w, v.plan.rules.board)
    fill.read(e.pattern, v.words)
    found = v.w.constant(0)
    for step in steps:
        found = v.w.each("{0} | {1}", found, fill.matching(step))
    return v.w.some(v.w.each("{0} & {1}", found, source))


def one_site(s: r.ChooseRay) -> m.Ray | None:
    """A choice of a ray that is no more than a choice of one marked site, as the set of these."""
    items = s.pattern.items if isinstance(s.pattern, m.Sequence) else (s.pattern,)
    marked = [i for i in items if isinstance(i, m.Marked)]
    if len(s.slots) != 1 or len(marked) != 1 or not isinstance(marked[0].item, m.OnSite):
        return None
    return m.Ray(m.Type.SITES, s.source, s.along, s.pattern, 1)


def ray_words(v: Values, e: m.Ray) -> Words:
    """All that a ray marks."""
    fast: Words | None = attempt(v.w, lambda: filled(v, e))
    if fast is not None:
        v.plan.note_at(e.origin, "ray", "filled by shifts, because a set of sites is one word")
        return fast
    v.plan.note_at(e.origin, "ray", "walked site by site")
    found = v.w.variable(v.w.constant(0))

    def done(ray: _Ray, marks: dict[int, tuple[str, str]]) -> None:
        for mark in marks.values():
            ray.add_to(found, mark)

    each_match(v, e.source, e.along, e.pattern, done)
    return found
