"""How many: pieces of piles that lie side by side, numbers as so many seeds, as dice, in corners.

In: a layout, a dressing.  Out: the forms of piles and heaps, faces of dice, labels of sites.
The page places the pieces of both as `pile_places` and `heap_places` do (`studio/src/piles.ts`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

from rulewright.games.render.drawing import CELL, DrawnSite, HeapForm, PileForm, Point
from rulewright.games.render.dressing import PIPS, Colour, Dressing, ShownDie
from rulewright.games.render.layout import BoardLayout
from rulewright.games.render.markup import BOLD, words
from rulewright.games.render.paints import SHADE, readable, variable
from rulewright.games.render.palette import palette

_WAYS: dict[str, Point] = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
_GAP = CELL * 0.06
"""Between the edge of a site and the lowest piece of its pile."""
SEED = CELL * 0.46
"""The size of one of few in a heap."""
_LOOSE = 0.95
"""How close the pieces of a heap lie: their size in the side of the square that each has."""
_TURN = math.pi * (3 - math.sqrt(5))
"""From one piece of a heap to the next, as seeds stand in a sunflower."""
MOST_IN_HEAP = 60
"""So many of a heap are drawn; its number tells of more."""
_LABEL = CELL * 0.17


def pile_forms(
    layout: BoardLayout, dressing: Dressing, sites: tuple[DrawnSite, ...]
) -> Iterator[PileForm]:
    """The forms of piles that are no towers."""
    for site in sites:
        way = _WAYS.get(dressing.piles.get(site.site, "tower"))
        if way is not None:
            (w, h), (dx, dy) = layout.room(site.site), way
            length = max(0, abs(dx) * w + abs(dy) * h - site.size - 2 * _GAP)
            first = _rounded((-dx * length / 2, -dy * length / 2))
            yield PileForm(site.site, first, way, round(length, 1))


def pile_places(form: PileForm, number: int, size: float) -> Iterator[Point]:
    """The middles of the pieces of a pile, from that of the site, the lowest first."""
    (x, y), (dx, dy) = form.first, form.way
    step = min(size, form.length / max(1, number - 1))
    return (_rounded((x + dx * step * i, y + dy * step * i)) for i in range(number))


def heap_forms(
    layout: BoardLayout, dressing: Dressing, symbol: Callable[[str, Colour | None], str]
) -> Iterator[HeapForm]:
    """The forms of numbers at sites; a pit over two sites has its heap in the middle."""
    drawing, colour = dressing.numbers
    if not drawing:
        return
    spans = {s: span for ground in dressing.grounds for s, span in ground.spans.items()}
    drawn = symbol(drawing, colour)
    for site in layout.drawn_sites:
        x, y, w, h = layout.around(spans.get(site, (site,)))
        yield HeapForm(site, drawn, _rounded((x + w / 2, y + h / 2)), _rounded((w, h)))


def heap_places(form: HeapForm, number: int) -> tuple[float, tuple[Point, ...]]:
    """The size of the pieces of a heap and their middles, in the picture."""
    (x, y), (w, h) = form.place, form.room
    shown = min(number, MOST_IN_HEAP)
    size = min(SEED, _LOOSE * math.sqrt(w * h / max(1, shown)))
    radii = 0.44 * w - 0.35 * size, 0.44 * h - 0.35 * size
    far = (math.sqrt((i + 0.5) / max(shown, 5)) for i in range(shown))
    return size, tuple(
        _rounded((x + radii[0] * r * math.cos(i * _TURN), y + radii[1] * r * math.sin(i * _TURN)))
        for i, r in enumerate(far)
    )


def heap_markup(form: HeapForm, value: int, ink: str, paper: str) -> str:
    """A number at a site as so many seeds, and in the lower corner in figures."""
    size, places = heap_places(form, value)
    scale = f"scale({size / 100:.4g})"
    seeds = (
        f'<use href="#{form.symbol}" transform="translate({x:g} {y:g}) {scale}"/>'
        for x, y in places
    )
    (x, y), (w, h) = form.place, form.room
    at = x + w / 2 - CELL * 0.17, y + h / 2 - CELL * 0.15
    halo = f'stroke="{paper}" stroke-width="3" paint-order="stroke"'
    return "".join(seeds) + words(at, str(value), CELL * 0.26, ink, f"{halo} {BOLD}")


def label_texts(layout: BoardLayout, dressing: Dressing) -> Iterator[str]:
    """The markup of the numbers in the upper left corners of sites."""
    for site, value in dressing.labels.items():
        if site in layout.drawn_sites:
            left, top, _, _ = layout.around((site,))
            text, ground = str(value), _ground(dressing, site)
            place = left + _LABEL * (0.35 + 0.33 * len(text)), top + _LABEL * 0.85
            paint = variable(readable(palette()["ink_soft"], ground))
            yield words(place, text, _LABEL, paint, 'text-anchor="middle" font-weight="600"')


def die_faces() -> Iterator[str]:
    """The markup of a die's faces, from 1 on, each around 0, 0 in its size."""
    middle, corners = [(0, 0)], [(-1, -1), (1, 1), (1, -1), (-1, 1), (-1, 0), (1, 0)]
    for value in range(1, PIPS + 1):
        pips = middle * (value % 2) + corners[: value - value % 2]
        data = "".join(f"M{x * _PIP:g} {y * _PIP:g}h0" for x, y in pips)
        ink = variable(readable(SHADE, palette()["ivory"]))
        yield f'{_BODY}<path d="{data}" stroke="{ink}" stroke-width="6.5" stroke-linecap="round"/>'


def die_place(die: ShownDie, places: Mapping[int, Point]) -> Point:
    """The middle of a die: that of its sites."""
    points = [places[site] for site in die.sites]
    return _rounded(
        (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))
    )


_FACE = "a5 5 0 0 1 5 5V11a5 5 0 0 1 -5 5H-11a5 5 0 0 1 -5 -5V-11a5 5 0 0 1 5 -5z"
_BODY = "".join(
    f'<path d="M-11 -16H11{_FACE}" fill="{variable(palette()[name])}"{low}/>'
    for name, low in (("ivory_edge", ' transform="translate(0 2)"'), ("ivory", ""))
)
"""A die without its pips, and its edge below it."""
_PIP = 9
"""From the middle of a face to the pips beside it."""


def _ground(dressing: Dressing, site: int) -> Colour:
    """The colour of what lies under a site: of the look's grounds, else of the board."""
    filled = [g for g in dressing.grounds if g.shape in ("area", "square") and site in g.sites]
    named = [ground.colour for ground in filled if ground.colour is not None]
    return named[-1] if named else dressing.colours[-1]


def _rounded(point: Point) -> Point:
    """A point to a hundredth, by the rule that the page has too: halves go up."""
    x, y = (math.floor(value * 100 + 0.5) / 100 for value in point)
    return x, y
