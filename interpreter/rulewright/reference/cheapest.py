"""Cheapest paths over the sites of a board (Dijkstra 1959).

In: a path of an evaluator and a context.  Out: what it costs to come to each site, and by which
steps.  Costs may depend on both sites of a step; a negative one is a `Fault`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from heapq import heappop, heappush
from typing import Any

from attrs import evolve, field, frozen

from rulewright.errors import Fault
from rulewright.model.board import Mask, bits, union
from rulewright.model.evaluation import CheapestPath, PathStep
from rulewright.reference.evaluate import evaluate
from rulewright.reference.position import Context, checked

Cost = int | float
Ways = dict[int, list[tuple[int, Cost]]]


def search(path: CheapestPath, c: Context) -> tuple[dict[int, Cost], Ways]:
    """The least cost of every site that can be reached, and the steps tried from each site."""
    costs: dict[int, Cost] = {}
    steps_from: Ways = {}
    queue: list[tuple[Cost, int]] = []
    for start in path.starts:
        sites = evaluate(start.sites, c)
        if sites:
            cost = _counted(evaluate(start.cost, c), path)
            queue += [(cost, site) for site in bits(sites)]
    queue.sort()
    outer = c.frame
    try:
        ways = [_ways(step, c) for step in path.steps]
        while queue:
            cost, site = heappop(queue)
            if site in costs:
                continue
            costs[site] = cost  # the first is the least: no step has a negative cost
            for step, way in zip(path.steps, ways, strict=True):
                for other, price in _from(step, way, site, c):
                    steps_from.setdefault(site, []).append((other, price))
                    heappush(queue, (checked(cost + price), other))
    finally:
        c.frame = outer
    return costs, steps_from


@frozen
class _Way:
    """A step of a path in one position.

    `into` are the sites it may end in where these do not depend on where it begins, `over` those
    between two steps at once, `neighbours_of` where single ones of these lead.
    """

    neighbours: Any
    into: Mask | None
    over: Mask
    neighbours_of: dict[int, tuple[int, ...]] = field(factory=dict)


def _ways(step: PathStep, c: Context) -> _Way:
    """The neighbours by a step, and the sites it may end in where these do not depend on it."""
    c.frame = [0] * step.slots
    steps = evaluate(step.steps, c)
    if step.linked:
        neighbours: Any = c.links[steps].neighbours(c.position.links[steps])
    else:
        neighbours = c.board.neighbours(steps)
    into = None if step.local else evaluate(step.into, c)
    return _Way(neighbours, into, 0 if step.over is None else evaluate(step.over, c))


def _from(step: PathStep, way: _Way, site: int, c: Context) -> Iterator[tuple[int, Cost]]:
    """The sites that a step leads to, and its cost for each."""
    if step.over is not None:
        yield from _over_two(step, way, site, c)
        return
    for other in _one_step(step, way, site, c):
        yield other, _counted(evaluate(step.cost, c), step)


def _over_two(step: PathStep, way: _Way, site: int, c: Context) -> Iterator[tuple[int, Cost]]:
    """The sites two steps away to which there are two ways at least, and what that costs."""
    ways_to: Counter[int] = Counter()
    for between in _steps_once(step, way, site, c):
        if way.over >> between & 1:
            ways_to.update(_steps_once(step, way, between, c))
    for other in sorted(ways_to):
        if ways_to[other] > 1 and other != site and way.into is not None and way.into >> other & 1:
            c.frame = [0] * step.slots
            yield other, _counted(evaluate(step.cost, c), step)


def _steps_once(step: PathStep, way: _Way, site: int, c: Context) -> tuple[int, ...]:
    """The sites that one step leads to, evaluated once for each site."""
    if site not in way.neighbours_of:
        way.neighbours_of[site] = tuple(_one_step(step, evolve(way, into=c.board.sites), site, c))
    return way.neighbours_of[site]


def _one_step(step: PathStep, way: _Way, site: int, c: Context) -> Iterator[int]:
    """The sites that one step leads to, each in the frame of that step."""
    c.frame = [0] * step.slots
    if step.named:
        c.frame[0] = 1 << site
    targets = way.neighbours[site] & (evaluate(step.into, c) if way.into is None else way.into)
    for other in bits(targets):
        if step.named:
            c.frame[1] = 1 << other
        if c.budget is not None:
            c.budget.spend()
        if evaluate(step.when, c):
            yield other


def _counted(cost: Cost, where: CheapestPath | PathStep) -> Cost:
    if cost < 0:
        raise Fault("negative-cost", f"a step of a path costs {cost}", where.origin)
    return cost


@frozen
class PathEnd:
    """An end of a group of own pieces that lies on a cheapest path: where the path leaves it.

    `forward` is the way towards the sites where the path may end, otherwise back to where it began.
    """

    site: int
    forward: bool


def cheapest_steps(path: CheapestPath, c: Context) -> list[tuple[int, int, Cost]]:
    """The steps of all cheapest paths: from which site to which, and what each costs."""
    costs, steps_from = search(path, c)
    return list(_steps_of_cheapest(costs, steps_from, evaluate(path.target, c), path.unit))


def ends(path: CheapestPath, c: Context) -> list[PathEnd]:
    """The ends of own groups on all cheapest paths, in reading order.

    A path leaves a group by a step that costs something, or between an own site and one that is
    not: what a peg costs may be counted where a step ends, so that coming to an own peg is free.
    It leaves no group ahead where it may end, and none back where it begins.
    """
    costs, steps_from = search(path, c)
    target, own = evaluate(path.target, c), c.position.owned[c.view]
    begins, path_ends = _outer(path, 0, c), set()
    for site, other, price in _steps_of_cheapest(costs, steps_from, target, path.unit):
        if not price and (own >> site ^ own >> other) & 1 == 0:
            continue
        for end, forward, border in ((site, True, target), (other, False, begins)):
            if (own & ~border) >> end & 1:
                path_ends.add((end, forward))
    return [PathEnd(site, forward) for site, forward in sorted(path_ends)]


def _outer(path: CheapestPath, target: Mask, c: Context) -> Mask:
    """The sites where the path begins, and those of the target."""
    return target | union(evaluate(start.sites, c) for start in path.starts)


@frozen
class PassedSite:
    """An own site, and what the cheapest path through it costs beside the cheapest of all.

    `least` is the cost of the cheapest path of all, the same for every site; `through` is that of
    the cheapest one by this site.  Either is None where there is no such path.  `outer`: paths
    begin or may end here.
    """

    site: int
    least: Cost | None
    through: Cost | None
    outer: bool


def passed_sites(path: CheapestPath, c: Context) -> list[PassedSite]:
    """Every own site as the cheapest paths see it, in reading order."""
    costs, steps_from = search(path, c)
    target, own = evaluate(path.target, c), c.position.owned[c.view]
    outer = _outer(path, target, c)
    costs_onward = _to_target(costs, steps_from, target)
    least = min((costs[site] for site in bits(target) if site in costs), default=None)
    return [
        PassedSite(
            site, least,
            costs[site] + costs_onward[site] if site in costs and site in costs_onward else None,
            bool(outer >> site & 1),
        )
        for site in bits(own)
    ]  # fmt: skip


def _to_target(costs: dict[int, Cost], steps_from: Ways, target: Mask) -> dict[int, Cost]:
    """The least cost from each site to the target of a path."""
    back: Ways = {}
    for site, steps in steps_from.items():
        for other, price in steps:
            back.setdefault(other, []).append((site, price))
    queue: list[tuple[Cost, int]] = [(0, site) for site in bits(target) if site in costs]
    costs_onward: dict[int, Cost] = {}
    while queue:
        cost, site = heappop(queue)
        if site not in costs_onward:
            costs_onward[site] = cost
            for before, price in back.get(site, ()):
                heappush(queue, (cost + price, before))
    return costs_onward


def _steps_of_cheapest(
    costs: dict[int, Cost], steps_from: Ways, target: Mask, unit: int
) -> Iterator[tuple[int, int, Cost]]:
    """The steps of cheapest paths, compared in units, and their costs."""
    reached = [site for site in bits(target) if site in costs]
    exact = unit == 1  # costs may have fractions
    least = min((costs[site] if exact else costs[site] // unit for site in reached), default=0)
    back: dict[int, list[tuple[int, Cost]]] = {}
    for site, steps in steps_from.items():
        for other, price in steps:
            if costs[site] + price == costs[other]:
                back.setdefault(other, []).append((site, price))
    todo = [s for s in reached if (costs[s] if exact else costs[s] // unit) == least]
    visited = set(todo)
    while todo:
        other = todo.pop()
        for site, price in back.get(other, ()):
            yield site, other, price
            if site not in visited:
                visited.add(site)
                todo.append(site)
