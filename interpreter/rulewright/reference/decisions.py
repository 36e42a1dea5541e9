"""The decisions of what is left of a turn, walked lazily, and the lengths of ways through it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import chain
from math import lcm
from typing import TYPE_CHECKING, Protocol, TypeAlias

from attrs import define, evolve, field, frozen

from rulewright.errors import Fault
from rulewright.ground import limits
from rulewright.ground.nesting import ROOM
from rulewright.model import rules as r
from rulewright.model.expressions import Value
from rulewright.model.rules import EMPTY, Course
from rulewright.reference.courses import (
    ceiling_of,
    ends_by_itself,
    follow,
    may_end,
    may_stop,
    rest_of,
)
from rulewright.reference.evaluate import evaluate
from rulewright.reference.position import Context, Position

if TYPE_CHECKING:
    from random import Random

NONE = "-"
"""The notation of the decision not to make an optional move."""


@frozen
class LegalDecision:
    """A legal decision: its text, its move (None for `none`), and the position it leads to."""

    text: str
    move: int | None
    after: Position
    frame: tuple[Value, ...] = field(default=(), eq=False)
    """The values that the move has chosen and worked out, by slot."""
    chance: Fraction | int = field(default=1, eq=False)
    """How likely it is, compared with others, where chance decides."""
    fault: Fault | None = field(default=None, eq=False)
    """What its effects meet; met when it is played, after all decisions have been listed."""

    def play(self) -> Position:
        """The position it leads to; raises the fault that its effects meet."""
        if self.fault is not None:
            raise self.fault
        return self.after


def draw(chances: Sequence[Fraction | int], random: Random) -> int:
    """The place of one of *chances*, drawn as often as they say; they need not sum up to 1."""
    whole = lcm(*(Fraction(chance).denominator for chance in chances))
    weights = [int(chance * whole) for chance in chances]
    number = random.randrange(sum(weights))
    for place, weight in enumerate(weights):
        if number < weight:
            return place
        number -= weight
    raise AssertionError(chances)


Decide: TypeAlias = "Callable[[int, Position], Iterator[LegalDecision]]"


@frozen
class Decisions:
    """The legal decisions with which a turn can go on, generated lazily.

    `decide` generates those of a move.  Where it leaves some out, `whole` generates all, for `else`
    and `*`, which depend on whether there is any.  With `chance` alternatives come in random order,
    and an optional part comes before the decision `none` in half of the cases.
    """

    position: Position
    decide: Decide
    whole: Decisions | None = None
    chance: Random | None = None
    measure: WayLengths | None = None
    finishing: Finishing | None = None
    inside: tuple[r.Longest, Course] | None = None
    """The longest part that decisions are made in, and what follows it."""

    def of(self, course: Course, tail: Course = EMPTY) -> Iterator[LegalDecision]:
        """Yield the decisions of *course*, which *tail* follows in the turn."""
        match course:
            case r.OneMove(move):
                here = evolve(self.position, rest=self._whole_rest(tail), fresh=False)
                yield from self._finished(self.decide(move, here))
            case r.InOrder(()):
                if tail != EMPTY:
                    yield from self.of(tail)
            case r.InOrder((first, *others)):
                yield from self.of(first, follow(r.InOrder(tuple(others)), tail))
            case r.Either(items):
                for item in self.chance.sample(items, len(items)) if self.chance else items:
                    yield from self.of(item, tail)
            case r.Otherwise(first, second):
                decisions = self._if_any(first, tail)
                yield from self.of(second, tail) if decisions is None else decisions
            case r.Longest():
                decisions = self._longest(course, tail)
                first_decision = next(decisions, None)
                if first_decision is not None:
                    yield from chain((first_decision,), decisions)
                elif ends_by_itself(course.item) and self._has_no_way(course, tail):
                    yield from self.of(EMPTY, tail)
            case r.Maybe(item):
                if self._accepts():
                    yield from self.of(item, tail)
                yield from self._finished([self._none(tail)])
            case r.While(item, True):
                if self._accepts():
                    yield from self.of(item, follow(course, tail))
                yield from self._finished([self._none(tail)])
            case r.While(item):
                decisions = self._if_any(item, follow(course, tail))
                yield from self.of(EMPTY, tail) if decisions is None else decisions

    def _if_any(self, course: Course, tail: Course) -> Iterator[LegalDecision] | None:
        """The decisions of *course*; None where it has none, those left out included."""
        if self.whole is not None:
            decision = next(self.whole.of(course, tail), None)
            return None if decision is None else self.of(course, tail)
        decisions = self.of(course, tail)
        first = next(decisions, None)  # which is enough to know: all may be thousands
        return None if first is None else chain((first,), decisions)

    def _finished(self, options: Iterable[LegalDecision]) -> Iterator[LegalDecision]:
        """The decisions after which the turn can be finished."""
        for option in options:
            if (
                self.finishing is None
                or option.fault is not None
                or self.finishing.is_possible(self.position, option.after)
            ):
                yield option

    def _whole_rest(self, tail: Course) -> Course:
        """Return what is left of the whole turn; *tail* is what is left of a longest part in it."""
        if self.inside is None:
            return tail
        part, behind = self.inside
        return follow(rest_of(part, tail), behind)

    def within(self, course: r.Longest, tail: Course) -> Iterator[LegalDecision]:
        """The decisions of a longest part, short ways too."""
        return evolve(self, inside=(course, tail), whole=None).of(course.item)

    def _longest(self, course: r.Longest, tail: Course) -> Iterator[LegalDecision]:
        """The decisions of a part that longest ways through it begin with."""
        assert self.measure is not None
        self.measure.tried = 0
        every = self.measure.decisions(self.position)
        lengths = {
            option: length
            for option in list(every.within(course, tail))
            if (length := self.measure.length(self.position, option, course, tail)) is not None
        }
        most = max(lengths.values(), default=None)
        for option in self.within(course, tail):
            if most is not None and lengths.get(option) == most:
                yield option

    def _has_no_way(self, course: r.Longest, tail: Course) -> bool:
        """Whether a longest part has no decision at all, also none that this listing leaves out."""
        return next((self.whole or self).within(course, tail), None) is None

    def _accepts(self) -> bool:
        return self.chance is None or self.chance.random() < 0.5

    def _none(self, tail: Course) -> LegalDecision:
        after = evolve(self.position, rest=self._whole_rest(tail), fresh=False)
        return LegalDecision(NONE, None, after)


class _Playing(Protocol):
    """The rules in motion, as far as ways on are asked of them."""

    @property
    def rules(self) -> r.Rules: ...

    def context(self, position: Position) -> Context: ...

    def decisions(
        self, number: int, position: Position, *, patient: bool
    ) -> Iterator[LegalDecision]: ...

    def passed_on(self, before: Position, after: Position) -> Position: ...

    def closed(self, after: Position) -> Position | None: ...


@define
class WayLengths:
    """Lengths of ways through a part of a turn, by trying all of them."""

    play: _Playing
    finishing: Finishing | None = None
    tried: int = 0
    depth: int = 0

    def decisions(self, position: Position) -> Decisions:
        """All decisions of a position in a turn."""
        patient = partial(self.play.decisions, patient=True)
        return Decisions(position, patient, measure=self, finishing=self.finishing)

    def length(
        self, before: Position, option: LegalDecision, course: r.Longest, tail: Course
    ) -> int | None:
        """How long the best way is that begins with a decision; None if it cannot be finished."""
        self.tried += 1
        if self.tried > limits.BRANCHES or self.depth >= limits.WAY:
            message = f"more than {limits.BRANCHES:,} ways to go on with one turn"
            if self.depth >= limits.WAY:
                message = f"a way to go on with one turn by more than {limits.WAY} decisions"
            raise Fault("too-many", message, self.play.rules.turn)
        position = self.play.passed_on(before, option.play())
        self.depth += 1
        with ROOM:
            longest = self._onward(position, course, tail)
        self.depth -= 1
        counts = course.by is None and option.move is not None
        return None if longest is None else longest + counts

    def _onward(self, position: Position, course: r.Longest, tail: Course) -> int | None:
        """How long the best way on is through what is left of a part."""
        if position.rest == tail:
            return self._worth(position, course)
        longest = position.rest.items[0] if isinstance(position.rest, r.InOrder) else position.rest
        if not isinstance(longest, r.Longest):
            return self._worth(position, course)
        options = list(self.decisions(position).within(longest, tail))
        if not options:
            return self._worth(position, course) if ends_by_itself(longest.item) else None
        best, ceiling = None, ceiling_of(course, self.play.rules)
        for option in options:
            length = self.length(position, option, longest, tail)
            best = length if best is None or (length is not None and length > best) else best
            if best is not None and best == ceiling:
                break  # no way on is longer
        return best

    def _worth(self, position: Position, course: r.Longest) -> int:
        return 0 if course.by is None else int(evaluate(course.by, self.play.context(position)))


@define
class Finishing:
    """Whether turns can be finished, in a game with an action that must succeed at their end."""

    play: _Playing
    tried: int = 0
    depth: int = 0

    def is_possible(self, before: Position, after: Position) -> bool:
        """Whether a turn can be finished after a decision; a fault on the way on counts as one."""
        self.tried = self.tried + 1 if self.depth else 1
        if self.tried > limits.BRANCHES or self.depth >= limits.WAY:
            message = f"more than {limits.BRANCHES:,} ways to go on with one turn"
            if self.depth >= limits.WAY:
                message = f"a way to go on with one turn by more than {limits.WAY} decisions"
            raise Fault("too-many", message, self.play.rules.turn)
        self.depth += 1
        try:
            with ROOM:
                return self._can_finish(before, after)
        except Fault as fault:
            if fault.code == "too-many":
                raise
            return True
        finally:
            self.depth -= 1

    def _can_finish(self, before: Position, after: Position) -> bool:
        rest = after.rest
        if rest == EMPTY:
            return self.play.closed(after) is not None
        here = self.play.passed_on(before, after)
        if may_stop(rest) and self.play.closed(here) is not None:
            return True
        ways = WayLengths(self.play, self).decisions(here)
        if next(ways.of(rest), None) is not None:
            return True
        over = may_end(rest) and ends_by_itself(rest)
        return over and self.play.closed(after) is not None
