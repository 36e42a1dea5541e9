"""What a ply of a random game costs as boards grow, and in games whose plies cost most once.

`python benchmarks/growth.py [--rounds N] [--seconds S]` prints a table: nanoseconds of processor
time a ply, and on a larger board how many times that of the smallest, beside its times of sites.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from rulewright.compiler.engine import Engine
from rulewright.games.engine.game import Game
from rulewright.games.files.games import load, load_with

sys.path.insert(0, str(Path(__file__).parent))
from peers import ours

SIZES = {"othello": (8, 12), "go": (9, 13), "havannah": (4, 8), "hex": (7, 11)}
"""Games, with sizes of their boards from the smallest on."""
FIXED = ("loa", "oware")
"""Others, on the board that they have."""
OUTSIDE = Path(__file__).parents[1] / "tests" / "data" / "outsiders" / "epaminondas.rules"


def boards() -> Iterator[tuple[str, list[Game]]]:
    """Every game, on each of its boards."""
    for name, sizes in SIZES.items():
        yield name, [load_with(name, {"size": size}) for size in sizes]
    for name in FIXED:
        yield name, [load_with(name, {})]
    yield "Epaminondas", [load(OUTSIDE)]


def cost(game: Game, rounds: int, seconds: float) -> tuple[float, float]:
    """The nanoseconds of a ply, and the random games a second."""
    engine = Engine(game.play)
    rates = [ours(engine, seconds, seed) for seed in range(1, rounds + 1)]
    return median(1e9 / (rate * plies) for rate, plies in rates), median(r for r, _ in rates)


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.5)
    options = parser.parse_args()
    print("| game | sites | ns a ply | games a second | times the smallest | times its sites |")
    print("|---|---|---|---|---|---|", flush=True)
    for name, games in boards():
        first: tuple[float, int] | None = None
        for game in games:
            sites = game.play.rules.board.sites.bit_count()
            ply, rate = cost(game, options.rounds, options.seconds)
            grown = f"{ply / first[0]:.1f} | {sites / first[1]:.1f}" if first else " | "
            first = first or (ply, sites)
            print(f"| {name} | {sites} | {ply:,.0f} | {rate:,.0f} | {grown} |", flush=True)


if __name__ == "__main__":
    main()
