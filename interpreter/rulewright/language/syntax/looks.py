"""Statements of looks: how a game is drawn, and the words of players for it."""

from __future__ import annotations

from typing import TypeAlias

from attrs import field

from rulewright.ground.records import record
from rulewright.language.syntax.expressions import (
    COLOUR,
    MOVE,
    NAME,
    WORD,
    Expr,
    Name,
    Node,
    Number,
    declares,
    mentions,
)
from rulewright.language.syntax.statements import File, Format, Let


@record
class LookName(Node):
    """`look NAME for GAME`."""

    name: Name = field(metadata=declares("look", "look"))
    game: Name = field(metadata=mentions("game"))


@record
class ExtendsLook(Node):
    """`extends NAME`: another look of the same game."""

    name: Name = field(metadata=mentions("look"))


@record
class Title(Node):
    """`title "TEXT"`."""

    text: str


@record
class Tell(Node):
    """`tell "TEXT"`."""

    text: str


@record
class OwnColour(Node):
    """`colour NAME = "#RRGGBB" dark "#RRGGBB"`."""

    name: Name = field(metadata=declares(COLOUR, "colour"))
    light: str
    dark: str | None


@record
class SideColour(Node):
    """`side PLAYER is COLOUR "TEXT"`."""

    player: Name = field(metadata=mentions(NAME))
    colour: Name = field(metadata=mentions(COLOUR))
    label: str | None


@record
class BoardMaterial(Node):
    """`board MATERIAL COLOUR, COLOUR`."""

    material: Name = field(metadata=mentions(WORD))
    colours: tuple[Name, ...] = field(metadata=mentions(COLOUR))


@record
class Pitch(Node):
    """`pitch x 1 5`: widths of columns (or heights of rows), repeated."""

    axis: Name = field(metadata=mentions(WORD))
    widths: tuple[Number, ...]


@record
class ViewFrom(Node):
    """`view from PLAYER`."""

    viewer: Name = field(metadata=mentions(NAME))


@record
class ViewTurned(Node):
    """`view turned 30`: degrees."""

    degrees: Number


@record
class Coordinates(Node):
    """`coordinates PLACE`."""

    place: Name = field(metadata=mentions(WORD))


@record
class GroundDrawn(Node):
    """`ground at SITES as SHAPE in COLOUR from SITE to SITE`."""

    sites: Expr
    shape: Name = field(metadata=mentions(WORD))
    colour: Name | None = field(metadata=mentions(COLOUR))
    start: Expr | None
    end: Expr | None


@record
class GroundPath(Node):
    """`ground at SITES as path "DATA" in COLOUR from SITE to SITE`."""

    sites: Expr
    path: str
    colour: Name | None = field(metadata=mentions(COLOUR))
    start: Expr | None
    end: Expr | None


@record
class PileDrawn(Node):
    """`pile at SITES as WAY`."""

    sites: Expr
    way: Name = field(metadata=mentions(WORD))


@record
class NumbersDrawn(Node):
    """`numbers as DRAWING in COLOUR`."""

    drawing: Name = field(metadata=mentions(WORD))
    colour: Name | None = field(metadata=mentions(COLOUR))


@record
class SiteLabel(Node):
    """`label s in SITES as VALUE`."""

    sites: Expr
    value: Expr


@record
class DieShown(Node):
    """`dice VALUE at SITES`."""

    value: Expr
    sites: Expr


@record
class PieceDrawn(Node):
    """`piece KIND for PLAYER at SITES as DRAWING with SIGN in COLOUR from SITE to SITE`."""

    kind: Name = field(metadata=mentions(NAME))
    player: Name | None = field(metadata=mentions(NAME))
    sites: Expr | None
    drawing: Name = field(metadata=mentions(WORD))
    sign: Name | None = field(metadata=mentions(WORD))
    colour: Name | None = field(metadata=mentions(COLOUR))
    start: Expr | None
    end: Expr | None


@record
class PiecePath(Node):
    """`piece KIND for PLAYER at SITES as path "DATA" in COLOUR turned 45 by TABLE`."""

    kind: Name = field(metadata=mentions(NAME))
    player: Name | None = field(metadata=mentions(NAME))
    sites: Expr | None
    path: str
    colour: Name | None = field(metadata=mentions(COLOUR))
    degrees: Number | None
    table: Name | None = field(metadata=mentions(NAME))


@record
class LinksDrawn(Node):
    """`links KIND as STYLE 22`."""

    kind: Name = field(metadata=mentions(NAME))
    style: Name = field(metadata=mentions(WORD))
    width: Number | None


@record
class SiteMark(Node):
    """`mark STATE at SITES as MARK in COLOUR`."""

    state: Name = field(metadata=mentions(WORD))
    sites: Expr | None
    mark: Name = field(metadata=mentions(WORD))
    colour: Name | None = field(metadata=mentions(COLOUR))


@record
class Animate(Node):
    """`animate MOVE as MOTION from PLACE`."""

    move: Name = field(metadata=mentions(MOVE))
    motion: Name = field(metadata=mentions(WORD))
    start: Name | None = field(metadata=mentions(WORD))


@record
class Click(Node):
    """`click x in SITES means MOVE`."""

    sites: Expr
    move: Name = field(metadata=mentions(MOVE))


@record
class MoveButton(Node):
    """`button MOVE "TEXT" "HELP"`."""

    move: Name = field(metadata=mentions(MOVE))
    text: str
    help: str | None


@record
class ShowBeside(Node):
    """`show VALUE from SITE as DISPLAY "TEXT" beside WHOM means MOVE`."""

    value: Expr
    start: Expr | None
    display: Name = field(metadata=mentions(WORD))
    text: str | None
    whom: Name = field(metadata=mentions(WORD))
    move: Name | None = field(metadata=mentions(MOVE))


@record
class MoveWord(Node):
    """`word MOVE "TEXT"`."""

    move: Name = field(metadata=mentions(MOVE))
    text: str


@record
class Refuse(Node):
    """`refuse MOVE "TEXT"`."""

    move: Name = field(metadata=mentions(MOVE))
    text: str


@record
class Thumbnail(Node):
    """`thumbnail after "MOVES"`."""

    moves: str


@record
class Family(Node):
    """`family "TEXT"`."""

    text: str


@record
class Learn(Node):
    """`learn after "MOVES" "TEXT"`."""

    moves: str
    text: str


@record
class Puzzle(Node):
    """`puzzle after "MOVES" is "MOVES" "TEXT"`."""

    moves: str
    answer: str
    text: str


Placed: TypeAlias = (
    GroundDrawn | GroundPath | PileDrawn | SiteLabel | PieceDrawn | PiecePath | SiteMark | Click
)  # fmt: skip
"""Statements whose sites may be bound to a name: `at x in SET`."""
LookItem: TypeAlias = (
    Format | LookName | ExtendsLook | Let | Title | Tell | OwnColour | SideColour | BoardMaterial
    | Pitch | ViewFrom | ViewTurned | Coordinates | GroundDrawn | GroundPath | PileDrawn
    | NumbersDrawn | SiteLabel | DieShown | PieceDrawn | PiecePath
    | LinksDrawn | SiteMark | Animate | Click | MoveButton | ShowBeside | MoveWord | Refuse
    | Thumbnail | Family | Learn | Puzzle
)  # fmt: skip


@record
class Look(File):
    """The items of a look, and what is known of its faulty lines."""

    items: tuple[LookItem, ...]
