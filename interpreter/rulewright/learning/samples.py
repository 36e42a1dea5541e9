"""Positions with results, for fitting factors.

In: recorded games.  Out: `PositionSamples`: the words of each position, the points of the first
colour at the end of its game (1, 1/2 or 0), and the first game in which it occurs.  Positions that
occur in several games count once, with the mean of their points.  Refuses games of other rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import define, frozen

from rulewright.compiler.engine import Engine
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game
from rulewright.learning.lane_arrays import numpy
from rulewright.matches.game_files import read_games
from rulewright.matches.protocols.recorded import Recorded

if TYPE_CHECKING:
    import numpy as np

    Numbers: TypeAlias = np.ndarray[Any, np.dtype[Any]]

FEWEST = 30
"""Games below which nothing is fitted: their results are chance."""


@frozen(eq=False)
class PositionSamples:
    """Positions of games: (positions, words), their points, and the first game of each."""

    words: Numbers
    points: Numbers
    games: Numbers

    def __len__(self) -> int:
        return len(self.points)

    def part(self, mask: Numbers) -> PositionSamples:
        """Return the positions for which *mask*, one truth value each, is true."""
        return PositionSamples(self.words[mask], self.points[mask], self.games[mask])


@define
class _Entry:
    """A position while games are read: its words, the sum of the points, how many, a game."""

    words: list[int]
    points: float
    count: int
    game: int


def read_samples(
    game: Game, engine: Engine, files: Iterable[str], skipped: int = 0
) -> PositionSamples:
    """Read the positions of all finished games of files, without the first *skipped* decisions."""
    entries = dict[tuple[int, ...], _Entry]()
    number = -1
    for number, recorded in enumerate(finished_games(game, files)):
        points = points_of_first(recorded)
        for state in recorded.end.states()[skipped:]:
            if not state.over:
                _add(entries, engine.encode(state.situation.position), points, number)
    if number + 1 < FEWEST:
        message = f"{number + 1} finished games; at least {FEWEST} are needed to learn of them"
        raise RulewrightError(message)
    np, rows = numpy(), list(entries.values())
    return PositionSamples(
        np.array([entry.words for entry in rows], np.int64),
        np.array([entry.points / entry.count for entry in rows]),
        np.array([entry.game for entry in rows]),
    )


def _add(
    entries: dict[tuple[int, ...], _Entry], words: list[int], points: float, game: int
) -> None:
    entry = entries.setdefault(tuple(words), _Entry(words, 0.0, 0, game))
    entry.points += points
    entry.count += 1


def finished_games(game: Game, files: Iterable[str]) -> Iterator[Recorded]:
    """Yield the games that have a result; raises `RulewrightError` for those of other rules."""
    for file in files:
        for recorded in read_games(Path(file)):
            if recorded.game.rules != game.rules:
                message = f"{file}: a game of {recorded.game!r}, and not of {game!r}"
                raise RulewrightError(message)
            if recorded.end.over or recorded.ending:
                yield recorded


def points_of_first(recorded: Recorded) -> float:
    """Return the points of the first colour: 1 for a win, 0 for a loss, 1/2 for a draw."""
    result, first = recorded.end.result, recorded.game.players[0]
    if result is not None:
        return 0.5 if result.winner is None else float(result.winner == first)
    loser = recorded.ending.loser if recorded.ending else None
    return 0.5 if loser is None else float(loser != first)
