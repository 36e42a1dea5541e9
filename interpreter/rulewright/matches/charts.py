"""Small charts as SVG: ratings with their intervals, and how often each length occurs.

In: numbers.  Out: an SVG element that takes its colours from the page.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulewright.matches.shown import markup

WIDTH, NAMES, ROW = 720.0, 200.0, 26.0
"""Of a chart of intervals: all of it, its names, the height of a row."""
BARS, HEIGHT = 40, 160.0
"""Of a histogram: at most so many bars, and how high they are."""


def intervals(ratings: Sequence[Mapping[str, Any]]) -> str:
    """A row for each player: a dot at the rating, a line over its interval."""
    low: float = min(r["low"] for r in ratings)
    high: float = max(r["high"] for r in ratings)
    step = _step(high - low)
    low, high = math.floor(low / step) * step, (math.floor(high / step) + 1) * step

    def x(elo: float) -> float:
        return NAMES + (elo - low) / (high - low) * (WIDTH - NAMES - 30)

    height = ROW * (len(ratings) + 1)
    parts: list[str] = []
    for k in range(round((high - low) / step) + 1):
        at = x(low + k * step)
        parts.append(
            f'<line class="line" opacity="0.2" x1="{at:.1f}" x2="{at:.1f}" y1="0"'
            f' y2="{height - ROW:.1f}"/>'
        )
        parts.append(_text(at, height - 6, f"{low + k * step:+g}", "middle"))
    for row, rating in enumerate(ratings):
        parts += _interval(rating, ROW * (row + 0.5), (x(rating["low"]), x(rating["high"])), x)
    return _svg(WIDTH, height, "Ratings in Elo with their 95 % intervals", parts)


def _interval(rating: Mapping[str, Any], y: float, ends: tuple[float, float], x: Any) -> list[str]:
    return [
        _text(0, y + 5, rating["player"], "start"),
        f'<line class="line" x1="{ends[0]:.1f}" x2="{ends[1]:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>',
        f'<circle class="bar" cx="{x(rating["elo"]):.1f}" cy="{y:.1f}" r="5">'
        f"<title>{markup(rating['player'])}: {rating['elo']:+g}</title></circle>",
    ]


def _step(span: float) -> float:
    """A round number of which five to ten make up *span*."""
    rough = max(span, 1.0) / 6
    base: float = 10.0 ** math.floor(math.log10(rough))
    return next(base * k for k in (1, 2, 5, 10) if base * k >= rough)


def histogram(lengths: Sequence[int]) -> str:
    """A bar for each length, or for a range of them where there are many."""
    bins = list(binned(lengths))
    most = max(count for _, _, count in bins)
    wide = (WIDTH - 40) / len(bins)
    parts: list[str] = []
    for i, (low, high, count) in enumerate(bins):
        tall = HEIGHT * count / most
        label = str(low) if low == high else f"{low}-{high}"
        parts.append(
            f'<rect class="bar" x="{20 + i * wide:.1f}" y="{HEIGHT - tall + 16:.1f}"'
            f' width="{wide * 0.9:.1f}" height="{tall:.1f}"><title>{label}: {count}</title></rect>'
        )
        if i % max(1, len(bins) // 12) == 0:
            parts.append(_text(20 + (i + 0.45) * wide, HEIGHT + 32, str(low), "middle"))
    parts.append(_text(20, 12, f"up to {most} games", "start"))
    return _svg(WIDTH, HEIGHT + 40, "How many games had which length in turns", parts)


def binned(lengths: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """First and last length of each bar, and how many games it counts; none is left out."""
    low, high = min(lengths), max(lengths)
    wide = -(-(high - low + 1) // BARS)
    for start in range(low, high + 1, wide):
        end = start + wide - 1
        yield start, end, sum(start <= length <= end for length in lengths)


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return (
        f'<text class="text" x="{x:.1f}" y="{y:.1f}" font-size="12" text-anchor="{anchor}">'
        f"{markup(text)}</text>"
    )


def _svg(width: float, height: float, label: str, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}"'
        f' viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{markup(label)}"'
        f' font-family="Helvetica, Arial, sans-serif">{"".join(parts)}</svg>'
    )
