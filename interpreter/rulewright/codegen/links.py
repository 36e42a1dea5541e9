"""Links as kernel text: numbers of possible links, which are there, what they join and cross."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from rulewright.codegen.fills import Unfit
from rulewright.codegen.lift import uses_slot
from rulewright.codegen.plain import Plainer, is_apply
from rulewright.codegen.values import Site, Values
from rulewright.codegen.writer import Words
from rulewright.model import expressions as m
from rulewright.model.expressions import Const, Expr, Type
from rulewright.model.walk import operations


@frozen
class LinkedSite(Site):
    """A site that a link could join to `source`, and that link's number."""

    source: str
    link: str


def tie_each(v: Values, source: m.Local, target: Expr, done: Callable[[LinkedSite], None]) -> None:
    """Write *done* for every target of a link from a site, going through its possible links.

    Refuses (`Unfit`) targets that are not narrowed from the sites a link away.
    """
    e = Plainer(v.plan.rules, v.view, v.mover)(target)
    slot, body = -1, None
    if isinstance(e, m.Each) and e.quantifier == "those":
        slot, body, e = e.slots[0], e.body, e.domains[0]
    if body is not None and operations(body) & _READ_LINKS:
        raise Unfit
    parts = list(e.arguments) if is_apply(e, "intersect") else [e]
    ways = [part for part in parts if uses_slot(part, source.slot)]
    if len(ways) != 1 or not _is_a_link_away(v, ways[0], source):
        raise Unfit
    place = v.value(source)
    table, row = v.plan.incident_table
    base, index = v.w.let(f"{table} + {place.number} * {row}", "k"), v.w.fresh("i")
    with v.w.block(f"for {index} in range(g.tables[{base}]):"):
        other = v.w.let(f"g.tables[{base} + 1 + 2 * {index}]", "s")
        tests = [site_in(v, part, other) for part in parts if part is not ways[0]]
        with v.w.block(f"if {' & '.join(tests) or '1'} != 0:"):
            link = v.w.let(f"g.tables[{base} + 2 + 2 * {index}]", "n")
            site = LinkedSite(other, place.number, link)
            if body is None:
                done(site)
                return
            v.frame[slot] = site
            with v.w.block(f"if {v.truth(body)}:"):
                done(site)


_READ_LINKS = frozenset({"linked", "groups_linked", "reach_linked", "repeats", "board_repeats"})


def _is_a_link_away(v: Values, e: Expr, source: m.Local) -> bool:
    if not is_apply(e, "step"):
        return False
    way, site = e.arguments
    kind = v.plan.rules.links[0]
    both = {*kind.steps, *map(v.plan.rules.board.opposite, kind.steps)}
    return isinstance(way, Const) and set(way.value) == both and site == source  # type: ignore[arg-type]


def site_in(v: Values, e: Expr, site: str) -> str:
    """1 if a plain set holds a site, else 0; sets that lie in memory are not loaded whole."""
    if isinstance(e, Const):
        table = v.plan.mask_table((e.value,))  # type: ignore[arg-type]
        return v.w.let(f"shift_right(g.tables[{table} + ({site} >> 6)], {site} & 63) & 1", "b")
    if isinstance(e, m.Apply):
        match e.operation:
            case "owned" if isinstance(e.arguments[0], Const):
                offset = v.plan.owned + int(e.arguments[0].value) * v.plan.words  # type: ignore[arg-type]
                return bit_at(v, offset, site)
            case "complement" if e.type in (Type.SITE, Type.SITES):
                return v.w.let(f"1 - {site_in(v, e.arguments[0], site)}", "b")
            case "intersect":
                return v.w.let(" & ".join(site_in(v, a, site) for a in e.arguments), "b")
            case "unite":
                return v.w.let(" | ".join(site_in(v, a, site) for a in e.arguments), "b")
    return v.w.has(v.words(e), site)


def bit_at(v: Values, offset: int, site: str) -> str:
    """The bit of a site in a set that lies in the position."""
    if v.plan.words == 1:
        return v.w.let(f"shift_right({v.plan.word(v.state, offset)}, {site}) & 1", "b")
    return v.w.let(f"shift_right({v.state}[{offset} + ({site} >> 6)], {site} & 63) & 1", "b")


def crossed(v: Values, e: m.Apply) -> str:
    """Whether a link that is there crosses the one that could join a and b."""
    if v.plan.link_table is None:
        return "1 == 0"
    number = _number_of(v, e.arguments[0], e.arguments[1])
    whole = v.plan.rules.board.sites
    anybody = isinstance(e.arguments[2], Const) and e.arguments[2].value == whole
    whose = [] if anybody else v.words(e.arguments[2])
    table, row = v.plan.crossing_table
    found, index = v.w.fresh("b"), v.w.fresh("i")
    v.w.put(f"{found} = 0")
    base = v.w.let(f"{table} + {number} * {row}", "k")
    v.w.put(f"{index} = 0")
    with v.w.block(f"while {index} < g.tables[{base}] and {found} == 0:"):
        at = v.w.let(f"{base} + 1 + 3 * {index}", "k")
        v.w.put(f"{index} = {index} + 1")
        with v.w.block(f"if {link_bit(v, f'g.tables[{at}]')} != 0:"):
            ends = (v.w.let(f"g.tables[{at} + {i}]", "s") for i in (1, 2))
            held = " & ".join(v.w.has(whose, s) for s in ends) if whose else "1"
            v.w.put(f"{found} = {held}")
    return f"{found} != 0"


def _number_of(v: Values, one: Expr, other: Expr) -> str:
    """The number of the link between two sites; known when they came by way of it."""
    a, b = v.value(one), v.value(other)
    for x, y in ((a, b), (b, a)):
        if isinstance(x, LinkedSite) and isinstance(y, Site) and x.source == y.number:
            return x.link
    return link_number(v, v.site(one), v.site(other))


def link_number(v: Values, a: str, b: str) -> str:
    """The number of the link between two sites; a fault when none can join them."""
    table, row = v.plan.incident_table
    number, index = v.w.fresh("n"), v.w.fresh("i")
    v.w.put(f"{number} = -1")
    v.w.put(f"{index} = 0")
    base = v.w.let(f"{table} + {a} * {row}", "k")
    with v.w.block(f"while {index} < g.tables[{base}] and {number} < 0:"):
        with v.w.block(f"if g.tables[{base} + 1 + 2 * {index}] == {b}:"):
            v.w.put(f"{number} = g.tables[{base} + 2 + 2 * {index}]")
        v.w.put(f"{index} = {index} + 1")
    with v.w.block(f"if {number} < 0:"):
        v.fault("link-length")
        v.w.put(f"{number} = 0")
    return number


def link_bit(v: Values, number: str) -> str:
    """1 if the link with that number is there, else 0."""
    n = v.w.let(number, "n")
    word = f"{v.state}[{v.plan.links} + ({n} >> 6)]"
    return v.w.let(f"shift_right({word}, {n} & 63) & 1", "b")


def linked_words(v: Values, words: Words) -> Words:
    """The sites joined to a set by links that are there."""
    table, row = v.plan.incident_table
    found = v.w.variable(v.w.constant(0))
    with v.w.sites(words) as site:
        base = v.w.let(f"{table} + {site} * {row}", "k")
        index = v.w.fresh("i")
        v.w.put(f"{index} = 0")
        with v.w.block(f"while {index} < g.tables[{base}]:"):
            at = v.w.let(f"{base} + 1 + 2 * {index}", "k")
            v.w.put(f"{index} = {index} + 1")
            with v.w.block(f"if {link_bit(v, f'g.tables[{at} + 1]')} != 0:"):
                other = v.w.site_bit(v.w.let(f"g.tables[{at}]", "s"))
                v.w.assign(found, v.w.each("{0} | {1}", found, other))
    return found
