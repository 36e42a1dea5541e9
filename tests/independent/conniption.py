"""Conniption: four in line on 7 by 6, and the board can be turned upside down.

A turn is three decisions: `-` or `!` (flip), a column, `-` or `!`.
"""

from dataclasses import dataclass, replace
from itertools import product

from .common import SIDES, Decided

WIDTH, HEIGHT = 7, 6
OPEN, PLACE, CLOSE = 0, 1, 2


def all_lines() -> list[list[tuple[int, int]]]:
    """List the 69 lines of four, as (column, height) pairs from 0."""
    found = []
    for x, y, (dx, dy) in product(range(WIDTH), range(HEIGHT), ((1, 0), (0, 1), (1, 1), (1, -1))):
        line = [(x + i * dx, y + i * dy) for i in range(4)]
        if all(0 <= cx < WIDTH and 0 <= cy < HEIGHT for cx, cy in line):
            found.append(line)
    return found


LINES = all_lines()


@dataclass(frozen=True)
class Conniption(Decided):
    columns: tuple[str, ...] = ("",) * WIDTH  # tiles `0` and `1` from the bottom upwards
    mover: int = 0
    stage: int = OPEN
    flips: tuple[int, int] = (4, 4)
    just_flipped: bool = False  # the decision before this one was a flip
    result: str = ""

    def decisions(self) -> list[str]:
        if self.result:
            return []
        if self.stage == PLACE:
            return [str(x + 1) for x in range(WIDTH) if len(self.columns[x]) < HEIGHT]
        return ["-", "!"] if self.flips[self.mover] > 0 and not self.just_flipped else ["-"]

    def play(self, text: str) -> "Conniption":
        if text == "-":
            return self.onward(self.columns, "")
        if text == "!":
            return self.flip()
        return self.place(int(text) - 1)

    def flip(self) -> "Conniption":
        columns = tuple(column[::-1] for column in self.columns)
        result = ""
        if has_line(columns, self.mover):
            result = SIDES[self.mover]
        elif has_line(columns, 1 - self.mover):
            result = SIDES[1 - self.mover]
        used = self.mover
        flips = (self.flips[0] - (used == 0), self.flips[1] - (used == 1))
        return replace(self.onward(columns, result), flips=flips, just_flipped=True)

    def place(self, x: int) -> "Conniption":
        columns = (*self.columns[:x], self.columns[x] + str(self.mover), *self.columns[x + 1 :])
        result = ""
        if has_line(columns, self.mover):
            result = SIDES[self.mover]
        elif all(len(column) == HEIGHT for column in columns):
            result = "draw"
        return self.onward(columns, result)

    def onward(self, columns: tuple[str, ...], result: str) -> "Conniption":
        """Go to the next stage; after the third the other player's turn begins."""
        mover = 1 - self.mover if self.stage == CLOSE else self.mover
        return Conniption(columns, mover, (self.stage + 1) % 3, self.flips, False, result)

    def fresh(self) -> bool:
        return self.stage == OPEN


def has_line(columns: tuple[str, ...], player: int) -> bool:
    rows = [column.ljust(HEIGHT) for column in columns]
    return any(all(rows[x][y] == str(player) for x, y in line) for line in LINES)


def start() -> Conniption:
    return Conniption()
