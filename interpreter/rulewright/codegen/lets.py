"""Lets of moves that no word can hold: steps, families, lists and ranges, written out where used.

In: rules.  Out: equal rules in which such a `let` stands in no move and no action.  Refuses (as
`NoPlan`) those whose value would be another one where it is used: what it looks at has changed
meanwhile, or working it out may be a fault.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from attrs import evolve

from rulewright.codegen.bounds import MOST, bound
from rulewright.codegen.lift import uses_slot
from rulewright.codegen.plain import Plainer, harmless
from rulewright.codegen.plan import NoPlan
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import MOVER, OPERATIONS, Expr, Type
from rulewright.model.walk import nodes

WRITTEN_OUT = (
    Type.FAMILY, Type.STEP, Type.STEPS, Type.RANGE, Type.NUMBERS, Type.KINDS,
)  # fmt: skip
_STILL = (r.Choose, r.ChooseRay, r.Bind, r.Need, r.Write)
"""Statements that change nothing of the position."""
_Part = TypeVar("_Part")


def written_out(rules: r.Rules) -> r.Rules:
    """The rules without lets that hold steps, families, lists or ranges."""
    kept = [*rules.moves, *rules.actions]
    if not any(isinstance(n, r.Bind) and n.value.type in WRITTEN_OUT for n in nodes(kept)):
        return rules
    moves = tuple(evolve(x, body=_body(x.body, rules)) for x in rules.moves)
    actions = tuple(evolve(x, body=_body(x.body, rules)) for x in rules.actions)
    return evolve(rules, moves=moves, actions=actions)


def _body(body: Sequence[r.Effect], rules: r.Rules) -> tuple[r.Effect, ...]:
    done: list[r.Effect] = []
    rest = list(body)
    while rest:
        s = rest.pop(0)
        if isinstance(s, r.Bind) and s.value.type in WRITTEN_OUT:
            _check(s, rest, rules)
            rest = [_put_in(t, s, rules) for t in rest]
        elif isinstance(s, r.Branch):
            then, otherwise = _body(s.then, rules), _body(s.otherwise, rules)
            done.append(evolve(s, then=then, otherwise=otherwise))
        else:
            done.append(s)
    return tuple(done)


# --- whether a value is the same where it is used ---


def _check(s: r.Bind, rest: Sequence[r.Effect], rules: r.Rules) -> None:
    plain = Plainer(rules, 0, 0)(s.value)
    if not _always_there(plain, rules):
        raise NoPlan(f"a `let` in a move holds {_WORDS[s.value.type]} that may be a fault")
    if _looks_at_position(plain) and _used_late(rest, s.slot, changed=False)[0]:
        held = _WORDS[s.value.type]
        raise NoPlan(
            f"a `let` in a move holds {held} of a position that has changed when it is used"
        )


_WORDS = {
    Type.FAMILY: "a family", Type.STEP: "a step", Type.STEPS: "steps", Type.RANGE: "a range",
    Type.NUMBERS: "a list", Type.KINDS: "a list",
}  # fmt: skip


def _always_there(plain: Expr, rules: r.Rules) -> bool:
    """Whether no fault can be met, neither where it stands nor where it is used."""
    numbers = [n for n in nodes(plain) if isinstance(n, m.Apply | m.Each) and n.type is Type.INT]
    lines = [n for n in nodes(plain) if isinstance(n, m.Apply) and n.operation == "lines"]
    return (
        harmless(plain)
        and all(bound(n, rules) < MOST for n in numbers)
        and all(isinstance(n.arguments[0], m.Const) and n.arguments[0].value > 0 for n in lines)  # type: ignore[operator]
    )


def _looks_at_position(plain: Expr) -> bool:
    """Whether a move can change the value."""
    reads = {n.operation for n in nodes(plain) if isinstance(n, m.Apply)} - {"ply"}
    return any(OPERATIONS[name].reads == "position" for name in reads) or any(
        isinstance(n, m.StateValue) for n in nodes(plain)
    )


def _used_late(body: Sequence[r.Effect], slot: int, changed: bool) -> tuple[bool, bool]:
    """Whether a variable is asked for after a change, and whether there has been one."""
    for s in body:
        if isinstance(s, r.Branch):
            ways = [_used_late(side, slot, changed) for side in (s.then, s.otherwise)]
            late = changed and uses_slot(s.condition, slot)
            if late or any(way[0] for way in ways):
                return True, True
            changed = changed or any(way[1] for way in ways)
            continue
        changes_on_the_way = isinstance(s, r.TieEach)
        if uses_slot(s, slot) and (changed or changes_on_the_way):
            return True, True
        changed = changed or not isinstance(s, _STILL)
    return False, changed


# --- putting it in ---


def _put_in(part: _Part, s: r.Bind, rules: r.Rules) -> _Part:
    """The same statement with the value in the place of its name."""
    if not uses_slot(part, s.slot):
        return part
    views = [Plainer(rules, view, 0)(s.value) for view in (0, 1)]
    seen = s.value if views[0] == views[1] else m.Seen(s.value.type, MOVER, s.value)
    found: _Part = _replaced(part, s.slot, (s.value, seen))
    return found


def _replaced(node: Any, slot: int, values: tuple[Expr, Expr]) -> Any:
    """*values*: what stands for the variable here, and where another player may look."""
    if isinstance(node, tuple):
        parts_ = tuple(_replaced(part, slot, values) for part in node)
        return parts_ if any(a is not b for a, b in zip(parts_, node, strict=True)) else node
    if isinstance(node, m.Local) and node.slot == slot:
        return values[0]
    if not hasattr(type(node), "__attrs_attrs__"):
        return node
    if isinstance(node, m.Seen):
        values = (values[1], values[1])
    parts = {a.name: getattr(node, a.name) for a in type(node).__attrs_attrs__}
    fresh = {name: _replaced(part, slot, values) for name, part in parts.items()}
    changed = {name: part for name, part in fresh.items() if part is not parts[name]}
    return evolve(node, **changed) if changed else node
