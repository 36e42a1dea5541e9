"""Courses: what is left of a turn, a regular expression over moves."""

from __future__ import annotations

from typing import TypeAlias

from rulewright.ground.records import Record, record
from rulewright.model.expressions import Expr


@record
class OneMove(Record):
    """One decision of a move."""

    move: int


@record
class InOrder(Record):
    """One part after the other; the empty course is `InOrder(())`."""

    items: tuple[Course, ...]


@record
class Either(Record):
    """One of several parts."""

    items: tuple[Course, ...]


@record
class Otherwise(Record):
    """The second only when the first has no decision."""

    first: Course
    second: Course


@record
class Maybe(Record):
    """The part, or the decision `none`."""

    item: Course


@record
class While(Record):
    """The part again and again; `free` offers `none` too, else it must be played while it can."""

    item: Course
    free: bool


@record
class Longest(Record):
    """The ways through the part with most decisions; with `by` those where it is largest."""

    item: Course
    by: Expr | None = None
    name: str = ""


Course: TypeAlias = OneMove | InOrder | Either | Otherwise | Maybe | While | Longest
EMPTY = InOrder(())
