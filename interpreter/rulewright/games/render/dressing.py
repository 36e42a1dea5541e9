"""How a game is dressed: what its look says, with every expression of it worked out.

In: a `.look` file read for a game with its options, or nothing.  Out: a `Dressing`, which the
drawing of a scene follows.  It holds what never changes while a game is played; what a look says of
a position (a threat, a pile beside the board) stands in `Shown`, made for each position.
Sites are numbers of the whole lattice; owners are 0, 1 or 2 for nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from attrs import field, frozen

Material: TypeAlias = Literal["checkered", "cells", "lines", "holes", "frame", "paper", "drawn"]
Coordinates: TypeAlias = Literal["inside", "outside", "hover", "none"]
Shape: TypeAlias = Literal["dot", "band", "rail", "area", "gap", "line", "square"]
PileWay: TypeAlias = Literal["tower", "up", "down", "left", "right"]
LinkStyle: TypeAlias = Literal["rod", "string", "arrow"]
State: TypeAlias = Literal[
    "last", "target", "take", "selected", "hint", "threat", "win", "expected", "forbidden"
]
Mark: TypeAlias = Literal["fill", "ring", "dot", "halo", "outline", "ghost", "nothing"]
Motion: TypeAlias = Literal["slide", "hop", "fall", "fade", "grow", "over", "turn"]
Display: TypeAlias = Literal["tokens", "number", "pile", "pieces", "bar", "card"]
PIPS = 6
"""The highest number of a die."""
Span: TypeAlias = tuple[int, int]
"""A stroke from one site of the lattice to another; sites that `where` cut away count too."""


@frozen
class Colour:
    """A colour with its value, `#RRGGBB`, in the light and in the dark theme."""

    name: str
    light: str
    dark: str


@frozen
class Side:
    """A player's colour, and what players call that side."""

    colour: Colour
    label: str


@frozen
class Ground:
    """Something that lies under the pieces at *sites*; a line, rail or bar may have its span."""

    sites: tuple[int, ...]
    shape: Shape | Literal["path"]
    colour: Colour | None = None
    spans: Mapping[int, Span] = field(factory=dict)
    path: str = ""
    """The outline of the shape `path`, in a box of 100 by 100 that is stretched over the site."""


@frozen
class PieceLook:
    """How pieces of a kind are drawn: of one owner or all, at some sites or everywhere.

    `drawing` is the name of a bundled drawing, or `letter`, `bar`, or `path`, when `path` has the
    outline in a box of 100 by 100.  The last one that fits a piece holds.  One with a `number` is
    for the pieces at sites for which a position names this number.
    """

    kind: str
    drawing: str
    owner: int | None = None
    sites: frozenset[int] | None = None
    colour: Colour | None = None
    path: str = ""
    spans: Mapping[int, Span] = field(factory=dict)
    number: int = 0
    turn: int | None = None
    """Degrees, clockwise, for a piece that points somewhere."""
    sign: str = ""
    """The bundled sign that the drawing bears."""

    @property
    def everywhere(self) -> bool:
        """Whether it is for all sites, in every position."""
        return self.sites is None and not self.number


@frozen
class LinkLook:
    """How links of a kind are drawn, and how thick, in hundredths of a site."""

    kind: str
    style: LinkStyle = "rod"
    width: int = 22


@frozen
class MarkLook:
    """How a state of a site is marked."""

    state: State
    mark: Mark
    colour: Colour | None = None


@frozen
class Animation:
    """How a move is seen to happen; `start` says by name where it comes from (`top`)."""

    move: str
    motion: Motion
    start: str = ""


@frozen
class Gesture:
    """A click on any site of a group means the only legal decision of *move* in that group."""

    move: str
    groups: tuple[frozenset[int], ...]


@frozen
class Button:
    """What the button of a move without a site says, and what explains it."""

    move: str
    text: str
    help: str = ""


@frozen
class CardLook:
    """A small board beside the board: whose it is (None: nobody's), and where its sites begin."""

    owner: int | None
    start: tuple[int, ...] = ()


@frozen
class Dressing:
    """What the drawing of a game follows.

    `columns` and `rows` are the widths of columns and the heights of rows, repeated over the
    lattice, in any unit; empty where all are alike.  `view` is an owner, `mover`, or `nobody`;
    `turned` is in degrees.  `words` and `refusals` are by the name of a move.
    """

    name: str
    title: str
    tell: str
    sides: tuple[Side, ...]
    material: Material
    colours: tuple[Colour, ...]
    columns: tuple[int, ...] = ()
    rows: tuple[int, ...] = ()
    view: str = "nobody"
    turned: int = 0
    coordinates: Coordinates = "outside"
    grounds: tuple[Ground, ...] = ()
    piles: Mapping[int, PileWay] = field(factory=dict)
    """By site, the way in which the pieces of a pile lie there; elsewhere they are a tower."""
    numbers: tuple[str, Colour | None] = ("", None)
    """The drawing of which as many lie at a site as its number says, and its colour."""
    labels: Mapping[int, int] = field(factory=dict)
    """Numbers that are written in the corners of sites."""
    has_dice: bool = False
    cards: tuple[CardLook, ...] = ()
    pieces: tuple[PieceLook, ...] = ()
    links: tuple[LinkLook, ...] = ()
    marks: tuple[MarkLook, ...] = ()
    animations: tuple[Animation, ...] = ()
    gestures: tuple[Gesture, ...] = ()
    buttons: tuple[Button, ...] = ()
    words: Mapping[str, str] = field(factory=dict)
    refusals: Mapping[str, str] = field(factory=dict)
    family: str = ""
    """The family of games that it is shown with."""
    thumbnail: str = ""
    """The decisions that lead to the position of the thumbnail."""


@frozen
class ShownValue:
    """A value that is shown beside the board (`owner` None) or a player.

    Pieces of a kind `piece` are in hand: `move` puts one of them, where the look says so.
    """

    display: Display
    text: str
    value: int
    owner: int | None = None
    piece: str = ""
    move: str = ""


@frozen
class ShownDie:
    """A die that shows a value, from 1 to 6, in the middle of some sites."""

    value: int
    sites: tuple[int, ...]


@frozen
class ShownCard:
    """The sites that a card shows, by its number among those of the drawing."""

    number: int
    sites: tuple[int, ...]
    text: str


@frozen
class Shown:
    """What a look says of one position: sites with a mark, values beside the board, dice."""

    marks: Mapping[State, frozenset[int]] = field(factory=dict)
    beside: tuple[ShownValue, ...] = ()
    numbers: Mapping[int, int] = field(factory=dict)
    """The numbers that a table of the rules has at sites."""
    forms: Mapping[int, int] = field(factory=dict)
    """By site, the number of the form of its piece, where that depends on the position."""
    dice: tuple[ShownDie, ...] = ()
    cards: tuple[ShownCard, ...] = ()
