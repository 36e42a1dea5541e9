"""Positions as words of machine code: small, immutable, and played in microseconds.

In: a game's engine, positions of the reference.  Out: `PackedPosition`s, which know their
decisions, the position after each, and how the game ended.  Where kernels meet a fault, or leave a
decision out because another has the same text, the reference takes over.

Playing on is one call of a kernel: the position that was played last still lies in the arrays of
its thread, and the decisions of what follows are listed at once.  Rows of decisions are copied out
of the arrays only where somebody comes back to an earlier position.  They have room for the longest
decision; what lies behind a row's own words is left over from others, so rows are never compared
whole.
"""

from __future__ import annotations

import struct
import sys
import threading
import time
from collections.abc import Callable, Hashable, Sequence
from functools import cache
from typing import Any

from rulewright.compiler import layout as p
from rulewright.compiler.backend import Linked
from rulewright.compiler.backend import load as load_kernels
from rulewright.compiler.defects import net
from rulewright.compiler.engine import Engine
from rulewright.compiler.layout import Unsupported
from rulewright.compiler.seats import outcome_of
from rulewright.errors import Fault, OutOfBudget
from rulewright.games.engine import stepping
from rulewright.games.engine.interpreted import GamePosition, ReferencePosition, named_value, placed
from rulewright.games.engine.memory import WORD, Buffer, Kernel, Past, function_at, same_past
from rulewright.games.engine.moves import Choices, Listing
from rulewright.games.engine.notation import LAZY, Notation
from rulewright.games.engine.position_words import Words
from rulewright.ground import budget
from rulewright.ground.budget import current
from rulewright.reference.play import Outcome, Situation

_ROWS = 2 * p.MARGIN  # those of a position, and of what follows
_processor: Callable[[], float] = getattr(time, "thread_time", time.perf_counter)
"""The processor time of this thread; a page of a browser has no such clock."""
SLOW = 0.002
"""Seconds of the processor for one call from which on a game counts as slow; bundled ones take
microseconds."""
COMPARED = 300
"""Rows up to which a kernel compares the numbers of texts, each with all before it."""
_NOT_COUNTED, _COUNTED_BY_REFERENCE = -1, -2
"""Stand for a number of decisions: not listed yet, or the reference has to list them."""
_FAULTY, _UNLISTED, _ENDED = -1, -2, -4
"""Answers of kernels in place of a number of decisions, see `stepping.step`."""


@cache
def stepping_kernels() -> Linked:
    """The kernels of `stepping`, which all games share."""
    return load_kernels(stepping)


_outcome = cache(outcome_of)


class Machine:
    """A game's kernels, and how its positions and decisions are written."""

    def __init__(self, engine: Engine) -> None:
        """Prepare to play the positions of an engine."""
        self.engine, self.play, self.layout = engine, engine.play, engine.plan
        self.words, self.row = Words(engine), engine.row * WORD
        self.slow = False
        """Whether a call has taken long: then kernels are not called under a time limit."""
        self._own = threading.local()
        self._first: PackedPosition | None = None
        with net(self.play.rules):
            self.notation = Notation.of(self.play, self.layout)

    @property
    def runner(self) -> Runner:
        """The arrays and kernels of this thread."""
        try:
            runner: Runner = self._own.runner
        except AttributeError:
            runner = self._own.runner = Runner(self)
        return runner

    def may_play(self) -> bool:
        """Whether machine code may play: it counts no steps, and cannot be interrupted.

        Raises `OutOfBudget` if the time is over.
        """
        if current() is None:
            return True
        if budget.remaining() == 0.0:
            raise OutOfBudget(budget.why())
        return not self.slow and not budget.counts_steps()

    def packed(self, situation: Situation) -> PackedPosition:
        """A position of the reference in which no rule has ended the game.

        Games begin again and again: the first position is kept once it is listed.
        """
        begins = situation.position is self.play.first
        if begins and self._first is not None and self._first.count >= 0:
            return self._first
        position = PackedPosition(self, *self.words.packed(situation.position))
        if begins:
            self._first = position
        return position


class Runner:
    """The arrays of one thread, and a game's kernels bound to them; one position lies in them."""

    def __init__(self, machine: Machine) -> None:
        """Allocate the arrays for the positions of a game."""
        engine, self._machine, self._notation = machine.engine, machine, machine.notation
        self._players = len(engine.play.rules.players)
        self._row, self._size = engine.row, engine.plan.size * WORD
        self._key = len(engine.earlier) * WORD if engine.play.rules.looks_back else 0
        sizes = engine.sizes()
        arrays, layout = engine.arrays, self._notation.layout()
        self._state, self._scratch, self._copy = (Buffer(sizes[name], arrays) for name in "SXT")
        self._rows, self._past = Buffer(_ROWS * engine.row, arrays), Buffer(sizes["H"], arrays)
        self._moves, self._codes = Buffer(len(layout), arrays), Buffer(_ROWS, arrays)
        self._moves.bytes[:] = struct.pack(f"={len(layout)}q", *layout)
        self._constants = engine.constants
        self._arrays = (
            self._state.argument, arrays.argument(self._constants), self._rows.argument,
            self._past.argument, self._scratch.argument, self._copy.argument,
        )  # fmt: skip
        self._written = self._rows.argument, self._row
        self._current: PackedPosition | None = None
        self._chain: list[Past] = []
        """The chain of earlier positions whose keys are in the array: always one line of play."""
        self._choose_code(None)

    def _choose_code(self, before: Any) -> None:
        """Bind the best machine code that is compiled by now, unless it is bound already."""
        kernels: Any = self._machine.engine.linked(stepping_kernels())
        native = getattr(kernels, "best", kernels)  # plain functions are what they are
        if native is before:
            return
        self._native, self._may_improve = native, not getattr(native, "final", True)
        self._step, self._listed = (function_at(native, n, True) for n in ("step", "listed"))
        self._write, self._compare = (function_at(native, n, True) for n in ("codes", "alike"))
        self._loose = [function_at(native, n, False) for n in ("step", "listed")]
        """The kernels in a form that lets other threads run, for calls under a time limit."""

    # --- playing ---

    def after(self, position: PackedPosition, number: int) -> PackedPosition | None:
        """The position after a decision of a listed position; None at a fault.

        Raises `IndexError` for a number without a decision.
        """
        if not 0 <= number < position.count:
            raise IndexError(f"decision {number} of {position.count}")
        if self._current is not position:
            self._load(position, keep=True)
        self._current = None  # until all is done
        step = self._step if current() is None else self._loose[0]
        start = time.perf_counter()
        answer = step(*self._arrays, number, self._row, position.count)
        if time.perf_counter() - start > SLOW and not self._machine.slow:
            self._load(position)
            self._measure(step, number, self._row, position.count)
        if self._may_improve:
            self._choose_code(self._native)
        if answer == _FAULTY:
            return None
        past = self._push(position.past) if self._key else position.past
        successor = PackedPosition(self._machine, self._state.bytes[: self._size], past)
        self._describe(successor, answer)
        return successor

    def look(self, position: PackedPosition) -> None:
        """List the decisions of a position that was not listed yet."""
        self._load_words(position)
        self._describe(position, self._list_decisions())

    def _list_decisions(self) -> int:
        """List the decisions of the position in the arrays; the answer of `stepping.listed`."""
        kernel = self._listed if current() is None else self._loose[1]
        start = time.perf_counter()
        answer = kernel(*self._arrays)
        if time.perf_counter() - start > SLOW and not self._machine.slow:
            self._measure(kernel)
        return answer

    def _measure(self, kernel: Kernel, *arguments: int) -> None:
        """Call a slow kernel again, to see by processor time whether it was slow itself."""
        start = _processor()
        kernel(*self._arrays, *arguments)
        self._current = None
        if _processor() - start > SLOW:
            self._machine.slow = True

    def _describe(self, position: PackedPosition, answer: int) -> None:
        """Store the answer of a kernel about the position in the arrays."""
        notation = self._notation
        if answer > 0:
            doubtful = notation.hides or notation.doubtful or notation.ambiguous
            alike = doubtful and self._alike(position, answer)
            position.count = _COUNTED_BY_REFERENCE if alike else answer
        elif answer == _UNLISTED:
            position.count = _COUNTED_BY_REFERENCE
        else:
            stuck, result = (_ENDED - answer) & 1, (_ENDED - answer) >> 1
            outcome = _outcome(result, self._scratch.numbers[p.ENDED], self._players)
            position.count, position.stuck = 0, outcome
            position.ended = None if stuck else outcome
        self._current = position

    # --- moving positions in and out ---

    def _load(self, position: PackedPosition, keep: bool = False) -> None:
        """Put a listed position and its rows into the arrays; *keep* them for the next time."""
        self._load_words(position)
        rows = position.rows
        if rows is not None:
            self._rows.bytes[: len(rows)] = rows
        else:
            self._list_decisions()
            if keep:
                position.rows = self._rows.bytes[: position.count * self._row * WORD]
        self._current = position

    def _load_words(self, position: PackedPosition) -> None:
        """Put a position into the arrays, and those keys of its past that are not there yet."""
        self._current = None
        self._state.bytes[: self._size] = position.words
        past, chain, size = position.past, self._chain, self._key
        todo = list[Past]()
        while past is not None:
            if past.number < len(chain) and chain[past.number] is past:
                break
            todo.append(past)
            past = past.before
        del chain[0 if past is None else past.number + 1 :]
        for past in reversed(todo):
            self._past.bytes[past.number * size : (past.number + 1) * size] = past.key
            chain.append(past)

    def _push(self, past: Past | None) -> Past | None:
        """The past of the position in the arrays, which a turn may have made longer by one."""
        number = 0 if past is None else past.number + 1
        if self._state.numbers[p.PAST] <= number:
            return past
        entry = Past(past, self._past.bytes[number * self._key : (number + 1) * self._key])
        self._chain.append(entry)
        return entry

    # --- rows ---

    def words(self, position: PackedPosition, number: int) -> tuple[int, ...]:
        """The words of decision *number*."""
        if self._current is not position:
            self._load(position, keep=True)
        return tuple(self._rows.numbers[number * self._row : (number + 1) * self._row])

    def texts(self, position: PackedPosition) -> Sequence[str]:
        """The texts of a listed position."""
        if self._current is not position:
            self._load(position)
        return self._texts(position, position.count)

    def _texts(self, position: PackedPosition, count: int) -> Sequence[str]:
        """The texts of the first rows, which hold decisions of a position."""
        try:
            with net(self._machine.play.rules, playing=True):
                return self._written_texts(position, count)
        except Unsupported:
            return position.listed_texts()

    def _written_texts(self, position: PackedPosition, count: int) -> Sequence[str]:
        codes, texts = self._numbers(count), self._notation.texts
        if not self._notation.has_lazy:
            return texts(codes)
        if self._notation.late and count:  # the reference does not know of a game that is over
            return position.listed_texts()
        row, rows = self._row, self._rows.numbers
        return tuple(
            position.lazy_text(rows[number * row : (number + 1) * row])
            if code == LAZY
            else texts([code])[0]
            for number, code in enumerate(codes)
        )

    def code(self, position: PackedPosition, number: int) -> int:
        """The number of the text of decision *number*."""
        if not 0 <= number < position.count:
            raise IndexError(f"decision {number} of {position.count}")
        if self._current is not position:
            self._load(position)
        at = self._rows.behind(number * self._row)
        self._write(at, self._row, 1, self._moves.argument, self._codes.argument)
        return self._codes.numbers[0]

    def _numbers(self, count: int) -> list[int]:
        self._write(*self._written, count, self._moves.argument, self._codes.argument)
        return self._codes.numbers[:count].tolist()

    def _alike(self, position: PackedPosition, count: int) -> bool:
        """Whether two decisions have the same text; texts that have to be made are kept."""
        if self._notation.ambiguous or self._notation.doubtful:
            try:
                texts = self._texts(position, count)
            except Fault:
                return True  # the reference meets it again where the decisions are asked for
            position.written = texts if len(set(texts)) == count else None
            return position.written is None
        if count > COMPARED:
            return len(set(self._numbers(count))) < count
        arguments = *self._written, count, self._moves.argument, self._codes.argument
        return self._compare(*arguments) != 0


class PackedPosition:
    """A position between two decisions, listed by kernels when somebody asks.

    `count` is the number of decisions that kernels have listed; `rows` are their words, once these
    were copied out of the arrays, and `written` their texts.  `ended` is how a rule ended the game,
    `stuck` how it ended also for lack of decisions.
    """

    __slots__ = (
        "_reference", "count", "ended", "machine", "past", "rows", "stuck", "words", "written"
    )  # fmt: skip

    def __init__(self, machine: Machine, words: bytes, past: Past | None = None) -> None:
        """A position whose decisions are not listed yet."""
        self.machine, self.words, self.past = machine, words, past
        self.count = _NOT_COUNTED
        self.ended: Outcome | None = None
        self.stuck: Outcome | None = None
        self.rows: bytes | None = None
        self.written: Sequence[str] | None = None
        self._reference: ReferencePosition | None = None

    # --- fields ---

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
        return self._flag(p.FRESH)

    @property
    def swapped(self) -> bool:
        """Whether the persons have exchanged colours."""
        return self._flag(p.SWAPPED)

    def _flag(self, at: int) -> bool:
        return any(self.words[at * WORD : (at + 1) * WORD])

    @property
    def situation(self) -> Situation:
        """The position in the form of the reference."""
        return self.reference.situation

    @property
    def reference(self) -> ReferencePosition:
        """The position as the reference plays it, for what kernels cannot or may not do."""
        if self._reference is None:
            position = self.machine.words.position(self.words, self.past)
            self._reference = ReferencePosition(Situation(self.machine.play, position, self.ended))
        return self._reference

    @property
    def digest(self) -> Hashable:
        """A hashable that is the same for equal positions, in any form."""
        return *self.machine.words.owned(self.words), self.mover, self.ply, self.swapped

    def same(self, other: GamePosition) -> bool:
        """Whether the positions are equal, also in what `repeats` sees of those before."""
        if isinstance(other, PackedPosition) and other.machine is self.machine:
            return self.words == other.words and same_past(self.past, other.past)
        return self.reference.same(other)

    def key(self, start: GamePosition) -> Hashable:
        """A key that differs for different positions of a turn that began at *start*."""
        keys, past = list[bytes](), self.past
        while past is not None and past is not getattr(start, "past", None):
            keys.append(past.key)
            past = past.before
        return self.words, tuple(keys)

    # --- decisions ---

    @property
    def listing(self) -> Listing:
        """The decisions, in the order of the turn and of the board."""
        return self if self.count >= 0 or self._list() else self.reference.listing

    def _list(self) -> bool:
        """List the decisions; whether kernels have listed them, and not the reference."""
        if self.count == _NOT_COUNTED and not (self._reference and self._reference.begun):
            if self.machine.may_play():
                self.machine.runner.look(self)
            if self.count < 0:
                _ = self.reference.listing
        return self.count >= 0

    @property
    def running(self) -> bool:
        """Whether the game is known to go on."""
        return self.count > 0

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on."""
        return self.stuck if self.count >= 0 or self._list() else self.reference.outcome

    def after(self, number: int) -> GamePosition:
        """The position after decision *number*."""
        if self.count >= 0 or self._list():
            machine = self.machine
            if current() is None or machine.may_play():
                successor = machine.runner.after(self, number)
                if successor is not None:
                    return successor
        return self.reference.after(number)

    # --- decisions that kernels have listed ---

    def __len__(self) -> int:
        return self.count

    def __bool__(self) -> bool:
        return True

    def texts(self) -> Sequence[str]:
        """The texts of all decisions."""
        if self.written is None:
            texts = self.machine.runner.texts(self)
            notation = self.machine.notation
            doubtful = (notation.ambiguous or notation.has_lazy) and len(set(texts)) < self.count
            notation.ambiguous |= doubtful
            self.written = self.listed_texts() if doubtful else texts
        return self.written

    def listed_texts(self) -> Sequence[str]:
        """The texts as the reference lists them; decisions with the same text are one."""
        try:
            return PackedPosition(self.machine, self.words, self.past).reference.listing.texts()
        except Fault as fault:
            raise placed(fault, self.machine.play.rules) from None

    def text(self, number: int) -> str:
        """The text of decision *number*."""
        notation, runner = self.machine.notation, self.machine.runner
        if self.written is not None or notation.ambiguous:
            return self.texts()[number]
        try:
            with net(self.machine.play.rules, playing=True):
                if (code := runner.code(self, number)) == LAZY:
                    return self.lazy_text(runner.words(self, number))
                return notation.texts([code])[0]
        except Unsupported:
            return self.texts()[number]

    def find(self, text: str) -> int:
        """The number of the decision that is written as *text*; -1 if none is."""
        try:
            return self.texts().index(text)
        except ValueError:
            return -1

    def name(self, number: int) -> str:
        """The name of the move that decision *number* is of."""
        move = self.machine.runner.words(self, number)[0]
        return "none" if move < 0 else self.machine.play.rules.moves[move].name

    def choices(self, number: int) -> Choices:
        """The choices of decision *number*."""
        row, rules = self.machine.runner.words(self, number), self.machine.play.rules
        return {
            name: named_value(value, type_, rules)
            for name, _, type_, value in self.machine.words.choices(row, self.mover)
        }

    def lazy_text(self, row: Sequence[int]) -> str:
        """The text of the decision of a row, as the reference writes it."""
        choices = self.machine.words.choices(row, self.mover)
        frame = {slot: value for _, slot, _, value in choices}
        try:
            return self.machine.notation.lazy_text(row[0], frame, self.situation.position)
        except Fault as fault:
            raise placed(fault, self.machine.play.rules) from None
