"""Matches, tournaments and tuning that a page starts and watches; records that it opens.

In: players of a game, terms, a `Telling`; the content of a file of records.  Out: the standing,
reported after games and trials; the games of the file.  Refuses more games than a page can show,
and two matches at a time in a process, as a match uses the whole machine.
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

from rulewright.app.studio import messages as m
from rulewright.app.studio import results as r
from rulewright.app.studio.thinking import Telling, refuse_endless
from rulewright.app.studio.tree import typed_value
from rulewright.errors import RulewrightError
from rulewright.ground.printable import amount
from rulewright.matches.api import Terms, match, tournament
from rulewright.matches.export import lines_text
from rulewright.matches.game_record import GameRecord
from rulewright.matches.plan import Form
from rulewright.matches.record_files import STORED, SUFFIXES, Match, read_matches
from rulewright.matches.run import Run
from rulewright.matches.summary import (
    between,
    cross_rows,
    difference,
    general,
    place_rows,
    summary_lines,
)
from rulewright.matches.tune import (
    Sampler,
    Tuner,
    TuningStopped,
    TuningTask,
    optuna_is_there,
)

MOST_GAMES = 2000
MOST_PLAYERS = 12
MOST_TRIALS = 500
MOST_RECORDED = 5000
"""Games of a file of records that are shown at most."""
_DAMAGED = 20
_SHOWN = 200
"""Games of a match that a page is sent: the last ones."""
_UNCHANGED = "no trial was better than the present values, so there is nothing to confirm"
_SOON = 5.0
"""Seconds to wait for another match that is ending, as after a reload of the page."""
_RUNNING = Lock()


def play_match(
    source: str, options: Mapping[str, Any], params: m.Compare, telling: Telling
) -> r.Measured:
    """Play a match, until the page stops it."""
    with _alone():
        terms = _terms(params, options)
        run = match(source, params.first, params.second, params.elo, **terms)
        return _watched(run, run.plan.total, telling)


def play_tournament(
    source: str, options: Mapping[str, Any], params: m.Tournament, telling: Telling
) -> r.Measured:
    """Play a tournament, until the page stops it."""
    if not 3 <= len(params.players) <= MOST_PLAYERS:
        raise RulewrightError(f"a tournament here has 3 to {MOST_PLAYERS} players")
    form: Form = "gauntlet" if params.gauntlet else "round robin"
    with _alone():
        run = tournament(source, params.players, form, **_terms(params, options))
        if run.plan.total > MOST_GAMES:
            run.close()
            games = amount(run.plan.total, "game")
            raise RulewrightError(f"these are {games}, and at most {MOST_GAMES:,}")
        return _watched(run, run.plan.total, telling)


def _terms(params: m.Compare | m.Tournament | m.Tune, options: Mapping[str, Any]) -> Terms:
    """The terms of a match from parameters; refuses more than a page may ask for."""
    if not 2 <= params.games <= MOST_GAMES:
        raise RulewrightError(f"a match here has 2 to {MOST_GAMES:,} games")
    if (params.seconds is None) == (params.nodes is None):
        raise RulewrightError("a match needs seconds or nodes for each decision")
    if params.seconds is not None:
        refuse_endless(params.seconds)
    return {
        "options": options, "games": params.games, "time": params.seconds, "nodes": params.nodes,
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
    """The number of worker processes: half of the cores; 1 in a page, which has no processes."""
    return 1 if sys.platform == "emscripten" else max(2, (os.cpu_count() or 2) // 2)


def _watched(run: Run, games: int, telling: Telling) -> r.Measured:
    course = _Course(run, games)
    with run:
        for record in run:
            course.add(record)
            telling.sometimes(lambda: course.shown(False))
            if telling.ended():
                run.cancel()
    return course.shown(True)


@define
class _Course:
    """The course of a match, for the page."""

    run: Run
    goal: int
    played: int = 0
    points: float = 0.0
    records: list[GameRecord] = field(factory=list)
    shares: list[float] = field(factory=list)
    ratios: list[float] = field(factory=list)
    games: list[r.PlayedGame] = field(factory=list)

    def add(self, record: GameRecord) -> None:
        """Count a game for the first player of the match."""
        self.played += 1
        first = self.run.plan.players[0]
        if first in record.players:
            self.points += record.points[record.players.index(first)]
            self.shares.append(self.points / (len(self.shares) + 1))
        self.ratios += self.run.standing.ratios(len(self.ratios))
        self.records.append(record)
        self.games.append(r.PlayedGame(*_game_fields(record)))

    def shown(self, over: bool) -> r.Measured:
        """The standing of the match."""
        data = self.run.result()
        plan, test = self.run.plan, self.run.standing.test
        several = len(plan.players) > 2 or plan.seats > 2
        lines = [*general(data), f"stopped: {data['stopped']}"] if several else summary_lines(data)
        rows = place_rows if plan.seats > 2 else cross_rows
        table = rows(data) if several and data["games"] else []
        return r.Measured(
            self.played, self.goal, tuple(lines), tuple(self.shares),
            tuple(self.ratios), test.bounds if test else None, tuple(self.games[-_SHOWN:]), over,
            tuple(map(tuple, table)), self._record() if over else "",
        )  # fmt: skip

    def _record(self) -> str:
        """Write all games as the text of a file of records; empty where that would be too long."""
        text = lines_text([Match(self.run.plan, self.run.openings, self.records)])
        return text if len(text) < m.LONGEST else ""


def _game_fields(game: GameRecord) -> tuple[int, tuple[str, ...], str, str, int, str]:
    """The fields of `PlayedGame`: number, players, winner, reason, turns, moves."""
    winner = "" if game.winner is None else game.players[game.winner]
    reason, moves = game.detail or game.reason, " ".join(game.decisions)
    return game.number, game.players, winner, reason, game.turns, moves


# --- records ---


def records(params: m.ReadRecords, source: Callable[[str], str]) -> r.Records:
    """Read the games of a file of records; *source* gives the page's name of a game."""
    name = Path(params.name)
    if name.suffix not in SUFFIXES:
        raise RulewrightError(f"{name.name} is no record of a match: those are .db or .jsonl")
    try:
        data = b64decode(params.data) if name.suffix == STORED else params.data.encode()
    except ValueError:
        raise RulewrightError(f"{name.name} cannot be read") from None
    with TemporaryDirectory(prefix="rulewright-") as folder:
        path = Path(folder) / f"records{name.suffix}"
        path.write_bytes(data)
        try:
            matches = read_matches(path)
        except RulewrightError as error:
            raise RulewrightError(str(error).replace(str(path), name.name)) from None
    messages = (message for match in matches for message in match.damaged)
    damaged = [message.replace(str(path), name.name) for message in messages]
    games = (_recorded(game, source) for match in matches for game in match.games)
    return r.Records(tuple(islice(games, MOST_RECORDED)), tuple(damaged[:_DAMAGED]))


def _recorded(game: GameRecord, source: Callable[[str], str]) -> r.RecordedGame:
    options = {name: typed_value(value) for name, value in game.options.items()}
    about = (source(game.game), options, game.opening, game.date)
    return r.RecordedGame(*_game_fields(game), *about)


# --- tuning ---


def tune_factors(
    source: str, options: Mapping[str, Any], params: m.Tune, telling: Telling
) -> r.Tuned:
    """Try values of factors, until the page stops it, and confirm the best."""
    if not 1 <= params.trials <= MOST_TRIALS or not 0 <= params.confirm <= MOST_GAMES:
        raise RulewrightError(f"a tuning here has 1 to {MOST_TRIALS} trials")
    terms = _terms(params, options)
    opponents = params.opponents or (params.personality,)
    sampler: Sampler = "tpe" if optuna_is_there() else "near"
    task = TuningTask(source, params.personality, opponents, params.factors, sampler, terms)
    with _alone(), TemporaryDirectory(prefix="rulewright-") as folder:
        tuner = Tuner(task, Path(folder) / "study.db", telling.ended)
        with closing(tuner):
            with suppress(TuningStopped):
                for _ in tuner.trials(params.trials):
                    telling.tell(_tuning(tuner, params.trials, ()))
                if params.confirm and tuner.unchanged:
                    return _tuning(tuner, params.trials, (_UNCHANGED,), True)
                if params.confirm:
                    confirmed = tuner.confirm(params.confirm)
                    interval = between(confirmed["low"], confirmed["high"])
                    label = f"the best against {params.personality} on other openings"
                    lines = (f"{label}: {difference(confirmed)}, with 95 % {interval}",)
                    return _tuning(tuner, params.trials, lines, True)
            return _tuning(tuner, params.trials, (), True)


def _tuning(tuner: Tuner, trials: int, lines: tuple[str, ...], over: bool = False) -> r.Tuned:
    complete = tuner.played()
    rows = (r.TrialShown(t.number, dict(t.factors), t.share) for t in complete)
    return r.Tuned(tuple(rows), trials, tuner.best.number if complete else None, lines, over)
