"""A position as a drawing: one self-contained SVG document, on screen and on paper.

In: a scene, and short texts to write at sites.  Out: the document: the board with the last turn and
what won, and below it both players with the states that a player must see, and who is at move.
Sides to be joined are not shown.  Colours differ in brightness or the second player's pieces carry
a ring, so both can be told apart in black and white.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import field, frozen

from rulewright.games.render import markup as e
from rulewright.games.render.markup import Paint, number
from rulewright.games.render.scene import Fact, Piece, Point, Scene, SceneLink, SceneSite
from rulewright.model.rules import NOBODY

CELL = 40.0
"""From one site to the next."""
RADIUS = {"cells": 0.36, "holes": 0.3, "points": 0.36, "lines": 0.34}
"""The radius of a piece by the style of a board, in cells."""
TEXT = 13.0
"""The font size of coordinates and of the players' names."""
LONGEST = 60
"""Characters of a state that are shown."""


@frozen(eq=False)
class _Drawing:
    """A scene with its distances in the units of the document."""

    scene: Scene
    notes: tuple[str, ...] = ()
    places: dict[int, Point] = field(init=False)
    paints: tuple[Paint, Paint, Paint] = field(init=False)
    lowest: float = field(init=False)
    """The y of the lowest site's middle."""
    bottom: float = field(init=False)
    width: float = field(init=False)
    height: float = field(init=False)

    def __attrs_post_init__(self) -> None:
        s = self.scene
        margin = CELL if s.named else CELL * 1.25
        places = {spot.site: self._at(spot.place, margin) for spot in s.spots}
        right = max(x for x, _ in places.values()) + CELL
        lowest = max(y for _, y in places.values())
        bottom = lowest + CELL * (0.75 if s.named else 1.25)
        texts = [*_legend(s), _status(s), *self.notes]
        wide = max(CELL / 2 + 20 + e.text_width(text, TEXT) + 8 for text in texts)
        object.__setattr__(self, "places", places)
        object.__setattr__(self, "paints", e.paints(s.players))
        object.__setattr__(self, "lowest", lowest)
        object.__setattr__(self, "bottom", bottom)
        object.__setattr__(self, "width", max(right, wide))
        object.__setattr__(self, "height", bottom + 22.0 * len(texts) + 6)

    @staticmethod
    def _at(place: Point, margin: float) -> Point:
        return margin + place[0] * CELL, CELL * 0.8 + place[1] * CELL

    def moved(self, spot: SceneSite, place: Point) -> Point:
        """A place of the scene near *spot*, in the document."""
        x, y = self.places[spot.site]
        return x + (place[0] - spot.place[0]) * CELL, y + (place[1] - spot.place[1]) * CELL

    @property
    def radius(self) -> float:
        """The radius of a piece."""
        return CELL * RADIUS[self.scene.style]


def scene_svg(
    scene: Scene,
    marks: Mapping[int, str] | None = None,
    heat: Mapping[int, float] | None = None,
    chosen: int | None = None,
    notes: Sequence[str] = (),
) -> str:
    """The SVG document of *scene*.

    *marks* are short texts by site, written in its corner; *heat* gives sites a glow, from 0 (pale)
    to 1.  The site that is *chosen* has a ring; *notes* are lines below everything else.
    """
    drawing = _Drawing(scene, tuple(notes))
    ring = [] if chosen is None else [_chosen(drawing, chosen)]
    body = [*_body(drawing, marks or {}, heat or {}), *ring, *_notes(drawing)]
    return "\n".join([*_head(drawing), *body, "</svg>"]) + "\n"


def _head(d: _Drawing) -> Iterator[str]:
    width, height = number(d.width), number(d.height)
    size = f'width="{width}" height="{height}"'
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {width} {height}" role="img"'
        f' aria-label="{e.escaped(d.scene.game)}" font-family="Helvetica, Arial, sans-serif">'
    )
    yield f'<rect {size} fill="{e.PAPER}"/>'


def _body(d: _Drawing, marks: Mapping[int, str], heat: Mapping[int, float]) -> Iterator[str]:
    yield from _ground(d)
    yield from _links(d)
    for spot in d.scene.spots:
        yield f'<g class="site"><title>{e.escaped(_title(d, spot))}</title>{_site(d, spot)}</g>'
    yield from _won(d)
    for site, share in heat.items():
        yield _glow(d.places[site], d.radius, share)
    if not d.scene.named:
        yield from _coordinates(d)
    for site, text in sorted(marks.items()):
        yield _mark(d, d.places[site], text)
    yield from _below(d)


# --- below the pieces ---


def _ground(d: _Drawing) -> Iterator[str]:
    """The board's edge, the grounds of sites, and the lines that it is drawn with."""
    if d.scene.framed:
        yield _frame(d)
    for spot in d.scene.spots:
        if spot.outline:
            yield _cell(d, spot)
        elif spot.site in d.scene.last | d.scene.left:
            yield e.disc(d.places[spot.site], d.radius * 1.35, _fill(d, spot), "none")
    for a, b in d.scene.strokes:
        yield e.line(d.places[a], d.places[b], e.EDGE, 1.5)
    for place in d.scene.dots:
        yield e.disc(d.moved(d.scene.spots[0], place), 5, e.EDGE, "none")


def _fill(d: _Drawing, spot: SceneSite) -> str:
    if spot.site in d.scene.last:
        return e.LAST
    return e.LEFT if spot.site in d.scene.left else e.BOARD


def _frame(d: _Drawing) -> str:
    xs, ys = zip(*d.places.values(), strict=True)
    cells = d.scene.style == "cells"
    half = CELL * (0.5 if cells else 0.6)
    return (
        f'<rect x="{number(min(xs) - half)}" y="{number(min(ys) - half)}" rx="{0 if cells else 6}"'
        f' width="{number(max(xs) - min(xs) + 2 * half)}"'
        f' height="{number(max(ys) - min(ys) + 2 * half)}"'
        f' fill="{e.PAPER if cells else e.BOARD}" stroke="{e.LINE}"/>'
    )


def _cell(d: _Drawing, spot: SceneSite) -> str:
    corners = (d.moved(spot, corner) for corner in spot.outline)
    points = " ".join(f"{number(x)},{number(y)}" for x, y in corners)
    return f'<polygon points="{points}" fill="{_fill(d, spot)}" stroke="{e.LINE}"/>'


def _links(d: _Drawing) -> Iterator[str]:
    """The links, those that the last turn removed first and faint."""
    for link in sorted(d.scene.links, key=lambda link: link.change != "gone"):
        yield _gone(d, link) if link.change == "gone" else _link(d, link)


def _gone(d: _Drawing, link: SceneLink) -> str:
    a, b = (d.places[end] for end in link.ends)
    return f'<g class="gone">{e.line(a, b, e.FAINT, 2, " stroke-dasharray=" + _DASHES)}</g>'


_DASHES = '"3 4"'


def _link(d: _Drawing, link: SceneLink) -> str:
    """A bar in its owner's colour; the second player's has a line along its middle."""
    a, b = (d.places[end] for end in link.ends)
    paint = d.paints[link.owner]
    won, new = d.scene.winning.issuperset(link.ends), link.change == "new"
    edge = e.WON if won else e.EDGE
    glow = e.line(a, b, e.LAST, 14) if new and not won else ""
    core = e.line(a, b, paint.ink, 1.2) if link.owner == 1 else ""
    bars = e.line(a, b, edge, 9 if won else 7) + e.line(a, b, paint.fill, 5) + core
    return f'{glow}<g class="link">{bars}</g>'


# --- sites ---


def _title(d: _Drawing, spot: SceneSite) -> str:
    if spot.piece is None:
        return spot.name
    owner, kind = spot.piece.owner, spot.piece.kind
    return f"{spot.name}: " + (kind if owner == NOBODY else f"{d.scene.players[owner]} {kind}")


def _site(d: _Drawing, spot: SceneSite) -> str:
    place = d.places[spot.site]
    if spot.piece is not None:
        return _bar(d, spot, spot.piece) if spot.bar else _piece(d, place, spot.piece)
    name = _name(d, spot) if d.scene.named else ""
    match d.scene.style:
        case "cells":
            return ""
        case "holes":
            return e.disc(place, 3.5, e.PAPER, e.FAINT)
        case "points":
            return e.disc(place, 2, e.LINE, "none") + name
        case "lines":
            return e.disc(place, 4, e.EDGE, "none") + name


def _piece(d: _Drawing, place: Point, piece: Piece) -> str:
    """A disc; the letter tells its kind where there are several, a ring the second player."""
    paint = d.paints[piece.owner]
    stone = e.stone(place, d.radius, paint, ringed=piece.owner == 1)
    if d.scene.kinds == 1:
        return stone
    return stone + e.words(place, piece.letter, d.radius, paint.ink, e.BOLD)


def _bar(d: _Drawing, spot: SceneSite, piece: Piece) -> str:
    """A piece that stands between two places without a site joins them."""
    a, b = (d.moved(spot, end) for end in spot.bar)
    return e.line(a, b, e.EDGE, 7) + e.line(a, b, d.paints[piece.owner].ink, 4)


def _name(d: _Drawing, spot: SceneSite) -> str:
    x, y = d.places[spot.site]
    size = min(10.0, CELL * 1.4 / max(1, len(spot.name)))
    return e.words((x, y + CELL * 0.28), spot.name, size, e.FAINT)


def _won(d: _Drawing) -> Iterator[str]:
    """A ring round every site that won."""
    for site in sorted(d.scene.winning):
        yield f'<g class="won">{e.disc(d.places[site], d.radius + 2, "none", e.WON, 4)}</g>'


def _glow(place: Point, radius: float, share: float) -> str:
    """A glow, the darker the larger its *share* (0 to 1), for prints in black and white too."""
    circle = f'cx="{number(place[0])}" cy="{number(place[1])}" r="{number(radius)}"'
    opacity = number(0.1 + 0.8 * share)
    return f'<circle class="heat" {circle} fill="#d35400" fill-opacity="{opacity}"/>'


def _mark(d: _Drawing, place: Point, text: str) -> str:
    """A short text in a site's corner: the upper right, of a hexagon the top one."""
    x, y = place
    corner = (x, y - CELL * 0.4) if d.scene.hexagonal else (x + CELL * 0.3, y - CELL * 0.36)
    lines = enumerate(reversed(text.split("\n")))
    words = [
        e.words((corner[0], corner[1] - 9 * up), line, 9, e.EDGE, e.HALO) for up, line in lines
    ]
    return f'<g class="mark">{"".join(words)}</g>'


def _chosen(d: _Drawing, site: int) -> str:
    """A ring round the place of the decision that is made."""
    rings = e.disc(d.places[site], d.radius + 1, "none", e.PAPER, 6)
    return f'<g class="chosen">{rings}{e.disc(d.places[site], d.radius + 1, "none", e.EDGE, 3)}</g>'


def _notes(d: _Drawing) -> Iterator[str]:
    """The last lines of the document."""
    y = d.height - 22.0 * len(d.notes)
    for text in d.notes:
        yield e.words((CELL / 2 - 7, y), text, TEXT, e.EDGE, more='class="note"')
        y += 22


# --- around the board ---


def _coordinates(d: _Drawing) -> Iterator[str]:
    """Row labels at the left and column labels below, following the slope of hexagons."""
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for spot in d.scene.spots:
        first.setdefault(spot.row, spot.site)
        last[spot.column] = spot.site
    for row, site in first.items():
        yield e.words(_before(d, site), d.scene.rows[row], TEXT, e.EDGE)
    for column, site in last.items():
        yield e.words(_under(d, site), d.scene.columns[column], TEXT, e.EDGE)


def _before(d: _Drawing, site: int) -> Point:
    x, y = d.places[site]
    return (x - CELL * 0.85 if d.scene.hexagonal else CELL * 0.35, y)


def _under(d: _Drawing, site: int) -> Point:
    x, y = d.places[site]
    if d.scene.hexagonal:
        return x + CELL * 0.36, y + CELL * 0.76
    return x, d.lowest + CELL * 0.88


# --- below the board ---


def _legend(scene: Scene) -> list[str]:
    """A line for each player: the name, and what that player has."""
    own = [fact for fact in scene.facts if len(fact.values) > 1]
    return [
        "   ".join([name, *(f"{fact.name}: {_cut(fact.values[i])}" for fact in own)])
        for i, name in enumerate(scene.players)
    ]


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "\u2026"


def _status(scene: Scene) -> str:
    """The status line: the player at move or the winner, shared states, and the last turn."""
    if scene.mover:
        verdict = f"{scene.mover} to move"
    else:
        verdict = f"{scene.winner} wins" if scene.winner else "draw"
    shared: list[Fact] = [fact for fact in scene.facts if len(fact.values) == 1]
    parts = [verdict, *(f"{fact.name}: {_cut(fact.values[0])}" for fact in shared)]
    return ", ".join(parts + [f"last: {_cut(scene.last_turn)}"] * bool(scene.last_turn))


def _below(d: _Drawing) -> Iterator[str]:
    x, y = CELL / 2, d.bottom + 12
    for owner, text in enumerate(_legend(d.scene)):
        if d.scene.mover == d.scene.players[owner]:
            yield f'<g class="mover">{e.disc((x, y), 10, e.LAST, e.EDGE)}</g>'
        yield e.stone((x, y), 7, d.paints[owner], ringed=owner == 1)
        yield e.words((x + 16, y), text, TEXT, e.EDGE, more='xml:space="preserve"')
        y += 22
    yield e.words((x - 7, y), _status(d.scene), TEXT, e.EDGE, more='class="status"')
