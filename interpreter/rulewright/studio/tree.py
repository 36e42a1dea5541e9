"""A game with its branches: what was played from where, and where the page looks.

In: states and decisions.  Out: nodes with numbers, the way from the root.  A decision that was
played before leads to the node that there is.  Where nothing else can be decided, `-` is played by
itself.
"""

from __future__ import annotations

from attrs import define, field, frozen

from rulewright.engine.game import State
from rulewright.errors import RulewrightError
from rulewright.reference.play import NONE

MOST = 20_000
"""Nodes of a game."""


@frozen(eq=False)
class TreePlace:
    """A node: the state, the node before it, and who decided, as a chair's text."""

    number: int
    state: State
    parent: int | None
    by: str = ""


@define(eq=False)
class GameTree:
    """All that was played in one game; `at` is the node that is shown."""

    places: list[TreePlace] = field(factory=list)
    at: int = 0
    _after: dict[tuple[int, str], int] = field(factory=dict)

    @classmethod
    def of(cls, end: State) -> GameTree:
        """The tree of the one line that led to a state."""
        first, *rest = end.states()
        tree = cls([TreePlace(0, first, None)])
        for state in rest:
            tree._add(state, "")
        tree._forced()
        return tree

    @property
    def state(self) -> State:
        """What is shown."""
        return self.places[self.at].state

    def play(self, text: str, by: str = "") -> None:
        """Play decisions, or a whole turn."""
        before = len(self.state.states())
        for state in self.state.play(text).states()[before:]:
            self._add(state, by)
        self._forced()

    def goto(self, number: int) -> None:
        """Show another node."""
        if not 0 <= number < len(self.places):
            raise RulewrightError(f"there is no node {number} in this game")
        self.at = number

    def path(self) -> list[int]:
        """The numbers of the nodes from the root to the one that is shown."""
        way = [self.at]
        while (parent := self.places[way[-1]].parent) is not None:
            way.append(parent)
        return way[::-1]

    def _add(self, state: State, by: str) -> None:
        known = self._after.get((self.at, state.move))
        if known is None:
            if len(self.places) >= MOST:
                raise RulewrightError(f"a game has {MOST:,} nodes at most")
            known = len(self.places)
            self.places.append(TreePlace(known, state, self.at, by))
            self._after[self.at, state.move] = known
        self.at = known

    def _forced(self) -> None:
        while not self.state.over and self.state.moves.texts == [NONE]:
            self._add(self.state.play_decision(NONE), "")
