"""Boards for random rules: every shape, small, some with sites cut away, few of several words."""

from __future__ import annotations

from functools import cache

from attrs import frozen
from hypothesis import strategies as st

from rulewright.games.files.games import loads
from rulewright.model.board import bits

_FRAME = """format 1
game frame
players red blue
{board}
pieces stone
move pass
turn pass
draw when stuck
"""
_COMPASS = ("north", "south", "east", "west", "northeast", "northwest", "southeast", "southwest")
_SIX = ("east", "west", "northeast", "northwest", "southeast", "southwest")
WALKS = {
    "square": ("near", "around", "orthogonal", "diagonal"),
    "rhombus": ("near", "around"), "hexagon": ("near", "around"), "triangle": ("near", "around"),
    "graph": ("near", "around"),
}  # fmt: skip
_CUTS = (
    "",
    "not corners",
    "border",
    "not (a1 or b1)",
    "those(s in sites : (x(s) + y(s)) mod 2 = 0)",
    "not row(2)",
)
_GRAPHS = (
    "board graph\n  line a1 b1 c1\n  line a1 a2 a3\n  line a3 b3 c3\n  line c3 c2 c1\n",
    "board graph\n  line a1 b2 c1\n  line a1 b1 c1\n  line b2 b1\n",
    "board graph\n  line one two three four\n  line four one\n  line two four\n",
)
_LAYERED = (
    "board square 2 by 2 by 2\n", "board square 2 by 3 by 2\n", "board square 3 by 1 by 3\n",
    "board square 3 by 3 by 3\n", "board square 2 by 2 by 3 stacked 3\n",
    "board square 3 by 2 by 2 from top where not layer(2) corners\n",
)  # fmt: skip
_LINED = (
    "board square 3 by 3\n  line onward: a1 b1 c1 c2 b2 a2 a1\n",
    "board square 4 by 2\n  line onward: a1 b1 c2 d2\n",
    "board square 3 by 3\n  line onward: b1 b2 b3 c3 c2 b2 a2 a1 b1\n",
    "board square 3 by 2\n  line onward: a1 b1 c1 c2 b1 a2 b1 b2\n",
)
_WRAPPED = (
    "board square 3 by 4 wrap left\n", "board square 4 by 3 from top wrap top\n",
    "board square 3 by 3 stacked 3 wrap left top\n", "board rhombus 3 by 3 wrap left top\n",
    "board square 4 by 4 wrap right bottom where not (b2 or c3)\n",
    "board square 9 by 8 wrap left\n", "board rhombus 4 by 3 wrap bottom\n",
)  # fmt: skip


@frozen
class Shape:
    """A board statement with what the rest of a file may say of it."""

    text: str
    shape: str
    sites: tuple[str, ...]
    rows: tuple[int, ...]
    columns: tuple[int, ...]

    @property
    def steps(self) -> tuple[str, ...]:
        """The single steps of the board."""
        if self.layered:
            return (*_COMPASS, "up", "down")
        return {"square": _COMPASS, "graph": ()}.get(self.shape, _SIX)

    @property
    def layered(self) -> bool:
        """Whether the board has a third extent, where there are no leaps and no links."""
        return self.text.count(" by ") == 2

    @property
    def wrapped(self) -> bool:
        """Whether sides of the board are joined: then there are no links."""
        return " wrap " in self.text

    @property
    def axes(self) -> tuple[str, ...]:
        """The numbers that say where a site is."""
        return ("x", "y", "z") if self.layered else ("x", "y")

    @property
    def stacked(self) -> bool:
        """Whether pieces may be piled up."""
        return " stacked " in self.text

    @property
    def walks(self) -> tuple[str, ...]:
        """The names of several steps, and of a line that is drawn on it."""
        return (*WALKS[self.shape], *(("onward",) if "line onward" in self.text else ()))

    @property
    def regions(self) -> tuple[str, ...]:
        """The built-in regions."""
        if self.shape == "graph":
            return ()
        sides = ("top", "bottom", "left", "right") if self.shape in ("square", "rhombus") else ()
        return (*sides, "border", "corners")

    @property
    def longest(self) -> int:
        """A length that lines of the board surely have."""
        return 1 if self.shape == "graph" else max(1, min(len(self.rows), len(self.columns)))


@cache
def shape_of(text: str) -> Shape:
    """The shape of a board statement, as the language reads it."""
    board = loads(_FRAME.format(board=text.rstrip("\n"))).rules.board
    kept = list(bits(board.sites))
    return Shape(
        text.rstrip("\n"),
        board.shape,
        tuple(board.names[s] for s in kept),
        tuple(sorted({board.numbers[s] for s in kept})),
        tuple(sorted({board.xs[s] for s in kept})),
    )


@st.composite
def boards(draw: st.DrawFn) -> Shape:
    """A board with few sites, one in twelve with more than a word of them."""
    kind = draw(st.sampled_from(("square",) * 6 + ("rhombus", "hexagon", "triangle", "graph")))
    if kind == "graph":
        return shape_of(draw(st.sampled_from(_GRAPHS)))
    if kind == "square" and draw(st.integers(0, 9)) == 9:
        return shape_of(draw(st.sampled_from(_LINED)))
    if kind in ("square", "rhombus") and draw(st.integers(0, 11)) == 11:
        return shape_of(draw(st.sampled_from(_WRAPPED)))
    if kind == "square" and draw(st.integers(0, 9)) == 8:
        return shape_of(draw(st.sampled_from(_LAYERED)))
    large = draw(st.integers(0, 11)) == 11
    if kind in ("square", "rhombus"):
        low, high = (8, 10) if large else (2, 4)
        width = draw(st.integers(low, high))
        size = f"{width} by {draw(st.integers(max(low, 9 if large else 2), high))}"
    else:
        size = str(draw(st.sampled_from((5, 5, 5) if large else (3, 2))) + (kind == "triangle"))
    top = draw(st.sampled_from(("", " from top")))
    cut = draw(st.sampled_from(_CUTS)) if "2" not in size and kind == "square" else ""
    piles = draw(st.sampled_from(("",) * 5 + (" stacked 2", " stacked 4", " stacked 40")))
    return shape_of(f"board {kind} {size}{piles}{top}{f' where {cut}' if cut else ''}")
