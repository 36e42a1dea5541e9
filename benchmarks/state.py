"""What a ply through `State` costs, beside the reference's and python-chess's.

In: `--plies N`, `--rounds N`, games.  Out: a table: microseconds of processor time a ply (all
decisions listed, one played at random), with texts and without; recorded plies a second; perft as a
multiple of the kernels' own.  What is compared takes turns; figures are medians of the rounds, in
brackets the least and the most.  python-chess is measured where it is installed.

With `--scripts` whole processes are measured instead: a script that loads chess and plays 500 plies
at random, all moves listed and played by their texts, as multiples of the same script by
python-chess, by turns: with all that an earlier run has cached (`warm`); with an empty cache
(`cold`), where a wheel brings models and kernels of its games and a checkout does not; and the same
for a copy of the rules with one comment more (`edited`), for which nothing has come.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

from rulewright.games.engine.game import Game
from rulewright.games.engine.kernels import load_engine
from rulewright.games.files.games import find, load
from rulewright.ground.cache import BROUGHT

GAMES = {"chess": 4, "twixt": 2, "connect4": 7, "hex": 2, "go": 3}
"""The games, and how deep perft counts them."""
WAYS = (True, False)
"""With texts and without."""
ENOUGH = 0.05
"""Seconds for which a count of positions is repeated in a round."""


OURS = """
import random, rulewright
state, chance = rulewright.load({!r}).start(), random.Random(1)
for _ in range(500):
    if state.over:
        state = state.game.start()
    state = state.play(chance.choice(state.moves.texts))
"""
THEIRS = """
import random, chess
board, chance = chess.Board(), random.Random(1)
for _ in range(500):
    if board.is_game_over():
        board.reset()
    board.push_uci(chance.choice([move.uci() for move in board.legal_moves]))
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scripts", action="store_true")
    parser.add_argument("--plies", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("games", nargs="*", default=list(GAMES), metavar="GAME")
    arguments = parser.parse_args()
    if arguments.scripts:
        scripts(arguments.rounds)
        return
    print("| game | with texts | without | reference | replayed plies a second | perft |")
    print("| --- | --- | --- | --- | --- | --- |", flush=True)
    for name in arguments.games:
        game = load(name)
        load_engine(game)
        ways = [partial(plied, game, arguments.plies, texts) for texts in WAYS]
        rows = [median(times) for times in alternately(ways, arguments.rounds)]
        slow = plied(load(name, backend="reference"), 30, texts=True)
        counted = alternately(perfts(game, GAMES.get(name, 2)), arguments.rounds)
        shares = sorted(state / kernels for state, kernels in zip(*counted, strict=True))
        line = f"| {name} | {rows[0]:.1f} | {rows[1]:.1f} | {slow:,.0f} "
        line += f"| {replayed(game, arguments.plies):,.0f} "
        print(f"{line}| {median(shares):.2f} ({shares[0]:.2f}-{shares[-1]:.2f}) |", flush=True)
    beside(arguments.plies, arguments.rounds)


def alternately(ways: Sequence[Callable[[], float]], rounds: int) -> list[list[float]]:
    """What each way measures in so many rounds, in which all take turns; a round before is free."""
    measured = [[way() for way in ways] for _ in range(rounds + 1)]
    return [list(column) for column in zip(*measured[1:], strict=True)]


def plied(game: Game, plies: int, texts: bool) -> float:
    """Microseconds a ply."""
    chance = random.Random(1)

    def play() -> None:
        state = game.start()
        for _ in range(plies):
            if state.over:
                state = game.start()
            moves = state.moves
            number = chance.randrange(len(moves))
            state = state.play_decision(moves.texts[number] if texts else moves[number])

    return seconds(play) / plies * 1e6


def replayed(game: Game, plies: int) -> float:
    """Plies a second of games that are played again by their texts."""
    chance, games, state = random.Random(2), list[str](), game.start()
    count = 0
    while count < plies:
        if state.over or len(state.decisions()) >= 300:
            games.append(" ".join(state.decisions()))
            state = game.start()
        state = state.play_decision(chance.choice(state.moves))
        count += 1
    games.append(" ".join(state.decisions()))
    return plies / seconds(lambda: [game.start().play(text) for text in games if text])


def perfts(game: Game, depth: int) -> list[Callable[[], float]]:
    """The time that `State.perft` takes, and what the kernels take by themselves."""
    engine, state = load_engine(game), game.start()
    assert not isinstance(engine, str)
    position = state.situation.position
    once = seconds(lambda: engine.perft(position, depth))
    times = max(1, round(ENOUGH / max(once, 1e-5)))

    def by_state() -> None:
        for _ in range(times):
            state.perft(depth)

    def by_kernels() -> None:
        for _ in range(times):
            engine.perft(position, depth)

    return [partial(seconds, by_state), partial(seconds, by_kernels)]


def beside(plies: int, rounds: int) -> None:
    """Chess by turns with python-chess, where it is installed."""
    try:
        chess = import_module("chess")
    except ImportError:
        print("python-chess is not installed")
        return
    game = load("chess")
    for texts in WAYS:
        theirs = partial(seconds, partial(random_game, chess, plies, texts))
        times = alternately([partial(plied, game, plies, texts), theirs], rounds)
        shares = sorted(ours / (other / plies * 1e6) for ours, other in zip(*times, strict=True))
        rate = f"{median(times[1]) / plies * 1e6:.1f}"
        cells = f"{rate} | |" if texts else f"| {rate} |"
        line = f"| python-chess; chess takes {median(shares):.3f} of it"
        print(f"{line} ({shares[0]:.3f}-{shares[-1]:.3f}) | {cells} | | |", flush=True)


def scripts(rounds: int) -> None:
    """Whole scripts beside python-chess's."""
    with tempfile.TemporaryDirectory() as folder:
        kept = {"PYTHONPYCACHEPREFIX": f"{folder}/code", "RULEWRIGHT_CACHE": f"{folder}/warm"}
        edited = Path(folder, "chess.rules")
        edited.write_bytes(find("chess").read_bytes() + b"# edited\n")
        ours, cold = OURS.format("chess"), f"{folder}/cold"
        ways = [
            partial(script, THEIRS, kept), partial(script, ours, kept),
            partial(script, ours, kept, emptied=cold),
            partial(script, OURS.format(str(edited)), kept, emptied=cold),
        ]  # fmt: skip
        theirs, *measured = alternately(ways, rounds)
    brought = sum(1 for _ in BROUGHT.glob("*.model"))
    print(f"{brought} games have come with models and kernels", flush=True)
    print("| script | milliseconds | of python-chess |\n| --- | --- | --- |")
    print(f"| python-chess | {median(theirs) * 1e3:.0f} | |", flush=True)
    for name, seconds_each in zip(("warm", "cold", "edited"), measured, strict=True):
        shares = sorted(own / other for own, other in zip(seconds_each, theirs, strict=True))
        line = f"| {name} | {median(seconds_each) * 1e3:.0f} | {median(shares):.2f}"
        print(f"{line} ({shares[0]:.2f}-{shares[-1]:.2f}) |", flush=True)


def script(text: str, kept: dict[str, str], emptied: str = "") -> float:
    """Seconds of the processor that a new process takes for a script."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | kept
    if emptied:
        shutil.rmtree(emptied, ignore_errors=True)
        environment["RULEWRIGHT_CACHE"] = emptied
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", text], env=environment, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def random_game(chess: Any, plies: int, texts: bool) -> None:
    """So many plies at random, all moves listed."""
    board, chance = chess.Board(), random.Random(1)
    for _ in range(plies):
        if board.is_game_over():
            board.reset()
        moves = list(board.legal_moves)
        if texts:
            _ = [board.uci(move) for move in moves]
        board.push(chance.choice(moves))


def seconds(act: Callable[[], object]) -> float:
    """Seconds of the processor that something takes."""
    begun = time.process_time()
    act()
    return time.process_time() - begun


if __name__ == "__main__":
    main()
