"""Matches that a page starts and watches.

In: two players of a game, terms, a `Telling`.  Out: where the match stands, told after games.
Refuses more games than a page can show, and two matches of one process at a time: a match uses all
that there is of the machine.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from threading import Lock
from typing import Any

from attrs import define, field

from rulewright.errors import RulewrightError
from rulewright.matches.api import match
from rulewright.matches.game_record import GameRecord
from rulewright.matches.run import Run
from rulewright.matches.summary import summary_lines
from rulewright.studio import answers as a
from rulewright.studio import messages as m
from rulewright.studio.thinking import Telling, refuse_endless

MOST_GAMES = 2000
_SHOWN = 200
"""Games of which a page is told the moves: the last ones."""
_RUNNING = Lock()


def compared(
    source: str, options: Mapping[str, Any], asked: m.Compare, telling: Telling
) -> a.Measured:
    """Play the match, or as many of its games as the page waits for."""
    if not 2 <= asked.games <= MOST_GAMES:
        raise RulewrightError(f"a match here has 2 to {MOST_GAMES:,} games")
    if (asked.seconds is None) == (asked.nodes is None):
        raise RulewrightError("a match needs seconds or nodes for each decision")
    if asked.seconds is not None:
        refuse_endless(asked.seconds)
    if not _RUNNING.acquire(blocking=False):
        raise RulewrightError("another match is being played; stop it first")
    try:
        run = match(
            source, asked.first, asked.second, asked.elo, options=options, games=asked.games,
            time=asked.seconds, nodes=asked.nodes, workers=_workers(),
        )  # fmt: skip
        return _watched(run, asked.games, telling)
    finally:
        _RUNNING.release()


def _workers() -> int:
    """Half of the machine, in processes of their own; a page has no others."""
    return 1 if sys.platform == "emscripten" else max(2, (os.cpu_count() or 2) // 2)


def _watched(run: Run, wanted: int, telling: Telling) -> a.Measured:
    course = _Course(run, wanted)
    with run:
        for record in run:
            course.add(record)
            telling.sometimes(lambda: course.shown(False))
            if telling.ended():
                run.cancel()
    return course.shown(True)


@define
class _Course:
    """What a page sees of a match."""

    run: Run
    wanted: int
    points: float = 0.0
    shares: list[float] = field(factory=list)
    games: list[a.PlayedGame] = field(factory=list)

    def add(self, record: GameRecord) -> None:
        """Count a game for the first player of the match."""
        first = self.run.plan.players[0]
        self.points += record.points[record.players.index(first)]
        self.shares.append(self.points / (len(self.shares) + 1))
        winner = "" if record.winner is None else record.players[record.winner]
        told = record.detail or record.reason
        moves = " ".join(record.decisions)
        self.games.append(
            a.PlayedGame(record.number, record.players, winner, told, record.turns, moves)
        )

    def shown(self, over: bool) -> a.Measured:
        """Where it stands."""
        data = self.run.result()
        test = data.get("sprt")
        ratio = (test["llr"], test["low"], test["high"]) if test else None
        return a.Measured(
            len(self.shares), self.wanted, tuple(summary_lines(data)), tuple(self.shares), ratio,
            tuple(self.games[-_SHOWN:]), over,
        )  # fmt: skip
