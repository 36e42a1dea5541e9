"""What counted games say: the sequential test, Elo, ratings; against published and other counts."""

import math
import tomllib
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rulewright.errors import RulewrightError
from rulewright.matches import statistics
from rulewright.matches.statistics import (
    OUTCOMES,
    PRIOR,
    UNSEEN,
    Sprt,
    elo,
    elo_of,
    expected,
    fitted_strengths,
    likelihood_of_superiority,
    mean_and_variance,
    pentanomial,
    ratings,
    solve,
)
from tests.shared.effort import tries
from tests.shared.places import DATA
from tests.tools.sprt_check import Game, shift, too_many

PUBLISHED = tomllib.loads((DATA / "fishtest.toml").read_text("utf-8"))["result"]
COUNTS = st.lists(st.integers(0, 200), min_size=5, max_size=5).filter(any)


@pytest.mark.parametrize("known", PUBLISHED, ids=lambda r: f"{r['pull']} {r['elo']}")
def test_log_likelihood_ratios_are_those_that_were_published(known: dict[str, Any]) -> None:
    ratio = Sprt(*known["elo"]).ratio(known["pairs"])
    assert ratio == pytest.approx(known["llr"], abs=0.006)


def test_published_results_stop_at_the_bounds() -> None:
    low, high = Sprt(0, 1).bounds
    assert (round(low, 2), round(high, 2)) == (-2.94, 2.94)
    verdicts = [(r["llr"] > 2.945, Sprt(*r["elo"]).verdict(r["pairs"])) for r in PUBLISHED]
    assert {verdict for above, verdict in verdicts if above} == {1}
    assert {verdict for above, verdict in verdicts if not above} == {None}  # a hair before it


@given(COUNTS, st.floats(-50, 50), st.floats(0.5, 50))
def test_the_ratio_changes_its_sign_with_the_sides(
    counts: list[int], low: float, gap: float
) -> None:
    forwards = Sprt(low, low + gap).ratio(counts)
    backwards = Sprt(-low - gap, -low).ratio(counts[::-1])
    assert forwards == pytest.approx(-backwards, abs=1e-6, rel=1e-6)


@given(COUNTS, st.floats(-100, 100))
def test_the_ratio_speaks_for_the_hypothesis_on_the_side_of_the_mean(
    counts: list[int], middle: float
) -> None:
    mean, _ = mean_and_variance([n or UNSEEN for n in counts])
    test = Sprt(middle - 5, middle + 5)
    if mean >= expected(test.elo1):
        assert test.ratio(counts) > 0
    if mean <= expected(test.elo0):
        assert test.ratio(counts) < 0


def test_the_most_likely_distribution_is_the_most_likely() -> None:
    # for two outcomes the likelihood of a mean is binomial, which can be written down
    ratio = Sprt(0, 100).ratio([40, 0, 0, 0, 60])
    p0, p1 = expected(0), expected(100)
    known = 60 * math.log(p1 / p0) + 40 * math.log((1 - p1) / (1 - p0))
    assert ratio == pytest.approx(known, abs=0.01)


@pytest.mark.parametrize("wrong", [(5, 5), (10, 0)])
def test_hypotheses_stand_in_order(wrong: tuple[float, float]) -> None:
    with pytest.raises(RulewrightError, match="ELO0 < ELO1"):
        Sprt(*wrong)


@pytest.mark.parametrize("wrong", [0.0, 0.5, 0.6, 1.0, -0.1])
def test_error_rates_are_rates(wrong: float) -> None:
    for rates in ((wrong, 0.05), (0.05, wrong)):
        with pytest.raises(RulewrightError, match="error rates"):
            Sprt(0, 5, *rates)
    assert Sprt(0, 5, 0.49, 0.01).bounds[0] < 0 < Sprt(0, 5, 0.01, 0.49).bounds[1]


@pytest.mark.parametrize(("alpha", "beta"), [(0.01, 0.2), (0.2, 0.01)])
def test_each_error_rate_has_its_bound(alpha: float, beta: float) -> None:
    low, high = Sprt(0, 5, alpha, beta).bounds
    # what is believed at a bound is wrong as often as its rate says (Wald)
    assert math.exp(low) == pytest.approx(beta / (1 - alpha))
    assert math.exp(high) == pytest.approx((1 - beta) / alpha)


def test_the_test_stops_at_its_bounds_and_not_before(monkeypatch: pytest.MonkeyPatch) -> None:
    test = Sprt(0, 5, 0.01, 0.2)
    low, high = test.bounds
    told = [(low, 0), (low + 1e-9, None), (0.0, None), (high - 1e-9, None), (high, 1)]
    for ratio, verdict in told:
        monkeypatch.setattr(Sprt, "ratio", lambda self, counts, ratio=ratio: ratio)
        assert test.verdict([1] * 5) == verdict


def test_games_end_the_test_on_either_side() -> None:
    test = Sprt(-10, 10)
    assert test.verdict([0] * 5) is None
    assert test.ratio([0] * 5) == 0.0
    assert test.verdict([400, 300, 200, 100, 0]) == 0
    assert test.verdict([0, 100, 200, 300, 400]) == 1


def test_too_many_errors_are_detected() -> None:
    assert too_many(80, 1000, 0.05)
    assert not too_many(60, 1000, 0.05)


def test_simulated_openings_leave_the_mean_where_it_should_be() -> None:
    assert shift(0, Game()) == pytest.approx(0, abs=0.5)
    assert shift(100, Game()) > 100  # uneven openings pull results towards even


# --- Elo ---


def test_shares_of_all_points_are_infinite() -> None:
    assert [elo_of(share) for share in (0.0, 1.0)] == [-math.inf, math.inf]
    assert elo_of(10 / 11) == pytest.approx(400)
    assert elo_of(0.999) == pytest.approx(1199.83, abs=0.01)
    none = elo([0] * 5)
    assert (none.value, none.low, none.high) == (0.0, -math.inf, math.inf)


def test_pairs_have_a_mean_and_a_variance() -> None:
    assert mean_and_variance([1, 0, 2, 0, 1]) == (0.5, 0.125)
    assert mean_and_variance([0, 3, 0, 1, 0]) == (0.375, 0.046875)


@pytest.mark.parametrize(
    ("counts", "games"),
    [
        ([5, 0, 0, 0, 5], 10),  # both games of a pair end alike: no more than one game says
        ([0, 0, 30, 0, 0], 60),  # pairs that do not vary: as many as there are games
        ([0, 0, 0, 0, 30], 60),
        ([0, 0, 0, 30, 0], 60),
    ],
)
def test_the_interval_is_that_of_wilson(counts: list[int], games: int) -> None:
    """The shares p with (mean - p)^2 = 1.96^2 p (1 - p) / games, which say what an end is."""
    mean, _ = mean_and_variance(counts)
    found = elo(counts)
    for end in (expected(found.low), expected(found.high)):
        gap = 1.959964**2 * end * (1 - end) / games
        assert (mean - end) ** 2 == pytest.approx(gap, rel=1e-4, abs=1e-9)
    if mean < 1:
        assert found.low < found.value < found.high
    else:
        assert expected(found.low) == pytest.approx(games / (games + 1.959964**2))


@given(st.floats(-800, 800))
def test_elo_and_share_are_inverse(difference: float) -> None:
    assert elo_of(expected(difference)) == pytest.approx(difference, abs=1e-6)


@given(COUNTS)
@example([0, 0, 0, 0, 30])
def test_the_interval_holds_the_value_and_turns_with_the_sides(counts: list[int]) -> None:
    found, mirrored = elo(counts), elo(counts[::-1])
    assert found.low <= found.value <= found.high
    assert mirrored.low == pytest.approx(-found.high, abs=1e-6)


@given(COUNTS)
def test_more_of_the_same_narrows_the_interval(counts: list[int]) -> None:
    once, often = elo(counts), elo([9 * n for n in counts])
    assert often.high <= once.high + 1e-6
    assert often.low >= once.low - 1e-6


def test_the_interval_of_elo_is_that_of_large_samples() -> None:
    # Stockfish #3209: 1.39 +- 1.32 by the standard error of the mean, worked out by hand below
    counts = [253, 4282, 17604, 4431, 286]
    mean, variance = mean_and_variance(counts)
    error = 1.96 * math.sqrt(variance / sum(counts))
    found = elo(counts)
    assert found.low == pytest.approx(elo_of(mean - error), abs=0.01)
    assert found.high == pytest.approx(elo_of(mean + error), abs=0.01)


@given(st.lists(st.integers(0, 4), min_size=1))
def test_pairs_are_counted_by_their_points(halves: list[int]) -> None:
    counts = pentanomial(half / 2 for half in halves)
    assert sum(counts) == len(halves)
    assert sum(n * s for n, s in zip(counts, OUTCOMES, strict=True)) == pytest.approx(
        sum(halves) / 4
    )


def test_superiority_is_even_for_even_results() -> None:
    assert likelihood_of_superiority([3, 5, 9, 5, 3]) == pytest.approx(0.5)
    assert likelihood_of_superiority([0, 5, 9, 15, 9]) > 0.99
    assert likelihood_of_superiority([0] * 5) == 0.5


def test_superiority_is_that_of_the_normal_distribution() -> None:
    # mean 0.6, variance 0.24 a pair, 100 pairs: 2.041 standard errors above one half
    sure = (1 + math.erf(0.1 / math.sqrt(0.24 / 100) / math.sqrt(2))) / 2
    assert likelihood_of_superiority([40, 0, 0, 0, 60]) == pytest.approx(sure, abs=1e-4)
    assert likelihood_of_superiority([60, 0, 0, 0, 40]) == pytest.approx(1 - sure, abs=1e-4)


def test_every_pair_is_counted_at_its_points() -> None:
    assert pentanomial([0, 0.5, 0.5, 1, 1, 1, 1.5, 2, 2]) == (1, 2, 3, 1, 2)
    assert pentanomial([]) == (0, 0, 0, 0, 0)


# --- ratings ---

TABLES = st.integers(2, 5).flatmap(
    lambda n: st.dictionaries(
        st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda p: p[0] != p[1]),
        st.integers(0, 40).map(lambda k: k / 2),
        max_size=n * n,
    ).map(lambda table: (n, table))
)


RING = {(0, 1): 8.0, (2, 1): 10.0, (3, 2): 5.0, (4, 3): 50.0, (5, 4): 10.0, (0, 5): 1.0}
"""A table for which whole steps of Newton go to and fro for ever: they must be halved."""
UNEVEN = st.integers(2, 6).flatmap(
    lambda n: st.dictionaries(
        st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda p: p[0] != p[1]),
        st.sampled_from([0.5, 1.0, 5.0, 20.0, 100.0, 1000.0, 10_000.0]),
        max_size=2 * n,
    ).map(lambda table: (n, table))
)


@given(UNEVEN, st.sampled_from([0.5, 2.0, PRIOR * math.log(10) / 400]))
@example((6, RING), 2.0)
@example((6, RING), PRIOR * math.log(10) / 400)
def test_ratings_stand_where_the_posterior_is_flat(
    table: tuple[int, dict[tuple[int, int], float]], deviation: float
) -> None:
    """It is concave, so that is its maximum: more wins than expected outweigh the prior there."""
    players, points = table
    strengths, _ = fitted_strengths(players, points, deviation)
    slopes = [-s / deviation**2 for s in strengths]
    for (winner, loser), won in points.items():
        surprise = won / (1 + math.exp(strengths[winner] - strengths[loser]))
        slopes[winner] += surprise
        slopes[loser] -= surprise
    assert slopes == pytest.approx([0.0] * players, abs=1e-6 * (1 + sum(points.values())))


@given(UNEVEN, st.lists(st.floats(-5, 5), min_size=6, max_size=6), st.sampled_from([0.5, 5.0]))
@example((2, {}), [1.0] * 6, 0.5)
def test_the_posterior_falls_and_rises_as_its_slope_says(
    table: tuple[int, dict[tuple[int, int], float]], at: list[float], deviation: float
) -> None:
    """By differences; steps are halved by the posterior and taken by its slope."""
    players, points = table
    strengths, by = at[:players], 1e-4
    slopes, _ = statistics._derivatives(strengths, points, deviation)
    for i, slope in enumerate(slopes):
        lower, upper = (
            [s + side * (j == i) for j, s in enumerate(strengths)] for side in (-by, by)
        )
        rise = statistics._height(upper, points, deviation)
        rise -= statistics._height(lower, points, deviation)
        assert rise / (2 * by) == pytest.approx(slope, abs=1e-6 * (1 + sum(points.values())))


@settings(max_examples=tries(25), deadline=None)
@given(TABLES)
def test_ratings_are_those_of_plain_ascent(
    table: tuple[int, dict[tuple[int, int], float]],
) -> None:
    """An implementation with nothing in common: climb one strength after the other, by halving."""
    players, points = table
    deviation = 2.0
    found, _ = fitted_strengths(players, points, deviation)
    plain = _climbed(players, points, deviation)
    assert found == pytest.approx(plain, abs=1e-4)


def _climbed(players: int, points: dict[tuple[int, int], float], deviation: float) -> list[float]:
    at = [0.0] * players

    def slope(i: int, x: float) -> float:
        total = -x / deviation**2
        for (a, b), won in points.items():
            if i == a:
                total += won / (1 + math.exp(x - at[b]))
            if i == b:
                total -= won / (1 + math.exp(at[a] - x))
        return total

    for _ in range(400):
        before = list(at)
        for i in range(players):
            low, high = -60.0, 60.0
            for _ in range(60):
                middle = (low + high) / 2
                low, high = (middle, high) if slope(i, middle) > 0 else (low, middle)
            at[i] = (low + high) / 2
        if max(abs(a - b) for a, b in zip(at, before, strict=True)) < 1e-8:
            break
    return at


def test_ratings_are_those_of_choix() -> None:
    choix = pytest.importorskip("choix")
    points = {(0, 1): 14.0, (1, 0): 6.0, (1, 2): 9.0, (2, 1): 11.0, (0, 3): 20.0, (3, 2): 1.0}
    deviation = PRIOR / (400 / math.log(10))
    wins = [pair for pair, won in points.items() for _ in range(int(won))]
    theirs = choix.opt_pairwise(4, wins, alpha=1 / (2 * deviation**2), tol=1e-12)
    ours, _ = fitted_strengths(4, points, deviation)
    assert ours == pytest.approx(list(theirs), abs=1e-4)


def test_two_players_differ_by_what_their_share_says() -> None:
    first, second = ratings(["a", "b"], {(0, 1): 750.0, (1, 0): 250.0})
    assert first.elo - second.elo == pytest.approx(elo_of(0.75), abs=0.5)
    assert first.high - first.low == pytest.approx(second.high - second.low)


def test_a_rating_without_games_is_the_prior() -> None:
    only, other = ratings(["a", "b"], {})
    assert only.elo == other.elo == 0
    assert only.high == pytest.approx(1.96 * PRIOR / math.sqrt(2), rel=0.001)


def test_who_won_everything_is_rated_finitely() -> None:
    first, second = ratings(["a", "b"], {(0, 1): 1000.0})
    assert 300 < first.elo - second.elo < 3000
    assert first.player == "a"
    assert math.isfinite(second.low)


def test_nobody_has_no_rating() -> None:
    assert ratings([], {}) == []


def test_the_strongest_stands_first_and_the_mean_is_nought() -> None:
    found = ratings(["a", "b", "c"], {(1, 0): 30.0, (2, 1): 20.0, (1, 2): 15.0, (0, 1): 5.0})
    assert [r.player for r in found] == ["c", "b", "a"]
    assert found[0].elo > found[1].elo > found[2].elo
    assert sum(r.elo for r in found) == pytest.approx(0, abs=1e-9)
    assert all(r.high - r.elo == pytest.approx(r.elo - r.low) for r in found)
    alone = ratings(["a", "b", "c"], {})
    assert alone[0].high == pytest.approx(1.96 * PRIOR * math.sqrt(2 / 3), rel=0.001)


def test_the_interval_of_a_rating_is_that_of_its_slope() -> None:
    """The covariance undoes the change of the slope, by differences; a mean is then taken off."""
    points = {(0, 1): 14.0, (1, 0): 6.0, (1, 2): 9.0, (2, 1): 11.0, (0, 2): 5.0}
    deviation = 2.0
    strengths, covariance = fitted_strengths(3, points, deviation)
    step = 1e-4

    def slope(i: int, j: int, by: float) -> float:
        at = [s + by * (k == j) for k, s in enumerate(strengths)]
        total = -at[i] / deviation**2
        for (a, b), won in points.items():
            if i in (a, b):
                total += (1 if i == a else -1) * won / (1 + math.exp(at[a] - at[b]))
        return total

    curve = [
        [(slope(i, j, -step) - slope(i, j, step)) / (2 * step) for j in range(3)] for i in range(3)
    ]
    for i in range(3):
        row = [sum(curve[i][k] * covariance[k][j] for k in range(3)) for j in range(3)]
        assert row == pytest.approx([float(i == j) for j in range(3)], abs=1e-5)
    scale = 400 / math.log(10)
    least = ratings(["a", "b", "c"], points, prior=deviation * scale)
    for i, name in enumerate("abc"):
        rating = next(r for r in least if r.player == name)
        weights = [float(i == j) - 1 / 3 for j in range(3)]
        variance = sum(
            weights[j] * weights[k] * covariance[j][k] for j in range(3) for k in range(3)
        )
        assert rating.high - rating.elo == pytest.approx(1.959964 * scale * math.sqrt(variance))


def test_equations_are_solved_where_a_pivot_is_nought() -> None:
    assert solve([[0.0, 2.0], [4.0, 0.0]], [[6.0, 1.0], [8.0, 0.0]]) == [[2.0, 0.0], [3.0, 0.5]]
    # by the first pivot in sight nearly every digit would be lost
    (x,), (y,) = solve([[1e-20, 1.0], [1.0, 1.0]], [[1.0], [2.0]])
    assert (x, y) == pytest.approx((1.0, 1.0))


@given(st.lists(st.lists(st.floats(-3, 3), min_size=3, max_size=3), min_size=3, max_size=3))
def test_equations_are_solved(rows: list[list[float]]) -> None:
    matrix = [[x + 10.0 * (i == j) for j, x in enumerate(row)] for i, row in enumerate(rows)]
    found = solve(matrix, [[1.0], [2.0], [3.0]])
    back = [sum(a * x[0] for a, x in zip(row, found, strict=True)) for row in matrix]
    assert back == pytest.approx([1.0, 2.0, 3.0])
