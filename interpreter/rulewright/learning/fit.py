"""Factors fitted to results: logistic regression of an evaluator's value (Texel's way).

In: a personality, recorded games, the factors that may change.  Out: a `Fit`: new factors with
intervals, the loss on games that were held out, factors that these games cannot tell apart, and a
new file.  The points of a position are taken as 1 / (1 + exp(-value / scale)); the scale is fitted
to the factors as they are and stays.  Steps are those of Fisher's scoring with a penalty on what
moves away from the start (L2), derivatives are differences of values.  Intervals of 95 % allow for
positions of one game sharing its result (a sandwich over games, as of Liang and Zeger, 1986).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import asdict, define, field, frozen

from rulewright.errors import RulewrightError
from rulewright.games.engine.kernels import load_engine
from rulewright.ground.printable import amount
from rulewright.ground.records import Record
from rulewright.language.diagnostics import offer
from rulewright.learning.lane_arrays import LearningError, numpy
from rulewright.learning.samples import PositionSamples, read_samples
from rulewright.learning.values import PositionValues
from rulewright.matches.tune import write_personality
from rulewright.model.evaluation import Evaluator, Factor, ValueOf
from rulewright.players.personality import Personality

if TYPE_CHECKING:
    import numpy as np

    Numbers: TypeAlias = np.ndarray[Any, np.dtype[Any]]

HELD_OUT = 0.2
"""The share of games that are not fitted to."""
PENALTY = 0.01
"""The weight of L2 for a factor that moves by its whole range, in positions' mean loss."""
_ROUNDS, _ENOUGH = 40, 1e-7
_SURE = 1.96
"""Standard deviations on either side that hold 95 %."""
_APART = 1e-6
"""Of the length of the longest direction: with less, factors cannot be told apart."""
_SHARE = 0.1
"""Of a direction that changes no value: factors with less are not named."""


@frozen
class FittedFactor:
    """A factor before and after, and the interval that holds 95 %; None where nothing tells."""

    name: str
    before: float
    after: float
    interval: tuple[float, float] | None


@frozen
class Fit:
    """What a fit has given.  Losses are mean cross entropies, in bits, of games held out."""

    factors: tuple[FittedFactor, ...]
    scale: float
    positions: int
    games: int
    loss_before: float
    loss_after: float
    alike: tuple[tuple[str, ...], ...]
    """Groups of factors that these games cannot tell apart."""
    silent: tuple[str, ...]
    """Factors that change the value of none of the positions."""

    @property
    def better(self) -> bool:
        """Whether the games that were held out are told better than before."""
        return self.loss_after < self.loss_before

    def as_data(self) -> dict[str, Any]:
        """Return it as data for JSON."""
        return asdict(self)


@define(eq=False)
class Fitting(Record):
    """A fit at work: the values of positions as a function of the factors that may change."""

    values: PositionValues
    held_values: PositionValues
    samples: PositionSamples
    held: PositionSamples
    """Positions of games that are held out."""
    start: tuple[float, ...]
    """All factors of the evaluator, as they are."""
    free: tuple[int, ...]
    """The places of those that may change."""
    penalty: float = PENALTY
    scale: float = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.scale = fitted_scale(self.values(self.start), self.samples.points)

    @property
    def _factors(self) -> list[Factor]:
        return [self.values.evaluator.factors[i] for i in self.free]

    def run(self) -> Fit:
        """Fit the factors and judge them by the games that were held out."""
        np = numpy()
        first = np.array([self.start[i] for i in self.free], float)
        last = self._descend(first)
        slopes = self._slopes(last)
        after = self._allowed(last)
        audible = np.abs(slopes).max(axis=0) > 0
        intervals = self._intervals(slopes, last, audible)
        names = [factor.name for factor in self._factors]
        fitted = tuple(
            FittedFactor(name, float(b), float(a), i)
            for name, b, a, i in zip(names, first, after, intervals, strict=True)
        )
        return Fit(
            fitted, self.scale, len(self.samples) + len(self.held),
            len({*self.samples.games.tolist(), *self.held.games.tolist()}),
            self._held_loss(first), self._held_loss(after), alike(slopes, names),
            tuple(name for name, heard in zip(names, audible, strict=True) if not heard),
        )  # fmt: skip

    def _all(self, numbers: Numbers) -> list[float]:
        """Return all factors, with *numbers* for those that may change."""
        factors = list(self.start)
        for place, number in zip(self.free, numbers, strict=True):
            whole = self.values.evaluator.factors[place].whole
            factors[place] = round(float(number)) if whole else float(number)
        return factors

    def _allowed(self, numbers: Numbers) -> Numbers:
        """Return the nearest values that the factors may have."""
        np = numpy()
        lows, highs = ([getattr(f, end) for f in self._factors] for end in ("low", "high"))
        clipped = np.clip(numbers, lows, highs)
        whole = np.array([f.whole for f in self._factors])
        return np.where(whole, np.rint(clipped), clipped)

    def _descend(self, first: Numbers) -> Numbers:
        """Return the factors of the least loss: steps of Fisher's scoring, halved where too far."""
        np = numpy()
        weights = self._penalties()
        here, numbers = self._loss(first, first), first
        for _ in range(_ROUNDS):
            slopes = self._slopes(numbers) / self.scale
            expected = chances(self._logits(numbers))
            pull = slopes.T @ (expected - self.samples.points) / len(self.samples)
            pull = pull + weights * (numbers - first)
            curve = (slopes * (expected * (1 - expected))[:, None]).T @ slopes / len(self.samples)
            step = np.linalg.solve(curve + np.diag(weights), pull)
            numbers, loss = self._shortened(first, numbers, step, here)
            if here - loss < _ENOUGH:
                break
            here = loss
        return numbers

    def _shortened(
        self, first: Numbers, numbers: Numbers, step: Numbers, here: float
    ) -> tuple[Numbers, float]:
        """Return the end of a step that lessens the loss, and the loss there."""
        for shorter in range(8):
            after = self._within(numbers - step / 2**shorter)
            loss = self._loss(after, first)
            if loss < here:
                return after, loss
        return numbers, here

    def _within(self, numbers: Numbers) -> Numbers:
        lows, highs = ([getattr(f, end) for f in self._factors] for end in ("low", "high"))
        return numpy().clip(numbers, lows, highs)

    def _penalties(self) -> Numbers:
        """Return the weight of L2 for each factor: as much for its range, whatever its unit."""
        ranges = [max(1e-9, f.high - f.low) for f in self._factors]
        return self.penalty / numpy().array(ranges) ** 2

    def _loss(self, numbers: Numbers, first: Numbers) -> float:
        logits = self._logits(numbers)
        drawn = ((numbers - first) ** 2 * self._penalties()).sum() / 2
        return cross_entropy(logits, self.samples.points) + float(drawn)

    def _logits(self, numbers: Numbers) -> Numbers:
        """Return values in units of the scale; between whole factors they are joined by lines."""
        return self._between(numbers) / self.scale

    def _held_loss(self, numbers: Numbers) -> float:
        logits = self.held_values(self._all(numbers)) / self.scale
        return cross_entropy(logits, self.held.points) / math.log(2)

    def _between(self, numbers: Numbers) -> Numbers:
        """Return values at numbers that whole factors cannot have: by the slope at the nearest."""
        np = numpy()
        nearest = np.array([self._all(numbers)[i] for i in self.free], float)
        base = self.values(self._all(numbers))
        if np.array_equal(nearest, numbers):
            return base
        return base + self._slopes(nearest) @ (numbers - nearest)

    def _slopes(self, numbers: Numbers) -> Numbers:
        """Return how fast values grow with each factor: (positions, factors), by differences."""
        np, columns = numpy(), []
        for i, factor in enumerate(self._factors):
            width = 1.0 if factor.whole else (factor.high - factor.low) * 1e-4
            low, high = numbers.copy(), numbers.copy()
            high[i] = min(
                factor.high, round(numbers[i]) + 1 if factor.whole else numbers[i] + width
            )
            low[i] = max(factor.low, round(numbers[i]) - 1 if factor.whole else numbers[i] - width)
            apart = self.values(self._all(high)) - self.values(self._all(low))
            columns.append(apart / max(1e-12, high[i] - low[i]))
        return np.array(columns).T

    def _intervals(
        self, slopes: Numbers, numbers: Numbers, audible: Numbers
    ) -> list[tuple[float, float] | None]:
        """Return what holds each factor with 95 %: the games' own scatter around the fit."""
        np, samples = numpy(), self.samples
        scaled = slopes / self.scale
        expected = chances(self._logits(numbers))
        curve = (scaled * (expected * (1 - expected))[:, None]).T @ scaled
        curve = curve + np.diag(self._penalties()) * len(samples)
        pulls = scaled * (expected - samples.points)[:, None]
        _, places = np.unique(samples.games, return_inverse=True)
        by_game = np.zeros((places.max() + 1, len(self.free)))
        np.add.at(by_game, places, pulls)
        inverse = np.linalg.inv(curve)
        spread = np.sqrt(np.diag(inverse @ (by_game.T @ by_game) @ inverse)) * _SURE
        pairs = zip(numbers - spread, numbers + spread, audible, strict=True)
        return [(float(low), float(high)) if heard else None for low, high, heard in pairs]


def chances(logits: Numbers) -> Numbers:
    """Return the logistic function of each number, without overflow."""
    return 0.5 * (1 + numpy().tanh(logits / 2))


def cross_entropy(logits: Numbers, points: Numbers) -> float:
    """Return the mean cross entropy of points, in nats."""
    np = numpy()
    return float(np.mean(np.logaddexp(0, logits) - points * logits))


def fitted_scale(values: Numbers, points: Numbers) -> float:
    """Return the scale at which values tell points best: by halving, in the logarithm.

    Raises `RulewrightError` where the values tell nothing.
    """
    np = numpy()
    size = float(np.abs(values).max())
    if size == 0.0:
        raise RulewrightError("the evaluator says 0 of every position; there is nothing to fit")
    scales = size * 2.0 ** np.arange(-8, 8, 0.25)
    losses = [cross_entropy(values / scale, points) for scale in scales]
    best = float(scales[int(np.argmin(losses))])
    if best == float(scales[-1]):
        raise RulewrightError(
            "the results do not follow the evaluator: bigger values lose as often"
        )
    return best


def alike(slopes: Numbers, names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return groups of factors whose changes can make up for each other in every position."""
    np = numpy()
    lengths = np.linalg.norm(slopes, axis=0)
    heard = np.flatnonzero(lengths > 0)
    if not len(heard):
        return ()
    _, sizes, directions = np.linalg.svd(slopes[:, heard] / lengths[heard], full_matrices=False)
    groups = {
        tuple(names[heard[i]] for i in np.flatnonzero(np.abs(direction) > _SHARE))
        for size, direction in zip(sizes, directions, strict=True)
        if size < _APART * sizes[0]
    }
    return tuple(sorted(groups))


@frozen
class FitTerms:
    """What is fitted, and to what.

    `names`: the factors that may change, by default all that formulas use.  `skipped`: decisions at
    the beginning of each game that are left out.  `held_out`: the share of games that judge the
    fit.  `penalty`: see `PENALTY`.  `seed`: draws the games that are held out.  `quiet`: a value of
    the evaluator; positions in which it is not 0 are left out.
    """

    names: tuple[str, ...] = ()
    skipped: int = 0
    held_out: float = HELD_OUT
    penalty: float = PENALTY
    seed: int = 1
    quiet: str = ""


def fit(personality: Personality, files: Sequence[str], terms: FitTerms | None = None) -> Fit:
    """Fit factors of a personality to the results of recorded games.

    Raises `RulewrightError` where there are too few games, or nothing to fit.
    """
    terms, evaluator, game = terms or FitTerms(), personality.model.evaluator, personality.game
    if evaluator is None:
        raise RulewrightError(f"{personality.name} has no evaluator whose factors could be fitted")
    free = _places(evaluator, terms.names)
    engine = load_engine(game, "llvm")
    if isinstance(engine, str):
        raise LearningError(engine)
    samples = read_samples(game, engine, files, terms.skipped)
    start = tuple(float(n) for n in personality.model.factors)
    if terms.quiet:
        unrest = PositionValues(engine, evaluator, _value(evaluator, terms.quiet), samples.words)
        samples = _quiet_part(samples, unrest(start), terms.quiet)
    held = _draw_held_out(samples, terms.held_out, terms.seed)
    train, test = samples.part(~held), samples.part(held)
    value = personality.value()
    values, held_values = (
        PositionValues(engine, evaluator, value, part.words) for part in (train, test)
    )
    return Fitting(values, held_values, train, test, start, free, terms.penalty).run()


def _value(evaluator: Evaluator, name: str) -> ValueOf:
    """Return a value by its name; raises `RulewrightError` for a name that is none."""
    values = {value.name: value for value in evaluator.values}
    if name not in values:
        hint = offer(name, values)
        raise RulewrightError(f"{evaluator.name} has no value `{name}`; {hint}")
    return values[name]


def _quiet_part(samples: PositionSamples, unrest: Numbers, name: str) -> PositionSamples:
    """Return the positions without unrest; raises `RulewrightError` where those are of one game."""
    part = samples.part(unrest == 0)
    if len(numpy().unique(part.games)) < 2:
        raise RulewrightError(
            f"`{name}` is 0 in {amount(len(part), 'position')}, which are too few"
        )
    return part


def _places(evaluator: Evaluator, names: Sequence[str]) -> tuple[int, ...]:
    """Return the places of factors; raises `RulewrightError` for a name that is none."""
    places = {factor.name: i for i, factor in enumerate(evaluator.factors)}
    names = names or [f.name for f in evaluator.factors if not f.for_search]
    for name in names:
        if name not in places:
            hint = offer(name, places)
            raise RulewrightError(f"{evaluator.name} has no factor `{name}`; {hint}")
    if not names:
        raise RulewrightError(f"{evaluator.name} has no factor to fit")
    return tuple(places[name] for name in names)


def _draw_held_out(samples: PositionSamples, share: float, seed: int) -> Numbers:
    """Draw the games that are held out, at least one; returns which positions are of them."""
    np = numpy()
    games = np.unique(samples.games)
    count = min(len(games) - 1, max(1, round(share * len(games))))
    held_out = np.random.default_rng(seed).permutation(games)[:count]
    return np.isin(samples.games, held_out)


def write(personality: Personality, fitted: Fit, path: Path, source: str) -> str:
    """Write a fitted personality, with where its numbers come from; never over a file."""
    factors = {f.name: f for f in personality.model.evaluator.factors}  # type: ignore[union-attr]
    numbers = {f.name: int(f.after) if factors[f.name].whole else f.after for f in fitted.factors}
    comment = (
        f"Fitted from {source} to {amount(fitted.positions, 'position')} of "
        f"{amount(fitted.games, 'game')}: the loss on games held out went from "
        f"{fitted.loss_before:.4f} to {fitted.loss_after:.4f} bits."
    )
    return write_personality(personality.with_factors(**numbers), path, source, comment)
