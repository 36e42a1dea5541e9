"""Tournaments that are killed with SIGKILL at random moments, again and again, and go on.

    python -m tests.tools.kill_check --kills 200

In: how many kills.  Out: what was checked; exit status 1 with what went wrong.  After each kill
every game that was on record must be there unchanged and no worker may be left; when a tournament
ends, its table must be that of one that nobody killed, and its games must be the same games.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from attrs import define, evolve, field

from rulewright.matches.game_record import GameRecord
from rulewright.matches.record_files import read_matches

COMMAND = (
    "tournament", "conniption", "flip@depth=1", "hybrid@depth=1", "dice@depth=1",
    "random", "--format", "json",
)  # fmt: skip
PLAYING, MOMENT = 0.7, 0.5
"""So many kills come while games are played, at most so many seconds after the first of them."""
PATIENCE = 30.0
"""Seconds in which the workers of a killed process must end."""


class Lost(Exception):
    """Something that must not happen has happened."""


@define
class Tournament:
    """One tournament, its record, and the same one without a record."""

    record: Path
    seed: int
    games: int
    workers: int
    kills: int = 0
    seen: dict[int, str] = field(factory=dict)

    def command(self, *more: str) -> list[str]:
        numbers = ("--games", str(self.games), "--seed", str(self.seed))
        return [sys.executable, "-m", "rulewright", *COMMAND, *numbers, *more]

    def killed(self, after: float, playing: bool = False) -> bool:
        """Run it and kill it *after* seconds; False when it ended before.

        *playing*: the seconds count from the first game that it puts on record.
        """
        more = ("--record", str(self.record), "--workers", str(self.workers))
        process = subprocess.Popen(
            self.command(*more), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            start_new_session=True,
        )  # fmt: skip
        while playing and process.poll() is None and self._kept() <= len(self.seen):
            time.sleep(0.02)
        try:
            process.wait(after)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            self.kills += 1
        _, errors = process.communicate()
        if process.returncode not in (0, -signal.SIGKILL):
            raise Lost(f"the command failed: {errors.decode()}")
        self._no_worker_left(process.pid)
        self._nothing_lost()
        return process.returncode != 0

    def _kept(self) -> int:
        """How many games are on record."""
        address = f"{self.record.absolute().as_uri()}?mode=ro"
        try:
            with closing(sqlite3.connect(address, uri=True)) as base:
                return int(base.execute("SELECT count(*) FROM games").fetchone()[0])
        except sqlite3.OperationalError:
            return 0  # there is no table yet

    def _no_worker_left(self, group: int) -> None:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                os.killpg(group, 0)
            except ProcessLookupError:
                return
            time.sleep(0.01)
        raise Lost("workers outlive the process that was killed")

    def _nothing_lost(self) -> None:
        now = {game.number: game.line() for game in recorded(self.record)}
        for number, line in self.seen.items():
            if now.get(number) != line:
                raise Lost(f"game {number} was on record and is lost or changed")
        self.seen = now

    def compare(self) -> int:
        """Check it against one that nobody killed; the number of its games."""
        killed = self._table("--record", str(self.record))
        whole = self.record.with_name("whole.db")
        whole.unlink(missing_ok=True)
        if killed != self._table("--record", str(whole)):
            raise Lost("the table differs from that of a tournament without kills")
        mine, its = recorded(self.record), recorded(whole)
        same = [_timeless(a) == _timeless(b) for a, b in zip(mine, its, strict=True)]
        if not all(same):
            raise Lost(f"game {same.index(False)} differs from that without kills")
        return len(mine)

    def _table(self, *more: str) -> Any:
        done = subprocess.run(self.command(*more), capture_output=True, text=True, check=True)
        table = json.loads(done.stdout)
        for effort in table["effort"]:
            del effort["seconds"]
        return table


def _timeless(game: GameRecord) -> GameRecord:
    """What a record tells of play: all but the time it took and when it was."""
    moves = tuple(evolve(move, seconds=None) for move in game.moves)
    return evolve(game, moves=moves, date="", version="")


def recorded(path: Path) -> list[GameRecord]:
    """The games of a record; none before there is one."""
    if not path.exists() or not path.stat().st_size:
        return []
    try:
        return read_matches(path)[0].games
    except Exception as error:
        if "holds no match" in str(error):
            return []
        raise


def check(kills: int, games: int, seed: int, say: bool = True) -> int:
    """Kill tournaments until there were so many kills; the number of games that were compared."""
    chance, done, compared, number, pace = random.Random(seed), 0, 0, 0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        while done < kills:
            record = Path(folder) / f"{number}.db"
            tournament = Tournament(record, seed + number, games, 1 + number % 2)
            pace = pace or _pace(tournament)
            while tournament.kills < kills - done:
                playing = chance.random() < PLAYING
                if not tournament.killed(chance.uniform(0, MOMENT if playing else pace), playing):
                    break
            compared += tournament.compare()
            done, number = done + tournament.kills, number + 1
            if say:
                print(f"{record.name}: {tournament.kills} kills, {done} of {kills}", flush=True)
    return compared


def _pace(tournament: Tournament) -> float:
    """Seconds of the shortest tournament: a kill before that comes mostly before any game."""
    begun = time.monotonic()
    short = evolve(tournament, record=tournament.record.with_name("short.db"), games=2)
    more = ("--record", str(short.record), "--workers", str(short.workers))
    subprocess.run(short.command(*more), capture_output=True, check=True)
    return time.monotonic() - begun


def main() -> int:
    """Kill, compare, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--games", type=int, default=40, help="of each pairing")
    parser.add_argument("--seed", type=int, default=1)
    a = parser.parse_args()
    started = time.monotonic()
    try:
        compared = check(a.kills, a.games, a.seed)
    except Lost as lost:
        print(f"LOST: {lost}")
        return 1
    minutes = (time.monotonic() - started) / 60
    print(f"{a.kills} kills, {compared} games compared, nothing lost ({minutes:.1f} minutes)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
