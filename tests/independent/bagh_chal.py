"""Bagh-Chal from its published rules: four tigers hunt twenty goats along drawn lines."""

from typing import NamedTuple

from .common import AROUND, EMPTY, ORTHOGONAL, SIDES, Board, Point, empty_board, name, point

SIZE, GOATS, PREY = 5, 20, 5  # how many goats there are, and how many the tigers want
GOAT, TIGER = "g", "T"
MEN = (GOAT, TIGER)  # goats begin


class BaghChal(NamedTuple):
    board: Board
    waiting: int = GOATS  # goats that have not come yet
    eaten: int = 0
    mover: int = 0

    def decisions(self) -> list[str]:
        return [] if self.over() else self.moves(self.mover)

    def moves(self, player: int) -> list[str]:
        if player == 0 and self.waiting:
            return sorted(name(site) for site in self.board.having(EMPTY))
        own = self.board.having(MEN[player])
        steps = [f"{name(a)}-{name(b)}" for a in own for b in self.beside(a, EMPTY)]
        return sorted(steps + (self.leaps() if player else []))

    def beside(self, a: Point, what: str) -> list[Point]:
        """List the ends of the lines at a point at which something stands."""
        ends = ((a[0] + dx, a[1] + dy) for dx, dy in lines(a))
        return [b for b in ends if self.board.at(b) == what]

    def leaps(self) -> list[str]:
        found = []
        for a in self.board.having(TIGER):
            for goat in self.beside(a, GOAT):
                b = (2 * goat[0] - a[0], 2 * goat[1] - a[1])
                if self.board.at(b) == EMPTY:
                    found.append(f"{name(a)}x{name(b)}")
        return found

    def play(self, text: str) -> "BaghChal":
        other = 1 - self.mover
        if "-" not in text and "x" not in text:
            board = self.board.put(GOAT, [point(text)])
            return self._replace(board=board, waiting=self.waiting - 1, mover=other)
        a, b = (point(part) for part in text.replace("x", "-").split("-"))
        board = self.board.put(EMPTY, [a]).put(MEN[self.mover], [b])
        if "-" in text:
            return self._replace(board=board, mover=other)
        goat = ((a[0] + b[0]) // 2, (a[1] + b[1]) // 2)
        return self._replace(board=board.put(EMPTY, [goat]), eaten=self.eaten + 1, mover=other)

    def winner(self) -> str:
        """Tigers win by five goats, goats by leaving the tigers no move."""
        if self.eaten == PREY:
            return SIDES[1]
        return "" if self.moves(self.mover) else SIDES[1 - self.mover]

    def over(self) -> bool:
        return bool(self.winner())

    def fresh(self) -> bool:
        return True


def lines(a: Point) -> tuple[Point, ...]:
    """Give the directions of the lines at a point: diagonals at every other one."""
    return AROUND if sum(a) % 2 == 0 else ORTHOGONAL


def start() -> BaghChal:
    corners = [(x, y) for x in (1, SIZE) for y in (1, SIZE)]
    return BaghChal(empty_board(SIZE, SIZE).put(TIGER, corners))
