"""Cheap proofs that a rule can never matter.

In: rules.  Out: for the origin of each such clause why that is so.  What takes more than a look at
the text is not tried: an end rule that an earlier one always comes before, a state that is compared
with a number outside its range, a condition that is constant.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import Const, Expr, Type
from rulewright.model.walk import nodes


def proofs(rules: r.Rules) -> dict[int, str]:
    """Clauses that can never matter, by their origin, each with the reason."""
    found: dict[int, str] = {}
    for origin, why in (*_ends(rules), *_conditions(rules)):
        found.setdefault(origin, why)
    return found


def _ends(rules: r.Rules) -> Iterator[tuple[int, str]]:
    """End rules that need all that an earlier one needs."""
    for number, end in enumerate(rules.ends):
        needs = _conjuncts(end.condition)
        for earlier in rules.ends[:number]:
            same = earlier.stuck == end.stuck
            if same and all(part in needs for part in _conjuncts(earlier.condition)):
                yield end.origin, f"{rules.place(earlier.origin)} comes first whenever this holds"
                break


def _conjuncts(condition: Expr) -> tuple[Expr, ...]:
    if isinstance(condition, m.Logic) and condition.conjunction:
        return condition.items
    return (condition,)


def _conditions(rules: r.Rules) -> Iterator[tuple[int, str]]:
    """Conditions that are the same in every position."""
    bodies = [*(v.body for v in rules.moves), *(a.body for a in rules.actions)]
    for node in nodes(bodies):
        if isinstance(node, r.Need | r.Branch):
            yield from _constant(rules, node.condition, node.origin)
    for end in rules.ends:
        yield from _constant(rules, end.condition, end.origin)


def _constant(rules: r.Rules, condition: Expr, origin: int) -> Iterator[tuple[int, str]]:
    for part in _conjuncts(condition):
        if isinstance(part, Const) and part.type is Type.TRUTH:
            yield (
                origin,
                "with these options this is " + ("always so" if part.value else "never so"),
            )
            return
        why = _out_of_range(rules, part)
        if why:
            yield origin, why
            return


def _out_of_range(rules: r.Rules, part: Expr) -> str:
    """A state compared with a number that its range excludes."""
    match part:
        case m.Apply(_, "equal", (m.StateValue(_, index), Const(_, int(number)))):
            state = rules.states[index]
        case _:
            return ""
    if state.low is None or state.high is None or state.low <= number <= state.high:
        return ""
    return f"`{state.name}` is never {number}: its range is {state.low}..{state.high}"
