"""Look-ups: definitions that were worked out for each site, rows and columns, sites by their place.

In: `image` and `placed`, whose first argument is the table, and operations with a table of their
own.  Out: loads from the game's tables.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from rulewright.compiler.ir.nodes import Const, Expr, Local, choice
from rulewright.compiler.layout import Unsupported
from rulewright.compiler.lower.line_sites import lines_of, places_of
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.writer import Lowered, OneStep, Site, Sites, at
from rulewright.model import expressions as m
from rulewright.model.board import bits, union


def image(v: Values, e: m.Apply) -> Lowered:
    """Write the sets of a table for the sites of a set, all united."""
    sets, value = table_of(e), v.value(e.arguments[1])
    if not isinstance(value, Site):
        return write_image(v, sets, v.as_sites(value))
    v.layout.note("a definition by site", "a table", e.origin)
    if is_of_single_sites(v, sets):
        table = v.layout.number_table(f"images {sets}", [s.bit_length() - 1 for s in sets])
        return Site(v.w.let(at("g.tables", table + value.number), "s"))
    return v.w.load("g.tables", v.layout.mask_table(sets) + value.number * v.layout.words)


def lower_placed(v: Values, e: m.Apply) -> Expr:
    """Write the look-up of a site's number in a table."""
    numbers = e.arguments[0].numbers if isinstance(e.arguments[0], m.Const) else None
    if numbers is None:
        raise Unsupported("a table of numbers that are not whole")
    v.layout.note("a definition by site", "a table", e.origin)
    table = v.layout.number_table(f"places {list(numbers)}", numbers)
    return v.w.let(at("g.tables", table + v.site(e.arguments[1])), "n")


def item(v: Values, e: m.Apply) -> Expr:
    """Look up one of a list of whole numbers; a fault beyond its ends."""
    numbers = e.arguments[0].numbers if isinstance(e.arguments[0], m.Const) else None
    if numbers is None:
        raise Unsupported("a list of numbers that are not whole")
    index = _index(v, e.arguments[1], len(numbers))
    table = v.layout.number_table(f"places {list(numbers)}", numbers)
    return v.w.let(at("g.tables", table + index), "n")


def step_item(v: Values, e: m.Apply) -> OneStep:
    """Pick one of steps that are known; a fault beyond their ends."""
    steps = v.known_steps(e.arguments[0])
    return OneStep(steps, _index(v, e.arguments[1], len(steps)))


def _index(v: Values, number: m.Expr, length: int) -> Local:
    """Return a number as the index of a list; beyond its ends 0, and a fault."""
    index = v.w.var(v.number(number), "i")
    with v.w.when((index < 0) | (index >= length)):
        v.fault("not-in-list")
        v.w.set(index, 0)
    return index


def table_of(e: m.Apply) -> tuple[int, ...]:
    """Return the sets of a table, by site."""
    return cast("tuple[int, ...]", cast("m.Const", e.arguments[0]).value)


def is_of_single_sites(v: Values, sets: tuple[int, ...]) -> bool:
    """Whether a table has one site for each that is on the board."""
    return all(sets[site].bit_count() == 1 for site in bits(v.board.sites))


def preimage(v: Values, sets: tuple[int, ...], goal: Sites | None) -> Sites:
    """Write the sites whose set in a table has a member (in *goal*, if that is given)."""
    if goal is None:
        return v.w.constant(sum(1 << site for site, members in enumerate(sets) if members))
    sources = [0] * len(sets)
    for site, members in enumerate(sets):
        for target in bits(members):
            sources[target] |= 1 << site
    return write_image(v, tuple(sources), goal)


def write_image(v: Values, sets: tuple[int, ...], sites: Sites) -> Sites:
    """Write the union of the sets of a table for all members of *sites*."""
    words = [word.value for word in sites.words if isinstance(word, Const)]
    if len(words) == len(sites.words):
        mask = sum((int(word) & 2**64 - 1) << 64 * i for i, word in enumerate(words))
        return v.w.constant(union(sets[site] for site in bits(mask)))
    table, members = v.layout.mask_table(sets), v.w.empty()
    with v.w.sites(sites) as site:
        v.w.add(members, v.w.load("g.tables", table + site * v.layout.words))
    return members


def line_of(key: str) -> Callable[[Values, m.Apply], Lowered]:
    """Return a writer of a row or a column by its number."""

    def write(v: Values, e: m.Apply) -> Sites:
        masks = lines_of(v.board, places_of(v.board, key))
        return _look_up(v, masks, v.number(e.arguments[0]), len(masks))

    return write


def _look_up(v: Values, masks: tuple[int, ...], index: Expr, count: int) -> Sites:
    """Look up a set in a table; empty outside of it."""
    table, sites = v.layout.mask_table(masks), v.w.empty()
    with v.w.when((index >= 0) & (index < count)):
        v.w.assign(sites, v.w.load("g.tables", table + index * v.layout.words))
    return sites


def site_at(v: Values, e: m.Apply) -> Sites:
    """Look up the site in a column and a row; none outside of the board."""
    board = v.board
    x, y = (v.number(a) for a in e.arguments)
    width, height = max(board.xs) + 1, max(board.numbers) + 1
    masks = tuple(board.site_at(i % width, i // width) for i in range(width * height))
    is_inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    index = v.w.let(choice(is_inside, y * width + x, -1), "i")
    return _look_up(v, masks, index, width * height)


TABLES = {
    "image": image, "item": item, "kind_item": item, "step_item": step_item, "placed": lower_placed,
}  # fmt: skip
"""Look-ups whose first argument is the table."""
