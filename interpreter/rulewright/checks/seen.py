"""Values that a clause saw, by the names of the text, and the site at which a ray breaks.

In: an expression of the model and the context in which it was evaluated; a ray and the sites that a
decision would need it to reach.  Out: pairs of name and value, as texts, for what the condition
read (chosen values, states, definitions); and where a ray stops matching: its direction, the first
site that does not fit, and what stands there; None if no direction leads to the sites.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from attrs import evolve, frozen

from rulewright.errors import Fault
from rulewright.ground.printable import amount
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import Board, Mask, Step, bits, union
from rulewright.model.expressions import Expr, Type
from rulewright.model.rules import Rules
from rulewright.model.walk import nodes
from rulewright.reference.evaluate import (
    Fixed,
    FixedMark,
    FixedParts,
    FixedSite,
    FixedTimes,
    Marks,
    evaluate,
    fixed_pattern,
    matches,
)
from rulewright.reference.position import Context

Fits = Callable[[Marks], bool]


@frozen
class RayBreak:
    """The ray from a site along a step fits up to `site`, which is the first that does not."""

    source: Mask
    step: Step
    site: Mask
    length: int
    """The number of sites before it, which fit."""

    def text(self, rules: Rules, c: Context) -> str:
        """The break in words: `north from a1 breaks at a2 (white pawn)`."""
        board, piece = c.board, c.position.piece(self.site)
        start, end = (board.names[s.bit_length() - 1] for s in (self.source, self.site))
        content = "empty" if piece is None else rules.piece_name(*piece)
        return f"{board.direction_name(self.step)} from {start} breaks at {end} ({content})"


def ray_to_site(e: Expr, target: Mask, c: Context) -> RayBreak | None:
    """The longest break of a ray in an expression that would lead to *target*."""
    return _longest(
        broken
        for node in nodes(e)
        if isinstance(node, m.Ray)
        for broken in _breaks(node, lambda marks: bool(target & union(marks)), c)
    )


def ray_to_marks(
    source: Expr, along: Expr, pattern: m.RayPattern, marks: Marks, c: Context
) -> RayBreak | None:
    """The longest break of a ray that would give exactly these marks."""
    ray = m.Ray(m.Type.SITES, source, along, pattern, len(marks))
    return _longest(_breaks(ray, lambda other: other == marks, c))


def ray_to_hold(condition: Expr, lets: Mapping[int, Expr], c: Context) -> RayBreak | None:
    """Where the longest ray breaks that a false condition needs and that leads nowhere.

    *lets* gives what the locals of the move stand for, by their slots.
    """
    return _longest(_needed_breaks(condition, lets, c))


_NEEDED = ("any", "meets", "unite", "intersect")
"""Operations that more sites never make false or smaller."""


def _needed_breaks(e: Expr, lets: Mapping[int, Expr], c: Context) -> Iterator[RayBreak]:
    """Breaks of the rays of an expression that would have to lead further for more to hold."""
    match e:
        case m.Ray() if not evaluate(e, c):
            yield from _breaks(e, any, c)
        case m.Local(slot=slot) if slot in lets:
            yield from _needed_breaks(lets[slot], lets, c)
        case m.Apply(operation=operation, arguments=parts) if operation in _NEEDED:
            for part in parts:
                yield from _needed_breaks(part, lets, c)
        case m.Logic(items=parts):
            for part in parts:
                if not evaluate(part, c):
                    yield from _needed_breaks(part, lets, c)
        case m.CallFunction(function=number, arguments=arguments):
            yield from _inside(number, arguments, c)
        case _:
            return


def _inside(number: int, arguments: tuple[Expr, ...], c: Context) -> Iterator[RayBreak]:
    """Breaks inside the body of a definition."""
    function, outer = c.functions[number], c.frame
    values = [evaluate(a, c) for a in arguments]
    c.frame = values + [None] * (function.slots - len(values))
    try:
        yield from list(_needed_breaks(function.body(c.view), {}, c))
    finally:
        c.frame = outer


def _longest(breaks: Iterator[RayBreak]) -> RayBreak | None:
    return max(breaks, key=lambda broken: broken.length, default=None)


def _breaks(ray: m.Ray, fits: Fits, c: Context) -> Iterator[RayBreak]:
    try:
        pattern = fixed_pattern(ray.pattern, c)
        sources, steps = evaluate(ray.source, c), evaluate(ray.along, c)
    except (Fault, TypeError):
        return  # a variable of a quantifier has no value outside it
    for number in bits(sources):
        for step in steps:
            path = c.board.walk(number, step)
            # With all sites from `length` on loosened a match needs the sites before it alone: the
            # largest such length is that of the break.
            for length in range(len(path) - 1, -1, -1):
                loose = _loosened(pattern, union(path[length:]))
                ways = matches(c.board, 1 << number, (step,), loose, ray.marks)
                if any(map(fits, ways)):
                    yield RayBreak(1 << number, step, path[length], length)
                    break


def _loosened(pattern: Fixed, sites: Mask) -> Fixed:
    """The pattern with *sites* fitting everywhere."""
    match pattern:
        case FixedSite():
            return FixedSite(pattern.sites | sites)
        case FixedParts(items):
            return evolve(pattern, items=tuple(_loosened(i, sites) for i in items))
        case FixedTimes(item) | FixedMark(_, item):
            return evolve(pattern, item=_loosened(item, sites))


Pairs = tuple[tuple[str, str], ...]
_WORDS = ("own", "enemy", "empty", "full", "ply", "repeats", "board_repeats")
MOST, SITES = 12, 10
"""Values and sites that are shown."""


def named_values(rules: r.Rules, e: Any, c: Context, names: Mapping[int, str]) -> Pairs:
    """The names in an expression with the texts of their values, at most `MOST` of them."""
    values: dict[str, str] = {}
    for name, value in _pairs(rules, e, c, names):
        values.setdefault(name, value)
    return tuple(values.items())[:MOST]


def _pairs(
    rules: r.Rules, e: Any, c: Context, names: Mapping[int, str]
) -> Iterator[tuple[str, str]]:
    for node in nodes(e):
        match node:
            case m.Local(_, slot) if slot in names and c.frame[slot] is not None:
                yield names[slot], value_text(c.frame[slot], node.type, c.board)
            case m.StateValue(_, index):
                name = rules.states[index].name
                if node.at:
                    texts = [value_text(evaluate(a, c), a.type, c.board) for a in node.at]
                    name += f"({', '.join(texts)})"
                yield name, value_text(evaluate(node, c), node.type, c.board)
            case m.CallFunction(_, function, arguments):
                yield from _call(rules, node, function, arguments, c)
            case m.Apply(_, word, ()) if word in _WORDS:
                yield word, value_text(evaluate(node, c), node.type, c.board)


def _call(
    rules: r.Rules, node: m.CallFunction, function: int, arguments: tuple[Expr, ...], c: Context
) -> Iterator[tuple[str, str]]:
    """A definition, with its arguments, where these are known here."""
    try:
        texts = [value_text(evaluate(a, c), a.type, c.board) for a in arguments]
        value = value_text(evaluate(node, c), node.type, c.board)
    except (Fault, TypeError):
        return  # a variable of a quantifier has no value outside it
    name = rules.functions[function].name
    yield f"{name}({', '.join(texts)})" if texts else name, value


def value_text(value: Any, type_: Type, board: Board) -> str:
    """A value as a rules file would write it."""
    match type_:
        case Type.SITE | Type.SITES:
            sites = [board.names[i] for i in bits(value)]
            more = f" or ... ({amount(len(sites), 'site')})" if len(sites) > SITES else ""
            return " or ".join(sites[:SITES]) + more if sites else "nowhere"
        case Type.TRUTH:
            return "true" if value else "false"
        case Type.STEP | Type.STEPS:
            return " or ".join(board.direction_name(step) for step in value)
        case Type.FAMILY:
            return "[" + ", ".join(value_text(s, Type.SITES, board) for s in value[:6]) + "]"
    return str(value)
