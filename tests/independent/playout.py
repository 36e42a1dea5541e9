"""Pseudo-random games: `python -m tests.independent.playout GAME [SEEDS] [key=value ...]`.

Every decision is `sorted(texts)[rng.randrange(len(texts))]`, with one `rng = random.Random(seed)` a
game.
"""

import random
import sys
from collections import Counter
from typing import NamedTuple
from zlib import crc32

from .perft import load, perft
from .protocol import Position

CAP = 300  # decisions, for the games that could go on for ever


class Playout(NamedTuple):
    texts: list[str]  # the decisions made
    winner: str  # first, second, draw; empty if it was cut off
    choices: int  # the sum over the game of the number of legal decisions
    pairs: int  # the sum of perft(2) of the positions after 0, 10, 20 ... decisions
    third: int  # after so many decisions a position stood for the third time; 0: never

    def checksum(self) -> str:
        return f"{crc32(' '.join(self.texts).encode()):08x}"


def playout(position: Position, seed: int, cap: int = 0) -> Playout:
    """Play one game to its end, or to `cap` decisions."""
    rng = random.Random(seed)
    texts: list[str] = []
    seen = Counter([position])
    choices = pairs = third = 0
    while not position.over() and not (cap and len(texts) == cap):
        pairs += 0 if len(texts) % 10 else perft(position, 2)
        legal = sorted(position.decisions())
        choices += len(legal)
        texts.append(legal[rng.randrange(len(legal))])
        position = position.play(texts[-1])
        seen[position] += 1
        if seen[position] == 3 and not third:
            third = len(texts)
    return Playout(texts, position.winner(), choices, pairs, third)


def main() -> None:
    game, *rest = sys.argv[1:]
    seeds = int(rest.pop(0)) if rest and rest[0].isdigit() else 10
    cap = CAP if game in ("lines_of_action", "morris", "draughts") else 0
    print("seed decisions winner choices pairs crc32 third")
    for seed in range(seeds):
        played = playout(load(game, rest), seed, cap)
        numbers = (played.choices, played.pairs, played.checksum(), played.third)
        print(seed, len(played.texts), played.winner or "none", *numbers)


if __name__ == "__main__":
    main()
