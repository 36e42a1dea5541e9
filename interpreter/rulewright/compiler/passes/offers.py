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
    """A move (None: the decision `none`), and what it leaves of the turn."""

    move: int | None
    rest: Course


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
    rest: Course

    @property
    def course(self) -> Course:
        """The part and what follows it."""
        return follow(self.part, self.rest)


Option: TypeAlias = Offer | TurnEnds | Instead | Within


def options(course: Course, rest: Course = EMPTY) -> tuple[Option, ...]:
    """List the options at the beginning of a course that *rest* follows, in order."""
    match course:
        case r.OneMove(move):
            return (Offer(move, rest),)
        case r.InOrder(()):
            return (TurnEnds(),) if rest == EMPTY else options(rest)
        case r.InOrder((first, *following)):
            return options(first, follow(r.InOrder(tuple(following)), rest))
        case r.Either(items):
            return tuple(option for item in items for option in options(item, rest))
        case r.Otherwise(first, second):
            return (Instead(options(first, rest), options(second, rest)),)
        case r.Maybe(item):
            return (*options(item, rest), Offer(None, rest))
        case r.While(item, free):
            inner = options(item, follow(course, rest))
            return (*inner, Offer(None, rest)) if free else (Instead(inner, options(EMPTY, rest)),)
        case r.Longest(item):
            within = Within(tuple(_inside(options(item), course, rest)), course, rest)
            behind = options(EMPTY, rest) if ends_by_itself(item) else ()
            return (Instead((within,), behind),)
    raise TypeError(course)


def _inside(offers: Sequence[Option], part: r.Longest, rest: Course) -> Iterator[Option]:
    """Walk the options of the inside of a part, with what is left of the whole turn."""
    for option in offers:
        match option:
            case Offer(move, left):
                yield Offer(move, follow(rest_of(part, left), rest))
            case Instead(first, second):
                ways = (tuple(_inside(o, part, rest)) for o in (first, second))
                yield Instead(*ways)
