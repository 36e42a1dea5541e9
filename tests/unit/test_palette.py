"""The palette: names to colours, names in CSS, and contrast as the WCAG measures it."""

from __future__ import annotations

import re

import pytest

from rulewright.games.render.dressing import Colour
from rulewright.games.render.paints import in_theme, piece_paints
from rulewright.games.render.palette import THEMES, contrast, css_names, palette
from tests.shared.places import ROOT

WHITE, BLACK = Colour("w", "#FFFFFF", "#000000"), Colour("b", "#000000", "#FFFFFF")


def test_every_colour_has_a_value_in_each_theme_and_a_name_in_css() -> None:
    assert palette().keys() == css_names().keys()
    assert len(set(css_names().values())) == len(palette())
    for name, colour in palette().items():
        assert colour.name == name
        assert all(re.fullmatch("#[0-9A-F]{6}", getattr(colour, theme)) for theme in THEMES)
        assert css_names()[name].endswith(f"-{name.replace('_', '-')}")
    assert css_names()["wood_line"] == "--mat-wood-line"


@pytest.mark.parametrize("theme", THEMES)
def test_contrast_is_that_of_the_standard(theme: str) -> None:
    assert contrast(WHITE, BLACK, theme) == pytest.approx(21)
    assert contrast(BLACK, WHITE, theme) == pytest.approx(21)
    for colour in palette().values():
        assert contrast(colour, colour, theme) == 1
    grey = Colour("g", "#767676", "#767676")
    assert contrast(grey, Colour("w", "#FFFFFF", "#FFFFFF"), theme) == pytest.approx(4.54, abs=0.01)


def test_the_page_has_the_colours_of_sides_as_the_palette_has_them() -> None:
    text = (ROOT / "studio" / "src" / "tokens.css").read_text("utf-8")
    written: dict[str, list[str]] = {}
    for name, value in re.findall(r"(--side-[a-z-]+): *(#[0-9A-Fa-f]{6});", text):
        written.setdefault(name, []).append(value)
    colours = {css: palette()[name] for name, css in css_names().items()}
    assert written
    assert all(
        values == [colours[name].light, colours[name].dark] for name, values in written.items()
    )


@pytest.mark.parametrize("name", ["red", "blue", "yellow", "white", "black"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_letters_are_read_on_pieces_of_every_side(name: str, theme: str) -> None:
    colour = palette()[name]
    text = in_theme(piece_paints(colour)["text"], theme)  # type: ignore[arg-type]
    assert contrast(Colour("", text, text), colour, theme) >= 4.5
