"""Sokoban from its rules, and the shortest solution: `python -m tests.independent.sokoban`."""

from typing import NamedTuple

from .common import Point

LEVEL = (  # Microban 1 by David W. Skinner: $ a crate, * a crate on a goal, . a goal, @ the keeper
    "####  ",
    "# .#  ",
    "#  ###",
    "#*@  #",
    "#  $ #",
    "#  ###",
    "####  ",
)
WAYS = {"north": (0, 1), "south": (0, -1), "west": (-1, 0), "east": (1, 0)}


def marked(signs: str) -> frozenset[Point]:
    rows = enumerate(reversed(LEVEL))
    return frozenset((x, y) for y, row in rows for x, sign in enumerate(row) if sign in signs)


WALLS, GOALS = marked("#"), marked(".*")


class Sokoban(NamedTuple):
    keeper: Point
    crates: frozenset[Point]

    def ahead(self, way: str, steps: int = 1) -> Point:
        return self.keeper[0] + steps * WAYS[way][0], self.keeper[1] + steps * WAYS[way][1]

    def moves(self) -> list[str]:
        found = []
        for way in WAYS:
            if self.ahead(way) in self.crates:
                if self.ahead(way, 2) not in WALLS | self.crates:
                    found.append(f"{way}!")
            elif self.ahead(way) not in WALLS:
                found.append(way)
        return sorted(found)

    def decisions(self) -> list[str]:
        return [] if self.over() else self.moves()

    def play(self, text: str) -> "Sokoban":
        way = text.rstrip("!")
        ahead, beyond = self.ahead(way), self.ahead(way, 2)
        pushed = self.crates - {ahead} | {beyond} if text.endswith("!") else self.crates
        return Sokoban(ahead, pushed)

    def jammed(self) -> bool:
        """Tell whether a crate is where two walls meet, and no goal."""
        return any(
            {(x, y + 1), (x, y - 1)} & WALLS and {(x + 1, y), (x - 1, y)} & WALLS
            for x, y in self.crates - GOALS
        )

    def winner(self) -> str:
        if self.crates == GOALS:
            return "first"
        return "second" if self.jammed() or not self.moves() else ""

    def over(self) -> bool:
        return bool(self.winner())

    def fresh(self) -> bool:
        return True


def start() -> Sokoban:
    (keeper,) = marked("@")
    return Sokoban(keeper, marked("$*"))


def solution() -> list[str]:
    """Find a shortest solution, breadth first."""
    layer: dict[Sokoban, list[str]] = {start(): []}
    seen = set(layer)
    while layer:
        following: dict[Sokoban, list[str]] = {}
        for position, way in layer.items():
            if position.winner() == "first":
                return way
            for text in position.decisions():
                later = position.play(text)
                if later not in seen:
                    seen.add(later)
                    following[later] = [*way, text]
        layer = following
    return []


if __name__ == "__main__":
    steps = solution()
    print(len(steps), " ".join(steps))
