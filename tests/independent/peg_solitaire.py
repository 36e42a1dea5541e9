"""Peg solitaire on the English board from its rules: `python -m tests.independent.peg_solitaire`.

Run as a command it looks for a solution, depth first, and prints it.
"""

from typing import NamedTuple

from .common import ORTHOGONAL, Point, name, point

HOLES = frozenset((x, y) for x in range(1, 8) for y in range(1, 8) if 3 <= x <= 5 or 3 <= y <= 5)
MIDDLE = (4, 4)


class PegSolitaire(NamedTuple):
    pegs: frozenset[Point]

    def jumps(self) -> list[tuple[Point, Point, Point]]:
        """List the jumps: from where, over what, to where."""
        found = []
        for x, y in sorted(self.pegs):
            for dx, dy in ORTHOGONAL:
                over, to = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
                if over in self.pegs and to in HOLES - self.pegs:
                    found.append(((x, y), over, to))
        return found

    def decisions(self) -> list[str]:
        return [] if self.solved() else sorted(f"{name(a)}x{name(b)}" for a, _, b in self.jumps())

    def play(self, text: str) -> "PegSolitaire":
        (ax, ay), (bx, by) = (point(part) for part in text.split("x"))
        over = ((ax + bx) // 2, (ay + by) // 2)
        return PegSolitaire(self.pegs - {(ax, ay), over} | {(bx, by)})

    def solved(self) -> bool:
        return self.pegs == {MIDDLE}

    def winner(self) -> str:
        if self.solved():
            return "first"
        return "" if self.jumps() else "second"

    def over(self) -> bool:
        return bool(self.winner())

    def fresh(self) -> bool:
        return True


def start() -> PegSolitaire:
    return PegSolitaire(HOLES - {MIDDLE})


def solution(position: PegSolitaire, hopeless: set[frozenset[Point]]) -> list[str] | None:
    """Find decisions that solve a position; None where none do."""
    if position.over():
        return [] if position.solved() else None
    if position.pegs in hopeless:
        return None
    for text in position.decisions():
        rest = solution(position.play(text), hopeless)
        if rest is not None:
            return [text, *rest]
    hopeless.add(position.pegs)
    return None


if __name__ == "__main__":
    print(" ".join(solution(start(), set()) or []))
