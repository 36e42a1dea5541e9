"""Everyone against everyone, in both seats: win share and mean length, as tables in Markdown.

    python benchmarks/tournament.py conniption sols_steady flip_steady --games 200

In: a game, personalities of it.  Out: two tables, the first player's personality by row, the
second's by column: the first player's share of the points, and turns of a game on average.
"""

from __future__ import annotations

import argparse
import os
from concurrent.futures import ProcessPoolExecutor
from itertools import product

from rulewright.loading import load
from rulewright.players.match import match
from rulewright.players.personality import Personality

Cell = tuple[float, float]


def play(game: str, first: str, second: str, games: int, seed: int) -> Cell:
    """The first one's share of the points, and turns of a game on average."""
    rules = load(game)
    one, two = (Personality.load(name, rules) for name in (first, second))
    result = match(one, two, games, seed)
    return result.share, result.mean_turns


def table(names: list[str], found: dict[tuple[str, str], str]) -> str:
    """A table in Markdown, the first player by row."""
    lines = ["| first \\ second | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for first in names:
        cells = " | ".join(found[first, second] for second in names)
        lines.append(f"| {first} | {cells} |")
    return "\n".join(lines)


def main() -> None:
    """Read the arguments, play, and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("game")
    parser.add_argument("players", nargs="+")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    a = parser.parse_args()
    pairs = list(product(a.players, repeat=2))
    with ProcessPoolExecutor(a.workers) as pool:
        futures = {p: pool.submit(play, a.game, *p, a.games, a.seed) for p in pairs}
        cells = {pair: future.result() for pair, future in futures.items()}
    print(f"share of the points, {a.games} games a pair, seed {a.seed}\n")
    print(table(a.players, {pair: f"{share:.3f}" for pair, (share, _) in cells.items()}))
    print("\nmean length in turns\n")
    print(table(a.players, {pair: f"{turns:.1f}" for pair, (_, turns) in cells.items()}))


if __name__ == "__main__":
    main()
