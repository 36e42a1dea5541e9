"""Where a ray breaks: the site that does not fit its pattern, and what stands there.

In: a ray of the model, and the sites that a decision would need it to reach.  Out: the direction,
the first site that fits no way of matching, and what stands on it; None where no direction of the
ray leads there at all.  Of a condition: the longest of its rays that lead nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from attrs import evolve, frozen

from rulewright.errors import Fault
from rulewright.model import expressions as m
from rulewright.model.board import Mask, Step, bits
from rulewright.model.expressions import Expr
from rulewright.model.rules import Rules
from rulewright.model.walk import nodes
from rulewright.reference.evaluate import (
    Fixed,
    Mark,
    Marks,
    Parts,
    Site,
    Times,
    evaluate,
    fixed_pattern,
    matches,
)
from rulewright.reference.position import Context

Fits = Callable[[Marks], bool]


@frozen
class Break:
    """The ray from a site along a step fits up to `site`, which is the first that does not."""

    source: Mask
    step: Step
    site: Mask
    length: int
    """How many sites before it fit."""

    def told(self, rules: Rules, c: Context) -> str:
        """`north from a1 breaks at a2 (white pawn)`."""
        board, piece = c.board, c.position.piece(self.site)
        start, end = (board.names[s.bit_length() - 1] for s in (self.source, self.site))
        what = "empty" if piece is None else rules.piece_name(*piece)
        return f"{board.direction_name(self.step)} from {start} breaks at {end} ({what})"


def to_site(e: Expr, target: Mask, c: Context) -> Break | None:
    """Why no ray in an expression gives *target*."""
    return _longest(
        broken
        for node in nodes(e)
        if isinstance(node, m.Ray)
        for broken in _breaks(node, lambda marks: bool(target & _union(marks)), c)
    )


def to_marks(
    source: Expr, along: Expr, pattern: m.RayPattern, marks: Marks, c: Context
) -> Break | None:
    """Why a ray does not give exactly these marks."""
    ray = m.Ray(m.Type.SITES, source, along, pattern, len(marks))
    return _longest(_breaks(ray, lambda found: found == marks, c))


def to_hold(condition: Expr, lets: Mapping[int, Expr], c: Context) -> Break | None:
    """Where the longest ray breaks that a false condition needs and that leads nowhere.

    *lets* gives what the locals of the move stand for, by their slots.
    """
    return _longest(_needed(condition, lets, c))


_NEEDED = ("any", "meets", "unite", "intersect")
"""Operations that more sites never make false or smaller."""


def _needed(e: Expr, lets: Mapping[int, Expr], c: Context) -> Iterator[Break]:
    """Breaks of the rays of an expression that would have to lead further for more to hold."""
    match e:
        case m.Ray() if not evaluate(e, c):
            yield from _breaks(e, any, c)
        case m.Local(slot=slot) if slot in lets:
            yield from _needed(lets[slot], lets, c)
        case m.Apply(operation=operation, arguments=parts) if operation in _NEEDED:
            for part in parts:
                yield from _needed(part, lets, c)
        case m.Logic(items=parts):
            for part in parts:
                if not evaluate(part, c):
                    yield from _needed(part, lets, c)
        case m.CallFunction(function=number, arguments=arguments):
            yield from _inside(number, arguments, c)
        case _:
            return


def _inside(number: int, arguments: tuple[Expr, ...], c: Context) -> Iterator[Break]:
    """Breaks inside the body of a definition."""
    function, outer = c.functions[number], c.frame
    values = [evaluate(a, c) for a in arguments]
    c.frame = values + [None] * (function.slots - len(values))
    try:
        yield from list(_needed(function.bodies[c.view if len(function.bodies) > 1 else 0], {}, c))
    finally:
        c.frame = outer


def _union(marks: Marks) -> Mask:
    found = 0
    for marked in marks:
        found |= marked
    return found


def _longest(breaks: Iterator[Break]) -> Break | None:
    return max(breaks, key=lambda one: one.length, default=None)


def _breaks(ray: m.Ray, fits: Fits, c: Context) -> Iterator[Break]:
    try:
        pattern = fixed_pattern(ray.pattern, c)
        sources, steps = evaluate(ray.source, c), evaluate(ray.along, c)
    except (Fault, TypeError):
        return  # a variable of a quantifier has no value outside it
    for number in bits(sources):
        for step in steps:
            path = c.board.walk(number, step)
            for length in range(len(path) - 1, -1, -1):
                loose = _loosened(pattern, _union(path[length:]))
                found = matches(c.board, 1 << number, (step,), loose, ray.marks)
                if any(map(fits, found)):
                    yield Break(1 << number, step, path[length], length)
                    break


def _loosened(pattern: Fixed, sites: Mask) -> Fixed:
    """The pattern with *sites* fitting everywhere."""
    match pattern:
        case Site():
            return Site(pattern.sites | sites)
        case Parts(items):
            return evolve(pattern, items=tuple(_loosened(i, sites) for i in items))
        case Times(item) | Mark(_, item):
            return evolve(pattern, item=_loosened(item, sites))
