"""Amazons: a turn is a slide `d1-d5` and an arrow `/c6`; who cannot slide loses."""

from typing import NamedTuple

from .common import AROUND, EMPTY, SIDES, Board, Point, empty_board, name, point

AMAZONS, ARROW = "Qq", "x"


class Amazons(NamedTuple):
    board: Board
    mover: int = 0
    archer: Point | None = None  # the amazon that has just moved and must shoot

    def decisions(self) -> list[str]:
        if self.archer:
            return ["/" + name(c) for c in slides(self.board, self.archer)]
        found = []
        for a in self.board.having(AMAZONS[self.mover]):
            found += [f"{name(a)}-{name(b)}" for b in slides(self.board, a)]
        return found

    def play(self, text: str) -> "Amazons":
        if text.startswith("/"):
            return Amazons(self.board.put(ARROW, [point(text[1:])]), 1 - self.mover)
        a, b = (point(part) for part in text.split("-"))
        return Amazons(self.board.put(EMPTY, [a]).put(AMAZONS[self.mover], [b]), self.mover, b)

    def winner(self) -> str:
        return "" if self.decisions() else SIDES[1 - self.mover]

    def over(self) -> bool:
        return not self.decisions()

    def fresh(self) -> bool:
        return self.archer is None


def slides(board: Board, site: Point) -> list[Point]:
    """Where a chess queen at the site could go, capturing nothing."""
    found = []
    for dx, dy in AROUND:
        x, y = site[0] + dx, site[1] + dy
        while board.at((x, y)) == EMPTY:
            found.append((x, y))
            x, y = x + dx, y + dy
    return found


def start() -> Amazons:
    white = [point(text) for text in ("a4", "d1", "g1", "j4")]
    black = [point(text) for text in ("a7", "d10", "g10", "j7")]
    return Amazons(empty_board(10, 10).put("Q", white).put("q", black))
