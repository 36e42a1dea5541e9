"""Factors fitted to results: what was planted comes out, what cannot be told is said."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

from rulewright import Personality, batch, load, match
from rulewright.errors import RulewrightError
from rulewright.games.engine.kernels import load_engine
from rulewright.learning.fit import (
    FitTerms,
    Fitting,
    alike,
    chances,
    cross_entropy,
    fit,
    fitted_scale,
    write,
)
from rulewright.learning.lane_arrays import LearningError
from rulewright.learning.samples import PositionSamples
from rulewright.learning.values import PositionValues
from tests.shared.backends import needs_llvm

pytestmark = needs_llvm
PERSONALITY = "gardener"


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty games on record."""
    path = tmp_path_factory.mktemp("games") / "games.db"
    with match("othello", PERSONALITY, "greedy", games=40, nodes=10, record=path) as run:
        for _ in run:
            pass
    return path


def positions(count: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Words of positions of random games of Othello."""
    games = batch("othello", count, seed=5, threads=1)
    for _ in range(30):
        games.step()
    lanes = games._arrays.arrays["state"]
    return np.array(lanes[:, : games._arrays.engine.plan.size])


def fitting(
    planted: dict[str, float], count: int, seed: int, others: float | None = None
) -> Fitting:
    """A fit to results that are drawn by the planted factors; all *others* may have one value."""
    game = load("othello")
    personality, engine = Personality.load(PERSONALITY, game), load_engine(game, "llvm")
    assert not isinstance(engine, str)
    evaluator = personality.model.evaluator
    assert evaluator is not None
    values = PositionValues(engine, evaluator, personality.value(), positions(count))
    start = [float(number) for number in personality.model.factors]
    names = [factor.name for factor in evaluator.factors]
    if others is not None:
        start = [s if name in planted else others for name, s in zip(names, start, strict=True)]
    true = [planted.get(name, number) for name, number in zip(names, start, strict=True)]
    likely = chances(values(true) / 100)
    points = (np.random.default_rng(seed).random(count) < likely).astype(float)
    samples = PositionSamples(values.words, points, np.arange(count))
    free = tuple(names.index(name) for name in planted)
    made = Fitting(values, values, samples, samples, tuple(start), free, penalty=1e-6)
    made.scale = 100.0
    return made


@settings(max_examples=4, deadline=None)
@given(freedom=st.integers(3, 30), exposed=st.integers(2, 20), seed=st.integers(0, 9))
def test_planted_factors_come_out(freedom: int, exposed: int, seed: int) -> None:
    fitted = fitting({"freedom": freedom, "exposed": exposed}, 4000, seed).run()
    for factor, planted in zip(fitted.factors, (freedom, exposed), strict=True):
        assert factor.interval is not None
        low, high = factor.interval
        middle, width = (low + high) / 2, high - low
        assert abs(middle - planted) < width  # four deviations
        assert abs(factor.after - middle) <= 0.5  # the nearest whole number
        assert width < 12
    assert fitted.loss_after <= fitted.loss_before


def test_the_loss_is_that_of_scikit_learn() -> None:
    """Where the value is linear in the factors."""
    planted = {"freedom": 12.0, "exposed": 7.0, "gift": 60.0, "lure": 25.0}
    ours = fitting(planted, 3000, seed=2, others=0.0)
    first = np.array([ours.start[place] for place in ours.free])
    last = ours._descend(first)
    features, points = ours._slopes(first) / ours.scale, ours.samples.points
    theirs = LogisticRegression(C=1e12, fit_intercept=False, tol=1e-10).fit(features, points)
    expected = log_loss(points, theirs.predict_proba(features))
    assert cross_entropy(ours._logits(last), points) == pytest.approx(expected, abs=1e-4)
    assert last == pytest.approx(theirs.coef_[0], abs=0.5)


CALM = """format 1
evaluator calm for othello

factor anchor = 90 points in 0..500 "for each corner"
value of position for mover = anchor * (count (own corners) - count (enemy corners))
value unrest of position for mover = 1 if mobility > 8 else 0
"""


def test_positions_may_be_quiet_alone(record: Path, tmp_path: Path) -> None:
    (tmp_path / "calm.eval").write_text(CALM)
    path = tmp_path / "calm.personality"
    path.write_text(
        "format 1\npersonality calm for othello\n\nuse calm\nsearch alphabeta, depth 1\n"
    )
    calm = Personality.load(path, load("othello"))
    everything = fit(calm, [str(record)])
    quiet = fit(calm, [str(record)], FitTerms(quiet="unrest"))
    assert 30 < quiet.positions < everything.positions
    with pytest.raises(RulewrightError, match="has no value `unrst`; did you mean `unrest`"):
        fit(calm, [str(record)], FitTerms(quiet="unrst"))


def test_values_are_those_of_explanations() -> None:
    """The kernel says of many positions what a personality says of each."""
    game = load("othello")
    personality = Personality.load(PERSONALITY, game)
    games = batch(game, 3, seed=2, threads=1)
    for _ in range(12):
        games.step()
    engine, evaluator = load_engine(game, "llvm"), personality.model.evaluator
    assert not isinstance(engine, str)
    assert evaluator is not None
    states = [games.state(lane) for lane in range(3)]
    words = np.array([engine.encode(state.situation.position) for state in states])
    values = PositionValues(engine, evaluator, personality.value(), words)
    judge = personality.judge
    assert judge is not None
    for state, value in zip(states, values([*personality.model.factors]), strict=True):
        position, chosen = state.situation.position, personality.value()
        (expected,) = judge.of_position(chosen, position, personality.model.factors)
        assert value == pytest.approx(expected if position.mover == 0 else -expected)


def test_factors_that_make_up_for_each_other_are_named() -> None:
    slopes = np.random.default_rng(1).normal(size=(50, 3))
    slopes = np.column_stack((slopes, slopes[:, 0] - 2 * slopes[:, 2], np.zeros(50)))
    assert alike(slopes, ["a", "b", "c", "d", "e"]) == (("a", "c", "d"),)
    assert alike(slopes[:, :3], ["a", "b", "c"]) == ()


def test_the_scale_is_the_one_that_results_follow() -> None:
    values = np.random.default_rng(1).normal(scale=50, size=4000)
    points = (np.random.default_rng(2).random(4000) < chances(values / 20)).astype(float)
    assert 16 < fitted_scale(values, points) < 25
    with pytest.raises(RulewrightError, match="bigger values lose as often"):
        fitted_scale(values, 1 - points)
    with pytest.raises(RulewrightError, match="says 0 of every position"):
        fitted_scale(values * 0, points)


def test_a_fit_to_games_on_record(record: Path, tmp_path: Path) -> None:
    personality = Personality.load(PERSONALITY, load("othello"))
    terms = FitTerms(names=("freedom", "exposed"), skipped=6)
    fitted = fit(personality, [str(record)], terms)
    assert fitted.games == 40
    path = tmp_path / "fitted.personality"
    write(personality, fitted, path, PERSONALITY)
    assert "# Fitted from gardener to" in path.read_text("utf-8")
    again = Personality.load(path, load("othello"))
    assert again.factors["freedom"] == fitted.factors[0].after
    with pytest.raises(RulewrightError, match="is there already"):
        write(personality, fitted, path, PERSONALITY)
    with pytest.raises(RulewrightError, match="has no factor `fredom`; did you mean `freedom`"):
        fit(personality, [str(record)], FitTerms(names=("fredom",)))
    with pytest.raises(RulewrightError, match="not of"):
        fit(Personality.load("eager", load("connect4")), [str(record)])
    with pytest.raises(RulewrightError, match="at least 30 are needed"):
        fit(personality, [])


def test_a_value_of_moves_cannot_be_fitted() -> None:
    personality = Personality.load("marcher", load("breakthrough"))
    evaluator = personality.model.evaluator
    assert evaluator is not None
    engine = load_engine(personality.game, "llvm")
    assert not isinstance(engine, str)
    of_moves = next(value for value in evaluator.values if value.moves)
    with pytest.raises(LearningError, match="no value of positions with one part"):
        PositionValues(engine, evaluator, of_moves, np.zeros((1, engine.plan.size), np.int64))
