"""Jungle (Dou Shou Qi) from its rules as they are told: red's animals are capitals."""

from typing import NamedTuple

from .common import EMPTY, ORTHOGONAL, OUTSIDE, SIDES, Board, Point, empty_board, name, point

ANIMALS = ("RCDWPTLE", "rcdwptle")  # rat, cat, dog, wolf, leopard, tiger, lion, elephant
RAT, ELEPHANT = 0, 7
JUMPERS = "TLtl"
RIVER = [(x, y) for x in (2, 3, 5, 6) for y in (4, 5, 6)]
DENS = ((4, 1), (4, 9))
TRAPS = (((3, 1), (5, 1), (4, 2)), ((3, 9), (5, 9), (4, 8)))
RED = {1: "T.....L", 2: ".C...D.", 3: "E.W.P.R"}  # blue's are turned by half a circle


class Jungle(NamedTuple):
    board: Board
    mover: int = 0
    seen: tuple[object, ...] = ()

    def landing(self, a: Point, heading: Point) -> Point | None:
        """Find where an animal gets to in one direction, whoever stands there."""
        b = (a[0] + heading[0], a[1] + heading[1])
        if self.board.at(a) in JUMPERS:
            while b in RIVER:
                if self.board.at(b) != EMPTY:
                    return None
                b = (b[0] + heading[0], b[1] + heading[1])
        return None if b in RIVER and self.rank(a) != RAT else b

    def rank(self, site: Point) -> int:
        return ANIMALS[0].index(self.board.at(site).upper())

    def enters(self, a: Point, b: Point) -> bool:
        """Tell whether the mover's animal may go to a site that it gets to."""
        if b == DENS[self.mover] or self.board.at(b) in OUTSIDE + ANIMALS[self.mover]:
            return False
        if self.board.at(b) == EMPTY or b in TRAPS[self.mover]:
            return True
        hunter, prey = self.rank(a), self.rank(b)
        if hunter == RAT:
            return prey in (RAT, ELEPHANT) and (a in RIVER) == (b in RIVER)
        return prey <= hunter and (hunter, prey) != (ELEPHANT, RAT)

    def decisions(self) -> list[str]:
        return [] if self.winner() else self.moves()

    def moves(self) -> list[str]:
        own = self.board.having(ANIMALS[self.mover])
        ways = [(a, self.landing(a, heading)) for a in own for heading in ORTHOGONAL]
        return sorted(f"{name(a)}-{name(b)}" for a, b in ways if b and self.enters(a, b))

    def play(self, text: str) -> "Jungle":
        a, b = (point(part) for part in text.split("-"))
        board = self.board.put(EMPTY, [a]).put(self.board.at(a), [b])
        now = (board, 1 - self.mover)
        return Jungle(*now, (*self.seen, now))

    def winner(self) -> str:
        """Whoever has just moved may have won."""
        other = 1 - self.mover
        won = self.board.at(DENS[self.mover]) != EMPTY
        if won or not self.board.having(ANIMALS[self.mover]):
            return SIDES[other]
        if self.seen.count((self.board, self.mover)) > 2:
            return "draw"
        return "" if self.moves() else SIDES[other]

    def over(self) -> bool:
        return bool(self.winner())

    def fresh(self) -> bool:
        return True


def start() -> Jungle:
    board = empty_board(7, 9)
    for y, row in RED.items():
        for x, animal in enumerate(row, 1):
            board = board.put(animal, [(x, y)]).put(animal.lower(), [(8 - x, 10 - y)])
    return Jungle(board, seen=((board, 0),))
