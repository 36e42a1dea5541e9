"""What is the same in every round of a loop: worked out once, when a round first asks for it.

In: a quantifier that no fast form takes.  Out: the same with names for the sets, numbers and groups
that depend on none of its variables and take a loop or a flood of their own.  What no round asks
for is not worked out, so that faults are those of the reference.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, evolve, field

from rulewright.compiler.layout import Unsupported
from rulewright.compiler.lower.operations import each_set
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.writer import GroupList, Lowered, Once, Sites, as_word
from rulewright.compiler.passes.normalize import Normalizer, is_apply
from rulewright.ground.records import Record
from rulewright.model import expressions as m
from rulewright.model.expressions import Type
from rulewright.model.walk import nodes, operations, reachable_nodes, rebuilt

_GROUPS = ("groups", "groups_linked")
_FLOODS = ("reach", "reach_linked", *_GROUPS)
_KEPT_TYPES = (Type.SITE, Type.SITES, Type.INT, Type.TRUTH)
_FIRST = 1_000_000
"""The first slot of what is worked out once; variables have lower ones."""
_MOST_WORDS = 20_000
"""Words that the groups of a set may take."""


def lower_with_invariants(v: Values, e: m.Quantified) -> Lowered:
    """Write a quantifier with what its rounds share worked out once; refuses one that has none."""
    if not any(map(_takes_loops, reachable_nodes((e.domains[1:], e.body), v.rules.functions))):
        raise Unsupported
    normal = Normalizer(v.rules, v.view, v.mover)(e)
    assert isinstance(normal, m.Quantified)
    bound = {slot for n in nodes(normal) if isinstance(n, m.Quantified) for slot in n.slots}
    shared = _Shared(bound, _FIRST + len(v.frame))
    first, *rest = normal.domains
    named = evolve(normal, domains=(first, *map(shared, rest)), body=shared(normal.body))
    if not shared.names:
        raise Unsupported
    for invariant, name in shared.names.items():
        v.frame[name.slot] = _once(v, invariant)
    v.layout.note("what all rounds of a loop share", "worked out once", e.origin)
    return v.in_loops(named)


def _takes_loops(node: object) -> bool:
    return isinstance(node, m.Quantified | m.Ray) or (
        isinstance(node, m.Apply) and node.operation in _FLOODS
    )


@define(repr=False, eq=False)
class _Shared(Record):
    """Put names in for what depends on no variable of a loop."""

    bound: set[int]
    """The slots of all variables in the loop."""
    first: int
    names: dict[m.Expr, m.Local] = field(factory=dict)

    def __call__(self, e: m.Expr) -> m.Expr:
        if self._is_shared(e):
            name = m.Local(e.type, self.first + len(self.names))
            return self.names.setdefault(e, name)
        if isinstance(e, m.Quantified) and e.quantifier == "some" and len(e.domains) == 1:
            # whether some group meets sets is one flood from these
            domain = rebuilt(e.domains[0], self)
            return evolve(e, domains=(domain,), body=self(e.body))
        return rebuilt(e, self)

    def _is_shared(self, e: m.Expr) -> bool:
        if e.type not in _KEPT_TYPES and not is_apply(e, *_GROUPS):
            return False
        inner = list(nodes(e))
        used = {n.slot for n in inner if isinstance(n, m.Local)}
        own = {slot for n in inner if isinstance(n, m.Quantified) for slot in n.slots}
        return (
            any(map(_takes_loops, inner))
            and not (used - own) & self.bound
            and "random" not in operations(e)
        )


def _once(v: Values, e: m.Expr) -> Once:
    """Write names for a value, and say how it is worked out where it is first asked for."""
    w, flag = v.w, v.w.var(0, "b")
    result, fill = _groups(v, e) if e.type is Type.FAMILY else _value(v, e)
    fill_here = v.from_here(lambda _: fill())

    def value() -> Lowered:
        with w.when(flag.eq(0)):
            w.set(flag, 1)
            fill_here(None)
        return result.ne(0) if e.type is Type.TRUTH else result  # type: ignore[union-attr]

    return Once(value)


def _value(v: Values, e: m.Expr) -> tuple[Lowered, Callable[[], None]]:
    w = v.w
    if e.type in (Type.SITE, Type.SITES):
        sites = w.empty()
        return sites, lambda: w.assign(sites, v.sites(e))
    number = w.var(0, "n")
    if e.type is Type.TRUTH:
        return number, lambda: w.set(number, w.flag(v.truth(e)))
    return number, lambda: w.set(number, as_word(v.value(e)))


def _groups(v: Values, e: m.Expr) -> tuple[Lowered, Callable[[], None]]:
    w, words = v.w, v.layout.words
    size = len(v.board.names) * words
    if size > _MOST_WORDS:
        raise Unsupported
    groups = GroupList(v.layout.scratch(size), w.var(0, "n"))

    def keep(sites: Sites) -> None:
        w.store("g.scratch", w.let(groups.count * words + groups.room, "r"), sites)
        w.set(groups.count, groups.count + 1)

    return groups, lambda: each_set(v, e, keep, None)
