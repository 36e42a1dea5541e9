"""What a move chooses: types, and places in the row of a decision.

In: a move.  Out: where each choice lies in a row.  A choice of steps is kept as an index into the
list of all steps that any branch of its domain can give.  Refuses (`Unsupported`) steps that are
not known before the game, and marks inside a repeated part of a ray.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.compiler.layout import Unsupported
from rulewright.compiler.seats import view_of
from rulewright.ground.records import Record, record
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import Step
from rulewright.model.expressions import Const, Expr, Type, member_type

STEPS = (Type.STEP, Type.STEPS)


def choice_places(move: r.MoveKind, words: int) -> dict[int, tuple[Type, int, int]]:
    """Return type, place in the row, and length (words) of each choice of a move, by slot."""
    places: dict[int, tuple[Type, int, int]] = {}
    at = 2
    for statement in move.body:
        for slot, type_ in choices(statement):
            size = words if type_ is Type.SITES else 1
            places[slot] = (type_, at, size)
            at += size
    return places


def choices(statement: r.Effect) -> list[tuple[int, Type]]:
    """List slot and type of each choice of a statement."""
    match statement:
        case r.Choose(slot=slot, domain=domain):
            return [(slot, member_type(domain.type))]
        case r.ChooseRay(slots=slots, pattern=pattern):
            return [(s, mark_type(pattern, i)) for i, s in enumerate(slots)]
    return []


def mark_type(pattern: m.RayPattern, mark: int) -> Type:
    """Return the type of a mark of a ray: one site, or a set; raises `Unsupported`."""
    items = pattern.items if isinstance(pattern, m.Sequence) else (pattern,)
    for item in items:
        if isinstance(item, m.Marked) and item.mark == mark:
            return Type.SITE if isinstance(item.item, m.OnSite) else Type.SITES
    raise Unsupported("a mark inside a repeated or optional part of a ray")


def chosen_steps(move: r.MoveKind, rules: r.Rules, player: int) -> dict[int, tuple[Step, ...]]:
    """Return all steps that a choice may be, by the slots of a move that hold a step."""
    steps = dict[int, tuple[Step, ...]]()
    for s in move.body:
        if isinstance(s, r.Choose) and s.domain.type in STEPS:
            possible = _Possible(rules, player).of(s.domain, player, steps)
            exact = isinstance(s.domain, Const)  # then rows hold the places in the text's own list
            steps[s.slot] = possible if exact else tuple(dict.fromkeys(possible))
    return steps


@record
class _Possible(Record):
    """Walk all branches of an expression of steps."""

    rules: r.Rules
    mover: int

    def of(self, e: Expr, view: int, frame: Mapping[int, tuple[Step, ...]]) -> tuple[Step, ...]:
        """Return all steps that *e* may be; *frame* holds those of variables."""
        match e:
            case Const():
                return e.steps
            case m.Local(slot=slot) if slot in frame:
                return frame[slot]
            case m.Conditional(then=then, otherwise=otherwise):
                return (*self.of(then, view, frame), *self.of(otherwise, view, frame))
            case m.Viewed(player=player, body=body):
                viewer = view_of(self.rules, player, view, self.mover)
                return self.of(body, viewer, frame)
            case m.CallFunction(function=number, arguments=arguments):
                bodies = self.rules.functions[number].bodies
                steps = {
                    slot: self.of(a, view, frame)
                    for slot, a in enumerate(arguments)
                    if a.type in STEPS
                }
                return self.of(bodies[view if len(bodies) > 1 else 0], view, steps)
            case m.Apply(operation="step_item", arguments=(inner, _)):
                return self.of(inner, view, frame)
            case m.Apply(operation="opposite", arguments=(inner,)):
                return tuple(map(self.rules.board.opposite, self.of(inner, view, frame)))
        raise Unsupported("a choice of steps that are not known before the game")
