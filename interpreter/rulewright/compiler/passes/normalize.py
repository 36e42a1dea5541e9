"""The normal form of expressions, and how large their numbers can be.

The normal form has no calls of definitions and no `for`: `own` and `enemy` are `owned(0)` or
`owned(1)`, a state that each player has stands in a `Viewed` with a player's number, and what
options decide is folded away.  Fast forms are recognised in it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import count, product
from typing import TypeGuard

from attrs import define, evolve, field

from rulewright.compiler.layout import Unsupported
from rulewright.compiler.seats import view_of
from rulewright.ground.records import Record, record
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import Board, Step
from rulewright.model.expressions import MOST, OPERATIONS, Const, Expr, Type, member_type
from rulewright.model.walk import nodes, rebuilt

TRUE, FALSE = Const(Type.TRUTH, value=True), Const(Type.TRUTH, value=False)
_MOST_WRITTEN = 2000
_FRESH = 1000
"""Slots of variables in written-out definitions begin here; frames of moves are shorter."""


def uses_slot(e: object, slot: int) -> bool:
    """Whether a variable occurs in an expression."""
    return any(isinstance(n, m.Local) and n.slot == slot for n in nodes(e))


@define(repr=False, eq=False)
class Normalizer(Record):
    """Normalize expressions for one view; `mover` is who decides.

    Refuses (`Unsupported`) what would write definitions out thousands of times.
    """

    rules: r.Rules
    view: int
    mover: int
    _slots: count[int] = field(factory=lambda: count(_FRESH))
    _calls_written: int = 0

    def __call__(self, e: Expr, values: Mapping[int, Expr] | None = None) -> Expr:
        """Return the normal form; *values* gives expressions for some slots."""
        slots = (n.slot for n in nodes((e, *(values or {}).values())) if isinstance(n, m.Local))
        self._slots = count(max(_FRESH, *(slot + 1 for slot in slots), next(self._slots)))
        return self._normal(e, self.view, values or {})

    def _normal(self, e: Expr, view: int, values: Mapping[int, Expr]) -> Expr:
        match e:
            case m.Local(slot=slot):
                return values.get(slot, e)
            case m.StateValue():
                entry = rebuilt(e, lambda x: self._normal(x, view, values))
                is_per_player = self.rules.states[e.index].each
                return m.Viewed(e.type, view, entry) if is_per_player else entry
            case m.Viewed(player=player, body=body):
                viewer = view_of(self.rules, player, view, self.mover)
                return self._normal(body, viewer, values)
            case m.CallFunction(function=number, arguments=arguments):
                function = self.rules.functions[number]
                body = function.bodies[view if len(function.bodies) > 1 else 0]
                self._calls_written += 1
                if self._calls_written > _MOST_WRITTEN:
                    raise Unsupported(f"definitions written out {_MOST_WRITTEN:,} times")
                frame = {i: self._normal(a, view, values) for i, a in enumerate(arguments)}
                return self._normal(body, view, frame)
            case m.Quantified():
                fresh = {s: next(self._slots) for s in e.slots}
                inner = {**values, **{s: m.Local(_member(e, s), n) for s, n in fresh.items()}}
                normal = rebuilt(e, lambda x: self._normal(x, view, inner))
                return evolve(normal, slots=tuple(fresh.values()))
            case m.Apply(operation="own"):
                return _owned(view)
            case m.Apply(operation="enemy"):
                return _others_pieces(self.rules, view)
            case m.Apply(operation="viewer"):
                return Const(Type.PLAYER, value=view)
            case m.Apply() | m.Logic() | m.Conditional() | m.Ray():
                return _simpler(rebuilt(e, lambda x: self._normal(x, view, values)))
        return e


def _simpler(e: Expr) -> Expr:
    """Simplify an expression by its constant truths."""
    match e:
        case m.Apply(operation="not", arguments=(Const(value=value),)):
            return FALSE if value else TRUE
        case m.Conditional(condition=Const(value=value)):
            return e.then if value else e.otherwise
        case m.Logic():
            return _logic(e)
    return e


def _owned(player: int) -> m.Apply:
    return m.Apply(Type.SITES, "owned", (Const(Type.PLAYER, value=player),))


def _others_pieces(rules: r.Rules, view: int) -> m.Apply:
    """The pieces of all players but one."""
    others = tuple(_owned(player) for player in rules.views if player != view)
    return others[0] if len(others) == 1 else m.Apply(Type.SITES, "unite", others)


def _member(e: m.Quantified, slot: int) -> Type:
    """Return the type of a variable of a quantifier."""
    return member_type(e.domains[e.slots.index(slot)].type)


def _logic(e: m.Logic) -> Expr:
    parts: list[Expr] = []
    for item in e.items:
        if isinstance(item, Const):
            if item.value is e.conjunction:
                continue
            parts.append(item)
            break  # what follows is never looked at
        is_like = isinstance(item, m.Logic) and item.conjunction is e.conjunction
        parts += item.items if is_like else [item]  # type: ignore[union-attr]
    if not parts:
        return TRUE if e.conjunction else FALSE
    if isinstance(parts[-1], Const) and all(harmless(k) for k in parts):
        return parts[-1]
    return parts[0] if len(parts) == 1 else evolve(e, items=tuple(parts))


def is_never(move: r.MoveKind) -> bool:
    """Whether options say that a move is never made."""
    return any(isinstance(s, r.Need) and s.condition == FALSE for s in move.body)


def is_inside(e: Expr, whole: Expr) -> bool:
    """Whether a set in normal form is made by narrowing *whole*."""
    if e == whole:
        return True
    if is_apply(e, "intersect"):
        return any(is_inside(a, whole) for a in e.arguments)
    if isinstance(e, m.Quantified) and e.quantifier == "those":
        return is_inside(e.domains[0], whole)
    return False


def narrowest(e: m.Expr, operation: str) -> set[int] | None:
    """Return numbers n such that each site of *e* is in `operation(n)` for one; None: unknown.

    An empty site counts as owned by, and of the kind, -1.
    """
    if isinstance(e, m.Quantified) and e.quantifier == "those":
        return narrowest(e.domains[0], operation)
    if not isinstance(e, m.Apply):
        return None
    if e.operation == "empty":
        return {-1}
    if e.operation == operation:
        value = e.arguments[0].value if isinstance(e.arguments[0], m.Const) else None
        return {value} if isinstance(value, int) else None
    sets = [narrowest(a, operation) for a in e.arguments]
    if e.operation == "unite" and all(f is not None for f in sets):
        return {n for f in sets for n in f or ()}
    if e.operation == "intersect":
        sure = [f for f in sets if f is not None]
        return set.intersection(*sure) if sure else None
    return None


Ways = tuple[frozenset[Step], ...]
"""Steps across and down from one site to another, for every player."""


def between(
    move: r.MoveKind, sites: Mapping[int, int], rules: r.Rules
) -> dict[tuple[int, int], Ways]:
    """Return the steps by which chosen sites can lie from others, as far as they are known.

    *sites* gives the key of each slot of a site in the result.
    """
    ways: dict[tuple[int, int], Ways] = {}
    for s in () if rules.board.is_irregular else move.body:
        slots = (
            s.slots if isinstance(s, r.ChooseRay) else (s.slot,) if isinstance(s, r.Choose) else ()
        )
        for (mark, slot), source in product(enumerate(slots), sites):
            leads = [_leads(s, mark, source, rules, player) for player in rules.views]
            ways_of_all = tuple(steps for steps in leads if steps is not None)
            if slot in sites and len(ways_of_all) == len(leads):
                ways[sites[source], sites[slot]] = ways_of_all
    return ways


def _leads(
    s: r.Effect, mark: int, source: int, rules: r.Rules, player: int
) -> frozenset[Step] | None:
    normal = Normalizer(rules, player, player)
    match s:
        case r.Choose(domain=domain) if domain.type in (Type.SITE, Type.SITES):
            return _from(normal(domain), source, rules.board)
        case r.ChooseRay(source=m.Local(slot=slot), along=along) if slot == source:
            return _marked(s, mark, normal(along), rules.board)
    return None


def _from(e: Expr, slot: int, board: Board) -> frozenset[Step] | None:
    """Return the steps by which a set in normal form can lie from a slot's site; None: unknown."""
    match e:
        case m.Apply(operation="step", arguments=(Const() as along, m.Local() as source)):
            return _along(along, range(1, 2)) if source.slot == slot else None
        case m.Ray(source=m.Local() as source, along=Const() as along, marks=1):
            far = range(1, max(board.width, board.height))
            return _along(along, far) if source.slot == slot else None
        case m.Apply(operation="unite" | "intersect" as how, arguments=arguments):
            parts = [_from(a, slot, board) for a in arguments]
            sure = [ways for ways in parts if ways is not None]
            if how == "unite":
                return frozenset[Step]().union(*sure) if len(sure) == len(parts) else None
            return sure[0].intersection(*sure) if sure else None
    return None


def _marked(s: r.ChooseRay, mark: int, along: Expr, board: Board) -> frozenset[Step] | None:
    """Return the steps by which a marked site can lie from the source of a ray; None: unknown."""
    items = s.pattern.items if isinstance(s.pattern, m.Sequence) else (s.pattern,)
    places = [isinstance(i, m.Marked) and i.mark == mark for i in items]
    if not any(places) or not isinstance(along, Const):
        return None
    least = sum(not may_be_nothing(i) for i in items[: places.index(True)])
    return _along(along, range(least + 1, max(board.width, board.height)))


def _along(along: Const, times: range) -> frozenset[Step] | None:
    if along.type not in (Type.STEP, Type.STEPS):
        return None
    return frozenset((n * across, n * down) for across, down in along.steps for n in times)


def may_be_nothing(part: m.RayPattern) -> bool:
    """Whether a part of a ray can match no site at all."""
    match part:
        case m.OnSite():
            return False
        case m.Sequence(items):
            return all(may_be_nothing(i) for i in items)
        case m.Alternatives(items):
            return any(may_be_nothing(i) for i in items)
        case m.Repeated(item=item, low=Const(value=int(low))) if low > 0:
            return may_be_nothing(item)
        case m.Repeated():
            return True
    return may_be_nothing(part.item)


def may_mark_none(e: m.Ray) -> bool:
    """Whether a match could mark no site, so that not every match counts."""
    items = e.pattern.items if isinstance(e.pattern, m.Sequence) else (e.pattern,)
    marked = [i.item for i in items if isinstance(i, m.Marked)] if e.marks else list(items)
    return all(map(may_be_nothing, marked))


def harmless(e: Expr, places: Collection[int] = ()) -> bool:
    """Whether an expression in normal form can be evaluated anywhere without a fault.

    *places*: slots of numbers that are places in the lists of steps for which they are used.
    """
    for node in nodes(e):
        match node:
            case m.CallFunction():
                return False
            case m.Apply(operation="step_item", arguments=(_, m.Local(slot=slot))):
                if slot in places:
                    continue
        if isinstance(node, m.Apply) and OPERATIONS[node.operation].may_fail:
            return False
        if isinstance(node, m.Quantified) and node.quantifier in ("max", "min"):
            return False
    return True


def parts_of(e: Expr, conjunction: bool = True) -> tuple[Expr, ...]:
    """Return the parts of a conjunction (or disjunction); a single part for anything else."""
    if isinstance(e, m.Logic) and e.conjunction is conjunction:
        return e.items
    return (e,)


def is_apply(e: object, *operations: str) -> TypeGuard[m.Apply]:
    """Whether an expression applies one of these operations."""
    return isinstance(e, m.Apply) and e.operation in operations


def upper_bound(e: m.Expr, rules: r.Rules) -> int:
    """Return an upper bound of the absolute value of *e*, `MOST` at the most."""
    return _LargestNumber(rules).most(e)


@record
class _LargestNumber(Record):
    """Bound the numbers of a game."""

    rules: r.Rules

    @property
    def coordinate(self) -> int:
        return len(self.rules.board.names) + max(self.rules.board.numbers)

    @property
    def pieces(self) -> int:
        return self.rules.board.stacked * len(self.rules.board.names)

    @property
    def members(self) -> int:
        """The most members of a set, family or list: eight lines from each site, and drawn ones."""
        return 8 * len(self.rules.board.names) + 40_000

    def most(self, number: m.Expr) -> int:
        return min(self._most(number), MOST)

    def _most(self, e: m.Expr) -> int:
        match e:
            case m.Const(value=value):
                return abs(value) if isinstance(value, int) else MOST
            case m.StateValue(index=index):
                low, high = self.rules.states[index].low, self.rules.states[index].high
                return MOST if low is None or high is None else int(max(abs(low), abs(high)))
            case m.Conditional(then=then, otherwise=otherwise):
                return max(self.most(then), self.most(otherwise))
            case m.FactorValue(most=limit):
                return MOST if limit is None else limit
            case m.Viewed(body=body):
                return self.most(body)
            case m.CallFunction(function=number):
                return max(map(self.most, self.rules.functions[number].bodies))
            case m.Quantified(quantifier="max" | "min", body=body):
                return self.most(body)
            case m.Quantified(quantifier="count", domains=domains):
                return self._combinations(domains)
            case m.Quantified(quantifier="sum", domains=domains, body=body):
                return self._combinations(domains) * self.most(body)
            case m.Apply(operation=name, arguments=arguments):
                most = OPERATIONS[name].most
                return most(self, arguments) if callable(most) else most or MOST
        return MOST

    def entry(self, numbers: m.Expr) -> int:
        match numbers:
            case m.CallFunction(function=number):
                return max(map(self.entry, self.rules.functions[number].bodies))
            case m.Const(value=tuple(values)) if all(isinstance(n, int) for n in values):
                return max((abs(n) for n in values if isinstance(n, int)), default=0)
        return MOST

    def _combinations(self, domains: tuple[m.Expr, ...]) -> int:
        """Bound the number of combinations of members."""
        combinations = 1
        for domain in domains:
            match domain:
                case m.Const(value=(int(low), int(high))) if domain.type is m.Type.RANGE:
                    combinations *= max(high - low + 1, 0)
                case m.Apply(operation="range", arguments=ends):
                    combinations *= sum(map(self.most, ends)) + 1
                case m.Expression() if domain.type is m.Type.RANGE:
                    return MOST
                case _:
                    combinations *= self.members
        return combinations
