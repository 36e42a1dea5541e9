"""Two steps of a path at once, over either of two sites: what the enemy cannot cut in one turn.

In: a step of a path that goes `twice over` a set.  Out: for each vector between two sites the sites
from which at least two ways lead along it, worked out where the path begins, so that a whole set is
taken at once.  Refuses (`Unsupported`) steps along links that are there, steps whose conditions ask
for their sites in any other way than `not crossed`, steps that depend on the position, and boards
that are drawn.
"""

from __future__ import annotations

from functools import reduce
from operator import or_

from attrs import define

from rulewright.compiler.layout import Unsupported
from rulewright.compiler.lower.links import Uncrossed, goes_uncrossed
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.writer import Sites
from rulewright.ground.records import Record
from rulewright.model.board import Board, Step
from rulewright.model.evaluation import PathStep
from rulewright.model.expressions import Const


@define(repr=False, eq=False)
class TwoWays(Record):
    """For each vector the sites from which two ways lead along it; the sets lie at `rooms`."""

    v: Values
    rooms: dict[Step, int]

    @classmethod
    def of(cls, v: Values, step: PathStep, uncrossed: Uncrossed | None) -> TwoWays:
        """Write the sets at the begin of a path's kernel; raises `Unsupported`."""
        if step.over is None or step.linked or v.board.is_irregular:
            raise Unsupported("two steps along links, or on a board that is drawn")
        begins = _begins(v, step, uncrossed)
        over = v.sites(step.over)
        words = v.layout.words
        half = {way: sites & _shifted(v, over, (-way[0], -way[1])) for way, sites in begins.items()}
        by: dict[Step, list[tuple[Step, Step]]] = {}
        for a in begins:
            for b in begins:
                by.setdefault((a[0] + b[0], a[1] + b[1]), []).append((a, b))
        rooms = {}
        for vector, ways in by.items():
            if vector != (0, 0) and len(ways) > 1:
                overlaps = [half[a] & _shifted(v, begins[b], (-a[0], -a[1])) for a, b in ways]
                rooms[vector] = v.layout.scratch(words)
                v.w.store("g.scratch", rooms[vector], _two_of(overlaps))
        return cls(v, rooms)

    def near(self, sites: Sites, back: bool = False) -> Sites:
        """Write the set that two steps reach from a set, or (*back*) that reaches it."""
        w = self.v.w
        targets = w.empty()
        for (dx, dy), room in self.rooms.items():
            begins = w.load("g.scratch", room)
            if back:
                w.add(targets, _shifted(self.v, sites, (-dx, -dy)) & begins)
            else:
                w.add(targets, _shifted(self.v, sites & begins, (dx, dy)))
        return targets


def _begins(v: Values, step: PathStep, uncrossed: Uncrossed | None) -> dict[Step, Sites]:
    """Write, for each direction of a step, the set of sites where it may begin."""
    if uncrossed is not None and goes_uncrossed(v, step):
        starts = {}
        for (dx, dy), sites in uncrossed.directions:
            starts[dx, dy] = sites
            starts[-dx, -dy] = _shifted(v, sites, (dx, dy))
        return starts
    if step.named and not (isinstance(step.when, Const) and step.when.value):
        raise Unsupported("two steps at once, and a condition of each")
    holds = v.w.flag(v.truth(step.when))
    steps = v.known_steps(step.steps)
    return {
        way: v.w.constant(_on_board(v.board, way)).each(lambda word: word & (0 - holds))
        for way in dict.fromkeys(steps)
    }


def _on_board(board: Board, step: Step) -> int:
    """Return the sites from which a step leads to another."""
    return sum(1 << s for s, t in enumerate(board.targets(step)) if t)


def _shifted(v: Values, sites: Sites, by: Step) -> Sites:
    """Shift a set by a vector; no site of it may leave the board."""
    return sites.shifted(by[0] + by[1] * v.board.width)


def _two_of(sets: list[Sites]) -> Sites:
    """Write the set of sites that are in at least two of several sets."""
    pairs = [a & b for n, a in enumerate(sets) for b in sets[n + 1 :]]
    return reduce(or_, pairs)
