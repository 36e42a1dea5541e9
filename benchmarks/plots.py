"""Draws the tables of steps a second of docs/learning.md as pictures, from the tables themselves.

    python benchmarks/plots.py

Writes docs/pictures/learning-steps.svg, a row for each game and a mark for each program, and
learning-lanes.svg, a mark for each number of games side by side.  On their scale each line is ten
times the line before it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

DOCS = Path(__file__).parent.parent / "docs"
PAGE = DOCS / "learning.md"
LEFT, TOP, ROW, DECADE = 120, 46, 28, 110
LEAST, MOST = -1, 5
"""Powers of ten at both ends: thousands of steps a second."""


@frozen
class Plot:
    """A picture of a table: the beginning of its head, and its columns with their colours."""

    head: str
    name: str
    label: str
    series: dict[str, str]

    @property
    def path(self) -> Path:
        """Where the picture stands."""
        return DOCS / "pictures" / self.name


PROGRAMS = Plot(
    "| game | drawn |", "learning-steps.svg", "Thousands of steps a second, by game and program",
    {
        "drawn": "#1b7a5a", "chosen": "#7fb89f", "pgx": "#c2571a", "OpenSpiel": "#5566bb",
        "PettingZoo": "#9a3d7a",
    },
)  # fmt: skip
LANES = Plot(
    "| game | 1 |", "learning-lanes.svg",
    "Thousands of steps a second, by game and by how many games are side by side",
    {"1": "#d9c9a3", "8": "#c2a35a", "64": "#7fb89f", "512": "#1b7a5a", "4096": "#123f30"},
)  # fmt: skip


def rows(page: str, head: str) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield the games of a table with their rates, in thousands of steps a second."""
    lines = page[page.index(head) :].partition("\n\n")[0].splitlines()
    titles, _, *body = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    for name, *cells in body:
        values = zip(titles[1:], cells, strict=True)
        yield name, {title: float(cell.replace(",", "")) for title, cell in values if cell}


def x_of(rate: float) -> float:
    """Return where a rate lies from the left."""
    return round(LEFT + DECADE * (math.log10(rate) - LEAST), 1)


def picture(page: str, plot: Plot) -> str:
    """Draw a table of a page."""
    games = [*rows(page, plot.head)]
    bottom, right = TOP + ROW * len(games), LEFT + DECADE * (MOST - LEAST)
    parts = [*_scale(bottom)]
    for number, (name, rates) in enumerate(games):
        y = TOP + ROW * number + ROW // 2
        parts.append(f'<text x="{LEFT - 12}" y="{y + 4}" text-anchor="end">{name}</text>')
        parts += [
            f'<circle cx="{x_of(rates[title])}" cy="{y}" r="6" fill="{colour}"/>'
            for title, colour in plot.series.items()
            if title in rates
        ]
    for number, (title, colour) in enumerate(plot.series.items()):
        x = LEFT + number * 110
        parts.append(f'<circle cx="{x}" cy="16" r="6" fill="{colour}"/>')
        parts.append(f'<text x="{x + 12}" y="20">{title}</text>')
    size = f'width="{right + 30}" height="{bottom + 30}"'
    font = 'font-family="sans-serif" font-size="13" fill="#333"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" {font}>'
    ground = (
        f'<title>{plot.label}</title>\n<rect width="100%" height="100%" rx="8" fill="#faf8f3"/>'
    )
    return "\n".join((head, ground, *parts, "</svg>")) + "\n"


def _scale(bottom: int) -> Iterator[str]:
    """Draw a line for each power of ten."""
    for power in range(LEAST, MOST + 1):
        x = x_of(10.0**power)
        yield f'<line x1="{x}" x2="{x}" y1="{TOP}" y2="{bottom}" stroke="#ccc"/>'
        words = f"{10.0**power:,.0f}" if power >= 0 else f"{10.0**power:g}"
        yield f'<text x="{x}" y="{bottom + 20}" text-anchor="middle">{words}</text>'


if __name__ == "__main__":
    for plot in (PROGRAMS, LANES):
        plot.path.write_text(picture(PAGE.read_text("utf-8"), plot), "utf-8")
