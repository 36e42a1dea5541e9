"""Bagh-Chal from its rules as they are told: twenty goats against four tigers."""

from typing import NamedTuple

from .common import AROUND, ORTHOGONAL, SIDES, Board, Point, name, point

GOAT, TIGER = "g", "T"


class BaghChal(NamedTuple):
    board: Board
    hand: int = 20
    taken: int = 0
    mover: int = 0
    seen: tuple[object, ...] = ()

    def now(self) -> object:
        return self.board, self.mover

    def decisions(self) -> list[str]:
        if self.taken == 5 or self.seen.count(self.now()) > 2:
            return []
        free, mine = self.board.having("."), self.board.having((GOAT, TIGER)[self.mover])
        if self.mover == 0 and self.hand:
            return sorted(name(cell) for cell in free)
        steps = [f"{name(a)}-{name(b)}" for a in mine for _, b, _ in ways(a) if b in free]
        if self.mover == 1:
            jumps = [(a, c) for a in mine for _, b, c in ways(a) if self.board.at(b) == GOAT]
            steps += [f"{name(a)}x{name(c)}" for a, c in jumps if c in free]
        return sorted(steps)

    def play(self, text: str) -> "BaghChal":
        board, hand, taken = self.board, self.hand, self.taken
        mine, sites = (
            (GOAT, TIGER)[self.mover],
            [point(t) for t in text.replace("x", "-").split("-")],
        )
        board = board.put(".", sites[:-1]).put(mine, sites[-1:])
        if len(sites) == 1:
            hand -= 1
        if "x" in text:
            (ax, ay), (bx, by) = sites
            board, taken = board.put(".", [((ax + bx) // 2, (ay + by) // 2)]), taken + 1
        after = BaghChal(board, hand, taken, 1 - self.mover, self.seen)
        return after._replace(seen=(*self.seen, after.now()))

    def over(self) -> bool:
        return not self.decisions()

    def winner(self) -> str:
        if not self.over():
            return ""
        drawn = self.taken < 5 and self.seen.count(self.now()) > 2
        return "draw" if drawn else SIDES[1 - self.mover]

    def fresh(self) -> bool:
        return True


def ways(a: Point) -> list[tuple[Point, Point, Point]]:
    """List the steps along the drawn lines: each direction, the next point, the one behind it."""
    x, y = a
    directions = AROUND if (x + y) % 2 == 0 else ORTHOGONAL
    return [((dx, dy), (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)) for dx, dy in directions]


def start() -> BaghChal:
    board = Board(5, 5, "." * 25).put(TIGER, [(1, 1), (5, 1), (1, 5), (5, 5)])
    return BaghChal(board)
