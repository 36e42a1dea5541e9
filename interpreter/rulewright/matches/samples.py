"""Which pairs of games tell something new: one that can only repeat another tells nothing.

In: the players and openings of a plan, and the pairs that were played.  Out: whether another pair
is, or would be, the same two games again.  That is so where both players met on the same opening
before and neither chance nor time had a part in either game: up to the first draw of chance a game
follows from its opening, so that one pair says it for all of its kind.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from rulewright.matches.keeping import Lines
from rulewright.matches.plan import Pair
from rulewright.matches.record import GameRecord

Kind = tuple[tuple[str, str], tuple[str, ...]]
"""The players, who begins the first game in front, and the opening."""
Games = Sequence[GameRecord]
"""Both games of a pair, in the order of their numbers."""


@define
class Samples:
    """What is known of each kind of pair; without openings nothing is known before it is played."""

    names: tuple[str, ...]
    openings: Lines = ()
    _fixed: dict[Kind, bool] = field(factory=dict, init=False)
    _counted: set[Kind] = field(factory=set, init=False)

    def kind(self, pair: Pair) -> Kind | None:
        """Equal for pairs of the same players on one opening."""
        if not self.openings:
            return None
        one, two = pair.players
        opening = tuple(self.openings[pair.round % len(self.openings)])
        return (self.names[one], self.names[two]), opening

    def learn(self, games: Games) -> None:
        """Remember of a pair that was played whether its kind comes out alike again."""
        self._fixed.setdefault(_kind(games), all(game.fixed for game in games))

    def count(self, games: Games) -> bool:
        """Whether a pair counts: always where chance or time had a part, else once for its kind."""
        if not all(game.fixed for game in games):
            return True
        kind = _kind(games)
        if kind in self._counted:
            return False
        self._counted.add(kind)
        return True

    def known(self, pair: Pair) -> bool:
        """Whether a pair of its kind was played."""
        return self.kind(pair) in self._fixed

    def repeats(self, pair: Pair) -> bool:
        """Whether it would only repeat a pair that was played."""
        kind = self.kind(pair)
        return kind is not None and self._fixed.get(kind, False)


def _kind(games: Games) -> Kind:
    first = games[0]
    return first.players, tuple(first.decisions[: first.opening])
