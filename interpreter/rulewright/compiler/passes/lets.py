"""`let`s of moves and actions that are put in where they are used.

In: rules.  Out: equal ones in which no move or action holds a `let` of steps, a family, a list or a
range, which no word can hold.  A step of a list by its number stays a `let` of that number.
Refuses (`Unsupported`) those whose value would be another one where it is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from attrs import evolve

from rulewright.compiler.layout import Unsupported
from rulewright.compiler.passes.normalize import (
    Normalizer,
    harmless,
    is_apply,
    upper_bound,
    uses_slot,
)
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import MOST, MOVER, OPERATIONS, Const, Expr, Type
from rulewright.model.walk import nodes, rebuilt

_Part = TypeVar("_Part")

WRITTEN_OUT = (
    Type.FAMILY, Type.STEP, Type.STEPS, Type.RANGE, Type.NUMBERS, Type.KINDS,
)  # fmt: skip
_TESTS = (r.Choose, r.ChooseRay, r.Let, r.Need, r.Write)
"""Statements that change nothing of the position."""


def inline_lets(rules: r.Rules) -> r.Rules:
    """Put `let`s of steps, families, lists and ranges in where they are used.

    Raises `Unsupported` for those whose value would be another one there.
    """
    parts = [*rules.moves, *rules.actions]
    if not any(isinstance(n, r.Let) and n.value.type in WRITTEN_OUT for n in nodes(parts)):
        return rules
    moves = tuple(evolve(x, body=_body(x.body, rules)) for x in rules.moves)
    actions = tuple(evolve(x, body=_body(x.body, rules)) for x in rules.actions)
    return evolve(rules, moves=moves, actions=actions)


def _body(
    body: Sequence[r.Effect], rules: r.Rules, places: frozenset[int] = frozenset()
) -> tuple[r.Effect, ...]:
    """Write a body without such `let`s; *places* are the slots of numbers of steps so far."""
    statements: list[r.Effect] = []
    rest = list(body)
    while rest:
        s = rest.pop(0)
        if isinstance(s, r.Let) and is_apply(s.value, "step_item"):
            number, step = _numbered(s.slot, s.value, rules)
            places |= {s.slot}
            statements.append(number)
            rest = [_put_in(t, evolve(s, value=step), rules) for t in rest]
        elif isinstance(s, r.Let) and s.value.type in WRITTEN_OUT:
            _check(s, rest, rules, places)
            rest = [_put_in(t, s, rules) for t in rest]
        elif isinstance(s, r.If):
            then, otherwise = (_body(side, rules, places) for side in (s.then, s.otherwise))
            statements.append(evolve(s, then=then, otherwise=otherwise))
        elif isinstance(s, r.Each):
            statements.append(evolve(s, body=_body(s.body, rules, places)))
        else:
            statements.append(s)
    return tuple(statements)


def _numbered(slot: int, e: m.Apply, rules: r.Rules) -> tuple[r.Let, Expr]:
    """Return a `let` of a step's number in its list, a fault beyond it, and the step by this name.

    Raises `Unsupported` for lists that depend on the position, or are not as long for each player.
    """
    steps, number = e.arguments
    lists = [Normalizer(rules, view, view)(steps) for view in rules.views]
    lengths = {len(each.steps) for each in lists if isinstance(each, Const)}
    if not all(isinstance(each, Const) for each in lists) or len(lengths) > 1:
        raise Unsupported("a `let` in a move holds a step of a list that play decides")
    places = Const(Type.NUMBERS, tuple(range(lengths.pop())))
    place = m.Apply(Type.INT, "item", (places, number), origin=e.origin)
    step = evolve(e, arguments=(steps, m.Local(Type.INT, slot)))
    return r.Let(slot, place), step


# --- whether a value is the same where it is used ---


def _check(s: r.Let, following: Sequence[r.Effect], rules: r.Rules, places: frozenset[int]) -> None:
    normal = Normalizer(rules, 0, 0)(s.value)
    if not _always_there(normal, rules, places):
        raise Unsupported(f"a `let` in a move holds {_WORDS[s.value.type]} that may be a fault")
    if _looks_at_position(normal) and _used_late(following, s.slot, changed=False)[0]:
        kind = _WORDS[s.value.type]
        raise Unsupported(
            f"a `let` in a move holds {kind} of a position that has changed when it is used"
        )


_WORDS = {
    Type.FAMILY: "a family", Type.STEP: "a step", Type.STEPS: "steps", Type.RANGE: "a range",
    Type.NUMBERS: "a list", Type.KINDS: "a list",
}  # fmt: skip


def _always_there(normal: Expr, rules: r.Rules, places: frozenset[int]) -> bool:
    """Whether a value can be evaluated without a fault, where it stands and where it is used."""
    numbers = [
        n for n in nodes(normal) if isinstance(n, m.Apply | m.Quantified) and n.type is Type.INT
    ]
    lines = [n for n in nodes(normal) if isinstance(n, m.Apply) and n.operation == "lines"]
    return (
        harmless(normal, places)
        and all(upper_bound(n, rules) < MOST for n in numbers)
        and all(isinstance(n.arguments[0], m.Const) and n.arguments[0].value > 0 for n in lines)  # type: ignore[operator]
    )


def _looks_at_position(normal: Expr) -> bool:
    """Whether a move can change the value."""
    reads = {n.operation for n in nodes(normal) if isinstance(n, m.Apply)} - {"ply"}
    return any(OPERATIONS[name].reads == "position" for name in reads) or any(
        isinstance(n, m.StateValue) for n in nodes(normal)
    )


def is_fixed(e: Expr, rules: r.Rules) -> bool:
    """Whether the members of a family stay the same, whatever is done to each of them."""
    normal = Normalizer(rules, 0, 0)(e)
    return is_apply(normal, "groups") or not _looks_at_position(normal)


def _used_late(body: Sequence[r.Effect], slot: int, changed: bool) -> tuple[bool, bool]:
    """Return whether a variable is used after a change, and whether there has been one."""
    for s in body:
        if isinstance(s, r.If):
            results = [_used_late(side, slot, changed) for side in (s.then, s.otherwise)]
            late = changed and uses_slot(s.condition, slot)
            if late or any(result[0] for result in results):
                return True, True
            changed = changed or any(result[1] for result in results)
            continue
        changes_on_the_way = isinstance(s, r.LinkEach | r.Each)
        if uses_slot(s, slot) and (changed or changes_on_the_way):
            return True, True
        changed = changed or not isinstance(s, _TESTS)
    return False, changed


# --- putting it in ---


def _put_in(part: _Part, s: r.Let, rules: r.Rules) -> _Part:
    """Put the value of a `let` into a statement, in the place of its name."""
    if not uses_slot(part, s.slot):
        return part
    views = [Normalizer(rules, view, 0)(s.value) for view in rules.views]
    is_shared = all(view == views[0] for view in views)
    elsewhere = s.value if is_shared else m.Viewed(s.value.type, MOVER, s.value)
    result: _Part = _replace(part, s.slot, (s.value, elsewhere))
    return result


def _replace(node: _Part, slot: int, values: tuple[Expr, Expr]) -> _Part:
    """Replace a variable by the first of *values*, inside `Viewed` by the second."""

    def change(e: Expr) -> Expr:
        if isinstance(e, m.Local) and e.slot == slot:
            return values[0]
        return _replace(e, slot, (values[1], values[1]) if isinstance(e, m.Viewed) else values)

    return rebuilt(node, change)
