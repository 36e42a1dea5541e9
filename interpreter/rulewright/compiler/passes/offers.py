"""What a course offers at its beginning: moves with what is left behind them, and conditions.

In: a course of the model.  Out: options, in the order in which decisions are listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from rulewright.ground.records import Record, record
from rulewright.model import rules as r
from rulewright.model.rules import EMPTY, Course
from rulewright.reference.courses import ends_by_itself, follow, rest_of


@record
class Offer(Record):
    """A move (None: the decision `none`), and the course that continues the turn after it."""

    move: int | None
    tail: Course


@record
class TurnEnds(Record):
    """The turn may end without a decision."""


@record
class Instead(Record):
    """What `second` offers counts only where `first` offers nothing."""

    first: tuple[Option, ...]
    second: tuple[Option, ...]


@record
class Within(Record):
    """Of what is offered inside a longest part: what longest ways through it begin with."""

    offers: tuple[Option, ...]
    part: r.Longest
    tail: Course

    @property
    def course(self) -> Course:
        """The part and what follows it."""
        return follow(self.part, self.tail)


Option: TypeAlias = Offer | TurnEnds | Instead | Within


def options(course: Course, tail: Course = EMPTY) -> tuple[Option, ...]:
    """List the options at the beginning of a course that *tail* follows, in order."""
    match course:
        case r.OneMove(move):
            return (Offer(move, tail),)
        case r.InOrder(()):
            return (TurnEnds(),) if tail == EMPTY else options(tail)
        case r.InOrder((first, *following)):
            return options(first, follow(r.InOrder(tuple(following)), tail))
        case r.Either(items):
            return tuple(option for item in items for option in options(item, tail))
        case r.Otherwise(first, second):
            return (Instead(options(first, tail), options(second, tail)),)
        case r.Maybe(item):
            return (*options(item, tail), Offer(None, tail))
        case r.While(item, free):
            inner = options(item, follow(course, tail))
            return (*inner, Offer(None, tail)) if free else (Instead(inner, options(EMPTY, tail)),)
        case r.Longest(item):
            within = Within(tuple(_inside(options(item), course, tail)), course, tail)
            behind = options(EMPTY, tail) if ends_by_itself(item) else ()
            return (Instead((within,), behind),)
    raise TypeError(course)


def _inside(offers: Sequence[Option], part: r.Longest, tail: Course) -> Iterator[Option]:
    """Walk the options of the inside of a part, with what is left of the whole turn."""
    for option in offers:
        match option:
            case Offer(move, left):
                yield Offer(move, follow(rest_of(part, left), tail))
            case Instead(first, second):
                ways = (tuple(_inside(o, part, tail)) for o in (first, second))
                yield Instead(*ways)
