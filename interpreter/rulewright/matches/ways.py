"""States that games have been through: many games begin alike, and their decisions are known.

In: a state and a decision.  Out: the state after it, the same one as the last time.  States never
change, so games can share them; what is kept is bounded, as each state knows all its decisions.
A position that takes too long to list is a fault of the rules, see `search/listing.py`.
"""

from __future__ import annotations

from attrs import define, field

from rulewright.engine.game import Game, State
from rulewright.search.listing import followed, listed

MOST = 50_000
"""Decisions of all kept states together; when there are more, all are forgotten."""


@define(eq=False)
class Ways:
    """The states that were visited."""

    game: Game
    _first: State | None = None
    _after: dict[State, dict[str, State]] = field(factory=dict)
    _size: int = 0

    def start(self) -> State:
        """The first state."""
        if self._first is None or self._size > MOST:
            self._after.clear()
            first, self._size = self.game.start(), 0
            listed(first)
            self._first = first
        return self._first

    def after(self, state: State, text: str) -> State:
        """The state after one of its decisions."""
        known = self._after.setdefault(state, {})
        if text not in known:
            known[text] = followed(state, text)
            self._size += len(known[text].moves.texts)
        return known[text]
