"""A game as an environment of PettingZoo, whose agents take turns.

In: a game.  Out: an `AECEnv` that passes PettingZoo's own tests.  Needs the packages of the extra
`learning`.  Agents are seats: they stay who they are when players exchange their colours.  What
chance decides is part of the step before.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from rulewright.games.engine.game import Game
from rulewright.learning.batch import Batch


def observation_space(games: Batch) -> spaces.Dict:
    """Return the space of an observation: planes of bytes, numbers, and marks of legal actions."""
    shape = (len(games.planes.planes), *games.planes.shape)
    marks, numbers = (len(games.actions),), (len(games.planes.numbers),)
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 1, shape, np.int8),
            "numbers": spaces.Box(-np.inf, np.inf, numbers, np.float32),
            "action_mask": spaces.Box(0, 1, marks, np.int8),
        }
    )


def observation(games: Batch, seat: int) -> dict[str, Any]:
    """Return what a seat sees in the first lane; nothing is legal for a seat that waits."""
    decides = bool(games.seats[0] == seat)
    return {
        "observation": games.observe(seat)[0].astype(np.int8),
        "numbers": games.numbers(seat)[0].astype(np.float32),
        "action_mask": games.legal[0].astype(np.int8) * decides,
    }


class BoardGameEnv(AECEnv[str, dict[str, Any], int]):
    """A board game for agents, one for each player.

    An observation is what `Batch.observe` and `Batch.numbers` give of the position as the agent
    sees it, and `action_mask`, all 0 for an agent that waits.  The loser of an illegal action is
    who took it; the others share the win.
    """

    metadata = {"name": "rulewright_v0", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012 - as PettingZoo declares it

    def __init__(
        self, game: Game, longest: int = 0, render_mode: str | None = None, sparse: int = 0
    ) -> None:
        """Make the environment; *longest* and *sparse* as for `Batch`."""
        super().__init__()
        self.games = Batch(game, 1, threads=1, longest=longest, again=False, sparse=sparse)
        self.metadata = {**self.metadata, "name": f"{game.name}_v0"}
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(len(game.players))]
        space, actions = observation_space(self.games), spaces.Discrete(len(self.games.actions))
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = dict.fromkeys(self.possible_agents, actions)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of observations, the same for all agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of actions, the same for all agents."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game."""
        self.games.reset(seed)
        agents = self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        self.agent_selection = self._mover()

    def _mover(self) -> str:
        return self.possible_agents[int(self.games.seats[0])]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees."""
        return observation(self.games, self.possible_agents.index(agent))

    def step(self, action: int | None) -> None:
        """Play the action of the agent that is selected."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        if action is not None and self.games.is_legal(0, int(action)):
            self.games.step([int(action)])
            self._note_end()
        else:
            self._lose(agent)
        self.agent_selection = self._mover()
        self._accumulate_rewards()

    def _note_end(self) -> None:
        for seat, agent in enumerate(self.possible_agents):
            self.rewards[agent] = float(self.games.rewards[0, seat])
            self.terminations[agent] = bool(self.games.terminated[0])
            self.truncations[agent] = bool(self.games.truncated[0])

    def _lose(self, agent: str) -> None:
        """End the game: an agent has taken an illegal action."""
        share = 1.0 / (len(self.possible_agents) - 1)
        for other in self.possible_agents:
            self.rewards[other] = -1.0 if other == agent else share
            self.terminations[other] = True

    def render(self) -> str | None:
        """Return the board as text, where the mode is `ansi`."""
        return str(self.games.state(0)) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
