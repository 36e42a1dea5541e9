"""Scores: values of positions and decisions, seen by the person who decides at the root.

In: an evaluator in motion, factor values, positions.  Out: tuples that compare as they should:
first how the game has ended (a win sooner before a win later, before everything that is open), then
the parts of the value.
"""

from __future__ import annotations

from random import Random
from typing import TypeAlias

from attrs import define

from rulewright.model.evaluation import ValueOf
from rulewright.model.personality import Number
from rulewright.reference.evaluation import Choice, StaticEvaluator, side
from rulewright.reference.play import Option, Situation
from rulewright.reference.position import Position

Score: TypeAlias = tuple[Number, ...]
FAR = 1_000_000
"""More decisions than any game has: a win after n decisions ranks FAR - n."""

UNCERTAIN = 4.5e14
"""What losing counts where decisions were left out: as bad as the worst value, but no loss."""


@define
class Scorer:
    """Scores positions and decisions for one person by one value."""

    judge: StaticEvaluator
    value: ValueOf
    factors: tuple[Number, ...]
    random: Random
    person: int
    valued_ends: bool = False
    nodes: int = 0

    def open(self, position: Position) -> Score:
        """The score of a position as the evaluator values it."""
        self.nodes += 1
        parts = self.judge.of_position(self.value, position, self.factors, self.random)
        return (0, *self._signed(parts, position))

    def ended(self, situation: Situation, distance: int) -> Score:
        """The score of a finished game, *distance* decisions after the root."""
        outcome = situation.outcome
        assert outcome is not None
        if self.valued_ends:
            return self.open(situation.position)
        self.nodes += 1
        zero = (0,) * len(self.value.parts)
        if outcome.winner is None:
            return (0, *zero)
        won = outcome.winner ^ situation.position.swapped == self.person
        return ((FAR - distance) if won else distance - FAR, *zero)

    def decision(self, position: Position, option: Option) -> tuple[Score, Choice] | None:
        """The score of a decision by the value of a move; None when that value judges others."""
        if option.move not in self.value.moves:
            return None
        choice = self.judge.choices(position, option)
        assert choice is not None
        self.nodes += 1
        parts = self.judge.of_move(self.value, position, choice, self.factors, self.random)
        return (0, *self._signed(parts, position)), choice

    def _signed(self, parts: Score, position: Position) -> Score:
        better = side(self.value, position) ^ position.swapped == self.person
        return parts if better else tuple(-part for part in parts)


def person(position: Position) -> int:
    """Who decides: 0 for the person who began with the first colour."""
    return position.mover ^ position.swapped
