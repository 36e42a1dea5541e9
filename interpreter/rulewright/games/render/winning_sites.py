"""Sites that won a game: the line, the group or the goal that its end rule speaks of.

In: the rules in motion, the last position, and the outcome.  Out: the winner's sites that make the
rule's condition true, found from the condition alone: what a `some` ran over when its body held,
and both sides of `in`, `meets` and `any`.  Of a group that joins what it meets only those sites
count that it needs for it.  A condition that only counts has no such sites; then nothing is marked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import evolve

from rulewright.model import expressions as m
from rulewright.model.board import Mask, bits, union
from rulewright.model.expressions import Expr, Type
from rulewright.model.walk import nodes
from rulewright.reference.evaluate import bindings, evaluate, player_of
from rulewright.reference.play import Outcome, ReferencePlay
from rulewright.reference.position import Context, Position

_SITES = frozenset({Type.SITE, Type.SITES, Type.FAMILY})
_SHOWN: dict[str, Callable[[Any], Mask]] = {
    "inside": lambda values: values[0],
    "meets": lambda values: values[0] & values[1],
    "any": lambda values: values[0],
}
"""The sites that an operation speaks of where it holds, by the values of its arguments."""
_COUNTING = frozenset({"count"})
"""Operations for which a group that is smaller is another group."""


def winning_sites(play: ReferencePlay, position: Position, outcome: Outcome | None) -> Mask:
    """The winner's sites that decided the game; empty for draws, and where none can be named.

    Where the rule found what the winner shuts in (a ring), the winner's sites around it count.
    """
    if outcome is None or outcome.winner is None:
        return 0
    rules, own = play.rules, position.owned[outcome.winner]
    context = play.context(position)
    rule = next(end for end in rules.ends if end.origin == outcome.origin)
    context.stuck = rule.stuck
    sites = _true(rule.condition, context)
    if sites & own or not sites:
        return sites & own
    return own & _around(play, sites)


def _around(play: ReferencePlay, sites: Mask) -> Mask:
    board = play.rules.board
    near = board.neighbours(board.steps["near"])
    return sum(1 << s for s in range(len(near)) if near[s] & sites)


def _true(e: Expr, c: Context) -> Mask:
    """The sites that *e* speaks of, where it is true; none where it is false."""
    if not evaluate(e, c):
        return 0
    match e:
        case m.Logic(items=items):
            return union(_true(item, c) for item in items)
        case m.Conditional():
            return _true(e.then if evaluate(e.condition, c) else e.otherwise, c)
        case m.Viewed():
            return _true(e.body, evolve(c, view=player_of(e.player, c.view, c.position)))
        case m.CallFunction():
            return _called(e, c)
        case m.Quantified(quantifier="some"):
            return _some(e, c)
        case m.Apply() if e.operation in _SHOWN:
            return _SHOWN[e.operation]([evaluate(a, c) for a in e.arguments])
    return 0


def _called(e: m.CallFunction, c: Context) -> Mask:
    function = c.functions[e.function]
    arguments = [evaluate(a, c) for a in e.arguments]
    frame = arguments + [None] * (function.slots - len(arguments))
    return _true(function.body(c.view), evolve(c, frame=frame))


def _some(e: m.Quantified, c: Context) -> Mask:
    """The members for which the body holds, and the sites that the body speaks of for them."""
    sites = 0
    for _ in bindings(e, c):
        if evaluate(e.body, c):
            if len(e.slots) == 1 and _joins(e):
                c.frame[e.slots[0]] = _needed(e, c)
            members = zip(e.slots, e.domains, strict=True)
            for slot, domain in members:
                sites |= c.frame[slot] if domain.type in _SITES else 0
            sites |= _true(e.body, c)
    return sites


def _joins(e: m.Quantified) -> bool:
    """Whether the members are groups that meet something, and that nothing counts."""
    operations = {n.operation for n in nodes(e.body) if isinstance(n, m.Apply)}
    return _is_groups(e.domains[0]) and "meets" in operations and not operations & _COUNTING


def _is_groups(domain: Expr) -> bool:
    return isinstance(domain, m.Apply) and domain.operation in ("groups", "groups_linked")


def _needed(e: m.Quantified, c: Context) -> Mask:
    """The sites of the group in the frame without those that it does not need.

    What is left is one group, of which the body holds; without any of its sites it would not be.
    """
    (slot,), (domain,) = e.slots, e.domains
    assert isinstance(domain, m.Apply)
    chain: Mask = c.frame[slot]
    before = 0
    while before != chain:  # what leads to a dead end becomes one without it
        before = chain
        for site in bits(before):
            rest = c.frame[slot] = chain & ~(1 << site)
            part = m.Const(Type.SITES, rest)
            groups = evaluate(evolve(domain, arguments=(part, *domain.arguments[1:])), c)
            if groups == (rest,) and evaluate(e.body, c):
                chain = rest
    return chain
