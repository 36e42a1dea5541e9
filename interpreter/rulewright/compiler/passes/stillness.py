"""What no position can change: conditions, numbers and rays that a site alone determines.

In: an expression with one variable that stands for every site.  Out: its value for each of them, by
the reference; None where it depends on the position.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import evolve

from rulewright.compiler.layout import Unsupported
from rulewright.compiler.passes.normalize import Normalizer
from rulewright.errors import Fault
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.walk import nodes, operations
from rulewright.reference.evaluate import evaluate
from rulewright.reference.position import Context

STATIC = frozenset({
    "add", "subtract", "multiply", "negate", "abs", "sign", "div", "mod", "count", "x", "y", "z",
    "not", "less", "less_equal", "equal", "inside", "between", "meets", "any", "unite", "intersect",
    "complement", "step", "row", "column", "layer", "site", "image", "placed",
})  # fmt: skip
"""Operations that do not depend on the position."""


def _by_site(rules: r.Rules, e: m.Expr, slot: int) -> Iterator[Any]:
    """Evaluate an expression that does not depend on the position, for every site."""
    nowhere: Any = None
    for site in range(len(rules.board.names)):
        frame: Any = {slot: 1 << site}
        context = Context(rules.board, rules.functions, (), nowhere, frame=frame)
        yield evaluate(e, context) if rules.board.sites >> site & 1 else 0


def still_sites(rules: r.Rules, e: m.Expr, slot: int) -> int | None:
    """Return the sites for which a condition holds; None if it depends on the position."""
    if any(isinstance(n, m.StateValue | m.Ray | m.CallFunction) for n in nodes(e)):
        return None
    locals_ = {n.slot for n in nodes(e) if isinstance(n, m.Local)}
    return _where(rules, e, slot) if locals_ == {slot} and operations(e) <= STATIC else None


def _where(rules: r.Rules, e: m.Expr, slot: int) -> int:
    """Return the sites for which a constant condition holds; raises `Unsupported`."""
    try:
        return sum(1 << site for site, holds in enumerate(_by_site(rules, e, slot)) if holds)
    except Fault:
        raise Unsupported from None


def numbers_by_site(rules: r.Rules, e: m.Expr, slot: int) -> list[int] | None:
    """Return a number's value for every site; None if it depends on the position."""
    odd = (m.StateValue, m.Ray, m.CallFunction, m.FactorValue, m.ScanValue, m.PathValue)
    if any(isinstance(n, odd) for n in nodes(e)) or not operations(e) <= STATIC | {"lines"}:
        return None
    try:
        return [int(value) for value in _by_site(rules, e, slot)]
    except Fault:
        return None


_MOST_SITES = 256
"""Sites of boards on which a ray is worked out for each of them when a game is lowered."""


def still_ray(normal: Normalizer, e: m.Ray) -> tuple[int, ...] | None:
    """Return what a ray marks from every site; None if its steps or sets depend on the position."""
    rules, site = normal.rules, m.Local(m.Type.SITE, 0)
    if len(rules.board.names) > _MOST_SITES or not _may_be_still((e.along, e.pattern)):
        return None
    ray = normal(evolve(e, source=site))
    if not isinstance(ray, m.Ray) or not _may_be_still((ray.along, ray.pattern)):
        return None
    try:
        return tuple(int(sites) for sites in _by_site(rules, ray, 0))
    except Fault:
        return None


def _may_be_still(part: object) -> bool:
    """Whether nothing in a part asks for the position or a variable, as far as definitions tell."""
    return operations(part) <= STATIC | {"opposite"} and not any(
        isinstance(n, _ASKING) for n in nodes(part)
    )


_ASKING = (
    m.Local, m.StateValue, m.Quantified, m.Viewed, m.Ray, m.FactorValue, m.ChosenValue, m.Change,
    m.ScanValue, m.PathValue,
)  # fmt: skip
