"""Scores that a personality has found before: the same position need not be searched twice.

In: a position, the name of a value, and what finds its scores.  Out: the scores.  Only what must
come out alike again is kept: no search that was timed, none that drew chance, no position with a
history (rules may ask for repetition).
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from attrs import define, evolve, field

from rulewright.engine.game import State
from rulewright.players.searches import Root
from rulewright.players.spent import counted, tell

MOST = 20_000
"""Positions kept; when there are more, all are forgotten."""


@define
class Memory:
    """Scores by position and value."""

    _known: dict[object, tuple[Root, int, int | None]] = field(factory=dict)

    def root(self, state: State, name: str, random: Random, find: Callable[[], Root]) -> Root:
        """The scores, from memory where they are known; they cost what they cost the first time."""
        position = state.situation.position
        key = (position, position.swapped, name) if position.history is None else None
        if key is None or key not in self._known:
            before = random.getstate()
            with counted() as spent:
                found = find()
            if key is not None and random.getstate() == before:
                self._keep(key, found, spent.nodes, spent.depth)
            tell(spent.nodes, spent.depth)
            return found
        found, nodes, depth = self._known[key]
        tell(nodes, depth)
        return found

    def _keep(self, key: object, found: Root, nodes: int, depth: int | None) -> None:
        if len(self._known) >= MOST:
            self._known.clear()
        light = {t: None if line is None else evolve(line, leaf=None) for t, line in found.items()}
        self._known[key] = (light, nodes, depth)
