"""Positions as the words of machine code: small, immutable, and played in microseconds.

In: a game's engine, positions of the reference.  Out: `PackedPosition`s, which know their
decisions, what follows each, and how the game ended.  Refuses nothing: where kernels meet a fault,
or leave a decision out because another is written alike, the reference is asked instead.

Rows of decisions have room for the longest; what lies behind a row's own words is left over from
others, so rows are never compared whole.
"""

from __future__ import annotations

import ctypes
import struct
import sys
import time
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cached_property
from threading import Lock

from attrs import define, evolve, frozen

from rulewright import budget
from rulewright.codegen import layout as p
from rulewright.codegen.engine import Engine
from rulewright.codegen.layout import key_words
from rulewright.codegen.passes.duplicates import chosen
from rulewright.engine.interpreted import GamePosition, ReferencePosition, choices, placed, shown
from rulewright.engine.memory import (
    MASK,
    WORD,
    Kernel,
    Memory,
    Past,
    function_at,
    packed_words,
    same_past,
)
from rulewright.engine.moves import Choices, ChosenValue, Listing
from rulewright.engine.notation import CODES, Notation
from rulewright.errors import Fault, OutOfBudget
from rulewright.model import rules as r
from rulewright.model.expressions import Type, Value
from rulewright.reference.evaluate import evaluate
from rulewright.reference.play import Outcome, Situation
from rulewright.reference.position import History, Key, Position

_ROWS = 2 * p.MARGIN  # those of a position, and of what follows
SLOW = 0.002
"""Seconds of one call from which on a game counts as slow; bundled ones take microseconds."""


@frozen
class Listed:
    """The decisions of a position: their rows, how many, and the end where there are none."""

    rows: bytes
    count: int
    stuck: Outcome | None


class Machine:
    """A game's kernels with arrays of their own; one position at a time is worked on."""

    def __init__(self, engine: Engine) -> None:
        """Room for the positions of an engine."""
        self.engine, self.play, self.layout = engine, engine.play, engine.plan
        self.lock, self.slow = Lock(), False
        self.row, self.size = engine.row * WORD, engine.plan.size * WORD
        self.key = len(key_words(engine.plan)) * WORD
        self.courses = list(engine.plan.courses)
        self.looks_back = engine.play.rules.looks_back
        sizes = engine.sizes()
        self._state, self._scratch, self._copy = (Memory(sizes[name]) for name in "SXT")
        self._rows, self._past = Memory(_ROWS * engine.row), Memory(sizes["H"])
        self._constants = engine.constants
        self._holding: list[Past | None] = []
        self._arrays = (
            self._state.address, ctypes.addressof(self._constants), self._rows.address,
            self._past.address, self._scratch.address, self._copy.address,
        )  # fmt: skip
        self._known: dict[tuple[int, bool], tuple[Kernel, Kernel, Kernel]] = {}

    @cached_property
    def notation(self) -> Notation | None:
        """How decisions are written, where that depends on nothing but their choices."""
        return Notation.of(self.play, self.layout)

    @cached_property
    def _writer(self) -> tuple[Kernel, Memory, Memory]:
        """The kernel that numbers texts, its table, and room for the numbers."""
        from rulewright.codegen.backend.native import Native  # LLVM is loaded where it is used

        assert self.notation is not None
        layout = packed_words(self.notation.layout())
        table = Memory(len(layout) // WORD)
        table.bytes[: len(layout)] = layout
        native = Native([CODES], use_cache=self.engine.use_cache)
        return function_at(native, "codes", held=True), table, Memory(_ROWS)

    def _kernels(self) -> tuple[Kernel, Kernel, Kernel]:
        """`decisions`, `play`, `stuck`: where time is limited, calls that let other threads run."""
        native, held = self.engine.code, budget.current() is None
        key = id(native), held
        if key not in self._known:
            names = ("decisions", "play", "stuck")
            first, second, third = (function_at(native, name, held) for name in names)
            self._known[key] = first, second, third
        return self._known[key]

    def may_play(self) -> bool:
        """Whether machine code may be asked: steps of the reference are counted nowhere else.

        `OutOfBudget` where the time is over.
        """
        holding = budget.current()
        if holding is None:
            return True
        if budget.remaining() == 0.0:
            raise OutOfBudget(budget.why())
        return not self.slow and not budget.counts_steps()

    # --- positions of the reference ---

    def packed(self, situation: Situation) -> PackedPosition:
        """A position of the reference in which no rule has ended the game."""
        past: Past | None = None
        for key, history in reversed(list(_chain(situation.position.history))):
            past = Past(past, packed_words(self.engine.key_of(key)), history)
        words = packed_words(self.engine.encode(situation.position))
        return PackedPosition(self, words, past)

    def position(self, packed: PackedPosition) -> Position:
        """A position as the reference has it."""
        words = struct.unpack(f"={len(packed.words) // WORD}q", packed.words)
        history = self._history(packed.past) if packed.past else None
        return evolve(self._position(words), history=history)

    def _position(self, words: tuple[int, ...]) -> Position:
        layout, rules = self.layout, self.play.rules

        def mask(at: int, size: int = layout.words) -> int:
            return _mask(words[at : at + size])

        owned = [mask(layout.owned + i * layout.words) for i in range(layout.owners)] + [0]
        full = owned[0] | owned[1] | owned[2]
        count = len(rules.kinds)
        kinds = (
            [mask(layout.kinds + i * layout.words) for i in range(count)] if count > 1 else [full]
        )
        return Position(
            owned=(owned[0], owned[1], owned[2]),
            kinds=tuple(kinds[:count]),
            links=(mask(layout.links, layout.link_words),) * len(rules.links),
            states=tuple(self._state_values(i, words, mask) for i in range(len(rules.states))),
            mover=words[p.MOVER],
            ply=words[p.PLY],
            rest=self.courses[words[p.REST]],
            fresh=bool(words[p.FRESH]),
            again=bool(words[p.AGAIN]),
            swapped=bool(words[p.SWAPPED]),
            past=words[p.PAST],
        )

    def _state_values(
        self, index: int, words: tuple[int, ...], mask: Callable[[int], int]
    ) -> tuple[Value, Value]:
        state, at = self.play.rules.states[index], self.layout.states[index]
        sites = state.type is Type.SITES
        step = self.layout.words if sites else 1

        def value(place: int) -> Value:
            number = mask(place) if sites else words[place]
            return bool(number) if state.type is Type.TRUTH else number

        first = value(at)
        return first, value(at + step) if state.each else first

    def _history(self, past: Past) -> History:
        """What stood before, as the reference has it; worked out once for each position."""
        todo = list[Past]()
        here: Past | None = past
        while here is not None and here.history is None:
            todo.append(here)
            here = here.before
        for one in reversed(todo):
            words = [0] * self.layout.size
            for (at, _), word in zip(
                key_words(self.layout),
                struct.unpack(f"={self.key // WORD}q", one.key),
                strict=True,
            ):
                words[at] = word
            key = self.play.key(self._position(tuple(words)))
            one.history = (key, one.before.history if one.before else None)
        return past.history

    # --- what the kernels do ---

    def _load(self, position: PackedPosition) -> None:
        """Put a position into the arrays, and of what stood before it what is not there yet."""
        self._state.bytes[: self.size] = position.words
        past, holding, size = position.past, self._holding, self.key
        while past is not None:
            number = past.number
            if number < len(holding) and holding[number] is past:
                return
            while len(holding) <= number:
                holding.append(None)
            self._past.bytes[number * size : (number + 1) * size] = past.key
            holding[number] = past
            past = past.before

    def listed(self, position: PackedPosition) -> Listed | None:
        """The decisions of a position; None where the reference must be asked."""
        decisions, _, stuck = self._kernels()
        state, scratch = self._state.numbers, self._scratch.numbers
        with self.lock:
            self._load(position)
            begun = time.perf_counter()
            count = decisions(*self._arrays, 0)
            self._note(begun)
            if state[p.FAULT] or scratch[p.DROPPED]:
                return None
            if count:
                return Listed(bytes(self._rows.bytes[: count * self.row]), count, None)
            result = stuck(*self._arrays)
            if state[p.FAULT] or result == p.RUNNING:
                return None
            return Listed(b"", 0, _outcome(result, scratch[p.ENDED]))

    def played(self, position: PackedPosition, row: bytes) -> PackedPosition | None:
        """What follows a decision; None where the reference must be asked."""
        _, play, _ = self._kernels()
        state = self._state.numbers
        with self.lock:
            self._load(position)
            self._rows.bytes[: self.row] = row
            begun = time.perf_counter()
            play(*self._arrays, 0, 1)
            self._note(begun)
            if state[p.FAULT]:
                return None
            words, result = bytes(self._state.bytes[: self.size]), state[p.RESULT]
            ended = None
            if result != p.RUNNING:
                ended = _outcome(result, self._scratch.numbers[p.ENDED])
            past = position.past
            if self.looks_back:
                number = past.number + 1 if past else 0
                if state[p.PAST] > number:
                    key = bytes(self._past.bytes[number * self.key : (number + 1) * self.key])
                    past = Past(past, key)
                    self._hold(past)
        return PackedPosition(self, words, past, ended)

    def _hold(self, past: Past) -> None:
        """Remember whose key lies where the last one was pushed."""
        while len(self._holding) <= past.number:
            self._holding.append(None)
        self._holding[past.number] = past

    def _note(self, begun: float) -> None:
        self.slow |= time.perf_counter() - begun > SLOW

    def codes(self, listed: Listed) -> list[int]:
        """The numbers of the texts of decisions."""
        number, table, found = self._writer
        with self.lock:
            self._rows.bytes[: len(listed.rows)] = listed.rows
            number(self._rows.address, self.row // WORD, listed.count, table.address, found.address)
            return found.numbers[: listed.count].tolist()


def _outcome(result: int, origin: int) -> Outcome:
    return Outcome(None if result == p.DRAWN else result, origin)


def _chain(history: History) -> Iterator[tuple[Key, History]]:
    """The keys of a history, the newest first, with the history that each one is the head of."""
    while history is not None:
        yield history[0], history
        history = history[1]


@define(eq=False)
class PackedPosition:
    """A position between two decisions; what it knows of them is worked out when it is asked."""

    machine: Machine
    words: bytes
    past: Past | None = None
    ended: Outcome | None = None
    _listing: Rows | None = None
    _asked: ReferencePosition | None = None
    """The same, played by the reference: where kernels cannot say, or steps are counted."""

    # --- what the words say ---

    @property
    def mover(self) -> int:
        """The player at move."""
        return self.words[p.MOVER * WORD]

    @property
    def ply(self) -> int:
        """How many turns are finished."""
        return int.from_bytes(self.words[p.PLY * WORD : (p.PLY + 1) * WORD], sys.byteorder)

    @property
    def fresh(self) -> bool:
        """Whether a turn begins."""
        return self._small(p.FRESH)

    @property
    def swapped(self) -> bool:
        """Whether the persons have exchanged colours."""
        return self._small(p.SWAPPED)

    def _small(self, at: int) -> bool:
        return any(self.words[at * WORD : (at + 1) * WORD])

    @property
    def situation(self) -> Situation:
        """The position as the reference has it."""
        return self.reference.situation

    @property
    def reference(self) -> ReferencePosition:
        """The same position, played by the reference."""
        if self._asked is None:
            position = self.machine.position(self)
            self._asked = ReferencePosition(Situation(self.machine.play, position, self.ended))
        return self._asked

    @property
    def digest(self) -> Hashable:
        """What equal positions have in common, whoever plays them."""
        layout = self.machine.layout
        size, at = layout.words * WORD, layout.owned * WORD
        owned = [
            int.from_bytes(self.words[at + i * size : at + (i + 1) * size], "little")
            for i in range(layout.owners)
        ]
        return *owned, *[0] * (3 - layout.owners), self.mover, self.ply, self.swapped

    def same(self, other: GamePosition) -> bool:
        """Whether nothing tells the positions apart, not even `repeats`."""
        if isinstance(other, PackedPosition) and other.machine is self.machine:
            return self.words == other.words and same_past(self.past, other.past)
        return self.reference.same(other)

    def key(self, start: GamePosition) -> Hashable:
        """What tells positions of one turn apart, which began at *start*."""
        passed, past = list[bytes](), self.past
        while past is not None and past is not getattr(start, "past", None):
            passed.append(past.key)
            past = past.before
        return self.words, tuple(passed)

    # --- decisions ---

    @property
    def listing(self) -> Listing:
        """The decisions, in the order of the turn and of the board."""
        rows = self._rows()
        return self.reference.listing if rows is None else rows

    def _rows(self) -> Rows | None:
        """The decisions as kernels list them, unless they are the reference's to list."""
        if self._listing is not None:
            return self._listing
        if self._asked is None or not self._asked.begun:
            listed = _NONE if self.ended else None
            if listed is None and self.machine.may_play():
                listed = self.machine.listed(self)
            rows = None if listed is None else Rows(self.machine, listed, self.words, self.past)
            if rows is not None and not rows.alike():
                self._listing = rows
            else:
                _ = self.reference.listing
        return self._listing

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on."""
        if self.ended:
            return self.ended
        rows = self._rows()
        return self.reference.outcome if rows is None else rows.listed.stuck

    def after(self, number: int) -> GamePosition:
        """What follows one of the decisions."""
        rows = self._rows()
        if rows is not None and self.machine.may_play():
            size = self.machine.row
            row = rows.listed.rows[number * size : (number + 1) * size]
            found = self.machine.played(self, row)
            if found is not None:
                return found
        return self.reference.after(number)


_NONE = Listed(b"", 0, None)


@define(eq=False)
class Rows:
    """Decisions as kernels have listed them."""

    machine: Machine
    listed: Listed
    words: bytes
    past: Past | None
    _codes: list[int] | None = None
    _texts: list[str] | None = None

    def __len__(self) -> int:
        return self.listed.count

    @property
    def _notation(self) -> Notation:
        assert self.machine.notation is not None
        return self.machine.notation

    def alike(self) -> bool:
        """Whether two decisions are written alike, as far as that is known without the texts."""
        notation = self._notation
        if not (notation.hides or notation.ambiguous) or self.listed.count < 2:
            return False
        self._codes = self.machine.codes(self.listed)
        if notation.ambiguous:
            return len(set(notation.texts(self._codes))) < self.listed.count
        return len(set(self._codes)) < self.listed.count

    def texts(self) -> list[str]:
        """How all of them are written."""
        if self._texts is None:
            codes = self.machine.codes(self.listed) if self._codes is None else self._codes
            texts = self._notation.texts(codes)
            doubtful = self._notation.ambiguous and len(set(texts)) < len(codes)
            self._texts = self._told() if doubtful else texts
        return self._texts

    def _told(self) -> list[str]:
        """What the reference says of decisions that are written alike."""
        try:
            return PackedPosition(self.machine, self.words, self.past).reference.listing.texts()
        except Fault as fault:
            raise placed(fault, self.machine.play.rules) from None

    def text(self, number: int) -> str:
        """How one of them is written."""
        if self._texts is None and self._codes is None:
            size = self.machine.row
            row = self.listed.rows[number * size : (number + 1) * size]
            return self._notation.texts(self.machine.codes(Listed(row, 1, None)))[0]
        return self.texts()[number]

    def _row(self, number: int) -> tuple[int, ...]:
        size = self.machine.row
        row = self.listed.rows[number * size : (number + 1) * size]
        return struct.unpack(f"={size // WORD}q", row)

    def name(self, number: int) -> str:
        """The declaration that one is of."""
        move = self._row(number)[0]
        return "none" if move < 0 else self.machine.play.rules.moves[move].name

    def chosen(self, number: int) -> Choices:
        """What one of them chooses."""
        row, layout = self._row(number), self.machine.layout
        if row[0] < 0:
            return {}
        rules = self.machine.play.rules
        move = rules.moves[row[0]]
        places, found = chosen(move, layout.words), dict[str, ChosenValue]()
        for statement in move.body:
            for name, slot, type_ in choices(statement):
                _, at, size = places[slot]
                value = self._value(row[at : at + size], type_, statement)
                found[name] = shown(value, type_, rules)
        return found

    def _value(self, words: tuple[int, ...], type_: Type, statement: r.Effect) -> Value:
        """A chosen value as the reference has it."""
        if type_ is Type.SITE:
            return 1 << words[0]
        if type_ is Type.SITES:
            return _mask(words)
        if type_ is Type.STEP and isinstance(statement, r.Choose):
            context = self.machine.play.context(self.machine.play.first, self.words[p.MOVER * WORD])
            steps = evaluate(statement.domain, context)  # which no position changes
            return (steps[words[0]],)
        return words[0]


def _mask(words: Iterable[int]) -> int:
    """A set of sites from its words."""
    return sum((word & MASK) << 64 * i for i, word in enumerate(words))
