"""EinStein würfelt nicht! by squares: a dictionary from squares to side and number."""

from typing import NamedTuple

CORNERS = (
    ((0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (0, 2)),
    ((4, 4), (3, 4), (2, 4), (4, 3), (3, 3), (4, 2)),
)
STEPS = (((1, 0), (0, 1), (1, 1)), ((-1, 0), (0, -1), (-1, -1)))
GOALS = ((4, 4), (0, 0))


def name(square: tuple[int, int]) -> str:
    return "abcde"[square[0]] + str(square[1] + 1)


def square_of(text: str) -> tuple[int, int]:
    return "abcde".index(text[0]), int(text[1:]) - 1


class Einstein(NamedTuple):
    cubes: tuple[tuple[tuple[int, int], int, int], ...] = ()
    mover: int = 0
    turns: int = 0
    die: int = 0

    def side(self, who: int) -> dict[tuple[int, int], int]:
        return {square: number for square, owner, number in self.cubes if owner == who}

    def placing(self) -> bool:
        return self.turns < 2

    def decisions(self) -> list[str]:
        if self.winner():
            return []
        own = self.side(self.mover)
        if self.placing():
            return [name(s) for s in CORNERS[self.mover] if s not in own]
        if not self.die:
            return [str(number) for number in range(1, 7)]
        numbers = sorted(own.values())
        below = [n for n in numbers if n <= self.die]
        above = [n for n in numbers if n >= self.die]
        movable = {self.die} if self.die in numbers else {*below[-1:], *above[:1]}
        return [
            f"{name((x, y))}-{name((x + dx, y + dy))}"
            for (x, y), number in own.items()
            if number in movable
            for dx, dy in STEPS[self.mover]
            if 0 <= x + dx < 5 and 0 <= y + dy < 5
        ]

    def play(self, text: str) -> "Einstein":
        if self.placing():
            own = self.side(self.mover)
            cubes = (*self.cubes, (square_of(text), self.mover, len(own) + 1))
            if len(own) < 5:
                return self._replace(cubes=cubes)
            return Einstein(cubes, 1 - self.mover, self.turns + 1)
        if not self.die:
            return self._replace(die=int(text))
        source, target = (square_of(part) for part in text.split("-"))
        kept = [c for c in self.cubes if c[0] not in (source, target)]
        moved = (target, self.mover, self.side(self.mover)[source])
        return Einstein((*kept, moved), 1 - self.mover, self.turns + 1)

    def winner(self) -> str:
        if self.placing():
            return ""
        for who, word in enumerate(("first", "second")):
            if GOALS[who] in self.side(who) or not self.side(1 - who):
                return word
        return ""

    def over(self) -> bool:
        return bool(self.winner())

    def fresh(self) -> bool:
        return not self.die


def start() -> Einstein:
    return Einstein()
