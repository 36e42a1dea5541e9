"""So many stones in a row on any rectangle: Connect 5 (15 by 15), freestyle or exactly five."""

from dataclasses import dataclass, replace

from .common import EMPTY, SIDES, Board, Decided, empty_board, name, point, runs


@dataclass(frozen=True)
class InARow(Decided):
    board: Board
    run: int
    exact: bool  # a longer row does not win
    mover: int = 0
    result: str = ""

    def decisions(self) -> list[str]:
        return [] if self.result else [name(site) for site in self.board.having(EMPTY)]

    def play(self, text: str) -> "InARow":
        site = point(text)
        board = self.board.put("XO"[self.mover], [site])
        result = ""
        if any(n == self.run or (n > self.run and not self.exact) for n in runs(board, site)):
            result = SIDES[self.mover]
        elif EMPTY not in board.cells:
            result = "draw"
        return replace(self, board=board, mover=1 - self.mover, result=result)


def start(width: int = 15, height: int = 15, run: int = 5, exact: bool = False) -> InARow:
    return InARow(empty_board(width, height), run, exact)
