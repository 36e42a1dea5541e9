"""Where the sites of a board lie in its picture.

In: a board, the widths of its columns and rows, by how much it is turned.  Out: a `BoardLayout`:
the middle and the outline of every site, of those too that `where` cuts away, from 0, 0 at the
upper left.  Sites of a drawn board are where its text says; the nearest two are a cell apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations

from attrs import evolve, frozen

from rulewright.games.render.drawing import CELL, Point
from rulewright.model.board import Board, bits

_ROW = math.sqrt(3) / 2
"""From one row of hexagons to the next, in cells."""


@frozen(eq=False)
class BoardLayout:
    """Places of all sites and outlines around them; a site of a drawn board has no outline."""

    board: Board
    places: Mapping[int, Point]
    outlines: Mapping[int, tuple[Point, ...]]
    turned: float = 0

    @cached_property
    def drawn_sites(self) -> tuple[int, ...]:
        """The sites of the game."""
        return tuple(bits(self.board.sites))

    @cached_property
    def box(self) -> tuple[float, float, float, float]:
        """The left, top, right and bottom of all that can be clicked."""
        xs, ys = zip(*self._corners(), strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def _corners(self) -> Iterator[Point]:
        round_ = ((-CELL / 2, -CELL / 2), (CELL / 2, CELL / 2))
        for site in self.drawn_sites:
            x, y = self.places[site]
            for dx, dy in self.outlines.get(site, round_):
                yield x + dx, y + dy

    def moved(self, dx: float, dy: float) -> BoardLayout:
        """Return the layout with all sites moved by (dx, dy)."""
        return evolve(self, places={s: (x + dx, y + dy) for s, (x, y) in self.places.items()})

    def corners(self, site: int) -> tuple[Point, ...]:
        """The corners of a site in the picture."""
        x, y = self.places[site]
        return tuple((x + dx, y + dy) for dx, dy in self.outlines[site])

    def room(self, site: int) -> tuple[float, float]:
        """The width and the height of a site."""
        outline = self.outlines.get(site)
        if not outline or self.board.hexagonal:
            return CELL, CELL
        xs, ys = zip(*outline, strict=True)
        return max(xs) - min(xs), max(ys) - min(ys)

    def around(self, sites: Iterable[int]) -> tuple[float, float, float, float]:
        """The left, top, width and height of the smallest box that holds some sites."""
        boxes = [(*self.places[site], *self.room(site)) for site in sites]
        left, top = min(x - w / 2 for x, _, w, _ in boxes), min(y - h / 2 for _, y, _, h in boxes)
        right = max(x + w / 2 for x, _, w, _ in boxes)
        return left, top, right - left, max(y + h / 2 for _, y, _, h in boxes) - top

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Neighbours in rows and columns (of hexagons in three directions), once each."""
        steps = ((1, 0), (0, 1), (-1, 1)) if self.board.hexagonal else ((1, 0), (0, 1))
        at = {(self.board.columns[s], self.board.rows[s]): s for s in self.drawn_sites}
        ends = ((s, at.get((x + dx, y + dy))) for (x, y), s in at.items() for dx, dy in steps)
        return tuple((a, b) for a, b in ends if b is not None)

    @cached_property
    def whole(self) -> bool:
        """Whether nothing is cut away from a board of squares."""
        return (
            self.board.is_square and len(self.drawn_sites) == self.board.width * self.board.height
        )


def layout_of(
    board: Board, columns: Sequence[int] = (), rows: Sequence[int] = (), turned: float = 0
) -> BoardLayout:
    """The layout of *board*; *columns* and *rows* are widths that repeat."""
    if board.is_drawn:
        return _turned(_drawn_layout(board), turned)
    if board.hexagonal:
        return _turned(_hexagons(board), turned)
    return _turned(_squares(board, columns, rows), turned)


def _drawn_layout(board: Board) -> BoardLayout:
    raw = {s: (float(board.columns[s]), float(board.rows[s])) for s in bits(board.sites)}
    nearest = min((math.dist(a, b) for a, b in combinations(raw.values(), 2)), default=1.0)
    scale = CELL / (nearest or 1.0)
    return BoardLayout(board, {s: (x * scale, y * scale) for s, (x, y) in raw.items()}, {})


def _hexagons(board: Board) -> BoardLayout:
    numbers = range(len(board.columns))
    columns, rows = board.columns, board.rows
    places = {i: ((columns[i] + rows[i] / 2) * CELL, rows[i] * _ROW * CELL) for i in numbers}
    turns = [math.pi * (k / 3 - 0.5) for k in range(6)]
    radius = CELL / math.sqrt(3)
    outline = tuple((math.cos(t) * radius, math.sin(t) * radius) for t in turns)
    return BoardLayout(board, places, dict.fromkeys(numbers, outline))


def _squares(board: Board, columns: Sequence[int], rows: Sequence[int]) -> BoardLayout:
    unit = CELL / (sum(columns) / len(columns)) if columns else CELL
    xs = _edges([c * unit for c in columns] or [CELL], board.width)
    ys = _edges([r * unit for r in rows] or [CELL], board.height)
    places, outlines = dict[int, Point](), dict[int, tuple[Point, ...]]()
    for site, (x, y) in enumerate(zip(board.columns, board.rows, strict=True)):
        shelf, place = shelf_of(board, site)
        dx, dy = xs[place * board.lift] - xs[x // board.lift * board.lift], shelf * (ys[-1] + CELL)
        places[site] = (xs[x] + xs[x + 1]) / 2 + dx, (ys[y] + ys[y + 1]) / 2 + dy
        w, h = (xs[x + 1] - xs[x]) / 2, (ys[y + 1] - ys[y]) / 2
        outlines[site] = ((-w, -h), (w, -h), (w, h), (-w, h))
    return BoardLayout(board, places, outlines)


def shelf_of(board: Board, site: int) -> tuple[int, int]:
    """The shelf on which the layer of a site lies, and its place there; each shelf is below."""
    return divmod(board.zs[site] - 1, _abreast(board)) if board.layers > 1 else (0, 0)


def _abreast(board: Board) -> int:
    """How many layers lie side by side, for a picture about as wide as it is high."""

    def stretch(count: int) -> float:
        wide = count * board.lift - 1
        high = math.ceil(board.layers / count) * (board.height + 1) - 1
        return max(wide / high, high / wide)

    return min(range(board.layers, 0, -1), key=stretch)


def _edges(widths: Sequence[float], count: int) -> list[float]:
    edges = [0.0]
    for number in range(count):
        edges.append(edges[-1] + widths[number % len(widths)])
    return edges


def _turned(layout: BoardLayout, degrees: float) -> BoardLayout:
    if not degrees:
        return layout
    return BoardLayout(
        layout.board,
        {s: turned(place, degrees) for s, place in layout.places.items()},
        {s: tuple(turned(c, degrees) for c in o) for s, o in layout.outlines.items()},
        degrees,
    )


def turned(place: Point, degrees: float) -> Point:
    """A place turned around 0, 0."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return place[0] * cos - place[1] * sin, place[0] * sin + place[1] * cos


# --- the edges of a set of sites ---


def rim(layout: BoardLayout, sites: frozenset[int], outer: bool) -> Iterator[tuple[Point, Point]]:
    """The edges of *sites* that no other one shares: *outer*, none of the board; else a kept one.

    Sites that are cut away have none.  Of each group of sites that touch, only edges that look the
    way most of them look: a corner belongs to two sides of a board.
    """
    owners = _edge_owners(layout)
    for group in _groups(layout, sites.intersection(layout.drawn_sites, layout.outlines)):
        edges = [
            edge
            for site in group
            for edge in _edges_of(layout, site)
            if _is_rim(owners[_key(edge)], sites, outer)
        ]
        yield from _facing(edges)


def _is_rim(owners: frozenset[int], sites: frozenset[int], outer: bool) -> bool:
    return len(owners) == 1 if outer else len(owners - sites) > 0


def _edges_of(layout: BoardLayout, site: int) -> Iterator[tuple[Point, Point]]:
    corners = layout.corners(site)
    yield from zip(corners, (*corners[1:], corners[0]), strict=True)


def _key(edge: tuple[Point, Point]) -> tuple[int, int]:
    (a, b), (c, d) = edge
    return round(a + c), round(b + d)


def _edge_owners(layout: BoardLayout) -> Mapping[tuple[int, int], frozenset[int]]:
    owners = dict[tuple[int, int], set[int]]()
    for site in layout.outlines.keys() & layout.drawn_sites:  # a site of a graph has no edge
        for edge in _edges_of(layout, site):
            owners.setdefault(_key(edge), set()).add(site)
    return {key: frozenset(sites) for key, sites in owners.items()}


def _groups(layout: BoardLayout, sites: frozenset[int]) -> Iterator[frozenset[int]]:
    """The sites that touch each other, by an edge."""
    near = dict[int, set[int]]()
    for a, b in layout.pairs:
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)
    remaining_sites = set(sites)
    while remaining_sites:
        group, new = set[int](), {min(remaining_sites)}
        while new:
            group |= new
            new = {n for site in new for n in near.get(site, ())} & remaining_sites - group
        remaining_sites -= group
        yield frozenset(group)


def _facing(edges: Sequence[tuple[Point, Point]]) -> Iterator[tuple[Point, Point]]:
    """Yield the edges whose normals point about the same way as the mean normal."""
    if not edges:
        return
    normals = [_normal(edge) for edge in edges]
    x, y = sum(n[0] for n in normals), sum(n[1] for n in normals)
    size = math.hypot(x, y) or 1.0
    for edge, (a, b) in zip(edges, normals, strict=True):
        if (a * x + b * y) / size > 0.3:
            yield edge


def _normal(edge: tuple[Point, Point]) -> Point:
    """Outwards, of length 1: corners go around a site with the clock."""
    (a, b), (c, d) = edge
    size = math.hypot(c - a, d - b) or 1.0
    return (d - b) / size, (a - c) / size
