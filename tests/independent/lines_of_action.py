"""Lines of Action: a man moves as far as there are men on the line; connecting all own men wins."""

from dataclasses import dataclass

from .common import (
    AROUND,
    EMPTY,
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

SIZE = 8
MEN = "BW"


@dataclass(frozen=True)
class LinesOfAction(Decided):
    board: Board
    mover: int = 0
    result: str = ""

    def decisions(self) -> list[str]:
        if self.result:
            return []
        found = []
        for a in self.board.having(MEN[self.mover]):
            found += [f"{name(a)}-{name(b)}" for b in targets(self.board, a)]
        return found or ["pass"]

    def play(self, text: str) -> "LinesOfAction":
        board = self.board
        if text != "pass":
            a, b = (point(part) for part in text.split("-"))
            board = board.put(EMPTY, [a]).put(MEN[self.mover], [b])
        result = ""
        if together(board, MEN[self.mover]):
            result = SIDES[self.mover]
        elif together(board, MEN[1 - self.mover]):
            result = SIDES[1 - self.mover]
        return LinesOfAction(board, 1 - self.mover, result)


def targets(board: Board, a: Point) -> list[Point]:
    own = board.at(a)
    enemy = "W" if own == "B" else "B"
    found = []
    for dx, dy in AROUND:
        line = [board.at((a[0] + i * dx, a[1] + i * dy)) for i in range(-SIZE, SIZE + 1)]
        far = sum(cell in MEN for cell in line)
        passed, landing = line[SIZE + 1 : SIZE + far], line[SIZE + far]
        if enemy not in passed and landing not in (own, OUTSIDE):
            found.append((a[0] + far * dx, a[1] + far * dy))
    return found


def together(board: Board, man: str) -> bool:
    def neighbours(site: Point) -> list[Point]:
        near = [(site[0] + dx, site[1] + dy) for dx, dy in AROUND]
        return [other for other in near if board.at(other) == man]

    men = board.having(man)
    return not men or len(connected(men[0], neighbours)) == len(men)


def start() -> LinesOfAction:
    inner = range(2, SIZE)
    black = [(x, y) for x in inner for y in (1, SIZE)]
    white = [(x, y) for x in (1, SIZE) for y in inner]
    return LinesOfAction(empty_board(SIZE, SIZE).put("B", black).put("W", white))
