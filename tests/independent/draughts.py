"""English draughts: black (rows 1 to 3) moves first; every single jump `c3xe5` is a decision."""

from typing import NamedTuple

from .common import (
    DIAGONAL,
    EMPTY,
    OUTSIDE,
    SIDES,
    Board,
    Point,
    empty_board,
    name,
    point,
)

MEN, KINGS = "mw", "KW"
LAST_ROW, AHEAD = (8, 1), (1, -1)


class Draughts(NamedTuple):
    board: Board  # a1 is a dark square
    mover: int = 0
    runner: Point | None = None  # the piece in the middle of a chain of jumps

    def decisions(self) -> list[str]:
        pieces = MEN[self.mover] + KINGS[self.mover]
        own = [self.runner] if self.runner else self.board.having(pieces)
        jumps = [f"{name(a)}x{name(b)}" for a in own for b in self.jumps(a)]
        if jumps or self.runner:
            return jumps
        return [f"{name(a)}-{name(b)}" for a in own for b in self.steps(a)]

    def ways(self, a: Point) -> list[Point]:
        king = self.board.at(a) in KINGS
        return [(dx, dy) for dx, dy in DIAGONAL if king or dy == AHEAD[self.mover]]

    def steps(self, a: Point) -> list[Point]:
        near = [(a[0] + dx, a[1] + dy) for dx, dy in self.ways(a)]
        return [b for b in near if self.board.at(b) == EMPTY]

    def jumps(self, a: Point) -> list[Point]:
        enemy = MEN[1 - self.mover] + KINGS[1 - self.mover]
        found = []
        for dx, dy in self.ways(a):
            over, landing = (a[0] + dx, a[1] + dy), (a[0] + 2 * dx, a[1] + 2 * dy)
            if self.board.at(over) in enemy and self.board.at(landing) == EMPTY:
                found.append(landing)
        return found

    def play(self, text: str) -> "Draughts":
        jump = "x" in text
        a, b = (point(part) for part in text.replace("x", "-").split("-"))
        piece = self.board.at(a)
        crowned = piece in MEN and b[1] == LAST_ROW[self.mover]
        board = self.board.put(EMPTY, [a]).put(KINGS[self.mover] if crowned else piece, [b])
        if jump:
            board = board.put(EMPTY, [((a[0] + b[0]) // 2, (a[1] + b[1]) // 2)])
        going_on = Draughts(board, self.mover, b)
        if jump and not crowned and going_on.jumps(b):
            return going_on
        return Draughts(board, 1 - self.mover)

    def winner(self) -> str:
        return "" if self.decisions() else SIDES[1 - self.mover]

    def over(self) -> bool:
        return not self.decisions()

    def fresh(self) -> bool:
        return self.runner is None


def start() -> Draughts:
    board = empty_board(8, 8)
    dark = [(x, y) for x, y in board.having(EMPTY) if (x + y) % 2 == 0]
    board = board.put(OUTSIDE, [site for site in board.having(EMPTY) if site not in dark])
    board = board.put("m", [(x, y) for x, y in dark if y <= 3])
    return Draughts(board.put("w", [(x, y) for x, y in dark if y >= 6]))
