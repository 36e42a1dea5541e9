"""How often the sequential test is wrong: simulated matches between players of known strength.

    python -m tests.tools.sprt_check --matches 1000 --elo0 0 --elo1 10

In: two hypotheses and the rates of error that are asked for.  Out: how often each was believed when
the other is true, with the 95 % interval of what was seen.  Exit status 1 when a rate is above what
was asked for beyond chance (one in a thousand).  The simulated games have draws, and openings that
favour one side: the two games of a pair depend on each other, as they do in matches.
"""

from __future__ import annotations

import argparse
import math
import sys
from random import Random

from attrs import frozen

from rulewright.matches.statistics import Sprt, expected


@frozen
class Game:
    """How simulated games go: the share of draws, and by how much openings favour one side."""

    draws: float = 0.3
    bias: float = 60.0


def points(elo: float, random: Random, game: Game) -> float:
    """The points of a pair of games for a player who is stronger by so much."""
    lean = random.gauss(0, game.bias)
    return sum(_game(elo + sign * lean, random, game) for sign in (1, -1))


def _game(elo: float, random: Random, game: Game) -> float:
    """The points of one game, whose mean is what *elo* stands for: draws move no points."""
    mean = expected(elo)
    draws = min(game.draws, 2 * min(mean, 1 - mean))
    chance = random.random()
    if chance < draws:
        return 0.5
    return 1.0 if chance < draws + mean - draws / 2 else 0.0


def shift(elo: float, game: Game) -> float:
    """The strength whose mean over all openings is what *elo* stands for, by halving."""
    random, low, high = Random(1), elo - 50, elo + 50
    leans = [random.gauss(0, game.bias) for _ in range(2000)]
    for _ in range(40):
        tried = (low + high) / 2
        mean = sum(expected(tried + s * x) for x in leans for s in (1, -1)) / (2 * len(leans))
        low, high = (tried, high) if mean < expected(elo) else (low, tried)
    return (low + high) / 2


def decided(test: Sprt, elo: float, random: Random, game: Game) -> tuple[int, int]:
    """Which hypothesis a match believes, and after how many pairs."""
    counts, pairs = [0] * 5, 0
    while True:
        counts[round(2 * points(elo, random, game))] += 1
        pairs += 1
        verdict = test.verdict(counts) if pairs % 4 == 0 or pairs < 32 else None
        if verdict is not None:
            return verdict, pairs


def errors(test: Sprt, matches: int, seed: int, game: Game | None = None) -> list[tuple[int, int]]:
    """For each hypothesis being true: how many of *matches* believed the other; all pairs."""
    game, found = game or Game(), []
    for true, elo in enumerate((test.elo0, test.elo1)):
        random, strength = Random(f"{seed} {true}"), shift(elo, game)
        verdicts = [decided(test, strength, random, game) for _ in range(matches)]
        wrong = sum(verdict != true for verdict, _ in verdicts)
        found.append((wrong, sum(pairs for _, pairs in verdicts)))
    return found


def too_many(wrong: int, matches: int, rate: float) -> bool:
    """Whether so many errors would be seen less than once in a thousand at that rate."""
    log = [
        math.lgamma(matches + 1) - math.lgamma(k + 1) - math.lgamma(matches - k + 1)
        + k * math.log(rate) + (matches - k) * math.log1p(-rate)
        for k in range(wrong, matches + 1)
    ]  # fmt: skip
    return math.fsum(map(math.exp, log)) < 0.001


def main() -> int:
    """Simulate, print, and say whether the rates hold."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--elo0", type=float, default=0)
    parser.add_argument("--elo1", type=float, default=10)
    parser.add_argument("--alpha", type=float, default=0.05)
    parser.add_argument("--beta", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=1)
    a = parser.parse_args()
    test, failed = Sprt(a.elo0, a.elo1, a.alpha, a.beta), False
    for true, (wrong, pairs) in enumerate(errors(test, a.matches, a.seed)):
        asked = a.beta if true else a.alpha
        share, sigma = wrong / a.matches, math.sqrt(asked * (1 - asked) / a.matches)
        print(
            f"true difference {(a.elo0, a.elo1)[true]:+g}: wrong in {wrong} of {a.matches} matches"
            f" ({share:.1%}; asked for {asked:.1%}, give or take {1.96 * sigma:.1%});"
            f" {pairs / a.matches:,.0f} pairs a match"
        )
        failed |= too_many(wrong, a.matches, asked)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
