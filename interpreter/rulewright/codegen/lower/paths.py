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

from attrs import define, field

from rulewright.codegen.ir.nodes import Expr, Local, Value, as_expr, choice
from rulewright.codegen.ir.types import INT
from rulewright.codegen.layout import StateLayout, Unsupported
from rulewright.codegen.lower.links import (
    LinkSets,
    Uncrossed,
    goes_uncrossed,
    linked_sites,
)
from rulewright.codegen.lower.two_ways import TwoWays
from rulewright.codegen.lower.values import Values
from rulewright.codegen.lower.writer import Site, Sites
from rulewright.model.evaluation import CheapestPath, PathStep
from rulewright.model.expressions import Const, Type
from rulewright.records import Record

BUCKETS = 4096
"""Costs up to this; a path that costs more is a fault."""


def lower_path(v: Values, path: CheapestPath, type_: Type) -> Expr:
    """The cost of a path, or what it says where there is none."""
    if type_ is Type.REAL:
        raise Unsupported("a path whose costs are not whole")
    return _Cost(v, path, v.layout.scratch(BUCKETS * v.layout.words)).write()


@define(repr=False, eq=False)
class Rooms(Record):
    """Where the buckets, the layers of each cost, and the way back lie; shared by all paths."""

    buckets: int
    layers: int
    back: int

    @classmethod
    def of(cls, layout: StateLayout) -> Rooms:
        """Room for all paths of a game."""
        size = BUCKETS * layout.words
        return cls(layout.scratch(size), layout.scratch(size), layout.scratch(size))


@define(repr=False, eq=False)
class _Spread(Record):
    """One path under way: in `room` a set of sites for each cost, up to the cost `top`."""

    v: Values
    path: CheapestPath
    room: int
    top: Local = field(init=False)
    open: Uncrossed | None = field(default=None, init=False)
    joined: Sites = field(init=False)
    """The sites at which links end: no others are asked for theirs."""
    ways: list[tuple[Sites | None, Expr]] = field(init=False)
    twos: list[TwoWays | None] = field(init=False)
    """For steps that go over either of two sites."""

    def __attrs_post_init__(self) -> None:
        costs = [*(s.cost for s in self.path.starts), *(s.cost for s in self.path.steps)]
        if any(cost.type is Type.REAL for cost in costs):
            raise Unsupported("a path whose costs are not whole")
        self.top = self.v.w.var(-1, "h")

    def _starts(self) -> Iterator[Sites]:
        """Let the sites where the path may begin wait."""
        for start in self.path.starts:
            sites, cost = self.v.sites(start.sites), self.v.number(start.cost)
            with self.v.w.when(sites.any()):
                self._push(sites, cost)
            yield sites

    def _prepare(self) -> None:
        """Where steps may end and what they cost, where that does not depend on their sites."""
        self.open = Uncrossed.of(self.v, self.path)
        if any(step.linked for step in self.path.steps):
            self.joined = LinkSets.of(self.v).joined()
        self.ways = [self._prepared(step) for step in self.path.steps]
        known: dict[object, TwoWays] = {}
        self.twos = [self._two_ways(step, known) for step in self.path.steps]

    def _two_ways(self, step: PathStep, known: dict[object, TwoWays]) -> TwoWays | None:
        """Steps that differ in nothing but where they end share what is known of them."""
        if step.over is None:
            return None
        key = step.steps, step.named, step.over, step.when
        if key not in known:
            known[key] = TwoWays.of(self.v, step, self.open)
        return known[key]

    def _prepared(self, step: PathStep) -> tuple[Sites | None, Expr]:
        if step.named and step.over is None and not goes_uncrossed(self.v, step):
            return None, as_expr(0)
        into, v = self.v.sites(step.into), self.v
        if (
            not step.named
            and step.over is None
            and not (isinstance(step.when, Const) and step.when.value)
        ):
            held = v.w.flag(v.truth(step.when))
            into = into.each(lambda word: word & (0 - held))
        return into, self._price(v.number(step.cost))

    def _price(self, cost: Expr) -> Expr:
        with self.v.w.when(cost < 0):
            self.v.fault("negative-cost")
        return self.v.w.let(choice(cost >= 0, cost, 0), "c")

    @contextmanager
    def _cheapest(self, cost: Local, known: Sites) -> Iterator[Sites]:
        """The sites of the bucket of a cost that are not known; the next bucket if there are none.

        What is written meanwhile is for the case that there are some.
        """
        w, place = self.v.w, self._at(self.room, cost)
        fresh = w.variable(w.load("g.scratch", place) - known)
        w.store("g.scratch", place, w.constant(0))
        with w.when(fresh.none()):
            w.set(cost, cost + 1)
        with w.otherwise():
            w.add(known, fresh)
            yield fresh

    def _take_all(self, fresh: Sites, known: Sites, cost: Local) -> None:
        """Let the sites wait that all steps lead to."""
        near: dict[int, Sites] = {}
        for step, two, way in zip(self.path.steps, self.twos, self.ways, strict=True):
            if two is None:
                self._take(step, fresh, known, (*way, cost))
                continue
            if id(two) not in near:
                near[id(two)] = two.near(fresh)
            into, price = way
            assert into is not None
            self._arrive((near[id(two)] & into) - known, cost + price)

    def _take(
        self, step: PathStep, fresh: Sites, known: Sites, way: tuple[Sites | None, Expr, Expr]
    ) -> None:
        v, w, (into, price, cost) = self.v, self.v.w, way
        if into is not None:
            self._arrive((self._near(step, fresh) & into) - known, cost + price)
            return
        outer = v.frame
        with w.sites(fresh) as a:
            v.frame = {0: Site(a)}
            near = self._near(step, w.site_bit(a))
            reached = (near & v.sites(step.into)) - known
            with w.sites(reached) as b:
                v.frame[1] = Site(b)
                with w.when(v.truth(step.when)):
                    price = self._price(v.number(step.cost))
                    self._push(w.site_bit(b), w.let(cost + price, "c"))
        v.frame = outer

    def _arrive(self, reached: Sites, cost: Expr) -> None:
        w = self.v.w
        with w.when(reached.any()):
            self._push(reached, w.let(cost, "c"))

    def _near(self, step: PathStep, sites: Sites, back: bool = False) -> Sites:
        if step.linked:
            return linked_sites(self.v, sites & self.joined)
        if self.open is not None and goes_uncrossed(self.v, step):
            return self.open.near(sites)
        steps = self.v.known_steps(step.steps)
        if back:
            steps = tuple(self.v.board.opposite(s) for s in steps)
        return self.v.neighbours(steps, sites)

    def _push(self, sites: Sites, cost: Expr) -> None:
        """Let sites wait in the bucket of a cost."""
        w = self.v.w
        with w.when((cost < 0) | (cost >= BUCKETS)):
            self.v.fault("overflow")
        with w.otherwise():
            self._add(self._at(self.room, cost), sites)
            w.set(self.top, choice(cost > self.top, cost, self.top))

    def _at(self, room: int, cost: Expr) -> Expr:
        return self.v.w.let(room + cost * self.v.layout.words, "k")

    def _add(self, place: Expr, sites: Sites) -> None:
        w = self.v.w
        w.store("g.scratch", place, w.load("g.scratch", place) | sites)

    def _clear(self, room: int, first: Value = 0) -> None:
        """Leave all sets empty for the next time."""
        w = self.v.w
        with w.each(first, self.top + 1, "c") as cost:
            w.store("g.scratch", self._at(room, cost), w.constant(0))


class _Cost(_Spread):
    """What a path costs."""

    def write(self) -> Expr:
        """The text; gives the name of the cost."""
        v, w = self.v, self.v.w
        list(self._starts())
        target = v.sites(self.path.target)
        self._prepare()
        known, result, cost = w.empty(), w.var(-1, "r"), w.var(0, "c")
        with w.loop((cost <= self.top) & (result < 0)), self._cheapest(cost, known) as fresh:
            with w.when((fresh & target).any()):
                w.set(result, cost)
            with w.otherwise():
                self._take_all(fresh, known, cost)
        self._clear(self.room, cost)
        with w.when(result < 0):
            w.set(result, v.word(self.path.otherwise))
        return result


@define(repr=False, eq=False)
class PathEnds(_Spread):
    """Where a path leaves own groups: every layer of equal cost is kept, and walked back."""

    rooms: Rooms
    own: Sites = field(init=False)

    def write(self) -> None:
        """The text: costs first, then the way back; the ends go to `g.scratch`, from `at` on."""
        v, w, size = self.v, self.v.w, self.v.layout.words
        self.own = w.load("g.state", v.layout.owned + v.view * size)
        target = v.sites(self.path.target)
        begins = w.empty()
        for sites in self._starts():
            w.add(begins, sites)
        self._prepare()
        known = w.empty()
        found = self._layers(known, target)
        forwards, backs = w.empty(), w.empty()
        with w.when(found >= 0):
            dearest = w.let(found * self.path.unit + self.path.unit - 1, "c")
            self._back(choice(dearest < self.top, dearest, self.top), (forwards, backs))
        self._clear(self.rooms.buckets)
        self._clear(self.rooms.layers)
        place = Local("at", INT)
        w.store("g.scratch", place, forwards & (self.own - target))
        w.store("g.scratch", place + size, backs & (self.own - begins))

    def _price(self, cost: Expr) -> Expr:
        return self.v.w.let(cost, "c")

    def _layers(self, known: Sites, target: Sites) -> Local:
        """Fill the layers up to the least cost of a target, in units; gives it, -1 without one.

        The sites of the target are where the way back begins.
        """
        w = self.v.w
        found, cost = w.var(-1, "r"), w.var(0, "c")
        on = (cost <= self.top) & ((found < 0) | (cost // self.path.unit <= found))
        with w.loop(on), self._cheapest(cost, known) as fresh:
            self._add(self._at(self.rooms.layers, cost), fresh)
            with w.when((fresh & target).any()):
                self._add(self._at(self.rooms.back, cost), fresh & target)
                w.set(found, cost // self.path.unit)
            self._take_all(fresh, known, cost)
        return found

    # --- back from the goal ---

    def _back(self, dearest: Expr, ends: tuple[Sites, Sites]) -> None:
        """Walk cheapest paths back, the dearest layer first, and note where they leave sites."""
        w = self.v.w
        cost = w.var(dearest, "c")
        with w.loop(cost >= 0):
            here = self._at(self.rooms.back, cost)
            waiting = w.variable(w.load("g.scratch", here))
            w.store("g.scratch", here, w.constant(0))
            done = w.empty()
            with w.loop(waiting.any()):
                w.add(done, waiting)
                more = w.empty()
                for number in range(len(self.path.steps)):
                    self._undo(number, cost, (waiting, done, more), ends)
                w.assign(waiting, more - done)
            w.set(cost, cost - 1)

    def _undo(
        self,
        number: int,
        cost: Local,
        sets: tuple[Sites, Sites, Sites],
        ends: tuple[Sites, Sites],
    ) -> None:
        step, (into, price) = self.path.steps[number], self.ways[number]
        if into is None:
            self._undo_named(step, cost, sets, ends)
            return
        w, (waiting, _, more) = self.v.w, sets
        reached = waiting & into
        with w.when(price <= cost):
            left = w.let(cost - price, "c")
            layer = w.load("g.scratch", self._at(self.rooms.layers, left))
            before = self._along(number, reached, back=True) & layer
            with w.when(price.eq(0)):
                w.add(more, before)
                self._note_free(number, reached, before, ends)
            with w.otherwise(), w.when(before.any()):
                self._add(self._at(self.rooms.back, left), before)
                w.add(ends[0], before)
                w.add(ends[1], self._along(number, before) & reached)

    def _along(self, number: int, sites: Sites, back: bool = False) -> Sites:
        """The sites that a step leads to, or from which it leads to these."""
        two = self.twos[number]
        step = self.path.steps[number]
        return self._near(step, sites, back) if two is None else two.near(sites, back)

    def _note_free(
        self, number: int, reached: Sites, before: Sites, ends: tuple[Sites, Sites]
    ) -> None:
        """A step that costs nothing leaves a group only between an own site and another."""
        w, own = self.v.w, self.own
        for end, here, there, back in (
            (ends[0], before, reached, True),
            (ends[1], reached, before, False),
        ):
            inside = here & own
            with w.when(inside.any()):
                w.add(end, self._along(number, there - own, back=back) & inside)

    def _undo_named(
        self,
        step: PathStep,
        cost: Local,
        sets: tuple[Sites, Sites, Sites],
        ends: tuple[Sites, Sites],
    ) -> None:
        v, w, (waiting, _, more) = self.v, self.v.w, sets
        outer = v.frame
        with w.sites(waiting) as b:
            target = w.site_bit(b)
            with w.sites(self._near(step, target, back=True)) as a:
                v.frame = {0: Site(a), 1: Site(b)}
                inside = v.sites(step.into).has(b)
                with w.when(inside.ne(0)), w.when(v.truth(step.when)):
                    price = w.let(v.number(step.cost), "c")
                    with w.when(price <= cost):
                        bit = w.site_bit(a)
                        left = w.let(cost - price, "c")
                        layer = w.load("g.scratch", self._at(self.rooms.layers, left))
                        with w.when((layer & bit).any()):
                            with w.when(price.eq(0)):
                                w.add(more, bit)
                            with w.otherwise():
                                self._add(self._at(self.rooms.back, left), bit)
                            leaves = self.own.has(a).ne(self.own.has(b))
                            with w.when(price.ne(0) | leaves):
                                w.add(ends[0], bit)
                                w.add(ends[1], target)
        v.frame = outer
