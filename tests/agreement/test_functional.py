"""Batches as functions: equal to batches, and no call changes what another has given."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright import batch, load, loads
from rulewright.learning.functional import NEVER, FunctionalGame, LaneStates
from rulewright.learning.lane_arrays import LearningError
from tests.shared.backends import needs_llvm
from tests.shared.effort import tries
from tests.shared.tiny import ROWS_FOR_THREE

pytestmark = needs_llvm


def drawn(states: LaneStates, chance: np.random.Generator) -> Any:
    return (chance.random(states.legal_action_mask.shape) * states.legal_action_mask).argmax(axis=1)


@pytest.mark.parametrize(
    "name", ["tictactoe", "conniption", "hex", "go", "pig", "mensch", "phantom"]
)
@settings(max_examples=tries(3), deadline=None)
@given(seed=st.integers(0, 99))
def test_functions_step_as_batches_do(name: str, seed: int) -> None:
    """From any state that was given before, in any order."""
    game = load(name, **({"size": 4} if name in {"go", "hex"} else {}))
    functions = FunctionalGame(game, 3, threads=1)
    games = batch(game, 3, seed=seed, threads=1, again=False)
    chance, states = np.random.default_rng(seed), functions.init(seed)
    way = [states]
    for _ in range(30):
        actions, over = drawn(states, chance), states.terminated
        games.step(np.where(over, -2, actions))
        states = functions.step(states, actions)
        functions.step(way[chance.integers(len(way))], drawn(way[0], chance))
        assert (states.current_player == games.seats).all()
        assert (states.terminated == games.over).all()
        assert (states.rewards == np.where(over[:, None], 0, games.rewards)).all()
        assert (states.legal_action_mask == games.legal).all()
        assert (np.moveaxis(states.observation, -1, 1) == games.observe()).all()
        assert (states.numbers == games.numbers()).all()
        way.append(states)


def test_who_takes_an_action_that_is_not_legal_has_lost() -> None:
    functions = FunctionalGame(load("tictactoe"), 3, threads=1)
    states = functions.step(functions.init(), [0, 4, 8])
    states = functions.step(states, [0, 99, 7])
    assert states.rewards.tolist() == [[1, -1], [1, -1], [0, 0]]
    assert states.terminated.tolist() == [True, True, False]
    again = functions.step(states, [1, 1, 1])
    assert again.rewards.tolist() == [[0, 0]] * 3
    assert again.terminated.tolist() == [True, True, False]
    with pytest.raises(LearningError, match=r"\(3,\) is needed"):
        functions.step(states, [1])


def test_of_several_who_takes_an_illegal_action_is_last() -> None:
    functions = FunctionalGame(loads(ROWS_FOR_THREE), 2, threads=1)
    states = functions.step(functions.init(), [0, 1])
    states = functions.step(states, [0, 0])
    assert states.rewards.tolist() == [[0.5, -1, 0.5], [0, 0, 0]]
    assert states.terminated.tolist() == [True, False]
    with pytest.raises(LearningError, match="two players"):
        functions.recurrent_fn(network)


def network(parameters: float, observation: Any) -> tuple[Any, Any]:
    """Say the same of all actions, and *parameters* of all positions."""
    lanes = observation.shape[0]
    return np.zeros((lanes, 9)), np.full(lanes, parameters)


def test_a_recurrent_function_tells_rewards_of_who_decides() -> None:
    functions = FunctionalGame(load("tictactoe"), 2, threads=1)
    states = functions.init()
    for actions in ([0, 0], [3, 3], [1, 1], [4, 4]):
        states = functions.step(states, actions)
    output, after = functions.recurrent_fn(network)(0.5, None, [2, 8], states)
    assert output.reward.tolist() == [1, 0]
    assert output.discount.tolist() == [0, -1]
    assert output.value.tolist() == [0, 0.5]
    assert (output.prior_logits[1] == NEVER).tolist() == (~after.legal_action_mask[1]).tolist()


def test_jax_is_asked_for_only_where_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    functions = FunctionalGame(load("tictactoe"), 1, threads=1)
    monkeypatch.setitem(sys.modules, "jax", None)
    functions.recurrent_fn(network)
    with pytest.raises(LearningError, match="needs the package jax"):
        functions.recurrent_fn(network, jax=True)
