"""Completions: whole positions that fit all that a player has seen, drawn at random.

In: a state, a player, a seed.  Out: states of the same game with everything open.  Nothing else of
the state is looked at than what the player has observed, so that whoever decides by completions
cannot know more.  They are drawn step by step, as particles are: from one moment at which the
player sees something to the next, the others decide at random and chance as it is likely; what
does not look as the player has seen it is dropped.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from random import Random

from attrs import define, field, frozen

from rulewright.errors import Fault
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.luck import random_decision
from rulewright.games.engine.sight import Observation, observation, observations, open_game
from rulewright.ground import budget

PARTICLES = 32
"""Positions that are kept of every moment."""
_FEW = 8
"""Different completions that are enough."""
_LONGEST = 200
"""Decisions between two moments at which a player sees something, at the most."""


@frozen
class Patience:
    """How long completions are looked for, where the player's view is a rare one."""

    tries: int = 25
    """Ways that are tried for each of them at a moment."""
    backs: tuple[int, ...] = (0, 1, 3, 7, 15)
    """How many moments earlier it is tried once more, where hardly a position is left."""


@define
class Completions:
    """The completions of what one player sees of a game, from the beginning of the game on."""

    game: Game
    player: int
    random: Random
    number: int = PARTICLES
    """How many are drawn."""
    patience: Patience = Patience()
    draws: int = field(default=0, init=False)
    """Decisions that were played in all."""
    _moments: list[list[State]] = field(factory=list)
    """The first state, and states that fit each moment so far."""
    _observations: tuple[Observation, ...] = ()
    _ways: int = field(default=0, init=False)
    """Ways that may still be tried for the moment that is drawn."""
    _until: float | None = None

    @classmethod
    def of(
        cls,
        state: State,
        player: int,
        seed: int = 0,
        number: int = PARTICLES,
        patience: Patience = Patience(),
    ) -> Completions:
        """Completions of a state; `update` draws those of later states of the same game."""
        completions = cls(state.game, player, Random(seed), number, patience)
        completions.update(state)
        return completions

    @property
    def states(self) -> Sequence[State]:
        """The completions, each as likely as often it stands there; none where none was found."""
        number = len(self._observations)
        return self._moments[number] if len(self._moments) > number else ()

    def update(self, state: State, seconds: float | None = None) -> None:
        """Draw completions of a state, for so many *seconds* at the most.

        A game that has gone on is gone on with.
        """
        self._until = None if seconds is None else time.monotonic() + seconds
        moments = observations(state, self.player)
        first = len(self._observations)
        if not self._moments or moments[:first] != self._observations:
            self._moments, first = [[open_game(self.game).start()]], 0
        self._observations = moments
        for moment in range(min(first, len(self._moments) - 1), len(moments)):
            if not self._reach(moment):
                return

    def _reach(self, moment: int) -> bool:
        """Draw the states of a moment; whether any fits."""
        most = 0
        for back in self.patience.backs:
            self._ways = self.patience.tries * self.number
            first = max(0, moment - back)
            ways = [self._moments[first]]
            for at in range(first, moment + 1):
                ways.append(self._step(ways[-1], at))
            different = len({tuple(state.decisions()) for state in ways[-1]})
            if different > most:
                most, self._moments[first : moment + 2] = different, ways
            if most >= min(_FEW, self.number // 2) or first == 0:
                break
        return most > 0

    def _step(self, parents: Sequence[State], moment: int) -> list[State]:
        """Some states played on that look as the player has seen it at a moment."""
        now, fitting = self._observations[moment], list[State]()
        begins = moment == 0 and observation(parents[0], self.player, self.game) == now
        if begins:
            return [*parents]
        while parents and len(fitting) < self.number and self._ways and not self._is_late():
            self._ways -= 1
            with suppress(Fault):  # a way on which the rules fail is none
                after = self._played(self.random.choice(parents), now)
                fitting += [after] if after is not None else []
        return fitting

    def _is_late(self) -> bool:
        """Whether the time for drawing is over."""
        return budget.over() or (self._until is not None and time.monotonic() > self._until)

    def _played(self, state: State, now: Observation) -> State | None:
        """A state played on at random to the next moment; None where that looks otherwise."""
        for _ in range(_LONGEST):
            if state.over:
                return None
            move = now.decision if now.decision and self._decides(state) else ""
            if move and move not in state.moves:
                return None
            state = state.play_decision(move or random_decision(state, self.random))
            self.draws += 1
            here = observation(state, self.player, self.game)
            if here is not None:
                return state if here == now else None
        return None

    def _decides(self, state: State) -> bool:
        return state.position.mover == self.player and not state.by_chance
