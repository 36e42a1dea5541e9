"""The operations of `model/expressions.py`, one line each where that can be."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from operator import floordiv, mod, truediv
from typing import Any

from rulewright.errors import Fault
from rulewright.model.board import Mask, Step, bits, union
from rulewright.reference.position import (
    Context,
    Neighbours,
    checked,
    components,
    flood,
    key_of,
    single,
)

Steps = tuple[Step, ...]


def _divided(
    divide: Callable[[Any, Any], Any], message: str = "a division by zero"
) -> Callable[[Context, Any, Any], Any]:
    """A division that is a `Fault` with *message* where the divisor is 0."""

    def operate(c: Context, dividend: Any, divisor: Any) -> Any:
        if divisor == 0:
            raise Fault("divide-by-zero", message)
        return divide(dividend, divisor)

    return operate


def _item(c: Context, items: tuple[Any, ...], index: int) -> Any:
    if not 0 <= index < len(items):
        raise Fault("not-in-list", f"a list of {len(items)} has no number {index} (from 0)")
    return items[index]


def _power(c: Context, base: float, exponent: int) -> Any:
    """By repeated multiplication from the left, so that every execution rounds the same way."""
    if not 0 <= exponent <= 64:
        raise Fault("bad-power", f"a power has an exponent from 0 to 64, not {exponent}")
    power: Any = base * 0 + 1
    for _ in range(exponent):
        power = checked(power * base)
    return power


def _intersect(c: Context, first: Mask, *others: Mask) -> Mask:
    for sites in others:
        first &= sites
    return first


def _step(c: Context, steps: Steps, sites: Mask) -> Mask:
    neighbours, targets = c.board.neighbours(steps), 0
    for site in bits(sites):  # `union` of a generator takes half as long again
        targets |= neighbours[site]
    return targets


def _ahead(c: Context, steps: Steps, sites: Mask, number: int) -> Mask:
    if number < 0:
        raise Fault("out-of-range", f"a step is taken {number} times")
    return union(c.board.ahead(site, step, number) for site in bits(sites) for step in steps)


def _crossed(c: Context, a: Mask, b: Mask, whose: Mask) -> bool:
    first, second = single(a, "`crossed`"), single(b, "`crossed`")
    for table, links in zip(c.links, c.position.links, strict=True):
        crossing = links & table.crossing(first, second)
        if crossing and table.within(crossing, whose):
            return True
    return False


def _whole_line(c: Context, sites: Mask, steps: Steps) -> Mask:
    line = sites
    for site in bits(sites):
        for step in steps:
            line |= union(c.board.walk(site, step))
            line |= union(c.board.walk(site, c.board.opposite(step)))
    return line


def _lines(c: Context, length: int) -> tuple[Mask, ...]:
    if length < 1:
        raise Fault("no-lines", f"a line has at least one site, not {length}")
    return c.board.lines(length)


def _joined(c: Context, link: int) -> Neighbours:
    """For each site the sites that links of a kind join to it."""
    return c.links[link].neighbours(c.position.links[link])


def _repeats(c: Context, board_only: bool) -> int:
    p, count, past = c.position, 0, c.position.history
    key: object = (p.owned, p.kinds, p.links, p.piles)
    if not board_only:
        key = key_of(c.states, p) if c.key is None else c.key
    while past is not None:
        earlier, past = past
        count += (earlier[:4] if board_only else earlier) == key
    return count


OPERATE: dict[str, Callable[..., Any]] = {
    "add": lambda c, a, b: checked(a + b),
    "subtract": lambda c, a, b: checked(a - b),
    "multiply": lambda c, a, b: checked(a * b),
    "divide": _divided(truediv),
    "div": _divided(floordiv),
    "mod": _divided(mod, "`mod` by zero"),
    "negate": lambda c, a: -a,
    "abs": lambda c, a: abs(a),
    "sign": lambda c, a: (a > 0) - (a < 0),
    "count": lambda c, sites: sites.bit_count(),
    "members": lambda c, family: len(family),
    "height": lambda c, sites: sum(len(c.position.piles[site]) for site in bits(sites)),
    "x": lambda c, site: c.board.xs[single(site, "`x`")],
    "y": lambda c, site: c.board.numbers[single(site, "`y`")],
    "z": lambda c, site: c.board.zs[single(site, "`z`")],
    "item": _item,
    "kind_item": _item,
    "step_item": lambda c, steps, index: (_item(c, steps, index),),
    "power": _power,
    "placed": lambda c, numbers, site: numbers[single(site, "a table")],
    "ply": lambda c: c.position.ply,
    "repeats": lambda c: _repeats(c, board_only=False),
    "board_repeats": lambda c: _repeats(c, board_only=True),
    "not": lambda c, a: not a,
    "less": lambda c, a, b: a < b,
    "less_equal": lambda c, a, b: a <= b,
    "equal": lambda c, a, b: a == b,
    "inside": lambda c, a, b: a != 0 and a & ~b == 0,
    "between": lambda c, a, low, high: low <= a <= high,
    "meets": lambda c, a, b: a & b != 0,
    "any": lambda c, a: a != 0,
    "crossed": _crossed,
    "stuck": lambda c: c.stuck,
    "unite": lambda c, *sets: union(sets),
    "intersect": _intersect,
    "complement": lambda c, a: c.board.sites & ~a,
    "gather": lambda c, family: union(family),
    "image": lambda c, sets, sites: union(sets[site] for site in bits(sites)),
    "own": lambda c: c.position.owned[c.view],
    "enemy": lambda c: union(m for p, m in enumerate(c.position.owned[:-1]) if p != c.view),
    "owned": lambda c, player: c.position.owned[player],
    "of_kind": lambda c, kind: c.position.kinds[kind],
    "full": lambda c: c.position.full,
    "empty": lambda c: c.board.sites & ~c.position.full,
    "step": _step,
    "ahead": _ahead,
    "linked": lambda c, link, sites: c.links[link].joined(c.position.links[link], sites),
    "row": lambda c, y: c.board.by_number("y").get(y, 0),
    "column": lambda c, x: c.board.by_number("x").get(x, 0),
    "layer": lambda c, z: c.board.by_number("z").get(z, 0),
    "site": lambda c, x, y: c.board.site_at(x, y),
    "whole_line": _whole_line,
    "ends": lambda c, line: c.board.beyond(line),
    "reach": lambda c, seed, within, steps: flood(seed, within, c.board.neighbours(steps)),
    "reach_linked": lambda c, seed, within, link: flood(seed, within, _joined(c, link)),
    "lines": _lines,
    "groups": lambda c, sites, steps: components(
        sites, c.board.neighbours(c.board.both_ways(steps))
    ),
    "groups_linked": lambda c, sites, link: components(sites, _joined(c, link)),
    "family": lambda c, *sets: sets,
    "join_steps": lambda c, *parts: tuple(dict.fromkeys(chain(*parts))),
    "opposite": lambda c, steps: tuple(c.board.opposite(s) for s in steps),
    "viewer": lambda c: c.view,
    "numbers": lambda c, *numbers: numbers,
    "kinds": lambda c, *kinds: kinds,
    "range": lambda c, low, high: (low, high),
}

SITES: dict[str, Callable[..., int]] = {
    "step": lambda c, steps, sites: sites.bit_count(),
    "linked": lambda c, link, sites: sites.bit_count(),
    "ahead": lambda c, steps, sites, number: sites.bit_count() * len(steps),
    "height": lambda c, sites: sites.bit_count(),
    "whole_line": lambda c, sites, steps: 16 * sites.bit_count() * len(steps),
    "reach": lambda c, seed, within, steps: within.bit_count(),
    "reach_linked": lambda c, seed, within, link: within.bit_count(),
    "groups": lambda c, sites, steps: sites.bit_count(),
    "groups_linked": lambda c, sites, link: sites.bit_count(),
}
"""How many sites an operation visits, where its time grows with them; lines walk on from each."""
SITES_PER_STEP = 32
"""So many sites take as long as a step of a budget (0.15 of 5 microseconds each)."""
