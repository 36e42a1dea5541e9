"""Ratings of many players by the model of Bradley and Terry, with intervals.

In: the points that players won against each other.  Out: a rating in Elo for each, the mean of all
being 0, with its 95 % interval.  P(i beats j) = 1 / (1 + 10^((r_j - r_i) / 400)); a draw is half a
win for each.  Players who won or lost everything would rate infinitely: every rating has a normal
prior with a standard deviation of `PRIOR` Elo, which some ten games outweigh.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from attrs import frozen

from rulewright.matches.scores import INTERVAL

PRIOR = 1000.0
"""Standard deviation of ratings before any game, in Elo."""
_ELO = 400 / math.log(10)
"""Elo for each unit of the natural logarithm of the odds."""

Vector = list[float]
Matrix = list[list[float]]
Points = Mapping[tuple[int, int], float]
"""The points that the first won against the second, for each ordered pair of players."""


@frozen
class Rating:
    """A player's strength in Elo, and the interval that holds it with 95 %."""

    player: str
    elo: float
    low: float
    high: float


def ratings(names: Sequence[str], points: Points, prior: float = PRIOR) -> list[Rating]:
    """The ratings of all players, the strongest first."""
    if not names:
        return []
    strengths, covariance = fitted(len(names), points, prior / _ELO)
    middle = sum(strengths) / len(names)
    found = [
        Rating(name, elo := (s - middle) * _ELO, elo - half, elo + half)
        for i, (name, s) in enumerate(zip(names, strengths, strict=True))
        for half in [INTERVAL * _ELO * math.sqrt(max(0.0, _centred(covariance, i)))]
    ]
    return sorted(found, key=lambda r: -r.elo)


def _centred(covariance: Matrix, i: int) -> float:
    """The variance of a strength less the mean of all strengths."""
    n = len(covariance)
    return covariance[i][i] - 2 * sum(covariance[i]) / n + sum(map(sum, covariance)) / n**2


def fitted(players: int, points: Points, deviation: float) -> tuple[Vector, Matrix]:
    """The most likely strengths under the prior, and the covariance there, by Newton's method.

    The logarithm of the posterior is concave, so steps that are halved until it grows lead to its
    only maximum; the covariance is the inverse of its negative second derivative.
    """
    strengths = [0.0] * players
    height = _height(strengths, points, deviation)
    for _ in range(200):
        slope, curve = _derivatives(strengths, points, deviation)
        step = solve(curve, [[s] for s in slope])
        size, higher = 1.0, height
        while size > 1e-9:
            tried = [s + size * d[0] for s, d in zip(strengths, step, strict=True)]
            higher = _height(tried, points, deviation)
            if higher >= height:
                strengths = tried
                break
            size /= 2
        if higher - height < 1e-13 * max(1.0, abs(height)):
            break
        height = higher
    _, curve = _derivatives(strengths, points, deviation)
    unit = [[float(i == j) for j in range(players)] for i in range(players)]
    return strengths, solve(curve, unit)


def _height(strengths: Vector, points: Points, deviation: float) -> float:
    """The logarithm of the posterior, less a constant."""
    told = sum(-won * _log1p_exp(strengths[j] - strengths[i]) for (i, j), won in points.items())
    return told - sum(s * s for s in strengths) / (2 * deviation**2)


def _log1p_exp(x: float) -> float:
    """log(1 + e^x) without overflow."""
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


def _derivatives(strengths: Vector, points: Points, deviation: float) -> tuple[Vector, Matrix]:
    """The first derivative of `_height`, and the negative of the second."""
    players = len(strengths)
    slope = [-s / deviation**2 for s in strengths]
    curve = [
        [deviation**-2 if i == j else 0.0 for j in range(players)] for i in range(players)
    ]  # fmt: skip
    for (i, j), won in points.items():
        lost = math.exp(-_log1p_exp(strengths[i] - strengths[j]))
        slope[i] += won * lost
        slope[j] -= won * lost
        weight = won * lost * (1 - lost)
        for a, b, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
            curve[a][b] += sign * weight
    return slope, curve


def solve(matrix: Matrix, right: Matrix) -> Matrix:
    """X with matrix X = right, by Gauss and Jordan with pivots; *matrix* is not singular."""
    n = len(matrix)
    rows = [[*row, *more] for row, more in zip(matrix, right, strict=True)]
    for column in range(n):
        pivot = max(range(column, n), key=lambda r: abs(rows[r][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        head = rows[column][column]
        rows[column] = [x / head for x in rows[column]]
        for r in range(n):
            if r != column and rows[r][column]:
                factor = rows[r][column]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[column], strict=True)]
    return [row[n:] for row in rows]
