"""A human against one opponent after the other, with the score.

In: the texts of the opponents, and how many games against each.  Out: who plays the next game, and
the score so far as text.  Colours are exchanged from game to game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import evolve, frozen

from rulewright.errors import RulewrightError


@frozen
class Series:
    """Opponents in order, `each` games against every one; results as points of the human."""

    opponents: tuple[str, ...]
    each: int = 1
    me: str = "human"
    results: tuple[float, ...] = ()

    @property
    def done(self) -> bool:
        """Whether all games are played."""
        return len(self.results) >= len(self.opponents) * self.each

    @property
    def opponent(self) -> str:
        """Who is to be played now."""
        return self.opponents[len(self.results) // self.each]

    @property
    def mine(self) -> int:
        """The human's chair in the game to be played now: he begins the first."""
        return len(self.results) % 2

    @property
    def players(self) -> tuple[str, str]:
        """The texts of both chairs."""
        both = (self.me, self.opponent)
        return both if self.mine == 0 else both[::-1]

    def after(self, winner: int | None) -> Series:
        """The series after a game won by the person *winner*; None for a draw."""
        points = 0.5 if winner is None else float(winner == self.mine)
        return evolve(self, results=(*self.results, points))

    def score(self) -> str:
        """The points against each opponent, and in all."""
        parts = []
        for number, name in enumerate(self.opponents):
            played = self.results[number * self.each : (number + 1) * self.each]
            if played:
                parts.append(f"{name} {sum(played):g}-{len(played) - sum(played):g}")
        mine, games = sum(self.results), len(self.results)
        told = f"; you have {mine:g} of {games}" if games else ""
        left = len(self.opponents) * self.each - games
        rest = f", {left} to play" * (left > 0)
        return (", ".join(parts) or "no game is finished yet") + told + rest

    def as_data(self) -> dict[str, Any]:
        """What a saved game keeps of it."""
        return {
            "opponents": list(self.opponents),
            "each": self.each,
            "me": self.me,
            "results": list(self.results),
        }

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> Series | None:
        """What `as_data` gave; None of an empty one.  Raises what is wrong with it."""
        if not data:
            return None
        try:
            names = tuple(map(str, data["opponents"]))
            results = tuple(map(float, data["results"]))
            each, me = int(data["each"]), str(data["me"])
        except (KeyError, TypeError, ValueError):
            raise RulewrightError("the saved series of opponents is damaged") from None
        if not names or each < 1 or len(results) > len(names) * each:
            raise RulewrightError("the saved series of opponents is damaged")
        return cls(names, each, me, results)
