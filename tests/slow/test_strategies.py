"""The strategies keep their word: games that are legal, and a machine that finds what breaks."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, run_state_machine_as_test

from rulewright.games.files.games import load
from rulewright.strategies import decisions, games, machine, positions
from tests.shared.effort import tries


@settings(max_examples=tries(20), deadline=None)
@given(st.data())
def test_games_are_played_by_the_rules(data: st.DataObject) -> None:
    game = load("tictactoe")
    last = data.draw(games(game))
    assert last.over
    assert last.same(game.start().play(" ".join(last.decisions())))
    position = data.draw(positions(game, most=5))
    assert len(position.decisions()) <= 5
    if not position.over:
        assert data.draw(decisions(position)) in position.moves


def test_a_machine_plays_takes_back_and_finds_a_broken_invariant() -> None:
    quick = settings(max_examples=tries(30), stateful_step_count=6, deadline=None, database=None)
    base = machine(load("tictactoe"))

    class TwoPlies(base):  # type: ignore[valid-type, misc]
        @invariant()
        def ends_early(self) -> None:
            assert self.state.ply < 3, "three plies"

    run_state_machine_as_test(base, settings=quick)
    with pytest.raises(AssertionError, match="three plies"):
        run_state_machine_as_test(TwoPlies, settings=quick)
