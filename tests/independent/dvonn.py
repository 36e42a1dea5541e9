"""Dvonn from its rules as they are told: stacks are texts from the bottom, red pieces `*`."""

from typing import NamedTuple

from .common import ORTHOGONAL, SIDES, Point, name, point

ROWS = {1: (1, 9), 2: (1, 10), 3: (1, 11), 4: (2, 11), 5: (3, 11)}  # first and last column of a row
CELLS = frozenset((x, y) for y, (first, last) in ROWS.items() for x in range(first, last + 1))
STEPS = (*ORTHOGONAL, (1, 1), (-1, -1))  # rows above lean to the left
COLOURS = "wb"


class Dvonn(NamedTuple):
    stacks: frozenset[tuple[Point, str]] = frozenset()
    placed: int = 0
    mover: int = 0

    def decisions(self) -> list[str]:
        stacks = dict(self.stacks)
        if self.placed < len(CELLS):
            return sorted(name(cell) for cell in CELLS if cell not in stacks)
        moves = [f"{name(a)}-{name(b)}" for a, b in walks(stacks, self.mover)]
        if not moves and any(True for _ in walks(stacks, 1 - self.mover)):
            return ["pass"]
        return sorted(moves)

    def play(self, text: str) -> "Dvonn":
        stacks, other = dict(self.stacks), 1 - self.mover
        if self.placed < len(CELLS):
            stacks[point(text)] = "*" if self.placed < 3 else COLOURS[self.mover]
            placed = self.placed + 1
            return Dvonn(frozenset(stacks.items()), placed, other if placed < len(CELLS) else 0)
        if text != "pass":
            a, b = (point(part) for part in text.split("-"))
            stacks[b] += stacks.pop(a)
            stacks = connected(stacks)
        return Dvonn(frozenset(stacks.items()), self.placed, other)

    def over(self) -> bool:
        return not self.decisions()

    def winner(self) -> str:
        if not self.over():
            return ""
        tall = [sum(len(s) for _, s in self.stacks if s[-1] == colour) for colour in COLOURS]
        return "draw" if tall[0] == tall[1] else SIDES[tall[1] > tall[0]]

    def fresh(self) -> bool:
        return True


def walks(stacks: dict[Point, str], player: int) -> list[tuple[Point, Point]]:
    """List from where to where a player can go: straight, as far as the stack is high."""
    found = []
    for (x, y), stack in stacks.items():
        beside = [(x + dx, y + dy) for dx, dy in STEPS]
        if stack[-1] != COLOURS[player] or all(cell in stacks for cell in beside):
            continue
        far = [(x + dx * len(stack), y + dy * len(stack)) for dx, dy in STEPS]
        found += [((x, y), cell) for cell in far if cell in stacks]
    return found


def connected(stacks: dict[Point, str]) -> dict[Point, str]:
    """Keep the stacks that hang together with a red piece."""
    reached = [cell for cell, stack in stacks.items() if "*" in stack]
    for x, y in reached:  # grows on the way
        beside = [(x + dx, y + dy) for dx, dy in STEPS]
        reached += [cell for cell in beside if cell in stacks and cell not in reached]
    return {cell: stacks[cell] for cell in reached}


def start() -> Dvonn:
    return Dvonn()
