"""So many stones in a row on any rectangle: Connect 5 (15 by 15), freestyle or exactly five."""

from typing import NamedTuple

from .common import EMPTY, SIDES, Board, empty_board, name, point, runs


class InARow(NamedTuple):
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
        return self._replace(board=board, mover=1 - self.mover, result=result)

    def winner(self) -> str:
        return self.result

    def over(self) -> bool:
        return bool(self.result)

    def fresh(self) -> bool:
        return True


def start(width: int = 15, height: int = 15, run: int = 5, exact: bool = False) -> InARow:
    return InARow(empty_board(width, height), run, exact)
