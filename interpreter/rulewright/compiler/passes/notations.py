"""Which choices of a move its notation tells: those it names, and those that follow from them.

In: a move.  Out: slots of choices.  `write "{a}"` tells b as well where b is the site one step from
a, and `write "{a}{c}"` the step d of `let c = d(d(a))` or d and n of `d(a, n)`: a site is a vector
from another one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

from rulewright.compiler.passes.choices import choices, chosen_steps
from rulewright.compiler.passes.normalize import (
    Normalizer,
    is_apply,
    is_inside,
    narrowest,
    parts_of,
)
from rulewright.ground.records import Record, record
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import Board, Step
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
    choice_slots = {slot for s in move.body for slot, _ in choices(s)}
    shown = shown_slots(move)
    if choice_slots <= shown:
        return True
    return all(choice_slots <= _told_slots(move, rules, shown, player) for player in rules.views)


Least: TypeAlias = dict[int | None, int]
"""The least value of numbers that are chosen, by slot."""


@record
class SiteVector(Record):
    """How a site lies from another one: by known steps, and by chosen ones so many times."""

    site: int
    source: int
    steps: tuple[tuple[int, int], ...]
    """The slots of chosen steps, and how often each is taken."""

    def following_slots(self, slots: set[int], board: Board) -> set[int]:
        """Return what follows from *slots*: one unknown of the site, its source and the steps."""
        unknown = {self.site, self.source, *(slot for slot, _ in self.steps)} - slots
        is_forward = unknown == {self.site}
        return unknown if len(unknown) == 1 and (is_forward or not board.is_irregular) else set()


@record
class SiteAhead(Record):
    """How a site lies from another one: by a chosen step, so many times, and at least once."""

    site: int
    source: int
    step: int
    number: int | None
    """The slot of how often the step is taken; None if the text says it."""
    is_split: bool
    """Whether no two of the steps go the same way, so that both ends tell how often, too."""

    def following_slots(self, slots: set[int], board: Board) -> set[int]:
        """Return what follows from *slots*."""
        number = () if self.number is None else (self.number,)
        unknown = {self.site, self.source, self.step, *number} - slots
        if board.is_irregular or not {self.site, self.source} <= slots:
            return unknown if unknown == {self.site} else set()
        return unknown if self.is_split or len(unknown) == 1 else set()


@record
class RayEnd(Record):
    """A site at the end of a chosen ray; with the source it tells the step and the other marks."""

    site: int
    source: int
    others: frozenset[int]

    def following_slots(self, slots: set[int], board: Board) -> set[int]:
        """Return what follows from *slots*: the step and the marks, where both ends are told.

        Over an edge and along lines a move may choose the same twice, and is compared for that.
        """
        is_told = not board.is_drawn and {self.site, self.source} <= slots
        return set(self.others - slots) if is_told else set()


def _told_slots(move: r.MoveKind, rules: r.Rules, shown: set[int], player: int) -> set[int]:
    """Return *shown* and the slots that follow from these, for the player who moves."""
    normal = Normalizer(rules, player, player)
    steps = chosen_steps(move, rules, player)
    facts: list[SiteVector | SiteAhead | RayEnd] = []
    for slot, site in _sites(move, normal):
        facts += [*_vector(slot, site), *_ahead(slot, site, steps, _least(move, normal))]
    for s in move.body:
        if isinstance(s, r.ChooseRay):
            facts += _ray_ends(s, steps, normal)
    slots, count = set(shown), -1
    while len(slots) > count:
        count = len(slots)
        for fact in facts:
            slots |= fact.following_slots(slots, rules.board)
    return slots


def _sites(move: r.MoveKind, normal: Normalizer) -> Iterator[tuple[int, m.Expr]]:
    """Walk the slots that hold a site, each with a set that it lies in or is."""
    lets: dict[int, m.Expr] = {}
    for s in move.body:
        if isinstance(s, r.Let):
            value = lets[s.slot] = normal(s.value, lets)
            if _is_there(move, s.slot, normal):
                yield s.slot, value
        if isinstance(s, r.Choose) and s.domain.type in (Type.SITE, Type.SITES):
            for part in _narrowings(normal(s.domain, lets)):
                yield s.slot, part


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


def _least(move: r.MoveKind, normal: Normalizer) -> Least:
    """Return the least value of each number that is chosen from a range that says it."""
    least: Least = {}
    for s in move.body:
        if isinstance(s, r.Choose) and s.domain.type is Type.RANGE:
            match normal(s.domain):
                case Const(value=(int(low), int())):
                    least[s.slot] = low
                case m.Apply(operation="range", arguments=(Const(value=int(low)), _)):
                    least[s.slot] = low
    return least


def _ahead(
    site: int,
    e: m.Expr,
    steps_by_slot: Mapping[int, tuple[Step, ...]],
    least: dict[int | None, int],
) -> Iterator[SiteAhead]:
    """Read a site that lies a chosen step, taken once or more, from another one."""
    match e:
        case m.Apply(
            operation="ahead",
            arguments=(m.Local(slot=step), m.Local(slot=source, type=Type.SITE), times),
        ):
            number = times.slot if isinstance(times, m.Local) else None
            low = times.value if isinstance(times, Const) else least.get(number, 0)
            steps = steps_by_slot.get(step, ())
            if isinstance(low, int) and low > 0 and all(map(any, steps)):
                split = not any(parallel(a, b) for a, b in combinations(steps, 2))
                yield SiteAhead(site, source, step, number, split and bool(steps))


# --- rays ---


def _ray_ends(
    s: r.ChooseRay, steps_by_slot: Mapping[int, tuple[Step, ...]], normal: Normalizer
) -> Iterator[RayEnd]:
    """Read the last mark of a ray, if no two steps lead to it and it is reached in one way."""
    along = normal(s.along)
    steps = along.steps if isinstance(along, Const) else ()
    if isinstance(along, m.Local):
        steps = steps_by_slot.get(along.slot, ())
    if not steps or any(parallel(a, b) for a, b in combinations(steps, 2)):
        return
    last = last_mark(s.pattern, normal)
    if isinstance(s.source, m.Local) and last is not None:
        way = {along.slot} if isinstance(along, m.Local) else set[int]()
        others = way | set(s.slots) - {s.slots[last]}
        yield RayEnd(s.slots[last], s.source.slot, frozenset(others))


def last_mark(pattern: m.RayPattern, normal: Normalizer) -> int | None:
    """Return the last mark of a ray, if it is a single site that tells all others; else None."""
    items = pattern.items if isinstance(pattern, m.Sequence) else (pattern,)
    places = [i for i, item in enumerate(items) if isinstance(item, m.Marked)]
    last = items[places[-1]] if places else None
    if not isinstance(last, m.Marked) or not isinstance(last.item, m.OnSite):
        return None
    return last.mark if _is_split_once(items[: places[-1]], normal) else None


def _is_split_once(items: Sequence[m.RayPattern], normal: Normalizer) -> bool:
    """Whether a length tells the length of each part: one repeats, or each where others end."""
    plain = [item.item if isinstance(item, m.Marked) else item for item in items]
    repeated = [item for item in plain if not is_one_site(item)]
    if not all(isinstance(i, m.Repeated) and is_one_site(i.item) for i in repeated):
        return False
    if len(repeated) < 2:
        return True
    if len(repeated) < len(plain) or not all(isinstance(i.item, m.OnSite) for i in repeated):  # type: ignore[union-attr]
        return False
    owners = [narrowest(normal(i.item.sites), "owned") for i in repeated]  # type: ignore[union-attr]
    return all(a and b and a.isdisjoint(b) for a, b in combinations(owners, 2))


def is_one_site(part: m.RayPattern) -> bool:
    """Whether a part of a ray is always one site long."""
    if isinstance(part, m.Alternatives):
        return all(map(is_one_site, part.items))
    return isinstance(part, m.OnSite)


def parallel(a: Step, b: Step) -> bool:
    """Whether two steps have the same direction, so that one may be several of the other."""
    ahead = a[0] * b[0] + a[1] * b[1] > 0
    return ahead and a[0] * b[1] == a[1] * b[0]
