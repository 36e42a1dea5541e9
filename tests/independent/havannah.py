"""Havannah on a hexagon of side N: a ring, a bridge (two corners) or a fork (three sides) wins."""

from dataclasses import dataclass

from .common import (
    EMPTY,
    HEXAGONAL,
    OUTSIDE,
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
class Havannah(Decided):
    board: Board  # 2N-1 by 2N-1; what is not of the hexagon is OUTSIDE
    size: int
    mover: int = 0
    result: str = ""

    def decisions(self) -> list[str]:
        return [] if self.result else [name(site) for site in self.board.having(EMPTY)]

    def play(self, text: str) -> "Havannah":
        site, stone = point(text), "WB"[self.mover]
        board = self.board.put(stone, [site])
        result = ""
        looped = own_neighbours(board, site) >= 2 and has_ring(board, stone)
        if looped or joins(board, self.size, site):
            result = SIDES[self.mover]
        elif EMPTY not in board.cells:
            result = "draw"
        return Havannah(board, self.size, 1 - self.mover, result)


def near(site: Point) -> list[Point]:
    x, y = site
    return [(x + dx, y + dy) for dx, dy in HEXAGONAL]


def own_neighbours(board: Board, site: Point) -> int:
    """Count the stones of the same colour around a stone; one that closes a ring has two."""
    return sum(board.at(other) == board.at(site) for other in near(site))


def touched(size: int, site: Point) -> list[int]:
    """List the numbers of the sides a cell lies on: two for a corner."""
    x, y = site
    last = 2 * size - 1
    on = (x == 1, x == last, y == 1, y == last, x + y == size + 1, x + y == size + last)
    return [side for side in range(6) if on[side]]


def joins(board: Board, size: int, start: Point) -> bool:
    """Tell whether the group of the stone at the start is a bridge or a fork."""
    stone = board.at(start)
    group = connected(start, lambda site: [p for p in near(site) if board.at(p) == stone])
    corners, sides = 0, set()
    for site in group:
        on = touched(size, site)
        if len(on) == 2:
            corners += 1
        sides.update(on if len(on) == 1 else [])
    return corners >= 2 or len(sides) >= 3


def has_ring(board: Board, stone: str) -> bool:
    """Tell whether stones shut in a cell, empty or of the enemy or even one of themselves."""

    def ways(site: Point) -> list[Point]:
        x, y = site
        framed = 0 <= x <= board.width + 1 and 0 <= y <= board.height + 1
        return [other for other in near(site) if board.at(other) != stone] if framed else []

    free = connected((0, 0), ways)
    others = (EMPTY + "WB").replace(stone, "")
    shut_in = any(site not in free for site in board.having(others))
    own = board.having(stone)
    return shut_in or any(own_neighbours(board, site) == 6 for site in own)


def start(size: int = 8) -> Havannah:
    board = empty_board(2 * size - 1, 2 * size - 1)
    beyond = [(x, y) for x, y in board.having(EMPTY) if not size + 1 <= x + y <= 3 * size - 1]
    return Havannah(board.put(OUTSIDE, beyond), size)
