"""The Royal Game of Ur by how far each man has come: 0 waits, 15 is home."""

from typing import NamedTuple

MIDDLE = [f"{letter}2" for letter in "abcdefgh"]
TRACKS = tuple(
    [*(f"{letter}{row}" for letter in "edcba"), *MIDDLE, *(f"{letter}{row}" for letter in "hgf")]
    for row in (1, 3)
)
ROSETTES = (4, 8, 14)
SHARED, HOME = range(5, 13), 15


class Ur(NamedTuple):
    men: tuple[tuple[int, ...], tuple[int, ...]] = ((0,) * 7, (0,) * 7)
    mover: int = 0
    dice: int = -1

    def targets(self) -> list[tuple[int, int]]:
        """List from where to where a man may run."""
        own, other = self.men[self.mover], self.men[1 - self.mover]
        ways = []
        for man in sorted({*own} - {HOME}):
            to = man + self.dice
            safe = to in ROSETTES and to in SHARED and to in other
            if self.dice > 0 and to <= HOME and (to == HOME or to not in own) and not safe:
                ways.append((man, to))
        return ways

    def decisions(self) -> list[str]:
        if self.winner():
            return []
        if self.dice < 0:
            return [str(number) for number in range(5)]
        track = TRACKS[self.mover]
        return [f"{track[a]}-{track[b]}" for a, b in self.targets()]

    def play(self, text: str) -> "Ur":
        if self.dice < 0:
            thrown = self._replace(dice=int(text))
            return thrown if thrown.targets() else Ur(self.men, 1 - self.mover)
        a, b = (TRACKS[self.mover].index(site) for site in text.split("-"))
        own, other = list(self.men[self.mover]), list(self.men[1 - self.mover])
        own.remove(a)
        own.append(b)
        if b in SHARED and b in other:
            other.remove(b)
            other.append(0)
        sides = tuple(sorted(own)), tuple(sorted(other))
        men = sides if self.mover == 0 else sides[::-1]
        return Ur((men[0], men[1]), self.mover if b in ROSETTES else 1 - self.mover)

    def winner(self) -> str:
        for side, men in zip(("first", "second"), self.men, strict=True):
            if min(men) == HOME:
                return side
        return ""

    def over(self) -> bool:
        return bool(self.winner())

    def fresh(self) -> bool:
        return self.dice < 0


def start() -> Ur:
    return Ur()
