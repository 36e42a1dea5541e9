"""Tak from its rules as they are told: stacks are texts from the bottom, white pieces capitals."""

from typing import NamedTuple

from .common import ORTHOGONAL, Point, connected, most, name, point

PIECES = {3: (10, 0), 4: (15, 0), 5: (21, 1), 6: (30, 1)}  # flat stones and capstones by size


class Tak(NamedTuple):
    size: int
    stones: tuple[int, int]
    capstones: tuple[int, int]
    stacks: frozenset[tuple[Point, str]] = frozenset()
    turns: int = 0
    moving: tuple[Point, Point, int] | None = None  # where the hand is, its heading, its pieces

    @property
    def mover(self) -> int:
        return self.turns % 2

    def points(self) -> list[Point]:
        return [(x, y) for x in range(1, self.size + 1) for y in range(1, self.size + 1)]

    def enters(self, a: Point, heading: Point, number: int) -> Point | None:
        """Find the next point, if so many pieces of a stack may come to it."""
        b, stacks = (a[0] + heading[0], a[1] + heading[1]), dict(self.stacks)
        top = stacks.get(b, "")[-1:].lower()
        if not (1 <= b[0] <= self.size and 1 <= b[1] <= self.size) or top == "c":
            return None
        if top == "s" and not (number == 1 and stacks[a][-1].lower() == "c"):
            return None
        return b

    def decisions(self) -> list[str]:
        if self.winner():
            return []
        if self.moving:
            at, heading, hand = self.moving
            return sorted(["-", *(str(n) for n in range(1, hand) if self.enters(at, heading, n))])
        stacks = dict(self.stacks)
        free = [name(s) for s in self.points() if s not in stacks]
        if self.turns < 2:
            return sorted(free)
        kinds = ["", "S"] if self.stones[self.mover] else []
        kinds += ["C"] if self.capstones[self.mover] else []
        texts = [kind + site for kind in kinds for site in free]
        for a, stack in stacks.items():
            if stack[-1].isupper() != (self.mover == 0):
                continue
            for number in range(1, min(self.size, len(stack)) + 1):
                ways = [self.enters(a, heading, number) for heading in ORTHOGONAL]
                texts += [f"{number}{name(a)}{name(b)}" for b in ways if b]
        return sorted(texts)

    def play(self, text: str) -> "Tak":
        if text == "-":
            return self._replace(moving=None, turns=self.turns + 1)
        if self.moving:
            at, heading, _ = self.moving
            return self.carry(int(text), at, heading)
        if text[0].isdigit():
            a, b = point(text[1:3]), point(text[3:])
            return self.carry(int(text[0]), a, (b[0] - a[0], b[1] - a[1]))
        owner = self.mover if self.turns >= 2 else 1 - self.mover
        kind = text[0].lower() if text[0].isupper() else "f"
        site = point(text[1:] if text[0].isupper() else text)
        piece = kind.upper() if owner == 0 else kind
        left = list(self.capstones if kind == "c" else self.stones)
        left[owner] -= 1
        after = self._replace(stacks=self.stacks | {(site, piece)}, turns=self.turns + 1)
        if kind == "c":
            return after._replace(capstones=(left[0], left[1]))
        return after._replace(stones=(left[0], left[1]))

    def carry(self, number: int, a: Point, heading: Point) -> "Tak":
        stacks, b = dict(self.stacks), (a[0] + heading[0], a[1] + heading[1])
        lifted, stacks[a] = stacks[a][-number:], stacks[a][:-number]
        below = stacks.get(b, "")
        if below[-1:].lower() == "s":
            below = below[:-1] + ("F" if below[-1].isupper() else "f")
        stacks[b] = below + lifted
        left = frozenset((s, stack) for s, stack in stacks.items() if stack)
        return self._replace(stacks=left, moving=(b, heading, number))

    def has_road(self, player: int) -> bool:
        own = {s for s, stack in self.stacks if stack[-1] in ("FC", "fc")[player]}
        for start in own:
            road = connected(start, lambda s: [n for n in near(s) if n in own])
            if any({1, self.size} <= {site[i] for site in road} for i in (0, 1)):
                return True
        return False

    def winner(self) -> str:
        if self.moving or not self.turns:
            return ""
        last = 1 - self.mover
        for player in (last, 1 - last):
            if self.has_road(player):
                return ("first", "second")[player]
        pieces = [self.stones[i] + self.capstones[i] for i in (0, 1)]
        if 0 not in pieces and len(self.stacks) < self.size**2:
            return ""
        tops = [stack[-1] for _, stack in self.stacks]
        return most(tops.count("F"), tops.count("f"))

    def over(self) -> bool:
        return bool(self.winner())

    def fresh(self) -> bool:
        return self.moving is None


def near(site: Point) -> list[Point]:
    return [(site[0] + dx, site[1] + dy) for dx, dy in ORTHOGONAL]


def start(size: int = 5) -> Tak:
    stones, capstones = PIECES[size]
    return Tak(size, (stones, stones), (capstones, capstones))
