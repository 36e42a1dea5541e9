"""The ends of own groups on cheapest paths, as kernel text.

In: an evaluator, one of its paths, and the plan of its game.  Out: the text of a kernel that writes
two sets: the sites where a path leaves an own group towards its goal, and those where it leaves it
back to where it began.  Costs are laid out in buckets as in `ways.py`; here every bucket is kept,
and the path is walked back through them.  Refuses (`NoPlan`) what `ways.py` refuses.
"""

from __future__ import annotations

from copy import copy

from attrs import define, evolve, field

from rulewright.codegen.crossings import Uncrossed, goes_uncrossed
from rulewright.codegen.judging import FORMS, Judging
from rulewright.codegen.links import linked_words
from rulewright.codegen.plan import NoPlan, Plan
from rulewright.codegen.values import Site, Value
from rulewright.codegen.ways import BUCKETS
from rulewright.codegen.writer import Words, Writer
from rulewright.model import expressions as m
from rulewright.model.evaluation import CheapestPath, Evaluator, PathStep
from rulewright.model.expressions import Const, Expr, Type

HEAD = "g: Game, at: i64"


@define
class Rooms:
    """Where in X the buckets, the layers of each cost, and the way back lie; shared by all."""

    buckets: int
    layers: int
    back: int

    @classmethod
    def of(cls, plan: Plan) -> Rooms:
        """Room for all paths of a game."""
        size = BUCKETS * plan.words
        return cls(plan.scratch(size), plan.scratch(size), plan.scratch(size))


def ends_text(plan: Plan, rooms: Rooms, path: tuple[Evaluator, str], seen: tuple[int, int]) -> str:
    """The body of the kernel for a path of an evaluator, *seen* by a player while one is to move.

    Its tables are added to those of *plan*.
    """
    evaluator, name = path
    found = next(p for p in evaluator.paths if p.name == name)
    costs = [*(s.cost for s in found.starts), *(s.cost for s in found.steps)]
    if any(cost.type is Type.REAL for cost in costs):
        raise NoPlan("a path whose costs are not whole")
    inner = copy(plan)
    inner.rules = evolve(plan.rules, functions=evaluator.functions)
    w = Writer(inner)
    _Ends(_Fixed(FORMS, inner, w, *seen, judge=evaluator), found, rooms).write()
    plan.scratch_size = inner.scratch_size
    return "\n".join(w.lines)


@define
class _Fixed(Judging):
    """Factors are the numbers that the evaluator gives them."""

    def value(self, e: Expr) -> Value:
        """The value of any expression but a family."""
        if isinstance(e, m.FactorValue):
            number = self.judge.defaults[e.index]
            return repr(float(number)) if e.type is Type.REAL else str(int(number))
        return super().value(e)


@define
class _Ends:
    """One path under way: `layers` hold the sites by their least cost."""

    v: Judging
    path: CheapestPath
    rooms: Rooms
    own: Words = field(init=False)
    top: str = field(init=False)
    open: Uncrossed | None = field(default=None, init=False)
    ways: list[tuple[Words | None, str]] = field(init=False)

    def write(self) -> None:
        """The text: costs first, then the way back."""
        v, w, size = self.v, self.v.w, self.v.plan.words
        self.own = w.load("g.state", str(v.plan.owned + v.view * size))
        self.top = w.fresh("h")
        w.put(f"{self.top} = -1")
        target = v.words(self.path.target)
        outer = w.variable(target)
        for start in self.path.starts:
            sites, cost = v.words(start.sites), v.number(start.cost)
            w.assign(outer, w.each("{0} | {1}", outer, sites))
            with w.block(f"if {w.some(sites)}:"):
                self._push(self.rooms.buckets, sites, cost)
        self.open = Uncrossed.of(v, self.path)
        self.ways = [self._prepared(step) for step in self.path.steps]
        known = w.variable(w.constant(0))
        found = self._spread(known, target)
        inner = w.each("{0} & ~{1}", self.own, outer)
        forwards, backs = w.variable(w.constant(0)), w.variable(w.constant(0))
        with w.block(f"if {found} >= 0:"):
            self._back(found, target, (forwards, backs))
        self._clear(self.rooms.buckets)
        self._clear(self.rooms.layers)
        w.store("g.scratch", "at", w.each("{0} & {1}", forwards, inner))
        w.store("g.scratch", f"at + {size}", w.each("{0} & {1}", backs, inner))

    def _prepared(self, step: PathStep) -> tuple[Words | None, str]:
        """Where a step may end and what it costs, if that does not depend on its sites."""
        if step.named and not goes_uncrossed(self.v, step):
            return None, ""
        v = self.v
        into = v.words(step.into)
        if not step.named and not (isinstance(step.when, Const) and step.when.value):
            held = v.flag(v.truth(step.when))
            into = v.w.each(f"{{0}} & (0 - {held})", into)
        return into, v.w.let(v.number(step.cost), "c")

    # --- from where it begins ---

    def _spread(self, known: Words, target: Words) -> str:
        """Fill the layers up to the least cost of a target; gives that cost, -1 without one."""
        w = self.v.w
        found, cost = w.fresh("r"), w.fresh("c")
        w.put(f"{found} = -1")
        w.put(f"{cost} = 0")
        on = f"{cost} <= {self.top} and ({found} < 0 or {cost} <= {found})"
        with w.block(f"while {on}:"):
            at = self._at(self.rooms.buckets, cost)
            fresh = w.variable(w.each("{0} & ~{1}", w.load("g.scratch", at), known))
            w.store("g.scratch", at, w.constant(0))
            with w.block(f"if {w.none(fresh)}:"):
                w.put(f"{cost} = {cost} + 1")
            with w.block("else:"):
                w.assign(known, w.each("{0} | {1}", known, fresh))
                layer = self._at(self.rooms.layers, cost)
                w.store("g.scratch", layer, w.each("{0} | {1}", w.load("g.scratch", layer), fresh))
                with w.block(f"if {w.some(w.each('{0} & {1}', fresh, target))}:"):
                    w.put(f"{found} = {cost}")
                for step, way in zip(self.path.steps, self.ways, strict=True):
                    self._take(step, fresh, known, (*way, cost))
        return found

    def _take(
        self, step: PathStep, fresh: Words, known: Words, way: tuple[Words | None, str, str]
    ) -> None:
        v, w, (into, price, cost) = self.v, self.v.w, way
        if into is not None:
            reached = w.each("{0} & {1} & ~{2}", self._near(step, fresh), into, known)
            with w.block(f"if {w.some(reached)}:"):
                self._push(self.rooms.buckets, reached, w.let(f"{cost} + {price}", "c"))
            return
        outer = v.frame
        with w.sites(fresh) as a:
            v.frame = {0: Site(a)}
            near = self._near(step, w.site_bit(a))
            reached = w.each("{0} & {1} & ~{2}", near, v.words(step.into), known)
            with w.sites(reached) as b:
                v.frame[1] = Site(b)
                with w.block(f"if {v.truth(step.when)}:"):
                    price = w.let(v.number(step.cost), "c")
                    self._push(self.rooms.buckets, w.site_bit(b), w.let(f"{cost} + {price}", "c"))
        v.frame = outer

    # --- back from the goal ---

    def _back(self, found: str, target: Words, ends: tuple[Words, Words]) -> None:
        """Walk cheapest paths back, the dearest layer first, and note where they leave sites."""
        w = self.v.w
        cost = w.fresh("c")
        at = self._at(self.rooms.layers, found)
        first = w.each("{0} & {1}", w.load("g.scratch", at), target)
        w.store("g.scratch", self._at(self.rooms.back, found), first)
        w.put(f"{cost} = {found}")
        with w.block(f"while {cost} >= 0:"):
            here = self._at(self.rooms.back, cost)
            waiting = w.variable(w.load("g.scratch", here))
            w.store("g.scratch", here, w.constant(0))
            done = w.variable(w.constant(0))
            with w.block(f"while {w.some(waiting)}:"):
                w.assign(done, w.each("{0} | {1}", done, waiting))
                more = w.variable(w.constant(0))
                for step, way in zip(self.path.steps, self.ways, strict=True):
                    self._undo(step, way, cost, (waiting, done, more), ends)
                w.assign(waiting, w.each("{0} & ~{1}", more, done))
            w.put(f"{cost} = {cost} - 1")

    def _undo(
        self,
        step: PathStep,
        way: tuple[Words | None, str],
        cost: str,
        sets: tuple[Words, Words, Words],
        ends: tuple[Words, Words],
    ) -> None:
        into, price = way
        if into is None:
            self._undo_named(step, cost, sets, ends)
            return
        w, (waiting, _, more) = self.v.w, sets
        reached = w.each("{0} & {1}", waiting, into)
        with w.block(f"if {price} <= {cost}:"):
            layer = w.load(
                "g.scratch", self._at(self.rooms.layers, w.let(f"{cost} - {price}", "c"))
            )
            before = w.each("{0} & {1}", self._near(step, reached, back=True), layer)
            with w.block(f"if {price} == 0:"):
                w.assign(more, w.each("{0} | {1}", more, before))
                self._note_free(step, reached, before, ends)
            with w.block("else:"), w.block(f"if {w.some(before)}:"):
                self._add(self._at(self.rooms.back, w.let(f"{cost} - {price}", "c")), before)
                w.assign(ends[0], w.each("{0} | {1}", ends[0], before))
                entered = w.each("{0} & {1}", self._near(step, before), reached)
                w.assign(ends[1], w.each("{0} | {1}", ends[1], entered))

    def _note_free(
        self, step: PathStep, reached: Words, before: Words, ends: tuple[Words, Words]
    ) -> None:
        """A step that costs nothing leaves a group only between an own site and another."""
        w, own = self.v.w, self.own
        for end, here, there, back in (
            (ends[0], before, reached, True),
            (ends[1], reached, before, False),
        ):
            inside = w.each("{0} & {1}", here, own)
            with w.block(f"if {w.some(inside)}:"):
                outside = w.each("{0} & ~{1}", there, own)
                near = w.each("{0} & {1}", self._near(step, outside, back=back), inside)
                w.assign(end, w.each("{0} | {1}", end, near))

    def _undo_named(
        self, step: PathStep, cost: str, sets: tuple[Words, Words, Words], ends: tuple[Words, Words]
    ) -> None:
        v, w, (waiting, _, more) = self.v, self.v.w, sets
        outer = v.frame
        with w.sites(waiting) as b:
            target = w.site_bit(b)
            with w.sites(self._near(step, target, back=True)) as a:
                v.frame = {0: Site(a), 1: Site(b)}
                inside = w.has(v.words(step.into), b)
                with w.block(f"if {inside} != 0:"), w.block(f"if {v.truth(step.when)}:"):
                    price = w.let(v.number(step.cost), "c")
                    with w.block(f"if {price} <= {cost}:"):
                        bit = w.site_bit(a)
                        left = w.let(f"{cost} - {price}", "c")
                        layer = w.load("g.scratch", self._at(self.rooms.layers, left))
                        with w.block(f"if {w.some(w.each('{0} & {1}', layer, bit))}:"):
                            with w.block(f"if {price} == 0:"):
                                w.assign(more, w.each("{0} | {1}", more, bit))
                            with w.block("else:"):
                                self._add(self._at(self.rooms.back, left), bit)
                            leaves = f"{w.has(self.own, a)} != {w.has(self.own, b)}"
                            with w.block(f"if {price} != 0 or {leaves}:"):
                                w.assign(ends[0], w.each("{0} | {1}", ends[0], bit))
                                w.assign(ends[1], w.each("{0} | {1}", ends[1], target))
        v.frame = outer

    # --- sets in X ---

    def _at(self, room: int, cost: str) -> str:
        return self.v.w.let(f"{room} + {cost} * {self.v.plan.words}", "k")

    def _add(self, at: str, words: Words) -> None:
        w = self.v.w
        w.store("g.scratch", at, w.each("{0} | {1}", w.load("g.scratch", at), words))

    def _near(self, step: PathStep, words: Words, back: bool = False) -> Words:
        if step.linked:
            return linked_words(self.v, words)
        if self.open is not None and goes_uncrossed(self.v, step):
            return self.open.near(words)
        steps = self.v.known_steps(step.steps)
        if back:
            steps = tuple(self.v.plan.rules.board.opposite(s) for s in steps)
        return self.v.neighbours(steps, words)

    def _push(self, room: int, sites: Words, cost: str) -> None:
        """Let sites wait in the bucket of a cost."""
        w = self.v.w
        with w.block(f"if {cost} < 0 or {cost} >= {BUCKETS}:"):
            self.v.fault("overflow")
        with w.block("else:"):
            self._add(self._at(room, cost), sites)
            w.put(f"{self.top} = {cost} if {cost} > {self.top} else {self.top}")

    def _clear(self, room: int) -> None:
        """Leave all sets empty for the next time."""
        w = self.v.w
        cost = w.fresh("c")
        with w.block(f"for {cost} in range({self.top} + 1):"):
            w.store("g.scratch", self._at(room, cost), w.constant(0))
