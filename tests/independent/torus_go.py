"""Go on a ring from its rules as they are told: points are taken modulo the size."""

from typing import NamedTuple

from .common import ORTHOGONAL, SIDES, Point, connected, name, point


class TorusGo(NamedTuple):
    size: int
    stones: tuple[frozenset[Point], frozenset[Point]] = (frozenset(), frozenset())
    mover: int = 0
    passes: int = 0
    seen: frozenset[object] = frozenset()

    def near(self, site: Point) -> list[Point]:
        x, y = site
        return [
            ((x + dx - 1) % self.size + 1, (y + dy - 1) % self.size + 1) for dx, dy in ORTHOGONAL
        ]

    def free(self, stones: tuple[frozenset[Point], frozenset[Point]], site: Point) -> bool:
        """Tell whether the chain of a stone has a free point beside it."""
        side = stones[0] if site in stones[0] else stones[1]
        chain = connected(site, lambda s: [n for n in self.near(s) if n in side])
        return any(n not in stones[0] | stones[1] for s in chain for n in self.near(s))

    def put(self, site: Point) -> tuple[frozenset[Point], frozenset[Point]] | None:
        own, enemy = self.stones[self.mover] | {site}, self.stones[1 - self.mover]
        both = (own, enemy) if self.mover == 0 else (enemy, own)
        enemy = frozenset(s for s in enemy if self.free(both, s))
        both = (own, enemy) if self.mover == 0 else (enemy, own)
        return both if self.free(both, site) and both not in self.seen else None

    def decisions(self) -> list[str]:
        if self.over():
            return []
        points = [(x, y) for x in range(1, self.size + 1) for y in range(1, self.size + 1)]
        taken = self.stones[0] | self.stones[1]
        return sorted(["pass", *(name(s) for s in points if s not in taken and self.put(s))])

    def play(self, text: str) -> "TorusGo":
        if text == "pass":
            return self._replace(mover=1 - self.mover, passes=self.passes + 1)
        stones = self.put(point(text))
        assert stones is not None
        return TorusGo(self.size, stones, 1 - self.mover, 0, self.seen | {stones})

    def area(self, player: int) -> int:
        own, other = self.stones[player], self.stones[1 - player]
        points = {(x, y) for x in range(1, self.size + 1) for y in range(1, self.size + 1)}
        empty, held = points - own - other, len(own)
        while empty:
            region = connected(
                next(iter(empty)), lambda s: [n for n in self.near(s) if n in points - own - other]
            )
            empty -= region
            border = {n for s in region for n in self.near(s)} - region
            held += len(region) if border and border <= own else 0
        return held

    def winner(self) -> str:
        if not self.over():
            return ""
        first, second = self.area(0), self.area(1) + 7
        return "draw" if first == second else SIDES[second > first]

    def over(self) -> bool:
        return self.passes == 2

    def fresh(self) -> bool:
        return True


def start(size: int = 9) -> TorusGo:
    empty = TorusGo(size)
    return empty._replace(seen=frozenset({empty.stones}))
