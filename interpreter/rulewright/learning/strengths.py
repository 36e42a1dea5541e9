"""How strong patterns are, and how well they tell which move is played.

In: for each decision the moves that patterns propose.  Out: strengths by the model of Bradley and
Terry, fitted by minorization-maximization (Coulom, 2007), and a `Prediction`.  A decision is a
contest between all legal moves; a move competes with the strength of the best pattern that proposes
it, and with 1 where none does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import frozen

from rulewright.learning.lane_arrays import numpy
from rulewright.learning.placements import PlacedDecision

if TYPE_CHECKING:
    import numpy as np

    Numbers: TypeAlias = np.ndarray[Any, np.dtype[Any]]

_ROUNDS, _ENOUGH = 500, 1e-6
Proposals: TypeAlias = dict[int, tuple[int, ...]]
"""The sites that are proposed in a position, each with the numbers of its patterns."""


@frozen(eq=False)
class Contests:
    """Decisions as contests: `counts` (decisions, patterns + 1) says how many moves each sends.

    Column 0 is of moves that no pattern proposes.  `winners` is the column of the move played.
    """

    counts: Numbers
    winners: Numbers

    @classmethod
    def of(
        cls,
        decisions: Sequence[PlacedDecision],
        proposals: Sequence[Proposals],
        ranks: Sequence[int],
    ) -> Contests:
        """Return the contests in which each move is sent by its pattern of the highest rank."""
        np = numpy()
        counts = np.zeros((len(decisions), len(ranks) + 1))
        winners = np.zeros(len(decisions), int)
        for number, (decision, sites) in enumerate(zip(decisions, proposals, strict=True)):
            for site in decision.legal:
                column = 1 + max(sites[site], key=ranks.__getitem__) if site in sites else 0
                counts[number, column] += 1
                if site == decision.site:
                    winners[number] = column
        return cls(counts, winners)

    @property
    def wins(self) -> Numbers:
        """How often a move of each column was played."""
        return numpy().bincount(self.winners, minlength=self.counts.shape[1]).astype(float)

    def strengths(self) -> Numbers:
        """Return the strength of each column; that of column 0 is 1.

        Each pattern also wins and loses once against a move of strength 1, as in Coulom's paper, so
        that what was never played, or always, has a strength as well.
        """
        np, wins = numpy(), self.wins + 1
        strengths = np.ones(self.counts.shape[1])
        for _ in range(_ROUNDS):
            shares = 1 / (self.counts @ strengths)
            after = wins / (self.counts.T @ shares + 2 / (1 + strengths))
            after[0] = 1.0
            change = np.abs(np.log(after / strengths)).max()
            strengths = after
            if change < _ENOUGH:
                break
        return strengths


@frozen
class Prediction:
    """How well a file of patterns tells the moves of some decisions.

    `rank` is the mean rank of the move played, `first` and `ten` the shares of moves that were
    ranked first and among the first ten; moves of equal rank share their ranks.  `loss` is the mean
    cross entropy in bits.
    """

    decisions: int
    proposed: float
    rank: float
    first: float
    ten: float
    loss: float


def predict(contests: Contests, ranks: Sequence[int], strengths: Numbers) -> Prediction:
    """Judge the order of a file by *ranks*, and its *strengths*, on contests held out."""
    np, counts, winners = numpy(), contests.counts, contests.winners
    rows = np.arange(len(winners))
    order = np.array([0, *ranks])
    better = (counts * (order[None, :] > order[winners][:, None])).sum(axis=1)
    same = counts[rows, winners]
    chances = strengths[winners] / (counts @ strengths)

    def share(most: int) -> float:
        return float(np.clip((most - better) / same, 0, 1).mean())

    return Prediction(
        len(winners), float((winners > 0).mean()), float((better + (same + 1) / 2).mean()),
        share(1), share(10), float(-np.log2(chances).mean()),
    )  # fmt: skip
