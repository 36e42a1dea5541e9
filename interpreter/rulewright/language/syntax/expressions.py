"""Expressions and the patterns of rays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from attrs import field, frozen

from rulewright.language.source import Span
from rulewright.records import Record


@frozen(repr=False, eq=False)
class Node(Record):
    """Anything that stands somewhere in a text."""

    span: Span = field(eq=False, kw_only=True)
    depth: int = field(eq=False, kw_only=True, default=1)


@frozen(repr=False, eq=False)
class Name(Node):
    """A word that stands for something: a definition, a set, a site or a player."""

    text: str


# --- expressions ---


@frozen(repr=False, eq=False)
class Number(Node):
    """`12` or `7.5`."""

    value: int | float


@frozen(repr=False, eq=False)
class Text(Node):
    """A text with holes: plain parts and expressions in the order they are written."""

    parts: tuple[str | Expr, ...]


@frozen(repr=False, eq=False)
class Call(Node):
    """`near(a)`, `some(x in S : c)`: arguments, and what follows the colon."""

    name: Name
    arguments: tuple[Expr, ...]
    body: Expr | None


@frozen(repr=False, eq=False)
class Prefix(Node):
    """`not`, `-`, `count`, `any`, `no` before an operand."""

    sign: str
    operand: Expr


@frozen(repr=False, eq=False)
class Binary(Node):
    """Arithmetic and comparison."""

    sign: str
    left: Expr
    right: Expr


@frozen(repr=False, eq=False)
class Many(Node):
    """`or`, `and`, and (sign `&`) adjoining sets, any number of them side by side."""

    sign: str
    items: tuple[Expr, ...]


@frozen(repr=False, eq=False)
class Conditional(Node):
    """`A if C else B`."""

    then: Expr
    condition: Expr
    otherwise: Expr


@frozen(repr=False, eq=False)
class Viewed(Node):
    """`X for P`: X as player P sees it."""

    operand: Expr
    player: Name


@frozen(repr=False, eq=False)
class Interval(Node):
    """`1..4`, both ends included."""

    low: Expr
    high: Expr


@frozen(repr=False, eq=False)
class Bracketed(Node):
    """`( E )`: kept, so that a text can be printed as it was written."""

    inner: Expr


@frozen(repr=False, eq=False)
class ListOf(Node):
    """`[1, -1]`."""

    items: tuple[Expr, ...]


@frozen(repr=False, eq=False)
class Ray(Node):
    """`ray from A along D /pattern/`."""

    origin: Expr
    along: Expr
    pattern: RayPattern


Expr: TypeAlias = (
    Name | Number | Text | Call | Prefix | Binary | Many | Conditional | Viewed | Interval
    | Bracketed | ListOf | Ray
)  # fmt: skip


# --- patterns of rays ---


@frozen(repr=False, eq=False)
class Places(Node):
    """One site that lies in all of the named sets (outside those with `not`)."""

    items: tuple[tuple[bool, Name], ...]


@frozen(repr=False, eq=False)
class Sequence(Node):
    """One after the other."""

    items: tuple[RayPattern, ...]


@frozen(repr=False, eq=False)
class Alternatives(Node):
    """Either of several."""

    items: tuple[RayPattern, ...]


@frozen(repr=False, eq=False)
class Repeated(Node):
    """`*`, `+`, `?`, or `{` with a number of times."""

    item: RayPattern
    sign: str
    times: Expr | None


@frozen(repr=False, eq=False)
class Marked(Node):
    """`[name: pattern]`: the part that the ray is about."""

    name: Name | None
    item: RayPattern


RayPattern: TypeAlias = Places | Sequence | Alternatives | Repeated | Marked


# --- walking ---


def nodes(*roots: object, texts: bool = True) -> Iterator[Node]:
    """All nodes in *roots*, outer ones first; without *texts* not those in the braces of texts."""
    todo: list[Any] = list(reversed(roots))
    while todo:
        node = todo.pop()
        if isinstance(node, tuple | list):
            todo += reversed(node)
        elif isinstance(node, Node):
            yield node
            if texts or not isinstance(node, Text):
                fields = reversed(type(node).__attrs_attrs__)
                todo += [getattr(node, field.name) for field in fields]
