"""Goals that groups have met, as bits, and what the last piece may have shut in.

In: a condition (in normal form) on one group of a player's pieces.  Out: the goals that it asks
about, and a test of the bits of those that a group has met.  `corners g` counted is a goal for each
corner, `count(side in sides : side meets g)` one for each side.  `ShutIn` is for groups of all that
a player does not hold.  Refuses (`Unsupported`) conditions that ask for anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from operator import and_, or_

from attrs import define, field

from rulewright.compiler.ir.nodes import Const, Expr, choice, op
from rulewright.compiler.layout import StateLayout, Unsupported
from rulewright.compiler.lower.lines import share_of
from rulewright.compiler.lower.links import bit_at
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.writer import Sites, at
from rulewright.compiler.passes.normalize import is_apply
from rulewright.ground.records import Record, record
from rulewright.model import expressions as m
from rulewright.model.board import Board, Step, bits

MOST_GOALS = 60
"""Goals are bits of one word, whose sign says that a site is a root."""
MOST_NEAR = 8
"""Neighbours of a site of which every subset has a bit in a table."""
Met = Callable[[Expr], Expr]
"""A number or a truth, worked out of the bits of the goals that a group has met."""


@define(repr=False, eq=False)
class GoalReader(Record):
    """Read a condition on a group; `goals` are the sets that it asks about."""

    board: Board
    slot: int
    goals: list[int] = field(factory=list)

    def test(self, e: m.Expr) -> Met:
        """Read a truth; raises `Unsupported`."""
        match e:
            case m.Logic(conjunction=conjunction, items=items):
                tests = [self.test(i) for i in items]
                join = and_ if conjunction else or_
                return lambda met: reduce(join, [t(met) for t in tests])
            case m.Apply(operation="not", arguments=(inner,)):
                denied = self.test(inner)
                return lambda met: ~denied(met)
            case m.Apply(operation="less" | "less_equal" | "equal", arguments=(a, b)):
                left, right = self.number(a), self.number(b)
                compare = _COMPARE[e.operation]
                return lambda met: compare(left(met), right(met))
        mask = self._goal(self._share(e, {}, "meets", "any"))
        return lambda met: (met & mask).ne(0)

    def number(self, e: m.Expr) -> Met:
        """Read a number; raises `Unsupported`."""
        if isinstance(e, m.Const) and isinstance(e.value, int) and e.type is m.Type.INT:
            value = Const(e.value, "i64")
            return lambda met: value
        mask = 0
        if isinstance(e, m.Quantified) and e.quantifier == "count" and len(e.slots) == 1:
            family = e.domains[0]
            if not isinstance(family, m.Const) or family.type is not m.Type.FAMILY:
                raise Unsupported
            masks: tuple[int, ...] = tuple(family.value)  # type: ignore[arg-type]
            slot = e.slots[0]
            sets = [self._share(e.body, {slot: part}, "meets", "any") for part in masks]
            mask = reduce(or_, [self._goal(sites) for sites in sets], 0)
            if mask.bit_count() != len(sets):
                raise Unsupported
        else:
            for site in bits(self._share(e, {}, "count")):
                mask |= self._goal(1 << site)
        return lambda met: op("popcount", met & mask)

    def _goal(self, sites: int) -> int:
        """Return the bit of a goal."""
        if sites not in self.goals:
            self.goals.append(sites)
        if len(self.goals) > MOST_GOALS:
            raise Unsupported
        return 1 << self.goals.index(sites)

    def _share(self, e: m.Expr, values: Mapping[int, int], *operations: str) -> int:
        """Return the sites of which an operation asks whether, or how many, the group holds."""
        sites = share_of(e, self.slot) if is_apply(e, *operations) else None
        if sites is None:
            raise Unsupported
        return self._mask(sites, values)

    def _mask(self, e: m.Expr, values: Mapping[int, int]) -> int:
        match e:
            case m.Const(value=int(value)):
                return value
            case m.Local(slot=slot) if slot in values:
                return values[slot]
            case m.Apply(operation="intersect" | "unite", arguments=parts):
                join = and_ if e.operation == "intersect" else or_
                return reduce(join, [self._mask(p, values) for p in parts])
            case m.Apply(operation="complement", arguments=(inner,)):
                return self.board.sites & ~self._mask(inner, values)
        raise Unsupported


_COMPARE: dict[str, Callable[[Expr, Expr], Expr]] = {
    "less": lambda a, b: a < b,
    "less_equal": lambda a, b: a <= b,
    "equal": lambda a, b: a.eq(b),
}


@record
class ShutIn(Record):
    """Groups of what a player does not hold that reach none of the `open` sites.

    A piece shuts something in only where its neighbours fall apart; a table says of which of these
    it need not be asked.
    """

    owned: int
    near: int
    row: int
    safe: int
    words: int
    open: int
    steps: tuple[Step, ...]

    reason = "what a piece may have shut in is looked for where its neighbours fall apart"

    @classmethod
    def of(cls, layout: StateLayout, e: m.Quantified, view: int, steps: tuple[Step, ...]) -> ShutIn:
        """Read groups of all but a player's pieces, and `no X g`; raises `Unsupported`."""
        owned = m.Apply(m.Type.SITES, "owned", (m.Const(m.Type.PLAYER, value=view),))
        body, sites = e.body, e.domains[0].arguments[0]  # type: ignore[union-attr]
        if sites != m.Apply(m.Type.SITES, "complement", (owned,)) or not is_apply(body, "not"):
            raise Unsupported
        border = share_of(body.arguments[0], e.slots[0])
        if not is_apply(body.arguments[0], "any", "meets") or not isinstance(border, m.Const):
            raise Unsupported
        assert isinstance(border.value, int)
        board = layout.rules.board
        neighbours = board.neighbours(steps)
        if max(mask.bit_count() for mask in neighbours) > MOST_NEAR:
            raise Unsupported
        near, row = layout.near_list_table(steps)
        entries = [_safe(neighbours, s, border.value) for s in range(len(board.names))]
        words = max(len(entry) for entry in entries)
        table = [w for entry in entries for w in (*entry, *[0] * (words - len(entry)))]
        safe = layout.number_table(f"safe {border.value} {steps}", table)
        base = layout.owned + view * layout.words
        return cls(base, near, row, safe, words, border.value, steps)

    def begin(self, v: Values) -> Expr:
        """Write the condition that something is shut in already."""
        return self._is_cut_off(v, v.w.constant(v.board.sites))

    def put(self, v: Values, site: Expr) -> Expr:
        """Write the addition of a piece; returns the condition that it shuts something in."""
        w, pattern, result = v.w, v.w.var(0, "p"), v.w.var(0, "b")
        place = w.let(self.near + site * self.row, "k")
        with w.each(0, at("g.tables", place)) as index:
            neighbour = w.let(at("g.tables", place + 1 + index), "s")
            apart = 1 - bit_at(v, self.owned, neighbour)
            w.set(pattern, pattern | op("wrap_shl", apart, index))
        word = at("g.tables", self.safe + site * self.words + op("shift_right", pattern, 6))
        with w.when((op("shift_right", word, pattern & 63) & 1).eq(0)):
            near = w.load("g.tables", v.layout.near_table(self.steps) + site * v.layout.words)
            w.set(result, choice(self._is_cut_off(v, near), 1, 0))
        return result.ne(0)

    def _is_cut_off(self, v: Values, near: Sites) -> Expr:
        """Write whether some of the sites *near* the piece do not reach an open site."""
        w = v.w
        others = w.constant(v.board.sites) - w.load("g.state", self.owned)
        targets = near & others
        reached = w.variable(others & w.constant(self.open))
        edge = w.variable(reached)
        with w.loop(edge.any() & (targets - reached).any()):
            w.assign(edge, (v.neighbours(self.steps, edge) & others) - reached)
            w.add(reached, edge)
        return (targets - reached).any()


def _safe(neighbours: Sequence[int], site: int, border: int) -> list[int]:
    """List, as bits, the sets of a site's neighbours that a piece there cannot cut off."""
    near = list(bits(neighbours[site]))
    words = [0] * max(1, (1 << len(near)) >> 6)
    for pattern in range(1 << len(near)):
        rest = sum(1 << s for i, s in enumerate(near) if pattern >> i & 1)
        parts = list(_parts(neighbours, rest))
        lone = len(parts) < 2 and not border >> site & 1
        if lone or all(part & border for part in parts):
            words[pattern >> 6] |= 1 << (pattern & 63)
    return [word - (word >> 63 << 64) for word in words]


def _parts(neighbours: Sequence[int], sites: int) -> Iterator[int]:
    """Walk the connected parts of a set."""
    while sites:
        part = edge = sites & -sites
        while edge:
            edge = reduce(or_, [neighbours[s] for s in bits(edge)]) & sites & ~part
            part |= edge
        yield part
        sites &= ~part
