"""Links as kernel text: numbers of possible links, which are there, what they join and cross."""

from __future__ import annotations

from rulewright.kernels.values import Values
from rulewright.kernels.writer import Words
from rulewright.model import expressions as m


def crossed(v: Values, e: m.Apply) -> str:
    """Whether a link that is there crosses the one that could join a and b."""
    if v.plan.link_table is None:
        return "1 == 0"
    a, b = v.site(e.arguments[0]), v.site(e.arguments[1])
    whose = v.words(e.arguments[2])
    number = link_number(v, a, b)
    table, row = v.plan.crossing_table
    found, index = v.w.fresh("b"), v.w.fresh("i")
    v.w.put(f"{found} = 0")
    base = v.w.let(f"{table} + {number} * {row}", "k")
    v.w.put(f"{index} = 0")
    with v.w.block(f"while {index} < K[{base}] and {found} == 0:"):
        at = v.w.let(f"{base} + 1 + 3 * {index}", "k")
        v.w.put(f"{index} = {index} + 1")
        with v.w.block(f"if {link_bit(v, f'K[{at}]')} != 0:"):
            one, other = (v.w.has(whose, v.w.let(f"K[{at} + {i}]", "s")) for i in (1, 2))
            v.w.put(f"{found} = {one} & {other}")
    return f"{found} != 0"


def link_number(v: Values, a: str, b: str) -> str:
    """The number of the link between two sites; a fault when none can join them."""
    table, row = v.plan.incident_table
    number, index = v.w.fresh("n"), v.w.fresh("i")
    v.w.put(f"{number} = -1")
    v.w.put(f"{index} = 0")
    base = v.w.let(f"{table} + {a} * {row}", "k")
    with v.w.block(f"while {index} < K[{base}] and {number} < 0:"):
        with v.w.block(f"if K[{base} + 1 + 2 * {index}] == {b}:"):
            v.w.put(f"{number} = K[{base} + 2 + 2 * {index}]")
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
        with v.w.block(f"while {index} < K[{base}]:"):
            at = v.w.let(f"{base} + 1 + 2 * {index}", "k")
            v.w.put(f"{index} = {index} + 1")
            with v.w.block(f"if {link_bit(v, f'K[{at} + 1]')} != 0:"):
                other = v.w.site_bit(v.w.let(f"K[{at}]", "s"))
                v.w.assign(found, v.w.each("{0} | {1}", found, other))
    return found
