"""Qubic: rows in a cube, as long as the cube is wide; in Score Four balls fall along the pegs."""

from functools import cache
from itertools import product
from typing import NamedTuple

from .common import SIDES

Cell = tuple[int, ...]


@cache
def rows_through(cell: Cell, size: int) -> tuple[frozenset[Cell], ...]:
    """Every row of the cube that a cell is in: those of `size` steps one way."""
    rows = set[frozenset[Cell]]()
    for step in product((-1, 0, 1), repeat=3):
        if any(step):
            cells = [
                tuple(c + n * s for c, s in zip(cell, step, strict=True))
                for n in range(1 - size, size)
            ]
            inside = frozenset(c for c in cells if all(0 <= k < size for k in c))
            if len(inside) == size:
                rows.add(inside)
    return tuple(rows)


def called(cell: Cell) -> str:
    """Layer, column and row."""
    x, y, z = cell
    return f"{'ABCDEF'[z]}{'abcdef'[x]}{y + 1}"


class Qubic(NamedTuple):
    size: int
    falls: bool
    balls: tuple[frozenset[Cell], frozenset[Cell]] = (frozenset(), frozenset())
    mover: int = 0
    result: str = ""

    def free(self) -> list[Cell]:
        """Cells that can be taken; where balls fall, the lowest of each peg."""
        taken = self.balls[0] | self.balls[1]
        cells: list[Cell] = [c for c in product(range(self.size), repeat=3) if c not in taken]
        if not self.falls:
            return cells
        return [c for c in cells if c[2] == 0 or (c[0], c[1], c[2] - 1) in taken]

    def decisions(self) -> list[str]:
        return [] if self.result else [called(cell) for cell in self.free()]

    def play(self, text: str) -> "Qubic":
        cell = next(c for c in self.free() if called(c) == text)
        own = self.balls[self.mover] | {cell}
        balls = (own, self.balls[1]) if self.mover == 0 else (self.balls[0], own)
        result = ""
        if any(row <= own for row in rows_through(cell, self.size)):
            result = SIDES[self.mover]
        elif len(balls[0]) + len(balls[1]) == self.size**3:
            result = "draw"
        return Qubic(self.size, self.falls, balls, 1 - self.mover, result)

    def winner(self) -> str:
        return self.result

    def over(self) -> bool:
        return bool(self.result)

    def fresh(self) -> bool:
        return True


def start(size: int = 4, falls: bool = False) -> Qubic:
    return Qubic(size, falls)
