"""A position as a drawing: one self-contained SVG document, on screen and on paper.

In: the rules in motion, a position, and short texts to write at sites.  Out: the document.  The way
a board is drawn follows from the model alone (see `_style`); sides to be joined are not shown.
Colours differ in brightness or the second player's pieces carry a ring, so both can be told apart
in black and white.
"""

from __future__ import annotations

import html
import math
from collections.abc import Iterator, Mapping
from itertools import combinations, pairwise
from typing import Literal, TypeAlias

from attrs import field, frozen

from rulewright.model.board import Board, bits, letters
from rulewright.model.rules import NOBODY, Rules
from rulewright.reference.play import Play
from rulewright.reference.position import Position

Point: TypeAlias = tuple[float, float]
Style: TypeAlias = Literal["cells", "holes", "points", "lines"]

CELL = 40.0
"""From one site to the next."""
ROW = math.sqrt(3) / 2
"""From one row of hexagons to the next, in cells."""
RADIUS = {"cells": 0.36, "holes": 0.3, "points": 0.36, "lines": 0.34}
"""Of a piece, in cells."""
TEXT = 13.0
"""Size of coordinates and of the players' names."""

CENTRED = 'text-anchor="middle"'
BOLD = f'{CENTRED} font-weight="bold"'
HALO = f'{CENTRED} stroke="#ffffff" stroke-width="2" paint-order="stroke"'

PAPER, BOARD, LINE, EDGE, FAINT = "#ffffff", "#f6efe0", "#a79c86", "#222222", "#8a8272"


@frozen
class Paint:
    """A colour, and one for what is written on it."""

    fill: str
    ink: str


PLAYERS = (Paint("#c0392b", "#ffffff"), Paint("#2c5aa0", "#ffffff"))
NEUTRAL = Paint("#b4b4b4", "#222222")
COLOURS = {
    "white": Paint("#ffffff", "#222222"),
    "black": Paint("#2b2b2b", "#ffffff"),
    "red": PLAYERS[0],
    "blue": PLAYERS[1],
    "yellow": Paint("#f2c230", "#222222"),
}
"""Players called by one of these colours have it; everyone can tell any two of them apart."""


@frozen(eq=False)
class _Drawing:
    """What is drawn: `places` are the middles of the sites, `named` says that sites show names."""

    play: Play
    position: Position
    style: Style
    places: dict[int, Point]
    named: bool
    paints: tuple[Paint, Paint, Paint]
    width: float = field(init=False)
    height: float = field(init=False)

    def __attrs_post_init__(self) -> None:
        right = max(x for x, _ in self.places.values()) + CELL
        bottom = max(y for _, y in self.places.values()) + CELL * (1.0 if self.named else 1.25)
        object.__setattr__(self, "width", max(right, _legend_places(self)[-1]))
        object.__setattr__(self, "height", bottom + CELL)

    @property
    def rules(self) -> Rules:
        return self.play.rules

    @property
    def board(self) -> Board:
        return self.play.rules.board


def position_svg(
    play: Play,
    position: Position,
    marks: Mapping[int, str] | None = None,
    heat: Mapping[int, float] | None = None,
) -> str:
    """The SVG document of *position*; *marks* are short texts by site, written in its corner.

    *heat* gives sites a glow, from 0 (pale) to 1.
    """
    board = play.rules.board
    named = _shows_names(board)
    drawing = _Drawing(
        play=play,
        position=position,
        style=_style(play.rules, named),
        places=_places(board, CELL if named else CELL * 1.25),
        named=named,
        paints=_paints(play.rules.players),
    )
    body = _body(drawing, marks or {}, heat or {})
    return "\n".join([*_head(drawing), *body, "</svg>"]) + "\n"


def _head(d: _Drawing) -> Iterator[str]:
    size = f'width="{_n(d.width)}" height="{_n(d.height)}"'
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {_n(d.width)} {_n(d.height)}"'
        f' role="img" aria-label="{_e(d.rules.name)}" font-family="Helvetica, Arial, sans-serif">'
    )
    yield f'<rect {size} fill="{PAPER}"/>'


def _body(d: _Drawing, marks: Mapping[int, str], heat: Mapping[int, float]) -> Iterator[str]:
    yield from _ground(d)
    yield from _links(d)
    for site, place in d.places.items():
        yield f'<g class="site"><title>{_e(_title(d, site))}</title>{_site(d, site, place)}</g>'
    for site, share in heat.items():
        yield _glow(d.places[site], RADIUS[d.style] * CELL, share)
    if not d.named:
        yield from _coordinates(d)
    for site, text in sorted(marks.items()):
        yield _mark(d, d.places[site], text)
    yield from _legend(d)


# --- where sites stand, and how they look ---


def _shows_names(board: Board) -> bool:
    """Whether sites have names that rows and columns would not tell."""
    return any(
        board.names[i] != f"{letters(board.columns[i] + 1)}{board.numbers[i]}"
        for i in bits(board.sites)
    )


def _style(rules: Rules, named: bool) -> Style:
    """Drawn lines, points with names, holes where links can be, else cells."""
    if rules.board.shape == "graph":
        return "lines"
    if named:
        return "points"
    return "holes" if rules.links else "cells"


def _places(board: Board, margin: float) -> dict[int, Point]:
    """The middle of every site that is left, moved so that *margin* is left and above them."""
    raw = {i: _raw_place(board, i) for i in bits(board.sites)}
    scale = CELL / _nearest(raw) if board.shape == "graph" else CELL
    left = min(x for x, _ in raw.values())
    top = min(y for _, y in raw.values())
    return {
        i: (margin + (x - left) * scale, CELL * 0.8 + (y - top) * scale)
        for i, (x, y) in raw.items()
    }


def _raw_place(board: Board, site: int) -> Point:
    column, row = board.columns[site], board.rows[site]
    return (column + row / 2, row * ROW) if board.hexagonal else (column, row)


def _nearest(places: Mapping[int, Point]) -> float:
    return min((math.dist(a, b) for a, b in combinations(places.values(), 2)), default=1.0)


def _paints(players: tuple[str, str]) -> tuple[Paint, Paint, Paint]:
    first, second = players
    if first in COLOURS and second in COLOURS:
        return COLOURS[first], COLOURS[second], NEUTRAL
    return *PLAYERS, NEUTRAL


# --- below the pieces ---


def _ground(d: _Drawing) -> Iterator[str]:
    """The board's edge where it is a rectangle, and the lines that it is drawn with."""
    if d.board.shape == "square":
        yield _frame(d)
    for path in d.board.paths:
        for pair in pairwise(path):
            yield _line(d.places[pair[0]], d.places[pair[1]], EDGE, 1.5)


def _frame(d: _Drawing) -> str:
    xs, ys = zip(*d.places.values(), strict=True)
    half = CELL * (0.5 if d.style == "cells" else 0.6)
    rounded = 0 if d.style == "cells" else 6
    fill = PAPER if d.style == "cells" else BOARD
    return (
        f'<rect x="{_n(min(xs) - half)}" y="{_n(min(ys) - half)}" rx="{rounded}"'
        f' width="{_n(max(xs) - min(xs) + 2 * half)}" height="{_n(max(ys) - min(ys) + 2 * half)}"'
        f' fill="{fill}" stroke="{LINE}"/>'
    )


def _links(d: _Drawing) -> Iterator[str]:
    for table, links in zip(d.play.links, d.position.links, strict=True):
        for number in bits(links):
            yield _link(d, *table.ends[number])


def _link(d: _Drawing, a: int, b: int) -> str:
    """A bar in its owner's colour; the second player's has a line along its middle."""
    owner, ends = _link_owner(d.position, a, b), (d.places[a], d.places[b])
    paint = d.paints[owner]
    core = _line(*ends, paint.ink, 1.2) if owner == 1 else ""
    bars = _line(*ends, EDGE, 7) + _line(*ends, paint.fill, 5) + core
    return f'<g class="link">{bars}</g>'


def _link_owner(position: Position, a: int, b: int) -> int:
    pieces = (position.piece(1 << a), position.piece(1 << b))
    owners = {piece[0] for piece in pieces if piece}
    return owners.pop() if len(owners) == 1 else NOBODY


# --- sites ---


def _title(d: _Drawing, site: int) -> str:
    name, piece = d.board.names[site], d.position.piece(1 << site)
    if piece is None:
        return name
    owner, kind = piece
    what = d.rules.kinds[kind].name
    return f"{name}: {what}" if owner == NOBODY else f"{name}: {d.rules.players[owner]} {what}"


def _site(d: _Drawing, site: int, place: Point) -> str:
    piece = d.position.piece(1 << site)
    if piece is not None:
        below = _cell(d, place) if d.style == "cells" else ""
        return below + _piece(d, place, *piece)
    name = _name(d, site, place) if d.named else ""
    match d.style:
        case "cells":
            return _cell(d, place)
        case "holes":
            return _disc(place, 3.5, PAPER, FAINT)
        case "points":
            return _disc(place, 2, LINE, "none") + name
        case "lines":
            return _disc(place, 4, EDGE, "none") + name


def _cell(d: _Drawing, place: Point) -> str:
    x, y = place
    if d.board.hexagonal:
        radius = CELL / math.sqrt(3)
        turns = [math.pi * (k / 3 + 0.5) for k in range(6)]
        corners = [(x + radius * math.cos(t), y + radius * math.sin(t)) for t in turns]
        points = " ".join(f"{_n(a)},{_n(b)}" for a, b in corners)
        return f'<polygon points="{points}" fill="{BOARD}" stroke="{LINE}"/>'
    return (
        f'<rect x="{_n(x - CELL / 2)}" y="{_n(y - CELL / 2)}" width="{_n(CELL)}"'
        f' height="{_n(CELL)}" fill="{BOARD}" stroke="{LINE}"/>'
    )


def _piece(d: _Drawing, place: Point, owner: int, kind: int) -> str:
    """A disc; the letter tells its kind where there are several, a ring the second player."""
    paint, radius = d.paints[owner], CELL * RADIUS[d.style]
    disc = _stone(place, radius, paint, ringed=owner == 1)
    letter = d.rules.kinds[kind].letters[owner] if len(d.rules.kinds) > 1 else ""
    return disc + (_text(place, letter, radius, paint.ink, BOLD) if letter else "")


def _stone(place: Point, radius: float, paint: Paint, ringed: bool) -> str:
    ring = _disc(place, radius * 0.78, "none", paint.ink) if ringed else ""
    return _disc(place, radius, paint.fill, EDGE) + ring


def _name(d: _Drawing, site: int, place: Point) -> str:
    name = d.board.names[site]
    size = min(10.0, CELL * 1.4 / max(1, len(name)))
    return _text((place[0], place[1] + CELL * 0.28), name, size, FAINT)


def _glow(place: Point, radius: float, share: float) -> str:
    """The warmer the better, and darker too, for prints in black and white."""
    circle = f'cx="{_n(place[0])}" cy="{_n(place[1])}" r="{_n(radius)}"'
    return f'<circle class="heat" {circle} fill="#d35400" fill-opacity="{_n(0.1 + 0.8 * share)}"/>'


def _mark(d: _Drawing, place: Point, text: str) -> str:
    """A short text in a site's corner: the upper right, of a hexagon the top one."""
    x, y = place
    corner = (x, y - CELL * 0.4) if d.board.hexagonal else (x + CELL * 0.3, y - CELL * 0.36)
    return f'<g class="mark">{_text(corner, text, 9, EDGE, HALO)}</g>'


# --- around the board ---


def _coordinates(d: _Drawing) -> Iterator[str]:
    """Row numbers at the left and column letters below, following the slope of hexagons."""
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for site in d.places:
        first.setdefault(d.board.rows[site], site)
        last[d.board.columns[site]] = site
    for site in first.values():
        yield _text(_before(d, site), str(d.board.numbers[site]), TEXT, EDGE)
    for column, site in last.items():
        yield _text(_below(d, site), letters(column + 1), TEXT, EDGE)


def _before(d: _Drawing, site: int) -> Point:
    x, y = d.places[site]
    return (x - CELL * 0.85 if d.board.hexagonal else CELL * 0.35, y)


def _below(d: _Drawing, site: int) -> Point:
    x, y = d.places[site]
    if d.board.hexagonal:
        return x + CELL * 0.36, y + CELL * 0.76
    return x, max(b for _, b in d.places.values()) + CELL * 0.88


def _legend_places(d: _Drawing) -> tuple[float, float, float]:
    """Where both players' signs stand from the left, and where the second's name ends."""
    wide = [32 + TEXT * 0.62 * len(name) for name in d.rules.players]
    return CELL / 2, CELL / 2 + wide[0], CELL / 2 + sum(wide)


def _legend(d: _Drawing) -> Iterator[str]:
    y = d.height - CELL * 0.55
    for owner, name in enumerate(d.rules.players):
        x = _legend_places(d)[owner]
        yield _stone((x, y), 7, d.paints[owner], ringed=owner == 1)
        yield _text((x + 13, y), name, TEXT, EDGE, more="")


# --- elements ---


def _n(value: float) -> str:
    return f"{round(value, 1):g}"


def _e(text: str) -> str:
    return html.escape(text)


def _line(a: Point, b: Point, colour: str, width: float) -> str:
    return (
        f'<line x1="{_n(a[0])}" y1="{_n(a[1])}" x2="{_n(b[0])}" y2="{_n(b[1])}"'
        f' stroke="{colour}" stroke-width="{_n(width)}"/>'
    )


def _disc(place: Point, radius: float, fill: str, stroke: str) -> str:
    x, y = place
    return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" fill="{fill}" stroke="{stroke}"/>'


def _text(place: Point, text: str, size: float, colour: str, more: str = CENTRED) -> str:
    x, y = place
    return (
        f'<text x="{_n(x)}" y="{_n(y + size * 0.35)}" font-size="{_n(size)}" fill="{colour}"'
        f" {more}>{_e(text)}</text>"
    )
