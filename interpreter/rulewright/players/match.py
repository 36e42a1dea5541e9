"""Games between two personalities, one after the other.

In: two personalities of one game, how many games, and a seed.  Out: who won each, and after how
many turns.  The first personality has the first colour throughout.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from attrs import frozen

from rulewright.players.personality import Personality
from rulewright.players.scores import person

MOST_TURNS = 2000
"""A game that is longer counts as a draw."""


@frozen
class Game:
    """How a game went: 0 or 1, the person who won, None for a draw; its turns and decisions."""

    winner: int | None
    turns: int
    decisions: tuple[str, ...]


@frozen
class Result:
    """The results of several games between the same two, in the same seats."""

    games: tuple[Game, ...]

    @property
    def wins(self) -> tuple[int, int]:
        """The games that each of them won."""
        first, second = (sum(g.winner == who for g in self.games) for who in (0, 1))
        return first, second

    @property
    def share(self) -> float:
        """The first one's share of the points; a draw is half a point for each."""
        won, lost = self.wins
        return (won + (len(self.games) - won - lost) / 2) / len(self.games)

    @property
    def mean_turns(self) -> float:
        """How many turns a game had on average."""
        return sum(game.turns for game in self.games) / len(self.games)


def match(first: Personality, second: Personality, games: int, seed: int = 0) -> Result:
    """The results of *games* games; the same seed gives the same games."""
    return Result(tuple(played(first, second, games, seed)))


def played(first: Personality, second: Personality, games: int, seed: int = 0) -> Iterator[Game]:
    """The games one after the other, each with its own chance."""
    for number in range(games):
        yield _game(first, second, Random(f"{seed} {number}"))


def _game(first: Personality, second: Personality, random: Random) -> Game:
    state = first.game.start()
    while not state.over and state.ply < MOST_TURNS:
        who = second if person(state.situation.position) else first
        state = state.play_decision(who.choose(state, random))
    position = state.situation.position
    outcome = state.situation.outcome if state.over else None
    colour = outcome.winner if outcome else None
    winner = None if colour is None else colour ^ position.swapped
    return Game(winner, len(state.turns()), tuple(state.decisions()))
