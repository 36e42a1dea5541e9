"""Cheapest paths by whole sets (Dijkstra 1959, with buckets as in Dial 1969), and their ends.

In: a path of an evaluator.  Out: its cost, or the sites where it leaves own groups towards its goal
and back to where it began.  Sites wait in the bucket of their cost; the cheapest bucket is taken
whole, with all that links lead to for nothing.  Steps without names are taken by shifts of the
whole bucket, those that cost the same together; steps that name their two sites one by one.  For
the ends every bucket is kept, and the path is walked back through them.  Refuses (`Unsupported`)
costs that are not whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from attrs import define, evolve, field

from rulewright.compiler.ir.nodes import Element, Expr, Local, as_expr, choice, op, truth
from rulewright.compiler.ir.types import INT
from rulewright.compiler.layout import StateLayout, Unsupported
from rulewright.compiler.lower.links import LinkSets, Uncrossed, goes_uncrossed
from rulewright.compiler.lower.two_ways import TwoWays
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.writer import Site, Sites, Writer, at
from rulewright.ground.records import Record
from rulewright.model.evaluation import CheapestPath, PathStep
from rulewright.model.expressions import Apply, Const, Type

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


def _joined_steps(v: Values, steps: tuple[PathStep, ...]) -> tuple[PathStep, ...]:
    """The same steps; those that differ in nothing but where they end, which is a set, as one."""
    found: dict[object, PathStep] = {}
    for number, step in enumerate(steps):
        whole = not step.named or goes_uncrossed(v, step)
        alike = (step.steps, step.linked, step.named, step.when, step.cost, step.over)
        key = alike if whole and step.over is None else number
        known = found.get(key)
        into = step.into if known is None else Apply(Type.SITES, "unite", (known.into, step.into))
        found[key] = evolve(step if known is None else known, into=into)
    return tuple(found.values())


def _is_free_link(step: PathStep) -> bool:
    """Whether a step goes along links that are there and costs nothing."""
    return step.linked and not step.named and isinstance(step.cost, Const) and step.cost.value == 0


@define(repr=False, eq=False)
class _Agenda(Record):
    """Which buckets have sites that wait: a bit for each cost, and in `some` one for each word.

    Costs at which nothing waits, most of them, are never looked at.
    """

    w: Writer
    room: int
    some: Local

    @classmethod
    def of(cls, v: Values) -> _Agenda:
        """With nothing on it; behind its words lies one that is always empty."""
        return cls(v.w, v.layout.scratch(BUCKETS // 64 + 1), v.w.var(0, "a"))

    def _word(self, number: Expr) -> Element:
        return at("g.scratch", self.w.let(self.room + number, "k"))

    def lowest(self) -> Expr:
        """The least cost at which sites wait; BUCKETS or more if there is none."""
        number = self.w.let(op("trailing", self.some), "k")
        return (number << 6) + op("trailing", self._word(number))

    def add(self, cost: Expr) -> None:
        """Sites wait at a cost."""
        number = self.w.let(cost >> 6, "k")
        word = self._word(number)
        self.w.set(word, word | op("wrap_shl", 1, cost & 63))
        self.w.set(self.some, self.some | op("wrap_shl", 1, number))

    def drop_lowest(self, cost: Expr) -> None:
        """None wait any more at the least cost, which is this one."""
        word = self._word(cost >> 6)
        left = self.w.let(word & op("wrap_add", word, -1), "m")
        self.w.set(word, left)
        with self.w.when(left.eq(0)):
            self.w.set(self.some, self.some & op("wrap_add", self.some, -1))


@define(repr=False, eq=False)
class _Spread(Record):
    """One path under way: in `room` a set of sites for each cost that is on the agenda."""

    v: Values
    path: CheapestPath
    room: int
    steps: tuple[PathStep, ...] = field(init=False)
    free: int | None = field(init=False)
    """The number of a step along links that costs nothing: such links are followed at once."""
    agenda: _Agenda = field(init=False)
    open: Uncrossed | None = field(default=None, init=False)
    made: Uncrossed | None = field(default=None, init=False)
    """Where links are that are there."""
    joined: Sites = field(init=False)
    """The sites at which links end: no others are asked for theirs."""
    ways: list[tuple[Sites | None, Expr]] = field(init=False)
    twos: list[TwoWays | None] = field(init=False)
    """For steps that go over either of two sites."""

    def __attrs_post_init__(self) -> None:
        costs = [*(s.cost for s in self.path.starts), *(s.cost for s in self.path.steps)]
        if any(cost.type is Type.REAL for cost in costs):
            raise Unsupported("a path whose costs are not whole")
        self.steps = _joined_steps(self.v, self.path.steps)
        links = (number for number, step in enumerate(self.steps) if _is_free_link(step))
        self.free, self.agenda = next(links, None), _Agenda.of(self.v)

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
        if any(step.linked for step in self.steps):
            sets = LinkSets.of(self.v)
            self.joined, self.made = sets.joined(), Uncrossed(self.v, sets.made())
        self.ways = [self._prepared(step) for step in self.steps]
        known: dict[object, TwoWays] = {}
        self.twos = [self._two_ways(step, known) for step in self.steps]

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
    def _each_cost(self, on: Callable[[Expr], Expr]) -> Iterator[Local]:
        """A loop over the costs at which sites wait, the least one first, while a truth holds."""
        w = self.v.w
        cost = w.var(self.agenda.lowest(), "c")
        with w.loop((cost < BUCKETS) & on(cost)):
            self.agenda.drop_lowest(cost)
            yield cost
            w.set(cost, self.agenda.lowest())

    @contextmanager
    def _cheapest(self, cost: Local, known: Sites) -> Iterator[Sites]:
        """The sites of the bucket of a cost that are not known, and those linked to them for free.

        What is written meanwhile is for the case that there are some.
        """
        w, place = self.v.w, self._at(self.room, cost)
        fresh = w.variable(w.load("g.scratch", place) - known)
        w.store("g.scratch", place, w.constant(0))
        with w.when(fresh.any()):
            w.add(known, fresh)
            if self.free is not None:
                self._follow_links(fresh, self.ways[self.free][0], known)
            yield fresh

    def _follow_links(self, fresh: Sites, into: Sites | None, known: Sites) -> None:
        """Add the sites that links lead to, again and again: they cost as much."""
        w = self.v.w
        assert self.made is not None
        assert into is not None
        edge = w.variable(fresh & self.joined)
        with w.loop(edge.any()):
            w.assign(edge, (self.made.near(edge) & into) - known)
            w.add(known, edge)
            w.add(fresh, edge)

    def _take_all(self, fresh: Sites, known: Sites, cost: Local) -> None:
        """Let the sites wait that all steps lead to."""
        near: dict[object, Sites] = {}
        reached: dict[object, tuple[Sites, Expr]] = {}
        for number, step in enumerate(self.steps):
            two, (into, price) = self.twos[number], self.ways[number]
            if into is None:
                self._take_named(step, fresh, known, cost)
            elif number != self.free:
                key = step.steps, step.linked, step.named, id(two)
                if key not in near:
                    near[key] = self._near(step, fresh) if two is None else two.near(fresh)
                there, before = near[key] & into, reached.get(step.cost)
                reached[step.cost] = (there if before is None else before[0] | there), price
        for there, price in reached.values():
            self._arrive(there - known, cost + price)

    def _take_named(self, step: PathStep, fresh: Sites, known: Sites, cost: Local) -> None:
        v, w = self.v, self.v.w
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
            return self._near_by_links(sites)
        if self.open is not None and goes_uncrossed(self.v, step):
            return self.open.near(sites)
        steps = self.v.known_steps(step.steps)
        if back:
            steps = tuple(self.v.board.opposite(s) for s in steps)
        return self.v.neighbours(steps, sites)

    def _near_by_links(self, sites: Sites) -> Sites:
        """The sites joined to a set by links: most sets have none."""
        w, found = self.v.w, self.v.w.empty()
        here = sites & self.joined
        with w.when(here.any()):
            assert self.made is not None
            w.assign(found, self.made.near(here))
        return found

    def _push(self, sites: Sites, cost: Expr) -> None:
        """Let sites wait in the bucket of a cost."""
        w = self.v.w
        with w.when((cost < 0) | (cost >= BUCKETS)):
            self.v.fault("overflow")
        with w.otherwise():
            self._add(self._at(self.room, cost), sites)
            self.agenda.add(cost)

    def _at(self, room: int, cost: Expr) -> Expr:
        return self.v.w.let(room + cost * self.v.layout.words, "k")

    def _add(self, place: Expr, sites: Sites) -> None:
        w = self.v.w
        w.store("g.scratch", place, w.load("g.scratch", place) | sites)

    def _clear(self, room: int, cost: Expr) -> None:
        """Leave a set empty for the next time."""
        self.v.w.store("g.scratch", self._at(room, cost), self.v.w.constant(0))

    def _clear_waiting(self) -> None:
        """Leave nothing on the agenda for the next time."""
        with self._each_cost(lambda cost: truth(True)) as cost:
            self._clear(self.room, cost)


class _Cost(_Spread):
    """What a path costs."""

    def write(self) -> Expr:
        """The text; gives the name of the cost."""
        v, w = self.v, self.v.w
        list(self._starts())
        target = v.sites(self.path.target)
        self._prepare()
        known, result = w.empty(), w.var(-1, "r")
        with (
            self._each_cost(lambda cost: result < 0) as cost,
            self._cheapest(cost, known) as fresh,
        ):
            with w.when((fresh & target).any()):
                w.set(result, cost)
            with w.otherwise():
                self._take_all(fresh, known, cost)
        self._clear_waiting()
        with w.when(result < 0):
            w.set(result, v.word(self.path.otherwise))
        return result


@define(repr=False, eq=False)
class PathEnds(_Spread):
    """Where a path leaves own groups: every layer of equal cost is kept, and walked back."""

    rooms: Rooms
    own: Sites = field(init=False)
    seen: int = field(init=False)
    """Where the costs of the layers stand, in order; `count` of them."""
    count: Local = field(init=False)

    def write(self) -> None:
        """The text: costs first, then the way back; the ends go to `g.scratch`, from `at` on."""
        v, w, size = self.v, self.v.w, self.v.layout.words
        self.seen, self.count = v.layout.scratch(64 * size), w.var(0, "n")
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
            self._back((forwards, backs))
        self._clear_waiting()
        with w.each(0, self.count) as number:
            self._clear(self.rooms.layers, self._seen(number))
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
        found = w.var(-1, "r")

        def near(cost: Expr) -> Expr:
            return (found < 0) | (cost // self.path.unit <= found)

        with self._each_cost(near) as cost, self._cheapest(cost, known) as fresh:
            w.set(at("g.scratch", self.seen + self.count), cost)
            w.set(self.count, self.count + 1)
            self._add(self._at(self.rooms.layers, cost), fresh)
            with w.when((fresh & target).any()):
                self._add(self._at(self.rooms.back, cost), fresh & target)
                w.set(found, cost // self.path.unit)
            self._take_all(fresh, known, cost)
        return found

    # --- back from the goal ---

    def _seen(self, number: Expr) -> Expr:
        """The cost of a layer."""
        return self.v.w.let(at("g.scratch", self.seen + number), "c")

    def _back(self, ends: tuple[Sites, Sites]) -> None:
        """Walk cheapest paths back, the dearest layer first, and note where they leave sites."""
        w = self.v.w
        with w.each(0, self.count) as done_before:
            cost = self._seen(self.count - 1 - done_before)
            here = self._at(self.rooms.back, cost)
            waiting = w.variable(w.load("g.scratch", here))
            w.store("g.scratch", here, w.constant(0))
            done = w.empty()
            with w.loop(waiting.any()):
                w.add(done, waiting)
                more = w.empty()
                for number in range(len(self.steps)):
                    self._undo(number, cost, (waiting, done, more), ends)
                w.assign(waiting, more - done)

    def _undo(
        self,
        number: int,
        cost: Expr,
        sets: tuple[Sites, Sites, Sites],
        ends: tuple[Sites, Sites],
    ) -> None:
        step, (into, price) = self.steps[number], self.ways[number]
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
        step = self.steps[number]
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
        cost: Expr,
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
