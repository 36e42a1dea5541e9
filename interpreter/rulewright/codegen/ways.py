"""Cheapest paths as kernel text, by whole sets (Dijkstra 1959, with buckets as in Dial 1969).

In: a path of an evaluator.  Out: its cost.  Sites wait in the bucket of their cost; the cheapest
bucket is taken whole.  Steps without names are taken by shifts of the whole bucket, steps that name
their two sites one by one.  Refuses (`NoPlan`) costs that are not whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.codegen.crossings import Uncrossed, goes_uncrossed
from rulewright.codegen.links import linked_words
from rulewright.codegen.plan import NoPlan
from rulewright.codegen.values import Site
from rulewright.codegen.writer import Words
from rulewright.model.evaluation import CheapestPath, PathStep
from rulewright.model.expressions import Const, Type

if TYPE_CHECKING:
    from rulewright.codegen.judging import Judging

BUCKETS = 4096
"""Costs up to this; a path that costs more is a fault."""


def cheapest(v: Judging, path: CheapestPath, type_: Type) -> str:
    """The cost of a path, or what it says where there is none."""
    costs = [*(s.cost for s in path.starts), *(s.cost for s in path.steps)]
    if type_ is Type.REAL or any(cost.type is Type.REAL for cost in costs):
        raise NoPlan("a path whose costs are not whole")
    return _Path(v, path).write()


class _Path:
    """One path under way: buckets in X, one set of sites for each cost."""

    def __init__(self, v: Judging, path: CheapestPath) -> None:
        self.v, self.w, self.path = v, v.w, path
        self.size = v.plan.words
        self.room = v.plan.scratch(BUCKETS * self.size)
        self.top = v.w.fresh("h")
        self.open: Uncrossed | None = None

    def write(self) -> str:
        """The text; gives the name of the cost."""
        v, w = self.v, self.w
        w.put(f"{self.top} = -1")
        for start in self.path.starts:
            sites, cost = v.words(start.sites), v.number(start.cost)
            with w.block(f"if {w.some(sites)}:"):
                self._push(sites, cost)
        result, cost = w.fresh("r"), w.fresh("c")
        target = v.words(self.path.target)
        self.open = Uncrossed.of(v, self.path)
        steps = [self._prepared(step) for step in self.path.steps]
        known = w.variable(w.constant(0))
        w.put(f"{result} = -1")
        w.put(f"{cost} = 0")
        with w.block(f"while {cost} <= {self.top} and {result} < 0:"):
            at = w.let(f"{self.room} + {cost} * {self.size}", "k")
            bucket = w.load("g.scratch", at)
            fresh = w.variable(w.each("{0} & ~{1}", bucket, known))
            w.store("g.scratch", at, w.constant(0))
            with w.block(f"if {w.none(fresh)}:"):
                w.put(f"{cost} = {cost} + 1")
            with w.block("else:"):
                w.assign(known, w.each("{0} | {1}", known, fresh))
                with w.block(f"if {w.some(w.each('{0} & {1}', fresh, target))}:"):
                    w.put(f"{result} = {cost}")
                with w.block("else:"):
                    for step, (into, price) in zip(self.path.steps, steps, strict=True):
                        self._take(step, fresh, known, (into, price, cost))
        self._clear(cost)
        with w.block(f"if {result} < 0:"):
            w.put(f"{result} = {v.converted(self.path.otherwise, Type.INT)}")
        return result

    def _prepared(self, step: PathStep) -> tuple[Words | None, str]:
        """Where a step may end and what it costs, if that does not depend on its sites."""
        if step.named and not goes_uncrossed(self.v, step):
            return None, ""
        into, v = self.v.words(step.into), self.v
        if not step.named and not (isinstance(step.when, Const) and step.when.value):
            held = v.flag(v.truth(step.when))
            into = self.w.each(f"{{0}} & (0 - {held})", into)
        return into, self._price(v.number(step.cost))

    def _price(self, cost: str) -> str:
        with self.w.block(f"if {cost} < 0:"):
            self.v.fault("negative-cost")
        return self.w.let(f"{cost} if {cost} >= 0 else 0", "c")

    def _near(self, step: PathStep, words: Words) -> Words:
        if step.linked:
            return linked_words(self.v, words)
        if self.open is not None and goes_uncrossed(self.v, step):
            return self.open.near(words)
        return self.v.neighbours(self.v.known_steps(step.steps), words)

    def _take(
        self, step: PathStep, fresh: Words, known: Words, way: tuple[Words | None, str, str]
    ) -> None:
        w, (into, price, cost) = self.w, way
        if into is not None:
            reached = w.each("{0} & {1} & ~{2}", self._near(step, fresh), into, known)
            with w.block(f"if {w.some(reached)}:"):
                self._push(reached, w.let(f"{cost} + {price}", "c"))
            return
        outer, v = self.v.frame, self.v
        with w.sites(fresh) as a:
            v.frame = {0: Site(a)}
            near = self._near(step, w.site_bit(a))
            reached = w.each("{0} & {1} & ~{2}", near, v.words(step.into), known)
            with w.sites(reached) as b:
                v.frame[1] = Site(b)
                with w.block(f"if {v.truth(step.when)}:"):
                    price = self._price(v.number(step.cost))
                    self._push(w.site_bit(b), w.let(f"{cost} + {price}", "c"))
        v.frame = outer

    def _push(self, sites: Words, cost: str) -> None:
        """Let sites wait in the bucket of a cost."""
        w = self.w
        with w.block(f"if {cost} < 0 or {cost} >= {BUCKETS}:"):
            self.v.fault("overflow")
        with w.block("else:"):
            at = w.let(f"{self.room} + {cost} * {self.size}", "k")
            held = w.load("g.scratch", at)
            w.store("g.scratch", at, w.each("{0} | {1}", held, sites))
            w.put(f"{self.top} = {cost} if {cost} > {self.top} else {self.top}")

    def _clear(self, cost: str) -> None:
        """Leave all buckets empty for the next time."""
        w = self.w
        with w.block(f"while {cost} <= {self.top}:"):
            at = w.let(f"{self.room} + {cost} * {self.size}", "k")
            w.store("g.scratch", at, w.constant(0))
            w.put(f"{cost} = {cost} + 1")
