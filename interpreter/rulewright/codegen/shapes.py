"""Lines and groups by whole sets, where the general form goes through the sets of a family.

In: a quantifier over `lines(n)` or `groups(X)`.  Out: the same truth or number by shifts (a line
begins where n copies of the set, each moved by a step, overlap) or by one flood from one of two
goals. Refuses (`Unfit`) conditions of another form.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from rulewright.codegen.fills import Unfit
from rulewright.codegen.lift import uses_slot
from rulewright.codegen.links import linked_words
from rulewright.codegen.plain import Plainer, harmless, is_apply, parts_of
from rulewright.codegen.values import Value, Values
from rulewright.codegen.writer import Words
from rulewright.model import expressions as m
from rulewright.model.board import Board, Step
from rulewright.model.expressions import Const, Expr, Type


def quantified(v: Values, e: m.Each) -> Value:
    """A quantifier over lines or groups, if a fast form covers it."""
    if len(e.slots) != 1 or e.domains[0].type is not Type.FAMILY:
        raise Unfit
    plain = Plainer(v.plan.rules, v.view, v.mover)(e)
    assert isinstance(plain, m.Each)
    domain = plain.domains[0]
    note = v.plan.note_at
    if is_apply(domain, "lines") and e.quantifier in ("some", "count"):
        found = _lines(v, read_lines(plain), e.quantifier)
        note(e.origin, "lines", "by shifts of whole sets, all lines of a direction at once")
        return found
    if is_apply(domain, "groups", "groups_linked") and e.quantifier == "some":
        found = _groups(v, read_groups(plain))
        note(e.origin, "groups", "by one flood from the first goal, then a look at the second")
        return found
    raise Unfit


# --- lines ---


@frozen
class Lines:
    """Lines of a length that lie in all of `inside`, and whose ends are in none of `outside`."""

    length: int
    inside: tuple[Expr, ...]
    outside: tuple[Expr, ...]


def read_lines(e: m.Each) -> Lines:
    """The form of a plain quantifier over lines."""
    slot, domain = e.slots[0], e.domains[0]
    assert isinstance(domain, m.Apply)
    length = domain.arguments[0]
    if not isinstance(length, Const) or not isinstance(length.value, int) or length.value < 2:
        raise Unfit
    inside: list[Expr] = []
    outside: list[Expr] = []
    for part in parts_of(e.body):
        match part:
            case m.Apply(operation="inside", arguments=(m.Local(slot=l), whole)) if l == slot:
                inside.append(_still(whole, slot))
            case m.Apply(operation="not", arguments=(m.Apply(operation="any", arguments=(a,)),)):
                outside.append(_still(_beside_ends(a, slot), slot))
            case _:
                raise Unfit
    if not inside:
        raise Unfit
    return Lines(length.value, tuple(inside), tuple(outside))


def _still(e: Expr, slot: int) -> Expr:
    if uses_slot(e, slot) or not harmless(e):
        raise Unfit
    return e


def _beside_ends(e: Expr, slot: int) -> Expr:
    """X of `X ends(l)`."""
    ends = m.Apply(Type.SITES, "ends", (m.Local(Type.SITES, slot),))
    if is_apply(e, "intersect") and len(e.arguments) == 2:
        a, b = e.arguments
        if b == ends:
            return a
        if a == ends:
            return b
    raise Unfit


def _lines(v: Values, lines: Lines, quantifier: str) -> Value:
    board, w = v.plan.rules.board, v.w
    if board.shape == "graph":
        raise Unfit
    sets = [v.words(e) for e in lines.inside]
    held = sets[0]
    for more in sets[1:]:
        held = w.each("{0} & {1}", held, more)
    beyond = [v.words(e) for e in lines.outside]
    found: list[Words] = []
    for step in board.axes:
        begins = _begins(v, held, step, lines.length)
        for words in beyond:
            begins = _closed(v, begins, words, step, lines.length)
        found.append(begins)
    if quantifier == "count":
        return w.let(" + ".join(w.count_of(words) for words in found), "n")
    return w.some([word for words in found for word in words])


def line_starts(board: Board, step: Step, length: int) -> int:
    """The sites where a line of that length begins."""
    sites = (s for s in range(len(board.names)) if board.sites >> s & 1)
    return sum(1 << s for s in sites if len(board.walk(s, step)) >= length - 1)


def _begins(v: Values, held: Words, step: Step, length: int) -> Words:
    """Where lines within *held* begin; the copies that overlap are doubled in each round."""
    board, w, found, reach = v.plan.rules.board, v.w, held, 1
    while reach < length:
        more = min(reach, length - reach)
        moved = w.shifted(found, -more * (step[0] + step[1] * board.width))
        found = w.each("{0} & {1}", found, moved)
        reach += more
    return w.each("{0} & {1}", found, w.constant(line_starts(board, step, length)))


def _closed(v: Values, begins: Words, words: Words, step: Step, length: int) -> Words:
    """Only the lines whose two ends are not in *words*."""
    board, w = v.plan.rules.board, v.w
    by = step[0] + step[1] * board.width
    before = sum(1 << s for s, t in enumerate(board.targets(board.opposite(step))) if t)
    after = line_starts(board, step, length + 1)
    for mask, shift in ((before, by), (after, -length * by)):
        beside = w.each("{0} & {1}", w.shifted(words, shift), w.constant(mask))
        begins = w.each("{0} & ~{1}", begins, beside)
    return begins


# --- groups ---


@frozen
class Groups:
    """Connected parts of a set that meet all of `goals`; joined by steps, or by links if None."""

    sites: Expr
    steps: tuple[Step, ...] | None
    goals: tuple[Expr, ...]


def read_groups(e: m.Each) -> Groups:
    """The form of a plain quantifier over groups."""
    slot, domain = e.slots[0], e.domains[0]
    assert isinstance(domain, m.Apply)
    steps = None
    if domain.operation == "groups":
        way = domain.arguments[1]
        if not isinstance(way, Const):
            raise Unfit
        known: Any = way.value
        steps = tuple(known)
    goals = []
    for part in parts_of(e.body):
        if not is_apply(part, "meets"):
            raise Unfit
        a, b = part.arguments
        if b == m.Local(Type.SITES, slot):
            a, b = b, a
        if a != m.Local(Type.SITES, slot):
            raise Unfit
        goals.append(_still(b, slot))
    return Groups(_still(domain.arguments[0], slot), steps, tuple(goals))


def _groups(v: Values, groups: Groups) -> Value:
    if len(groups.goals) != 2:
        raise Unfit
    w, sites = v.w, v.words(groups.sites)
    seed, goal = (w.each("{0} & {1}", sites, v.words(g)) for g in groups.goals)
    steps = groups.steps
    near: Callable[[Words], Words] = (
        (lambda words: linked_words(v, words))
        if steps is None
        else (lambda words: v.neighbours(steps, words))
    )
    result = w.fresh("b")
    w.put(f"{result} = 0")
    with w.block(f"if {w.some(seed)} and {w.some(goal)}:"):
        reached = w.flood(seed, sites, near)
        met = w.each("{0} & {1}", reached, goal)
        w.put(f"{result} = 1 if {w.some(met)} else 0")
    return f"{result} != 0"
