"""Whole lines after a native search, which knows only the values of decisions.

In: a personality, a state, and a decision with its score.  Out: the decisions that are expected to
follow, to the position whose value the score is: at every step the first of the best, as each is
found by a search of what is left of the depth.  A line whose end is not worth its score (it was
broken off by a limit) has no end.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random

from attrs import evolve, frozen

from rulewright.engine.game import State
from rulewright.model.walk import draws
from rulewright.players.choose import best_of
from rulewright.players.native import Asked, Means, native_root
from rulewright.players.personality import Personality
from rulewright.players.scores import Scorer
from rulewright.players.searches import Limits, Line
from rulewright.search.results import MEBIBYTE

_TIMES = 4
"""How many times as long as a decision the lines of all of them may take."""
_SMALL = Means(4 * MEBIBYTE, quick=True)
"""For many short searches: a larger table would take longer to clear than to use."""


@frozen
class Lines:
    """The lines of one search; `until` is when to stop writing them (of `perf_counter`)."""

    personality: Personality
    state: State
    name: str
    scorer: Scorer
    turns: bool
    until: float | None

    @classmethod
    def of(cls, personality: Personality, state: State, name: str) -> Lines:
        """The lines of a personality's search; a timed one takes a few times as long for them."""
        model = personality.model
        depth, seconds = model.search.setting("depth"), model.number("time")
        until = None if seconds is None else time.perf_counter() + _TIMES * seconds
        turns = depth is not None and depth.unit == "turns"
        scorer = personality.scorer(state, name, Random(0))
        return cls(personality, state, name, scorer, turns, until)

    def whole(self, line: Line) -> Line:
        """The line to its end, where there is one."""
        if line.leaf is not None or not line.depth:
            return line
        if self.until is not None and len(line.moves) > 1:
            end = self._played(line.moves)
            if end is not None and self._score(end, len(line.moves)) == line.score:
                return evolve(line, leaf=end.situation)
        for depth in (line.depth, line.depth + 1):  # the last iteration may have been broken off
            *_, end = self._states(line.moves[0], depth)
            if self._late() and not end.over:
                return line
            distance = len(end.decisions()) - len(self.state.decisions())
            if self._draws or self._score(end, distance) == line.score:
                moves = tuple(end.decisions()[-distance:])
                return evolve(line, moves=moves, leaf=end.situation)
        return line

    def _played(self, moves: tuple[str, ...]) -> State | None:
        """The end of what a search says will follow, unless the game ends before that."""
        state = self.state
        for move in moves:
            if state.over:
                return None
            state = state.play_decision(move)
        return state

    @property
    def _draws(self) -> bool:
        """Whether values are drawn at random, so that no two are the same."""
        value, judge = self.scorer.value, self.personality.judge
        return judge is not None and draws(judge.evaluator, value)

    def _late(self) -> bool:
        return self.until is not None and time.perf_counter() > self.until

    def _score(self, end: State, distance: int) -> tuple[float, ...]:
        if end.over:
            return self.scorer.ended(end.situation, distance)
        return self.scorer.open(end.situation.position)

    def _states(self, first: str, depth: int) -> Iterator[State]:
        """The states of the line, one after the other."""
        state = self.state.play_decision(first)
        yield state
        while not state.over and not self._late():
            done = state.ply - self.state.ply if self.turns else self._distance(state)
            if done >= depth:
                return
            left = None if self.until is None else max(0.001, self.until - time.perf_counter())
            limits = Limits(depth - done, self.turns, left)
            value = self.personality.value(self.name)
            exact = left is None  # in a hurry any best one will do
            asked = Asked(value, limits, exact, _SMALL)
            root = native_root(state, self.personality.model, asked, Random(0))
            best = best_of(root or {})
            if not best:
                return
            state = state.play_decision(best[0])
            yield state

    def _distance(self, state: State) -> int:
        return len(state.decisions()) - len(self.state.decisions())
