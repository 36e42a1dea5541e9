"""Markup: the elements that drawings are made of (SVG), tables (HTML), and the colours of players.

In: places, sizes, colours, numbers and any text.  Out: well-formed XML; what comes from files is
never markup: characters that XML does not allow and those that turn the direction of a line are
replaced by U+FFFD.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from unicodedata import east_asian_width

from attrs import frozen

from rulewright.games.render.scene import Point

CENTRED = 'text-anchor="middle"'
BOLD = f'{CENTRED} font-weight="bold"'
HALO = f'{CENTRED} stroke="#ffffff" stroke-width="2" paint-order="stroke"'

PAPER, BOARD, LINE, EDGE, FAINT = "#ffffff", "#f6efe0", "#a79c86", "#222222", "#6f6858"
LAST, LEFT, WON = "#ffd84d", "#fff0b3", "#12a150"
"""Grounds of sites that the last turn reached and left, and the ring of those that won."""

_REMEMBERED = 4096
"""Places and names of one game's drawings, which are the same in all of them."""
_REFUSED = re.compile(
    "[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
    "|[\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
)


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


def paints(players: tuple[str, str]) -> tuple[Paint, Paint, Paint]:
    """The colours of both players and of nobody."""
    first, second = players
    if first in COLOURS and second in COLOURS:
        return COLOURS[first], COLOURS[second], NEUTRAL
    return *PLAYERS, NEUTRAL


@lru_cache(_REMEMBERED)
def number(value: float) -> str:
    """A number as text, rounded to one decimal; whole numbers have none."""
    return f"{round(value, 1):g}"


@lru_cache(_REMEMBERED)
def escaped(text: str) -> str:
    """A text escaped for content and attributes; characters that XML lacks become U+FFFD."""
    return html.escape(_REFUSED.sub("\ufffd", text))


def text_width(text: str, size: float) -> float:
    """The width of *text* at a font *size*, in its units; an estimate without the font."""
    return size * sum(1.0 if east_asian_width(c) in "WF" else 0.6 for c in text)


def line(a: Point, b: Point, colour: str, width: float, more: str = "") -> str:
    """A straight line; *more* are further attributes."""
    return (
        f'<line x1="{number(a[0])}" y1="{number(a[1])}" x2="{number(b[0])}" y2="{number(b[1])}"'
        f' stroke="{colour}" stroke-width="{number(width)}"{more}/>'
    )


def disc(place: Point, radius: float, fill: str, stroke: str, width: float = 1) -> str:
    """A circle, filled, with an edge *width* thick."""
    x, y = map(number, place)
    thick = "" if width == 1 else f' stroke-width="{number(width)}"'
    return (
        f'<circle cx="{x}" cy="{y}" r="{number(radius)}" fill="{fill}" stroke="{stroke}"{thick}/>'
    )


def stone(place: Point, radius: float, paint: Paint, ringed: bool) -> str:
    """A piece; the ring tells the second player's in black and white."""
    ring = disc(place, radius * 0.78, "none", paint.ink) if ringed else ""
    return disc(place, radius, paint.fill, EDGE) + ring


def words(place: Point, text: str, size: float, colour: str, more: str = CENTRED) -> str:
    """A text at the height of *place*, by default centred there."""
    x, y = place
    return (
        f'<text x="{number(x)}" y="{number(y + size * 0.35)}" font-size="{number(size)}"'
        f' fill="{colour}" {more}>{escaped(text)}</text>'
    )


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table with a line above it; whole numbers and floats stand to the right."""
    cells = "".join(f"<th>{escaped(name)}</th>" for name in head)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return (
        f"<table><caption>{escaped(caption)}</caption>"
        f"<thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"
    )


def rich(record: object, head: Sequence[str], rows: Iterable[Sequence[object]]) -> dict[str, str]:
    """The forms of a record for a notebook: a table below its `repr`, and the `repr` as text."""
    text = repr(record)
    return {"text/plain": text, "text/html": table(text.strip("<>"), head, rows)}


def _cell(value: object) -> str:
    if isinstance(value, int | float):
        return f'<td style="text-align: right">{value:.4g}</td>'
    return f"<td>{escaped('' if value is None else str(value))}</td>"
