"""What a person waits for: texts that would keep one waiting are refused, and every command ends.

The texts of `tests/data/waiting` were accepted once, and then took from 20 to over 200 seconds for
one decision.
"""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulewright
from rulewright import budget, disk
from rulewright.checks import mutants
from rulewright.checks.catching import catching
from rulewright.checks.claims import failing
from rulewright.checks.compare import GameDifference
from rulewright.checks.sampling import cost_of, waiting
from rulewright.cli import main
from rulewright.errors import OutOfBudget
from rulewright.files import catalog
from rulewright.files.games import bundled
from rulewright.files.kinds import FileContext, check_path
from rulewright.language.limits import POSITION_STEPS, SLOW_STEPS
from tests.shared.places import DOCS, WAITING

REFUSED = {"needc": 12, "many": 10, "pairs": 14}
"""The line that is to blame."""


@pytest.mark.parametrize(("name", "line"), REFUSED.items())
def test_a_position_that_takes_too_long_is_refused_at_its_line(name: str, line: int) -> None:
    (found,) = waiting(rulewright.load(WAITING / f"{name}.rules"))
    assert found.code == "too-slow"
    assert found.place.line == line


def test_check_ends_with_status_one(capsys: pytest.CaptureFixture[str]) -> None:
    """The claim of this file alone would take hours."""
    assert main(["check", str(WAITING / "pairs.rules")]) == 1
    out = capsys.readouterr().out
    assert "[too-slow]" in out
    assert "claim" not in out


@pytest.mark.parametrize("name", bundled())
def test_bundled_games_are_far_from_slow(name: str) -> None:
    game = rulewright.load(name)
    with budget.within_steps(10**9, "too much") as all_of_it:
        assert waiting(game) == []
    assert 0 < all_of_it.spent < 2 * SLOW_STEPS  # a dozen positions together


def test_claims_share_one_budget() -> None:
    text = (WAITING / "pairs.rules").read_text("utf-8")
    smaller = text.replace("9 by 9", "4 by 4").replace("81, 6480, 511920", "16, 240")
    game = rulewright.loads(smaller + "claim perft 16, 241\n")
    with budget.within_steps(10**9, "") as whole:
        assert [d.code for d in failing(game)] == ["claim-fails"]
    (found,) = failing(game, steps=whole.spent * 3 // 4)
    assert (found.code, found.severity) == ("claim-untested", "warning")
    assert "perft 16, 241" in found.place.excerpt  # the first claim fitted in


def test_a_claim_is_not_blamed_for_an_outer_limit() -> None:
    game = rulewright.load(WAITING / "pairs.rules")
    with budget.within_seconds(0, 0, "late"), pytest.raises(OutOfBudget, match="late"):
        failing(game)


@given(steps=st.integers(1, 400))
def test_a_budget_ends_where_it_says(steps: int) -> None:
    """Neither before nor after; and what is spent of an inner one is spent of it."""
    with budget.within_steps(steps, "enough") as whole:
        with budget.within_steps(steps, "too much") as part:
            part.spend(steps)
        assert whole.spent == steps
        with pytest.raises(OutOfBudget, match="enough"):
            whole.spend()
    assert budget.current() is None


def test_what_is_over_stops_the_reference_and_not_what_comes_after() -> None:
    state = rulewright.load(WAITING / "many.rules").start()
    with budget.within_seconds(0.05, 0, "late"), pytest.raises(OutOfBudget, match="late"):
        _ = state.moves.texts
    assert rulewright.load("tictactoe").start().moves.texts


def test_a_position_too_slow_for_its_part_of_the_time_is_not_blamed_on_the_whole() -> None:
    moments = count()
    with (
        budget.within_seconds(400, 0, "all of it was over", clock=lambda: float(next(moments))),
        pytest.raises(OutOfBudget, match="first position takes more than a quarter"),
    ):
        cost_of(rulewright.load(WAITING / "many.rules"), 1)


def test_the_limits_are_told_in_the_documents() -> None:
    docs = DOCS
    for page in ("language.md", "diagnostics.md", "design.md"):
        assert f"{POSITION_STEPS:,} steps" in (docs / page).read_text("utf-8")


# --- what comes too late is not wrong ---


def late(*_: object, **__: object) -> Any:
    raise OutOfBudget("late")


def test_a_file_that_was_read_too_late_has_no_mistakes(monkeypatch: pytest.MonkeyPatch) -> None:
    """`best --personality chains --time 3` said so, and a studio went on saying it."""
    game = rulewright.load("twixt")
    path = disk.root("patterns") / "twixt" / "chains.patterns"
    where = FileContext(game, path.parent)
    with monkeypatch.context() as patch:
        patch.setattr(catalog, "load_file", late)
        with pytest.raises(OutOfBudget):
            check_path(catalog.PATTERNS, path, where)
    assert check_path(catalog.PATTERNS, path, where).diagnostics == ()


def test_a_claim_that_could_not_be_tried_catches_nothing() -> None:
    game = rulewright.load("tictactoe")
    found = GameDifference(("a1",), (), (), "", "")
    with pytest.raises(OutOfBudget):
        catching(found, (game, game), "", ("", ""), late)
    with pytest.raises(OutOfBudget):
        mutants._caught("", ("claim no draws",), late)
