"""A game as environments of Gymnasium: a seat against a player, and many games side by side.

In: a game, and who plays the other seat.  Out: `SeatEnv`, which passes Gymnasium's own check, and
`SeatVectorEnv`, a batch whose other seats play at random.  Needs the extra `learning`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from rulewright.games.engine.game import Game, State
from rulewright.learning.batch import DRAW, STAND, Batch
from rulewright.learning.lane_arrays import LearningError
from rulewright.learning.zoo import observation, observation_space

Opponent = Callable[[State], str]
"""Makes a decision: its text, or that of a whole turn."""


class SeatEnv(gymnasium.Env[dict[str, Any], np.int64]):
    """A seat of a board game, with a player in the others.

    *opponent*: what makes the decisions of the other seats, as `Personality.choose` does; None
    plays at random.  *seat*: 0, 1, ..., or None for one that is drawn at each reset.  An
    observation is what `BoardGameEnv` gives; the reward is that of `Batch.rewards` at the end, -1
    for an illegal action.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        game: Game,
        opponent: Opponent | None = None,
        seat: int | None = 0,
        longest: int = 0,
        **settings: Any,
    ) -> None:
        """Make the environment; *settings*: `render_mode`, and those of `Batch`."""
        render_mode = settings.pop("render_mode", None)
        self.games = Batch(game, 1, threads=1, longest=longest, again=False, **settings)
        self.opponent, self._wish, self.seat = opponent, seat, seat or 0
        self.render_mode = render_mode
        self.observation_space = observation_space(self.games)
        self.action_space = spaces.Discrete(len(self.games.actions))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a new game; the other seat plays until it is this one's turn."""
        super().reset(seed=seed)
        self.games.reset(int(self.np_random.integers(2**62)))
        drawn = self._wish is None
        self.seat = (
            int(self.np_random.integers(len(self.games.game.players))) if drawn else self.seat
        )
        self._let_play()
        return self._observation(), {}

    def step(self, action: np.int64) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Play an action and the answers to it."""
        if not self.games.is_legal(0, int(action)):
            return self._observation(), -1.0, True, False, {"illegal": True}
        self.games.step([int(action)])
        self._let_play()
        games = self.games
        reward = float(games.rewards[0, self.seat])
        ends = bool(games.terminated[0]), bool(games.truncated[0])
        return self._observation(), reward, *ends, {}

    def _let_play(self) -> None:
        """Let the other seat play until it is this one's turn, or the game is over."""
        games = self.games
        while not games.over[0] and games.seats[0] != self.seat:
            text = self.opponent(games.state(0)) if self.opponent else None
            games.step(None if text is None else [games.decisions(0)[text]])

    def _observation(self) -> dict[str, Any]:
        return observation(self.games, self.seat)

    def render(self) -> str | None:
        """Return the board as text, where the mode is `ansi`."""
        return str(self.games.state(0)) if self.render_mode == "ansi" else None


class SeatVectorEnv(VectorEnv[dict[str, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]):
    """A seat of many games at once; in the other seats players draw their actions.

    A game that is over begins anew in the same step, whose observation is of the new game; its own
    last position is not observed.  An illegal action is a `LearningError`.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(self, game: Game, num_envs: int, seat: int = 0, **settings: Any) -> None:
        """Make the environments; *settings* are those of `Batch`."""
        self.games, self.seat, self.num_envs = Batch(game, num_envs, **settings), seat, num_envs
        self.single_observation_space = observation_space(self.games)
        self.single_action_space = spaces.Discrete(len(self.games.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin new games."""
        super().reset(seed=seed)
        self.games.reset(seed)
        self._let_play()
        return self._observations(), {}

    def step(
        self, actions: np.ndarray[Any, Any]
    ) -> tuple[dict[str, Any], Any, Any, Any, dict[str, Any]]:
        """Play an action in every game, and the answers to it."""
        if (np.asarray(actions) < 0).any():
            raise LearningError("an action of a game is 0 or more")
        self.games.step(actions)
        rewards, ended, cut = self._ends()
        more = self._let_play()
        return self._observations(), rewards + more[0], ended | more[1], cut | more[2], {}

    def _ends(self) -> tuple[Any, Any, Any]:
        games = self.games
        return games.rewards[:, self.seat].copy(), games.terminated, games.truncated

    def _let_play(self) -> tuple[Any, Any, Any]:
        """Let the other seats play; returns what that gives this one, and what it ended."""
        rewards = np.zeros(self.num_envs, np.float32)
        ended = cut = np.zeros(self.num_envs, np.bool_)
        while (waits := self.games.seats != self.seat).any():
            self.games.step(np.where(waits, DRAW, STAND))
            more = self._ends()
            rewards, ended, cut = rewards + more[0], ended | more[1], cut | more[2]
        return rewards, ended, cut

    def _observations(self) -> dict[str, Any]:
        games = self.games
        return {
            "observation": games.observe(self.seat).astype(np.int8),
            "numbers": games.numbers(self.seat).astype(np.float32),
            "action_mask": games.legal.astype(np.int8),
        }

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads of the batch."""
        self.games.close()
