"""Positions as the reference plays them: the oracle, and the fallback without machine code.

In: situations of the reference.  Out: `ReferencePosition`s, with the `Listing` behind `Moves`, and
`GamePosition`, the protocol of positions in any form.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from attrs import define, frozen

from rulewright.errors import Fault
from rulewright.games.engine.moves import Choices, ChosenValue, Listing
from rulewright.ground.records import Record, record
from rulewright.model import rules as r
from rulewright.model.board import bits
from rulewright.model.expressions import (
    Alternatives,
    Marked,
    OnSite,
    RayPattern,
    Repeated,
    Sequence,
    Type,
    Value,
    member_type,
)
from rulewright.reference.decisions import LegalDecision
from rulewright.reference.play import Outcome, ReferencePlay, Situation
from rulewright.reference.position import History, Key


class Playable(Protocol):
    """A game that kernels may be compiled for and play, such as a `Game`."""

    @property
    def play(self) -> ReferencePlay:
        """The rules as the reference plays them, with the engines compiled for them."""

    @property
    def place(self) -> Path | None:
        """The path of the cached model; None if the model is not cached."""


class GamePosition(Protocol):
    """An immutable position between two decisions, in the form of what plays it."""

    @property
    def mover(self) -> int:
        """The player at move."""

    @property
    def ply(self) -> int:
        """How many turns are finished."""

    @property
    def fresh(self) -> bool:
        """Whether a turn begins."""

    @property
    def swapped(self) -> bool:
        """Whether the persons have exchanged colours."""

    @property
    def ended(self) -> Outcome | None:
        """How a rule ended the game, while there may be decisions left."""

    @property
    def running(self) -> bool:
        """Whether it is known, without computing anything, that the game goes on."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, also for lack of decisions; None while it goes on."""

    @property
    def listing(self) -> Listing:
        """The decisions, in the order of the turn and of the board."""

    @property
    def situation(self) -> Situation:
        """The position in the form of the reference."""

    @property
    def digest(self) -> Hashable:
        """A hashable that is the same for equal positions, in any form."""

    def after(self, number: int) -> GamePosition:
        """The position after decision *number*."""

    def same(self, other: GamePosition) -> bool:
        """Whether the positions are equal, also in what `repeats` sees of those before."""

    def key(self, start: GamePosition) -> Hashable:
        """A key that differs for different positions of a turn that began at *start*."""


@define(eq=False)
class ReferencePosition:
    """A position in the form of the reference."""

    situation: Situation
    effort: TimeTaken | None = None
    """Adds up the time that the reference takes for the game."""
    begun: bool = False
    """Whether the reference has begun to work on it."""
    _listing: ReferenceListing | None = None

    @property
    def mover(self) -> int:
        """The player at move."""
        return self.situation.position.mover

    @property
    def ply(self) -> int:
        """How many turns are finished."""
        return self.situation.position.ply

    @property
    def fresh(self) -> bool:
        """Whether a turn begins."""
        return self.situation.position.fresh

    @property
    def swapped(self) -> bool:
        """Whether the persons have exchanged colours."""
        return self.situation.position.swapped

    @property
    def ended(self) -> Outcome | None:
        """How a rule ended the game."""
        return self.situation.ended

    @property
    def running(self) -> bool:
        """False: the reference knows only by computing the `outcome`."""
        return False

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on."""
        with self._measure():
            return self.situation.outcome

    @property
    def listing(self) -> Listing:
        """The decisions, none where the game is over."""
        if self._listing is None:
            with self._measure():
                over = self.situation.outcome
                options = () if over else self.situation.options
            self._listing = ReferenceListing(self.situation.play.rules, options)
        return self._listing

    @contextmanager
    def _measure(self) -> Iterator[None]:
        start, self.begun = time.perf_counter(), True
        try:
            yield
        finally:
            if self.effort is not None:
                self.effort.seconds += time.perf_counter() - start

    def after(self, number: int) -> GamePosition:
        """The position after decision *number*."""
        with self._measure():
            situation = self.situation.after(self.situation.options[number])
        return ReferencePosition(situation, self.effort)

    @property
    def digest(self) -> Hashable:
        """A hashable that is the same for equal positions, in any form."""
        return *self.situation.position.owned, self.mover, self.ply, self.swapped

    def same(self, other: GamePosition) -> bool:
        """Whether the positions are equal, also in what `repeats` sees of those before."""
        mine, its = self.situation.position, other.situation.position
        return (
            mine == its
            and self.ended == other.ended
            and mine.past == its.past
            and Counter(history_keys(mine.history)) == Counter(history_keys(its.history))
        )

    def key(self, start: GamePosition) -> Hashable:
        """A key that differs for different positions of a turn that began at *start*."""
        position = self.situation.position
        return position, history_keys(position.history, start.situation.position.history)


def history_chain(history: History, end: History = None) -> Iterator[tuple[Key, History]]:
    """Yield the keys of a history down to *end*, newest first, each with the history it heads."""
    while history is not None and history is not end:
        yield history[0], history
        history = history[1]


def history_keys(history: History, end: History = None) -> tuple[Key, ...]:
    """Return the keys of a history down to *end*, which is left out, the newest first."""
    return tuple(key for key, _ in history_chain(history, end))


@define(eq=False)
class TimeTaken:
    """The time that the reference has taken to play a game, in seconds."""

    seconds: float = 0.0


@frozen(eq=False)
class ReferenceListing:
    """The decisions that the reference has listed."""

    rules: r.Rules
    options: tuple[LegalDecision, ...]

    def __len__(self) -> int:
        return len(self.options)

    def texts(self) -> list[str]:
        """The texts of all decisions."""
        return [option.text for option in self.options]

    def text(self, number: int) -> str:
        """The text of decision *number*."""
        return self.options[number].text

    def find(self, text: str) -> int:
        """The number of the decision that is written as *text*; -1 if none is."""
        return next((i for i, option in enumerate(self.options) if option.text == text), -1)

    def name(self, number: int) -> str:
        """The name of the move that decision *number* is of."""
        move = self.options[number].move
        return "none" if move is None else self.rules.moves[move].name

    def choices(self, number: int) -> Choices:
        """The choices of decision *number*."""
        option = self.options[number]
        if option.move is None:
            return {}
        body = self.rules.moves[option.move].body
        return {
            name: named_value(option.frame[slot], type_, self.rules)
            for statement in body
            for name, slot, type_ in choices(statement)
        }


@record
class Result(Record):
    """The result of a game.  `winner` is a colour, None for a draw; `rule` is the line of it.

    `about` is the comment behind that line, empty where there is none.  `places` are those of more
    than two players, each with its number from 1.
    """

    winner: str | None
    rule: str
    place: str
    about: str = ""
    places: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        return f"{self.verdict}: {self.rule} ({self.place})"

    @property
    def verdict(self) -> str:
        """The winner in words, or `draw`; the places where more than the first one counts."""
        numbers = sorted({number for _, number in self.places})
        if len(numbers) < 2 or (self.winner and len(numbers) == 2):
            return f"{self.winner} wins" if self.winner else "draw"
        return ", ".join(f"{n} {' and '.join(self._placed(n))}" for n in numbers)

    def _placed(self, number: int) -> list[str]:
        return [player for player, place in self.places if place == number]

    @property
    def description(self) -> str:
        """The result in a sentence: the author's words if there are some, and the rule."""
        return f"{self.verdict}: {self.about} ({self.rule})" if self.about else str(self)

    told = description
    """The former name of `description`, for one release."""


def result(outcome: Outcome, rules: r.Rules) -> Result:
    """The result of an outcome, in the names of the rules."""
    winner = None if outcome.winner is None else rules.players[outcome.winner]
    origin = rules.origins[outcome.origin]
    places = tuple(zip(rules.players, outcome.places, strict=True)) if outcome.places else ()
    return Result(winner, origin.text, rules.place(outcome.origin), origin.about, places)


def placed(fault: Fault, rules: r.Rules) -> Fault:
    """A fault with the place of its clause."""
    if fault.place or fault.origin >= len(rules.origins):
        return fault  # the place is known, or is one of an evaluator
    return Fault(fault.code, fault.message, fault.origin, rules.place(fault.origin))


def choices(statement: r.Effect) -> list[tuple[str, int, Type]]:
    """Name, slot and type of everything that a statement chooses."""
    match statement:
        case r.Choose(name=name, slot=slot, domain=domain):
            return [(name, slot, member_type(domain.type))]
        case r.ChooseRay(names=names, slots=slots, pattern=pattern):
            types = [_mark_type(pattern, mark) or Type.SITES for mark in range(len(slots))]
            return list(zip(names, slots, types, strict=True))
    return []


def _mark_type(pattern: RayPattern, mark: int) -> Type | None:
    """The type of a mark of a ray, SITE or SITES; None if the mark is not in *pattern*."""
    match pattern:
        case Marked(number, item) if number == mark:
            return Type.SITE if isinstance(item, OnSite) else Type.SITES
        case Sequence(items) | Alternatives(items):
            return next(filter(None, (_mark_type(item, mark) for item in items)), None)
        case Marked(_, item) | Repeated(item):
            return _mark_type(item, mark)
    return None


def named_value(value: Value, type_: Type, rules: r.Rules) -> ChosenValue:
    """A chosen value of the reference, in the names of the rules."""
    if type_ is Type.SITE and isinstance(value, int):
        return rules.board.names[next(bits(value))]
    match value, type_:
        case int(sites), Type.SITES:
            return tuple(rules.board.names[site] for site in bits(sites))
        case ((int(x), int(y)),), Type.STEP:
            return rules.board.direction_name((x, y))
        case int(kind), Type.KIND:
            return rules.kinds[kind].name
    assert isinstance(value, int)
    return value
