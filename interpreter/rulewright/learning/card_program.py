"""Which kernels of a batch run on a card, and how its arrays lie there.

In: the arrays of a batch on the processor, of a single lane.  Out: `CardKernels` for each group of
kernels that are needed together; for each array its order and whether a lane or a worker has it.
Refuses, as `LearningError` with the reason, games whose kernels a card cannot run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import define

from rulewright.compiler.backend import Linked
from rulewright.compiler.backend import load as load_kernels
from rulewright.compiler.backend.ptx import CardKernels
from rulewright.compiler.backend.tiles import LaneOrder
from rulewright.compiler.layout import Unsupported
from rulewright.compiler.lower.sight import KERNEL as SIGHT
from rulewright.ground.records import Record
from rulewright.learning import card_kernels
from rulewright.learning.lane_arrays import SEEING, STEPPING, BatchArrays, LearningError

TOLD = ("wanted_action", "seats", "counts", "rewards", "terminated", "truncated", "wrong", "about")
"""The arrays of `card_kernels.Told`, in their order."""
_TILED = ("state", "past", "chance", "lane", "listed", "listed_rows", "seen_sites")
_OF_WORKERS = {"rows": LaneOrder.BOUNDED, "scratch": LaneOrder.TILED, "trial": LaneOrder.TILED}
_APART = (*TOLD[:-1], "legal", "planes", "chances", "numbers")
ARRAYS: Mapping[str, Sequence[str]] = {
    "act_on_card": (*STEPPING, *TOLD, "todo"),
    "roll_on_card": (*STEPPING, *TOLD),
    "weigh_lane": (*STEPPING, "chances"),
    "view_on_card": ("lane", "seat"),
    "number_on_card": ("state", "lane", "seen_sites", "parts", "numbers"),
    "observe_lane": ("state", "lane", "places", "planes"),
    "observe_part_of_lane": ("state", "lane", "seen_sites", "places", "planes"),
    "observe_links_of_lane": ("state", "links", "planes"),
    "observe_piles_of_lane": ("state", "lane", "piles", "planes"),
    SIGHT: SEEING,
}
"""The arrays that each kernel takes, in their order."""


def order_of(array: str) -> tuple[LaneOrder, bool]:
    """Return how an array lies on a card, and whether each worker has its own."""
    if array in _OF_WORKERS:
        return _OF_WORKERS[array], True
    if array in _TILED:
        return LaneOrder.TILED, False
    return (LaneOrder.APART if array in _APART else LaneOrder.SHARED), False


@define(eq=False)
class CardProgram(Record):
    """The kernels of a batch on a card."""

    arrays: BatchArrays
    """Those of a batch of one lane, on the processor."""
    rows: int
    """Decisions that a worker has room for."""

    @property
    def room(self) -> int:
        """Words of a worker's rows; the last one shows that they were too few."""
        return self.rows * self.arrays.engine.row + 1

    def groups(self) -> list[tuple[str, ...]]:
        """Return the kernels of this game, those together that are needed together."""
        observing = ["view_on_card", "number_on_card"]
        if self.arrays.has_secrets:
            observing += [SIGHT, "observe_part_of_lane"]
        else:
            observing.append("observe_lane")
        if self.arrays.planes.links:
            observing.append("observe_links_of_lane")
        if self.arrays.engine.plan.piles.stacked:
            observing.append("observe_piles_of_lane")
        by_chance = [("weigh_lane",)] * self.arrays.engine.play.rules.has_chance
        return [("act_on_card",), ("roll_on_card",), tuple(observing), *by_chance]

    def group(self, names: Sequence[str]) -> CardKernels:
        """Return kernels as one module; raises `LearningError` where a card cannot run them."""
        linked = [*self.arrays.linked_modules(), load_kernels(card_kernels)]
        modules = [self.arrays.engine.lowered, *_with_needs(linked)]
        nodes = [item.module for item in modules]
        kernels = {}
        for name in names:
            takes = next(m.functions[name] for m in nodes if name in m.functions).signature.flat
            pairs = zip(takes, ARRAYS[name], strict=True)
            kernels[name] = {parameter: order_of(array) for (parameter, _), array in pairs}
        card = CardKernels(nodes, kernels, self.room)
        try:
            card.assembly  # noqa: B018 - what a card cannot run is refused here
        except Unsupported as reason:
            game = self.arrays.engine.play.rules.name
            raise LearningError(f"{game} cannot be played on a card: {reason}") from None
        return card


def _with_needs(modules: Sequence[Linked]) -> list[Linked]:
    return list(dict.fromkeys(part for item in modules for part in (*item.needs, item)))
