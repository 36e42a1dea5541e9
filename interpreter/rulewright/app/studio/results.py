"""Answers of the studio's service about matches, tournaments, tunings and games on record.

In: values of these classes.  Out: JSON, as `answers.py` writes all answers.
"""

from __future__ import annotations

from attrs import frozen


@frozen
class PlayedGame:
    """A game of a match; `players` in the order of their seats, `winner` empty for a draw."""

    number: int
    players: tuple[str, ...]
    winner: str
    reason: str
    turns: int
    moves: str


@frozen
class Measured:
    """The standing of a match: `lines` for people, and its course.

    `course`: after each game the share of the points of the first player, from 0 to 1; `ratios`
    after each pair the log-likelihood ratio of a sequential test, which ends at one of `bounds`;
    `table`: rows of a tournament, headings first; `record`: all games as lines, once it is over.
    """

    played: int
    goal: int
    lines: tuple[str, ...]
    course: tuple[float, ...]
    ratios: tuple[float, ...]
    bounds: tuple[float, float] | None
    games: tuple[PlayedGame, ...]
    over: bool
    table: tuple[tuple[str, ...], ...] = ()
    record: str = ""


@frozen
class RecordedGame(PlayedGame):
    """A game on record: `source` names its rules, `opening` is the number of given moves."""

    source: str
    options: dict[str, str]
    opening: int
    date: str


@frozen
class Records:
    """The games of a file of records, and messages about lines that cannot be read."""

    games: tuple[RecordedGame, ...]
    damaged: tuple[str, ...]


@frozen
class TrialShown:
    """A trial: the values of the factors, and the share of the points, from 0 to 1."""

    number: int
    factors: dict[str, float]
    share: float


@frozen
class Tuned:
    """The standing of a tuning: its trials, the number of the best, and the final result."""

    trials: tuple[TrialShown, ...]
    goal: int
    best: int | None
    lines: tuple[str, ...]
    over: bool
