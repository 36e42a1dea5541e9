"""Batches as functions of states, in the shape of pgx and of mctx.

In: a game, how many lanes.  Out: `init` and `step`, which take and give `LaneStates`: arrays that
no later call changes, with the names that pgx's states have; and `recurrent_fn`, as mctx wants it.
States are named tuples, which JAX takes for trees of arrays.  Plain NumPy does; JAX is imported
where it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from attrs import define, field

from rulewright.compiler import layout as p
from rulewright.compiler.seats import result_word
from rulewright.games.engine.game import Game
from rulewright.learning.batch import STAND, Batch
from rulewright.learning.lane_arrays import LearningError, numpy
from rulewright.reference.play import Outcome

Array: TypeAlias = Any
"""Of NumPy, or of JAX where JAX asks."""
Network: TypeAlias = Callable[[Any, Array], "tuple[Array, Array]"]
"""Takes parameters and observations; gives logits, (lanes, actions), and values, (lanes,)."""

NEVER = -1e9
"""The logit of an action that is not legal."""


class LaneStates(NamedTuple):
    """Positions of all lanes, with what pgx's states tell of them.

    `words`, `past` and `plies` are the position, `generator` is what chance is drawn from; words
    are numbers of 32 bits, as JAX has no others unless it is told to.  A lane whose game is over
    stays as it is, with rewards 0.
    """

    words: Array
    past: Array
    """Keys of earlier positions, where rules look back."""
    plies: Array
    """Decisions of the game: (lanes,)."""
    generator: Array
    current_player: Array
    """The seat that decides: (lanes,)."""
    observation: Array
    """What it sees: truths, (lanes, rows, columns, planes)."""
    numbers: Array
    """The numbers that it sees: (lanes, numbers)."""
    legal_action_mask: Array
    """Truths: (lanes, actions)."""
    rewards: Array
    """Of the last step: (lanes, seats)."""
    terminated: Array
    truncated: Array


class RecurrentOutput(NamedTuple):
    """What mctx's `RecurrentFnOutput` holds, a number or a row of them for each lane."""

    reward: Array
    discount: Array
    prior_logits: Array
    value: Array


@define(eq=False)
class FunctionalGame:
    """A game of so many lanes as functions.

    Who takes an action that is not legal has lost.  What chance decides is part of a step, drawn
    from the generator of its states.  Calls must not overlap.
    """

    game: Game
    lanes: int
    threads: int = 0
    longest: int = 0
    _games: Batch = field(init=False)
    _past: Array = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._games = Batch(self.game, self.lanes, 0, self.threads, self.longest, again=False)
        looks_back = self._games._arrays.engine.play.rules.looks_back
        self._past = self._games._arrays.arrays["past"][:, : None if looks_back else 0]

    @property
    def num_actions(self) -> int:
        """How many actions there are."""
        return len(self._games.actions)

    def init(self, seed: int = 0) -> LaneStates:
        """Return the first position in every lane; *seed* is for chance."""
        self._games.reset(seed)
        ended, seats = numpy().zeros(self.lanes, bool), len(self.game.players)
        return self._states(numpy().zeros((self.lanes, seats), numpy().float32), ended, ended)

    def step(self, states: LaneStates, actions: Array) -> LaneStates:
        """Return the positions after an action in each lane."""
        np, games = numpy(), self._games
        actions = np.asarray(actions)
        if actions.shape != (self.lanes,):
            raise LearningError(f"actions of shape {actions.shape}; ({self.lanes},) is needed")
        self._restore(states)
        over = np.asarray(states.terminated) | np.asarray(states.truncated)
        rows = np.arange(self.lanes)
        legal = games.legal[rows, np.clip(actions, 0, self.num_actions - 1)]
        lost = ~over & ~(legal & (actions >= 0) & (actions < self.num_actions))
        losers = games.seats.copy()
        games.step(np.where(over | lost, STAND, actions))
        rewards = games.rewards * ~over[:, None]
        rewards[lost] = 1 / (len(self.game.players) - 1)
        rewards[rows[lost], losers[lost]] = -1
        words = games._arrays.arrays["state"]
        words[lost, p.RESULT] = self._results_of_lost()[words[lost, p.MOVER]]
        ended = np.asarray(states.terminated) | lost | (games.terminated & ~over)
        cut = np.asarray(states.truncated) | (games.truncated & ~over)
        return self._states(rewards, ended, cut)

    def _results_of_lost(self) -> Array:
        """Return the word of a result for each player who might have lost."""
        count = len(self.game.players)
        if count == 2:
            return numpy().array([1, 0])
        outcomes = [
            Outcome(None, 0, tuple(count if seat == loser else 1 for seat in range(count)))
            for loser in range(count)
        ]
        return numpy().array([result_word(outcome, count) for outcome in outcomes])

    def _restore(self, states: LaneStates) -> None:
        """Put positions into the lanes."""
        np, arrays = numpy(), self._games._arrays.arrays
        arrays["state"][:] = np.ascontiguousarray(states.words).view(np.int64)
        if self._past.size:
            self._past[:] = np.ascontiguousarray(states.past).view(np.int64)
        arrays["chance"][:] = np.ascontiguousarray(states.generator).view(np.int64)
        self._games._word("plies")[:] = np.asarray(states.plies)
        self._games._arrays.step("look_lane")
        self._games._raise_faults()

    def _states(self, rewards: Array, ended: Array, cut: Array) -> LaneStates:
        """Return copies of what the lanes hold."""
        np, games = numpy(), self._games
        over = (ended | cut)[:, None]
        return LaneStates(
            np.ascontiguousarray(games._arrays.arrays["state"]).view(np.uint32).copy(),
            np.ascontiguousarray(self._past).view(np.uint32).copy(),
            games._word("plies").astype(np.int32),
            games._arrays.arrays["chance"].view(np.uint32).copy(),
            games.seats.astype(np.int32),
            np.moveaxis(games.observe(), 1, -1).astype(bool),
            games.numbers().astype(np.int32),
            games.legal & ~over,
            rewards.astype(np.float32),
            ended.copy(),
            cut.copy(),
        )

    def recurrent_fn(self, network: Network, jax: bool = False) -> Callable[..., Any]:
        """Return mctx's `recurrent_fn`: the step of a search with a network's judgement after it.

        It takes parameters, a key that it does not use, actions and states; it gives a
        `RecurrentOutput` and states.  Rewards and values are those of who decides.  *jax*: for
        traced arrays; the step itself runs on the processor.  For games of two players: mctx has no
        values of several.
        """
        if self.game.rules.has_several:
            raise LearningError(f"{self.game.name}: mctx searches games of two players")
        np = _jax_numpy() if jax else numpy()
        step = self._traced_step if jax else self.step

        def recurrent(
            parameters: Any, key: Any, actions: Array, states: LaneStates
        ) -> tuple[RecurrentOutput, LaneStates]:
            del key
            after = step(states, actions)
            logits, values = network(parameters, after.observation)
            mover, over = states.current_player, after.terminated | after.truncated
            reward = np.take_along_axis(after.rewards, mover[:, None], axis=1)[:, 0]
            discount = np.where(over, 0.0, np.where(after.current_player == mover, 1.0, -1.0))
            priors = np.where(after.legal_action_mask, logits, NEVER)
            return RecurrentOutput(reward, discount, priors, np.where(over, 0.0, values)), after

        return recurrent

    def _traced_step(self, states: LaneStates, actions: Array) -> LaneStates:
        """Let JAX call `step` wherever it has compiled the call."""
        import jax

        shapes = jax.tree.map(lambda a: jax.ShapeDtypeStruct(a.shape, a.dtype), states)
        called: LaneStates = jax.pure_callback(self.step, shapes, states, actions)
        return called


def _jax_numpy() -> Any:
    """Return JAX's NumPy; raises `LearningError` where it is missing."""
    try:
        import jax.numpy
    except ImportError:
        raise LearningError("this needs the package jax: pip install jax") from None
    return jax.numpy
