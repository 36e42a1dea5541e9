"""Earlier positions: the words in which kernels keep what stood before.

In: a state layout.  Out: the row of an earlier position: the words that `repeats` compares, those
of pieces and links first.  The first word tells most rows apart: it is a set of pieces, and where
no piece ever stands on the board a sum of all that follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from random import Random

from rulewright.compiler.layout import AGAIN, MOVER, REST, StateLayout, state_size
from rulewright.compiler.passes.normalize import is_apply
from rulewright.compiler.runtime import signed
from rulewright.ground.records import Record, record
from rulewright.model.rules import Put
from rulewright.model.walk import nodes


@record
class EarlierRow(Record):
    """The row of an earlier position."""

    words: tuple[tuple[int, bool], ...]
    """Offsets in a position, each with whether the word counts only in the middle of a turn."""
    board: int
    """How many words are about pieces and links."""
    factors: tuple[int, ...] = ()
    """What the words are multiplied by in the sum; none where there is no sum."""

    @classmethod
    def of(cls, layout: StateLayout) -> EarlierRow:
        """Lay out the row of a game."""
        words, board, rules = _words(layout), layout.piles.end - layout.owned, layout.rules
        parts = nodes(rules.functions, rules.actions, rules.moves, rules.ends, rules.setup)
        if any(isinstance(n, Put) or is_apply(n, "board_repeats") for n in parts):
            return cls(words, board)
        chance = Random(0x9A57)
        return cls(words, board, tuple(chance.getrandbits(62) | 1 for _ in words))

    def __len__(self) -> int:
        """The words of a row, its sum included."""
        return len(self.words) + bool(self.factors)

    def read(self, position: Sequence[int], over: bool) -> list[int]:
        """Return the row of a position; *over*: nothing is left of the turn."""
        words = [0 if hidden and over else position[at] for at, hidden in self.words]
        if not self.factors:
            return words
        return [signed(sum(map(mul, self.factors, words))), *words]


def _words(layout: StateLayout) -> tuple[tuple[int, bool], ...]:
    words = [(i, False) for i in range(layout.owned, layout.piles.end)]
    for index, state in enumerate(layout.rules.states):
        if not state.unseen:
            size = state_size(state, layout.words) * (len(layout.rules.views) if state.each else 1)
            words += [(layout.states[index] + i, state.within_turn) for i in range(size)]
    words += [(layout.out, False)] * bool(layout.out)
    return (*words, (MOVER, False), (AGAIN, False), (REST, False))
