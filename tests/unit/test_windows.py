"""The rules of iterative deepening, which the driver and engines to take away share."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rulewright.search.kernels.thread import SURE, WIN
from rulewright.search.kernels.windows import (
    EXACT,
    FITS,
    PROVEN,
    TOO_LOW,
    fit,
    half_window,
    is_scouted,
    is_wanted,
    marks_of,
    scout_edge,
    sure,
)

VALUES = st.one_of(
    st.integers(-4, 4).map(float),
    st.floats(-1e6, 1e6),
    st.integers(1, 60).map(lambda far: float(WIN - far)),
    st.integers(1, 60).map(lambda far: float(far - WIN)),
)


@given(VALUES, VALUES, st.integers(0, 9))
def test_a_window_that_does_not_fit_is_opened_once(last: float, value: float, depth: int) -> None:
    width = half_window(last, depth)
    if not width:
        assert depth <= 2 or abs(last) >= SURE
        return
    low, high, most = last - width, last + width, 2.0 * WIN
    assert low < last < high
    fitting = fit(value, low, high, -most, most)
    assert (fitting == FITS) == (low < value < high)
    low, high = (-most, high) if fitting == TOO_LOW else (low, most)
    assert fit(value, low, high, -most, most) == FITS


@given(VALUES, VALUES, VALUES)
def test_a_scout_finds_whether_a_decision_is_better(least: float, high: float, v: float) -> None:
    """Its window holds no value; what lies above is searched once more, unless that was all."""
    assert is_scouted(0, 0, least)
    assert not is_scouted(1, 0, least)
    assert not is_scouted(0, 1, least)
    if least >= high:
        return
    edge = scout_edge(least, high)
    assert least < edge <= high
    assert bool(is_wanted(v, least, edge, high)) == (v > least and edge < high)
    assert bool(marks_of(v, least, 0, 1) & EXACT) == (v > least)
    assert marks_of(v, least, 1, 0) & (EXACT | PROVEN) == EXACT | PROVEN


@given(VALUES, st.booleans(), st.booleans())
def test_a_bound_above_is_no_win(value: float, exact: bool, proven: bool) -> None:
    marks = EXACT * exact | PROVEN * proven
    assert (sure(value, marks) == 1) == (value > SURE and exact and proven)
    assert (sure(value, marks) == -1) == (value < -SURE and proven)
