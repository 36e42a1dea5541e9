"""Answers about the games to choose from: all with what they are called, a card, what one learns.

In: values of these classes.  Out: JSON, as that of all answers (`answers.py`).
"""

from __future__ import annotations

from attrs import field, frozen

from rulewright.app.studio.levels import Level

MISTAKES = (("blunder", 0.3), ("mistake", 0.2), ("inaccuracy", 0.1))
"""What a decision is called that costs so much of a point, a win being one and a draw a half."""


@frozen
class Heading:
    """What a look says of its game: what people call it, a line, a family; empty without one."""

    title: str = ""
    tell: str = ""
    family: str = ""


@frozen
class Greeting:
    """The games: *headings* of their looks, *places* of those not bundled, *own* in the folder.

    *levels* are those of the games that were measured; under no name stand those of all others.
    *mistakes* says how much of a point a decision costs that is called so, the dearest first.
    """

    version: str
    process: str
    games: dict[str, str]
    headings: dict[str, Heading]
    places: dict[str, str]
    own: tuple[str, ...]
    opened: str | None
    folder: str | None
    levels: dict[str, tuple[Level, ...]]
    mistakes: dict[str, float] = field(factory=lambda: dict(MISTAKES))


@frozen
class FirstTable:
    """The first table of a game as a desk has it, as JSON; null where only a desk can tell."""

    table: str


@frozen
class GameCard:
    """A game to choose: an own title, a line, a picture as SVG, a family, empty without one.

    *seats* says how many play.
    """

    game: str
    title: str
    tell: str
    picture: str
    family: str = ""
    seats: int = 2


@frozen
class LessonShown:
    """A picture as SVG, and what it shows or asks.

    Of a puzzle `moves` lead to the position, and `answer` are the decisions that solve it.
    """

    picture: str
    text: str
    moves: str
    answer: str = ""


@frozen
class Introduced:
    """What there is to learn of a game: pictures, and a puzzle if it has one."""

    game: str
    title: str
    tell: str
    pictures: tuple[LessonShown, ...]
    puzzle: LessonShown | None
