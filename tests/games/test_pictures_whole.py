"""Nothing that a look draws around the sites leaves the picture, and labels stand clear of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import pytest

import rulewright
from rulewright.errors import RulewrightError
from rulewright.games.files.games import bundled_games
from rulewright.games.render.drawing import BoardDrawing

_TEXT = re.compile(r'<text x="([-\d.]+)" y="([-\d.]+)" font-size="([-\d.]+)"[^>]*?(?:>)([^<]*)<')
_RECT = re.compile(r'<rect x="([-\d.]+)" y="([-\d.]+)" width="([\d.]+)" height="([\d.]+)"')
_PATH = re.compile(r'<path d="([ML\d .z-]+)"([^>]*)')
Box = tuple[float, float, float, float]
SLACK = 0.15
"""Places are rounded to tenths."""


def _texts(drawing: BoardDrawing) -> Iterator[tuple[str, Box]]:
    for match in _TEXT.finditer(drawing.coordinates):
        x, y, size = map(float, match.groups()[:3])
        wide = 0.6 * size * len(match[4])
        at = {"start": 0.0, "end": 1.0}
        share = next((at[a] for a in at if f'text-anchor="{a}"' in match[0]), 0.5)
        yield match[4], (x - wide * share, y - 0.7 * size, x + wide * (1 - share), y + 0.2 * size)


def _boxes(drawing: BoardDrawing) -> Iterator[Box]:
    for markup in (drawing.ground, drawing.over):
        for x, y, w, h in (map(float, m.groups()) for m in _RECT.finditer(markup)):
            yield x, y, x + w, y + h
        for data, more in (m.groups() for m in _PATH.finditer(markup)):
            numbers = [float(n) for n in re.findall(r"-?[\d.]+", data)]
            width = re.search(r'stroke-width="([\d.]+)"', more)
            half = float(width[1]) / 2 if width else 0.0
            if numbers:
                xs, ys = numbers[::2], numbers[1::2]
                yield min(xs) - half, min(ys) - half, max(xs) + half, max(ys) + half


def _settings(game: str) -> Iterator[Mapping[str, int | bool]]:
    """The defaults, and each option alone at both of its ends."""
    yield {}
    for option in rulewright.load(game).rules.options:
        if isinstance(option.default, bool):
            yield {option.name: not option.default}
        elif isinstance(option.low, int) and isinstance(option.high, int):
            yield {option.name: option.low}
            yield {option.name: option.high}


@pytest.mark.parametrize("game", sorted(bundled_games()))
def test_the_picture_of_a_board_is_whole(game: str) -> None:
    for options in _settings(game):
        try:
            drawing = rulewright.load(game, **options).start().scene.drawing
        except RulewrightError:  # an option that another one bounds
            continue
        for left, top, right, bottom in [*_boxes(drawing), *(box for _, box in _texts(drawing))]:
            assert left >= -SLACK, options
            assert top >= -SLACK, options
            assert right <= drawing.width + SLACK, options
            assert bottom <= drawing.height + SLACK, options


@pytest.mark.parametrize("game", ["twixt", "connect4", "kalah", "amazons", "russiandraughts"])
def test_labels_outside_stand_clear_of_the_material(game: str) -> None:
    drawing = rulewright.load(game).start().scene.drawing
    assert drawing.coordinates
    for text, (left, top, right, bottom) in _texts(drawing):
        for x, y, x2, y2 in [*_boxes(drawing)][:1]:
            assert right <= x or left >= x2 or bottom <= y or top >= y2, text
