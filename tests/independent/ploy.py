"""Ploy from its rules as they are told: pieces go where their arms point, or turn in place."""

from typing import NamedTuple

from .common import SIDES, Point, name, point

SIZE = 9
COMPASS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))  # clockwise
COMMANDER, SHIELD = "C", "S"
KINDS = {  # how far it goes, and its arms
    COMMANDER: (1, (1, 3, 5, 7)),
    SHIELD: (1, (0,)),
    "W": (3, (0, 1, 7)),  # lances
    "Y": (3, (1, 4, 7)),
    "T": (3, (0, 2, 6)),
    "I": (2, (0, 4)),  # probes
    "L": (2, (0, 1)),
    "V": (2, (1, 7)),
}
ROWS = (".TYWCWYT.", "..LVIVL..", "...SSS...")  # from a player's own edge, column a first
Piece = tuple[int, str, int]  # side, kind, facing
Pieces = frozenset[tuple[Point, Piece]]


class Ploy(NamedTuple):
    pieces: Pieces
    mover: int = 0
    shield: Point | None = None  # has moved, and may turn
    seen: tuple[object, ...] = ()
    result: str = ""

    def decisions(self) -> list[str]:
        if self.over():
            return []
        if self.shield:
            return sorted(["-", *turns(self.shield)])
        own = [site for site, (side, _, _) in self.pieces if side == self.mover]
        moves = [f"{name(a)}-{name(b)}" for a in own for b in self.targets(a)]
        return sorted(moves + [text for a in own for text in turns(a)])

    def targets(self, a: Point) -> list[Point]:
        at, found = dict(self.pieces), []
        _, kind, facing = at[a]
        reach, arms = KINDS[kind]
        for arm in arms:
            dx, dy = COMPASS[(facing + arm) % 8]
            for far in range(1, reach + 1):
                b = (a[0] + far * dx, a[1] + far * dy)
                if not inside(b) or (b in at and at[b][0] == self.mover):
                    break
                found.append(b)
                if b in at:
                    break
        return found

    def play(self, text: str) -> "Ploy":
        at, moved = dict(self.pieces), None
        if ">" in text:
            site, eighths = text.split(">")
            side, kind, facing = at[point(site)]
            at[point(site)] = (side, kind, (facing + int(eighths)) % 8)
        elif text != "-":
            a, b = (point(part) for part in text.split("-"))
            at[b] = at.pop(a)
            moved = b if at[b][1] == SHIELD else None
        after = self._replace(pieces=frozenset(at.items()), shield=moved)
        if after.beaten():
            return after._replace(shield=None, result=SIDES[self.mover])
        return after if moved else after.passes()

    def beaten(self) -> bool:
        """Tell whether the enemy of the mover has lost."""
        enemies = [kind for _, (side, kind, _) in self.pieces if side != self.mover]
        return COMMANDER not in enemies or len(enemies) == 1

    def passes(self) -> "Ploy":
        """Begin the enemy's turn; who has a piece can always turn it."""
        now = (self.pieces, 1 - self.mover)
        seen = (*self.seen, now)
        return Ploy(*now, None, seen, "draw" if seen.count(now) > 2 else "")

    def winner(self) -> str:
        return self.result

    def over(self) -> bool:
        return bool(self.result)

    def fresh(self) -> bool:
        return self.shield is None


def turns(site: Point) -> list[str]:
    return [f"{name(site)}>{eighths}" for eighths in range(1, 8)]


def inside(site: Point) -> bool:
    return all(1 <= part <= SIZE for part in site)


def start() -> Ploy:
    at: dict[Point, Piece] = {}
    for row, kinds in enumerate(ROWS):
        for column, kind in enumerate(kinds, 1):
            if kind != ".":
                at[column, 1 + row] = (0, kind, 0)
                at[column, SIZE - row] = (1, kind, 4)
    at[7, 2], at[3, 8] = (0, "L", 7), (1, "L", 3)  # each mirrors its twin
    pieces = frozenset(at.items())
    return Ploy(pieces, seen=((pieces, 0),))
