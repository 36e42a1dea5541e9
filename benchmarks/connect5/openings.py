"""Openings of Connect 5 for matches: four stones in contact, so that none of them is wasted.

In: how many.  Out: a line of turns for each, all different.  The first stone stands at least three
squares from the border, the second and fourth beside a stone, the third within two of one.

    python benchmarks/connect5/openings.py 100 >openings.txt
"""

from __future__ import annotations

import sys
from random import Random

SEED = 2027
FILES = "abcdefghijklmno"
Square = tuple[int, int]


def opening(random: Random) -> list[Square]:
    """Four squares, the first of them away from the border."""
    found = [(random.randint(3, 11), random.randint(3, 11))]
    for reach in (1, 2, 1):
        found.append(near(random, found, reach))
    return found


def near(random: Random, stones: list[Square], reach: int) -> Square:
    """An empty square within *reach* of a stone."""
    while True:
        x, y = random.choice(stones)
        square = (x + random.randint(-reach, reach), y + random.randint(-reach, reach))
        if square not in stones:
            return square


def main() -> None:
    """Print them."""
    random, seen = Random(SEED), set[tuple[frozenset[Square], frozenset[Square]]]()
    while len(seen) < int(sys.argv[1]):
        squares = opening(random)
        stones = frozenset(squares[::2]), frozenset(squares[1::2])
        if stones not in seen:
            seen.add(stones)
            print(" ".join(f"{FILES[x]}{y + 1}" for x, y in squares))


if __name__ == "__main__":
    main()
