"""Arimaa from its rules as they are told: pieces are letters by square, gold's are capitals."""

from typing import NamedTuple

from .common import ORTHOGONAL, SIDES, Point, name, point

RANKS = "rcdhme"
NAMES = dict(zip(RANKS, ("rabbit", "cat", "dog", "horse", "camel", "elephant"), strict=True))
NUMBERS = dict(zip(RANKS, (8, 2, 2, 2, 1, 1), strict=True))
TRAPS = ((3, 3), (6, 3), (3, 6), (6, 6))
AHEAD, GOAL, CAMPS = (1, -1), (8, 1), ((1, 2), (7, 8))
Pieces = frozenset[tuple[Point, str]]


class Arimaa(NamedTuple):
    pieces: Pieces = frozenset()
    mover: int = 0
    turn: int = 0
    before: Pieces = frozenset()  # when the turn began
    steps: int = 0
    hole: Point | None = None  # what has just been left
    prey: frozenset[Point] = frozenset()  # what may be pulled there
    pushers: frozenset[Point] = frozenset()  # one of them must follow
    stood: tuple[tuple[Pieces, int], ...] = ()  # positions at the ends of turns
    ended: str = ""

    def side(self, piece: str) -> int:
        return 0 if piece.isupper() else 1

    def frozen(self, at: dict[Point, str], a: Point) -> bool:
        beside = [at[s] for s in around(a) if s in at]
        friends = any(self.side(p) == self.side(at[a]) for p in beside)
        held = any(self.side(p) != self.side(at[a]) and rank(p) > rank(at[a]) for p in beside)
        return held and not friends

    def decisions(self) -> list[str]:
        return [] if self.over() else self.legal()

    def legal(self) -> list[str]:
        if self.turn < 2:
            return self.set_up()
        return sorted(t for t in self.tries() if self.does(t).can_end())

    def set_up(self) -> list[str]:
        own = [p.lower() for _, p in self.pieces if self.side(p) == self.mover]
        full = {s for s, _ in self.pieces}
        squares = [(x, y) for y in CAMPS[self.mover] for x in range(1, 9)]
        square = next(s for s in squares if s not in full)
        kinds = [k for k in RANKS if own.count(k) < NUMBERS[k]]
        return sorted(f"{NAMES[k]}{name(square)}" for k in kinds)

    def tries(self) -> list[str]:
        """What the rules of single steps allow."""
        at = dict(self.pieces)
        if self.pushers:
            assert self.hole
            return [f"{name(a)}!{name(self.hole)}" for a in self.pushers]
        texts = [f"{name(e)}<{name(self.hole)}" for e in self.prey if self.hole and self.steps < 4]
        free = [a for a, p in at.items() if self.side(p) == self.mover and not self.frozen(at, a)]
        for a in free * (self.steps < 4):
            back = (a[0], a[1] - AHEAD[self.mover])
            targets = [b for b in around(a) if b not in at]
            texts += [f"{name(a)}-{name(b)}" for b in targets if rank(at[a]) or b != back]
        for e in [s for s, p in at.items() if self.side(p) != self.mover] * (self.steps < 3):
            if any(e in around(a) and rank(at[a]) > rank(at[e]) for a in free):
                texts += [f"{name(e)}>{name(b)}" for b in around(e) if b not in at]
        return [*texts, *["-"] * (self.steps > 0)]

    def may_rest(self) -> bool:
        """Whether the turn may end here."""
        repeated = self.stood.count((self.pieces, self.mover)) > 1
        return self.steps > 0 and self.pieces != self.before and not repeated

    def can_end(self) -> bool:
        """Whether there is a way to end the turn; one that has just ended is at its end."""
        if self.steps == 0:
            return True
        if not self.pushers and self.may_rest():
            return True
        ways = [t for t in self.tries() if t != "-"]
        return any(self.does(t).can_end() for t in ways)

    def does(self, text: str) -> "Arimaa":
        if text == "-":
            return self.rests() if self.may_rest() else self._replace(steps=9, pieces=self.before)
        sign = next(c for c in "-<>!" if c in text)
        a, b = (point(part) for part in text.split(sign))
        at = dict(self.pieces)
        prey, pushers = frozenset[Point](), frozenset[Point]()
        if sign == "-":
            prey = frozenset(
                s for s in around(a)
                if s in at and self.side(at[s]) != self.mover and rank(at[s]) < rank(at[a])
            )  # fmt: skip
        if sign == ">":
            pushers = frozenset(
                s for s in around(a)
                if s in at and self.side(at[s]) == self.mover and rank(at[s]) > rank(at[a])
                and not self.frozen(at, s)
            )  # fmt: skip
        at[b] = at.pop(a)
        for trap in TRAPS:
            if trap in at and not any(
                s in at and self.side(at[s]) == self.side(at[trap]) for s in around(trap)
            ):
                del at[trap]
        return self._replace(
            pieces=frozenset(at.items()), steps=self.steps + 1, hole=a, prey=prey, pushers=pushers
        )

    def play(self, text: str) -> "Arimaa":
        if self.turn >= 2:
            return self.does(text)
        kind, square = text[:-2], point(text[-2:])
        letter = next(k for k in RANKS if NAMES[k] == kind)
        piece = letter.upper() if self.mover == 0 else letter
        after = self._replace(pieces=self.pieces | {(square, piece)})
        own = [p for _, p in after.pieces if self.side(p) == self.mover]
        return after.rests() if len(own) == 16 else after

    def rests(self) -> "Arimaa":
        """The next turn, or the end of the game."""
        after = Arimaa(
            self.pieces, 1 - self.mover, self.turn + 1, self.pieces,
            stood=(*self.stood, (self.pieces, self.mover)),
        )  # fmt: skip
        return after if self.turn < 2 else after._replace(ended=self.result(after))

    def result(self, after: "Arimaa") -> str:
        own, other = self.mover, 1 - self.mover
        rabbits = [[s for s, p in self.pieces if p == "Rr"[side]] for side in (0, 1)]
        if any(y == GOAL[own] for _, y in rabbits[own]):
            return SIDES[own]
        if any(y == GOAL[other] for _, y in rabbits[other]):
            return SIDES[other]
        if not rabbits[other]:
            return SIDES[own]
        if not rabbits[own]:
            return SIDES[other]
        return "" if after.legal() else SIDES[own]

    def winner(self) -> str:
        return self.ended

    def over(self) -> bool:
        return bool(self.ended)

    def fresh(self) -> bool:
        return self.steps == 0


def rank(piece: str) -> int:
    return RANKS.index(piece.lower())


def around(site: Point) -> list[Point]:
    near = [(site[0] + dx, site[1] + dy) for dx, dy in ORTHOGONAL]
    return [(x, y) for x, y in near if 1 <= x <= 8 and 1 <= y <= 8]


def start() -> Arimaa:
    return Arimaa()
