"""The plain search: limits, forced results, and answers that repeat."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import GameOver
from rulewright.game import State
from rulewright.loading import load
from rulewright.search.best import best, best_turn
from rulewright.search.engines import load_engine
from rulewright.search.results import Limits

TICTACTOE = load("tictactoe")


def minimax(state: State) -> int:
    """The value for the player at move, the obvious way."""
    if state.result is not None:
        return 0 if state.result.winner is None else -1
    return max(-minimax(state.play_decision(m)) for m in state.moves())


@pytest.mark.parametrize("fast", [True, False])
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_proofs_are_right(fast: bool, data: st.DataObject) -> None:
    with patch("rulewright.search.best.load_engine", load_engine if fast else lambda *_: "off"):
        prove(data)


def prove(data: st.DataObject) -> None:
    state = TICTACTOE.start()
    for _ in range(data.draw(st.integers(4, 7))):
        if not state.over:
            state = state.play_decision(data.draw(st.sampled_from(state.moves())))
    if state.over:
        return
    found = best(state, Limits(seconds=None, depth=9))
    value = minimax(state)
    assert found.proven == {1: "win", 0: "draw", -1: "loss"}[value]
    after = state.play_decision(found.move)
    assert -minimax(after) == value
    for move, claimed in found.root:
        if claimed is not None and value < 1:
            assert claimed == -minimax(state.play_decision(move))


def test_the_shortest_win_is_played() -> None:
    state = TICTACTOE.start().play("a1 b1 a2 b2")
    found = best(state, Limits(seconds=None, depth=5))
    assert (found.move, found.distance, found.proven) == ("a3", 1, "win")


def test_a_loss_is_put_off() -> None:
    # cross threatens b1 and c2 at once: nought loses whatever it does, but not at once
    state = TICTACTOE.start().play("a1 b2 c3 a3 c1")
    found = best(state, Limits(seconds=None, depth=6))
    assert found.proven == "loss"
    assert found.distance == 2
    assert found.move in state.moves()


def test_nodes_and_seed_decide_everything() -> None:
    state = load("spanit", size=3).start()
    first, second = (best(state, Limits(seconds=None, nodes=500), seed=3) for _ in range(2))
    assert (first.move, first.root, first.nodes) == (second.move, second.root, second.nodes)
    assert first.nodes <= 501


def test_an_exchange_of_colours_is_judged_for_the_person() -> None:
    # on 5 by 5 a peg in the middle is worth taking over: the one who swaps owns it
    state = load("twixt", size=5).start().play("c3")
    found = best(state, Limits(seconds=None, nodes=6000), seed=1)
    values = dict(found.root)
    assert values["swap"] is not None
    assert found.side == "blue"


def test_a_depth_alone_ends_the_search() -> None:
    found = best(load("connect4").start(), Limits(seconds=None, depth=2))
    assert found.depth == 2
    assert found.move in list("1234567")


def test_whole_turns_end_with_the_turn() -> None:
    state = load("conniption").start()
    decisions, found = best_turn(state, Limits(seconds=None, nodes=40))
    assert len(decisions) == 3
    assert state.play(state.turn_text(decisions)).ply == 1
    assert found.side == "red"


def test_a_finished_game_has_nothing_to_decide() -> None:
    with pytest.raises(GameOver):
        best(TICTACTOE.start().play("a1 b1 a2 b2 a3"))
