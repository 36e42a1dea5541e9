"""Proofs that a text leads prove what others do; `must` of the bundled texts leaves out nothing."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.cli import main
from rulewright.engine.game import Game
from rulewright.errors import RulewrightError
from rulewright.files.games import load_with
from rulewright.players.machine import proving
from rulewright.players.personality import Personality
from rulewright.search.results import Limits
from rulewright.search.solve import solve
from tests.shared.backends import needs_llvm
from tests.shared.playing import after

pytestmark = needs_llvm

BOARDS = {
    "connect4": ("solver", {"width": 4, "height": 4}),
    "tictactoe": ("solver", {"width": 4, "height": 3, "run": 3}),
    "dots": ("solver", {"width": 3, "height": 2}),
}

SMALL = Limits(None, memory=1 << 20)


@cache
def game(name: str) -> Game:
    return load_with(name, dict(BOARDS[name][1]))


@pytest.mark.parametrize("method", ["alphabeta", "proof"])
@pytest.mark.parametrize("name", BOARDS)
@given(seed=st.integers(0, 2**32), plies=st.integers(5, 9))
@settings(max_examples=3, deadline=None)
def test_a_text_changes_no_value(name: str, method: str, seed: int, plies: int) -> None:
    state = after(game(name), seed, plies)
    if state.over:
        return
    led = proving(Personality.load(BOARDS[name][0], game(name)).model)
    found = solve(state, SMALL, method=method, leading=led)
    assert found.value == solve(state, SMALL).value


def test_it_saves_most_of_the_work() -> None:
    """What must be done and what to try first are worth a third of the nodes, and much more."""
    board = load_with("connect4", {"width": 5, "height": 4})
    led = proving(Personality.load("solver", board).model)
    with_text, without = solve(board.start(), SMALL, leading=led), solve(board.start(), SMALL)
    assert with_text.value == without.value == "draw"
    assert with_text.nodes * 3 < without.nodes * 2


def test_who_says_neither_leads_no_proof(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RulewrightError, match="no `must`, `drawn` or `order`"):
        proving(Personality.load("eager", load_with("connect4", {})).model)
    assert main(["solve", "connect4", "--personality", "eager", "--nodes", "10"]) == 2
    assert "no `must`" in capsys.readouterr().err
