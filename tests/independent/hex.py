"""Hex: red (first) joins top and bottom, blue joins left and right; row 1 is at the top."""

from dataclasses import dataclass, replace

from .common import (
    EMPTY,
    HEXAGONAL,
    SIDES,
    Board,
    Decided,
    Point,
    connected,
    empty_board,
    name,
    point,
)


@dataclass(frozen=True)
class Hex(Decided):
    board: Board
    pie: bool  # the second decision, still to come, may be a swap
    mover: int = 0
    result: str = ""

    def decisions(self) -> list[str]:
        if self.result:
            return []
        free = self.board.having(EMPTY)
        swap = ["swap"] if self.pie and len(free) == len(self.board.cells) - 1 else []
        return [name(site) for site in free] + swap

    def play(self, text: str) -> "Hex":
        if text == "swap":  # the persons change places; the board and the colour to move stay
            return replace(self, pie=False)
        first_stone = set(self.board.cells) == {EMPTY}
        site = point(text)
        board = self.board.put("RB"[self.mover], [site])
        result = SIDES[self.mover] if joins(board, self.mover, site) else ""
        return Hex(board, self.pie and first_stone, 1 - self.mover, result)


def joins(board: Board, player: int, start: Point) -> bool:
    """Tell whether the stones connected with the start touch both of the player's borders."""

    def neighbours(site: Point) -> list[Point]:
        x, y = site
        near = [(x + dx, y + dy) for dx, dy in HEXAGONAL]
        return [other for other in near if board.at(other) == "RB"[player]]

    last = board.width if player == 1 else board.height
    reached = {(y, x)[player] for x, y in connected(start, neighbours)}
    return 1 in reached and last in reached


def start(size: int = 11, pie: bool = False) -> Hex:
    return Hex(empty_board(size, size), pie)
