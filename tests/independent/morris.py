"""Nine men's morris: drops `d2`, then walks `d2-d3`; a mill made just now takes a man, `xb4`."""

from typing import NamedTuple

from .common import SIDES

ROWS = "a7 d7 g7, b6 d6 f6, c5 d5 e5, a4 b4 c4, e4 f4 g4, c3 d3 e3, b2 d2 f2, a1 d1 g1"
COLUMNS = "a7 a4 a1, b6 b4 b2, c5 c4 c3, d7 d6 d5, d3 d2 d1, e5 e4 e3, f6 f4 f2, g7 g4 g1"
MILLS = [line.split() for line in (*ROWS.split(","), *COLUMNS.split(","))]
POINTS = sorted({p for line in MILLS for p in line})

Men = frozenset[str]


class Morris(NamedTuple):
    men: tuple[Men, Men] = (frozenset(), frozenset())
    hands: tuple[int, int] = (9, 9)
    mover: int = 0
    taking: bool = False  # the mover has just made a mill and takes a man

    def decisions(self) -> list[str]:
        if self.lost(0) or self.lost(1):
            return []
        own, enemy = self.men[self.mover], self.men[1 - self.mover]
        if self.taking:
            return ["x" + p for p in takeable(enemy)]
        free = [p for p in POINTS if p not in own | enemy]
        if self.hands[self.mover] > 0:
            return free
        return [f"{a}-{b}" for a in sorted(own) for b in free if len(own) == 3 or adjacent(a, b)]

    def play(self, text: str) -> "Morris":
        own, enemy = self.men[self.mover], self.men[1 - self.mover]
        if text.startswith("x"):
            return self.onward(own, enemy - {text[1:]}, False)
        origin, _, target = text.rpartition("-")
        own = own - {origin} | {target}
        spent = self if origin else self._replace(hands=self.hand_less())
        return spent.onward(own, enemy, in_mill(target, own) and bool(takeable(enemy)))

    def hand_less(self) -> tuple[int, int]:
        return (self.hands[0] - (self.mover == 0), self.hands[1] - (self.mover == 1))

    def onward(self, own: Men, enemy: Men, taking: bool) -> "Morris":
        men = (own, enemy) if self.mover == 0 else (enemy, own)
        return Morris(men, self.hands, self.mover if taking else 1 - self.mover, taking)

    def lost(self, player: int) -> bool:
        return self.hands[player] == 0 and len(self.men[player]) < 3

    def winner(self) -> str:
        if self.lost(0) or self.lost(1):
            return SIDES[self.lost(0)]
        return "" if self.decisions() else SIDES[1 - self.mover]

    def over(self) -> bool:
        return bool(self.winner())

    def fresh(self) -> bool:
        return not self.taking


def adjacent(a: str, b: str) -> bool:
    shared = [line for line in MILLS if a in line and b in line]
    return any(abs(line.index(a) - line.index(b)) == 1 for line in shared)


def in_mill(p: str, men: Men) -> bool:
    return any(p in line and men.issuperset(line) for line in MILLS)


def takeable(men: Men) -> list[str]:
    """List the men outside mills; if all stand in mills, all."""
    return sorted(p for p in men if not in_mill(p, men)) or sorted(men)


def start() -> Morris:
    return Morris()
