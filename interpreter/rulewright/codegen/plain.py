"""Expressions as one player sees them: the form in which fast forms are recognised.

In: an expression, whose view it has, and who moves.  Out: an equal one without calls of definitions
and without `for`: `own` and `enemy` are `owned(0)` or `owned(1)`, a state that each player has
stands in a `Seen` with a player's number, and what options decide is folded away.  Definitions are
written out, so the form is for looking at, and for conditions that are cheap to repeat.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import TypeGuard

from attrs import define, evolve, field

from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import ENEMY, MOVER, Const, Expr, Type
from rulewright.model.walk import nodes

TRUE, FALSE = Const(Type.TRUTH, value=True), Const(Type.TRUTH, value=False)
_FRESH = 1000
"""Slots of variables in written-out definitions begin here; frames of moves are shorter."""


@define
class Plainer:
    """Writes expressions out for one view; `mover` is who decides."""

    rules: r.Rules
    view: int
    mover: int
    _slots: count[int] = field(factory=lambda: count(_FRESH))

    def __call__(self, e: Expr, known: Mapping[int, Expr] | None = None) -> Expr:
        """The plain form; *known* gives expressions for some slots."""
        return self._plain(e, self.view, known or {})

    def _plain(self, e: Expr, view: int, known: Mapping[int, Expr]) -> Expr:
        match e:
            case m.Local(slot=slot):
                return known.get(slot, e)
            case m.StateValue():
                each = self.rules.states[e.index].each
                return m.Seen(e.type, view, e) if each else e
            case m.Seen(player=player, body=body):
                other = {ENEMY: 1 - view, MOVER: self.mover}.get(player, player)
                return self._plain(body, other, known)
            case m.CallFunction(function=number, arguments=arguments):
                function = self.rules.functions[number]
                body = function.bodies[view if len(function.bodies) > 1 else 0]
                given = {i: self._plain(a, view, known) for i, a in enumerate(arguments)}
                return self._plain(body, view, given)
            case m.Each():
                fresh = {s: next(self._slots) for s in e.slots}
                inner = {**known, **{s: m.Local(_member(e, s), n) for s, n in fresh.items()}}
                return evolve(
                    e,
                    slots=tuple(fresh.values()),
                    domains=tuple(self._plain(d, view, inner) for d in e.domains),
                    body=self._plain(e.body, view, inner),
                )
            case m.Apply():
                return self._apply(e, view, known)
            case m.Logic():
                return _logic(e, [self._plain(i, view, known) for i in e.items])
            case m.Choice():
                return _choice(e, *(self._plain(x, view, known) for x in _sides(e)))
            case m.Ray():
                source, along = (self._plain(x, view, known) for x in (e.source, e.along))
                pattern = self._pattern(e.pattern, view, known)
                return evolve(e, source=source, along=along, pattern=pattern)
        return e

    def _apply(self, e: m.Apply, view: int, known: Mapping[int, Expr]) -> Expr:
        match e.operation:
            case "own":
                return _owned(view)
            case "enemy":
                return _owned(1 - view)
            case "viewer":
                return Const(Type.PLAYER, value=view)
        arguments = tuple(self._plain(a, view, known) for a in e.arguments)
        if e.operation == "not" and isinstance(arguments[0], Const):
            return FALSE if arguments[0].value else TRUE
        return evolve(e, arguments=arguments)

    def _pattern(self, p: m.RayPattern, view: int, known: Mapping[int, Expr]) -> m.RayPattern:
        match p:
            case m.OnSite(sites=sites):
                return m.OnSite(self._plain(sites, view, known))
            case m.Sequence(items=items) | m.Alternatives(items=items):
                return type(p)(tuple(self._pattern(i, view, known) for i in items))
            case m.Repeated(item=item, low=low, high=high):
                most = None if high is None else self._plain(high, view, known)
                inner = self._pattern(item, view, known)
                return m.Repeated(inner, self._plain(low, view, known), most)
            case m.Marked(mark=mark, item=item):
                return m.Marked(mark, self._pattern(item, view, known))


def _owned(player: int) -> m.Apply:
    return m.Apply(Type.SITES, "owned", (Const(Type.PLAYER, value=player),))


def _member(e: m.Each, slot: int) -> Type:
    """The type of a variable of a quantifier."""
    domain = e.domains[e.slots.index(slot)].type
    singles = {Type.SITES: Type.SITE, Type.FAMILY: Type.SITES, Type.STEPS: Type.STEP}
    return singles.get(domain, {Type.KINDS: Type.KIND}.get(domain, Type.INT))


def _sides(e: m.Choice) -> tuple[Expr, Expr, Expr]:
    return e.condition, e.then, e.otherwise


def _logic(e: m.Logic, items: list[Expr]) -> Expr:
    kept: list[Expr] = []
    for item in items:
        if isinstance(item, Const):
            if item.value is e.conjunction:
                continue
            kept.append(item)
            break  # what follows is never looked at
        same = isinstance(item, m.Logic) and item.conjunction is e.conjunction
        kept += item.items if same else [item]  # type: ignore[union-attr]
    if not kept:
        return TRUE if e.conjunction else FALSE
    if isinstance(kept[-1], Const) and all(harmless(k) for k in kept):
        return kept[-1]
    return kept[0] if len(kept) == 1 else evolve(e, items=tuple(kept))


def _choice(e: m.Choice, condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    if isinstance(condition, Const):
        return then if condition.value else otherwise
    return evolve(e, condition=condition, then=then, otherwise=otherwise)


_FAULTS = frozenset({"div", "mod", "x", "y", "ends", "crossed", "item", "divide", "whole_line"})


def harmless(e: Expr) -> bool:
    """Whether a plain expression can be worked out anywhere without meeting a fault."""
    for node in nodes(e):
        if isinstance(node, m.CallFunction):
            return False
        if isinstance(node, m.Apply) and node.operation in _FAULTS:
            return False
        if isinstance(node, m.Each) and node.quantifier in ("max", "min"):
            return False
    return True


def parts_of(e: Expr, conjunction: bool = True) -> tuple[Expr, ...]:
    """The parts of a conjunction (or disjunction); a single part for anything else."""
    if isinstance(e, m.Logic) and e.conjunction is conjunction:
        return e.items
    return (e,)


def is_apply(e: object, *operations: str) -> TypeGuard[m.Apply]:
    """Whether an expression applies one of these operations."""
    return isinstance(e, m.Apply) and e.operation in operations
