"""Count hash collisions.

`python -m tests.tools.hash_collisions GAME [--positions 1000000] [--seed 1]`

Positions come from random games by machine code.  Two positions are different when a word differs
that determines the future.
"""

from __future__ import annotations

import argparse
from random import Random

from rulewright.compiler import layout as p
from rulewright.compiler.engine import Engine
from rulewright.compiler.lower.keys import key_offsets
from rulewright.games.files.games import load_with
from rulewright.search.thread_arrays import ThreadArrays

TURN = (p.MOVER, p.SWAPPED, p.AGAIN, p.FRESH, p.REST)


def count(game: str, positions: int, seed: int) -> tuple[int, int]:
    """Different positions among those of random games, and how many share a hash with another."""
    engine = Engine(load_with(game, {}).play)
    worker, random = ThreadArrays(engine, 1 << 12), Random(seed)
    offsets = [*key_offsets(engine.plan), *TURN]
    known: dict[int, int] = {}  # hash: hash of the words, by Python
    collisions = seen = 0
    while seen < positions:
        worker.place(engine.play.first)
        arrays, state = worker.game, worker.game[0]
        while state[p.RESULT] == p.RUNNING and seen < positions:
            words = tuple(state[i] for i in offsets)
            key = worker.kernels["position_key"](state)
            collisions += known.setdefault(key, hash(words)) != hash(words)
            seen += 1
            rows = worker.kernels["decisions"](*arrays, 0)
            if rows == 0:
                break
            worker.kernels["play"](*arrays, random.randrange(rows) * engine.row, rows)
    return len(known), collisions


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(description="Count hash collisions.")
    parser.add_argument("game")
    parser.add_argument("--positions", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    different, collisions = count(arguments.game, arguments.positions, arguments.seed)
    print(f"{arguments.positions:,} positions, {different:,} different, {collisions} collisions")


if __name__ == "__main__":
    main()
