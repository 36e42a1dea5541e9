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

from collections.abc import Callable
from contextlib import suppress
from typing import TypeAlias

from attrs import define, field

from rulewright.compiler.ir.nodes import Expr, Function, choice, truth
from rulewright.compiler.layout import StateLayout, Unsupported
from rulewright.compiler.lower.definitions import GENERAL
from rulewright.compiler.lower.lines import Lines, joining_steps, read_groups, read_lines
from rulewright.compiler.lower.links import bar_crossing, begin_barred, bit_at, link_bit
from rulewright.compiler.lower.operations import full
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.writer import Writer, at, signature
from rulewright.compiler.passes.decision_rows import SETS
from rulewright.compiler.passes.goals import GoalReader, Met, ShutIn
from rulewright.compiler.passes.normalize import (
    Normalizer,
    is_apply,
    is_inside,
    is_never,
    parts_of,
)
from rulewright.compiler.passes.stillness import still_sites
from rulewright.compiler.passes.structures import (
    ConnectedGroups,
    FreeSites,
    LineRuns,
    ReachedSites,
)
from rulewright.ground.records import Record
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import Board, Step, bits
from rulewright.model.expressions import Const, Type
from rulewright.model.walk import nodes

FEW_WORDS = 4
"""Boards of so few words are flooded faster than union-find answers (measured on Hex 8 to 19)."""
FLOODED = 2
"""As many goals as a flood from one of them can answer for."""

_Form: TypeAlias = LineRuns | ConnectedGroups | ReachedSites | ShutIn


@define(repr=False, eq=False)
class Incremental(Record):
    """The structures of a game; `ends[player]` has one for each end rule, or None."""

    layout: StateLayout
    ends: tuple[list[_Form | None], ...] = field(init=False)
    other_conditions: dict[tuple[int, int], m.Expr] = field(factory=dict, init=False)
    """What else makes an end rule hold, by player and rule; it is tested on the whole board."""
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
        parts = parts_of(condition, conjunction=False)
        for part in parts:
            form = self._form_of(part, number, view, bases)
            if form is not None:
                others = tuple(p for p in parts if p is not part)
                if others:
                    self.other_conditions[view, number] = m.Logic(Type.TRUTH, False, others)
                return form
        return None

    def _form_of(
        self, condition: m.Expr, number: int, view: int, bases: dict[int, int]
    ) -> _Form | None:
        own = m.Apply(Type.SITES, "owned", (Const(Type.PLAYER, value=view),))
        if not isinstance(condition, m.Quantified) or condition.quantifier != "some":
            return None
        forms: list[Callable[[], _Form]] = []
        if is_apply(condition.domains[0], "lines"):
            forms = [lambda: self._lines(read_lines(condition), own)]
        elif is_apply(condition.domains[0], "groups", "groups_linked"):
            forms = [
                lambda: self._groups(condition, own, number, bases, view),
                lambda: self._shut_in(condition, view),
            ]
        for form in forms:
            with suppress(Unsupported):
                return form()
        return None

    def _lines(self, lines: Lines, own: m.Expr) -> LineRuns:
        board = self.layout.rules.board
        if self.layout.words == 1 or lines.inside != (own,) or lines.outside or board.is_irregular:
            raise Unsupported
        values, count = segments(board)
        table = self.layout.add("segments", values)
        return LineRuns(lines.length, self.layout.room(count), table, len(board.axes))

    def _groups(
        self, condition: m.Quantified, own: m.Expr, number: int, bases: dict[int, int], view: int
    ) -> ConnectedGroups | ReachedSites:
        board, domain = self.layout.rules.board, condition.domains[0]
        steps, masks, test = self._goals(condition)
        if domain.arguments[0] != own:  # type: ignore[union-attr]
            raise Unsupported
        is_small = self.layout.words <= FEW_WORDS and len(masks) == FLOODED
        if steps is not None and is_small and test is None:
            base, owned = self.layout.room(self.layout.words), self._owned(view)
            return ReachedSites(base, steps, masks[0], masks[1], owned)
        goal_bits = [
            sum(1 << i for i, mask in enumerate(masks) if mask >> s & 1)
            for s in range(len(board.names))
        ]
        goals = self.layout.number_table(f"goals {masks}", goal_bits)
        if number not in bases:
            bases[number] = self.layout.room(len(board.names))
        near, row = None, 0
        if steps is not None:
            near, row = self.layout.near_list_table(steps)
        every = (1 << len(masks)) - 1
        return ConnectedGroups(bases[number], near, row, goals, test or (lambda met: met.eq(every)))

    def _goals(
        self, condition: m.Quantified
    ) -> tuple[tuple[Step, ...] | None, list[int], Met | None]:
        """Return how groups are joined, their goals, and a test of these unless all are needed."""
        board = self.layout.rules.board
        reader = GoalReader(board, condition.slots[0])
        test = reader.test(condition.body)
        if all(is_apply(part, "meets") for part in parts_of(condition.body)):
            groups = read_groups(condition, board)
            values = [g.value for g in groups.goals if isinstance(g, Const)]
            return groups.steps, [value for value in values if isinstance(value, int)], None
        return joining_steps(condition.domains[0], board), reader.goals, test

    def _shut_in(self, condition: m.Quantified, view: int) -> ShutIn:
        steps = joining_steps(condition.domains[0], self.layout.rules.board)
        if steps is None:
            raise Unsupported
        return ShutIn.of(self.layout, condition, view, steps)

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
            elif isinstance(form, ReachedSites | ShutIn):
                conditions[number] = form.put(v, site)
            elif isinstance(form, ConnectedGroups):
                goal_bits = v.w.var(form.begin(v.w, site), "g")
                if form.near is not None:
                    form.each_near(v, site, own, goal_bits)
                conditions[number] = goal_bits
        return conditions

    def on_link(self, v: Values, a: Expr, b: Expr, link: Expr, conditions: dict[int, Expr]) -> None:
        """Write what a new link changes: none may cross it, and the groups at its ends are one."""
        if self.crossed_links is not None:
            bar_crossing(v, self.crossed_links, link)
        for number, form in enumerate(self.ends[v.view]):
            if isinstance(form, ConnectedGroups) and form.near is None:
                v.w.set(conditions[number], form.join(v.w, a, b))

    def condition(self, v: Values, number: int, conditions: dict[int, Expr]) -> Expr | None:
        """Write the condition of an end rule after a piece was put; None: test the board."""
        form, rest = self.ends[v.view][number], self.other_conditions.get((v.view, number))
        if form is None:
            return None
        if number not in conditions:  # no piece was put, so nothing has been reached
            return truth(False) if rest is None else v.truth(rest)
        value = conditions[number]
        test = form.test(value) if isinstance(form, ConnectedGroups) else value
        if rest is None:
            return test
        result = v.w.var(choice(test, 1, 0), "b")
        with v.w.when(result.eq(0)):
            v.w.set(result, choice(v.truth(rest), 1, 0))
        return result.ne(0)

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
                elif isinstance(form, ShutIn):
                    there = Values(GENERAL, self.layout, w, view, view)
                    self._refuse(w, form.begin(there))
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
            self._refuse(w, form.test(form.begin(w, site)))
        if form.near is None:
            self._begin_links(v, own, form)
            return
        with w.sites(w.load("g.state", own)) as site:
            goal_bits = w.var(0, "g")
            form.each_near(v, site, own, goal_bits)
            self._refuse(w, form.test(goal_bits))

    def _begin_links(self, v: Values, own: int, form: ConnectedGroups) -> None:
        assert self.layout.link_table is not None
        w, ends = v.w, self.layout.link_table.ends
        table = self.layout.number_table("link ends", [s for pair in ends for s in pair])
        with w.each(0, len(ends)) as link, w.when(link_bit(v, link).ne(0)):
            a, b = (w.let(at("g.tables", table + 2 * link + i), "s") for i in (0, 1))
            with w.when((bit_at(v, own, a) + bit_at(v, own, b)).eq(2)):
                self._refuse(w, form.test(form.join(w, a, b)))


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
    if rules.board.stacked:
        return False
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
