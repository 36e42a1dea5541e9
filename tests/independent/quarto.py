"""Quarto from its rules as they are told: a stone is four bits, one for each property."""

from typing import NamedTuple

CELLS = [f"{c}{r}" for r in "4321" for c in "abcd"]
ROWS = (
    *([4 * y + x for x in range(4)] for y in range(4)),
    *([4 * y + x for y in range(4)] for x in range(4)),
    [0, 5, 10, 15],
    [3, 6, 9, 12],
)


def stone_of(site: str) -> int:
    """Give what the stone is that begins on a site above the table."""
    column, row = "abcd".index(site[0]), int(site[1]) - 5
    tall, dark = column in (0, 1), column in (0, 2)
    return tall | dark << 1 | (row in (0, 1)) << 2 | (row in (0, 2)) << 3


SITES = {stone_of(f"{c}{r}"): f"{c}{r}" for r in "5678" for c in "abcd"}


class Quarto(NamedTuple):
    table: tuple[int, ...] = (-1,) * 16
    left: frozenset[int] = frozenset(range(16))
    offered: int = -1
    mover: int = 0
    begun: bool = False
    """Whether the stone that was given is on the table and the next one must be given."""

    def decisions(self) -> list[str]:
        if self.over():
            return []
        if self.offered < 0:
            return sorted(f"give:{SITES[stone]}" for stone in self.left)
        return sorted(CELLS[i] for i, stone in enumerate(self.table) if stone < 0)

    def play(self, text: str) -> "Quarto":
        if text.startswith("give:"):
            stone = stone_of(text[5:])
            return Quarto(self.table, self.left - {stone}, stone, 1 - self.mover)
        table = list(self.table)
        table[CELLS.index(text)] = self.offered
        return Quarto(tuple(table), self.left, -1, self.mover, begun=True)

    def completed(self) -> bool:
        rows = [[self.table[i] for i in row] for row in ROWS]
        full = [row for row in rows if min(row) >= 0]
        return any(
            len({stone >> bit & 1 for stone in row}) == 1 for row in full for bit in range(4)
        )

    def over(self) -> bool:
        return self.completed() or (min(self.table) >= 0)

    def winner(self) -> str:
        if not self.over():
            return ""
        return ("first", "second")[self.mover] if self.completed() else "draw"

    def fresh(self) -> bool:
        return not self.begun


def start() -> Quarto:
    return Quarto()
