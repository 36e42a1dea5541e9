"""Environments pass the tests of those who made their interfaces, and play as `State` does."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from rulewright import Personality, load
from rulewright.learning.gym import SeatEnv, SeatVectorEnv
from rulewright.learning.lane_arrays import LearningError
from rulewright.learning.zoo import BoardGameEnv
from tests.shared.backends import needs_llvm

pytestmark = needs_llvm
GAMES = ["tictactoe", "conniption", "spanit", "chess", "backgammon", "kuhn", "mensch"]
"""With dice, secrets and four players among them."""


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_accepts_the_environment(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        api_test(BoardGameEnv(load(name)), num_cycles=200)
        seed_test(lambda: BoardGameEnv(load(name)), num_cycles=50)


@pytest.mark.parametrize("name", GAMES)
def test_gymnasium_accepts_the_environment(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        check_env(SeatEnv(load(name), render_mode="ansi"))


def play(env: BoardGameEnv, *texts: str) -> dict[str, float]:
    for text in texts:
        env.step(env.games.actions.index(text))
    return dict(env.rewards)


def test_the_winner_is_rewarded() -> None:
    env = BoardGameEnv(load("tictactoe"), render_mode="ansi")
    env.reset()
    assert play(env, "a1", "b1", "a2", "b2") == {"player_0": 0, "player_1": 0}
    assert env.agent_selection == "player_0"
    assert play(env, "a3") == {"player_0": 1, "player_1": -1}
    assert all(env.terminations.values())


def test_an_agent_sees_its_own_pieces_first() -> None:
    env = BoardGameEnv(load("tictactoe"))
    env.reset()
    play(env, "a1")
    mine, waiting = env.observe("player_1"), env.observe("player_0")
    assert (mine["observation"][:2] == waiting["observation"][:2][::-1]).all()
    assert mine["action_mask"].sum() == 8
    assert not waiting["action_mask"].any()


def test_an_illegal_action_loses() -> None:
    env = BoardGameEnv(load("tictactoe"))
    env.reset()
    play(env, "a1", "a1")
    assert env.rewards == {"player_0": 1, "player_1": -1}
    seat = SeatEnv(load("tictactoe"), opponent=lambda state: "b2")
    seat.reset(seed=1)
    seat.step(np.int64(seat.games.actions.index("a1")))
    *_, reward, ended, _, infos = seat.step(np.int64(seat.games.actions.index("b2")))
    assert (reward, ended, infos) == (-1, True, {"illegal": True})


@pytest.mark.parametrize("action", [-1, -2, 9, None])
def test_a_number_of_no_action_loses(action: int | None) -> None:
    env = BoardGameEnv(load("tictactoe"))
    env.reset()
    env.step(action)
    assert env.rewards == {"player_0": -1, "player_1": 1}
    if action is not None:
        seat = SeatEnv(load("tictactoe"))
        seat.reset(seed=1)
        assert seat.step(np.int64(action))[1:3] == (-1, True)
        envs = SeatVectorEnv(load("tictactoe"), 2, threads=1)
        with pytest.raises(LearningError):
            envs.step(np.full(2, action))


def test_a_personality_sits_in_the_other_seat() -> None:
    game = load("connect4")
    env = SeatEnv(game, Personality.load("eager", game).choose, seat=1)
    observation, _ = env.reset(seed=1)
    assert observation["observation"][1].sum() == 1  # it has begun
    ended, reward = False, 0.0
    while not ended:
        action = int(np.flatnonzero(observation["action_mask"])[0])
        observation, reward, ended, _, _ = env.step(np.int64(action))
    assert reward == -1  # by who always takes the first column


def test_many_seats_are_played_at_once() -> None:
    envs = SeatVectorEnv(load("connect4"), 64, seat=1, threads=1)
    observations, _ = envs.reset(seed=3)
    assert envs.observation_space.contains(observations)
    results: list[Any] = []
    generator = np.random.default_rng(1)
    for _ in range(60):
        marks = observations["action_mask"]
        assert (marks.sum(axis=1) > 0).all()
        observations, rewards, ended, cut, _ = envs.step(
            (generator.random(marks.shape) * marks).argmax(axis=1)
        )
        assert not cut.any()
        assert (ended | (rewards == 0)).all()
        results += rewards[ended].tolist()
    assert len(results) > 64
    assert np.mean(results) < 0  # who begins has the better of random games
    with pytest.raises(LearningError, match="is not legal"):
        envs.step(np.full(64, 99))
    envs.close()
