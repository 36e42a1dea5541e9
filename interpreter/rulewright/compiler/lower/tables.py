"""What definitions were worked out to, site by site: look-ups, and which sites lead to a set.

In: `image` and `placed`, whose first argument is the table.  Out: loads from the game's tables.
"""

from __future__ import annotations

from typing import cast

from rulewright.compiler.ir.nodes import Const, Expr
from rulewright.compiler.layout import Unsupported
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.writer import Lowered, Site, Sites, at
from rulewright.model import expressions as m
from rulewright.model.board import bits, union


def image(v: Values, e: m.Apply) -> Lowered:
    """Write the sets of a table for the sites of a set, all united."""
    sets, value = table_of(e), v.value(e.arguments[1])
    if not isinstance(value, Site):
        return looked_up(v, sets, v.as_sites(value))
    v.layout.note_at(e.origin, "a definition by site", "a table")
    if is_of_single_sites(v, sets):
        table = v.layout.number_table(f"images {sets}", [s.bit_length() - 1 for s in sets])
        return Site(v.w.let(at("g.tables", table + value.number), "s"))
    return v.w.load("g.tables", v.layout.mask_table(sets) + value.number * v.layout.words)


def placed(v: Values, e: m.Apply) -> Expr:
    """Write the number of a site in a table."""
    numbers = e.arguments[0].numbers if isinstance(e.arguments[0], m.Const) else None
    if numbers is None:
        raise Unsupported("a table of numbers that are not whole")
    v.layout.note_at(e.origin, "a definition by site", "a table")
    table = v.layout.number_table(f"places {list(numbers)}", numbers)
    return v.w.let(at("g.tables", table + v.site(e.arguments[1])), "n")


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
    return looked_up(v, tuple(sources), goal)


def looked_up(v: Values, sets: tuple[int, ...], sites: Sites) -> Sites:
    """Write the union of the sets of a table for all members of *sites*."""
    words = [word.value for word in sites.words if isinstance(word, Const)]
    if len(words) == len(sites.words):
        mask = sum((int(word) & 2**64 - 1) << 64 * i for i, word in enumerate(words))
        return v.w.constant(union(sets[site] for site in bits(mask)))
    table, members = v.layout.mask_table(sets), v.w.empty()
    with v.w.sites(sites) as site:
        v.w.add(members, v.w.load("g.tables", table + site * v.layout.words))
    return members
