"""Markup: the elements that drawings are made of (SVG), and tables (HTML).

In: places, sizes, colours, numbers and any text.  Out: well-formed XML; what comes from files is
never markup: characters that XML does not allow and those that turn the direction of a line are
replaced by U+FFFD.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import blake2s
from unicodedata import east_asian_width

from rulewright.games.render.drawing import Point

CENTRED = 'text-anchor="middle"'
BOLD = f'{CENTRED} font-weight="bold"'

_REMEMBERED = 4096
"""Places and names of one game's drawings, which are the same in all of them."""
_NAME = re.compile(r"--rw-[0-9A-Fa-f]{6}-[0-9A-Fa-f]{6}|(?<=[\"#])o[0-9a-f]{12}")
"""Names that `content_id` and the colours of both themes give."""
_REFUSED = re.compile(
    "[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
    "|[\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
)


@lru_cache(_REMEMBERED)
def number(value: float) -> str:
    """A number as text, rounded to one decimal; whole numbers have none."""
    return f"{round(value, 1):g}"


@lru_cache(_REMEMBERED)
def escaped(text: str) -> str:
    """A text escaped for content and attributes; characters that XML lacks become U+FFFD."""
    return html.escape(_REFUSED.sub("\ufffd", text))


def content_id(prefix: str, text: str) -> str:
    """Name *text* by what it is: pictures that one page shows share no id for different things."""
    return prefix + blake2s(text.encode(), digest_size=6).hexdigest()


def with_brief_names(text: str) -> str:
    """Shorten the names of colours and outlines in a picture that stands alone, as an image."""
    names = {
        name: f"{'--c' if name[0] == '-' else 'o'}{i}" for i, name in enumerate(_names_in(text))
    }
    return _NAME.sub(lambda match: names[match[0]], text)


def _names_in(text: str) -> list[str]:
    return list(dict.fromkeys(_NAME.findall(text)))


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
