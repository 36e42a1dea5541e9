"""The palette: the colours that a look may name, the same for drawings and for the page.

In: `palette.toml`.  Out: colours by name, the name of each in CSS, and how far two can be told
apart: the contrast of the WCAG, from 1 (alike) to 21.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from rulewright.games.render.dressing import Colour

THEMES = ("light", "dark")
_FILE = Path(__file__).with_name("palette.toml")


@cache
def _groups() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(_FILE.read_text("utf-8"))


@cache
def palette() -> dict[str, Colour]:
    """Every colour by its name."""
    groups = _groups().values()
    return {name: Colour(name, *values) for group in groups for name, values in group.items()}


@cache
def css_names() -> dict[str, str]:
    """The custom property of CSS that holds a colour, by the colour's name."""
    pairs = ((group, name) for group, names in _groups().items() for name in names)
    return {name: f"--{group}-{name.replace('_', '-')}" for group, name in pairs}


def contrast(first: Colour, second: Colour, theme: str) -> float:
    """The contrast of two colours in a theme."""
    lights = sorted(_luminance(getattr(colour, theme)) for colour in (first, second))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def _luminance(value: str) -> float:
    parts = (int(value[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (_linear(part) for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)
