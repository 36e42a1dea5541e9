"""Sites that won a game: the line, the group or the goal that its end rule speaks of.

In: the rules in motion, the last position, and the outcome.  Out: the winner's sites that make the
rule's condition true, found from the condition alone: what a `some` ran over when its body held,
and both sides of `in`, `meets` and `any`.  A condition that only counts has no such sites; then
nothing is marked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import evolve

from rulewright.model import expressions as m
from rulewright.model.board import Mask, union
from rulewright.model.expressions import Expr, Type
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
            members = zip(e.slots, e.domains, strict=True)
            for slot, domain in members:
                sites |= c.frame[slot] if domain.type in _SITES else 0
            sites |= _true(e.body, c)
    return sites
