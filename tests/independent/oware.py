"""Oware (Abapa) from its rules as they are told: twelve houses in a ring, seeds sown by hand."""

from typing import NamedTuple

NAMES = ("a1", "b1", "c1", "d1", "e1", "f1", "f2", "e2", "d2", "c2", "b2", "a2")


class Oware(NamedTuple):
    houses: tuple[int, ...]
    taken: tuple[int, int] = (0, 0)
    mover: int = 0
    seen: frozenset[object] = frozenset()
    repeated: bool = False

    def decisions(self) -> list[str]:
        if self.repeated or max(self.taken) > self._all() // 2:
            return []
        return sorted(NAMES[h] for h in side(self.mover) if self._after(h) is not None)

    def _all(self) -> int:
        return sum(self.houses) + sum(self.taken)

    def _after(self, house: int) -> tuple[list[int], int] | None:
        """Sow and take; None where nothing is there, or the other player is left with nothing."""
        houses, place, hand = list(self.houses), house, self.houses[house]
        if not hand:
            return None
        houses[house] = 0
        while hand:
            place = (place + 1) % 12
            if place != house:
                houses[place] += 1
                hand -= 1
        other = side(1 - self.mover)
        if not any(houses[h] for h in other):
            return None
        kept, gain = list(houses), 0
        while place in other and houses[place] in (2, 3):
            gain += houses[place]
            houses[place] = 0
            place = (place - 1) % 12
        return (houses, gain) if any(houses[h] for h in other) else (kept, 0)

    def play(self, text: str) -> "Oware":
        after = self._after(NAMES.index(text))
        assert after is not None
        houses, gain = tuple(after[0]), after[1]
        first, second = self.taken
        taken = (first + gain, second) if self.mover == 0 else (first, second + gain)
        now = (houses, taken, self.mover)
        return Oware(houses, taken, 1 - self.mover, self.seen | {now}, now in self.seen)

    def over(self) -> bool:
        return not self.decisions()

    def winner(self) -> str:
        if not self.over():
            return ""
        half = self._all() // 2
        if max(self.taken) > half:
            return "first" if self.taken[0] > half else "second"
        first, second = (self.taken[s] + sum(self.houses[h] for h in side(s)) for s in (0, 1))
        return "draw" if first == second else "first" if first > second else "second"

    def fresh(self) -> bool:
        return True


def side(player: int) -> range:
    """Give the houses of a player."""
    return range(6 * player, 6 * player + 6)


def start(start: int = 4) -> Oware:
    houses = (start,) * 12
    return Oware(houses, seen=frozenset({(houses, (0, 0), 1)}))
