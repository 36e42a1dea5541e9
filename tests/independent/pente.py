"""Pente: five or more in a row win, or five captured pairs; a new stone takes pairs it flanks."""

from dataclasses import dataclass

from .common import AROUND, EMPTY, SIDES, Board, Decided, Point, empty_board, name, point, runs


@dataclass(frozen=True)
class Pente(Decided):
    board: Board
    mover: int = 0
    pairs: tuple[int, int] = (0, 0)  # captured by each player
    result: str = ""

    def decisions(self) -> list[str]:
        return [] if self.result else [name(site) for site in self.board.having(EMPTY)]

    def play(self, text: str) -> "Pente":
        site = point(text)
        board = self.board.put("WB"[self.mover], [site])
        caught = captures(board, site)
        board = board.put(EMPTY, caught)
        gain, (first, second) = len(caught) // 2, self.pairs
        pairs = (first + gain, second) if self.mover == 0 else (first, second + gain)
        result = ""
        if pairs[self.mover] >= 5 or max(runs(board, site)) >= 5:
            result = SIDES[self.mover]
        elif EMPTY not in board.cells:
            result = "draw"
        return Pente(board, 1 - self.mover, pairs, result)


def captures(board: Board, site: Point) -> list[Point]:
    """List the enemy stones that lie, two in line, between the site and another own stone."""
    own = board.at(site)
    enemy = "B" if own == "W" else "W"
    x, y = site
    caught: list[Point] = []
    for dx, dy in AROUND:
        one, two, three = [(x + i * dx, y + i * dy) for i in (1, 2, 3)]
        if board.at(one) == enemy and board.at(two) == enemy and board.at(three) == own:
            caught += [one, two]
    return caught


def start(width: int = 19, height: int = 19) -> Pente:
    return Pente(empty_board(width, height))
