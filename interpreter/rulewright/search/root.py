"""The root of a search: its decisions as texts and as rows, and lines of play from it.

In: a state and its engine.  Out: which row is which decision.  Both lists are in the order of the
turn and of the board; where they are not equally long, decisions are told apart by what they lead
to.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from attrs import field, frozen

from rulewright.codegen.engine import Engine
from rulewright.engine.game import State
from rulewright.search.results import person
from rulewright.search.workspace import Workspace

DECISION = 1e-4
"""Seconds that the reference needs for a decision, at the least; a state keeps those it has."""


@frozen
class Root:
    """A position to decide in."""

    state: State
    engine: Engine
    who: int = field(init=False)
    moves: list[str] = field(init=False)
    cost: float = field(init=False, eq=False)
    """Seconds that the reference needs for the decisions of a position."""

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "who", person(self.state))
        begun = time.perf_counter()
        object.__setattr__(self, "moves", self.state.moves.texts)
        spent = time.perf_counter() - begun
        object.__setattr__(self, "cost", max(spent, DECISION * len(self.moves)))

    @property
    def side(self) -> str:
        """The colour at move."""
        assert self.state.mover is not None
        return self.state.mover

    def place(self, space: Workspace) -> list[int]:
        """Put the position into a workspace; the row of each decision."""
        with self.state.game.located():
            count = space.place(self.state.situation.position)
        if count == len(self.moves):
            return list(range(count))
        keys = {space.key_after(number): number for number in range(count)}
        return [keys[self._key(space, move)] for move in self.moves]

    def _key(self, space: Workspace, move: str) -> int:
        after = self.state.play_decision(move)
        return space.key_of(self.engine.encode(after.situation.position))

    def line(self, first: str, rows: Sequence[int], until: float | None = None) -> tuple[str, ...]:
        """A decision and those that follow it, given by their numbers.

        It ends where one is missing, or at the time *until* (of `perf_counter`).
        """
        state, found = self.state, [first]
        for number in rows:
            if until is not None and time.perf_counter() + 2 * self.cost > until:
                break
            state = state.play_decision(found[-1])
            moves = state.moves.texts
            if not 0 <= number < len(moves):
                break
            found.append(moves[number])
        return tuple(found)
