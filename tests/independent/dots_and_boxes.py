"""Dots and Boxes: a decision is a stroke, `h12` or `v12`; who closes a box owns it and goes on."""

from typing import NamedTuple

from .common import most


class DotsAndBoxes(NamedTuple):
    size: int  # boxes per side
    drawn: frozenset[str] = frozenset()
    mover: int = 0
    boxes: tuple[int, int] = (0, 0)

    def decisions(self) -> list[str]:
        return [stroke for stroke in strokes(self.size) if stroke not in self.drawn]

    def play(self, text: str) -> "DotsAndBoxes":
        drawn = self.drawn | {text}
        gain = closed(self.size, drawn) - closed(self.size, self.drawn)
        boxes = (self.boxes[0] + gain * (self.mover == 0), self.boxes[1] + gain * (self.mover == 1))
        return DotsAndBoxes(self.size, drawn, self.mover if gain else 1 - self.mover, boxes)

    def winner(self) -> str:
        return most(*self.boxes) if self.over() else ""

    def over(self) -> bool:
        return not self.decisions()

    def fresh(self) -> bool:
        return True


def strokes(size: int) -> list[str]:
    """List the horizontal strokes i-th from the left, j-th from the top; then the vertical ones."""
    short, long = range(1, size + 1), range(1, size + 2)
    return [f"h{i}{j}" for j in long for i in short] + [f"v{i}{j}" for j in short for i in long]


def closed(size: int, drawn: frozenset[str]) -> int:
    """Count the boxes with all four strokes."""
    places = [(i, j) for i in range(1, size + 1) for j in range(1, size + 1)]
    around = [[f"h{i}{j}", f"h{i}{j + 1}", f"v{i}{j}", f"v{i + 1}{j}"] for i, j in places]
    return sum(drawn.issuperset(four) for four in around)


def start(size: int = 4) -> DotsAndBoxes:
    return DotsAndBoxes(size)
