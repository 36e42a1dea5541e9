"""Which choices of a move its notation tells: those it names, and those that follow from them.

In: a move.  Out: slots of choices.  `write "{a}"` tells b as well where b is the site one step from
a, and `write "{a}{c}"` the step d of `let c = d(d(a))`: a site is a vector from another one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rulewright.compiler.passes.choices import choices
from rulewright.compiler.passes.normalize import Normalizer, is_apply, is_inside, parts_of
from rulewright.ground.records import Record, record
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import Const, Type
from rulewright.model.walk import nodes


def shown_slots(move: r.MoveKind) -> set[int]:
    """Return the slots that the notation always names."""
    slots: set[int] = set()
    for statement in move.body:
        if isinstance(statement, r.Write) and isinstance(statement.notation, m.Text):
            locals_ = (part for part in statement.notation.parts if isinstance(part, m.Local))
            slots |= {part.slot for part in locals_}
    return slots


def shows_choices(move: r.MoveKind, rules: r.Rules) -> bool:
    """Whether the notation tells everything the move chooses, so that no two look alike."""
    chosen = {slot for s in move.body for slot, _ in choices(s)}
    shown = shown_slots(move)
    if chosen <= shown:
        return True
    if len(rules.moves) > 1 and not shown <= chosen:
        return False  # rows do not hold what another move may be written by, too
    return all(chosen <= _told_slots(move, rules, shown, player) for player in (0, 1))


@record
class SiteVector(Record):
    """How a site lies from another one: by known steps, and by chosen ones so many times."""

    site: int
    source: int
    steps: tuple[tuple[int, int], ...]
    """The slots of chosen steps, and how often each is taken."""

    def following_slots(self, slots: set[int], is_drawn: bool) -> set[int]:
        """Return what follows from *slots*: one unknown of the site, its source and the steps."""
        unknown = {self.site, self.source, *(slot for slot, _ in self.steps)} - slots
        is_forward = unknown == {self.site}
        return unknown if len(unknown) == 1 and (is_forward or not is_drawn) else set()


def _told_slots(move: r.MoveKind, rules: r.Rules, shown: set[int], player: int) -> set[int]:
    """Return *shown* and the slots that follow from these, for the player who moves."""
    vectors = list(_vectors(move, Normalizer(rules, player, player)))
    slots, count = set(shown), -1
    while len(slots) > count:
        count = len(slots)
        for vector in vectors:
            slots |= vector.following_slots(slots, rules.board.is_drawn)
    return slots


def _vectors(move: r.MoveKind, normal: Normalizer) -> Iterator[SiteVector]:
    lets: dict[int, m.Expr] = {}
    for s in move.body:
        if isinstance(s, r.Let):
            value = lets[s.slot] = normal(s.value, lets)
            if _is_there(move, s.slot, normal):
                yield from _vector(s.slot, value)
        if isinstance(s, r.Choose) and s.domain.type in (Type.SITE, Type.SITES):
            for part in _narrowings(normal(s.domain, lets)):
                yield from _vector(s.slot, part)


def _is_there(move: r.MoveKind, slot: int, normal: Normalizer) -> bool:
    """Whether a need says that a set has a member."""
    needs = (normal(s.condition) for s in move.body if isinstance(s, r.Need))
    for test in (part for need in needs for part in parts_of(need)):
        sets = test.arguments if is_apply(test, "any", "meets") else ()
        if is_apply(test, "inside"):
            sets = test.arguments[:1]
        locals_ = {n for e in sets for n in nodes(e) if isinstance(n, m.Local) and n.slot == slot}
        if any(is_inside(e, local) for e in sets for local in locals_):
            return True
    return False


def _narrowings(domain: m.Expr) -> Iterator[m.Expr]:
    """Walk the sets of which a domain is a part."""
    if is_apply(domain, "intersect"):
        for part in domain.arguments:
            yield from _narrowings(part)
    elif isinstance(domain, m.Quantified) and domain.quantifier == "those":
        yield from _narrowings(domain.domains[0])
    else:
        yield domain


def _vector(slot: int, e: m.Expr) -> Iterator[SiteVector]:
    """Read a site that lies steps away from another one."""
    times = Counter[int]()
    while is_apply(e, "step"):
        along, e = e.arguments
        match along:
            case Const() if len(along.steps) == 1:
                pass
            case m.Local(slot=step, type=Type.STEP):
                times[step] += 1
            case _:
                return
    if isinstance(e, m.Local) and e.type is Type.SITE:
        yield SiteVector(slot, e.slot, tuple(sorted(times.items())))
