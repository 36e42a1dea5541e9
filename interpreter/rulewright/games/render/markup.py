"""Markup: the elements that drawings are made of (SVG), and tables (HTML).

In: places, sizes, colours, numbers and any text.  Out: well-formed XML; what comes from files is
never markup: characters that XML does not allow and those that turn the direction of a line are
replaced by U+FFFD.  Of a path's data the points that it runs through.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterable, Iterator, Sequence
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


# --- how far path data reach ---

_WORD = re.compile(r"[A-Za-z]|[-+]?(?:\d+\.?\d*|\.\d+)")
_TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
_SAMPLES = 24
"""Points of a curve that are looked at."""


def path_points(data: str) -> Iterator[Point]:
    """Points that a path runs through: all corners, and some of each curve."""
    at, start, numbers, command = (0.0, 0.0), (0.0, 0.0), list[float](), ""
    for word in _WORD.findall(data):
        if word.isalpha():
            command, numbers = word, []
        else:
            numbers.append(float(word))
        if command.upper() == "Z":
            at = start
        elif len(numbers) == _TAKES.get(command.upper(), 0):
            *bends, at_next = _corners(command, numbers, at)
            yield from _curve(command.upper(), numbers, (at, *bends, at_next))
            start = at_next if command in "Mm" else start
            at, numbers = at_next, []


def _corners(command: str, numbers: Sequence[float], at: Point) -> list[Point]:
    """The points that the numbers of a command say, the last one where it ends."""
    dx, dy = at if command.islower() else (0.0, 0.0)
    match command.upper():
        case "H":
            return [(numbers[0] + dx, at[1])]
        case "V":
            return [(at[0], numbers[0] + dy)]
        case "A":
            return [(numbers[5] + dx, numbers[6] + dy)]
        case _:
            pairs = zip(numbers[::2], numbers[1::2], strict=True)
            return [(x + dx, y + dy) for x, y in pairs]


def _curve(command: str, numbers: Sequence[float], corners: Sequence[Point]) -> Iterator[Point]:
    """Points from the first corner to the last, with bends between them."""
    if command == "A":
        yield from _arc(corners[0], corners[1], numbers)
    elif command == "C":
        for step in range(_SAMPLES + 1):
            t = step / _SAMPLES
            shares = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            x, y = (sum(s * c[i] for s, c in zip(shares, corners, strict=True)) for i in (0, 1))
            yield x, y
    else:
        yield from corners[command == "M" :]


def _arc(a: Point, b: Point, numbers: Sequence[float]) -> Iterator[Point]:
    """Points of an arc of an ellipse that lies along the axes."""
    rx, ry, _, large, sweep = numbers[:5]
    if not (rx and ry):
        yield from (a, b)
        return
    (ax, ay), (bx, by) = (a[0] / rx, a[1] / ry), (b[0] / rx, b[1] / ry)
    half = math.hypot(bx - ax, by - ay) / 2
    away = math.sqrt(max(0.0, 1 - half * half)) * (-1 if large == sweep else 1) / (half or 1)
    x, y = (ax + bx - away * (by - ay)) / 2, (ay + by + away * (bx - ax)) / 2
    first, last = math.atan2(ay - y, ax - x), math.atan2(by - y, bx - x)
    turn = (last - first) % math.tau if sweep else -((first - last) % math.tau)
    radius = max(1.0, half)
    for step in range(_SAMPLES + 1):
        angle = first + turn * step / _SAMPLES
        yield (x + radius * math.cos(angle)) * rx, (y + radius * math.sin(angle)) * ry
