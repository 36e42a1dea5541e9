"""Breakthrough: pawns step ahead or diagonally, capture diagonally; the far row wins."""

from typing import NamedTuple

from .common import SIDES, Board, empty_board, name, point

PAWNS = "Pp"  # white goes up from row 1, black goes down


class Breakthrough(NamedTuple):
    board: Board
    mover: int = 0
    result: str = ""

    def decisions(self) -> list[str]:
        if self.result:
            return []
        ahead = 1 if self.mover == 0 else -1
        own, enemy = PAWNS[self.mover], PAWNS[1 - self.mover]
        found = []
        for x, y in self.board.having(own):
            for dx in (-1, 0, 1):
                target = (x + dx, y + ahead)
                if self.board.at(target) in (("." + enemy) if dx else "."):
                    found.append(f"{name((x, y))}-{name(target)}")
        return found

    def play(self, text: str) -> "Breakthrough":
        a, b = (point(part) for part in text.split("-"))
        board = self.board.put(".", [a]).put(PAWNS[self.mover], [b])
        goal = self.board.height if self.mover == 0 else 1
        won = b[1] == goal or PAWNS[1 - self.mover] not in board.cells
        return Breakthrough(board, 1 - self.mover, SIDES[self.mover] if won else "")

    def winner(self) -> str:
        """Who has won; a player who cannot move (possible on one column only) has lost."""
        return self.result or ("" if self.decisions() else SIDES[1 - self.mover])

    def over(self) -> bool:
        return bool(self.winner())

    def fresh(self) -> bool:
        return True


def start(width: int = 8, height: int = 8) -> Breakthrough:
    board = empty_board(width, height)
    for pawn, rows in zip(PAWNS, ((1, 2), (height - 1, height)), strict=True):
        board = board.put(pawn, [(x, y) for x in range(1, width + 1) for y in rows])
    return Breakthrough(board)
