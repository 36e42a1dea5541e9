"""Pentago: a turn is a marble `d4` and a twist of a quadrant, `b2+` clockwise or `b2-` not."""

from dataclasses import dataclass

from .common import AROUND, EMPTY, SIDES, Board, Decided, empty_board, name, point, runs

TWISTS = [centre + way for centre in ("b2", "e2", "b5", "e5") for way in "+-"]


@dataclass(frozen=True)
class Pentago(Decided):
    board: Board  # row 1 at the bottom
    mover: int = 0
    twisting: bool = False
    result: str = ""

    def decisions(self) -> list[str]:
        if self.result:
            return []
        return TWISTS if self.twisting else [name(site) for site in self.board.having(EMPTY)]

    def play(self, text: str) -> "Pentago":
        if self.twisting:
            board = twisted(self.board, text)
            result = self.outcome(board, EMPTY not in board.cells)
            return Pentago(board, 1 - self.mover, False, result)
        board = self.board.put("WB"[self.mover], [point(text)])
        return Pentago(board, self.mover, True, self.outcome(board, False))

    def outcome(self, board: Board, full: bool) -> str:
        own, enemy = has_five(board, "WB"[self.mover]), has_five(board, "BW"[self.mover])
        if own and enemy:
            return "draw"
        if own or enemy:
            return SIDES[self.mover] if own else SIDES[1 - self.mover]
        return "draw" if full else ""

    def fresh(self) -> bool:
        return not self.twisting


def twisted(board: Board, text: str) -> Board:
    """Turn a quadrant; clockwise, what was above the centre comes to its right."""
    x, y = point(text[:2])
    sign = 1 if text[2] == "+" else -1
    result = board
    for dx, dy in AROUND:
        result = result.put(board.at((x + dx, y + dy)), [(x + sign * dy, y - sign * dx)])
    return result


def has_five(board: Board, marble: str) -> bool:
    return any(max(runs(board, site)) >= 5 for site in board.having(marble))


def start() -> Pentago:
    return Pentago(empty_board(6, 6))
