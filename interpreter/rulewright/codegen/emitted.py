"""What was emitted for a game, and how its positions lie in memory: all that running it needs.

In: a plan.  Out: where the parts of a position lie.  Kernels that are kept between runs are loaded
without the modules that wrote them.
"""

from __future__ import annotations

from attrs import frozen

from rulewright.codegen import plan as p
from rulewright.codegen.plan import Plan
from rulewright.model.expressions import Type


@frozen
class Emitted:
    """The kernels of a game as text, and how its positions lie in memory."""

    text: str
    plan: Plan
    row: int


def key_words(plan: Plan) -> list[tuple[int, bool]]:
    """The words of a position that `repeats` compares, and whether only while the turn goes on."""
    found = [(i, False) for i in range(plan.owned, plan.links + plan.link_words)]
    for index, state in enumerate(plan.rules.states):
        if not state.unseen:
            size = (plan.words if state.type is Type.SITES else 1) * (2 if state.each else 1)
            found += [(plan.states[index] + i, state.within_turn) for i in range(size)]
    return [*found, (p.MOVER, False), (p.AGAIN, False), (p.REST, False)]


def state_words(plan: Plan, index: int, values: tuple[object, object]) -> list[tuple[int, int]]:
    """Where a state lies, and its words for the values of both players."""
    state, offset = plan.rules.states[index], plan.states[index]
    words: list[int] = []
    for value in values if state.each else values[:1]:
        assert isinstance(value, int)
        words += plan.split(value) if state.type is Type.SITES else [int(value)]
    return [(offset + i, word) for i, word in enumerate(words)]
