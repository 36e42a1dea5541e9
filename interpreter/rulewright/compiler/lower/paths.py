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
    """Write the cost of a path, or the value that it gives where there is none."""
    if type_ is Type.REAL:
        raise Unsupported("a path whose costs are not whole")
    return _Cost(v, path, v.layout.scratch(BUCKETS * v.layout.words)).write()


@define(repr=False, eq=False)
class PathScratch(Record):
    """The offsets of the buckets, the layers of each cost, and the way back, for all paths."""

    buckets: int
    layers: int
    back: int

    @classmethod
    def of(cls, layout: StateLayout) -> PathScratch:
        """Take room for all paths of a game."""
        size = BUCKETS * layout.words
        return cls(layout.scratch(size), layout.scratch(size), layout.scratch(size))


def _joined_steps(v: Values, steps: tuple[PathStep, ...]) -> tuple[PathStep, ...]:
    """Join steps that differ only in the sets where they end."""
    by_key: dict[object, PathStep] = {}
    for number, step in enumerate(steps):
        whole = not step.named or goes_uncrossed(v, step)
        parts = (step.steps, step.linked, step.named, step.when, step.cost, step.over)
        key = parts if whole and step.over is None else number
        first = by_key.get(key)
        into = step.into if first is None else Apply(Type.SITES, "unite", (first.into, step.into))
        by_key[key] = evolve(step if first is None else first, into=into)
    return tuple(by_key.values())


def _is_free_link(step: PathStep) -> bool:
    """Whether a step goes along links that are there and costs nothing."""
    return step.linked and not step.named and isinstance(step.cost, Const) and step.cost.value == 0


@define(repr=False, eq=False)
class _Agenda(Record):
    """The costs at which sites wait: a bit for each, and in `word_bits` one for each word.

    Costs at which nothing waits, most of them, are never looked at.
    """

    w: Writer
    room: int
    word_bits: Local

    @classmethod
    def of(cls, v: Values) -> _Agenda:
        """Make an empty agenda; behind its words lies one that is always 0."""
        return cls(v.w, v.layout.scratch(BUCKETS // 64 + 1), v.w.var(0, "a"))

    def _word(self, number: Expr) -> Element:
        return at("g.scratch", self.w.let(self.room + number, "k"))

    def lowest(self) -> Expr:
        """Write the least cost at which sites wait; BUCKETS or more if there is none."""
        number = self.w.let(op("trailing", self.word_bits), "k")
        return (number << 6) + op("trailing", self._word(number))

    def add(self, cost: Expr) -> None:
        """Note that sites wait at a cost."""
        number = self.w.let(cost >> 6, "k")
        word = self._word(number)
        self.w.set(word, word | op("wrap_shl", 1, cost & 63))
        self.w.set(self.word_bits, self.word_bits | op("wrap_shl", 1, number))

    def drop_lowest(self, cost: Expr) -> None:
        """Note that no sites wait any more at the least cost, which is *cost*."""
        word = self._word(cost >> 6)
        rest = self.w.let(word & op("wrap_add", word, -1), "m")
        self.w.set(word, rest)
        with self.w.when(rest.eq(0)):
            self.w.set(self.word_bits, self.word_bits & op("wrap_add", self.word_bits, -1))


@define(repr=False, eq=False)
class _Spread(Record):
    """Write the search for a path: in `room` lies a set of sites for each cost on the agenda."""

    v: Values
    path: CheapestPath
    room: int
    steps: tuple[PathStep, ...] = field(init=False)
    free: int | None = field(init=False)
    """The number of the step along links that costs nothing, which is taken at once."""
    agenda: _Agenda = field(init=False)
    open: Uncrossed | None = field(default=None, init=False)
    links: Uncrossed | None = field(default=None, init=False)
    """The links that are there, by direction."""
    link_ends: Sites = field(init=False)
    """The sites at which links end."""
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
        """Put the sites where the path may begin into buckets."""
        for start in self.path.starts:
            sites, cost = self.v.sites(start.sites), self.v.number(start.cost)
            with self.v.w.when(sites.any()):
                self._push(sites, cost)
            yield sites

    def _prepare(self) -> None:
        """Work out where steps may end and what they cost, if that is the same for all sites."""
        self.open = Uncrossed.of(self.v, self.path)
        if any(step.linked for step in self.steps):
            sets = LinkSets.of(self.v)
            self.link_ends, self.links = sets.link_ends(), Uncrossed(self.v, sets.present())
        self.ways = [self._prepare_step(step) for step in self.steps]
        shared_ways: dict[object, TwoWays] = {}
        self.twos = [self._two_ways(step, shared_ways) for step in self.steps]

    def _two_ways(self, step: PathStep, shared_ways: dict[object, TwoWays]) -> TwoWays | None:
        """Return the double steps of a step, shared by those that differ only in where they end."""
        if step.over is None:
            return None
        key = step.steps, step.named, step.over, step.when
        if key not in shared_ways:
            shared_ways[key] = TwoWays.of(self.v, step, self.open)
        return shared_ways[key]

    def _prepare_step(self, step: PathStep) -> tuple[Sites | None, Expr]:
        if step.named and step.over is None and not goes_uncrossed(self.v, step):
            return None, as_expr(0)
        into, v = self.v.sites(step.into), self.v
        if (
            not step.named
            and step.over is None
            and not (isinstance(step.when, Const) and step.when.value)
        ):
            holds = v.w.flag(v.truth(step.when))
            into = into.each(lambda word: word & (0 - holds))
        return into, self._price(v.number(step.cost))

    def _price(self, cost: Expr) -> Expr:
        with self.v.w.when(cost < 0):
            self.v.fault("negative-cost")
        return self.v.w.let(choice(cost >= 0, cost, 0), "c")

    @contextmanager
    def _each_cost(self, on: Callable[[Expr], Expr]) -> Iterator[Local]:
        """Write a loop over the costs at which sites wait, the least first, while a truth holds."""
        w = self.v.w
        cost = w.var(self.agenda.lowest(), "c")
        with w.loop((cost < BUCKETS) & on(cost)):
            self.agenda.drop_lowest(cost)
            yield cost
            w.set(cost, self.agenda.lowest())

    @contextmanager
    def _cheapest(self, cost: Local, closed: Sites) -> Iterator[Sites]:
        """Take the bucket of a cost: its sites that are not closed, and those linked for free.

        The `with` block is done if there are any.
        """
        w, place = self.v.w, self._at(self.room, cost)
        fresh = w.variable(w.load("g.scratch", place) - closed)
        w.store("g.scratch", place, w.constant(0))
        with w.when(fresh.any()):
            w.add(closed, fresh)
            if self.free is not None:
                self._follow_links(fresh, self.ways[self.free][0], closed)
            yield fresh

    def _follow_links(self, fresh: Sites, into: Sites | None, closed: Sites) -> None:
        """Add the sites that links lead to for free, as long as there are more."""
        w = self.v.w
        assert self.links is not None
        assert into is not None
        edge = w.variable(fresh & self.link_ends)
        with w.loop(edge.any()):
            w.assign(edge, (self.links.near(edge) & into) - closed)
            w.add(closed, edge)
            w.add(fresh, edge)

    def _take_all(self, fresh: Sites, closed: Sites, cost: Local) -> None:
        """Put the sites that all steps lead to into buckets."""
        near: dict[object, Sites] = {}
        reached: dict[object, tuple[Sites, Expr]] = {}
        for number, step in enumerate(self.steps):
            two, (into, price) = self.twos[number], self.ways[number]
            if into is None:
                self._take_named(step, fresh, closed, cost)
            elif number != self.free:
                key = step.steps, step.linked, step.named, id(two)
                if key not in near:
                    near[key] = self._near(step, fresh) if two is None else two.near(fresh)
                targets, entry = near[key] & into, reached.get(step.cost)
                reached[step.cost] = (targets if entry is None else entry[0] | targets), price
        for targets, price in reached.values():
            self._arrive(targets - closed, cost + price)

    def _take_named(self, step: PathStep, fresh: Sites, closed: Sites, cost: Local) -> None:
        v, w = self.v, self.v.w
        outer = v.frame
        with w.sites(fresh) as a:
            v.frame = {0: Site(a)}
            near = self._near(step, w.site_bit(a))
            reached = (near & v.sites(step.into)) - closed
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
        """Write the sites that links join to a set: most sets have none."""
        w, ends = self.v.w, self.v.w.empty()
        sources = sites & self.link_ends
        with w.when(sources.any()):
            assert self.links is not None
            w.assign(ends, self.links.near(sources))
        return ends

    def _push(self, sites: Sites, cost: Expr) -> None:
        """Put sites into the bucket of a cost; a fault for a cost out of range."""
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
        """Empty a set, for the next time."""
        self.v.w.store("g.scratch", self._at(room, cost), self.v.w.constant(0))

    def _clear_waiting(self) -> None:
        """Empty the agenda and its buckets, for the next time."""
        with self._each_cost(lambda cost: truth(True)) as cost:
            self._clear(self.room, cost)


class _Cost(_Spread):
    """Write the cost of a path."""

    def write(self) -> Expr:
        """Write the search; returns the name of the cost."""
        v, w = self.v, self.v.w
        list(self._starts())
        target = v.sites(self.path.target)
        self._prepare()
        closed, result = w.empty(), w.var(-1, "r")
        with (
            self._each_cost(lambda cost: result < 0) as cost,
            self._cheapest(cost, closed) as fresh,
        ):
            with w.when((fresh & target).any()):
                w.set(result, cost)
            with w.otherwise():
                self._take_all(fresh, closed, cost)
        self._clear_waiting()
        with w.when(result < 0):
            w.set(result, v.word(self.path.otherwise))
        return result


@define(repr=False, eq=False)
class PathEnds(_Spread):
    """Write where a path leaves own groups: each layer of equal cost is kept, and walked back."""

    scratch: PathScratch
    own: Sites = field(init=False)
    cost_list: int = field(init=False)
    """The offset of the costs of the layers, in order; there are `count`."""
    count: Local = field(init=False)

    def write(self) -> None:
        """Write costs, then the way back; the ends go to `g.scratch`, from `at` on."""
        v, w, size = self.v, self.v.w, self.v.layout.words
        self.cost_list, self.count = v.layout.scratch(64 * size), w.var(0, "n")
        self.own = w.load("g.state", v.layout.owned + v.view * size)
        target = v.sites(self.path.target)
        begins = w.empty()
        for sites in self._starts():
            w.add(begins, sites)
        self._prepare()
        closed = w.empty()
        least_cost = self._layers(closed, target)
        forwards, backs = w.empty(), w.empty()
        with w.when(least_cost >= 0):
            self._back((forwards, backs))
        self._clear_waiting()
        with w.each(0, self.count) as number:
            self._clear(self.scratch.layers, self._layer_cost(number))
        place = Local("at", INT)
        w.store("g.scratch", place, forwards & (self.own - target))
        w.store("g.scratch", place + size, backs & (self.own - begins))

    def _price(self, cost: Expr) -> Expr:
        return self.v.w.let(cost, "c")

    def _layers(self, closed: Sites, target: Sites) -> Local:
        """Fill the layers up to the least cost of a target, which is returned in units (-1: none).

        The way back begins at the sites of the target.
        """
        w = self.v.w
        least_cost = w.var(-1, "r")

        def near(cost: Expr) -> Expr:
            return (least_cost < 0) | (cost // self.path.unit <= least_cost)

        with self._each_cost(near) as cost, self._cheapest(cost, closed) as fresh:
            w.set(at("g.scratch", self.cost_list + self.count), cost)
            w.set(self.count, self.count + 1)
            self._add(self._at(self.scratch.layers, cost), fresh)
            with w.when((fresh & target).any()):
                self._add(self._at(self.scratch.back, cost), fresh & target)
                w.set(least_cost, cost // self.path.unit)
            self._take_all(fresh, closed, cost)
        return least_cost

    # --- back from the goal ---

    def _layer_cost(self, number: Expr) -> Expr:
        """Look up the cost of a layer."""
        return self.v.w.let(at("g.scratch", self.cost_list + number), "c")

    def _back(self, ends: tuple[Sites, Sites]) -> None:
        """Walk cheapest paths back, the dearest layer first, and add the ends of steps."""
        w = self.v.w
        with w.each(0, self.count) as index:
            cost = self._layer_cost(self.count - 1 - index)
            place = self._at(self.scratch.back, cost)
            waiting = w.variable(w.load("g.scratch", place))
            w.store("g.scratch", place, w.constant(0))
            closed = w.empty()
            with w.loop(waiting.any()):
                w.add(closed, waiting)
                arrivals = w.empty()
                for number in range(len(self.steps)):
                    self._undo(number, cost, (waiting, closed, arrivals), ends)
                w.assign(waiting, arrivals - closed)

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
        w, (waiting, _, arrivals) = self.v.w, sets
        reached = waiting & into
        with w.when(price <= cost):
            rest = w.let(cost - price, "c")
            layer = w.load("g.scratch", self._at(self.scratch.layers, rest))
            sources = self._along(number, reached, back=True) & layer
            with w.when(price.eq(0)):
                w.add(arrivals, sources)
                self._note_free(number, reached, sources, ends)
            with w.otherwise(), w.when(sources.any()):
                self._add(self._at(self.scratch.back, rest), sources)
                w.add(ends[0], sources)
                w.add(ends[1], self._along(number, sources) & reached)

    def _along(self, number: int, sites: Sites, back: bool = False) -> Sites:
        """Write the sites that a step reaches from a set, or (*back*) from which it reaches it."""
        two = self.twos[number]
        step = self.steps[number]
        return self._near(step, sites, back) if two is None else two.near(sites, back)

    def _note_free(
        self, number: int, reached: Sites, sources: Sites, ends: tuple[Sites, Sites]
    ) -> None:
        """Add the ends of a step that costs nothing, if just one of them is an own site."""
        w, own = self.v.w, self.own
        for end, near_side, far_side, back in (
            (ends[0], sources, reached, True),
            (ends[1], reached, sources, False),
        ):
            leaving = near_side & own
            with w.when(leaving.any()):
                w.add(end, self._along(number, far_side - own, back=back) & leaving)

    def _undo_named(
        self,
        step: PathStep,
        cost: Expr,
        sets: tuple[Sites, Sites, Sites],
        ends: tuple[Sites, Sites],
    ) -> None:
        v, w, (waiting, _, arrivals) = self.v, self.v.w, sets
        outer = v.frame
        with w.sites(waiting) as b:
            target = w.site_bit(b)
            with w.sites(self._near(step, target, back=True)) as a:
                v.frame = {0: Site(a), 1: Site(b)}
                is_target = v.sites(step.into).has(b)
                with w.when(is_target.ne(0)), w.when(v.truth(step.when)):
                    price = w.let(v.number(step.cost), "c")
                    with w.when(price <= cost):
                        bit = w.site_bit(a)
                        rest = w.let(cost - price, "c")
                        layer = w.load("g.scratch", self._at(self.scratch.layers, rest))
                        with w.when((layer & bit).any()):
                            with w.when(price.eq(0)):
                                w.add(arrivals, bit)
                            with w.otherwise():
                                self._add(self._at(self.scratch.back, rest), bit)
                            leaves = self.own.has(a).ne(self.own.has(b))
                            with w.when(price.ne(0) | leaves):
                                w.add(ends[0], bit)
                                w.add(ends[1], target)
        v.frame = outer
