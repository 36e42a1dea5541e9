"""Choices of a site, narrowed by the needs that follow them before any site is looked at.

In: a `choose` over sites and the statements after it.  Out: the sites that are left, and which
needs are settled by that.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from attrs import frozen

from rulewright.codegen.lift import Lift, attempt
from rulewright.codegen.plain import Plainer
from rulewright.codegen.values import Values
from rulewright.codegen.writer import Words
from rulewright.model import rules as r
from rulewright.model.expressions import Expr


@frozen
class Narrowed:
    """The sites that may be chosen, the needs that all of them meet, and the `let`s passed over."""

    sites: Words
    settled: tuple[r.Need, ...]
    lets: dict[int, Expr]


def narrowed(v: Values, s: r.Choose, following: Sequence[r.Effect]) -> Narrowed:
    """The sites of a choice that meet those following needs that can be tested for all at once."""
    plain = Plainer(v.plan.rules, v.view, v.mover)
    sites = v.words(s.domain)
    lets: dict[int, Expr] = {}
    settled: list[r.Need] = []
    for statement in following:
        match statement:
            case r.Bind(slot=slot, value=value):
                lets[slot] = plain(value, lets)
            case r.Need(condition=condition):
                test = plain(condition, lets)
                held = attempt(v.w, partial(Lift(v, s.slot).truth, test))
                how = "tested for all sites at once" if held else "tested for each choice"
                v.plan.note_at(statement.origin, "need", how)
                if held is not None:
                    settled.append(statement)
                    sites = v.w.each("{0} & {1}", sites, held)
            case r.Write():
                pass
            case _:
                break
    return Narrowed(sites, tuple(settled), lets)
