"""Numbers taken apart: what each direction gives to a `max`, `min` or `sum` over directions.

In: an expression of a value's part and a context.  Out: pairs of a step and a number, in the order
of the text.  Nothing where the expression is something else.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.model import expressions as m
from rulewright.model.board import Step
from rulewright.model.expressions import Expr, Type
from rulewright.reference.context import Context
from rulewright.reference.evaluate import evaluate, members, player_of

Number = int | float
_FOLDS = ("max", "min", "sum")


def along_steps(part: Expr, c: Context) -> Iterator[tuple[Step, Number]]:
    """What is compared or added for each step, through definitions and `for`."""
    match part:
        case m.Viewed(player=player, body=body):
            outer = c.view
            c.view = player_of(player, outer, c.position.mover)
            yield from along_steps(body, c)
            c.view = outer
        case m.CallFunction(function=number, arguments=()):
            function, frame = c.functions[number], c.frame
            c.frame = [None] * function.slots
            yield from along_steps(function.bodies[c.view if len(function.bodies) > 1 else 0], c)
            c.frame = frame
        case m.Quantified(quantifier=how, slots=(slot,), domains=(domain,), body=body):
            if how in _FOLDS and domain.type in (Type.STEP, Type.STEPS):
                for member in members(evaluate(domain, c), domain.type):
                    c.frame[slot] = member
                    yield member[0], evaluate(body, c)
