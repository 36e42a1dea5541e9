"""Kalah from its rules as they are told: twelve pits and two stores on one ring of fourteen."""

from typing import NamedTuple

STORES = (6, 13)  # the ring: pits 0-5 and store 6 of the first player, 7-12 and 13 of the second
NAMES = ("b1", "c1", "d1", "e1", "f1", "g1", "", "g2", "f2", "e2", "d2", "c2", "b2", "")


class Kalah(NamedTuple):
    ring: tuple[int, ...]
    mover: int = 0

    def decisions(self) -> list[str]:
        if self.over():
            return []
        return sorted(NAMES[pit] for pit in pits(self.mover) if self.ring[pit])

    def play(self, text: str) -> "Kalah":
        ring, place, own = list(self.ring), NAMES.index(text), STORES[self.mover]
        hand, ring[place] = ring[place], 0
        while hand:
            place = (place + 1) % 14
            if place != STORES[1 - self.mover]:
                ring[place] += 1
                hand -= 1
        across = 12 - place
        if place in pits(self.mover) and ring[place] == 1 and ring[across]:
            ring[own] += ring[across] + 1
            ring[place] = ring[across] = 0
        return Kalah(tuple(ring), self.mover if place == own else 1 - self.mover)

    def over(self) -> bool:
        return any(not any(self.ring[pit] for pit in pits(side)) for side in (0, 1))

    def winner(self) -> str:
        if not self.over():
            return ""
        first, second = (sum(self.ring[7 * side : 7 * side + 7]) for side in (0, 1))
        return "draw" if first == second else "first" if first > second else "second"

    def fresh(self) -> bool:
        return True


def pits(side: int) -> range:
    """Give the places of a player's pits on the ring."""
    return range(7 * side, 7 * side + 6)


def start(start: int = 4) -> Kalah:
    row = (start,) * 6 + (0,)
    return Kalah(row + row)
