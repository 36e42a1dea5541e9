"""Cylinder chess from the rules of chess: files are numbers from 0, taken modulo 8."""

from typing import NamedTuple

from .common import AROUND, DIAGONAL, ORTHOGONAL, SIDES, Point, name

KNIGHT = tuple((a * s, b * t) for a, b in ((1, 2), (2, 1)) for s in (1, -1) for t in (1, -1))
LINES = {"r": ORTHOGONAL, "b": DIAGONAL, "q": AROUND}
LEAPS = {"n": KNIGHT, "k": AROUND}
PROMOTIONS = {"queen": "q", "rook": "r", "bishop": "b", "knight": "n"}


def beside(site: Point, dx: int, dy: int) -> Point:
    return (site[0] + dx - 1) % 8 + 1, site[1] + dy


class Chess(NamedTuple):
    board: tuple[tuple[Point, str], ...]  # white pieces are capitals
    mover: int = 0
    castles: frozenset[Point] = frozenset({(1, 1), (8, 1), (1, 8), (8, 8)})
    ghost: Point | None = None

    def pieces(self) -> dict[Point, str]:
        return dict(self.board)

    def decisions(self) -> list[str]:
        return sorted({text for text, after in self.tries() if not after.in_check(self.mover)})

    def play(self, text: str) -> "Chess":
        return next(after for other, after in self.tries() if other == text)

    def in_check(self, player: int) -> bool:
        king = next(s for s, p in self.board if p == "Kk"[player])
        return attacked(self.pieces(), king, 1 - player)

    def tries(self) -> list[tuple[str, "Chess"]]:
        pieces, result = self.pieces(), []
        for a, piece in self.board:
            if piece.isupper() != (self.mover == 0):
                continue
            if piece in "Pp":
                result += self.of_pawn(a, pieces)
                continue
            for b in targets(pieces, a, piece):
                if b not in pieces or pieces[b].isupper() != piece.isupper():
                    result.append((name(a) + name(b), self.after(a, b)))
        return result + self.castlings(pieces)

    def of_pawn(self, a: Point, pieces: dict[Point, str]) -> list[tuple[str, "Chess"]]:
        up, result = (1, -1)[self.mover], []
        aims = [b for b in (beside(a, 1, up), beside(a, -1, up)) if self.takes(b, pieces)]
        ahead, far = beside(a, 0, up), beside(a, 0, 2 * up)
        if ahead not in pieces:
            aims.append(ahead)
            if a[1] == (2, 7)[self.mover] and far not in pieces:
                result.append((name(a) + name(far), self.after(a, far)._replace(ghost=ahead)))
        for b in aims:
            text, after = name(a) + name(b), self.after(a, b)
            if b == self.ghost:
                taken = beside(b, 0, -up)
                after = after._replace(board=tuple(p for p in after.board if p[0] != taken))
            if b[1] not in (1, 8):
                result.append((text, after))
                continue
            for word, letter in PROMOTIONS.items():
                kind = letter.upper() if self.mover == 0 else letter
                board = tuple((s, kind if s == b else p) for s, p in after.board)
                result.append((f"{text}={word}", after._replace(board=board)))
        return result

    def takes(self, b: Point, pieces: dict[Point, str]) -> bool:
        return b == self.ghost or (b in pieces and pieces[b].isupper() != (self.mover == 0))

    def castlings(self, pieces: dict[Point, str]) -> list[tuple[str, "Chess"]]:
        row, result = (1, 8)[self.mover], []
        for rook, side in ((8, 1), (1, -1)):
            if (rook, row) not in self.castles:
                continue
            between = [(5 + side * n, row) for n in range(1, abs(rook - 5))]
            way = [(5 + side * n, row) for n in range(3)]
            if any(s in pieces for s in between):
                continue
            if any(attacked(pieces, s, 1 - self.mover) for s in way):
                continue
            after = self.after((5, row), way[2])
            board = tuple((way[1] if s == (rook, row) else s, p) for s, p in after.board)
            result.append((name((5, row)) + name(way[2]), after._replace(board=board)))
        return result

    def after(self, a: Point, b: Point) -> "Chess":
        pieces = self.pieces()
        left = {a, b}
        if pieces[a] in "Kk":
            left |= {(1, a[1]), (8, a[1])} if a in ((5, 1), (5, 8)) else set()
        pieces[b] = pieces.pop(a)
        return Chess(tuple(sorted(pieces.items())), 1 - self.mover, self.castles - left)

    def winner(self) -> str:
        if self.decisions():
            return ""
        return SIDES[1 - self.mover] if self.in_check(self.mover) else "draw"

    def over(self) -> bool:
        return not self.decisions()

    def fresh(self) -> bool:
        return True


def targets(pieces: dict[Point, str], a: Point, piece: str) -> set[Point]:
    kind, result = piece.lower(), set()
    for dx, dy in LEAPS.get(kind, ()):
        result.add(beside(a, dx, dy))
    for dx, dy in LINES.get(kind, ()):
        site = beside(a, dx, dy)
        while 1 <= site[1] <= 8 and site != a:
            result.add(site)
            if site in pieces:
                break
            site = beside(site, dx, dy)
    return {s for s in result if 1 <= s[1] <= 8}


def attacked(pieces: dict[Point, str], site: Point, player: int) -> bool:
    up = (1, -1)[player]
    for a, piece in pieces.items():
        if piece.isupper() != (player == 0):
            continue
        if piece in "Pp":
            if site in (beside(a, 1, up), beside(a, -1, up)):
                return True
        elif site in targets(pieces, a, piece):
            return True
    return False


def start() -> Chess:
    pieces = {(x, 1): "RNBQKBNR"[x - 1] for x in range(1, 9)}
    pieces |= {(x, 8): "rnbqkbnr"[x - 1] for x in range(1, 9)}
    pieces |= {(x, 2): "P" for x in range(1, 9)} | {(x, 7): "p" for x in range(1, 9)}
    return Chess(tuple(sorted(pieces.items())))
