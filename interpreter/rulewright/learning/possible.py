"""The choices that a move can ever make, whatever the position: an upper bound.

In: a move of the rules and its player.  Out: every combination of choices that the constants of
the rules leave open.  Sets of sites that depend on the position count as all that they may hold
(`most`) and as nothing that they must hold (`least`).  Refuses, as `Unbounded`, more combinations
than `MOST`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import pairwise, product
from operator import and_, or_
from typing import TypeAlias

from attrs import define, field

from rulewright.compiler.passes.normalize import Normalizer
from rulewright.ground.records import Record
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import Mask, Step, bits
from rulewright.model.expressions import Const, Expr, Type

MOST = 2_000_000
"""Combinations of choices that are looked at for one move."""
Choice: TypeAlias = int | Step
"""A site by its number, a kind or a number, or a step."""
Frame: TypeAlias = dict[int, Choice]
"""Choices by slot."""


class Unbounded(Exception):
    """A move may choose in too many ways."""


@define(eq=False)
class PossibleChoices(Record):
    """Walks the body of a move for one player, with everything possible that may be."""

    rules: r.Rules
    player: int
    _normal: Normalizer = field(init=False)
    _frame: Frame = field(factory=dict, init=False)
    """What was chosen on the way, by slot."""
    _combinations: int = field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        self._normal = Normalizer(self.rules, self.player, self.player)

    @property
    def _all(self) -> Mask:
        return self.rules.board.sites

    def of(self, move: r.MoveKind) -> Iterator[Frame]:
        """Yield the choices by slot: sites by number, kinds, numbers, steps."""
        self._frame, self._combinations = {}, 0
        yield from self._walk(tuple(self._prepared(s) for s in move.body), 0)

    def _prepared(self, s: r.Effect) -> r.Effect:
        """Bring the expressions of a statement into the normal form."""
        match s:
            case r.Choose():
                return r.Choose(s.name, s.slot, self._normal(s.domain))
            case r.ChooseRay():
                source, along = self._normal(s.source), self._normal(s.along)
                return r.ChooseRay(s.names, s.slots, source, along, s.pattern)
            case r.Need():
                return r.Need(self._normal(s.condition))
        return s

    def _walk(self, body: Sequence[r.Effect], at: int) -> Iterator[Frame]:
        self._combinations += 1
        if self._combinations > MOST:
            raise Unbounded(f"a move with more than {MOST:,} combinations of choices")
        while at < len(body):
            s = body[at]
            at += 1
            if isinstance(s, r.Choose | r.ChooseRay):
                for values in self._values(s):
                    self._frame |= values
                    yield from self._walk(body, at)
                return
            if isinstance(s, r.Need) and not self._holds(s.condition, surely=False):
                return
        yield dict(self._frame)

    def _values(self, s: r.Choose | r.ChooseRay) -> Iterator[Frame]:
        """Yield what a statement may choose, by slot; without a slot whose values are unknown."""
        if isinstance(s, r.ChooseRay):
            yield from self._matches(s)
            return
        domain = s.domain
        if domain.type in (Type.SITE, Type.SITES):
            values: Iterable[Choice] | None = bits(self.most(domain))
        elif domain.type in (Type.STEP, Type.STEPS):
            values = self._steps(domain)
        elif isinstance(domain, Const):
            values = domain.numbers
            if domain.type is Type.RANGE and values is not None:
                values = range(min(values), max(values) + 1)  # a range is its two ends
        else:
            values = range(len(self.rules.kinds)) if domain.type is Type.KINDS else None
        yield from [{}] if values is None else [{s.slot: value} for value in values]

    # --- rays ---

    def _matches(self, s: r.ChooseRay) -> Iterator[Frame]:
        """Yield the marks of a ray by slot; each lies as far from the source as it may."""
        board, steps = self.rules.board, self._steps(s.along)
        if steps is None:
            anywhere = [tuple(bits(self._all))] * len(s.slots)
            for sites in product(*anywhere):
                yield dict(zip(s.slots, sites, strict=True))
            return
        for source, step in product(bits(self.most(s.source)), steps):
            walk, is_closed = board.walk(source, step), board.round(source, step) > 0
            spans = [_span(s.pattern, mark) for mark in range(len(s.slots))]
            if is_closed:  # a ray may go round more than once
                walk, spans = (*walk, 1 << source), [(0, _FAR)] * len(spans)
            places = [range(low, min(high, len(walk) - 1) + 1) for low, high in spans]
            for chosen in product(*places):
                if is_closed or all(a < b for a, b in pairwise(chosen)):
                    yield {
                        n: walk[i].bit_length() - 1 for n, i in zip(s.slots, chosen, strict=True)
                    }

    def _steps(self, along: Expr) -> tuple[Step, ...] | None:
        """Return the steps that an expression may be; None if they are unknown."""
        match along:
            case Const(type=Type.STEP | Type.STEPS):
                return along.steps
            case m.Local(slot=slot):
                step = self._frame.get(slot)
                return (step,) if isinstance(step, tuple) else None
            case m.Apply(operation="step_item", arguments=(steps, _)):
                return self._steps(steps)
            case m.Apply(operation="join_steps", arguments=parts):
                return self._joined(parts)
            case m.Conditional():
                return self._joined((along.then, along.otherwise))
        return None

    def _joined(self, parts: Sequence[Expr]) -> tuple[Step, ...] | None:
        steps = [self._steps(part) for part in parts]
        if None in steps:
            return None
        return tuple(dict.fromkeys(step for some in steps for step in some or ()))

    # --- sets ---

    def most(self, e: Expr) -> Mask:
        """Return the sites that a set may hold."""
        match e:
            case m.Apply(operation="step", arguments=(along, source)):
                return self._near(self._steps(along), self.most(source))
            case m.Apply(operation="linked", arguments=(Const(value=int(link)), source)):
                return self._near(self.rules.links[link].steps, self.most(source))
            case m.Quantified(quantifier="those"):
                return self.most(e.domains[0])
            case m.Conditional():
                return self.most(e.then) | self.most(e.otherwise)
            case m.Ray():
                return self._along(e)
        exact = self._composed(e, self.most, self.least)
        return self._all if exact is None else exact

    def least(self, e: Expr) -> Mask:
        """Return the sites that a set holds in any case."""
        return self._composed(e, self.least, self.most) or 0

    def _composed(
        self, e: Expr, bound: Callable[[Expr], Mask], other: Callable[[Expr], Mask]
    ) -> Mask | None:
        """Return the bound of a set that is made of others; *other* bounds it from the other side.

        None where the set depends on the position.
        """
        match e:
            case Const(value=int(value), type=Type.SITE | Type.SITES):
                return value
            case m.Local(slot=slot):
                site = self._frame.get(slot)
                return 1 << site if isinstance(site, int) else None
            case m.Apply(operation="unite"):
                return reduce(or_, map(bound, e.arguments))
            case m.Apply(operation="intersect"):
                return reduce(and_, map(bound, e.arguments))
            case m.Apply(operation="complement", arguments=(inner,)):
                return self._all & ~other(inner)
        return None

    def _near(self, steps: tuple[Step, ...] | None, sources: Mask) -> Mask:
        if steps is None:
            return self._all
        near = self.rules.board.neighbours(steps)
        return reduce(or_, (near[site] for site in bits(sources)), 0)

    def _along(self, e: m.Ray) -> Mask:
        """Return the sites that marks of a ray may lie on."""
        steps = self._steps(e.along)
        if steps is None:
            return self._all
        board, spans = self.rules.board, [_span(e.pattern, mark) for mark in range(e.marks)]
        sites = 0
        for source, step in product(bits(self.most(e.source)), steps):
            walk = board.walk(source, step)
            if board.round(source, step):
                sites |= reduce(or_, walk, 1 << source)
            for low, high in spans:
                sites |= reduce(or_, walk[low : high + 1], 0)
        return sites

    # --- conditions ---

    def _holds(self, e: Expr, surely: bool) -> bool:
        """Whether a condition is true in every position, if *surely*, else whether it may be."""
        match e:
            case Const(value=value):
                return bool(value)
            case m.Logic(conjunction=conjunction, items=items):
                truths = (self._holds(item, surely) for item in items)
                return all(truths) if conjunction else any(truths)
            case m.Apply(operation="not", arguments=(inner,)):
                return not self._holds(inner, not surely)
            case m.Apply(operation="inside", arguments=(inner, outer)):
                if surely:
                    return not self.most(inner) & ~self.least(outer)
                return not self.least(inner) & ~self.most(outer)
            case m.Apply(operation="any", arguments=(sites,)):
                return (self.least(sites) if surely else self.most(sites)) != 0
        return not surely


_FAR = 1 << 20


def _span(pattern: m.RayPattern, mark: int) -> tuple[int, int]:
    """Return the least and the greatest place of the sites of a mark on the walk, from 0."""
    low, high, inside = _places(pattern, mark)
    return (low, high) if inside else (0, _FAR)


def _places(pattern: m.RayPattern, mark: int) -> tuple[int, int, bool]:
    """Return the first and the last place of a mark, and whether the pattern holds it.

    Without it: the least and the greatest length of the pattern.
    """
    match pattern:
        case m.Marked(mark=number, item=item):
            low, high, _ = _places(item, mark)
            return (0, max(0, high - 1), True) if number == mark else (low, high, False)
        case m.Sequence(items=items):
            low = high = 0
            for item in items:
                first, last, inside = _places(item, mark)
                if inside:
                    return low + first, min(_FAR, high + last), True
                low, high = low + first, min(_FAR, high + last)
            return low, high, False
        case m.Alternatives(items=items):
            parts = [_places(item, mark) for item in items]
            holding = [part for part in parts if part[2]] or parts
            return min(p[0] for p in holding), max(p[1] for p in holding), holding[0][2]
        case m.Repeated(item=item, low=least, high=greatest):
            first, last, inside = _places(item, mark)
            if inside:
                return 0, _FAR, True
            fewest = least.value if isinstance(least, Const) else 0
            most = greatest.value if isinstance(greatest, Const) else _FAR
            return max(0, int(fewest)) * first, min(_FAR, max(0, int(most)) * last), False  # type: ignore[arg-type]
    return 1, 1, False
