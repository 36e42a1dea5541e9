"""Othello: row 1 at the top, black first; a pass is a decision, made only if there is no other."""

from typing import NamedTuple

from .common import AROUND, EMPTY, Board, Point, empty_board, most, name, point, reach


class Othello(NamedTuple):
    board: Board
    mover: int = 0
    passes: int = 0  # in a row, just now

    def decisions(self) -> list[str]:
        if self.over():
            return []
        free = self.board.having(EMPTY)
        return [name(p) for p in free if turned(self.board, self.mover, p)] or ["pass"]

    def play(self, text: str) -> "Othello":
        if text == "pass":
            return Othello(self.board, 1 - self.mover, self.passes + 1)
        site = point(text)
        discs = [site, *turned(self.board, self.mover, site)]
        return Othello(self.board.put("XO"[self.mover], discs), 1 - self.mover)

    def winner(self) -> str:
        return most(self.board.cells.count("X"), self.board.cells.count("O")) if self.over() else ""

    def over(self) -> bool:
        return self.passes == 2 or EMPTY not in self.board.cells

    def fresh(self) -> bool:
        return True


def turned(board: Board, player: int, site: Point) -> list[Point]:
    """List the enemy discs that a disc at an empty site would turn."""
    own, enemy = "XO"[player], "OX"[player]
    x, y = site
    found: list[Point] = []
    for dx, dy in AROUND:
        length = reach(board, enemy, site, dx, dy)
        if length and board.at((x + (length + 1) * dx, y + (length + 1) * dy)) == own:
            found += [(x + i * dx, y + i * dy) for i in range(1, length + 1)]
    return found


def start(size: int = 8) -> Othello:
    a, b = size // 2, size // 2 + 1
    board = empty_board(size, size).put("X", [(b, a), (a, b)]).put("O", [(a, a), (b, b)])
    return Othello(board)
