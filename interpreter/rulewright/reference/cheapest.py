"""Cheapest paths over the sites of a board (Dijkstra 1959).

In: a path of an evaluator and a context.  Out: what it costs to come to each site, and by which
steps.  Costs may depend on both sites of a step; a negative one is a `Fault`.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import Any

from rulewright.errors import Fault
from rulewright.model.board import Mask, bits
from rulewright.model.evaluation import CheapestPath, PathStep
from rulewright.reference.context import Context, checked
from rulewright.reference.evaluate import evaluate

Cost = int | float
Ways = dict[int, list[tuple[int, Cost]]]


def search(path: CheapestPath, c: Context) -> tuple[dict[int, Cost], Ways]:
    """The least cost of every site that can be reached, and the steps tried from each site."""
    known: dict[int, Cost] = {}
    tried: Ways = {}
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
            if site in known:
                continue
            known[site] = cost
            for step, way in zip(path.steps, ways, strict=True):
                for other, price in _from(step, way, site, c):
                    tried.setdefault(site, []).append((other, price))
                    heappush(queue, (checked(cost + price), other))
    finally:
        c.frame = outer
    return known, tried


def _ways(step: PathStep, c: Context) -> tuple[Any, Mask | None]:
    """The neighbours by a step, and the sites it may end in where these do not depend on it."""
    c.frame = [0] * step.slots
    steps = evaluate(step.steps, c)
    if step.linked:
        neighbours: Any = c.links[steps].neighbours(c.position.links[steps])
    else:
        neighbours = c.board.neighbours(steps)
    return neighbours, None if step.local else evaluate(step.into, c)


def _from(
    step: PathStep, way: tuple[Any, Mask | None], site: int, c: Context
) -> Iterator[tuple[int, Cost]]:
    """The sites that a step leads to, and its cost for each."""
    neighbours, into = way
    c.frame = [0] * step.slots
    if step.named:
        c.frame[0] = 1 << site
    targets = neighbours[site] & (evaluate(step.into, c) if into is None else into)
    for other in bits(targets):
        if step.named:
            c.frame[1] = 1 << other
        if evaluate(step.when, c):
            yield other, _counted(evaluate(step.cost, c), step)


def _counted(cost: Cost, where: CheapestPath | PathStep) -> Cost:
    if cost < 0:
        raise Fault("negative-cost", f"a step of a path costs {cost}", where.origin)
    return cost


def on_cheapest(path: CheapestPath, c: Context) -> tuple[Mask, Mask]:
    """The sites that lie on some cheapest path, and those of them where such a path ends."""
    known, tried = search(path, c)
    target = evaluate(path.target, c)
    ends = [site for site in bits(target) if site in known]
    if not ends:
        return 0, 0
    least = min(known[site] for site in ends)
    last = sum(1 << site for site in ends if known[site] == least)
    back: dict[int, list[int]] = {}
    for site, steps in tried.items():
        for other, price in steps:
            if known[site] + price == known[other]:
                back.setdefault(other, []).append(site)
    found, todo = last, list(bits(last))
    while todo:
        for before in back.get(todo.pop(), ()):
            if not found >> before & 1:
                found |= 1 << before
                todo.append(before)
    return found, last
