"""Drawings: what never changes in the pictures of a game, the one record that they are made from.

In: the values of its fields, which `drawing_building.py` works out from a board and its dressing.
Out: a `BoardDrawing`, as JSON too.  Markup is SVG whose colours are variables (`paints.py`).
Distances are in units of the picture, y downwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, TypeAlias

from attrs import field, frozen

from rulewright.games.render.dressing import Coordinates, Gesture
from rulewright.ground.records import fields_as_json, names_of

Point: TypeAlias = tuple[float, float]
CELL = 48.0
"""From one site to the next, where all are alike."""


@frozen
class DrawnSite:
    """A site: its middle, the size of a piece on it, and the number of its shape."""

    site: int
    place: Point
    size: float
    shape: int


@frozen
class Form:
    """How pieces of a kind and owner are drawn: the symbol, and at which sites (none: anywhere).

    A scale of 0 means that the size of the site decides, of -1 that the symbol has its size.
    `halo` is the symbol of what lies behind a piece that is not round.  The last form that fits a
    piece holds.  A form with a `number` fits where a position names this number.
    """

    kind: str
    owner: int
    symbol: str
    scale: float = 0
    sites: tuple[int, ...] = ()
    halo: str = ""
    number: int = 0
    points: bool = False
    """Whether it points somewhere, so that it turns with the board."""
    ends: tuple[float, ...] = ()
    """Of a bar the two points that it joins, x and y of each, as they lie around its site."""

    def fits(self, kind: str, owner: int, site: int, number: int) -> bool:
        """Whether a piece is drawn so; *number* is what the position names for its site."""
        if (self.kind, self.owner) != (kind, owner):
            return False
        return self.number in (0, number) and (not self.sites or site in self.sites)


@frozen
class Stroke:
    """A line of a link, one of several upon each other: its colour, width and opacity."""

    colour: str
    width: float
    opacity: float = 1


@frozen
class LinkForm:
    """How links of a kind and owner are drawn."""

    kind: str
    owner: int
    strokes: tuple[Stroke, ...]


@frozen
class Entry:
    """What a move puts where it is clicked: a kind, whose piece, -1 for the mover's."""

    move: str
    kind: str
    owner: int


@frozen
class PileForm:
    """How the pieces of a pile lie at a site.

    The middle of the lowest is at `first`, from that of the site.  The others lie on `way`, one
    beside the other where there is room; the last one is at most `length` away.
    """

    site: int
    first: Point
    way: Point
    length: float


@frozen
class HeapForm:
    """How a number at a site is drawn: so many of a symbol around `place`, in a room."""

    site: int
    symbol: str
    place: Point
    room: Point


@frozen
class CardForm:
    """A small board beside the board: the symbol of a square, and where that of each site is."""

    symbol: str
    squares: Mapping[int, Point]


@frozen
class Phrases:
    """What players read of a game: its title, the sides, moves by name, buttons and their help."""

    title: str
    sides: tuple[str, ...]
    words: Mapping[str, str] = field(factory=dict)
    buttons: Mapping[str, tuple[str, str]] = field(factory=dict)


@frozen
class BoardDrawing:
    """What never changes in the pictures of a game.

    `ground` lies under everything, `over` above the pieces; `symbols` are the drawings of pieces by
    id.  `shapes` are paths around the middle of a site.  `states` are colours by name, `marks` how
    a state is marked.  `colours` gives both values of each variable.
    """

    width: float
    height: float
    ground: str
    over: str
    coordinates: str
    shown: Coordinates
    symbols: Mapping[str, str]
    sites: tuple[DrawnSite, ...]
    shapes: tuple[str, ...]
    forms: tuple[Form, ...]
    links: tuple[LinkForm, ...]
    states: Mapping[str, str]
    marks: Mapping[str, str]
    motions: Mapping[str, str]
    entries: tuple[Entry, ...]
    sides: tuple[str, ...]
    """The symbols of both players and of nobody, for lists beside the board."""
    phrases: Phrases
    gestures: tuple[Gesture, ...] = ()
    exchanges: tuple[str, ...] = ()
    """The moves by which players exchange their sides."""
    colours: Mapping[str, tuple[str, str]] = field(factory=dict)
    piles: tuple[PileForm, ...] = ()
    heaps: tuple[HeapForm, ...] = ()
    cards: tuple[CardForm, ...] = ()
    dice: tuple[str, ...] = ()
    """The symbols of a die's faces from 1 on, where a look shows dice."""

    @cached_property
    def _data(self) -> dict[str, Any]:
        return fields_as_json(self, " ".join(names_of(type(self))))

    def as_data(self) -> dict[str, Any]:
        """All fields as JSON has them."""
        return self._data


BLANK = BoardDrawing(
    0, 0, "", "", "", "none", {}, (), (), (), (), {}, {}, {}, (), (), Phrases("", ())
)
"""The drawing of a scene that nobody has drawn yet."""
