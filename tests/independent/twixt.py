"""TwixT: red (first) joins top and bottom, blue left and right, by links of a knight's move.

Row 1 is at the top. Links are set automatically and stay.
"""

from functools import cache
from typing import NamedTuple

from .common import SIDES, Point, connected, name, point

Link = tuple[Point, Point]
KNIGHT = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


class Twixt(NamedTuple):
    width: int
    height: int
    pie: bool  # the second decision, still to come, may be a swap
    mover: int = 0
    pegs: tuple[frozenset[Point], frozenset[Point]] = (frozenset(), frozenset())
    links: tuple[frozenset[Link], frozenset[Link]] = (frozenset(), frozenset())
    result: str = ""

    def decisions(self) -> list[str]:
        if self.result:
            return []
        taken = self.pegs[0] | self.pegs[1]
        swap = ["swap"] if self.pie and len(taken) == 1 else []
        mine = holes(self.width, self.height, self.mover)
        return [name(hole) for hole in mine if hole not in taken] + swap

    def play(self, text: str) -> "Twixt":
        if text == "swap":  # the persons change places; the board and the colour to move stay
            return self._replace(pie=False)
        peg, me = point(text), self.mover
        own_links = self.links[me] | set(self.new_links(peg))
        own_pegs = self.pegs[me] | {peg}
        pegs = (own_pegs, self.pegs[1]) if me == 0 else (self.pegs[0], own_pegs)
        links = (own_links, self.links[1]) if me == 0 else (self.links[0], own_links)
        won = joins(own_links, peg, me, self.height if me == 0 else self.width)
        pie = self.pie and len(pegs[0] | pegs[1]) == 1
        result = SIDES[me] if won else ""
        return self._replace(pie=pie, mover=1 - me, pegs=pegs, links=links, result=result)

    def new_links(self, peg: Point) -> list[Link]:
        standing = self.links[0] | self.links[1]
        ends = [(peg[0] + dx, peg[1] + dy) for dx, dy in KNIGHT]
        wanted = [(peg, end) for end in ends if end in self.pegs[self.mover]]
        return [link for link in wanted if not any(cross(link, other) for other in standing)]

    def winner(self) -> str:
        return self.result or ("" if self.decisions() else "draw")

    def over(self) -> bool:
        return bool(self.winner())

    def fresh(self) -> bool:
        return True


@cache
def holes(width: int, height: int, player: int) -> list[Point]:
    """List where a player may set: not in the other's border rows, so never in a corner."""
    columns = range(2, width) if player == 0 else range(1, width + 1)
    rows = range(1, height + 1) if player == 0 else range(2, height)
    return [(x, y) for y in rows for x in columns]


def side(link: Link, p: Point) -> int:
    """Tell on which side of the line through a link a point lies: -1, 1, or 0 on it."""
    (ax, ay), (bx, by) = link
    turn = (bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax)
    return (turn > 0) - (turn < 0)


@cache
def cross(one: Link, two: Link) -> bool:
    """Tell whether two links cross; a common end or a mere touch is no crossing."""
    return side(one, two[0]) * side(one, two[1]) < 0 and side(two, one[0]) * side(two, one[1]) < 0


def joins(links: frozenset[Link], peg: Point, player: int, last: int) -> bool:
    def linked(a: Point) -> list[Point]:
        return [q if p == a else p for p, q in links if a in (p, q)]

    reached = {(y, x)[player] for x, y in connected(peg, linked)}
    return 1 in reached and last in reached


def start(width: int = 24, height: int = 0, pie: bool = False) -> Twixt:
    """Height 0 means as high as wide."""
    return Twixt(width, height or width, pie)
