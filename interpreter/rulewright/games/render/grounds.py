"""What lies under the pieces: the material of a board, and the grounds that a dressing names.

In: a layout, a dressing.  Out: markup.  `lines` has its lines through the sites, `cells` and
`checkered` around them, `holes` a hole at each, `frame` covers the pieces but for its holes;
`paper` and `drawn` are bare: what is drawn there, the dressing or the rules name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen

from rulewright.games.render.drawing import CELL, Point
from rulewright.games.render.dressing import Colour, Dressing, Ground
from rulewright.games.render.layout import BoardLayout, rim
from rulewright.games.render.markup import number, path_points
from rulewright.games.render.paints import PAGE, line_colour, related_colour, soft, variable
from rulewright.games.render.palette import palette
from rulewright.games.render.piece_drawings import own_path

HOLE = 0.405
"""The radius of a hole of a frame, in cells."""
_FARTHEST = 3 * CELL
"""How far an outline widens a board at most: what goes on is cut off."""


@frozen(eq=False)
class GroundPlan:
    """A board on its picture, with how far its material reaches beyond the sites."""

    layout: BoardLayout
    dressing: Dressing
    strokes: Sequence[tuple[int, int]]
    dots: Sequence[Point]
    pad: float

    @property
    def fill(self) -> str:
        """The paint of the material."""
        return variable(self.dressing.colours[0])

    @property
    def line(self) -> str:
        """The paint of its lines, or of the other squares."""
        colours = self.dressing.colours
        return variable(colours[1] if len(colours) > 1 else line_colour(colours[0]))

    @property
    def plate(self) -> tuple[float, float, float, float]:
        """The place of the material: left, top, width and height."""
        left, top, right, bottom = self.layout.box
        pad = self.pad
        return left - pad, top - pad, right - left + 2 * pad, bottom - top + 2 * pad


def path(data: str, more: str) -> str:
    """A path with further attributes."""
    return f'<path d="{data}" {more}/>'


def polygon(corners: Iterable[Point]) -> str:
    """The data of a path through *corners* and back."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in corners) + "z"


def segment(a: Point, b: Point) -> str:
    """The data of a straight line."""
    return f"M{number(a[0])} {number(a[1])}L{number(b[0])} {number(b[1])}"


def circle(place: Point, radius: float) -> str:
    """The data of a circle."""
    x, y, r = number(place[0] - radius), number(place[1]), number(radius)
    across = number(2 * radius)
    return f"M{x} {y}a{r} {r} 0 1 0 {across} 0a{r} {r} 0 1 0 -{across} 0z"


def _stroked(data: str, paint: str, width: float, more: str = "") -> str:
    look = f'fill="none" stroke="{paint}" stroke-width="{number(width)}"'
    return path(data, f'{look} stroke-linecap="round" stroke-linejoin="round"{more}')


def _dots(places: Iterable[Point], radius: float, paint: str) -> str:
    data = "".join(f"M{number(x)} {number(y)}h0" for x, y in places)
    return _stroked(data, paint, 2 * radius) if data else ""


def _plate(plan: GroundPlan, paint: str, rounded: float) -> str:
    x, y, w, h = (number(value) for value in plan.plate)
    return f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="{number(rounded)}" fill="{paint}"/>'


# --- materials ---


def ground_markup(plan: GroundPlan) -> str:
    """All that lies under the pieces."""
    material = _MATERIALS[plan.dressing.material](plan)
    named = "".join(_named(plan, ground) for ground in plan.dressing.grounds)
    lines = "".join(_drawn_lines(plan))
    return "".join(material) + lines + named + "".join(_holes(plan))


def over_markup(plan: GroundPlan) -> str:
    """Draw the front of a frame, which lies over the pieces."""
    if plan.dressing.material != "frame":
        return ""
    x, y, w, h = plan.plate
    front = polygon([(x, y), (x + w, y), (x + w, y + h), (x, y + h)])
    places = [plan.layout.places[site] for site in plan.layout.drawn_sites]
    holes = "".join(circle(place, CELL * HOLE) for place in places)
    clip = f'fill-rule="evenodd" fill="{plan.fill}"'
    edge = _stroked("".join(circle(p, CELL * HOLE + 1) for p in places), plan.line, 2.8)
    return _stroked(front, plan.fill, CELL * 0.2) + path(front + holes, clip) + edge


def _checkered(plan: GroundPlan) -> Iterator[str]:
    board, layout = plan.layout.board, plan.layout
    numbers = range(len(board.columns))
    played = {(board.columns[s] + board.rows[s]) % 2 for s in layout.drawn_sites}
    dark = played.pop() if len(played) == 1 else (board.height - 1) % 2
    yield _plate(plan, plan.fill, 0)
    squares = (i for i in numbers if i in layout.outlines)  # a graph has none
    cells = (i for i in squares if (board.columns[i] + board.rows[i]) % 2 == dark)
    yield path("".join(polygon(layout.corners(i)) for i in cells), f'fill="{plan.line}"')


def _cells(plan: GroundPlan) -> Iterator[str]:
    layout = plan.layout
    if layout.whole and not layout.turned:
        yield _plate(plan, plan.fill, CELL * 0.14)
        yield _stroked("".join(_inner_lines(layout)), plan.line, CELL * 0.035)
        return
    outlined = [s for s in layout.drawn_sites if s in layout.outlines]
    data = "".join(polygon(layout.corners(site)) for site in outlined)
    width = number(CELL * 0.035)
    join = f'stroke-width="{width}" stroke-linejoin="round"'
    yield path(data, f'fill="{plan.fill}" stroke="{plan.line}" {join}')


def _inner_lines(layout: BoardLayout) -> Iterator[str]:
    left, top, right, bottom = layout.box
    board = layout.board
    for column in range(1, board.width):
        x = layout.corners(column)[0][0]
        yield f"M{number(x)} {number(top)}V{number(bottom)}"
    for row in range(1, board.height):
        y = layout.corners(row * board.width)[0][1]
        yield f"M{number(left)} {number(y)}H{number(right)}"


def _lines(plan: GroundPlan) -> Iterator[str]:
    layout, colour = plan.layout, plan.dressing.colours[0]
    yield _plate(plan, plan.fill, CELL * 0.2)
    if related_colour(colour, "line") is not None and colour.name == "wood":
        yield from _grain(plan)
    places = layout.places
    edge = "".join(segment(places[a], places[b]) for a, b in layout.pairs if _outer(layout, a, b))
    inner = "".join(segment(places[a], places[b]) for a, b in layout.pairs)
    yield _stroked(inner, plan.line, max(1.0, CELL * 0.026))
    yield _stroked(edge, plan.line, CELL * 0.045)


def _outer(layout: BoardLayout, a: int, b: int) -> bool:
    """Whether the line from *a* to *b* is at the edge of a board of squares."""
    board = layout.board
    columns, rows = {board.columns[a], board.columns[b]}, {board.rows[a], board.rows[b]}
    ends = {0, board.width - 1} if len(columns) == 1 else set()
    return layout.whole and (columns <= ends or (len(rows) == 1 and rows <= {0, board.height - 1}))


def _grain(plan: GroundPlan) -> Iterator[str]:
    """Wood has grain: a few long waves, hardly to be seen."""
    x, y, w, h = plan.plate
    for k, (high, faint) in enumerate([(0.11, 10), (0.23, 7), (0.52, 6), (0.66, 10), (0.93, 9)]):
        a, b, c = (number(y + h * (high + d)) for d in (0.0, -0.03, 0.03))
        bend = f"C{number(x + w * 0.3)} {b} {number(x + w * 0.6)} {c} {number(x + w)} {a}"
        more = f' stroke-opacity="{faint / 100:g}"'
        yield f'<path d="M{number(x)} {a}{bend}" fill="none" stroke="{plan.line}"'
        yield f' stroke-width="{2 + k % 3}"{more}/>'


def _holes(plan: GroundPlan) -> Iterator[str]:
    places = (plan.layout.places[site] for site in plan.layout.drawn_sites)
    if plan.dressing.material == "holes":
        yield _dots(places, CELL * 0.108, plan.line)


def _frame(plan: GroundPlan) -> Iterator[str]:
    yield _plate(plan, variable(PAGE), CELL * 0.3)


def _bare(plan: GroundPlan) -> Iterator[str]:
    yield _plate(plan, plan.fill, CELL * 0.3)


_MATERIALS = {
    "checkered": _checkered, "cells": _cells, "lines": _lines, "holes": _bare, "frame": _frame,
    "paper": _bare, "drawn": _bare,
}  # fmt: skip


def _drawn_lines(plan: GroundPlan) -> Iterator[str]:
    """The lines of a drawn board with a dot at each site, and the ends of bars."""
    places = plan.layout.places
    paint = variable(palette()["slate_line"]) if not plan.dressing.colours else plan.line
    if plan.strokes:
        data = "".join(segment(places[a], places[b]) for a, b in plan.strokes)
        yield _stroked(data, paint, CELL * 0.07)
        yield _dots((places[site] for site in plan.layout.drawn_sites), CELL * 0.125, paint)
    yield _dots(plan.dots, CELL * 0.14, variable(palette()["ink"]))


# --- grounds that a dressing names ---


def _named(plan: GroundPlan, ground: Ground) -> str:
    colour = ground.colour or line_colour(plan.dressing.colours[0])
    sites = [site for site in ground.sites if site in plan.layout.places]
    match ground.shape:
        case "dot":
            return _dots((plan.layout.places[s] for s in sites), CELL * 0.09, variable(colour))
        case "line" | "rail" if ground.spans:
            return _spans(plan, ground, colour)
        case "rail":
            return _rail(plan, sites, colour)
        case "band":
            return _band(plan, sites, colour)
        case "gap" | "line":
            return _gaps(plan, ground, sites, colour)
        case "path":
            return "".join(_outlines(plan, ground, sites, colour))
        case _:
            return _areas(plan, sites, colour)


def _spans(plan: GroundPlan, ground: Ground, colour: Colour) -> str:
    places = plan.layout.places
    ends = [(a, b) for a, b in ground.spans.values() if a in places and b in places]
    data = "".join(segment(places[a], places[b]) for a, b in dict.fromkeys(ends))
    if ground.shape == "rail":
        return _stroked(data, variable(colour), CELL * 0.2)
    return _stroked(data, variable(colour), CELL * 0.055, ' stroke-opacity="0.24"')


def _outlines(
    plan: GroundPlan, ground: Ground, sites: Sequence[int], colour: Colour
) -> Iterator[str]:
    """An outline of a look's own, stretched over each site, or over two."""
    data = own_path(ground.path)
    for x, y, w, h in _stretched(plan.layout, ground, sites):
        at = f"translate({number(x)} {number(y)}) scale({w / 100:.4g} {h / 100:.4g})"
        yield path(data, f'fill="{variable(colour)}" transform="{at}"')


def _stretched(
    layout: BoardLayout, ground: Ground, sites: Iterable[int]
) -> Iterator[tuple[float, float, float, float]]:
    """The boxes over which an outline is stretched."""
    for site in sites:
        ends = ground.spans.get(site, (site, site))
        yield layout.around(ends if set(ends) <= layout.places.keys() else (site,))


def reach(layout: BoardLayout, dressing: Dressing) -> float:
    """How far the outlines of a dressing go beyond the sites of its board."""
    left, top, right, bottom = layout.box
    beyond = [0.0]
    for ground in dressing.grounds:
        if ground.shape == "path":
            points = [*path_points(own_path(ground.path))] or [(50.0, 50.0)]
            xs, ys = zip(*points, strict=True)
            sites = layout.places.keys() & set(ground.sites)
            for x, y, w, h in _stretched(layout, ground, sites):
                beyond += left - x - min(xs) * w / 100, x + max(xs) * w / 100 - right
                beyond += top - y - min(ys) * h / 100, y + max(ys) * h / 100 - bottom
    return min(max(beyond), _FARTHEST)


def _rail(plan: GroundPlan, sites: Sequence[int], colour: Colour) -> str:
    """A thick line along the outer edges of cells, or through sites that are points."""
    if plan.dressing.material in ("cells", "checkered") and not plan.layout.board.is_drawn:
        edges = rim(plan.layout, frozenset(sites), outer=True)
        data = "".join(segment(a, b) for a, b in edges)
        return _stroked(data, variable(colour), CELL * 0.13)
    places = plan.layout.places
    rows = [_ends(plan, sites, by) for by in (plan.layout.board.rows, plan.layout.board.columns)]
    ends = min(rows, key=len)
    data = "".join(segment(places[a], places[b]) for a, b in ends)
    return _stroked(data, variable(colour), CELL * 0.2)


def _ends(plan: GroundPlan, sites: Sequence[int], by: Sequence[int]) -> list[tuple[int, int]]:
    """The first and the last of the sites that share a row (or a column)."""
    lines = dict[int, list[int]]()
    for site in sites:
        lines.setdefault(by[site], []).append(site)
    return [(min(line), max(line)) for line in lines.values()]


def _band(plan: GroundPlan, sites: Sequence[int], colour: Colour) -> str:
    """Cells in a pale colour, with a line where they meet the other ones."""
    band_sites = frozenset(sites) & frozenset(plan.layout.outlines)
    data = "".join(polygon(plan.layout.corners(site)) for site in sorted(band_sites))
    edges = "".join(segment(a, b) for a, b in rim(plan.layout, band_sites, outer=False))
    return path(data, f'fill="{variable(soft(colour))}"') + _stroked(
        edges, variable(colour), CELL * 0.12
    )


def _gaps(plan: GroundPlan, ground: Ground, sites: Sequence[int], colour: Colour) -> str:
    """A dotted line along each site's longer side."""
    data = "".join(segment(*_along(plan.layout, site)) for site in sites)
    return _stroked(data, variable(colour), CELL * 0.05, ' stroke-dasharray="0.5 4.5"')


def _along(layout: BoardLayout, site: int) -> tuple[Point, Point]:
    (x, y), (w, h) = layout.places[site], layout.room(site)
    dx, dy = (w * 0.44, 0.0) if w >= h else (0.0, h * 0.44)
    return (x - dx, y - dy), (x + dx, y + dy)


def _areas(plan: GroundPlan, sites: Sequence[int], colour: Colour) -> str:
    area_sites = [site for site in sites if site in plan.layout.outlines]
    data = "".join(polygon(plan.layout.corners(site)) for site in area_sites)
    return path(data, f'fill="{variable(colour)}"')
