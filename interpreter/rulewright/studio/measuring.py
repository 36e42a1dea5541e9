"""Matches, tournaments and tuning that a page starts and watches; records that it opens.

In: players of a game, terms, a `Telling`; the content of a file of records.  Out: where it stands,
told after games and trials; the games of the file.  Refuses more games than a page can show, and
two matches of one process at a time: a match uses all that there is of the machine.
"""

from __future__ import annotations

import os
import sys
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any

from attrs import define, field

from rulewright.errors import RulewrightError
from rulewright.matches.api import Terms, match, tournament
from rulewright.matches.export import lines_text
from rulewright.matches.game_record import GameRecord
from rulewright.matches.plan import Form
from rulewright.matches.record_files import STORED, SUFFIXES, Match, read_matches
from rulewright.matches.run import Run
from rulewright.matches.summary import between, cross_rows, difference, general, summary_lines
from rulewright.matches.tune import (
    Sampler,
    Tuner,
    TuningStopped,
    TuningTask,
    optuna_is_there,
)
from rulewright.printable import amount
from rulewright.studio import answers as a
from rulewright.studio import messages as m
from rulewright.studio.thinking import Telling, refuse_endless
from rulewright.studio.tree import typed

MOST_GAMES = 2000
MOST_PLAYERS = 12
MOST_TRIALS = 500
MOST_RECORDED = 5000
"""Games of a file of records that are shown."""
_DAMAGED = 20
_SHOWN = 200
"""Games of which a page is told the moves: the last ones."""
_UNCHANGED = "no values were better than those it has, so there is nothing to confirm"
_SOON = 5.0
"""Seconds that a match waits for another one that is just ending, as after a reload of its page."""
_RUNNING = Lock()


def compared(
    source: str, options: Mapping[str, Any], asked: m.Compare, telling: Telling
) -> a.Measured:
    """Play the match, or as many of its games as the page waits for."""
    with _alone():
        run = match(
            source, asked.first, asked.second, asked.elo, **_terms(asked, options),
        )  # fmt: skip
        return _watched(run, asked.games, telling)


def contested(
    source: str, options: Mapping[str, Any], asked: m.Tournament, telling: Telling
) -> a.Measured:
    """Play the tournament, or as much of it as the page waits for."""
    if not 3 <= len(asked.players) <= MOST_PLAYERS:
        raise RulewrightError(f"a tournament here has 3 to {MOST_PLAYERS} players")
    form: Form = "gauntlet" if asked.gauntlet else "round robin"
    with _alone():
        run = tournament(source, asked.players, form, **_terms(asked, options))
        if run.plan.total > MOST_GAMES:
            run.close()
            raise RulewrightError(
                f"these are {amount(run.plan.total, 'game')}, and at most {MOST_GAMES:,}"
            )
        return _watched(run, run.plan.total, telling)


def _terms(asked: m.Compare | m.Tournament | m.Tune, options: Mapping[str, Any]) -> Terms:
    """The terms that were asked for, within what a page may ask."""
    if not 2 <= asked.games <= MOST_GAMES:
        raise RulewrightError(f"a match here has 2 to {MOST_GAMES:,} games")
    if (asked.seconds is None) == (asked.nodes is None):
        raise RulewrightError("a match needs seconds or nodes for each decision")
    if asked.seconds is not None:
        refuse_endless(asked.seconds)
    return {
        "options": options, "games": asked.games, "time": asked.seconds, "nodes": asked.nodes,
        "workers": _workers(),
    }  # fmt: skip


@contextmanager
def _alone() -> Iterator[None]:
    if not _RUNNING.acquire(timeout=_SOON):
        raise RulewrightError("another match is being played; stop it first")
    try:
        yield
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
    played: int = 0
    points: float = 0.0
    records: list[GameRecord] = field(factory=list)
    shares: list[float] = field(factory=list)
    ratios: list[float] = field(factory=list)
    games: list[a.PlayedGame] = field(factory=list)

    def add(self, record: GameRecord) -> None:
        """Count a game for the first player of the match."""
        self.played += 1
        first = self.run.plan.players[0]
        if first in record.players:
            self.points += record.points[record.players.index(first)]
            self.shares.append(self.points / (len(self.shares) + 1))
        self.ratios += self.run.standing.ratios(len(self.ratios))
        self.records.append(record)
        winner = "" if record.winner is None else record.players[record.winner]
        told = record.detail or record.reason
        moves = " ".join(record.decisions)
        self.games.append(
            a.PlayedGame(record.number, record.players, winner, told, record.turns, moves)
        )

    def shown(self, over: bool) -> a.Measured:
        """Where it stands."""
        data = self.run.result()
        test, several = self.run.standing.test, len(self.run.plan.players) > 2
        lines = [*general(data), f"stopped: {data['stopped']}"] if several else summary_lines(data)
        table = cross_rows(data) if several and data["games"] else []
        return a.Measured(
            self.played, self.wanted, tuple(lines), tuple(self.shares),
            tuple(self.ratios), test.bounds if test else None, tuple(self.games[-_SHOWN:]), over,
            tuple(map(tuple, table)), self._record() if over else "",
        )  # fmt: skip

    def _record(self) -> str:
        """All games as the text of a file of records; empty where that would be too long."""
        text = lines_text([Match(self.run.plan, self.run.openings, self.records)])
        return text if len(text) < m.LONGEST else ""


# --- records ---


def records(asked: m.ReadRecords, source: Callable[[str], str]) -> a.Records:
    """The games of a file of records; *source* is how the page calls the game of one."""
    name = Path(asked.name)
    if name.suffix not in SUFFIXES:
        raise RulewrightError(f"{name.name} is no record of a match: those are .db or .jsonl")
    try:
        data = b64decode(asked.data) if name.suffix == STORED else asked.data.encode()
    except ValueError:
        raise RulewrightError(f"{name.name} cannot be read") from None
    with TemporaryDirectory(prefix="rulewright-") as folder:
        path = Path(folder) / f"records{name.suffix}"
        path.write_bytes(data)
        try:
            found = read_matches(path)
        except RulewrightError as error:
            raise RulewrightError(str(error).replace(str(path), name.name)) from None
    damaged = [told.replace(str(path), name.name) for one in found for told in one.damaged]
    games = (_recorded(game, source) for one in found for game in one.games)
    return a.Records(tuple(islice(games, MOST_RECORDED)), tuple(damaged[:_DAMAGED]))


def _recorded(game: GameRecord, source: Callable[[str], str]) -> a.RecordedGame:
    options = {name: typed(value) for name, value in game.options.items()}
    winner = "" if game.winner is None else game.players[game.winner]
    return a.RecordedGame(
        game.number, source(game.game), options, game.players, winner, game.detail or game.reason,
        game.turns, game.opening, " ".join(game.decisions), game.date,
    )  # fmt: skip


# --- tuning ---


def tuned(source: str, options: Mapping[str, Any], asked: m.Tune, telling: Telling) -> a.Tuned:
    """Try values of factors, as many as the page waits for; the best is confirmed."""
    if not 1 <= asked.trials <= MOST_TRIALS or not 0 <= asked.confirm <= MOST_GAMES:
        raise RulewrightError(f"a tuning here has 1 to {MOST_TRIALS} trials")
    terms = _terms(asked, options)
    opponents = asked.opponents or (asked.personality,)
    sampler: Sampler = "tpe" if optuna_is_there() else "near"
    task = TuningTask(source, asked.personality, opponents, asked.factors, sampler, terms)
    with _alone(), TemporaryDirectory(prefix="rulewright-") as folder:
        tuner = Tuner(task, Path(folder) / "study.db", telling.ended)
        with closing(tuner):
            with suppress(TuningStopped):
                for _ in tuner.trials(asked.trials):
                    telling.tell(_tuning(tuner, asked.trials, ()))
                if asked.confirm and tuner.unchanged:
                    return _tuning(tuner, asked.trials, (_UNCHANGED,), True)
                if asked.confirm:
                    confirmed = tuner.confirm(asked.confirm)
                    interval = between(confirmed["low"], confirmed["high"])
                    told = f"the best against {asked.personality} on other openings"
                    lines = (f"{told}: {difference(confirmed)}, with 95 % {interval}",)
                    return _tuning(tuner, asked.trials, lines, True)
            return _tuning(tuner, asked.trials, (), True)


def _tuning(tuner: Tuner, wanted: int, lines: tuple[str, ...], over: bool = False) -> a.Tuned:
    played = tuner.played()
    trials = (a.TrialShown(t.number, dict(t.factors), t.share) for t in played)
    return a.Tuned(tuple(trials), wanted, tuner.best.number if played else None, lines, over)
