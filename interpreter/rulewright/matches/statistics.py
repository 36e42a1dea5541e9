"""What counted games say: Elo with its interval, the sequential test, ratings of many players.

In: how many pairs of games (the same opening, seats exchanged) gave 0, 1/2, 1, 3/2 and 2 points;
or the points that players won against each other.  Out: the mean score, the difference in Elo with
an interval, the log-likelihood ratio of two hypotheses about it; a rating in Elo for each player.
Pairs and not games are counted because the two games of a pair depend on each other through their
opening; pairs do not.

Ratings follow the model of Bradley and Terry: P(i beats j) = 1 / (1 + 10^((r_j - r_i) / 400)), a
draw being half a win for each, and the mean of all ratings 0.  Players who won or lost everything
would be rated infinitely, so every rating has a normal prior with a standard deviation of `PRIOR`
Elo, which about ten games outweigh.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import NormalDist

from attrs import frozen

from rulewright.errors import RulewrightError

OUTCOMES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The points of a pair of games, as a share."""
UNSEEN = 1e-3
"""What an outcome counts that was never seen: the ratio stays finite (as Fishtest does)."""
INTERVAL = NormalDist().inv_cdf(0.975)
"""Standard errors to each side of a mean that hold 95 %."""

Pentanomial = tuple[int, int, int, int, int]


@frozen
class Elo:
    """A difference in Elo and its 95 % interval; infinite where every point went to one side."""

    value: float
    low: float
    high: float


def expected(elo: float) -> float:
    """The share of the points that a difference in Elo stands for: 1 / (1 + 10^(-elo / 400))."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(share: float) -> float:
    """The difference in Elo that a share of the points stands for; infinite at 0 and 1."""
    if not 0 < share < 1:
        return math.inf if share >= 1 else -math.inf
    return -400 * math.log10(1 / share - 1)


def pentanomial(points: Iterable[float]) -> Pentanomial:
    """Count how often each outcome occurs; *points* are those of whole pairs, 0 to 2 by halves."""
    counts = [0] * len(OUTCOMES)
    for point in points:
        counts[round(point * 2)] += 1
    return (counts[0], counts[1], counts[2], counts[3], counts[4])


def mean_and_variance(counts: Sequence[float]) -> tuple[float, float]:
    """The mean share of a pair, and the variance of one pair."""
    total = sum(counts)
    mean = sum(n * s for n, s in zip(counts, OUTCOMES, strict=True)) / total
    return mean, sum(n * (s - mean) ** 2 for n, s in zip(counts, OUTCOMES, strict=True)) / total


def elo(counts: Sequence[int]) -> Elo:
    """The difference in Elo: the mean of the pairs, give or take 1.96 standard errors.

    With n pairs the ends are the Wilson interval of the mean, its binomial variance m (1 - m)
    scaled to the variance of the pairs: for few pairs and scores near 0 or 1 it stays inside them.
    """
    total = sum(counts)
    if not total:
        return Elo(0.0, -math.inf, math.inf)
    mean, variance = mean_and_variance(counts)
    low, high = _wilson(mean, variance, total)
    return Elo(elo_of(mean), elo_of(low), elo_of(high))


def _wilson(mean: float, variance: float, total: int) -> tuple[float, float]:
    """The Wilson score interval for as many single games as carry what these pairs carry."""
    spread = mean * (1 - mean)
    games = total * spread / variance if variance > 0 else 2.0 * total
    z = INTERVAL**2 / games
    middle = (mean + z / 2) / (1 + z)
    half = math.sqrt(spread * z + z * z / 4) / (1 + z)
    # The mean lies inside; where it is 0 or 1 rounding could leave an end just beside it.
    return min(mean, max(0.0, middle - half)), max(mean, min(1.0, middle + half))


def likelihood_of_superiority(counts: Sequence[int]) -> float:
    """The probability that the first one is the stronger, by the normal distribution."""
    total = sum(counts)
    if not total:
        return 0.5
    mean, variance = mean_and_variance([n or UNSEEN for n in counts])
    return NormalDist().cdf((mean - 0.5) / math.sqrt(variance / total))


# --- the sequential test ---


@frozen
class Sprt:
    """Tests which of two differences in Elo is true; stops as soon as that is sure enough.

    `alpha` is how often the second may be believed when the first is true, `beta` the reverse.
    The generalised sequential probability ratio test of Li, Liu, Ying (Sequential Analysis 2014)
    on five outcomes, after Wald.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __attrs_post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise RulewrightError(f"the sequential test needs ELO0 < ELO1, not {self.elo0:g} and "
                                  f"{self.elo1:g}")  # fmt: skip
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise RulewrightError("the error rates of the sequential test lie between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The test stops when the ratio leaves these: log(b / (1 - a)), log((1 - b) / a)."""
        low = math.log(self.beta / (1 - self.alpha))
        return low, math.log((1 - self.beta) / self.alpha)

    def ratio(self, counts: Sequence[int]) -> float:
        """The logarithm of the ratio of both likelihoods."""
        if not any(counts):
            return 0.0
        return log_ratio(counts, expected(self.elo0), expected(self.elo1))

    def verdict(self, counts: Sequence[int]) -> int | None:
        """0 or 1, the hypothesis that is accepted; None while that is not sure enough."""
        low, high = self.bounds
        ratio = self.ratio(counts)
        return 0 if ratio <= low else 1 if ratio >= high else None


def log_ratio(counts: Sequence[int], mean0: float, mean1: float) -> float:
    """Log-likelihood of mean *mean1* less that of *mean0*, each at its most likely distribution."""
    weights = [n or UNSEEN for n in counts]
    total = sum(weights)
    shares = [w / total for w in weights]
    null, alternative = (_most_likely(shares, mean) for mean in (mean0, mean1))
    return sum(w * math.log(b / a) for w, a, b in zip(weights, null, alternative, strict=True))


def _most_likely(shares: Sequence[float], mean: float) -> list[float]:
    """The distribution with this mean under which the observed *shares* are most likely.

    It is p_i = s_i / (1 + t (x_i - mean)) with the t for which sum p_i (x_i - mean) = 0 (Owen's
    empirical likelihood); that sum falls with t, so t is found by halving.
    """
    gaps = [outcome - mean for outcome in OUTCOMES]
    low, high = -1 / max(gaps), -1 / min(gaps)
    for _ in range(200):
        t = (low + high) / 2
        if sum(s * g / (1 + t * g) for s, g in zip(shares, gaps, strict=True)) > 0:
            low = t
        else:
            high = t
        if high - low < 1e-13:
            break
    t = (low + high) / 2
    return [s / (1 + t * g) for s, g in zip(shares, gaps, strict=True)]


# --- ratings ---


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
    strengths, covariance = fitted_strengths(len(names), points, prior / _ELO)
    middle = sum(strengths) / len(names)
    rated = [
        Rating(name, elo := (s - middle) * _ELO, elo - half, elo + half)
        for i, (name, s) in enumerate(zip(names, strengths, strict=True))
        for half in [INTERVAL * _ELO * math.sqrt(max(0.0, _centred(covariance, i)))]
    ]
    return sorted(rated, key=lambda r: -r.elo)


def _centred(covariance: Matrix, i: int) -> float:
    """The variance of a strength less the mean of all strengths."""
    n = len(covariance)
    return covariance[i][i] - 2 * sum(covariance[i]) / n + sum(map(sum, covariance)) / n**2


def fitted_strengths(players: int, points: Points, deviation: float) -> tuple[Vector, Matrix]:
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
            candidate = [s + size * d[0] for s, d in zip(strengths, step, strict=True)]
            higher = _height(candidate, points, deviation)
            if higher >= height:
                strengths = candidate
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
    likelihood = sum(
        -won * _log1p_exp(strengths[j] - strengths[i]) for (i, j), won in points.items()
    )
    return likelihood - sum(s * s for s in strengths) / (2 * deviation**2)


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
        loss = math.exp(-_log1p_exp(strengths[i] - strengths[j]))
        slope[i] += won * loss
        slope[j] -= won * loss
        weight = won * loss * (1 - loss)
        for a, b, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
            curve[a][b] += sign * weight
    return slope, curve


def solve(matrix: Matrix, constants: Matrix) -> Matrix:
    """X with matrix X = right, by Gauss and Jordan with pivots; *matrix* is not singular."""
    n = len(matrix)
    rows = [[*row, *more] for row, more in zip(matrix, constants, strict=True)]
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
