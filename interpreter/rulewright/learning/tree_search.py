"""Tree search in every lane of a batch, led by the priors and values of a network.

In: a batch, and a function that says of the positions of a batch how good each action looks and
what the position is worth.  Out: for each lane how often each action was looked at, and what it
seems worth.  The trees grow in machine code, all lanes side by side; the function is called once
for each simulation, with the leaves of all lanes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import define, field, frozen

from rulewright.compiler import layout as p
from rulewright.compiler.runtime import place
from rulewright.games.engine.game import State
from rulewright.learning import tree_kernels
from rulewright.learning.batch import CHANCE, DRAW, Batch
from rulewright.learning.lane_arrays import LearningError, numpy
from rulewright.learning.tree_kernels import ANY, HEAD, SUMS, ForestWords, TreeWords
from rulewright.search.completions import Completions

if TYPE_CHECKING:
    import numpy as np

    Numbers: TypeAlias = np.ndarray[Any, np.dtype[Any]]

Evaluate: TypeAlias = Callable[[Batch], "tuple[Numbers, Numbers]"]
"""Takes a batch; gives logits of actions, (lanes, actions), and values of positions, (lanes,).

Actions that are not legal are left out.  A value lies between -1 and 1, 1 for a position that the
seat that decides there wins.  Of more than two players the values are those of every seat,
(lanes, seats), as rewards are.
"""

SIMULATIONS = 32
EXPLORATION = 1.25
"""How much priors count beside values, as in AlphaZero."""
_BRANCHES = 128
"""Children of a node that there is room for, on the average; with less room leaves stay leaves."""
_OUTCOMES = 40
"""Outcomes of chance for which there is room beside each node with children, on the average."""
_NEVER = -1e30
"""The logit of an action that is not legal."""
CONSIDERED = 16
"""Actions that `Gumbel` tries at a root, at most."""
_VISITS, _SCALE = 50, 0.1
"""How much values count beside logits, as in mctx."""
_WORDS = 8
"""Words of `tree_kernels.TreeWords` and `tree_kernels.ForestWords`, with room."""


@frozen(eq=False)
class SearchCounts:
    """What a search says of the roots, a row for each lane."""

    visits: Numbers
    """Simulations that began with an action: (lanes, actions)."""
    values: Numbers
    """Their mean value for the seat that decides, 0 where there were none: (lanes, actions)."""
    policy: Numbers
    """What a network should learn to say of actions, sum 1: (lanes, actions)."""
    actions: Numbers
    """The action that seems best, `batch.DRAW` where chance decides: (lanes,)."""

    @property
    def root_values(self) -> Numbers:
        """The mean value of all simulations for the seat that decides: (lanes,)."""
        total = self.visits.sum(axis=1)
        return (self.visits * self.values).sum(axis=1) / numpy().maximum(total, 1)


@define(eq=False)
class PUCT:
    """A search by PUCT in all lanes of a batch, as AlphaZero's.

    Outcomes of chance are drawn as often as they are likely; each of several players looks for the
    most for the own seat.  Refuses, as `LearningError`, games with secrets.

    *noise*: the share of Dirichlet's distribution with *alpha* in the priors of a root.  Trees
    depend on the seed of the batch, the number of the lane, its position and the evaluations alone.
    """

    games: Batch
    simulations: int = SIMULATIONS
    exploration: float = EXPLORATION
    noise: float = 0.0
    alpha: float = 0.3
    leaves: Batch = field(init=False)
    """The positions that are to be evaluated; a lane whose leaf ended its game is over."""
    _generators: list[Any] = field(init=False)
    _root_logits: Numbers = field(init=False)
    _root_values: Numbers = field(init=False)
    """What evaluations say of the roots themselves."""

    def __attrs_post_init__(self) -> None:
        games, rules = self.games, self.games.game.rules
        if rules.has_secrets:
            raise LearningError(
                f"{rules.name}: this search looks at whole positions, which players do not see;"
                " `completions` gives positions that fit what a player has seen"
            )
        if self.simulations < 1:
            raise LearningError(f"a search of {self.simulations} simulations; at least 1 is needed")
        self.leaves = Batch(
            games.game, games.lanes, _seed_beside(games.seed), games.threads, games.longest,
            again=False, chance=games.chance, sparse=games.sparse,
        )  # fmt: skip
        lanes, seed = range(games.lanes), games.seed
        self._generators = [numpy().random.default_rng((seed, lane)) for lane in lanes]
        self.leaves._arrays.link(tree_kernels, self._arrays())

    def _arrays(self) -> dict[str, Any]:
        """Return the arrays of `tree_kernels.LaneTree`, in its order."""
        np, n, batch = numpy(), self.games.lanes, self.leaves._arrays
        marks = 8 * batch.arrays["legal"].shape[1]
        room, seats, longest = self._room(), len(self.games.game.rules.views), self._longest()
        shared = np.zeros(_WORDS, np.int64)
        shared[place(ForestWords, "room")] = room
        shared[place(ForestWords, "longest")] = longest
        shared[place(ForestWords, "seats")] = seats
        return {
            "tree": np.zeros((n, _WORDS), np.int64),
            "root": np.zeros((n, batch.engine.plan.whole), np.int64),
            "nodes": np.zeros((n, room * (HEAD + batch.engine.row)), np.int64),
            "worth": np.zeros((n, room * (SUMS + seats))),
            "path": np.zeros((n, longest), np.int64),
            "priors": np.zeros((n, marks)), "value": np.zeros((n, seats)),
            "visits": np.zeros((n, marks)), "values": np.zeros((n, marks)),
            "rates": np.array([self.exploration]), "shared": shared,
        }  # fmt: skip

    def _room(self) -> int:
        """Return how many nodes a tree has room for."""
        actions, grown = len(self.games.actions), self.simulations + 1
        outcomes = _OUTCOMES * grown if self.games.game.rules.has_chance else 0
        return 1 + outcomes + max(actions, grown * min(actions, _BRANCHES))

    def _longest(self) -> int:
        """Return how many nodes a path has at most: each simulation makes it longer by one.

        Chance may add as many more.
        """
        return (self.simulations + 1) * (2 if self.games.game.rules.has_chance else 1)

    def run(self, evaluate: Evaluate) -> SearchCounts:
        """Search all lanes from their present positions."""
        self._plant()
        self._root_logits, self._root_values = self._grow(evaluate, self._noisy)
        for number in range(self.simulations):
            self._begin(number)
            self._run("descend_lane")
            self._grow(evaluate)
        return self._counts()

    def _plant(self) -> None:
        """Begin a tree in each lane with the position of the batch."""
        ours, theirs = self.leaves._arrays.arrays, self.games._arrays.arrays
        ours["root"][:] = theirs["state"]
        engine = self.games._arrays.engine
        if engine.play.rules.looks_back:
            past = int(theirs["state"][:, p.PAST].max()) * len(engine.earlier)
            ours["past"][:, :past] = theirs["past"][:, :past]
        self._word("plies")[:] = self.games._word("plies")
        self._word("first")[:] = ANY
        self._run("plant_lane")

    def _grow(
        self, evaluate: Evaluate, change: Callable[[Numbers], Numbers] | None = None
    ) -> tuple[Numbers, Numbers]:
        """Evaluate the leaves, count their values, and give them children; returns what was said.

        *change* is made to the priors.
        """
        arrays, count = self.leaves._arrays.arrays, len(self.games.actions)
        scores, values = evaluate(self.leaves)
        logits, values = self._masked(scores), self._checked_values(values)
        priors = softmax(logits)
        arrays["priors"][:, :count] = priors if change is None else change(priors)
        arrays["value"][:] = self._of_seats(values)
        self._run("back_up_lane")
        return logits, self._of_deciders(values)

    def _checked_values(self, values: Numbers) -> Numbers:
        """Return values, for each lane or its seats; raises `LearningError` for others."""
        array = numpy().asarray(values, numpy().float32)
        several, lanes = self.games.game.rules.has_several, self.games.lanes
        shape = (lanes, len(self.games.game.players)) if several else (lanes,)
        if array.size != prod(shape) or not (abs(array) <= 1.001).all():
            number = " x ".join(map(str, shape))
            raise LearningError(f"{number} values from -1 to 1 are needed")
        return array.reshape(shape)

    def _of_seats(self, values: Numbers) -> Numbers:
        """Return values for each seat, (lanes, seats)."""
        if values.ndim > 1:
            return values
        first = numpy().where(self.leaves.seats == 0, values, -values)
        return numpy().stack((first, -first), axis=1)

    def _of_deciders(self, values: Numbers) -> Numbers:
        """Return values for the seats that decide, (lanes,)."""
        if values.ndim == 1:
            return values
        return numpy().take_along_axis(values, self.leaves.seats[:, None] % values.shape[1], 1)[
            :, 0
        ]

    def _masked(self, logits: Numbers) -> Numbers:
        """Return logits of legal actions, and those of others so low that they do not count."""
        np = numpy()
        shape = (self.games.lanes, len(self.games.actions))
        array = np.asarray(logits, np.float32)
        if array.shape != shape:
            raise LearningError(f"logits of shape {array.shape}; {shape} is needed")
        return np.where(self.leaves.legal, array, np.float32(_NEVER))

    def _noisy(self, priors: Numbers) -> Numbers:
        """Mix the priors of roots with noise, which each lane draws for itself."""
        if self.noise == 0.0:
            return priors
        mixed = priors * (1 - self.noise)
        for lane, marks in enumerate(self.leaves.legal):
            if count := int(marks.sum()):
                drawn = self._generators[lane].dirichlet([self.alpha] * count)
                mixed[lane, marks] += self.noise * drawn
        return mixed

    def _begin(self, number: int) -> None:
        """Prepare simulation *number*: PUCT chooses at the root."""

    def _counts(self) -> SearchCounts:
        """Return what the trees say of their roots: visits are the policy."""
        np = numpy()
        visits, values = self._root()
        policy = visits / np.maximum(visits.sum(axis=1, keepdims=True), 1)
        return SearchCounts(visits, values, policy, self._or_drawn(visits.argmax(axis=1)))

    def _or_drawn(self, actions: Numbers) -> Numbers:
        """Return actions; where chance decides, `DRAW`."""
        return numpy().where(self.games.seats == CHANCE, DRAW, actions)

    def _root(self) -> tuple[Numbers, Numbers]:
        """Return visits and mean values of actions at the roots."""
        self._run("count_lane")
        arrays, count = self.leaves._arrays.arrays, len(self.games.actions)
        return arrays["visits"][:, :count].copy(), arrays["values"][:, :count].copy()

    def _run(self, kernel: str) -> None:
        self.leaves._arrays.run_linked(kernel)
        self.leaves._raise_faults()

    def _word(self, name: str) -> Numbers:
        return self.leaves._arrays.arrays["tree"][:, place(TreeWords, name)]

    def close(self) -> None:
        """End the threads."""
        self.leaves.close()


def completions(state: State, lanes: int, seed: int = 0, threads: int = 0) -> Batch:
    """Return a batch of whole positions that fit what the player to decide has seen.

    It is one of the same rules with everything open.  Nothing that the player does not see is
    looked at, so the visits of all lanes together are a policy for a game with secrets.  Raises
    `LearningError` where no position is met.
    """
    player = state.situation.position.mover
    states = Completions.of(state, player, seed, lanes).states
    if not states:
        raise LearningError(f"{state.game.name}: no position is met that fits what was seen")
    games = Batch(states[0].game, lanes, seed, threads)
    for lane in range(lanes):
        games.put(lane, states[lane % len(states)])
    return games


def _seed_beside(seed: int) -> int:
    """Return another seed: a search must not draw the dice that its game is about to throw."""
    return seed ^ 0x5DEECE66D


def softmax(logits: Numbers) -> Numbers:
    """Return the probabilities of logits, (lanes, actions)."""
    np = numpy()
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


@define(eq=False)
class Gumbel(PUCT):
    """A search whose root tries few actions and halves their number (Danihelka et al. 2022).

    *considered*: actions that are tried at most.  Drawn without replacement by Gumbel's noise, they
    share the simulations by sequential halving, so that even few simulations improve on the
    network.  Below the root PUCT chooses.
    """

    considered: int = CONSIDERED
    _scores: Numbers = field(init=False)
    """The logits of the roots with Gumbel's noise: (lanes, actions)."""
    _turns: Numbers = field(init=False)
    """Visits that the next action to be tried has: (lanes, simulations)."""

    def _begin(self, number: int) -> None:
        """Choose the action that each root tries in simulation *number*."""
        if number == 0:
            self._draw()
        visits, values = self._root()
        scores = self._scores + self._improvement(visits, values)
        is_next = (visits == self._turns[:, number, None]) & self.games.legal
        self._word("first")[:] = numpy().where(is_next, scores, _NEVER).argmax(axis=1)

    def _draw(self) -> None:
        """Draw the noise of the roots, and plan how their actions share the simulations."""
        np, count = numpy(), len(self.games.actions)
        noise = np.array([generator.gumbel(size=count) for generator in self._generators])
        self._scores = noise + self._root_logits
        tried = np.minimum(self.games.counts, self.considered).tolist()
        self._turns = np.array([halving(number, self.simulations) for number in tried])

    def _improvement(self, visits: Numbers, values: Numbers) -> Numbers:
        """Return what the values of actions add to their logits: (lanes, actions).

        An action without a visit counts as worth a mean of what the network says of the position
        and of the actions that have visits, weighed by their priors.
        """
        np = numpy()
        total, tried = visits.sum(axis=1), visits > 0
        weights = np.where(tried, softmax(self._root_logits), 0)
        mean = (weights * values).sum(axis=1) / np.maximum(weights.sum(axis=1), 1e-12)
        mixed = (self._root_values + total * mean) / (total + 1)
        complete = np.where(tried, values, mixed[:, None])
        low, high = (end(complete, axis=1, keepdims=True) for end in (np.min, np.max))
        scaled = (complete - low) / np.maximum(high - low, 1e-8)
        return (_VISITS + visits.max(axis=1, keepdims=True)) * _SCALE * scaled

    def _counts(self) -> SearchCounts:
        """Return what the trees say of their roots: logits and values make the policy."""
        np = numpy()
        visits, values = self._root()
        better = self._improvement(visits, values)
        most = (visits == visits.max(axis=1, keepdims=True)) & self.games.legal
        best = np.where(most, self._scores + better, _NEVER).argmax(axis=1)
        policy = softmax(self._root_logits + better) * self.games.legal
        return SearchCounts(visits, values, policy, self._or_drawn(best))


@cache
def halving(tried: int, simulations: int) -> tuple[int, ...]:
    """Return how many visits the action has that each simulation is for, by sequential halving.

    All actions that are tried get as many visits as each other; then the better half goes on.
    """
    visits, turns = [0] * max(1, tried), list[int]()
    rounds = max(1, math.ceil(math.log2(len(visits))))
    left = len(visits)
    while len(turns) < simulations:
        for _ in range(max(1, simulations // (rounds * left))):
            turns += visits[:left]
            visits[:left] = [count + 1 for count in visits[:left]]
        left = max(2, left // 2) if len(visits) > 1 else 1
    return tuple(turns[:simulations])
