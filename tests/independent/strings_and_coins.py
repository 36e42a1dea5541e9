"""Strings and Coins: cut a string, `a2-b2`; a coin left without is taken, the taker goes on."""

from functools import cache
from typing import NamedTuple

from .common import most, name


class StringsAndCoins(NamedTuple):
    width: int
    height: int
    whole: frozenset[str]  # the strings not yet cut
    mover: int = 0
    coins: tuple[int, int] = (0, 0)  # taken by each player

    def decisions(self) -> list[str]:
        return [string for string in strings(self.width, self.height) if string in self.whole]

    def play(self, text: str) -> "StringsAndCoins":
        whole = self.whole - {text}
        held = {coin for string in whole for coin in string.split("-")}
        gain = sum(coin not in held for coin in text.split("-"))
        coins = (self.coins[0] + gain * (self.mover == 0), self.coins[1] + gain * (self.mover == 1))
        return self._replace(whole=whole, mover=self.mover if gain else 1 - self.mover, coins=coins)

    def winner(self) -> str:
        return most(*self.coins) if self.over() else ""

    def over(self) -> bool:
        return not self.whole

    def fresh(self) -> bool:
        return True


@cache
def strings(width: int, height: int) -> list[str]:
    """List all strings, row 1 at the bottom; the coin read first (from the top) comes first."""
    found = []
    for y in range(height, 0, -1):
        for x in range(1, width + 1):
            if x < width:
                found.append(f"{name((x, y))}-{name((x + 1, y))}")
            if y > 1:
                found.append(f"{name((x, y))}-{name((x, y - 1))}")
    return found


def start(width: int = 4, height: int = 4) -> StringsAndCoins:
    return StringsAndCoins(width, height, frozenset(strings(width, height)))
