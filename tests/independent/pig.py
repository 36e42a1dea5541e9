"""Pig from its rules as they are told: a die, points kept, and points of the turn."""

from typing import NamedTuple


class Pig(NamedTuple):
    target: int
    points: tuple[int, int] = (0, 0)
    held: int = 0
    mover: int = 0
    rolling: bool = True

    def decisions(self) -> list[str]:
        if self.winner():
            return []
        if self.rolling:
            return [str(number) for number in range(1, 7)]
        enough = self.points[self.mover] + self.held >= self.target
        return ["hold"] if enough else ["hold", "throw"]

    def play(self, text: str) -> "Pig":
        if text == "throw":
            return self._replace(rolling=True)
        if text == "1":
            return Pig(self.target, self.points, 0, 1 - self.mover)
        if text == "hold":
            mine = self.points[self.mover] + self.held
            other = self.points[1 - self.mover]
            points = (mine, other) if self.mover == 0 else (other, mine)
            return Pig(self.target, points, 0, 1 - self.mover)
        return self._replace(held=self.held + int(text), rolling=False)

    def winner(self) -> str:
        for side, name in enumerate(("first", "second")):
            if self.points[side] >= self.target:
                return name
        return ""

    def over(self) -> bool:
        return bool(self.winner())

    def fresh(self) -> bool:
        return self.rolling and self.held == 0


def start(target: int = 100) -> Pig:
    return Pig(target)
