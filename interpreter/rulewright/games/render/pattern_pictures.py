"""Pictures of patterns: as text and as one self-contained SVG document.

In: patterns.  Out: their pictures, ahead at the top, left on the left.  Conditions about links and
those that count, which no sign of a text shows, are written below it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.games.render.markup import escaped
from rulewright.model.patterns import HERE, Condition, Pattern, Spot, Test

SIGNS = {Test.OWN: "o", Test.OPP: "x", Test.FREE: ".", Test.EDGE: "#"}
CELL, RADIUS = 30, 10
_OWN, _OPP, _MOVE = "#c0392b", "#2c5aa0", "#2e8b57"


def signs(pattern: Pattern) -> dict[Spot, str]:
    """The sign of every place that a pattern speaks of."""
    signs = {HERE: "@"}
    for condition in pattern.conditions:
        if condition.test.counts:
            continue
        spots = (condition.spot, condition.other) if condition.test.joins else (condition.spot,)
        for spot in spots:
            signs.setdefault(spot, "?")
    for condition in pattern.conditions:
        if condition.test in SIGNS and condition.spot != HERE:
            signs[condition.spot] = SIGNS[condition.test]
    return {**signs, pattern.move: "+"}


def pattern_text(pattern: Pattern) -> str:
    """A pattern in a few lines: what it is, its picture, and what the picture cannot say."""
    places = signs(pattern)
    columns, rows = _span(places)
    lines = [f"{pattern.title}{f': {pattern.about}' if pattern.about else ''}"]
    for y in rows:
        lines.append("  | " + " ".join(places.get((x, y), "?") for x in columns) + " |")
    lines += [f"  {condition}" for condition in conditions_without_sign(pattern)]
    if pattern.priority:
        lines.append(f"  Priority {pattern.priority}")
    return "\n".join(lines)


def conditions_without_sign(pattern: Pattern) -> Iterator[Condition]:
    """The conditions that no sign of the picture shows."""
    for condition in pattern.conditions:
        if condition.test not in SIGNS or condition.spot == HERE:
            yield condition


def _span(places: dict[Spot, str]) -> tuple[range, range]:
    """The columns from the left and the rows from the top; both numbers grow the other way."""
    xs, ys = [x for x, _ in places], [y for _, y in places]
    return range(max(xs), min(xs) - 1, -1), range(max(ys), min(ys) - 1, -1)


# --- SVG ---


def patterns_svg(patterns: Sequence[Pattern]) -> str:
    """One document with a picture of each pattern, one below the other."""
    parts: list[str] = []
    top, width = 10, 320
    for pattern in patterns:
        columns, rows = _span(signs(pattern))
        parts += _picture(pattern, columns, rows, top)
        width = max(width, len(columns) * CELL + 40, 9 * len(_caption(pattern)) + 20)
        top += len(rows) * CELL + 50
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{top}"'
        f' viewBox="0 0 {width} {top}" role="img" aria-label="patterns"'
        ' font-family="Helvetica, Arial, sans-serif" font-size="13">'
    )
    ground = f'<rect width="{width}" height="{top}" fill="#ffffff"/>'
    return "\n".join([head, ground, *parts, "</svg>"]) + "\n"


def _caption(pattern: Pattern) -> str:
    rest = "; ".join(str(c) for c in conditions_without_sign(pattern) if not c.test.joins)
    return ": ".join(filter(None, [pattern.title, pattern.about, rest]))


def _picture(pattern: Pattern, columns: range, rows: range, top: int) -> Iterator[str]:
    def at(spot: Spot) -> tuple[int, int]:
        return 25 + (columns[0] - spot[0]) * CELL, top + 40 + (rows[0] - spot[1]) * CELL

    yield f'<text x="10" y="{top + 14}" font-weight="bold">{escaped(_caption(pattern))}</text>'
    for y in rows:
        for x in columns:
            left, high = at((x, y))
            yield f'<circle cx="{left}" cy="{high}" r="2" fill="#a79c86"/>'
    for condition in pattern.conditions:
        if condition.test.joins:
            (x1, y1), (x2, y2) = at(condition.spot), at(condition.other)
            dashes = ' stroke-dasharray="5 4"' if condition.test is Test.POSSIBLE else ""
            line = f'x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"'
            yield f'<line {line} stroke="#222222" stroke-width="2"{dashes}/>'
    here = _OPP if pattern.defends else _OWN
    for spot, sign in signs(pattern).items():
        yield from _mark(sign, *at(spot), here)


def _mark(sign: str, x: int, y: int, here: str) -> Iterator[str]:
    fills = {"o": _OWN, "x": _OPP, "@": here}
    circle = f'<circle cx="{x}" cy="{y}" r="{RADIUS}"'
    if sign in fills:
        yield f'{circle} fill="{fills[sign]}"/>'
    if sign == "@":
        yield f'<circle cx="{x}" cy="{y}" r="3" fill="#ffffff"/>'
    if sign == "+":
        yield f'{circle} fill="{_MOVE}" fill-opacity="0.35" stroke="{_MOVE}" stroke-width="3"/>'
    if sign == ".":
        yield f'{circle} fill="#ffffff" stroke="#a79c86" stroke-width="2"/>'
    if sign == "#":
        yield f'<text x="{x}" y="{y + 5}" text-anchor="middle">#</text>'
