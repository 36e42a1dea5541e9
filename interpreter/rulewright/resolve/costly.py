"""What makes an expression slow: the part that multiplies its work most.

In: an expression that takes too many steps, and how expressions are measured.  Out: what to say of
it, and what would make it fast.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulewright.model import expressions as m
from rulewright.model.expressions import Expr, Type
from rulewright.resolve.cost import Measures, parts


@frozen
class Factor:
    """A part of an expression: how often it multiplies the work, and what to say of it."""

    times: int
    told: str
    advice: str


def largest(e: Expr, measures: Measures) -> Factor | None:
    """The part of *e* that multiplies its work most; None where it is just long."""
    return max(_factors(e, measures), key=lambda one: one.times, default=None)


def _factors(e: Expr, measures: Measures) -> Iterator[Factor]:
    """The factors on the way down the part that takes most steps."""
    inner: tuple[Expr, ...] = parts(e)
    match e:
        case m.Quantified():
            yield _variables(e, measures)
        case m.Ray():
            yield _ray(e, measures)
        case m.CallFunction():
            function = measures.functions[e.function]
            steps = measures.function(e.function).cost
            advice = "each use works it out anew: use it less often, or once for all in a `let`"
            yield Factor(2, f"`{function.name}` takes {steps:,} steps, each time", advice)
            inner = (*inner, *function.bodies)
    if inner:
        yield from _factors(max(inner, key=lambda part: measures.of(part).cost), measures)


def _variables(e: m.Quantified, measures: Measures) -> Factor:
    sizes = [measures.members(domain) for domain in e.domains]
    many = 1
    for size in sizes:
        many *= size
    steps = measures.of(e.body).cost
    shown = " x ".join(f"{size:,} {_what(d)}" for size, d in zip(sizes, e.domains, strict=True))
    told = f"{shown} are tried, each in {steps:,} steps"
    if len(sizes) > 1:
        advice = "each variable multiplies the work: use fewer, over smaller sets"
        return Factor(many, told, f"{advice}; often a ray, `groups` or `reach` says it at once")
    return Factor(many, told, "a smaller set, or a quicker condition, would make it fast")


def _what(domain: Expr) -> str:
    kinds = {Type.SITES: "sites", Type.SITE: "sites", Type.FAMILY: "sets", Type.RANGE: "numbers"}
    return kinds.get(domain.type, "directions")


def _ray(e: m.Ray, measures: Measures) -> Factor:
    starts, ways = measures.members(e.source), measures.members(e.along)
    steps = measures.matching(e.pattern)
    told = (
        f"this ray is matched from {starts:,} sites in {ways} directions, each in {steps:,} steps"
    )
    advice = (
        "repeat a part with one meaning, and mark outside of what repeats: `/[over: enemy+], own/`"
    )
    return Factor(starts * ways * steps, told, advice)
