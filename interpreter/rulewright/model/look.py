"""Looks: how a game is drawn and spoken of.  Nothing here decides anything of the rules.

Sites are numbers of the whole lattice; what needs no position is worked out, and what does is an
expression.  Colours, drawings and other words are by name: those who draw know them.
"""

from __future__ import annotations

from typing import TypeAlias

from attrs import field, frozen

from rulewright.ground.records import Unchanging
from rulewright.model.expressions import Expr, Function
from rulewright.model.rules import Origin

Spans: TypeAlias = tuple[tuple[int, tuple[int, int]], ...]
"""For sites the two sites between which something is drawn."""


@frozen
class OwnColour(Unchanging):
    """A colour of a look's own, `#RRGGBB` in both themes."""

    name: str
    light: str
    dark: str


@frozen
class SideColour(Unchanging):
    """The colour of a player, and what players call that side."""

    player: int
    colour: str
    label: str
    origin: int = field(default=0, eq=False)


@frozen
class GroundDrawn(Unchanging):
    """The ground that is drawn under the pieces at some sites."""

    sites: tuple[int, ...]
    shape: str
    colour: str = ""
    spans: Spans = ()
    origin: int = field(default=0, eq=False)
    path: str = ""
    """The outline of the shape `path`."""


@frozen
class PileDrawn(Unchanging):
    """The way in which the pieces of a pile lie at some sites."""

    sites: tuple[int, ...]
    way: str


@frozen
class NumbersDrawn(Unchanging):
    """The drawing of which as many are drawn as a number at a site says."""

    drawing: str
    colour: str
    origin: int = field(default=0, eq=False)


@frozen
class DieShown(Unchanging):
    """A die in the middle of some sites, which shows a value."""

    value: Expr
    sites: tuple[int, ...]
    origin: int = field(default=0, eq=False)


@frozen
class PieceDrawn(Unchanging):
    """How pieces of a kind are drawn; `owner` and `sites` are None where any are meant.

    `now` are the sites where a look that depends on the position has them drawn so.
    """

    kind: str
    drawing: str
    owner: int | None = None
    sites: tuple[int, ...] | None = None
    colour: str = ""
    path: str = ""
    spans: Spans = ()
    origin: int = field(default=0, eq=False)
    now: Expr | None = None
    turn: int | None = None
    """Degrees, clockwise, where a piece points somewhere; it turns with the board then."""
    sign: str = ""


@frozen
class LinksDrawn(Unchanging):
    """How links of a kind are drawn; the width in hundredths of a site, None for the usual one."""

    kind: str
    style: str
    width: int | None = None


@frozen
class SiteMark(Unchanging):
    """How a state of a site is marked; `sites` are those that are in it, if the look says so."""

    state: str
    mark: str
    colour: str = ""
    sites: Expr | None = None
    origin: int = field(default=0, eq=False)


@frozen
class Animate(Unchanging):
    """How a move is seen to happen."""

    move: str
    motion: str
    start: str = ""


@frozen
class Click(Unchanging):
    """A click on any site of a group means the only decision of a move there."""

    move: str
    groups: tuple[tuple[int, ...], ...]


@frozen
class MoveButton(Unchanging):
    """The words on the button of a move."""

    move: str
    text: str
    help: str = ""


@frozen
class ShowBeside(Unchanging):
    """A value shown beside the board (`beside` is `board`), `players`, the `mover`, or a player.

    `display` may be a kind of piece: so many are in hand, and `move` puts one of them.  The
    value of a `card` is a set of sites, which begin at `start`.
    """

    value: Expr
    display: str
    text: str
    beside: str
    move: str = ""
    origin: int = field(default=0, eq=False)
    start: tuple[int, ...] = ()


@frozen
class Lesson(Unchanging):
    """A position to learn from, by the decisions that lead there, and what it shows.

    `answer` are the decisions that solve a puzzle; a picture to look at has none.
    """

    moves: str
    text: str
    answer: str = ""
    origin: int = field(default=0, eq=False)


@frozen
class Look(Unchanging):
    """A whole look; what it does not say is empty, and stays as it is without a look.

    `base` is the look that it extends.  `texts` has `title`, `tell`, `material`, `coordinates`,
    `view`, `family` and `thumbnail` as far as they are said; `words` and `refusals` are by the
    name of a move, `pitch` by `x` and `y`.
    """

    name: str
    game: str
    base: Look | None = None
    texts: dict[str, str] = field(factory=dict)
    own_colours: tuple[OwnColour, ...] = ()
    sides: tuple[SideColour, ...] = ()
    colours: tuple[str, ...] = ()
    pitch: dict[str, tuple[int, ...]] = field(factory=dict)
    turned: int | None = None
    grounds: tuple[GroundDrawn, ...] = ()
    piles: tuple[PileDrawn, ...] = ()
    numbers: tuple[NumbersDrawn, ...] = ()
    dice: tuple[DieShown, ...] = ()
    labels: tuple[tuple[tuple[int, int], ...], ...] = ()
    """Numbers that are written at sites, for each line of the look."""
    pieces: tuple[PieceDrawn, ...] = ()
    links: tuple[LinksDrawn, ...] = ()
    marks: tuple[SiteMark, ...] = ()
    animations: tuple[Animate, ...] = ()
    clicks: tuple[Click, ...] = ()
    buttons: tuple[MoveButton, ...] = ()
    beside: tuple[ShowBeside, ...] = ()
    lessons: tuple[Lesson, ...] = ()
    puzzles: tuple[Lesson, ...] = ()
    words: dict[str, str] = field(factory=dict)
    refusals: dict[str, str] = field(factory=dict)
    functions: tuple[Function, ...] = ()
    origins: tuple[Origin, ...] = field(default=(), eq=False, repr=False)
    lines: dict[str, int] = field(factory=dict, eq=False)
    """The lines of texts that are said once, by their words."""

    @property
    def layers(self) -> tuple[Look, ...]:
        """This look and those that it builds upon, the lowest first."""
        return (*(self.base.layers if self.base is not None else ()), self)
