"""What random games keep up to date while nothing is undone: runs along lines, connected groups.

In: the rules and a layout.  Out: for a game in which pieces are only ever added by their owner, how
each end rule is tested at the last piece alone: its four lines as words of bits, what is connected
to a goal as a set that grows, or its group by union-find (Tarjan 1975) with the goals a group has
met kept at its root.  Refuses (`Unsupported`) all other games; they test their ends on the whole
board.

It is right only where no player has reached such an end already; `begin_incremental` sets the
structures up for a position and says whether that holds.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TypeAlias

from attrs import define, field

from rulewright.compiler.ir.nodes import Element, Expr, Function, choice, op, truth
from rulewright.compiler.layout import StateLayout, Unsupported
from rulewright.compiler.lower.definitions import GENERAL
from rulewright.compiler.lower.lines import Groups, Lines, read_groups, read_lines
from rulewright.compiler.lower.links import bar_crossing, begin_barred, bit_at, link_bit
from rulewright.compiler.lower.operations import full
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.writer import Sites, Writer, array, at, signature
from rulewright.compiler.passes.duplicates import SETS
from rulewright.compiler.passes.normalize import Normalizer, is_apply, is_inside, is_never
from rulewright.compiler.passes.pushdown import still_sites
from rulewright.ground.records import Record, record
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import Board, Step, bits
from rulewright.model.expressions import Const, Type
from rulewright.model.walk import nodes

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
    one = find(state, base, a)
    other = find(state, base, b)
    met = -1 - state[base + one]
    if one != other:
        met = met | (-1 - state[base + other])
        state[base + one] = other
        state[base + other] = -1 - met
    return met


"""
"""A cell holds the site above, or, at a root, -1 less the set of goals its group has met."""


FEW_WORDS = 4
"""Boards of so few words are flooded faster than union-find answers (measured on Hex 8 to 19)."""
FLOODED = 2
"""As many goals as a flood from one of them can answer for."""


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
    all: int

    @property
    def reason(self) -> str:
        """The note on this form, for `kernels --plan`."""
        how = "by links" if self.near is None else f"because the board has over {FEW_WORDS} words"
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


_Form: TypeAlias = LineRuns | ConnectedGroups | ReachedSites


@define(repr=False, eq=False)
class Incremental(Record):
    """The structures of a game; `ends[player]` has one for each end rule, or None."""

    layout: StateLayout
    ends: tuple[list[_Form | None], ...] = field(init=False)
    free: dict[int, FreeSites] = field(factory=dict, init=False)
    """Lists of empty sites by the sites among which they are."""
    free_by_move: dict[tuple[int, int], FreeSites | None] = field(factory=dict, init=False)
    """The list from which a move's choice is drawn, by move and player; None without one."""
    crossed_links: int | None = field(default=None, init=False)
    """The offset of the set of links that some link crosses."""

    def __attrs_post_init__(self) -> None:
        rules = self.layout.rules
        if rules.closes_turns or not all(_only_grows(rules, move) for move in rules.moves):
            raise Unsupported
        end_rules = rules.tested
        bases: dict[int, int] = {}
        self.ends = tuple(
            [self._form(end, i, view, bases) for i, end in enumerate(end_rules)] for view in (0, 1)
        )
        if not any(form for forms in self.ends for form in forms):
            raise Unsupported
        if self.layout.link_words and any(
            is_apply(n, "crossed") for n in nodes((rules.moves, rules.functions))
        ):
            self.crossed_links = self.layout.room(self.layout.link_words)
        self.free_by_move = {
            (number, player): self._free_sites(move, player)
            for number, move in enumerate(rules.moves)
            for player in (0, 1)
            if not is_never(move)
        }

    def _free_sites(self, move: r.MoveKind, player: int) -> FreeSites | None:
        """Return the list that a move's one choice is drawn from; None if it needs another form."""
        tests = [s for s in move.body if isinstance(s, r.Choose | r.ChooseRay | r.Let | r.Need)]
        if not tests or not isinstance(tests[0], r.Choose) or tests[0].domain.type not in SETS:
            return None
        if not all(isinstance(s, r.Need) for s in tests[1:]) or self.layout.words == 1:
            return None
        choose, normal = tests[0], Normalizer(self.layout.rules, player, player)
        domain = normal(choose.domain)
        parts = list(domain.arguments) if is_apply(domain, "intersect") else [domain]
        if m.Apply(Type.SITES, "empty") not in parts:
            return None
        parts.remove(m.Apply(Type.SITES, "empty"))
        site = m.Local(Type.SITE, choose.slot)
        conditions: list[m.Expr] = [m.Apply(Type.TRUTH, "inside", (site, part)) for part in parts]
        conditions += [normal(s.condition) for s in tests if isinstance(s, r.Need)]
        masks = [still_sites(self.layout.rules, c, choose.slot) for c in conditions]
        among = self.layout.rules.board.sites
        for mask in masks:
            if mask is None:
                return None
            among &= mask
        return self._list(among) if among else None

    def _list(self, among: int) -> FreeSites:
        if among not in self.free:
            sites, count = list(bits(among)), len(self.layout.rules.board.names)
            table = self.layout.number_table(f"sites {among}", sites)
            base = self.layout.room(1 + len(sites) + count)
            self.free[among] = FreeSites(base, among, table, len(sites), count)
        return self.free[among]

    def _form(self, end: r.End, number: int, view: int, bases: dict[int, int]) -> _Form | None:
        if end.verdict == "score":
            return None
        condition = Normalizer(self.layout.rules, view, view)(end.condition)
        own = m.Apply(Type.SITES, "owned", (Const(Type.PLAYER, value=view),))
        if not isinstance(condition, m.Quantified) or condition.quantifier != "some":
            return None
        try:
            if is_apply(condition.domains[0], "lines"):
                return self._lines(read_lines(condition), own)
            if is_apply(condition.domains[0], "groups", "groups_linked"):
                groups = read_groups(condition, self.layout.rules.board)
                return self._groups(groups, own, number, bases, view)
        except Unsupported:
            return None
        return None

    def _lines(self, lines: Lines, own: m.Expr) -> LineRuns:
        board = self.layout.rules.board
        if self.layout.words == 1 or lines.inside != (own,) or lines.outside or board.is_irregular:
            raise Unsupported
        values, count = segments(board)
        table = self.layout.add("segments", values)
        return LineRuns(lines.length, self.layout.room(count), table, len(board.axes))

    def _groups(
        self, groups: Groups, own: m.Expr, number: int, bases: dict[int, int], view: int
    ) -> ConnectedGroups | ReachedSites:
        board = self.layout.rules.board
        if groups.sites != own or not all(isinstance(g, Const) for g in groups.goals):
            raise Unsupported
        masks = [g.value for g in groups.goals if isinstance(g, Const) and isinstance(g.value, int)]
        is_small = self.layout.words <= FEW_WORDS and len(masks) == FLOODED
        if groups.steps is not None and is_small:
            base, owned = self.layout.room(self.layout.words), self._owned(view)
            return ReachedSites(base, groups.steps, masks[0], masks[1], owned)
        goal_bits = [
            sum(1 << i for i, mask in enumerate(masks) if mask >> s & 1)
            for s in range(len(board.names))
        ]
        goals = self.layout.number_table(f"goals {masks}", goal_bits)
        if number not in bases:
            bases[number] = self.layout.room(len(board.names))
        near, row = None, 0
        if groups.steps is not None:
            near, row = self.layout.near_list_table(groups.steps)
        return ConnectedGroups(bases[number], near, row, goals, (1 << len(masks)) - 1)

    def _owned(self, view: int) -> int:
        """Return the offset of a player's pieces."""
        return self.layout.owned + view * self.layout.words

    # --- while a game goes on ---

    def on_put(self, v: Values, site: Expr) -> dict[int, Expr]:
        """Write the addition of a piece; returns a condition or goal bits for each end rule."""
        conditions: dict[int, Expr] = {}
        for free in self.free.values():
            free.take(v.w, site)
        own = self._owned(v.view)
        for number, form in enumerate(self.ends[v.view]):
            if isinstance(form, LineRuns):
                conditions[number] = form.put(v.w, site)
            elif isinstance(form, ReachedSites):
                conditions[number] = form.put(v, site)
            elif isinstance(form, ConnectedGroups):
                goal_bits = v.w.var(form.begin(v.w, site), "g")
                if form.near is not None:
                    form.each_near(v, site, own, goal_bits)
                conditions[number] = goal_bits
        return conditions

    def on_link(self, v: Values, a: Expr, b: Expr, link: Expr, conditions: dict[int, Expr]) -> None:
        """Write the union of two pieces that a link joins."""
        if self.crossed_links is not None:
            bar_crossing(v, self.crossed_links, link)
        for number, form in enumerate(self.ends[v.view]):
            if isinstance(form, ConnectedGroups) and form.near is None:
                v.w.set(conditions[number], form.join(v.w, a, b))

    def condition(self, number: int, view: int, conditions: dict[int, Expr]) -> Expr | None:
        """Return the condition of an end rule after a piece was put; None: test the board."""
        form = self.ends[view][number]
        if form and number not in conditions:
            return truth(False)  # no piece was put, so nothing has been reached
        if isinstance(form, ConnectedGroups):
            return conditions[number].eq(form.all)
        return conditions[number] if form else None

    def begin(self) -> Function:
        """Write the kernel that sets the structures up; it returns 0 after an end."""
        w = Writer(layout=self.layout)
        v = Values(GENERAL, self.layout, w, 0, 0)
        for free in self.free.values():
            free.begin(v, full(v))
        if self.crossed_links is not None:
            begin_barred(v, self.crossed_links)
        for view in (0, 1):
            for form in self.ends[view]:
                if isinstance(form, LineRuns):
                    self._begin_lines(w, view, form)
                elif isinstance(form, ReachedSites):
                    self._refuse(w, form.begin(Values(GENERAL, self.layout, w, view, view)))
                elif isinstance(form, ConnectedGroups):
                    self._begin_groups(w, view, form)
        return w.function("begin_incremental", signature(), 1)

    @staticmethod
    def _refuse(w: Writer, condition: Expr) -> None:
        """Write the return of 0 if somebody has reached an end already."""
        with w.when(condition):
            w.give(0)

    def _begin_lines(self, w: Writer, view: int, form: LineRuns) -> None:
        _, count = segments(self.layout.rules.board)
        with w.each(0, count) as line:
            w.set(at("g.state", form.base + line), 0)
        with w.sites(w.load("g.state", self._owned(view))) as site:
            self._refuse(w, form.put(w, site))

    def _begin_groups(self, w: Writer, view: int, form: ConnectedGroups) -> None:
        v = Values(GENERAL, self.layout, w, view, view)
        own = self._owned(view)
        with w.sites(w.load("g.state", own)) as site:
            self._refuse(w, form.begin(w, site).eq(form.all))
        if form.near is None:
            self._begin_links(v, own, form)
            return
        with w.sites(w.load("g.state", own)) as site:
            goal_bits = w.var(0, "g")
            form.each_near(v, site, own, goal_bits)
            self._refuse(w, goal_bits.eq(form.all))

    def _begin_links(self, v: Values, own: int, form: ConnectedGroups) -> None:
        assert self.layout.link_table is not None
        w, ends = v.w, self.layout.link_table.ends
        table = self.layout.number_table("link ends", [s for pair in ends for s in pair])
        with w.each(0, len(ends)) as link, w.when(link_bit(v, link).ne(0)):
            a, b = (w.let(at("g.tables", table + 2 * link + i), "s") for i in (0, 1))
            with w.when((bit_at(v, own, a) + bit_at(v, own, b)).eq(2)):
                self._refuse(w, form.join(w, a, b).eq(form.all))


def segments(board: Board) -> tuple[list[int], int]:
    """List each site's line, by number, and its place there, for every axis; count the lines."""
    sites = range(len(board.names))
    values = {(s, a): (0, 0) for s in sites for a in range(len(board.axes))}
    count = 0
    for axis, step in enumerate(board.axes):
        for site in bits(board.sites):
            if board.targets(board.opposite(step))[site]:
                continue  # not the first of its line
            walk = [1 << site, *board.walk(site, step)]
            for place, mask in enumerate(walk):
                values[mask.bit_length() - 1, axis] = (count, place)
            count += 1
    return [n for s in sites for a in range(len(board.axes)) for n in values[s, a]], count


def _only_grows(rules: r.Rules, move: r.MoveKind) -> bool:
    """Whether a move does no more to pieces and links than adding one own piece and its links."""
    if is_never(move):
        return True
    own, puts = m.Apply(Type.SITES, "owned", (Const(Type.PLAYER, value=0),)), list[int]()
    normal = Normalizer(rules, 0, 0)
    vacant = {
        s.slot
        for s in move.body
        if isinstance(s, r.Choose)
        and s.domain.type in (Type.SITE, Type.SITES)
        and is_inside(normal(s.domain), m.Apply(Type.SITES, "empty"))
    }
    for s in move.body:
        match s:
            case r.Put(owner=r.OWN, sites=m.Local(slot=slot)) if slot in vacant and not puts:
                puts.append(slot)
            case r.Link(source=m.Local(slot=slot), target=target, remove=False):
                if slot not in puts or not is_inside(normal(target), own):
                    return False
            case r.Put() | r.Link() | r.LinkEach() | r.Clear() | r.MovePiece() | r.MoveEach():
                return False
            case r.Perform() | r.If() | r.Each():
                return False
    return True
