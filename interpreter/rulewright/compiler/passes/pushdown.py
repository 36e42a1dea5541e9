"""Predicate pushdown: conditions for all sites at once, and choices narrowed by them.

In: a condition in normal form with one variable that stands for every site.  Out: the set of sites
for which it holds.  `no south(s) empty` for all s is a shift and two operations on words, where the
general form tests one site after the other.  Refuses (`Unsupported`) what it cannot turn round;
nothing has been written then.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce
from operator import and_, or_

from attrs import define, evolve

from rulewright.compiler.ir.nodes import Expr
from rulewright.compiler.layout import Unsupported
from rulewright.compiler.lower.rays import Fill
from rulewright.compiler.lower.tables import is_of_single_sites, preimage, table_of
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.writer import Sites
from rulewright.compiler.passes.normalize import (
    Normalizer,
    harmless,
    is_apply,
    may_mark_none,
    uses_slot,
)
from rulewright.compiler.passes.stillness import still_sites
from rulewright.ground.records import Record, record
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import Const, Type


@define(repr=False, eq=False)
class Pushdown(Record):
    """Find the sites for which conditions on a variable (by its slot) hold."""

    v: Values
    slot: int

    def truth(self, e: m.Expr) -> Sites:
        """Write the set of sites for which a condition holds, maybe with sites off the board."""
        if not uses_slot(e, self.slot):
            return self._same_everywhere(e)
        match e:
            case m.Logic(conjunction=conjunction, items=items):
                return reduce(and_ if conjunction else or_, [self.truth(item) for item in items])
            case m.Conditional(condition=condition, then=then, otherwise=otherwise):
                return self._select(condition, self.truth(then), self.truth(otherwise))
            case m.Apply(operation="not", arguments=(inner,)):
                return ~self.truth(inner)
            case m.Apply(operation="any", arguments=(sites,)):
                return self.some(sites, None)
            case m.Apply(operation="meets", arguments=(a, b)):
                return self.some(m.Apply(Type.SITES, "intersect", (a, b)), None)
            case m.Apply(operation="inside", arguments=(a, b)) if not uses_slot(b, self.slot):
                if self._single(a):
                    return self.some(a, self.v.sites(b))
            case m.Quantified(quantifier="some", slots=(inner,), domains=(domain,), body=body):
                if domain.type in (Type.SITE, Type.SITES):
                    narrowed = m.Quantified(Type.SITES, "those", (inner,), (domain,), body)
                    return self.some(narrowed, None)
        return self._by_site(e)

    def _same_everywhere(self, e: m.Expr) -> Sites:
        if not harmless(e):
            raise Unsupported
        if isinstance(e, Const):
            return self.v.w.constant(self.v.board.sites if e.value else 0)
        return self._all_if(self.v.truth(e))

    def _all_if(self, condition: Expr) -> Sites:
        """Write the set of all sites if a truth holds, else the empty set."""
        word = self.v.w.let(0 - self.v.w.flag(condition), "m")
        return Sites(self.v.w, (word,) * self.v.layout.words)

    def _select(self, condition: m.Expr, then: Sites, otherwise: Sites) -> Sites:
        test = self.truth(condition)
        return test.each(lambda a, b, c: a & b | ~a & c, then, otherwise)

    def _single(self, e: m.Expr) -> bool:
        """Whether a set surely holds one site at the most."""
        if isinstance(e, m.Local):
            return e.slot == self.slot
        if is_apply(e, "image"):
            return is_of_single_sites(self.v, table_of(e)) and self._single(e.arguments[1])
        if not is_apply(e, "step"):
            return False
        way = e.arguments[0]
        return isinstance(way, Const) and len(way.value) == 1 and self._single(e.arguments[1])  # type: ignore[arg-type]

    def _by_site(self, e: m.Expr) -> Sites:
        """Return the constant set for a condition on the site alone; raises `Unsupported`."""
        mask = still_sites(self.v.rules, e, self.slot)
        if mask is None:
            raise Unsupported
        return self.v.w.constant(mask)

    # --- sets that depend on the site ---

    def some(self, e: m.Expr, within: Sites | None) -> Sites:
        """Write the set of sites for which a set has a member (in *within*, if that is given)."""
        w = self.v.w
        if not uses_slot(e, self.slot):
            if not harmless(e):
                raise Unsupported
            members = self.v.sites(e)
            return self._all_if((members if within is None else members & within).any())
        match e:
            case m.Local():
                return w.constant(self.v.board.sites) if within is None else within
            case m.Conditional(condition=condition, then=then, otherwise=otherwise):
                return self._select(
                    condition, self.some(then, within), self.some(otherwise, within)
                )
            case m.Apply(operation="step", arguments=(m.Conditional() as way, sites)):
                sides = (evolve(e, arguments=(w_, sites)) for w_ in (way.then, way.otherwise))
                return self._select(way.condition, *(self.some(s, within) for s in sides))
            case m.Apply(operation="step", arguments=(way, sites)):
                if uses_slot(way, self.slot):
                    raise Unsupported
                back = tuple(map(self.v.board.opposite, self.v.known_steps(way)))
                goal = w.constant(self.v.board.sites) if within is None else within
                return self.some(sites, self.v.neighbours(back, goal))
            case m.Apply(operation="image", arguments=(_, sites)):
                return self.some(sites, preimage(self.v, table_of(e), within))
            case m.Apply(operation="unite", arguments=parts):
                return reduce(or_, [self.some(part, within) for part in parts])
            case m.Apply(operation="intersect", arguments=parts):
                return self._within_all(parts, within)
            case m.Quantified(quantifier="those", slots=(inner,), domains=(domain,), body=body):
                if domain.type not in (Type.SITE, Type.SITES) or uses_slot(body, self.slot):
                    raise Unsupported
                mask = evolve(self, slot=inner).truth(body)
                goal = mask if within is None else mask & within
                return self.some(domain, goal)
            case m.Ray() if within is None:
                return self._ray(e)
        raise Unsupported

    def _within_all(self, parts: tuple[m.Expr, ...], within: Sites | None) -> Sites:
        varying = [p for p in parts if uses_slot(p, self.slot)]
        if len(varying) != 1:
            raise Unsupported
        for part in parts:
            if part is not varying[0]:
                sites = self.v.sites(part)
                within = sites if within is None else within & sites
        return self.some(varying[0], within)

    def _ray(self, e: m.Ray) -> Sites:
        """Write the set of sites from which a ray matches."""
        if uses_slot((e.along, e.pattern), self.slot) or not harmless(e) or may_mark_none(e):
            raise Unsupported
        fill = Fill(self.v.w, self.v.board)
        fill.read(e.pattern, self.v.sites)
        starts = [fill.matching_sites(step) for step in self.v.known_steps(e.along)]
        return self.some(e.source, self.v.w.union(starts))


@record
class NarrowedChoice(Record):
    """The sites of a choice, the needs that all of them meet, and the `let`s between."""

    sites: Sites
    settled: tuple[r.Need, ...]
    lets: dict[int, m.Expr]


def narrow_choice(v: Values, s: r.Choose, following: Sequence[r.Effect]) -> NarrowedChoice:
    """Narrow a choice by those of the following needs that can be tested for all sites at once."""
    normal = Normalizer(v.rules, v.view, v.mover)
    sites = v.sites(s.domain)
    lets: dict[int, m.Expr] = {}
    settled: list[r.Need] = []
    for statement in following:
        match statement:
            case r.Let(slot=slot, value=value):
                lets[slot] = normal(value, lets)
            case r.Need(condition=condition):
                test = normal(condition, lets)
                mask = v.w.attempt(partial(Pushdown(v, s.slot).truth, test))
                how = (
                    "tested for all sites at once" if mask is not None else "tested for each choice"
                )
                v.layout.note("need", how, statement.origin)
                if mask is not None:
                    settled.append(statement)
                    sites = sites & mask
            case r.Write():
                pass
            case _:
                break
    return NarrowedChoice(sites, tuple(settled), lets)
