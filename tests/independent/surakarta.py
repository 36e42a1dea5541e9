"""Surakarta from its rules as they are told: men go straight, and where a row ends round an arc."""

from typing import NamedTuple

from .common import AROUND, ORTHOGONAL, SIDES, Board, Point, empty_board, name, point

SIZE, MEN = 6, "rb"


class Surakarta(NamedTuple):
    board: Board
    mover: int = 0
    seen: tuple[object, ...] = ()

    def taken(self, a: Point, heading: Point) -> Point | None:
        """Find the man that one from here runs into, if it has gone round an arc by then."""
        begin, site, arcs, on_way = heading, a, 0, self.board.put(".", [a])
        while True:
            (x, y), (dx, dy) = site, heading
            site = (x + dx, y + dy)
            if self.board.at(site) == "#":
                if (y if dx else x) in (1, SIZE):
                    return None
                (site, heading), arcs = arc((x, y), heading), arcs + 1
            if (site, heading) == (a, begin):
                return None
            if on_way.at(site) != ".":
                return site if arcs and on_way.at(site) == MEN[1 - self.mover] else None

    def decisions(self) -> list[str]:
        if self.winner():
            return []
        return self.moves()

    def moves(self) -> list[str]:
        own = self.board.having(MEN[self.mover])
        steps = [(a, (a[0] + dx, a[1] + dy)) for a in own for dx, dy in AROUND]
        takes = {(a, self.taken(a, heading)) for a in own for heading in ORTHOGONAL}
        texts = [f"{name(a)}-{name(b)}" for a, b in steps if self.board.at(b) == "."]
        return sorted(texts + [f"{name(a)}x{name(b)}" for a, b in takes if b])

    def play(self, text: str) -> "Surakarta":
        a, b = (point(part) for part in text.replace("x", "-").split("-"))
        board = self.board.put(".", [a]).put(MEN[self.mover], [b])
        after = Surakarta(board, 1 - self.mover, self.seen)
        return after._replace(seen=(*self.seen, after.now()))

    def now(self) -> object:
        return self.board, self.mover

    def winner(self) -> str:
        if not self.board.having(MEN[self.mover]):
            return SIDES[1 - self.mover]
        if self.seen.count(self.now()) > 2:
            return "draw"
        return "" if self.moves() else SIDES[1 - self.mover]

    def over(self) -> bool:
        return bool(self.winner())

    def fresh(self) -> bool:
        return True


def arc(site: Point, heading: Point) -> tuple[Point, Point]:
    """Go round the corner at which a row ends: to the end of a column as far from the corner."""
    (x, y), (dx, dy) = site, heading
    if dx:
        low = y <= SIZE // 2
        far = y if low else SIZE + 1 - y
        return (SIZE + 1 - far if dx > 0 else far, 1 if low else SIZE), (0, 1 if low else -1)
    low = x <= SIZE // 2
    far = x if low else SIZE + 1 - x
    return (1 if low else SIZE, SIZE + 1 - far if dy > 0 else far), (1 if low else -1, 0)


def start() -> Surakarta:
    rows = {1: "r", 2: "r", 5: "b", 6: "b"}
    board = empty_board(SIZE, SIZE)
    for y, man in rows.items():
        board = board.put(man, [(x, y) for x in range(1, SIZE + 1)])
    first = Surakarta(board)
    return first._replace(seen=(first.now(),))
