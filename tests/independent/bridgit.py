"""Span-It! (Bridg-It, Gale): V (first) joins top and bottom, H left and right.

A decision is a node, major `M{i}{j}` or minor `m{i}{j}`, row and column from 0.
"""

from dataclasses import dataclass
from functools import cache

from .common import SIDES, Decided, Point, connected

Link = tuple[Point, Point]


@dataclass(frozen=True)
class Bridgit(Decided):
    size: int
    owned: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    mover: int = 0
    result: str = ""

    def decisions(self) -> list[str]:
        if self.result:
            return []
        return [node for node in nodes(self.size) if node not in self.owned[0] | self.owned[1]]

    def play(self, text: str) -> "Bridgit":
        own = self.owned[self.mover] | {text}
        owned = (own, self.owned[1]) if self.mover == 0 else (self.owned[0], own)
        result = SIDES[self.mover] if joins(own, self.mover, self.size) else ""
        return Bridgit(self.size, owned, 1 - self.mover, result)


@cache
def nodes(size: int) -> list[str]:
    major = [f"M{i}{j}" for i in range(size) for j in range(size)]
    return major + [f"m{i}{j}" for i in range(size - 1) for j in range(size - 1)]


@cache
def link(node: str, player: int) -> Link:
    """Give the two dots (row, column) that a node joins for V or for H."""
    i, j = int(node[1]), int(node[2])
    if node[0] == "M":
        return ((i, j), (i + 1, j)) if player == 0 else ((i, j), (i, j + 1))
    return ((i + 1, j), (i + 1, j + 1)) if player == 0 else ((i, j + 1), (i + 1, j + 1))


def joins(own: frozenset[str], player: int, size: int) -> bool:
    """Whether one path leads from the player's border 0 to the border at distance `size`."""
    links = [link(node, player) for node in own]

    def linked(dot: Point) -> list[Point]:
        return [b if a == dot else a for a, b in links if dot in (a, b)]

    starts = {dot for ends in links for dot in ends if dot[player] == 0}
    return any(end[player] == size for dot in starts for end in connected(dot, linked))


def start(size: int = 6) -> Bridgit:
    return Bridgit(size)
