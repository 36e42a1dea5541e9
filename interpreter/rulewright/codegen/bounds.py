"""How large a whole number can become, so that only sums that could overflow are tested for it.

In: an expression of the model.  Out: a bound of its absolute value, at most `MOST`, which a fault
keeps every number of the language below.
"""

from __future__ import annotations

from typing import Any

from rulewright.model import expressions as m
from rulewright.model import rules as r

MOST = 2**62 - 1
_PLIES = 2**40
"""More turns than any game has."""
_SMALL = {"sign": 1, "ply": _PLIES, "repeats": _PLIES, "board_repeats": _PLIES}


def bound(e: m.Expr, rules: r.Rules) -> int:
    """A number that the absolute value of *e* does not exceed."""
    return min(_bound(e, rules), MOST)


def _bound(e: Any, rules: r.Rules) -> int:
    match e:
        case m.Const(value=value):
            return abs(value) if isinstance(value, int) else MOST
        case m.StateValue(index=index):
            low, high = rules.states[index].low, rules.states[index].high
            return MOST if low is None or high is None else int(max(abs(low), abs(high)))
        case m.Choice(then=then, otherwise=otherwise):
            return max(bound(then, rules), bound(otherwise, rules))
        case m.Seen(body=body):
            return bound(body, rules)
        case m.CallFunction(function=number):
            return max(bound(body, rules) for body in rules.functions[number].bodies)
        case m.Each(quantifier="max" | "min", body=body):
            return bound(body, rules)
        case m.Each(quantifier="count", domains=domains):
            return _members(domains, rules)
        case m.Each(quantifier="sum", domains=domains, body=body):
            return _members(domains, rules) * bound(body, rules)
        case m.Apply():
            return _apply(e, rules)
    return MOST


def _apply(e: m.Apply, rules: r.Rules) -> int:
    sites = len(rules.board.names)
    match e.operation:
        case "count" | "x" | "y":
            return sites + max(rules.board.numbers)
        case "add" | "subtract":
            return sum(bound(a, rules) for a in e.arguments)
        case "multiply":
            return bound(e.arguments[0], rules) * bound(e.arguments[1], rules)
        case "negate" | "abs" | "div":
            return bound(e.arguments[0], rules)
        case "mod":
            return bound(e.arguments[1], rules)
        case "members":
            return _most_members(sites)
    return _SMALL.get(e.operation, MOST)


def _members(domains: tuple[m.Expr, ...], rules: r.Rules) -> int:
    """How many combinations of members there are at the most."""
    found = 1
    for domain in domains:
        match domain:
            case m.Const(value=(int(low), int(high))) if domain.type is m.Type.RANGE:
                found *= max(high - low + 1, 0)
            case m.Apply(operation="range", arguments=ends):
                found *= sum(bound(a, rules) for a in ends) + 1
            case m.Expression() if domain.type is m.Type.RANGE:
                return MOST
            case _:
                found *= _most_members(len(rules.board.names))
    return found


def _most_members(sites: int) -> int:
    """No set, family or list has more members: eight lines from each site, and drawn ones."""
    return 8 * sites + 40_000
