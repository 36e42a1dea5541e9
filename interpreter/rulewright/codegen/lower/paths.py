"""Cheapest paths by whole sets (Dijkstra 1959, with buckets as in Dial 1969), and their ends.

In: a path of an evaluator.  Out: its cost, or the sites where it leaves own groups towards its goal
and back to where it began.  Sites wait in the bucket of their cost; the cheapest bucket is taken
whole.  Steps without names are taken by shifts of the whole bucket, steps that name their two sites
one by one.  For the ends every bucket is kept, and the path is walked back through them.  Refuses
(`Unsupported`) costs that are not whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from attrs import define, field

from rulewright.codegen.layout import StateLayout, Unsupported
from rulewright.codegen.lower.links import Uncrossed, goes_uncrossed, linked_words
from rulewright.codegen.lower.values import Site
from rulewright.codegen.lower.writer import Words
from rulewright.model.evaluation import CheapestPath, PathStep
from rulewright.model.expressions import Const, Type

if TYPE_CHECKING:
    from rulewright.codegen.lower.evaluators import EvaluatorValues

BUCKETS = 4096
"""Costs up to this; a path that costs more is a fault."""


def lower_path(v: EvaluatorValues, path: CheapestPath, type_: Type) -> str:
    """The cost of a path, or what it says where there is none."""
    if type_ is Type.REAL:
        raise Unsupported("a path whose costs are not whole")
    return _Cost(v, path, v.layout.scratch(BUCKETS * v.layout.words)).write()


@define
class Rooms:
    """Where the buckets, the layers of each cost, and the way back lie; shared by all paths."""

    buckets: int
    layers: int
    back: int

    @classmethod
    def of(cls, layout: StateLayout) -> Rooms:
        """Room for all paths of a game."""
        size = BUCKETS * layout.words
        return cls(layout.scratch(size), layout.scratch(size), layout.scratch(size))


@define
class _Spread:
    """One path under way: in `room` a set of sites for each cost, up to the cost `top`."""

    v: EvaluatorValues
    path: CheapestPath
    room: int
    top: str = field(init=False)
    open: Uncrossed | None = field(default=None, init=False)
    ways: list[tuple[Words | None, str]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        costs = [*(s.cost for s in self.path.starts), *(s.cost for s in self.path.steps)]
        if any(cost.type is Type.REAL for cost in costs):
            raise Unsupported("a path whose costs are not whole")
        self.top = self.v.w.fresh("h")
        self.v.w.put(f"{self.top} = -1")

    def _starts(self) -> Iterator[Words]:
        """Let the sites where the path may begin wait."""
        for start in self.path.starts:
            sites, cost = self.v.words(start.sites), self.v.number(start.cost)
            with self.v.w.block(f"if {self.v.w.some(sites)}:"):
                self._push(sites, cost)
            yield sites

    def _prepare(self) -> None:
        """Where steps may end and what they cost, where that does not depend on their sites."""
        self.open = Uncrossed.of(self.v, self.path)
        self.ways = [self._prepared(step) for step in self.path.steps]

    def _prepared(self, step: PathStep) -> tuple[Words | None, str]:
        if step.named and not goes_uncrossed(self.v, step):
            return None, ""
        into, v = self.v.words(step.into), self.v
        if not step.named and not (isinstance(step.when, Const) and step.when.value):
            held = v.flag(v.truth(step.when))
            into = v.w.each(f"{{0}} & (0 - {held})", into)
        return into, self._price(v.number(step.cost))

    def _price(self, cost: str) -> str:
        with self.v.w.block(f"if {cost} < 0:"):
            self.v.fault("negative-cost")
        return self.v.w.let(f"{cost} if {cost} >= 0 else 0", "c")

    @contextmanager
    def _cheapest(self, cost: str, known: Words) -> Iterator[Words]:
        """The sites of the bucket of a cost that are not known; the next bucket if there are none.

        What is written meanwhile is for the case that there are some.
        """
        w, at = self.v.w, self._at(self.room, cost)
        fresh = w.variable(w.without(w.load("g.scratch", at), known))
        w.store("g.scratch", at, w.constant(0))
        with w.block(f"if {w.none(fresh)}:"):
            w.put(f"{cost} = {cost} + 1")
        with w.block("else:"):
            w.add(known, fresh)
            yield fresh

    def _take_all(self, fresh: Words, known: Words, cost: str) -> None:
        """Let the sites wait that all steps lead to."""
        for step, way in zip(self.path.steps, self.ways, strict=True):
            self._take(step, fresh, known, (*way, cost))

    def _take(
        self, step: PathStep, fresh: Words, known: Words, way: tuple[Words | None, str, str]
    ) -> None:
        v, w, (into, price, cost) = self.v, self.v.w, way
        if into is not None:
            reached = w.each("{0} & {1} & ~{2}", self._near(step, fresh), into, known)
            with w.block(f"if {w.some(reached)}:"):
                self._push(reached, w.let(f"{cost} + {price}", "c"))
            return
        outer = v.frame
        with w.sites(fresh) as a:
            v.frame = {0: Site(a)}
            near = self._near(step, w.site_bit(a))
            reached = w.each("{0} & {1} & ~{2}", near, v.words(step.into), known)
            with w.sites(reached) as b:
                v.frame[1] = Site(b)
                with w.block(f"if {v.truth(step.when)}:"):
                    price = self._price(v.number(step.cost))
                    self._push(w.site_bit(b), w.let(f"{cost} + {price}", "c"))
        v.frame = outer

    def _near(self, step: PathStep, words: Words, back: bool = False) -> Words:
        if step.linked:
            return linked_words(self.v, words)
        if self.open is not None and goes_uncrossed(self.v, step):
            return self.open.near(words)
        steps = self.v.known_steps(step.steps)
        if back:
            steps = tuple(self.v.board.opposite(s) for s in steps)
        return self.v.neighbours(steps, words)

    def _push(self, sites: Words, cost: str) -> None:
        """Let sites wait in the bucket of a cost."""
        w = self.v.w
        with w.block(f"if {cost} < 0 or {cost} >= {BUCKETS}:"):
            self.v.fault("overflow")
        with w.block("else:"):
            self._add(self._at(self.room, cost), sites)
            w.put(f"{self.top} = {cost} if {cost} > {self.top} else {self.top}")

    def _at(self, room: int, cost: str) -> str:
        return self.v.w.let(f"{room} + {cost} * {self.v.layout.words}", "k")

    def _add(self, at: str, words: Words) -> None:
        w = self.v.w
        w.store("g.scratch", at, w.either(w.load("g.scratch", at), words))

    def _clear(self, room: int, first: str = "0") -> None:
        """Leave all sets empty for the next time."""
        cost = self.v.w.fresh("c")
        with self.v.w.block(f"for {cost} in range({first}, {self.top} + 1):"):
            self.v.w.store("g.scratch", self._at(room, cost), self.v.w.constant(0))


class _Cost(_Spread):
    """What a path costs."""

    def write(self) -> str:
        """The text; gives the name of the cost."""
        v, w = self.v, self.v.w
        list(self._starts())
        result, cost = w.fresh("r"), w.fresh("c")
        target = v.words(self.path.target)
        self._prepare()
        known = w.empty()
        w.put(f"{result} = -1")
        w.put(f"{cost} = 0")
        with (
            w.block(f"while {cost} <= {self.top} and {result} < 0:"),
            self._cheapest(cost, known) as fresh,
        ):
            with w.block(f"if {w.some(w.both(fresh, target))}:"):
                w.put(f"{result} = {cost}")
            with w.block("else:"):
                self._take_all(fresh, known, cost)
        self._clear(self.room, cost)
        with w.block(f"if {result} < 0:"):
            w.put(f"{result} = {v.converted(self.path.otherwise, Type.INT)}")
        return result


@define
class PathEnds(_Spread):
    """Where a path leaves own groups: every layer of equal cost is kept, and walked back."""

    rooms: Rooms
    own: Words = field(init=False)

    def write(self) -> None:
        """The text: costs first, then the way back."""
        v, w, size = self.v, self.v.w, self.v.layout.words
        self.own = w.load("g.state", str(v.layout.owned + v.view * size))
        target = v.words(self.path.target)
        outer = w.variable(target)
        for sites in self._starts():
            w.add(outer, sites)
        self._prepare()
        known = w.empty()
        found = self._layers(known, target)
        inner = w.without(self.own, outer)
        forwards, backs = w.empty(), w.empty()
        with w.block(f"if {found} >= 0:"):
            self._back(found, target, (forwards, backs))
        self._clear(self.rooms.buckets)
        self._clear(self.rooms.layers)
        w.store("g.scratch", "at", w.both(forwards, inner))
        w.store("g.scratch", f"at + {size}", w.both(backs, inner))

    def _price(self, cost: str) -> str:
        return self.v.w.let(cost, "c")

    def _layers(self, known: Words, target: Words) -> str:
        """Fill the layers up to the least cost of a target; gives that cost, -1 without one."""
        w = self.v.w
        found, cost = w.fresh("r"), w.fresh("c")
        w.put(f"{found} = -1")
        w.put(f"{cost} = 0")
        on = f"{cost} <= {self.top} and ({found} < 0 or {cost} <= {found})"
        with w.block(f"while {on}:"), self._cheapest(cost, known) as fresh:
            self._add(self._at(self.rooms.layers, cost), fresh)
            with w.block(f"if {w.some(w.both(fresh, target))}:"):
                w.put(f"{found} = {cost}")
            self._take_all(fresh, known, cost)
        return found

    # --- back from the goal ---

    def _back(self, found: str, target: Words, ends: tuple[Words, Words]) -> None:
        """Walk cheapest paths back, the dearest layer first, and note where they leave sites."""
        w = self.v.w
        cost = w.fresh("c")
        at = self._at(self.rooms.layers, found)
        first = w.both(w.load("g.scratch", at), target)
        w.store("g.scratch", self._at(self.rooms.back, found), first)
        w.put(f"{cost} = {found}")
        with w.block(f"while {cost} >= 0:"):
            here = self._at(self.rooms.back, cost)
            waiting = w.variable(w.load("g.scratch", here))
            w.store("g.scratch", here, w.constant(0))
            done = w.empty()
            with w.block(f"while {w.some(waiting)}:"):
                w.add(done, waiting)
                more = w.empty()
                for step, way in zip(self.path.steps, self.ways, strict=True):
                    self._undo(step, way, cost, (waiting, done, more), ends)
                w.assign(waiting, w.without(more, done))
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
        reached = w.both(waiting, into)
        with w.block(f"if {price} <= {cost}:"):
            layer = w.load(
                "g.scratch", self._at(self.rooms.layers, w.let(f"{cost} - {price}", "c"))
            )
            before = w.both(self._near(step, reached, back=True), layer)
            with w.block(f"if {price} == 0:"):
                w.add(more, before)
                self._note_free(step, reached, before, ends)
            with w.block("else:"), w.block(f"if {w.some(before)}:"):
                self._add(self._at(self.rooms.back, w.let(f"{cost} - {price}", "c")), before)
                w.add(ends[0], before)
                entered = w.both(self._near(step, before), reached)
                w.add(ends[1], entered)

    def _note_free(
        self, step: PathStep, reached: Words, before: Words, ends: tuple[Words, Words]
    ) -> None:
        """A step that costs nothing leaves a group only between an own site and another."""
        w, own = self.v.w, self.own
        for end, here, there, back in (
            (ends[0], before, reached, True),
            (ends[1], reached, before, False),
        ):
            inside = w.both(here, own)
            with w.block(f"if {w.some(inside)}:"):
                outside = w.without(there, own)
                near = w.both(self._near(step, outside, back=back), inside)
                w.add(end, near)

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
                        with w.block(f"if {w.some(w.both(layer, bit))}:"):
                            with w.block(f"if {price} == 0:"):
                                w.add(more, bit)
                            with w.block("else:"):
                                self._add(self._at(self.rooms.back, left), bit)
                            leaves = f"{w.has(self.own, a)} != {w.has(self.own, b)}"
                            with w.block(f"if {price} != 0 or {leaves}:"):
                                w.add(ends[0], bit)
                                w.add(ends[1], target)
        v.frame = outer
