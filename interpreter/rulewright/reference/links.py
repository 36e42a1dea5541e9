"""Links: which could exist on a board, which meet at a site, and which cross each other."""

from __future__ import annotations

from attrs import field, frozen

from rulewright.errors import Fault
from rulewright.model.board import Board, Mask, Step, bits
from rulewright.model.rules import LinkKind
from rulewright.reference.position import single


@frozen(eq=False)
class LinkTable:
    """The possible links of one kind; a set of links is a mask over their numbers."""

    board: Board
    kind: LinkKind
    ends: list[tuple[int, int]] = field(factory=list, init=False)
    number: dict[tuple[int, int], int] = field(factory=dict, init=False)
    at: dict[int, list[tuple[Mask, int]]] = field(factory=dict, init=False)
    _crossing: dict[tuple[int, int], Mask] = field(factory=dict, init=False)
    _templates: dict[Step, list[tuple[Step, Step]]] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        for step in self.kind.steps:
            for site, target in enumerate(self.board.targets(step)):
                if target:
                    self._add(site, target.bit_length() - 1)

    def _add(self, a: int, b: int) -> None:
        low, high = min(a, b), max(a, b)
        if (low, high) in self.number:
            return
        number = self.number[low, high] = len(self.ends)
        self.ends.append((low, high))
        self.at.setdefault(low, []).append((1 << high, number))
        self.at.setdefault(high, []).append((1 << low, number))

    def between(self, a: Mask, b: Mask) -> int:
        """The number of the link from *a* to *b*; a fault when no link can join them."""
        first, second = single(a, "a link"), single(b, "a link")
        number = self.number.get((min(first, second), max(first, second)))
        if number is None:
            names = f"{self.board.names[first]} and {self.board.names[second]}"
            raise Fault("link-length", f"{names} are not a {self.kind.name}'s length apart")
        return number

    def joined(self, links: Mask, sites: Mask) -> Mask:
        """The sites that *links* join to *sites*."""
        found = 0
        for site in bits(sites):
            for other, number in self.at.get(site, ()):
                if links >> number & 1:
                    found |= other
        return found

    def neighbours(self, links: Mask) -> Joined:
        """For every site the sites that *links* join to it."""
        return Joined(self, links)

    def touching(self, sites: Mask) -> Mask:
        """The possible links that end in *sites*."""
        found = 0
        for site in bits(sites):
            for _, number in self.at.get(site, ()):
                found |= 1 << number
        return found

    def within(self, links: Mask, sites: Mask) -> Mask:
        """Those of *links* with both ends in *sites*."""
        found = 0
        for number in bits(links):
            a, b = self.ends[number]
            if sites >> a & 1 and sites >> b & 1:
                found |= 1 << number
        return found

    def crossing(self, a: int, b: int) -> Mask:
        """The possible links that properly cross the segment from site *a* to site *b*."""
        key = (min(a, b), max(a, b))
        if key not in self._crossing:
            self._crossing[key] = self._crossers(a, b)
        return self._crossing[key]

    def _crossers(self, a: int, b: int) -> Mask:
        board = self.board
        x, y = board.columns[a], board.rows[a]
        found = 0
        for c, d in self._template((board.columns[b] - x, board.rows[b] - y)):
            ends = board.at(x + c[0], y + c[1]), board.at(x + d[0], y + d[1])
            number = self.number.get((min(ends), max(ends)))
            found |= 0 if number is None else 1 << number
        return found

    def _template(self, span: Step) -> list[tuple[Step, Step]]:
        """The links that cross a segment from (0, 0) to *span*, by the places of their ends."""
        if span not in self._templates:
            reach = max(max(abs(dx), abs(dy)) for dx, dy in self.kind.steps)
            columns = range(min(0, span[0]) - reach, max(0, span[0]) + reach + 1)
            rows = range(min(0, span[1]) - reach, max(0, span[1]) + reach + 1)
            links = [
                ((x, y), (x + dx, y + dy))
                for x in columns
                for y in rows
                for dx, dy in self.kind.steps
            ]
            crossing = [(c, d) for c, d in links if c < d and _cross(((0, 0), span), (c, d))]
            self._templates[span] = crossing
        return self._templates[span]


@frozen
class Joined:
    """Neighbours along the links of one position, worked out where they are asked for."""

    table: LinkTable
    links: Mask

    def __getitem__(self, site: int) -> Mask:
        return self.table.joined(self.links, 1 << site)


def _side(a: Step, b: Step, c: Step) -> int:
    """On which side of the line a-b the place c lies: -1, 0 or 1."""
    turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (turn > 0) - (turn < 0)


def _cross(one: tuple[Step, Step], other: tuple[Step, Step]) -> bool:
    (a, b), (c, d) = one, other
    return _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0
