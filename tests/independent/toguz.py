"""Toguz Korgool (nine holes each) from its rules as they are told."""

from typing import NamedTuple

NAMES = tuple("abcdefghi")


class Toguz(NamedTuple):
    """Holes 0 to 8 are the first player's from the left, 9 to 17 the second's further on."""

    holes: tuple[int, ...]
    stores: tuple[int, int] = (0, 0)
    sacred: tuple[int, int] = (-1, -1)  # the hole that each player has on the other side
    mover: int = 0

    def decisions(self) -> list[str]:
        if max(self.stores) > 81 or self.stores == (81, 81):
            return []
        return sorted(hole_name(h) for h in side(self.mover) if self.holes[h])

    def play(self, text: str) -> "Toguz":
        me, other = self.mover, 1 - self.mover
        holes, stores, sacred = list(self.holes), list(self.stores), list(self.sacred)
        place = hole_number(text)
        hand, holes[place] = holes[place], 0
        if hand == 1:  # a single ball goes on; of several the first stays
            place = (place + 1) % 18
        while True:
            if place in sacred:
                stores[sacred.index(place)] += 1
            else:
                holes[place] += 1
            hand -= 1
            if not hand:
                break
            place = (place + 1) % 18
        if place in side(other):
            if holes[place] % 2 == 0:
                stores[me] += holes[place]
                holes[place] = 0
            elif holes[place] == 3 and self._may_keep(place):
                stores[me] += 3
                holes[place] = 0
                sacred[me] = place
        return Toguz(tuple(holes), (stores[0], stores[1]), (sacred[0], sacred[1]), other)

    def _may_keep(self, place: int) -> bool:
        """One hole each, never the ninth, never of the number of the one that the other has."""
        taken = self.sacred[1 - self.mover]
        number = place % 9
        return self.sacred[self.mover] < 0 and number != 8 and (taken < 0 or taken % 9 != number)

    def over(self) -> bool:
        return not self.decisions()

    def winner(self) -> str:
        if not self.over():
            return ""
        stores = list(self.stores)
        if max(stores) <= 81:  # who cannot move leaves what is left to the other
            stores[1 - self.mover] += sum(self.holes)
        return "draw" if stores[0] == stores[1] else "first" if stores[0] > stores[1] else "second"

    def fresh(self) -> bool:
        return True


def side(player: int) -> range:
    """Give the holes of a player."""
    return range(9 * player, 9 * player + 9)


def hole_name(hole: int) -> str:
    """Give the site of a hole: the second row is counted from the right."""
    return f"{NAMES[hole]}1" if hole < 9 else f"{NAMES[17 - hole]}2"


def hole_number(text: str) -> int:
    """Give the hole on a site."""
    column = NAMES.index(text[0])
    return column if text[1] == "1" else 17 - column


def start() -> Toguz:
    return Toguz((9,) * 18)
