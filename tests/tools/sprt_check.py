"""How often the sequential test is wrong: simulated matches between players of known strength.

    python -m tests.tools.sprt_check --matches 1000 --elo0 0 --elo1 10
    python -m tests.tools.sprt_check --matches 1000 --elo0 0 --elo1 40 --dice

In: two hypotheses and the rates of error that are asked for.  Out: how often each was believed when
the other is true, with the 95 % interval of what was seen.  Exit status 1 when a rate is above what
was asked for beyond chance (one in a thousand).  The simulated games have draws, and openings that
favour one side: the two games of a pair depend on each other, as they do in matches.

With `--dice` they are games of a race in which both games of a pair have the same throws, turn by
turn, as the referee throws them (`Race`).
"""

from __future__ import annotations

import argparse
import math
import sys
from functools import cache
from random import Random
from typing import Protocol

from attrs import frozen

from rulewright.matches.statistics import Sprt, expected


@frozen
class Game:
    """How simulated games go: the share of draws, and by how much openings favour one side."""

    draws: float = 0.3
    bias: float = 60.0

    def strength(self, elo: float) -> float:
        """The strength whose mean over all openings is what *elo* stands for."""
        return shift(elo, self)

    def points(self, strength: float, random: Random) -> float:
        """The points of a pair of games for a player of such a strength."""
        lean = random.gauss(0, self.bias)
        return sum(_game(strength + sign * lean, random, self) for sign in (1, -1))


@frozen
class Race:
    """A race with dice: the first to have thrown `goal` wins.  Its luck outweighs all strength.

    A player's strength is how often it finds a better way, which is worth a point to it.  Both
    games of a pair have the same throws.
    """

    goal: int = 40
    other: float = 0.3
    """The strength of the other player."""

    def strength(self, elo: float) -> float:
        """The strength that scores over both seats what *elo* stands for, by halving."""
        low, high = 0.0, 1.0
        for _ in range(40):
            tried = (low + high) / 2
            low, high = (tried, high) if self.share(tried) < expected(elo) else (low, tried)
        return (low + high) / 2

    def share(self, strength: float) -> float:
        """The exact share of the points over both seats."""

        @cache
        def wins(own: int, other: int, mine: float, yours: float) -> float:
            """The probability that who is to throw wins, with so many points to go."""
            total = 0.0
            for die in range(1, 7):
                for gain, chance in ((die, 1 - mine), (die + 1, mine)):
                    won = own <= gain or 1 - wins(other, own - gain, yours, mine)
                    total += chance * won / 6
            return total

        first = wins(self.goal, self.goal, strength, self.other)
        return (first + 1 - wins(self.goal, self.goal, self.other, strength)) / 2

    def points(self, strength: float, random: Random) -> float:
        """The points of a pair of games, in which seats are exchanged and throws are the same."""
        throws = [random.randrange(6) + 1 for _ in range(2 * self.goal)]
        first = self._first_wins((strength, self.other), throws, random)
        return first + 1 - self._first_wins((self.other, strength), throws, random)

    def _first_wins(self, strengths: tuple[float, float], throws: list[int], random: Random) -> int:
        left = [self.goal, self.goal]
        for turn, die in enumerate(throws):
            seat = turn % 2
            left[seat] -= die + (random.random() < strengths[seat])
            if left[seat] <= 0:
                return 1 - seat
        raise AssertionError("a race is over after that many throws")


class Pairs(Protocol):
    """What can be played in pairs by a player of a strength."""

    def strength(self, elo: float) -> float:
        """The strength that a difference in Elo stands for."""

    def points(self, strength: float, random: Random) -> float:
        """The points of a pair of games."""


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


def decided(test: Sprt, strength: float, random: Random, game: Pairs) -> tuple[int, int]:
    """Which hypothesis a match believes, and after how many pairs."""
    counts, pairs = [0] * 5, 0
    while True:
        counts[round(2 * game.points(strength, random))] += 1
        pairs += 1
        verdict = test.verdict(counts) if pairs % 4 == 0 or pairs < 32 else None
        if verdict is not None:
            return verdict, pairs


def errors(test: Sprt, matches: int, seed: int, game: Pairs | None = None) -> list[tuple[int, int]]:
    """For each hypothesis being true: how many of *matches* believed the other; all pairs."""
    game, found = game or Game(), []
    for true, elo in enumerate((test.elo0, test.elo1)):
        random, strength = Random(f"{seed} {true}"), game.strength(elo)
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
    parser.add_argument("--dice", action="store_true")
    a = parser.parse_args()
    game: Pairs = Race() if a.dice else Game()
    test, failed = Sprt(a.elo0, a.elo1, a.alpha, a.beta), False
    for true, (wrong, pairs) in enumerate(errors(test, a.matches, a.seed, game)):
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
