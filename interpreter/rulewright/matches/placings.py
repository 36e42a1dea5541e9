"""How games of more than two players count: places of each entrant, and ratings by pairs of them.

In: records of games.  Out: how often each entrant had each place, its points, and ratings.

Ratings are those of Bradley and Terry (`statistics.py`): a game counts as a comparison of each two
of its entrants, won by whoever stands in front, half for each where they share a place.  Each
comparison weighs 1 / (seats - 1), so that a game counts once for everybody: the comparisons of a
game depend on each other, and an interval from whole ones would be too narrow.  Two seats of one
entrant are not compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from attrs import define, field

from rulewright.matches import statistics
from rulewright.matches.game_record import GameRecord


@define
class Placings:
    """Counts games: how often each entrant had each place, and the comparisons of each two."""

    entrants: tuple[str, ...]
    games: int = field(default=0, init=False)
    first_wins: int = field(default=0, init=False)
    """Games that whoever began has won alone."""
    draws: int = field(default=0, init=False)
    """Games whose first place is shared."""
    turns: int = field(default=0, init=False)
    _places: dict[str, list[int]] = field(factory=dict, init=False)
    _points: dict[tuple[int, int], float] = field(factory=dict, init=False)

    def add(self, game: GameRecord) -> None:
        """Count a game."""
        self.games += 1
        self.first_wins += game.winner == 0
        self.draws += game.winner is None
        self.turns += game.turns
        numbers = [self.entrants.index(name) for name in game.players]
        for name, place in zip(game.players, game.places, strict=True):
            self._places.setdefault(name, []).append(place)
        for (i, a), (j, b) in combinations(zip(numbers, game.places, strict=True), 2):
            if i != j:
                share, weight = 0.5 if a == b else float(a < b), 1 / (len(numbers) - 1)
                self._points[i, j] = self._points.get((i, j), 0.0) + weight * share
                self._points[j, i] = self._points.get((j, i), 0.0) + weight * (1 - share)

    def ratings(self) -> list[statistics.Rating]:
        """The ratings of all entrants, the strongest first."""
        return statistics.ratings(self.entrants, self._points)

    def rows(self) -> list[dict[str, Any]]:
        """The games of each entrant and the number of its places, in the order of ratings."""
        return [self._row(rating.player) for rating in self.ratings()]

    def _row(self, name: str) -> dict[str, Any]:
        places: Sequence[int] = self._places.get(name, ())
        counts = {str(place): places.count(place) for place in sorted({*places})}
        return {"player": name, "games": len(places), "places": counts}
