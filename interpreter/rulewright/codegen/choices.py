"""What a move chooses, and how its decisions lie in the rows of the buffer M.

In: a move of the model.  Out: the words of its row, and whether two of its rows can be the same
decision.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.codegen.lift import is_inside
from rulewright.codegen.plain import Plainer
from rulewright.codegen.plan import NoPlan, Plan
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import Type

SETS = (Type.SITE, Type.SITES)


def chosen(move: r.Move, words: int) -> dict[int, tuple[Type, int, int]]:
    """Type, place in the row, and length of everything a move chooses, by slot."""
    found: dict[int, tuple[Type, int, int]] = {}
    at = 2
    for statement in move.body:
        for slot, type_ in choices(statement):
            size = words if type_ is Type.SITES else 1
            found[slot] = (type_, at, size)
            at += size
    return found


def choices(statement: r.Effect) -> list[tuple[int, Type]]:
    """Slot and type of everything that a statement chooses."""
    match statement:
        case r.Choose(slot=slot, domain=domain):
            kinds = {
                Type.SITE: Type.SITE, Type.SITES: Type.SITE, Type.FAMILY: Type.SITES,
                Type.STEP: Type.STEP, Type.STEPS: Type.STEP, Type.KINDS: Type.KIND,
            }  # fmt: skip
            return [(slot, kinds.get(domain.type, Type.INT))]
        case r.ChooseRay(slots=slots, pattern=pattern):
            return [(s, mark_type(pattern, i)) for i, s in enumerate(slots)]
    return []


def mark_type(pattern: m.RayPattern, mark: int) -> Type:
    """Whether a mark of a ray holds one site or a set; raises `NoPlan` for any other."""
    items = pattern.items if isinstance(pattern, m.Sequence) else (pattern,)
    for item in items:
        if isinstance(item, m.Marked) and item.mark == mark:
            return Type.SITE if isinstance(item.item, m.OnSite) else Type.SITES
    raise NoPlan("a mark inside a repeated or optional part of a ray")


def row_length(plan: Plan) -> int:
    """Words of one decision."""
    sizes = [
        2 + sum(c[2] for c in chosen(move, plan.words).values()) + _key_length(move, plan)
        for move in plan.rules.moves
    ]
    return max(sizes, default=2)


def _key_length(move: r.Move, plan: Plan) -> int:
    if distinct(move, plan.rules):
        return 0
    return sum(_length(s.notation, plan.words) for s in move.body if isinstance(s, r.Write))


def _length(notation: m.Notation, words: int) -> int:
    if isinstance(notation, m.TextChoice):
        return 1 + _length(notation.then, words) + _length(notation.otherwise, words)
    sets = (Type.SITES, Type.FAMILY)
    return sum(words if p_.type in sets else 1 for p_ in notation.parts if not isinstance(p_, str))


def shows_choices(move: r.Move) -> bool:
    """Whether the notation names everything the move chooses, so that no two look alike."""
    slots = {slot for s in move.body for slot, _ in choices(s)}
    shown: set[int] = set()
    for statement in move.body:
        if isinstance(statement, r.Write) and isinstance(statement.notation, m.Text):
            locals_ = (part for part in statement.notation.parts if isinstance(part, m.Local))
            shown |= {part.slot for part in locals_}
    return slots <= shown


def distinct(move: r.Move, rules: r.Rules) -> bool:
    """Whether no two decisions of a move are the same decision.

    They are not when they are written differently, or when the one chosen site, which is empty,
    gets a piece: then two that are written alike do different things, a fault that the reference
    tells.
    """
    if shows_choices(move):
        return True
    chosen = [s for s in move.body if isinstance(s, r.Choose | r.ChooseRay)]
    puts = [s for s in move.body if isinstance(s, r.Put)]
    if len(chosen) != 1 or not puts or not isinstance(chosen[0], r.Choose):
        return False
    domain = Plainer(rules, 0, 0)(chosen[0].domain)
    vacant = domain.type in SETS and is_inside(domain, m.Apply(Type.SITES, "empty"))
    site = puts[0].sites
    return vacant and isinstance(site, m.Local) and site.slot == chosen[0].slot


def has_need(statements: Sequence[r.Effect], rules: r.Rules) -> bool:
    """Whether any of *statements* can discard a branch."""
    for s in statements:
        match s:
            case r.Need():
                return True
            case r.Perform(action=action) if has_need(rules.actions[action].body, rules):
                return True
            case r.Branch() if has_need((*s.then, *s.otherwise), rules):
                return True
    return False
