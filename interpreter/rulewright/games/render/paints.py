"""The colours of drawings: each has a value in the light and in the dark theme.

In: colours of a dressing.  Out: the paints of pieces by role, and markup whose colours are those
of one theme, or of the reader's.  Until then a colour in markup is a CSS variable whose name holds
both values, `--rw-RRGGBB-RRGGBB`: equal ones mean the same on every board of a page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Literal, TypeAlias

from rulewright.games.render.dressing import Colour
from rulewright.games.render.palette import contrast, palette

Theme: TypeAlias = Literal["light", "dark", "both"]
_VARIABLE = re.compile(r"var\(--rw-([0-9A-F]{6})-([0-9A-F]{6})\)")
BLACK, WHITE = "#000000", "#FFFFFF"
SHADE, SHINE = Colour("", BLACK, BLACK), Colour("", WHITE, WHITE)
PAGE = Colour("", "#F4F5F2", "#111614")
"""What a board lies on."""
NOBODY_S = Colour("", "#9AA5A0", "#8A968F")
"""The colour of pieces that belong to nobody."""
READABLE = 4.5
"""The contrast that letters need."""
HEAT = Colour("", "#0B6B58", "#4CC9AC")
"""How good decisions are."""


def variable(colour: Colour) -> str:
    """A colour as markup has it until its theme is known."""
    return f"var(--rw-{colour.light[1:].upper()}-{colour.dark[1:].upper()})"


def in_theme(markup: str, theme: Theme) -> str:
    """*markup* with the colours of a theme; for `both` they stay variables."""
    if theme == "both":
        return markup
    return _VARIABLE.sub(rf"#\{1 if theme == 'light' else 2}", markup)


def theme_style(markup: str) -> str:
    """The rules of CSS that give the colours of *markup* the values of the reader's theme."""
    pairs = sorted(set(_VARIABLE.findall(markup)))
    light = "".join(f"--rw-{a}-{b}:#{a};" for a, b in pairs)
    dark = "".join(f"--rw-{a}-{b}:#{b};" for a, b in pairs)
    return f":root{{{light}}}@media(prefers-color-scheme:dark){{:root{{{dark}}}}}"


# --- from a colour, those that go with it ---


def is_dark(colour: Colour) -> bool:
    """Whether a colour is nearly black: what is drawn on it is pale."""
    return contrast(colour, SHADE, "light") < 2


def mixed(colour: Colour, light: str, dark: str, share: float) -> Colour:
    """A colour between *colour* and another one, which has *share* of it."""
    return Colour("", _mix(colour.light, light, share), _mix(colour.dark, dark, share))


def _mix(a: str, b: str, share: float) -> str:
    pairs = ((int(a[i : i + 2], 16), int(b[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(x + (y - x) * share):02X}" for x, y in pairs)


def related_colour(colour: Colour, *endings: str) -> Colour | None:
    """The colour of the palette that goes with another one: `wood_line` with `wood`."""
    colours = palette()
    if colours.get(colour.name) != colour:
        return None
    names = (f"{colour.name}_{ending}" for ending in endings)
    return next((colours[name] for name in names if name in colours), None)


def line_colour(colour: Colour) -> Colour:
    """The colour of the lines on a ground."""
    own = related_colour(colour, "line", "edge", "hole")
    return own or mixed(colour, BLACK, WHITE, 0.22)


def soft(colour: Colour) -> Colour:
    """A pale ground of a colour."""
    paper = palette()["paper"]
    return related_colour(colour, "soft") or mixed(colour, paper.light, paper.dark, 0.78)


def readable(ink: Colour, ground: Colour) -> Colour:
    """A colour for letters on a ground: *ink*, but black or white in a theme that has it faint."""

    def in_one(theme: Literal["light", "dark"]) -> Colour:
        if contrast(ink, ground, theme) >= READABLE:
            return ink
        return max((SHINE, SHADE), key=lambda colour: contrast(colour, ground, theme))

    return Colour("", in_one("light").light, in_one("dark").dark)


@cache
def piece_paints(colour: Colour) -> Mapping[str, str]:
    """The paints of a piece by the roles that drawings name."""
    colours = palette()
    edge = related_colour(colour, "deep", "edge") or mixed(colour, BLACK, BLACK, 0.45)
    dark = is_dark(colour)
    mark = Colour("", "#C9D5CF", "#B9C6C0") if dark else edge
    roles = {
        "fill": colour,
        "edge": edge,
        "shade": mixed(colour, BLACK, BLACK, 0.24 if contrast(colour, SHADE, "light") > 6 else 0.6),
        "mark": mark,
        "text": readable(mark, colour),
        "bright": readable(colours["red_deep"], colour),
        "light": SHINE,
        "soft": soft(colour),
        "rim": Colour("", edge.light, "#D7E2DC") if dark else edge,
        "shadow": SHADE,
        "ink": colours["ink"],
    }
    return MappingProxyType({role: variable(value) for role, value in roles.items()})
