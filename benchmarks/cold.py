"""Players on an empty cache: what the first decision costs, and whether they beat chance.

    python benchmarks/cold.py                        # every bundled player: the first decision
    python benchmarks/cold.py chess twixt/racer      # those of a game, or one
    python benchmarks/cold.py --edited chess         # of a copy whose rules have one comment more
    python benchmarks/cold.py --games 10 --time 0.5  # against `random`, in a new process each
    python benchmarks/cold.py --busy 6               # beside so many processes that only count

Seconds are those of a processor (user and system) of a whole new process with nothing cached: its
start, reading the texts, compiling, and a decision with 0.1 s, the first that is no opening.  A
wheel brings models and kernels of the bundled games, which serve no edited copy; a checkout does
not, so that there both are the same.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import rulewright
from rulewright.games.files.games import bundled_games
from rulewright.matches.protocols.contestant import Contestant
from rulewright.players.player import Clock, GameLimits

SECONDS = 0.1
PLIES = 4
"""Random decisions before the first one that is measured."""
MOST = 20


def players(wanted: list[str]) -> Iterator[tuple[str, str]]:
    """Games and players."""
    for game, rules in sorted(bundled_games().items()):
        names = sorted(path.stem for path in rules.parent.glob("*.personality"))
        for name in ("computer", *names):
            if not wanted or game in wanted or f"{game}/{name}" in wanted:
                yield game, name


def decide(game: str, name: str) -> None:
    """Be the process that decides once; tells whether it was by a search."""
    loaded, limits, chance = rulewright.load(game), GameLimits(seconds=SECONDS), Random(1)
    player = Contestant.parse(name).open(loaded, limits)
    player.start(loaded, limits, 1)
    state, decision = loaded.start(), None
    while state.ply < MOST and not state.over:
        if state.ply >= PLIES and not state.by_chance:
            decision = player.choose(state, Clock(SECONDS))
            if decision.value is not None or decision.nodes or not decision.searched:
                break
        state = state.play_decision(chance.choice(state.moves.texts))
    if decision is None:  # the game was over before
        print(json.dumps({"searched": False, "nodes": 0}))
        return
    print(json.dumps({"searched": decision.searched, "nodes": decision.nodes}))


def alone(*words: str) -> tuple[str, float]:
    """What a new process with an empty cache prints, and the processor's seconds that it took."""
    with TemporaryDirectory() as folder:
        place = {**os.environ, "RULEWRIGHT_CACHE": folder}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [sys.executable, *words], env=place, stdout=subprocess.PIPE, text=True, check=True
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, sum(after[:2]) - sum(before[:2])


def against_chance(game: str, name: str, games: int, seconds: float) -> str:
    """How many games a player has won, drawn and lost against `random`, and what came without."""
    answer, _ = alone(
        "-m", "rulewright", "match", game, name, "random", "--games", str(games), "--time",
        str(seconds), "--format", "json", "--openings", "0",
    )  # fmt: skip
    data = json.loads(answer)
    won = drawn = lost = 0
    for cell in data["pairings"]:
        mine = cell["p1"] == name
        won += cell["p1_wins"] if mine else cell["p2_wins"]
        lost += cell["p2_wins"] if mine else cell["p1_wins"]
        drawn += cell["draws"]
    without = sum(effort["unsearched"] for effort in data["effort"])
    odd = {reason: n for reason, n in data["reasons"].items() if reason != "rules"}
    more = f", {data['unsearched_games']} do not count" if data["unsearched_games"] else ""
    return f"{won} | {drawn} | {lost} | {without}{more} | {odd or ''}"


@contextmanager
def edited(game: str) -> Iterator[str]:
    """The rules of a copy of a game, with all that belongs to it, and one comment more."""
    with TemporaryDirectory() as folder:
        rules = Path(
            shutil.copytree(bundled_games()[game].parent, Path(folder, game)), f"{game}.rules"
        )
        rules.write_bytes(rules.read_bytes() + b"# edited\n")
        yield str(rules)


@contextmanager
def busy(count: int) -> Iterator[None]:
    """So many processes that do nothing but count."""
    command = [sys.executable, "-c", "while True: pass"]
    crowd = [subprocess.Popen(command) for _ in range(count)]
    try:
        yield
    finally:
        for process in crowd:
            process.kill()
            process.wait()


def main() -> None:
    """Measure what is asked for."""
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("wanted", nargs="*", help="games, or GAME/PLAYER")
    asked.add_argument("--games", type=int, default=0, help="against `random`")
    asked.add_argument("--time", type=float, default=0.5, help="seconds a decision of these games")
    asked.add_argument("--busy", type=int, default=0, help="processes beside")
    asked.add_argument("--edited", action="store_true", help="copies of the games")
    asked.add_argument("--decide", nargs=2, help=argparse.SUPPRESS)
    given = asked.parse_args()
    if given.decide:
        decide(*given.decide)
        return
    known = list(players(given.wanted))
    heads = ("won", "drawn", "lost", "without a search", "ended otherwise")
    head = heads if given.games else ("seconds of processor time", "remark")
    print(f"| game | player | {' | '.join(head)} | seconds |")
    print(f"|{' --- |' * (len(head) + 3)}")
    with busy(given.busy):
        for game, name in known:
            begun = time.perf_counter()
            if given.games:
                row = against_chance(game, name, given.games, given.time)
            else:
                with edited(game) if given.edited else nullcontext(game) as rules:
                    answer, spent = alone(str(Path(__file__)), "--decide", rules, name)
                how = json.loads(answer)
                row = f"{spent:.2f} | {'' if how['searched'] else 'without a search'}"
            print(f"| {game} | {name} | {row} | {time.perf_counter() - begun:.1f} |", flush=True)


if __name__ == "__main__":
    main()
