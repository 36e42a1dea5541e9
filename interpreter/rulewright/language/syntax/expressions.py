"""Expressions and the patterns of rays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from attrs import field, fields

from rulewright.ground.records import Record, record
from rulewright.language.source import Span


@record
class Node(Record):
    """Anything that stands somewhere in a text."""

    span: Span = field(eq=False, kw_only=True)
    depth: int = field(eq=False, kw_only=True, default=1)


@record
class Name(Node):
    """A word that stands for something: a definition, a set, a site or a player."""

    text: str


# --- names in fields ---

NAME, MOVE, VALUE, PATTERN, WORD = "name", "move", "value", "pattern", "word"
OPENING, REPLY, COLOUR = "opening", "reply", "colour"
"""What a name is of: those of expressions, moves, values, openings and replies of an evaluator,
patterns of a file, colours, and words that a statement knows (`draws`, `one_ply`, a unit).  A name
of a file is of its kind: `game`, `evaluator`, `personality`, `patterns`, `look`."""


@record
class Role(Record):
    """What the name in a field is a name of, and what it declares there (`let`, `option`, ...).

    *is_use*: whether whoever declared the name sees it used here.
    """

    of: str
    declares: str = ""
    is_use: bool = False


def declares(of: str, kind: str) -> dict[str, Role]:
    """The metadata of a field whose name is given here to something of a kind."""
    return {"role": Role(of, kind)}


def mentions(of: str, *, is_use: bool = True) -> dict[str, Role]:
    """The metadata of a field that names what is declared elsewhere."""
    return {"role": Role(of, is_use=is_use and of == NAME)}


_ROLES: dict[type[Any], dict[str, Role]] = {}


def roles(kind: type[Node]) -> dict[str, Role]:
    """The roles of the fields of a node that are names."""
    if kind not in _ROLES:
        named = (f for f in fields(kind) if "role" in f.metadata)
        _ROLES[kind] = {f.name: f.metadata["role"] for f in named}
    return _ROLES[kind]


# --- expressions ---


@record
class Number(Node):
    """`12` or `7.5`."""

    value: int | float


@record
class Text(Node):
    """A text with holes: plain parts and expressions in the order they are written."""

    parts: tuple[str | Expr, ...]


@record
class Call(Node):
    """`near(a)`, `some(x in S : c)`: arguments, and what follows the colon."""

    name: Name = field(metadata=mentions(NAME))
    arguments: tuple[Expr, ...]
    body: Expr | None


@record
class Prefix(Node):
    """`not`, `-`, `count`, `any`, `no` before an operand."""

    sign: str
    operand: Expr


@record
class Binary(Node):
    """Arithmetic and comparison."""

    sign: str
    left: Expr
    right: Expr


@record
class Many(Node):
    """`or`, `and`, and (sign `&`) adjoining sets, any number of them side by side."""

    sign: str
    items: tuple[Expr, ...]


@record
class Conditional(Node):
    """`A if C else B`."""

    then: Expr
    condition: Expr
    otherwise: Expr


@record
class Viewed(Node):
    """`X for P`: X as player P sees it."""

    operand: Expr
    player: Name = field(metadata=mentions(NAME))


@record
class Interval(Node):
    """`1..4`, both ends included."""

    low: Expr
    high: Expr


@record
class Bracketed(Node):
    """`( E )`: kept, so that a text can be printed as it was written."""

    inner: Expr


@record
class ListOf(Node):
    """`[1, -1]`."""

    items: tuple[Expr, ...]


@record
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


@record
class Places(Node):
    """One site that lies in all of the named sets (outside those with `not`)."""

    items: tuple[tuple[bool, Name], ...]


@record
class Sequence(Node):
    """One after the other."""

    items: tuple[RayPattern, ...]


@record
class Alternatives(Node):
    """Either of several."""

    items: tuple[RayPattern, ...]


@record
class Repeated(Node):
    """`*`, `+`, `?`, or `{` with a number of times."""

    item: RayPattern
    sign: str
    times: Expr | None


@record
class Marked(Node):
    """`[name: pattern]`: the part that the ray is about."""

    name: Name | None = field(metadata=declares(NAME, "local"))
    item: RayPattern


RayPattern: TypeAlias = Places | Sequence | Alternatives | Repeated | Marked


# --- walking ---


_LISTS = (tuple, list)


def nodes(*roots: object, texts: bool = True) -> Iterator[Node]:
    """Walk all nodes below *roots*, parents first; *texts*: also those in the braces of texts."""
    todo: list[Any] = list(reversed(roots))
    while todo:
        node = todo.pop()
        if isinstance(node, _LISTS):
            todo += reversed(node)
        elif isinstance(node, Node):
            yield node
            if texts or not isinstance(node, Text):
                fields = reversed(type(node).__attrs_attrs__)
                todo += [getattr(node, field.name) for field in fields]
