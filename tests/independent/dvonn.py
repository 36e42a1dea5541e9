"""Dvonn from its published rules: 49 cells are filled, then stacks move onto stacks."""

from typing import NamedTuple

from .common import Point, connected, most, name, point

STEPS = ((1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1))  # columns lean to the left
ROWS = ((1, 9), (1, 10), (1, 11), (2, 11), (3, 11))  # first and last column, from row 1 on
CELLS = tuple((x, y) for y, (left, right) in enumerate(ROWS, 1) for x in range(left, right + 1))
COLOURS, DVONN = "wb", "D"
Stacks = frozenset[tuple[Point, str]]  # a stack as letters, the top one first


class Dvonn(NamedTuple):
    stacks: Stacks = frozenset()
    mover: int = 0
    filled: bool = False  # stacks move now

    def decisions(self) -> list[str]:
        if not self.filled:
            free = set(CELLS) - dict(self.stacks).keys()
            return sorted(name(cell) for cell in free)
        moves = self.moves(self.mover)
        return sorted(moves) if moves or self.over() else ["pass"]

    def moves(self, player: int) -> list[str]:
        """List where a player's stacks may go, each as far as it is high."""
        at = dict(self.stacks)
        ways = []
        for (x, y), stack in self.stacks:
            if stack[0] == COLOURS[player] and any(cell not in at for cell in around((x, y))):
                far = len(stack)
                landings = ((x + far * dx, y + far * dy) for dx, dy in STEPS)
                ways += [f"{name((x, y))}-{name(cell)}" for cell in landings if cell in at]
        return ways

    def play(self, text: str) -> "Dvonn":
        if text == "pass":
            return self._replace(mover=1 - self.mover)
        at = dict(self.stacks)
        if "-" in text:
            a, b = (point(part) for part in text.split("-"))
            at[b] = at.pop(a) + at[b]
            return Dvonn(alive(at), 1 - self.mover, True)
        at[point(text)] = DVONN if len(at) < 3 else COLOURS[self.mover]
        filled = len(at) == len(CELLS)
        # white puts the last of 49 pieces, and white makes the first move
        return Dvonn(frozenset(at.items()), 0 if filled else 1 - self.mover, filled)

    def over(self) -> bool:
        return self.filled and not (self.moves(0) or self.moves(1))

    def winner(self) -> str:
        heights = [0, 0]
        for _, stack in self.stacks:
            if stack[0] != DVONN:
                heights[COLOURS.index(stack[0])] += len(stack)
        return most(*heights) if self.over() else ""

    def fresh(self) -> bool:
        return True


def around(cell: Point) -> list[Point]:
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in STEPS]


def alive(at: dict[Point, str]) -> Stacks:
    """Keep what is connected to a Dvonn piece, wherever in a stack that lies."""
    kept = set[Point]()
    for cell, stack in at.items():
        if DVONN in stack:
            kept |= connected(cell, lambda c: [b for b in around(c) if b in at])
    return frozenset((cell, stack) for cell, stack in at.items() if cell in kept)


def start() -> Dvonn:
    return Dvonn()
