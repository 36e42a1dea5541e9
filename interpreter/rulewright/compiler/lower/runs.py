"""Runs: what a ray marks that goes through one set to the first site of another.

In: a ray such as `/[enemy+], own/` from one site, on a board of two words and more.  Out: the sites
of the run, without a loop: of the ray's sites that are not in the first set the nearest one ends
the run, and counts if it is in the second.  Refuses (`Unsupported`) all other rays.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.compiler.ir.nodes import Expr, as_expr, choice, op
from rulewright.compiler.layout import Unsupported
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.writer import Site, Sites
from rulewright.compiler.passes.normalize import Normalizer, narrowest
from rulewright.model import expressions as m
from rulewright.model.board import Step, union


def lower_run(v: Values, e: m.Ray) -> Sites:
    """Write the run from one site along all steps; raises `Unsupported`."""
    if v.layout.words == 1 or v.board.is_irregular:
        raise Unsupported
    through, goal = _run_of(v, e)
    steps = v.known_steps(e.along)
    run, end, source = v.sites(through), v.sites(goal), v.value(e.source)
    if not isinstance(source, Site):
        raise Unsupported
    return v.w.union([_along(v, source.number, step, run, end) for step in steps])


def _run_of(v: Values, e: m.Ray) -> tuple[m.Expr, m.Expr]:
    """Return the set of a run that is marked, and the set that ends it: they share no site."""
    match e.pattern:
        case m.Sequence((m.Marked(item=m.Repeated(m.OnSite(run), low, None)), m.OnSite(end))):
            normal = Normalizer(v.rules, v.view, v.mover)
            inside, behind = (narrowest(normal(sites), "owned") for sites in (run, end))
            apart = inside and behind and not inside & behind
            if apart and isinstance(low, m.Const) and low.value in (0, 1):
                return run, end
    raise Unsupported


def _along(v: Values, site: Expr, step: Step, run: Sites, end: Sites) -> Sites:
    """Write the run along one step.  Words are gone through from the site on: up, or down."""
    w, board = v.w, v.board
    rays = tuple(union(board.walk(s, step)) for s in range(len(board.names)))
    ray = w.load("g.tables", v.layout.mask_table(rays) + site * v.layout.words)
    rises = step[0] + step[1] * board.width > 0
    order = range(v.layout.words) if rises else range(v.layout.words)[::-1]
    stops = [w.let(ray.words[i] & ~run.words[i], "m") for i in order]
    word, goal, near = _first_word(v, stops, [end.words[i] for i in order])
    bit, before = _nearest(v, word, rises)
    is_met = w.let(0 - w.flag((bit & goal).ne(0)), "m")
    between = {
        i: choice(here.ne(0), choice(stop.eq(0), -1, before), 0)
        for i, stop, here in zip(order, stops, near, strict=True)
    }
    return ray.each(
        lambda word, sites: w.let(word & is_met & sites, "m"),
        w.sites_of(between[i] for i in range(len(between))),
    )


def _first_word(
    v: Values, stops: Sequence[Expr], goals: Sequence[Expr]
) -> tuple[Expr, Expr, list[Expr]]:
    """Write the first word that is not empty, that of *goals*, and which words it is not before."""
    word, goal, near = v.w.var(stops[0], "m"), v.w.var(goals[0], "m"), [as_expr(1)]
    for stop, other in zip(stops[1:], goals[1:], strict=True):
        near.append(v.w.let(choice(word.eq(0), 1, 0), "b"))
        v.w.set(goal, choice(word.eq(0), other, goal))
        v.w.set(word, choice(word.eq(0), stop, word))
    return word, goal, near


def _nearest(v: Values, word: Expr, rises: bool) -> tuple[Expr, Expr]:
    """Write the nearest bit of a word, lowest or highest, and the bits between it and the site."""
    w = v.w
    if rises:
        less = w.let(op("wrap_add", word, -1), "m")
        return w.let(word & ~less, "m"), w.let(less & ~word, "m")
    spread = word
    for far in (1, 2, 4, 8, 16, 32):
        spread = w.let(spread | op("shift_right", spread, far), "m")
    return w.let(spread ^ op("shift_right", spread, 1), "m"), w.let(~spread, "m")
