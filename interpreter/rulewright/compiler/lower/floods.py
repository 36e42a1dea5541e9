"""What is connected: sites within reach of others, and groups, each by a flood.

In: a set to begin with and one to stay within.  Out: the sites that steps or links lead to, by
rounds in which the whole set grows; along a single step each round goes twice as far.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.compiler.ir.nodes import Expr
from rulewright.compiler.lower.links import linked_sites
from rulewright.compiler.lower.loops import note_flood
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.writer import Sites, also
from rulewright.model import expressions as m
from rulewright.model.board import Step


def each_group(v: Values, e: m.Apply, body: Callable[[Sites], None], stop: Expr | None) -> None:
    """Write *body* for every group of a set, while the truth *stop* holds."""
    near = _grows(v, e)
    rest = v.w.variable(v.sites(e.arguments[0]))
    note_flood(v.layout, "groups", e.origin, v.rounds)
    with v.w.loop(also(rest.any(), stop)):
        seed = v.w.site_bit(rest.lowest())
        group = v.w.flood(seed, rest, near)
        v.w.assign(rest, rest - group)
        body(group)


def _grows(v: Values, e: m.Apply) -> Callable[[Sites], Sites]:
    """Return what writes the sites beside a set, by the steps or the links of groups."""
    if e.operation == "groups_linked":
        return lambda sites: linked_sites(v, sites)
    steps = v.board.both_ways(v.known_steps(e.arguments[1]))
    return lambda sites: v.neighbours(steps, sites)


def reach(v: Values, e: m.Apply) -> Sites:
    """Write the sites that lie in steps within a set from another one."""
    steps = v.known_steps(e.arguments[2])
    seed, within = v.sites(e.arguments[0]), v.sites(e.arguments[1])
    if len(steps) == 1 and not v.board.is_irregular:
        return _reach_along(v, seed & within, within, steps[0])
    note_flood(v.layout, "reach", v.origin, v.rounds)
    return v.w.flood(seed, within, lambda sites: v.neighbours(steps, sites))


def _reach_along(v: Values, seed: Sites, within: Sites, step: Step) -> Sites:
    """Write the sites of *within* from *seed* on along a step; each round goes twice as far."""
    w, board, sites = v.w, v.board, v.w.variable(seed)
    by, far = step[0] + step[1] * board.width, board.longest(step) - 1
    with w.when(seed.any()):
        through = within & w.fixed(board.arrivals(step))
        reached, stride = 0, 1
        while reached < far:
            w.add(sites, through & sites.shifted(stride * by))
            reached += stride
            if stride < far - reached:
                through = through & through.shifted(stride * by)
                stride *= 2
    return sites


def reach_linked(v: Values, e: m.Apply) -> Sites:
    """Write the sites that links lead to within a set from another one."""
    seed, within = v.sites(e.arguments[0]), v.sites(e.arguments[1])
    note_flood(v.layout, "reach", v.origin, v.rounds)
    return v.w.flood(seed, within, lambda sites: linked_sites(v, sites))
