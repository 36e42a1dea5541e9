"""The structures that random games keep up to date: runs along lines, groups, lists of free sites.

In: a piece that was put.  Out: kernels' code that adds it, and whether an end is reached.  Which
game has which of them says `incremental.py`.
"""

from __future__ import annotations

from functools import reduce
from operator import or_

from rulewright.compiler.ir.nodes import Element, Expr, choice, op, truth
from rulewright.compiler.lower.links import bit_at
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.writer import Sites, Writer, array, at
from rulewright.compiler.passes.goals import Met
from rulewright.ground.records import Record, record
from rulewright.model.board import Step

UNION_FIND = """def find(state: StateWords, base: i64, x: i64) -> i64:
    above = state[base + x]
    while above >= 0:
        top = state[base + above]
        if top >= 0:
            state[base + x] = top
        x = above
        above = top
    return x


def join(state: StateWords, base: i64, a: i64, b: i64) -> i64:
    root = find(state, base, a)
    other = find(state, base, b)
    met = -1 - state[base + root]
    if root != other:
        met = met | (-1 - state[base + other])
        state[base + root] = other
        state[base + other] = -1 - met
    return met


"""
"""A cell holds the site above, or, at a root, -1 less the set of goals its group has met."""


@record
class LineRuns(Record):
    """A word for every line of the board and player; a piece is a bit in one word for each axis."""

    length: int
    base: int
    """The offset of the words of the player."""
    table: int
    """The table of each site's line, by number, and its place there, for every axis."""
    axes: int

    reason = "runs are kept as words of bits for every line, and tested through the last piece"

    def put(self, w: Writer, site: Expr) -> Expr:
        """Write the addition of a piece; returns the condition that a run is long enough."""
        tests = []
        for axis in range(self.axes):
            place = w.let(self.table + (site * self.axes + axis) * 2, "k")
            cell = at("g.state", w.let(self.base + at("g.tables", place), "k"))
            word = w.let(cell | op("wrap_shl", 1, at("g.tables", place + 1)), "w")
            w.set(cell, word)
            reach = 1
            while reach < self.length:
                stride = min(reach, self.length - reach)
                word = w.let(word & op("shift_right", word, stride), "w")
                reach += stride
            tests.append(word)
        return reduce(or_, tests).ne(0)


@record
class ConnectedGroups(Record):
    """Union-find over the sites; `near` is a table of neighbours, None where links join."""

    base: int
    near: int | None
    row: int
    goals: int
    """The table of each site's goals, as bits."""
    test: Met
    """The condition on the goals that a group has met."""

    @property
    def reason(self) -> str:
        """The note on this form, for `kernels --plan`."""
        how = "by links" if self.near is None else "with the goals that they have met"
        return f"groups are kept by union-find, {how}"

    def begin(self, w: Writer, site: Expr) -> Expr:
        """Write a group of one piece; returns the bits of the goals that it meets."""
        goal_bits = w.let(at("g.tables", self.goals + site), "g")
        w.set(at("g.state", self.base + site), -1 - goal_bits)
        return goal_bits

    def join(self, w: Writer, a: Expr, b: Expr) -> Expr:
        """Write the union of two groups; returns the bits of the goals that it meets."""
        return w.call("join", (array("g.state"),), self.base, a, b)

    def each_near(self, v: Values, site: Expr, own: int, goal_bits: Expr) -> None:
        """Write the union of a piece with its neighbours of the same owner."""
        assert self.near is not None
        w, place = v.w, v.w.let(self.near + site * self.row, "k")
        with w.each(0, at("g.tables", place)) as index:
            neighbour = w.let(at("g.tables", place + 1 + index), "s")
            with w.when(bit_at(v, own, neighbour).ne(0)):
                w.set(goal_bits, self.join(w, site, neighbour))


@record
class ReachedSites(Record):
    """The own pieces connected to a first goal; a piece that touches them brings its group along.

    Each piece is added once in a game, and most pieces touch none of these sites.
    """

    base: int
    """The offset of the set."""
    steps: tuple[Step, ...]
    first: int
    second: int
    owned: int
    """The offset of the player's pieces."""

    reason = "what is connected to the first goal is a set that grows with the pieces put beside it"

    def begin(self, v: Values) -> Expr:
        """Set the set up; returns the condition that the second goal is reached."""
        w, own = v.w, v.w.load("g.state", self.owned)
        seed = own & w.constant(self.first)
        reached = w.flood(seed, own, lambda sites: v.neighbours(self.steps, sites))
        w.store("g.state", self.base, reached)
        return (reached & w.constant(self.second)).any()

    def put(self, v: Values, site: Expr) -> Expr:
        """Write the addition of a piece; returns the condition that it reaches the second goal."""
        w, layout = v.w, v.layout
        starts = (self.first >> s & 1 for s in range(len(layout.rules.board.names)))
        table = layout.number_table(f"in {self.first}", starts)
        near = w.load("g.tables", layout.near_table(self.steps) + site * layout.words)
        reached, result = w.load("g.state", self.base), w.var(0, "b")
        touched = reduce(or_, (near & reached).words, at("g.tables", table + site))
        with w.when(touched.ne(0)):
            own, grown = w.load("g.state", self.owned), w.variable(reached | w.site_bit(site))
            edge = w.variable((near & own) - grown)
            with w.loop(edge.any()):
                w.add(grown, edge)
                w.assign(edge, (v.neighbours(self.steps, edge) & own) - grown)
            w.store("g.state", self.base, grown)
            w.set(result, choice((grown & w.constant(self.second)).any(), 1, 0))
        return result.ne(0)


@record
class FreeSites(Record):
    """The empty ones among some sites as a list in any order: how many, the list, places in it.

    A site that is not in it has the place -1.
    """

    base: int
    among: int
    table: int
    """The table of the sites in reading order."""
    most: int
    all: int
    """How many sites the board has."""

    @property
    def count(self) -> Element:
        """The number of free sites."""
        return at("g.state", self.base)

    def site(self, k: Expr) -> Element:
        """Name the k-th site of the list."""
        return at("g.state", self.base + 1 + k)

    def _place(self, site: Expr) -> Element:
        return at("g.state", self.base + 1 + self.most + site)

    def begin(self, v: Values, pieces: Sites) -> None:
        """Set the list up."""
        w = v.w
        if self.most < self.all:
            with w.each(0, self.all) as site:
                w.set(self._place(site), -1)
        with w.each(0, self.most) as place:
            site_there = w.let(at("g.tables", self.table + place), "s")
            w.set(self.site(place), site_there)
            w.set(self._place(site_there), place)
        w.set(self.count, self.most)
        with w.sites(pieces & w.constant(self.among)) as piece:
            self.take(w, piece)

    def take(self, w: Writer, site: Expr) -> None:
        """Remove a site that is no longer empty: the last of the list takes its place."""
        place = w.let(self._place(site), "p")
        with w.when(truth(True) if self.most == self.all else place >= 0):
            rest = w.let(self.count - 1, "n")
            last_site = w.let(self.site(rest), "s")
            w.set(self.count, rest)
            w.set(self.site(place), last_site)
            w.set(self._place(last_site), place)
