"""Boards of every shape, as files ask for them, and drawn ones.

In: the word of a shape with its sizes, or drawn lines.  Out: a board with all its sites, their
names, and the regions that the shape has.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

from attrs import evolve

from rulewright.model.board import SHAPES, Board, Mask, letters, mask_of


def lattice(shape: str, width: int, height: int, row_one_on_top: bool, layers: int = 1) -> Board:
    """A board of a named shape; `height` counts only for square and rhombus."""
    if layers > 1:
        return _layered(width, height, row_one_on_top, layers)
    if SHAPES[shape].sizes == 1:
        side = width
        width = height = 2 * side - 1 if shape == "hexagon" else side
    places = [(c, r) for r in range(height) for c in range(width)]
    numbers = tuple(r + 1 if row_one_on_top else height - r for _, r in places)
    lattice_sites, regions, sides = _shape(shape, width, height, places)
    return Board(
        shape=shape,
        width=width,
        height=height,
        sites=lattice_sites,
        names=tuple(f"{letters(c + 1)}{n}" for (c, _), n in zip(places, numbers, strict=True)),
        columns=tuple(c for c, _ in places),
        rows=tuple(r for _, r in places),
        numbers=numbers,
        regions=regions,
        sides=sides,
    )


def _layered(width: int, height: int, row_one_on_top: bool, layers: int) -> Board:
    """Layers of squares side by side, each with a letter: `Ca1` is a1 of the third one."""
    flat = lattice("square", layers * (width + 1) - 1, height, row_one_on_top)
    board = evolve(flat, layers=layers)
    sites = mask_of(site for site, x in enumerate(board.xs) if x <= width)
    faces = [
        sites & mask_of(site for site, place in enumerate(places) if place == end)
        for places, end in (
            (board.rows, 0), (board.xs, width), (board.rows, height - 1), (board.xs, 1),
            (board.zs, 1), (board.zs, layers),
        )
    ]  # fmt: skip
    upright, across, layer = faces[0] | faces[2], faces[1] | faces[3], faces[4] | faces[5]
    return evolve(
        board,
        sites=sites,
        names=tuple(map(board.place_name, range(len(board.names)))),
        regions={
            **dict(zip(("top", "right", "bottom", "left"), faces, strict=False)),
            "border": upright | across | layer,
            "corners": upright & across & layer,
        },
        sides=tuple(faces),
    )


def wrapped(board: Board, across: bool, down: bool) -> Board:
    """The board with its left and right, or its top and bottom, joined: these are no border."""
    joined = (down, across, down, across)
    sides = tuple(
        side for side, is_joined in zip(board.sides, joined, strict=True) if not is_joined
    )
    regions = {**board.regions, **_outline(sides)}
    return evolve(board, wraps=(across, down), sides=sides, regions=regions)


Places: TypeAlias = list[tuple[int, int]]


def _where(places: Places, test: Callable[[int, int], bool]) -> Mask:
    return mask_of([i for i, (c, r) in enumerate(places) if test(c, r)])


def _shape(
    shape: str, width: int, height: int, places: Places
) -> tuple[Mask, dict[str, Mask], tuple[Mask, ...]]:
    """The sites of a shape, its regions by name, and its sides (corners included)."""
    top = _where(places, lambda c, r: r == 0)
    bottom = _where(places, lambda c, r: r == height - 1)
    left = _where(places, lambda c, r: c == 0)
    right = _where(places, lambda c, r: c == width - 1)
    if SHAPES[shape].sizes == 2:
        shape_sites = _where(places, lambda c, r: True)
        named = {"top": top, "bottom": bottom, "left": left, "right": right}
        sides: tuple[Mask, ...] = (top, right, bottom, left)
    elif shape == "hexagon":
        side = (width + 1) // 2
        low, high = side - 1, 3 * side - 3
        shape_sites = _where(places, lambda c, r: low <= c + r <= high)
        first = _where(places, lambda c, r: c + r == low)
        last = _where(places, lambda c, r: c + r == high)
        named, sides = {}, tuple(s & shape_sites for s in (top, right, last, bottom, left, first))
    else:  # a triangle
        shape_sites = _where(places, lambda c, r: c + r >= width - 1)
        first = _where(places, lambda c, r: c + r == width - 1)
        named, sides = {}, (first, right & shape_sites, bottom)
    return shape_sites, {**named, **_outline(sides)}, sides


def _outline(sides: tuple[Mask, ...]) -> dict[str, Mask]:
    border = corners = 0
    for side in sides:
        corners |= border & side
        border |= side
    return {"border": border, "corners": corners}


def graph(paths: Sequence[Sequence[str]]) -> Board:
    """A drawn board: named sites, and lines along which neighbours follow each other.

    Names such as `a7` say where a site stands in the picture; any others stand in a circle.
    """
    names = list(dict.fromkeys(name for path in paths for name in path))
    places = _lettered_places(names) or _circle(names)
    names.sort(key=lambda n: (places[n][1], places[n][0]))
    number = {name: i for i, name in enumerate(names)}
    height = 1 + max(r for _, r in places.values())
    return Board(
        shape="graph",
        width=1 + max(c for c, _ in places.values()),
        height=height,
        sites=(1 << len(names)) - 1,
        names=tuple(names),
        columns=tuple(places[n][0] for n in names),
        rows=tuple(places[n][1] for n in names),
        numbers=tuple(height - places[n][1] for n in names),
        regions={},
        sides=(),
        paths=tuple(tuple(number[n] for n in path) for path in paths),
    )


def _lettered_places(names: list[str]) -> dict[str, tuple[int, int]] | None:
    if not all(len(n) > 1 and n[0].islower() and n[1:].isdigit() for n in names):
        return None
    height = max(int(n[1:]) for n in names)
    if height > len(names) or any(int(n[1:]) < 1 for n in names):
        return None
    return {n: (ord(n[0]) - 97, height - int(n[1:])) for n in names}


def _circle(names: list[str]) -> dict[str, tuple[int, int]]:
    """Places on a circle, rounded to a lattice wide enough that no two meet."""
    radius = max(2, len(names))
    turn = 2 * math.pi / len(names)
    return {
        n: (
            round(radius + radius * math.sin(i * turn)),
            round(radius - radius * math.cos(i * turn)),
        )
        for i, n in enumerate(names)
    }
