"""The steps that a move may choose, whatever was chosen before them.

In: a move and who decides.  Out: for each choice of a step all steps that any branch of its domain
gives, in one order: a row holds a step by its place among them.  Refuses (`Unsupported`) domains
whose steps are not known.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.codegen.layout import Unsupported
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import Step
from rulewright.model.expressions import ENEMY, MOVER, Const, Expr, Type
from rulewright.records import Record, record

STEPS = (Type.STEP, Type.STEPS)


def chosen_steps(move: r.MoveKind, rules: r.Rules, player: int) -> dict[int, tuple[Step, ...]]:
    """By the slots of a move that hold a step: all that it may be."""
    found = dict[int, tuple[Step, ...]]()
    for s in move.body:
        if isinstance(s, r.Choose) and s.domain.type in STEPS:
            possible = _Possible(rules, player).of(s.domain, player, found)
            known = isinstance(s.domain, Const)  # then rows hold the places in the text's own list
            found[s.slot] = possible if known else tuple(dict.fromkeys(possible))
    return found


@record
class _Possible(Record):
    """Goes through all branches of an expression of steps."""

    rules: r.Rules
    mover: int

    def of(self, e: Expr, view: int, frame: Mapping[int, tuple[Step, ...]]) -> tuple[Step, ...]:
        """All steps that *e* may be; *frame* says the same of variables."""
        match e:
            case Const():
                return e.steps
            case m.Local(slot=slot) if slot in frame:
                return frame[slot]
            case m.Conditional(then=then, otherwise=otherwise):
                return (*self.of(then, view, frame), *self.of(otherwise, view, frame))
            case m.Viewed(player=player, body=body):
                seen = {ENEMY: 1 - view, MOVER: self.mover}.get(player, player)
                return self.of(body, seen, frame)
            case m.CallFunction(function=number, arguments=arguments):
                bodies = self.rules.functions[number].bodies
                given = {
                    slot: self.of(a, view, frame)
                    for slot, a in enumerate(arguments)
                    if a.type in STEPS
                }
                return self.of(bodies[view if len(bodies) > 1 else 0], view, given)
            case m.Apply(operation="opposite", arguments=(inner,)):
                return tuple(map(self.rules.board.opposite, self.of(inner, view, frame)))
        raise Unsupported("a choice of steps that are not known before the game")
