"""The value of an expression in a position, as one player sees it.

In: an expression of the model and a `Context`.  Out: a value (see `model/expressions.py`).
Refuses nothing; what cannot be computed is a `Fault` that carries the place in the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias, assert_never

from rulewright.errors import Fault
from rulewright.ground import limits
from rulewright.ground.records import Record, record
from rulewright.model import expressions as m
from rulewright.model.board import Board, Mask, Step, bits, union
from rulewright.model.expressions import Expr, Type
from rulewright.model.rules import StateIndex
from rulewright.reference.operate import OPERATE, SITES, SITES_PER_STEP
from rulewright.reference.position import Context, Position, checked, single

MOST = limits.BRANCHES
"""Matches of one ray; a pattern that has more is a fault."""
Marks: TypeAlias = tuple[Mask, ...]
End: TypeAlias = tuple[int, Marks]


@record
class FixedSite(Record):
    """One site of a set."""

    sites: Mask


@record
class FixedParts(Record):
    """All parts in order, or one of them."""

    items: tuple[Fixed, ...]
    in_order: bool


@record
class FixedTimes(Record):
    """A part between `low` and `high` times."""

    item: Fixed
    low: int
    high: int | None


@record
class FixedMark(Record):
    """A marked part of a ray: its sites are kept under the number of the mark."""

    mark: int
    item: Fixed


Fixed: TypeAlias = FixedSite | FixedParts | FixedTimes | FixedMark


def matches(
    board: Board, sources: Mask, steps: tuple[Step, ...], pattern: Fixed, marks: int
) -> Iterator[Marks]:
    """The marks of every way to match, each combination once for a source and a step."""
    for site in bits(sources):
        for step in steps:
            path = board.walk(site, step)
            ends = sorted(_ends(pattern, path, (0, (0,) * marks)))
            yield from dict.fromkeys(end_marks for _, end_marks in ends)


def _ends(pattern: Fixed, path: tuple[Mask, ...], at: End) -> set[End]:
    """Every place on *path*, with the marks made on the way, where a match from *at* can end."""
    match pattern:
        case FixedSite(sites):
            here, marks = at
            return {(here + 1, marks)} if here < len(path) and path[here] & sites else set()
        case FixedParts(items, True):
            ends = {at}
            for item in items:
                ends = {end for start in ends for end in _ends(item, path, start)}
            return ends
        case FixedParts(items):
            return {end for item in items for end in _ends(item, path, at)}
        case FixedTimes():
            return _repeated(pattern, path, at)
        case FixedMark(mark, item):
            return {_marked(mark, path, at[0], end) for end in _ends(item, path, at)}
        case _:
            assert_never(pattern)


def _repeated(pattern: FixedTimes, path: tuple[Mask, ...], at: End) -> set[End]:
    frontier, ends, times = {at}, set[End](), 0
    while frontier and (pattern.high is None or times <= pattern.high):
        if times >= pattern.low:
            frontier -= ends
            ends |= frontier
        following = {end for start in frontier for end in _ends(pattern.item, path, start)}
        if len(ends) + len(following) > MOST:
            raise Fault("too-many", f"a ray matches in more than {MOST} ways")
        if following == frontier:  # a part that may match nothing: more times change nothing
            return ends | frontier
        frontier, times = following, times + 1
    return ends


def _marked(mark: int, path: tuple[Mask, ...], start: int, end: End) -> End:
    stop, marks = end
    here = marks[mark] | union(path[start:stop])
    return stop, (*marks[:mark], here, *marks[mark + 1 :])


def evaluate(expression: Expr, context: Context) -> Any:
    """The value of *expression* in *context*."""
    return WALK[type(expression)](expression, context)


def _apply(e: m.Apply, c: Context) -> Any:
    values = [evaluate(a, c) for a in e.arguments]
    if c.budget is not None and e.operation in SITES:
        c.budget.spend(SITES[e.operation](c, *values) // SITES_PER_STEP)
    try:
        return OPERATE[e.operation](c, *values)
    except Fault as fault:
        if fault.origin == 0:
            fault.origin = e.origin
        raise


def _state(e: m.StateValue, c: Context) -> Any:
    value: Any = c.position.states[e.index][c.view]
    if not e.at:
        return value
    state = c.states[e.index]
    at = [place_in(evaluate(a, c), a.type, i) for a, i in zip(e.at, state.indices, strict=True)]
    place = state.place(at)
    if place < 0:
        raise Fault("not-in-list", f"`{state.name}` has no such entry", e.origin)
    return value[place]


def place_in(member: Any, type_: Type, index: StateIndex) -> int:
    """The place of a member of an index, which may lie outside of it; of a set the one site's."""
    if type_ in (Type.SITE, Type.SITES):
        return single(member, "an entry of a table")
    return int(member) - index.low


def _logic(e: m.Logic, c: Context) -> bool:
    if e.conjunction:
        return all(evaluate(i, c) for i in e.items)
    return any(evaluate(i, c) for i in e.items)


def player_of(player: int, view: int, position: Position) -> int:
    """The player whom a number, ENEMY, MOVER or NEXT means when *view* is looked at."""
    match player:
        case m.ENEMY:
            return 1 - view
        case m.MOVER:
            return position.mover
        case m.NEXT:
            return position.next_player(view)
    return player


def _viewed(e: m.Viewed, c: Context) -> Any:
    before = c.view
    c.view = player_of(e.player, before, c.position)
    try:
        return evaluate(e.body, c)
    finally:
        c.view = before


def _call(e: m.CallFunction, c: Context) -> Any:
    if c.budget is not None:
        c.budget.spend()
    if c.settled is None or e.function not in c.settled.numbers:
        return _called(e, c)
    values, key = c.settled.of(c.position), (e.function, c.view)
    if key not in values:
        values[key] = _called(e, c)
    return values[key]


def _called(e: m.CallFunction, c: Context) -> Any:
    function = c.functions[e.function]
    arguments = [evaluate(a, c) for a in e.arguments]
    outer = c.frame
    c.frame = arguments + [None] * (function.slots - len(arguments))
    try:
        return evaluate(function.body(c.view), c)
    finally:
        c.frame = outer


# --- quantifiers ---


def members(value: Any, type_: Type) -> Iterable[Any]:
    """The members that a variable runs over."""
    match type_:
        case Type.SITE | Type.SITES:
            return (1 << site for site in bits(value))
        case Type.STEP | Type.STEPS:
            return ((step,) for step in value)
        case Type.RANGE:
            return range(value[0], value[1] + 1)
        case _:
            return tuple(value)


def bindings(e: m.Quantified, c: Context, depth: int = 0) -> Iterator[None]:
    """Set the variables of *e* to every combination of members, one after the other."""
    if depth == len(e.slots):
        yield
        return
    domain = e.domains[depth]
    for member in members(evaluate(domain, c), domain.type):
        if c.budget is not None:
            c.budget.spend()
        c.frame[e.slots[depth]] = member
        yield from bindings(e, c, depth + 1)


def _each(e: m.Quantified, c: Context) -> Any:
    if e.quantifier == "those":
        elements = [c.frame[e.slots[0]] for _ in bindings(e, c) if evaluate(e.body, c)]
        return sum(elements) if e.type is Type.SITES else tuple(elements)
    values = (evaluate(e.body, c) for _ in bindings(e, c))
    match e.quantifier:
        case "some":
            return any(values)
        case "every":
            return all(values)
        case "count":
            return sum(1 for v in values if v)
        case "sum":
            total: Any = 0
            for value in values:  # in order: the sum of floats depends on it
                total = checked(total + value)
            return total
    compared = list(values)
    if not compared:
        message = f"`{e.quantifier}` of nothing has no value"
        raise Fault("nothing-to-compare", message, e.origin)
    return max(compared) if e.quantifier == "max" else min(compared)


# --- rays ---


def ray_matches(
    source: Expr, along: Expr, pattern: m.RayPattern, marks: int, c: Context
) -> Iterator[Marks]:
    """The marked sites of every way in which a ray of the model matches."""
    fixed = fixed_pattern(pattern, c)
    sources, steps = evaluate(source, c), evaluate(along, c)
    if c.budget is not None:
        c.budget.spend(sources.bit_count() * len(steps))
    return matches(c.board, sources, steps, fixed, marks)


def fixed_pattern(pattern: m.RayPattern, c: Context) -> Fixed:
    """The pattern with its sets and numbers evaluated, once for all sources."""
    match pattern:
        case m.OnSite(sites):
            return FixedSite(evaluate(sites, c))
        case m.Sequence(items):
            return FixedParts(tuple(fixed_pattern(i, c) for i in items), in_order=True)
        case m.Alternatives(items):
            return FixedParts(tuple(fixed_pattern(i, c) for i in items), in_order=False)
        case m.Repeated(item, low, high):
            most = None if high is None else evaluate(high, c)
            return FixedTimes(fixed_pattern(item, c), evaluate(low, c), most)
        case m.Marked(mark, item):
            return FixedMark(mark, fixed_pattern(item, c))
        case _:
            assert_never(pattern)


WALK: dict[type, Callable[[Any, Context], Any]] = {
    m.Const: lambda e, c: e.value,
    m.Local: lambda e, c: c.frame[e.slot],
    m.StateValue: _state,
    m.Apply: _apply,
    m.Logic: _logic,
    m.Conditional: lambda e, c: evaluate(e.then if evaluate(e.condition, c) else e.otherwise, c),
    m.Viewed: _viewed,
    m.Quantified: _each,
    m.CallFunction: _call,
    m.Ray: lambda e, c: union(map(union, ray_matches(e.source, e.along, e.pattern, e.marks, c))),
}
"""The evaluators of all kinds of expressions; `evaluation.py` adds those of evaluators."""
