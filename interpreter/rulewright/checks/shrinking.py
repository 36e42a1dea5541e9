"""The shortest game that shows a fault: decisions are taken away as long as it still does.

In: the decisions of a game, and whether a game made of some of them shows the fault.  Out: as few
of them as could be found: without any of these, and without any two, the fault is gone.
Deterministic: the work is limited by a number of tries, not by time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import combinations

from attrs import define, field

from rulewright.ground import budget

Moves = tuple[str, ...]
Shows = Callable[[Moves], Moves | None]
"""What was really played of some decisions, without what is not legal; None without the fault."""


class OutOfTries(Exception):
    """No more work may be done."""


def shortest(moves: Moves, shows: Shows, tries: int) -> Moves:
    """The least part of *moves* that *shows* the fault; the least so far at `OutOfTries`."""
    search = _Shrinking(moves, shows, tries)
    with suppress(OutOfTries):
        size = len(moves)
        while size:
            size = size if search.drop_runs(size) else size // 2
            if not size and search.drop_pair():
                size = 1
    return search.best


@define(eq=False)
class _Shrinking:
    """A game that is made shorter."""

    best: Moves
    shows: Shows
    tries_left: int
    tried: set[Moves] = field(factory=set)

    def drop_runs(self, size: int) -> bool:
        """Leave out runs of so many decisions wherever the fault stays; whether any was."""
        at, before = len(self.best) - size, self.best
        while at >= 0:
            self._try(self.best[:at] + self.best[at + size :])
            at = min(at, len(self.best)) - max(1, size // 2)
        return self.best != before

    def drop_pair(self) -> bool:
        """Leave out any two decisions with others between them; whether the fault stays."""
        return any(self._try(part) for part in self._without_pairs())

    def _without_pairs(self) -> Iterator[Moves]:
        best = self.best
        for first, second in combinations(range(len(best)), 2):
            yield best[:first] + best[first + 1 : second] + best[second + 1 :]

    def _try(self, part: Moves) -> bool:
        """Whether a part that is new shows the fault in a shorter game, which is the best then."""
        if part in self.tried:
            return False
        self.tried.add(part)
        self.tries_left -= 1
        if self.tries_left < 0 or budget.over():
            raise OutOfTries
        played = self.shows(part)
        if played is None or len(played) >= len(self.best):
            return False
        self.best = played
        return True
