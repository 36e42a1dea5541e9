"""A font in which each letter is a bar: pictures of pages are alike wherever they are taken.

In: nothing.  Out: the bytes of the font (TrueType), with the letters up to U+27FF.
"""

from __future__ import annotations

import base64
from struct import pack

EM, WIDE, HIGH = 1000, 500, 480
_LETTERS = range(0x20, 0x2800)
_BLANK = (0x20, 0xA0)
_BAR = [(40, 0), (40, HIGH), (WIDE - 40, HIGH), (WIDE - 40, 0)]


def style() -> str:
    """A style sheet by which a page is written in bars."""
    data = base64.b64encode(font()).decode()
    source = f"@font-face{{font-family:greek;src:url(data:font/ttf;base64,{data})}}"
    return f"{source}*,*::before,*::after{{font-family:greek!important;font-weight:400!important}}"


def font() -> bytes:
    """The whole font: its tables, each with its checksum and its place."""
    tables = {
        b"OS/2": _os2(), b"cmap": _cmap(), b"glyf": _bar(), b"head": _head(),
        b"hhea": pack(">IhhhHhhhhhh8xhH", 0x10000, 800, -200, 0, WIDE, 0, 0, WIDE, 1, 0, 0, 0, 2),
        b"hmtx": pack(">HhHh", WIDE, 0, WIDE, 40),
        b"loca": pack(">III", 0, 0, len(_bar())),
        b"maxp": pack(">IHHHHHHHHHHHHHH", 0x10000, 2, 4, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0),
        b"name": _name(), b"post": pack(">IIhhI16x", 0x30000, 0, -100, 50, 0),
    }  # fmt: skip
    at = 12 + 16 * len(tables)
    head, body = pack(">IHHHH", 0x10000, len(tables), 128, 3, 32), b""
    for tag, data in sorted(tables.items()):
        padded = data + bytes(-len(data) % 4)
        words = [int.from_bytes(padded[i : i + 4]) for i in range(0, len(padded), 4)]
        head += pack(">4sIII", tag, sum(words) % 2**32, at + len(body), len(data))
        body += padded
    return head + body


def _head() -> bytes:
    return pack(
        ">IIIIHH16xhhhhHHhhh",
        0x10000,
        0x10000,
        0,
        0x5F0F3CF5,
        3,
        EM,
        0,
        0,
        WIDE,
        HIGH,
        0,
        8,
        2,
        1,
        0,
    )


def _os2() -> bytes:
    """Version 4 of the table, with its metrics and nothing else."""
    first = pack(">HhHHH", 4, WIDE, 400, 5, 0) + bytes(2 * 11 + 10 + 16) + b"rwgk"
    rest = pack(">HHHhhhHHII", 64, 0x20, 0x27FF, 800, -200, 0, 800, 200, 1, 0)
    return first + rest + pack(">hhHHH", HIGH, 700, 0, 0x20, 1)


def _cmap() -> bytes:
    """A table of format 4 whose one segment names the glyph of each letter."""
    glyphs = b"".join(pack(">H", letter not in _BLANK) for letter in _LETTERS)
    ends = pack(">HHH", _LETTERS[-1], 0xFFFF, 0)
    starts = pack(">HH", _LETTERS[0], 0xFFFF) + pack(">HH", 0, 1) + pack(">HH", 4, 0)
    table = pack(">HHHH", 4, 4, 1, 0) + ends + starts + glyphs
    return pack(">HHHHI", 0, 1, 3, 1, 12) + pack(">HHH", 4, len(table) + 6, 0) + table


def _bar() -> bytes:
    """The outline of a letter; the empty one has none."""
    points = [(x - before[0], y - before[1]) for (x, y), before in zip(_BAR, [(0, 0), *_BAR])]  # noqa: B905
    flags = bytes([1] * len(points))
    places = b"".join(pack(">h", x) for x, _ in points) + b"".join(pack(">h", y) for _, y in points)
    outline = pack(">hhhhhHH", 1, 40, 0, WIDE - 40, HIGH, len(points) - 1, 0) + flags + places
    return outline + bytes(-len(outline) % 4)


def _name() -> bytes:
    text = "greek".encode("utf-16-be")
    records = b"".join(
        pack(">HHHHHH", 3, 1, 0x409, number, len(text), 0) for number in (1, 2, 3, 4, 6)
    )
    return pack(">HHH", 0, 5, 6 + len(records)) + records + text
