"""What a ply through `State` costs, beside the reference's and python-chess's.

In: `--plies N`.  Out: a table: microseconds of processor time a ply (all decisions listed, one
played at random), with texts and without; recorded plies a second; perft beside the kernels' own.
python-chess is measured where it is installed.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from rulewright.engine.game import Game
from rulewright.engine.kernels import load_engine
from rulewright.files.games import load

GAMES = {"chess": 4, "twixt": 2, "connect4": 7, "hex": 2, "go": 3}
"""The games, and how deep perft counts them."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plies", type=int, default=3000)
    plies = parser.parse_args().plies
    print(f"{'game':<13}{'texts':>8}{'without':>9}{'reference':>11}{'replayed/s':>12}{'perft':>7}")
    for name, depth in GAMES.items():
        game = load(name)
        load_engine(game)
        rows = [plied(game, plies, texts) for texts in (True, False)]
        slow = plied(load(name, backend="reference"), 30, texts=True)
        told = f"{name:<13}{rows[0]:>8.1f}{rows[1]:>9.1f}{slow:>11.0f}"
        print(f"{told}{replayed(game, plies):>12,.0f}{perft(game, depth):>7.2f}")
    beside()


def plied(game: Game, plies: int, texts: bool) -> float:
    """Microseconds a ply, the best of three."""
    chance = random.Random(1)

    def play() -> None:
        state = game.start()
        for _ in range(plies):
            if state.over:
                state = game.start()
            moves = state.moves
            number = chance.randrange(len(moves))
            state = state.play_decision(moves.texts[number] if texts else moves[number])

    return min(seconds(play) for _ in range(3)) / plies * 1e6


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


def perft(game: Game, depth: int) -> float:
    """The time of `State.perft` over that of the kernels."""
    engine, state = load_engine(game), game.start()
    assert not isinstance(engine, str)
    position = state.situation.position
    kernel = min(seconds(lambda: engine.perft(position, depth)) for _ in range(3))
    return min(seconds(lambda: state.perft(depth)) for _ in range(3)) / kernel


def beside() -> None:
    """The same with python-chess, where it is installed."""
    try:
        chess = import_module("chess")
    except ImportError:
        print("python-chess is not installed")
        return
    for texts in (True, False):
        told = "with" if texts else "without"
        print(
            f"python-chess {told} texts: {1000 * seconds(partial(random_game, chess, texts)):.1f}"
        )


def random_game(chess: Any, texts: bool) -> None:
    """A thousand plies at random, all moves listed."""
    board, chance = chess.Board(), random.Random(1)
    for _ in range(1000):
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
