"""Statements of personalities."""

from __future__ import annotations

from typing import TypeAlias

from attrs import field, frozen

from rulewright.language.syntax.evaluators import Quantity, Use
from rulewright.language.syntax.expressions import Name, Node
from rulewright.language.syntax.statements import Format, Untested


@frozen(repr=False, eq=False)
class PersonalityName(Node):
    """`personality NAME for GAME`."""

    name: Name
    game: Name


@frozen(repr=False, eq=False)
class Extends(Node):
    """`extends NAME`."""

    name: Name


@frozen(repr=False, eq=False)
class Setting(Node):
    """`FACTOR = VALUE UNIT`."""

    name: Name
    value: Quantity
    unit: Name | None


@frozen(repr=False, eq=False)
class Limit(Node):
    """`depth 3 turns`, `breadth MaxBreadth`: a setting of the search."""

    name: Name
    value: Quantity | Name
    unit: Name | None


@frozen(repr=False, eq=False)
class Search(Node):
    """`search KIND, setting, ...`."""

    kind: Name
    limits: tuple[Limit, ...]


@frozen(repr=False, eq=False)
class Consider(Node):
    """`consider patterns NAME, most 14 else all`."""

    what: Name
    name: Name
    most: Limit | None
    otherwise: Name | None


@frozen(repr=False, eq=False)
class PickBest(Node):
    """`pick best VALUE if VALUE >= n`."""

    value: Name | None
    first: Name | None
    sign: str
    second: Quantity | Name | None


@frozen(repr=False, eq=False)
class PickAny(Node):
    """`pick first`, `pick random`."""

    how: Name


@frozen(repr=False, eq=False)
class Prefer(Node):
    """`prefer none, drop, flip`."""

    moves: tuple[Name, ...]


@frozen(repr=False, eq=False)
class Ties(Node):
    """`ties random`, `ties first`."""

    how: Name


@frozen(repr=False, eq=False)
class OpeningRandom(Node):
    """`opening random 1 turn`."""

    how: Name
    number: Quantity
    unit: Name


@frozen(repr=False, eq=False)
class OpeningMoves(Node):
    """`opening "f6", "swap"`: the first turns of this player."""

    turns: tuple[str, ...]


PersonalityItem: TypeAlias = (
    Format | PersonalityName | Extends | Use | Setting | Search | Consider | PickBest | PickAny
    | Prefer | Ties | OpeningRandom | OpeningMoves | Untested
)  # fmt: skip


@frozen
class Personality:
    """A whole personality file; the sets say of faulty lines what they say of `Rules`."""

    items: tuple[PersonalityItem, ...]
    excused: frozenset[str] = field(default=frozenset(), eq=False)
    missing: frozenset[str] = field(default=frozenset(), eq=False)
    mentioned: frozenset[str] = field(default=frozenset(), eq=False)
