"""The referee's clock: what is late, what the grace forgives, and what a turn gives back."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import rulewright
from rulewright.games.engine.game import State
from rulewright.matches import referee
from rulewright.matches.referee import GameTerms, PlayedGame, play_game
from rulewright.players.player import Clock, Decision, GameLimits
from tests.shared.matches import Scripted


class Thinking:
    """A clock that only thinking moves on: seconds for each decision of the first seat."""

    def __init__(self, *seconds: float) -> None:
        self.now, self.seconds = 1000.0, list(seconds)
        self.told = list[Clock]()

    def perf_counter(self) -> float:
        return self.now

    def choose(self, state: State, clock: Clock) -> Decision:
        self.told.append(clock)
        self.now += self.seconds.pop(0) if self.seconds else 0.0
        return Decision(state.moves.texts[0], 1.0)


def played(monkeypatch: pytest.MonkeyPatch, thinking: Thinking, limits: GameLimits) -> PlayedGame:
    """A game of tic-tac-toe whose first seat thinks so long."""
    other = Scripted(lambda state, _: Decision(state.moves.texts[-1], 1.0))
    monkeypatch.setattr(referee, "time", SimpleNamespace(perf_counter=thinking.perf_counter))
    game = rulewright.load("tictactoe")
    return play_game(game, (Scripted(thinking.choose), other), terms=GameTerms((limits, limits)))


@pytest.mark.parametrize(
    ("seconds", "late"), [(2.0, False), (2.5, False), (2.50001, True), (9.0, True)]
)
def test_a_decision_may_be_late_by_the_grace(
    seconds: float, late: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = played(monkeypatch, Thinking(seconds), GameLimits(seconds=2.0, grace=0.5))
    assert (found.reason == "time", found.winner == 1) == (late, late)
    if late:
        assert f"{seconds:.2f} s for a decision, 2 s are allowed" in found.detail


@pytest.mark.parametrize(
    ("seconds", "late"), [([4.0], False), ([4.5], False), ([4.75], True), ([3.0, 1.5], False),
                          ([3.0, 1.75], True)]
)  # fmt: skip
def test_a_clock_may_run_out_by_the_grace(
    seconds: list[float], late: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = played(monkeypatch, Thinking(*seconds), GameLimits(clock=4.0, grace=0.5))
    assert (found.reason == "time", found.winner == 1) == (late, late)
    if late:
        assert "the clock of 4 s has run out" in found.detail


def test_grace_is_forgiven_and_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was used of it stays off the clock: the next decision has that much less."""
    thinking = Thinking(4.5, 0.25)
    found = played(monkeypatch, thinking, GameLimits(clock=4.0, grace=0.5))
    assert [clock.reserve for clock in thinking.told] == [4.0, -0.5]
    assert found.reason == "time"


def test_a_turn_gives_its_increment_back(monkeypatch: pytest.MonkeyPatch) -> None:
    thinking = Thinking(1.0, 3.5, 0.5)
    found = played(monkeypatch, thinking, GameLimits(clock=4.0, increment=0.75, grace=0.0))
    assert [clock.reserve for clock in thinking.told[:3]] == [4.0, 3.75, 1.0]
    assert found.reason == "rules"
    assert [(clock.seconds, clock.increment) for clock in thinking.told[:1]] == [(None, 0.75)]


def test_both_limits_hold_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = GameLimits(seconds=2.0, clock=3.0, grace=0.0)
    assert played(monkeypatch, Thinking(2.25), limits).detail.endswith("2 s are allowed")
    assert played(monkeypatch, Thinking(1.75, 1.75), limits).detail.endswith("3 s has run out")


def test_a_player_receives_its_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    thinking = Thinking(0.5)
    played(monkeypatch, thinking, GameLimits(seconds=2.0, clock=8.0, increment=1.0))
    assert thinking.told[:2] == [Clock(2.0, 8.0, 1.0), Clock(2.0, 8.5, 1.0)]


def test_listing_the_decisions_is_nobodys_time(monkeypatch: pytest.MonkeyPatch) -> None:
    thinking, listed = Thinking(), State._fastest

    def slowly(state: State) -> object:
        thinking.now += 5.0
        return listed(state)

    monkeypatch.setattr(State, "_fastest", slowly)
    found = played(monkeypatch, thinking, GameLimits(seconds=2.0, clock=3.0, grace=0.0))
    assert found.reason == "rules"


def test_a_clock_that_is_used_up_gets_its_increment_and_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    thinking = Thinking(4.0, 0.75)
    found = played(monkeypatch, thinking, GameLimits(clock=4.0, increment=0.75, grace=0.0))
    assert [clock.reserve for clock in thinking.told[:3]] == [4.0, 0.75, 0.75]
    assert found.reason == "rules"
