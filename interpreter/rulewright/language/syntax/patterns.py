"""Statements of pattern files."""

from __future__ import annotations

from typing import TypeAlias

from attrs import field

from rulewright.ground.records import record
from rulewright.language.syntax.expressions import (
    NAME,
    PATTERN,
    WORD,
    Name,
    Node,
    declares,
    mentions,
)
from rulewright.language.syntax.statements import Format


@record
class Whole(Node):
    """A whole number; `-0` is 0."""

    value: int


@record
class PatternsFor(Node):
    """`Patterns for GAME`."""

    game: Name = field(metadata=mentions("game"))


@record
class Around(Node):
    """`Around own`, or `Around ends of PATH in EVALUATOR as next`."""

    path: Name | None = field(metadata=mentions(NAME))
    evaluator: Name | None = field(metadata=mentions("evaluator"))
    as_next: bool = False


@record
class UsePatterns(Node):
    """`Use NAME`: the patterns of another file come first."""

    name: Name = field(metadata=mentions("patterns"))


@record
class Symmetry(Node):
    """`Symmetry mirror`."""

    name: Name = field(metadata=mentions(WORD))


@record
class Begin(Node):
    """`Off 2`, `DefS wedge`: a pattern begins."""

    word: str
    name: Name = field(metadata=declares(PATTERN, "pattern"))


@record
class Condition(Node):
    """`Own 3 3`, `BPoss 0 0 2 1`, `Set 2 1`."""

    word: str
    numbers: tuple[int, ...]


@record
class Priority(Node):
    """`Priority 7`."""

    number: Whole


@record
class PictureRow(Node):
    """`| @ o + |`, without its borders."""

    cells: tuple[str, ...]


@record
class PatternExample(Node):
    """`Example own h5, e2 link h5 f4 at h5 north set f4`: its words without the first."""

    words: tuple[Name, ...] = field(metadata=mentions(WORD))


@record
class Unread(Node):
    """A line that cannot be read: what it was meant to be, as far as one can tell."""

    word: str


PatternItem: TypeAlias = (
    Format
    | PatternsFor
    | Around
    | UsePatterns
    | Symmetry
    | Begin
    | Condition
    | Priority
    | PictureRow
    | PatternExample
    | Unread
)


@record
class Patterns(Node):
    """A whole file; every line is an item."""

    items: tuple[PatternItem, ...]
    excused: frozenset[str] = field(default=frozenset(), eq=False, kw_only=True)
