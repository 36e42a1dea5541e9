"""Heat maps: where the decisions of an explanation lead, the better the warmer.

In: a state and an explanation.  Out: for sites of the board a text and a share of 1.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from rulewright.game import State
from rulewright.model.personality import Number
from rulewright.players.explain import Explanation


@frozen
class Heat:
    """The best value of the decisions that put a piece on a site, as text and as a share of 1."""

    texts: Mapping[int, str]
    shares: Mapping[int, float]


def heat(state: State, explanation: Explanation) -> Heat:
    """What a heat map shows: decisions that put one piece somewhere, the better the warmer."""
    best: dict[int, Number] = {}
    mover = state.situation.position.mover
    before = state.situation.position.owned[mover]
    after = {option.text: option.after for option in state.situation.options}
    for one in reversed(explanation.moves):  # the best last
        fresh = after[one.move].owned[mover] & ~before
        if fresh.bit_count() == 1:
            best[fresh.bit_length() - 1] = one.value
    low, high = min(best.values(), default=0), max(best.values(), default=0)
    texts = {site: f"{value:.4g}" for site, value in best.items()}
    return Heat(texts, {s: (v - low) / (high - low or 1) for s, v in best.items()})
