"""What may still be spent, at its edges: steps, seconds, parts of them, and what holds them."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.errors import OutOfBudget
from rulewright.ground import budget
from rulewright.ground.budget import Budget


class Watch:
    """A clock that is set by hand, and how often it was looked at."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now, self.looks = now, 0

    def __call__(self) -> float:
        self.looks += 1
        return self.now


def test_nothing_is_limited_at_first() -> None:
    assert (budget.current(), budget.seconds_left(), budget.remaining()) == (None, None, None)
    assert not budget.counts_steps()
    assert not budget.over()
    assert budget.why() == "the time was over before there was an answer"


@pytest.mark.parametrize(
    ("seconds", "known"), [(None, None), (0.0, 0.0), (5.0, 5.0), (1e8, 1e8), (1e9, 1e8)]
)
def test_nothing_is_waited_for_longer_than_a_clock_goes(
    seconds: float | None, known: float | None
) -> None:
    assert budget.bounded(seconds) == known
    if seconds is not None:
        with budget.within_seconds(seconds, 2.0, "late", clock=Watch()):
            assert (budget.seconds_left(), budget.remaining()) == (known, (known or 0.0) + 2.0)


# --- steps ---


@given(st.integers(0, 300), st.integers(1, 70))
def test_steps_end_where_they_say_however_they_are_spent(steps: int, by: int) -> None:
    with budget.within_steps(steps, "enough") as whole:
        for spent in range(by, steps + 1, by):
            whole.spend(by)
            assert (whole.spent, whole.used_up) == (spent, False)
        with pytest.raises(OutOfBudget, match="enough"):
            whole.spend(by)
        assert whole.used_up


def test_one_step_is_spent_where_nothing_is_said() -> None:
    with budget.within_steps(9, "enough") as whole:
        whole.spend()
    assert whole.spent == 1


def test_statements_are_steps_and_distinguished() -> None:
    with budget.within_steps(5, "outer") as outer:
        with budget.within_steps(3, "inner") as inner:
            inner.spend()
            inner.spend_statement()
            inner.spend_statement()
            with pytest.raises(OutOfBudget, match="inner"):
                inner.spend_statement()
        assert (outer.spent, outer.statements) == (4, 3)


def test_what_is_spent_of_an_inner_budget_is_spent_of_the_outer() -> None:
    with budget.within_steps(10, "outer") as outer:
        with budget.within_steps(4, "inner") as inner:
            assert inner.outer is outer
            with pytest.raises(OutOfBudget, match="inner"):
                inner.spend(5)
        assert (outer.spent, budget.current()) == (5, outer)
        with budget.within_seconds(9.0, 0.0, "late") as timed:
            timed.spend(3)
            assert not timed.used_up
        assert outer.spent == 8
        outer.spend(2)
        with pytest.raises(OutOfBudget, match="outer"):
            outer.spend()
    assert budget.current() is None


def test_only_exact_steps_are_counted_for_others() -> None:
    with budget.within_steps(9, "about", exact=False):
        assert not budget.counts_steps()
        with budget.within_seconds(9.0, 0.0, "late"):
            assert not budget.counts_steps()
            with budget.within_steps(9, "exactly"), budget.within_seconds(9.0, 0.0, "late"):
                assert budget.counts_steps()


# --- seconds ---


def test_seconds_end_after_their_grace_and_not_before() -> None:
    watch = Watch()
    with budget.within_seconds(5.0, 2.0, "late", clock=watch) as holding:
        told = [(0.0, 5.0, 7.0, False), (4.75, 0.25, 2.25, False), (5.0, 0.0, 2.0, True),
                (7.0, 0.0, 0.0, True)]  # fmt: skip
        for later, left, remaining, over in told:
            watch.now = 1000.0 + later
            assert (budget.seconds_left(), budget.remaining()) == (left, remaining)
            assert budget.over() is over
            holding.spend(64)
        watch.now = 1007.25
        assert (budget.seconds_left(), budget.remaining()) == (0.0, 0.0)
        with pytest.raises(OutOfBudget, match="late"):
            holding.spend(64)


def test_the_clock_is_looked_at_once_in_64_steps() -> None:
    watch = Watch()
    with budget.within_seconds(5.0, 0.0, "late", clock=watch) as holding:
        watch.looks = 0
        for looks in (1, 2, 3):
            for _ in range(64):
                holding.spend()
                assert watch.looks == looks
    with ExitStack() as stack:
        stack.enter_context(budget.within_seconds(5.0, 0.0, "late", clock=watch))
        steps = stack.enter_context(budget.within_steps(1000, "enough"))
        watch.looks = 0
        for _ in range(64):
            steps.spend()
        assert watch.looks == 1
        watch.now += 6.0
        with pytest.raises(OutOfBudget, match="late"):  # the outer one's time is over
            steps.spend()


def test_the_first_of_all_moments_is_what_is_left() -> None:
    watch, other = Watch(), Watch(7.0)
    with budget.within_seconds(5.0, 1.0, "all", clock=watch):
        with budget.within_seconds(3.0, 9.0, "part", clock=other):
            assert (budget.seconds_left(), budget.remaining()) == (3.0, 6.0)
            watch.now += 4.0
            assert (budget.seconds_left(), budget.remaining()) == (1.0, 2.0)
        with budget.within_steps(9, ""):
            assert (budget.seconds_left(), budget.remaining()) == (1.0, 2.0)


def test_the_innermost_message_is_reported() -> None:
    with budget.within_seconds(5.0, 0.0, "outer"):
        with budget.within_steps(9, ""):
            assert budget.why() == "outer"
        with budget.within_steps(9, "inner"):
            assert budget.why() == "inner"


# --- parts ---


def test_a_share_is_a_part_of_what_is_left() -> None:
    watch, other = Watch(), Watch(5000.0)
    with (
        budget.within_seconds(8.0, 100.0, "mine", clock=watch),
        budget.within_seconds(90.0, 0.0, "theirs", clock=other),
    ):
        watch.now += 4.0
        with budget.share(0.25):
            assert (budget.seconds_left(), budget.remaining()) == (1.0, 1.0)
            assert budget.why() == "theirs"
            holding = budget.current()
            assert holding is not None
            assert holding.clock is watch
            watch.now += 1.0
            holding.spend()
            watch.now += 0.25
            with pytest.raises(OutOfBudget, match="theirs"):
                holding.spend(64)
        watch.now += 50.0
        with budget.share(0.5):  # of nothing: over at once, and not before
            assert budget.seconds_left() == 0.0
            holding = budget.current()
            assert holding is not None
            holding.spend(64)
            watch.now += 0.25
            with pytest.raises(OutOfBudget, match="theirs"):
                holding.spend(64)


def test_a_share_of_no_time_is_no_limit() -> None:
    with budget.share(0.5):
        assert budget.current() is None
    with budget.within_steps(9, "enough") as steps, budget.share(0.5):
        assert budget.current() is steps


def test_nothing_limits_what_must_be_done() -> None:
    with budget.within_steps(0, "enough") as steps:
        with budget.regardless():
            assert budget.current() is None
        assert budget.current() is steps
        with pytest.raises(ZeroDivisionError), budget.regardless():
            _ = 1 / 0
        assert budget.current() is steps


def test_a_budget_ends_with_its_block_whatever_happens() -> None:
    def fails() -> None:
        with budget.within_steps(9, "inner") as inner:
            inner.spend(2)
            raise ZeroDivisionError

    with budget.within_steps(9, "outer") as outer:
        with pytest.raises(ZeroDivisionError):
            fails()
        assert (budget.current(), outer.spent) == (outer, 2)


def test_a_budget_without_limits_is_never_used_up() -> None:
    free = Budget()
    free.spend(10**9)
    assert not free.used_up
    assert Budget(steps=0).used_up is False
    assert Budget() != Budget()  # each is spent by itself
