"""Scenes: a position as data to be drawn, the one record that every drawing is made from.

In: the values of its fields, which `scene_building.py` finds.  Out: a `Scene`.  It holds sites with
their places and pieces, links, labels, who is at move, what the last turn changed, what won, the
states that a player must see, and what clicks on sites can mean; as JSON too, and back from it.
Distances are in cells, y downwards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import Any, Literal, TypeAlias

from attrs import evolve, field, frozen

from rulewright.games.render.drawing import BoardDrawing, Point
from rulewright.games.render.dressing import Shown
from rulewright.ground.records import JSON_NAME, fields_as_json, from_json, names_of
from rulewright.model.rules import IDLE

Style: TypeAlias = Literal["cells", "holes", "points", "lines"]


@frozen
class Piece:
    """A piece on a site, with its sign; the `owner` nobody is the number of players."""

    owner: int
    kind: str
    letter: str


@frozen
class SceneSite:
    """One site: its name, its place, its corners (none where it is a point), what stands there.

    A neutral piece between two places that are cut away is a stroke from one to the other; then
    `bar` has both places.  `below` are the other pieces of a pile, the lowest first.
    """

    site: int
    name: str
    column: int
    row: int
    place: Point
    outline: tuple[Point, ...]
    piece: Piece | None = None
    bar: tuple[Point, ...] = ()
    below: tuple[Piece, ...] = ()

    @cached_property
    def _data(self) -> dict[str, Any]:
        """All fields as JSON, kept: an empty site is the same in every position."""
        return fields_as_json(self, " ".join(names_of(type(self))))

    def as_data(self) -> dict[str, Any]:
        """All fields as JSON has them."""
        return dict(self._data)


@frozen
class SceneLink:
    """A link from site to site; `owner` is 0, 1 or 2, `change` what the last turn did to it."""

    ends: tuple[int, int]
    kind: str
    owner: int
    change: Literal["", "new", "gone"] = ""


@frozen
class Fact:
    """A state that a player must see: one value, or one for each player."""

    name: str
    values: tuple[str, ...]

    def line(self, players: tuple[str, ...]) -> str:
        """The state in one line: `NAME: VALUE`, or `NAME: PLAYER VALUE, PLAYER VALUE`."""
        if len(self.values) != len(players):
            return f"{self.name}: {' '.join(self.values)}"
        own = (f"{player} {value}" for player, value in zip(players, self.values, strict=True))
        return f"{self.name}: {', '.join(own)}"


@frozen
class SceneMove:
    """A legal decision: its text, the name of its declaration, and the clicks that can mean it.

    For each click there are the sites of which any will do, in the order in which the text names
    them.  Decisions with the same clicks differ in a kind or a number; one without clicks (a pass)
    is chosen by its text.  `kind` is the kind of piece that is chosen, if one is.
    """

    text: str
    name: str
    clicks: tuple[tuple[int, ...], ...] = ()
    kind: str = ""

    def as_data(self) -> dict[str, Any]:
        """All fields as JSON has them."""
        clicks = [list(sites) for sites in self.clicks]
        return {"text": self.text, "name": self.name, "clicks": clicks, "kind": self.kind}


@frozen
class Scene:
    """A position as every drawing shows it.

    `spots` are the sites, `columns` and `rows` the labels by column and row, empty where sites show
    their own names; `letters` are the signs of all pieces, `strokes` the drawn lines, `dots` the
    ends of bars.  `drawing` is what all positions share, `shown` what a look says of this one;
    `last` are the sites that the last turn reached, `left` those that it left, `winning` those that
    won.  `mover` is None when the game is over; `winner` is the winner then, or None for a draw.
    """

    game: str
    players: tuple[str, ...]
    """In the order of turns; the second one of a puzzle is `nobody`."""
    style: Style
    hexagonal: bool
    framed: bool
    kinds: int
    letters: tuple[str, ...]
    spots: tuple[SceneSite, ...]
    columns: tuple[str, ...]
    rows: Mapping[int, str]
    strokes: tuple[tuple[int, int], ...]
    drawing: BoardDrawing
    shown: Shown = field(factory=Shown)
    dots: tuple[Point, ...] = ()
    links: tuple[SceneLink, ...] = ()
    mover: str | None = None
    winner: str | None = None
    reason: str = ""
    last_turn: str = ""
    last: frozenset[int] = frozenset()
    left: frozenset[int] = frozenset()
    winning: frozenset[int] = frozenset()
    facts: tuple[Fact, ...] = ()
    listed: Callable[[], tuple[SceneMove, ...]] = field(
        default=tuple, eq=False, repr=False, metadata={JSON_NAME: ""}
    )
    """Generates `moves` when they are asked for: most drawings need none."""

    @cached_property
    def moves(self) -> tuple[SceneMove, ...]:
        """The legal decisions, in the order in which a position lists them."""
        return self.listed()

    @property
    def nobody(self) -> int:
        """The owner of pieces that belong to no player."""
        return len(self.players)

    @property
    def seats(self) -> tuple[str, ...]:
        """The players who decide: all but the second one of a puzzle."""
        return tuple(player for player in self.players if player != IDLE)

    @property
    def named(self) -> bool:
        """Whether sites show their names, because rows and columns would not tell them."""
        return not self.columns

    @property
    def linked(self) -> bool:
        """Whether lines between sites are to be seen."""
        return bool(self.strokes) or self.style == "holes"

    # --- as JSON ---

    def as_json(self) -> dict[str, Any]:
        """All fields and `moves` as JSON has them: objects, lists, numbers, texts.

        Sites are numbers, and the keys of `rows` are texts of numbers.
        """
        names = (name for name in names_of(type(self)) if name != "listed")
        return fields_as_json(self, " ".join((*names, "moves")))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Scene:
        """Read the scene that `as_json` gave; raises `DataError`."""
        moves = from_json(data.get("moves"), tuple[SceneMove, ...], "scene.moves")
        return evolve(from_json(data, cls, "scene"), listed=partial(tuple, moves))
