"""Toguz Korgool from its published rules: nine holes each, and a tuz that keeps what falls in."""

from typing import NamedTuple

from .common import SIDES, most

HOLES = 9
NAMES = ("abcdefghi", "ihgfedcba")  # of each player's holes from the first to the ninth
Pair = tuple[int, int]


class Toguz(NamedTuple):
    holes: tuple[int, ...] = (9,) * (2 * HOLES)  # the first player's, then the second's
    stores: Pair = (0, 0)
    tuz: Pair = (-1, -1)  # the hole of the enemy that each has won; -1 none
    mover: int = 0

    def decisions(self) -> list[str]:
        return [] if self.over() else self.moves()

    def moves(self) -> list[str]:
        own = self.holes[HOLES * self.mover :][:HOLES]
        return [f"{NAMES[self.mover][i]}{self.mover + 1}" for i in range(HOLES) if own[i]]

    def play(self, text: str) -> "Toguz":
        hole = HOLES * self.mover + NAMES[self.mover].index(text[0])
        holes, stores, tuz = list(self.holes), list(self.stores), list(self.tuz)
        stones, holes[hole] = holes[hole], 0
        first = hole if stones > 1 else hole + 1
        for i in range(first, first + stones):
            holes[i % (2 * HOLES)] += 1
        last = (first + stones - 1) % (2 * HOLES)
        if last // HOLES != self.mover and last not in tuz:
            if holes[last] == 3 and self.may_win(last):
                tuz[self.mover] = last
            elif holes[last] % 2 == 0:
                stores[self.mover] += holes[last]
                holes[last] = 0
        for player in (0, 1):
            if tuz[player] >= 0:
                stores[player] += holes[tuz[player]]
                holes[tuz[player]] = 0
        return Toguz(tuple(holes), pair(stores), pair(tuz), 1 - self.mover)

    def may_win(self, hole: int) -> bool:
        """Tell whether a hole may become the mover's tuz: the first, no ninth, no twin."""
        number = hole % HOLES
        theirs = self.tuz[1 - self.mover]
        is_twin = theirs >= 0 and theirs % HOLES == number
        return self.tuz[self.mover] < 0 and number != HOLES - 1 and not is_twin

    def over(self) -> bool:
        return max(self.stores) > 81 or not self.moves()

    def winner(self) -> str:
        """Who has more; what lies there at the end is of the player on whose side it lies."""
        if max(self.stores) > 81:
            return SIDES[self.stores[1] > 81]
        ends = [self.stores[i] + sum(self.holes[HOLES * i :][:HOLES]) for i in (0, 1)]
        return most(*ends) if self.over() else ""

    def fresh(self) -> bool:
        return True


def pair(numbers: list[int]) -> Pair:
    return numbers[0], numbers[1]


def start() -> Toguz:
    return Toguz()
