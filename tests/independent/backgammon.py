"""Backgammon on one line of points: White runs down to 0 and Black up to 25, men as counts."""

from functools import cache
from typing import NamedTuple

COLUMNS, ROWS = "nmlkjihfedcbaabcdefhijklmg", "1" * 13 + "2" * 13
SITES = tuple([c + r for c, r in zip(COLUMNS, rows, strict=True)] for rows in (ROWS, ROWS[::-1]))
"""How sites are called, from what is off over the points to the bar."""
FIRST = ((24, 2), (13, 5), (8, 3), (6, 5))  # points from a player's own end, and the men there


class Backgammon(NamedTuple):
    men: tuple[
        tuple[int, ...], tuple[int, ...]
    ]  # 0 off, 1 to 24 points, 25 the bar; each from its own end
    mover: int = 0
    turns: int = 0
    dice: tuple[int, ...] = ()
    played: int = -1  # dice that have been played; -1 before the throw

    def decisions(self) -> list[str]:
        if self.winner():
            return []
        if self.played < 0:
            doubles = self.turns > 0
            return [f"{d}{e}" for d in range(1, 7) for e in range(1, d + doubles)]
        return list(steps(self))

    def play(self, text: str) -> "Backgammon":
        if self.played < 0:
            d, e = int(text[0]), int(text[1])
            rolled = self._replace(dice=(d, e) if d != e else (d,) * 4, played=0)
            return rolled if steps(rolled) else rolled.passed()
        after = steps(self)[text]
        return after if after.winner() or steps(after) else after.passed()

    def passed(self) -> "Backgammon":
        return Backgammon(self.men, 1 - self.mover, self.turns + 1)

    def winner(self) -> str:
        return next((("first", "second")[who] for who in (0, 1) if self.men[who][0] == 15), "")

    def over(self) -> bool:
        return bool(self.winner())

    def fresh(self) -> bool:
        return self.played < 0


def steps(position: Backgammon) -> dict[str, Backgammon]:
    """The steps with which as many dice as possible are played, or else the larger one."""
    after = {text: (later, reach(later, spent)) for text, later, spent in free(position)}
    most = max((best for _, best in after.values()), default=(0, 0))
    return {text: later for text, (later, best) in after.items() if best == most}


@cache
def reach(position: Backgammon, spent: int) -> tuple[int, int]:
    """How many dice can be played in all from here, and the largest sum of them."""
    onward = (reach(later, spent + die) for _, later, die in free(position))
    return max(onward, default=(position.played, spent))


def free(position: Backgammon) -> list[tuple[str, Backgammon, int]]:
    """All steps by one of the dice, whatever can be played after them; and the die."""
    men, other = position.men[position.mover], position.men[1 - position.mover]
    back = max(p for p in range(26) if men[p] or p == 0)
    listed = []
    for die in sorted(set(position.dice)):
        for p in range(25, 0, -1):
            goal = max(p - die, 0)
            if not men[p] or (men[25] and p < 25) or (goal and other[25 - goal] > 1):
                continue
            if goal == 0 and (back > 6 or (die > p and p < back)):
                continue
            text = f"{SITES[position.mover][p]}/{die}"
            listed.append((text, step(position, p, goal, die), die))
    return listed


def step(position: Backgammon, p: int, goal: int, die: int) -> Backgammon:
    men = [list(side) for side in position.men]
    own, other = men[position.mover], men[1 - position.mover]
    own[p] -= 1
    own[goal] += 1
    if goal and other[25 - goal]:
        other[25 - goal] -= 1
        other[25] += 1
    dice = list(position.dice)
    dice.remove(die)
    first, second = (tuple(side) for side in men)
    return position._replace(men=(first, second), dice=tuple(dice), played=position.played + 1)


def start() -> Backgammon:
    side = tuple(dict(FIRST).get(p, 0) for p in range(26))
    return Backgammon((side, side))
