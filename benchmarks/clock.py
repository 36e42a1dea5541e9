"""Whether an engine of ours loses games on time, by the clock of python-chess, against Stockfish.

    python benchmarks/clock.py --games 100 --elo 1600 --record FILE    # 10 seconds and 0.1 a move
    python benchmarks/clock.py --itself --seconds 1 --increment 0.02 --record FILE
    python benchmarks/clock.py --fit FILE                              # chances from its scores

In: `rulewright uci chess` and Stockfish as programs.  Out: a line for each game, then how many were
lost on time and the least time that was ever left.  A thread looks at the clock every 10
milliseconds: what it misses is a stall of this machine, and the longest of a move stands beside a
loss on time.  A record holds a line of JSON for each game: the scores of ours and the result, from
which `--fit` works out the curve `wdl` of `chess.toml` by the largest likelihood.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from collections.abc import Iterator
from math import exp, log
from pathlib import Path
from random import Random
from threading import Event, Thread

import chess
import chess.engine
from attrs import asdict, define, field

LOOK = 0.01
"""Seconds between two looks of the thread that notes stalls."""
OPENING = 6
"""Random moves before a game."""
TRIFLE = 0.001
"""The least likelihood of a result, for results that a curve thinks impossible."""


@define
class Stalls:
    """The longest time in which a thread of this process could not run."""

    longest: float = 0.0
    _over: Event = field(factory=Event, init=False)

    def watch(self) -> None:
        """Look at the clock until it is `over`."""
        last = time.perf_counter()
        while not self._over.wait(LOOK):
            now = time.perf_counter()
            self.longest = max(self.longest, now - last - LOOK)
            last = now

    def end(self) -> None:
        """Stop watching."""
        self._over.set()


@define
class GameOnTheClock:
    """One game: `won` says of ours 1, 0.5 or 0; `late` who lost on time, by how much and why."""

    number: int
    ours_white: bool
    won: float = 0.5
    plies: int = 0
    late: str = ""
    least: float = 0.0
    stall: float = 0.0
    scores: list[int] = field(factory=list)
    """What ours said of its own positions, in hundredths of a pawn; mates are left out."""


def opening(number: int) -> chess.Board:
    """A position after some random moves, the same for both games of a pair."""
    random = Random(number // 2)
    while True:
        board = chess.Board()
        for _ in range(OPENING):
            board.push(random.choice(list(board.legal_moves)))
            if board.is_game_over():
                break
        else:
            return board


def play(
    number: int, ours: chess.engine.SimpleEngine, other: chess.engine.SimpleEngine,
    seconds: float, increment: float,
) -> GameOnTheClock:  # fmt: skip
    """Play a game by the clock; whoever has less than no time left has lost it."""
    board, game = opening(number), GameOnTheClock(number, number % 2 == 0, least=seconds)
    clocks = {chess.WHITE: seconds, chess.BLACK: seconds}
    while not board.is_game_over(claim_draw=True):
        side = board.turn
        is_ours = side == game.ours_white
        stalls = Stalls()
        Thread(target=stalls.watch, daemon=True).start()
        limit = chess.engine.Limit(
            white_clock=clocks[chess.WHITE], black_clock=clocks[chess.BLACK],
            white_inc=increment, black_inc=increment,
        )  # fmt: skip
        start = time.perf_counter()
        played = (ours if is_ours else other).play(
            board, limit, game=number, info=chess.engine.INFO_SCORE
        )
        clocks[side] -= time.perf_counter() - start
        stalls.end()
        if is_ours:
            game.least, game.stall = min(game.least, clocks[side]), max(game.stall, stalls.longest)
            score = played.info.get("score")
            centipawns = score.relative.score() if score is not None else None
            game.scores += [] if centipawns is None else [centipawns]
        if clocks[side] < 0:
            who = "ours" if is_ours else "the other"
            game.late = f"{who} by {-clocks[side]:.3f} s, stall {stalls.longest:.3f} s"
            game.won = float(not is_ours)
            return game
        clocks[side] += increment
        assert played.move is not None
        board.push(played.move)
        game.plies += 1
    outcome = board.outcome(claim_draw=True)
    if outcome is not None and outcome.winner is not None:
        game.won = float(outcome.winner == game.ours_white)
    return game


def games(options: argparse.Namespace) -> Iterator[GameOnTheClock]:
    """Play the games that are asked for, in one process of each engine."""
    command = [sys.executable, "-m", "rulewright", "uci", "chess"]
    stockfish = [shutil.which("stockfish") or "/usr/games/stockfish"]
    with (
        chess.engine.SimpleEngine.popen_uci(command, timeout=60) as ours,
        chess.engine.SimpleEngine.popen_uci(command if options.itself else stockfish) as other,
    ):
        if options.elo:
            other.configure({"UCI_LimitStrength": True, "UCI_Elo": options.elo})
        if options.overhead is not None:
            other.configure({"Move Overhead": options.overhead})
        for engine in (ours, other):  # code is compiled before any clock
            engine.play(chess.Board(), chess.engine.Limit(time=2))
        for number in range(options.first, options.first + options.games):
            yield play(number, ours, other, options.seconds, options.increment)


def samples(path: Path) -> list[tuple[int, float]]:
    """The scores of a record, each with the result of its game; games lost on time are left out."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [(score, row["won"]) for row in rows if not row["late"] for score in row["scores"]]


def likelihood(pairs: list[tuple[int, float]], middle: float, width: float) -> float:
    """The logarithm of the likelihood of results, by the curve that `UCI_ShowWDL` tells."""
    total = 0.0
    for score, won in pairs:
        win, loss = (1 / (1 + exp(min(500, (middle - x) / width))) for x in (score, -score))
        chance = {1.0: win, 0.0: loss}.get(won, 1 - win - loss)
        total += log(max(chance, TRIFLE))
    return total


def fit(path: Path) -> tuple[int, int]:
    """The curve of the largest likelihood, on a grid of fives."""
    pairs = samples(path)
    grid = ((m, w) for m in range(0, 1005, 5) for w in range(20, 605, 5))
    counts: dict[tuple[int, float], int] = {}
    for score, won in pairs:  # scores of tens, so that a curve is tried on few of them
        key = (round(score / 10) * 10, won)
        counts[key] = counts.get(key, 0) + 1
    weighted = list(counts.items())
    return max(grid, key=lambda curve: sum(n * likelihood([p], *curve) for p, n in weighted))


def main() -> None:
    """Play, or fit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--increment", type=float, default=0.1)
    parser.add_argument("--elo", type=int, default=0, help="of Stockfish; 0 is its full strength")
    parser.add_argument(
        "--overhead", type=int, metavar="MS",
        help="`Move Overhead` of the other: with Stockfish's own 10 it loses short games itself",
    )  # fmt: skip
    parser.add_argument("--itself", action="store_true", help="ours on both sides, for --fit")
    parser.add_argument("--record", type=Path)
    parser.add_argument("--fit", type=Path)
    options = parser.parse_args()
    if options.fit:
        print("wdl =", list(fit(options.fit)), f"from {len(samples(options.fit))} scores")
        return
    played = list[GameOnTheClock]()
    for game in games(options):
        played.append(game)
        print(f"{game.number:3} {game.won:3} {game.plies:3} plies, least {game.least:6.3f} s left,"
              f" longest stall {game.stall:.3f} s {game.late}", flush=True)  # fmt: skip
        if options.record:
            with options.record.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(game)) + "\n")
    late = [game for game in played if game.late.startswith("ours")]
    print(f"{len(late)} of {len(played)} games lost on time; points {sum(g.won for g in played)}")


if __name__ == "__main__":
    main()
