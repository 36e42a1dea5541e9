"""The bundled drawings of pieces: read from `drawings.toml`, painted in the colours of a side.

In: the name of a drawing, or a path of somebody's own, a colour, an owner.  Out: markup around the
point 0, 0 in a box of 100 by 100.  A path holds the letters of path data and numbers, nothing else:
whatever a look says, it can only draw.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from attrs import frozen

from rulewright.games.render.dressing import Colour
from rulewright.games.render.markup import BOLD, number, words
from rulewright.games.render.paints import piece_paints
from rulewright.ground.disk import read_text

_PATH = re.compile(  # possessive: else a long number is split in all ways
    r"\s*+[Mm](?:[MmLlHhVvCcSsQqTtAaZz\s,]|[-+]?(?:\d{1,6}+(?:\.\d{0,6}+)?+|\.\d{1,6}+))*+"
)
_LONGEST = 4000
"""Characters of a path."""


def is_path(text: str) -> bool:
    """Whether *text* is path data, and no longer than a drawing needs."""
    return len(text) <= _LONGEST and _PATH.fullmatch(text) is not None


@frozen
class PathPart:
    """A path of a drawing with the roles of its fill and its line; for one owner, or all."""

    path: str = ""
    fill: str = "none"
    line: str = ""
    width: float = 0
    opacity: float = 1
    owner: int | None = None


@frozen
class PieceDrawing:
    """A drawing: its parts, the lowest first, and its size in boxes of a site."""

    parts: tuple[PathPart, ...]
    size: float = 1
    outline: str = ""
    """The path of parts that have none."""
    sign: tuple[float, float, float] | None = None
    """The middle of a sign on it, and its size in a box; None where it bears none."""
    faces: bool = False
    """Whether it stands upside down for the second player."""


@frozen
class Sign:
    """A sign that a piece bears: strokes, what is filled, and holes in that."""

    lines: str = ""
    width: float = 8.5
    solid: str = ""
    holes: str = ""
    bright: bool = False
    size: float = 1


@cache
def _rows() -> dict[str, dict[str, Any]]:
    return tomllib.loads(read_text(Path(__file__).with_name("drawings.toml")))


def drawing_names() -> frozenset[str]:
    """The names of all bundled drawings; `bar` and `letter` have no form of their own."""
    return frozenset(_rows())


@cache
def piece_drawings() -> Mapping[str, PieceDrawing]:
    """All bundled drawings by name."""
    return MappingProxyType({name: _drawing(row) for name, row in _rows().items()})


def _drawing(row: dict[str, Any]) -> PieceDrawing:
    """The drawing of a row; the file is ours, so nobody needs a reader of JSON for it."""
    parts, sign = tuple(PathPart(**part) for part in row["parts"]), row.get("sign")
    return PieceDrawing(**{**row, "parts": parts, "sign": tuple(sign) if sign else None})


@cache
def signs() -> Mapping[str, Sign]:
    """All bundled signs by name."""
    rows = tomllib.loads(read_text(Path(__file__).with_name("signs.toml")))
    return MappingProxyType({name: Sign(**row) for name, row in rows.items()})


@cache
def drawing_words() -> Mapping[str, frozenset[str]]:
    """The names of drawings, of signs, and of the drawings that bear a sign."""
    bearers = frozenset(name for name, drawing in piece_drawings().items() if drawing.sign)
    return {"drawing": drawing_names(), "sign": frozenset(signs()), "bearer": bearers}


def own_drawing(path: str, of_side: bool = False) -> PieceDrawing:
    """The drawing of a path of somebody's own; one *of_side* tells the sides apart by itself."""
    plain = PathPart(fill="edge", line="edge", width=6), PathPart(fill="fill")
    parts = plain if of_side else (*plain, _core())
    return PieceDrawing(parts, outline=own_path(path))


def own_path(text: str) -> str:
    """Path data of somebody's own; a square where it is none."""
    return text if is_path(text) else "M30 30H70V70H30z"


def _core() -> PathPart:
    return PathPart("M43 50a7 7 0 1 0 14 0a7 7 0 1 0 -14 0z", "light", opacity=0.85, owner=1)


@cache
def piece_markup(
    drawing: PieceDrawing, colour: Colour, owner: int, letter: str = "", sign: Sign | None = None
) -> str:
    """The markup of a drawing around 0, 0; a *letter* stands in its middle, or a *sign* on it."""
    parts = "".join(_painted(drawing, piece_paints(colour), owner))
    text = words((50, 50), letter, 42, piece_paints(colour)["text"], BOLD) if letter else ""
    if sign is not None and drawing.sign is not None:
        text = _sign_markup(sign, drawing.sign, colour)
    return f'<g transform="translate(-50 -50)">{parts}{text}</g>'


def _sign_markup(sign: Sign, place: tuple[float, float, float], colour: Colour) -> str:
    """The markup of a sign, its middle at a place of its piece."""
    x, y, scale = place
    paints = piece_paints(colour)
    ink = paints["bright" if sign.bright else "text"]
    joins = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'
    solid = f'<path d="{sign.solid}" fill="{ink}"/>' if sign.solid else ""
    holes = f'<path d="{sign.holes}" fill="{paints["fill"]}" fill-rule="evenodd"/>'
    lines = f'<path d="{sign.lines}" stroke="{ink}" stroke-width="{number(sign.width)}" {joins}/>'
    at = f"translate({x:g} {y:g}) scale({scale * sign.size:g}) translate(-50 -50)"
    drawn = solid + (holes if sign.holes else "") + (lines if sign.lines else "")
    return f'<g transform="{at}">{drawn}</g>'


def rotated(markup: str, degrees: int | None) -> str:
    """Markup turned clockwise around 0, 0."""
    return f'<g transform="rotate({degrees})">{markup}</g>' if degrees else markup


def _painted(drawing: PieceDrawing, paints: Mapping[str, str], owner: int) -> Iterator[str]:
    for part in drawing.parts:
        if part.owner not in (None, owner):
            continue
        line = ""
        if part.line:
            joins = 'stroke-linejoin="round" stroke-linecap="round"'
            line = f' stroke="{paints[part.line]}" stroke-width="{number(part.width)}" {joins}'
        faint = f' opacity="{part.opacity:g}"' if part.opacity < 1 else ""
        fill = paints.get(part.fill, "none")
        yield f'<path d="{part.path or drawing.outline}" fill="{fill}"{line}{faint}/>'
