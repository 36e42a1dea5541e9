"""Onitama from its rules as they are told: five cards say how pieces go, and change hands."""

from typing import NamedTuple

from .common import SIDES, Board, Point, empty_board, name, point

SIZE, MEN, PAWNS, MASTERS = 5, ("pm", "PM"), "pP", "mM"
TEMPLES = ((3, 1), (3, 5))
CARDS = (  # how they go as red sees it
    ((0, 2), (0, -1)),  # 0 tiger
    ((-2, 1), (2, 1), (-1, -1), (1, -1)),  # 1 dragon
    ((-1, 1), (-2, 0), (1, -1)),  # 2 frog
    ((1, 1), (2, 0), (-1, -1)),  # 3 rabbit
    ((0, 1), (-2, 0), (2, 0)),  # 4 crab
    ((-1, 1), (1, 1), (-1, 0), (1, 0)),  # 5 elephant
    ((-1, 1), (-1, 0), (1, 0), (1, -1)),  # 6 goose
    ((1, 1), (1, 0), (-1, 0), (-1, -1)),  # 7 rooster
    ((-1, 1), (1, 1), (-1, -1), (1, -1)),  # 8 monkey
    ((-1, 1), (1, 1), (0, -1)),  # 9 mantis
    ((0, 1), (-1, 0), (0, -1)),  # 10 horse
    ((0, 1), (1, 0), (0, -1)),  # 11 ox
    ((0, 1), (-1, -1), (1, -1)),  # 12 crane
    ((0, 1), (-1, 0), (1, 0)),  # 13 boar
    ((-1, 1), (1, 0), (-1, -1)),  # 14 eel
    ((1, 1), (-1, 0), (1, -1)),  # 15 cobra
)
Hands = tuple[frozenset[int], frozenset[int]]


class Onitama(NamedTuple):
    board: Board
    hands: Hands
    aside: int
    mover: int = 0
    seen: tuple[object, ...] = ()

    def decisions(self) -> list[str]:
        if self.over():
            return []
        hand = self.hands[self.mover]
        moves = [
            f"{name(a)}-{name(b)}#{card}"
            for a in self.board.having(MEN[self.mover])
            for card in hand
            for b in self.targets(a, card)
        ]
        return sorted(moves or [f"#{card}" for card in hand])

    def targets(self, a: Point, card: int) -> list[Point]:
        ahead = (1, -1)[self.mover]
        sites = [(a[0] + ahead * dx, a[1] + ahead * dy) for dx, dy in CARDS[card]]
        return [b for b in sites if self.board.at(b) in "." + MEN[1 - self.mover]]

    def play(self, text: str) -> "Onitama":
        way, used = text.split("#")
        board = self.board
        if way:
            a, b = (point(part) for part in way.split("-"))
            board = board.put(".", [a]).put(self.board.at(a), [b])
        hand = self.hands[self.mover] - {int(used)} | {self.aside}
        red, blue = self.hands
        hands = (red, hand) if self.mover else (hand, blue)
        after = Onitama(board, hands, int(used), 1 - self.mover, self.seen)
        return after._replace(seen=(*self.seen, after.now()))

    def now(self) -> object:
        return self.board, self.hands, self.aside, self.mover

    def winner(self) -> str:
        masters = [self.board.having(master) for master in MASTERS]
        for side in (0, 1):
            if not masters[1 - side] or masters[side] == [TEMPLES[1 - side]]:
                return SIDES[side]
        return "draw" if self.seen.count(self.now()) > 2 else ""

    def over(self) -> bool:
        return bool(self.winner())

    def fresh(self) -> bool:
        return True


def start(
    red_1: int = 0, red_2: int = 4, blue_1: int = 2, blue_2: int = 13, aside: int = 10
) -> Onitama:
    board = empty_board(SIZE, SIZE)
    for temple, pawn, master in zip(TEMPLES, PAWNS, MASTERS, strict=True):
        row = [(x, temple[1]) for x in range(1, SIZE + 1)]
        board = board.put(pawn, row).put(master, [temple])
    first = Onitama(board, (frozenset({red_1, red_2}), frozenset({blue_1, blue_2})), aside)
    return first._replace(seen=(first.now(),))
