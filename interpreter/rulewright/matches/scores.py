"""What counted games say: Elo with its interval, and the sequential test on pairs of games.

In: how many pairs of games (the same opening, seats exchanged) gave 0, 1/2, 1, 3/2 and 2 points.
Out: the mean score, the difference in Elo with an interval, the log-likelihood ratio of two
hypotheses about it.  Pairs and not games are counted because the two games of a pair depend on each
other through their opening; pairs do not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import NormalDist

from attrs import frozen

from rulewright.errors import RulewrightError

OUTCOMES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The points of a pair of games, as a share."""
UNSEEN = 1e-3
"""What an outcome counts that was never seen: the ratio stays finite (as Fishtest does)."""
INTERVAL = NormalDist().inv_cdf(0.975)
"""Standard errors to each side of a mean that hold 95 %."""

Counts = tuple[int, int, int, int, int]


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


def counted(points: Iterable[float]) -> Counts:
    """How often each outcome occurs; *points* are those of whole pairs, 0 to 2 by halves."""
    found = [0] * len(OUTCOMES)
    for point in points:
        found[round(point * 2)] += 1
    return (found[0], found[1], found[2], found[3], found[4])


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
    seen = total * spread / variance if variance > 0 else 2.0 * total
    z = INTERVAL**2 / seen
    middle = (mean + z / 2) / (1 + z)
    half = math.sqrt(spread * z + z * z / 4) / (1 + z)
    return max(0.0, middle - half), min(1.0, middle + half)


def likelihood_of_superiority(counts: Sequence[int]) -> float:
    """How sure it is that the first one is the stronger, by the normal distribution."""
    total = sum(counts)
    if not total:
        return 0.5
    mean, variance = mean_and_variance([n or UNSEEN for n in counts])
    return NormalDist().cdf((mean - 0.5) / math.sqrt(variance / total))


# --- the sequential test ---


@frozen
class Sprt:
    """Which of two differences in Elo is true: stops as soon as that is sure enough.

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
    zero, one = (_most_likely(shares, mean) for mean in (mean0, mean1))
    return sum(w * math.log(b / a) for w, a, b in zip(weights, zero, one, strict=True))


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
