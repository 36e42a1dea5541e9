"""Connect Four: discs fall; four in line win; a decision is the number of a column."""

from dataclasses import dataclass

from .common import EMPTY, SIDES, Board, Decided, Point, empty_board, runs


@dataclass(frozen=True)
class ConnectFour(Decided):
    board: Board  # row 1 at the bottom
    run: int
    mover: int = 0
    result: str = ""

    def decisions(self) -> list[str]:
        if self.result:
            return []
        top = self.board.height
        columns = range(1, self.board.width + 1)
        return [str(x) for x in columns if self.board.at((x, top)) == EMPTY]

    def play(self, text: str) -> "ConnectFour":
        site = self.lowest(int(text))
        board = self.board.put("XO"[self.mover], [site])
        result = ""
        if max(runs(board, site)) >= self.run:
            result = SIDES[self.mover]
        elif EMPTY not in board.cells:
            result = "draw"
        return ConnectFour(board, self.run, 1 - self.mover, result)

    def lowest(self, x: int) -> Point:
        y = 1
        while self.board.at((x, y)) != EMPTY:
            y += 1
        return x, y


def start(width: int = 7, height: int = 6, run: int = 4) -> ConnectFour:
    return ConnectFour(empty_board(width, height), run)
