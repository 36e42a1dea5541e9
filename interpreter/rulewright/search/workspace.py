"""The arrays that one thread searches with, and calls of the search's kernels on them.

In: the kernels of a game (`Engine`), an evaluator's where there is one, and how much memory the
table may use.  Out: values of decisions.  Nothing here decides when to stop.
"""

from __future__ import annotations

import ctypes
import math
import mmap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from rulewright.codegen import layout as p
from rulewright.codegen.backend import Linked
from rulewright.codegen.engine import Engine
from rulewright.codegen.layout import fault_of
from rulewright.codegen.runtime import Checked, Room
from rulewright.reference.position import Position
from rulewright.search.kernels import layout as at
from rulewright.search.kernels import proof, table
from rulewright.search.parts import generic, no_patterns, no_value, trees

if TYPE_CHECKING:
    from rulewright.search.candidates import Candidates

WORD = 8
ENTRY = 32
"""Bytes of a bucket of the table."""
INFINITE = 2.0 * at.WIN
"""Beyond every value."""


@frozen
class Evaluator:
    """Who judges positions: a linked module with the kernel `value`, and its factors.

    `value(S, K, M, H, X, T, F)` is bigger for positions that are better for the first colour.
    `judges_ends`: finished games too are worth what it says ("wins 0"); else a win beats all.
    """

    linked: Linked
    factors: tuple[float, ...] = ()
    judges_ends: bool = False
    draws: bool = False
    """Whether it draws numbers at random: then the table keeps no values."""


def prepare(
    engine: Engine,
    evaluator: Evaluator | None,
    *,
    tree: bool,
    candidates: Candidates | None = None,
) -> None:
    """Compile and link what a search will use, before its clock begins."""
    value = evaluator.linked if evaluator else no_value()
    narrowed = candidates.linked if candidates else (no_patterns(),)
    engine.linked(value, *narrowed, generic())
    if tree:
        engine.linked(value, *narrowed, generic(), trees())


def following(value: float) -> float:
    """The next float above, or the same for what lies beyond every value."""
    return math.nextafter(value, math.inf)


def buckets(memory: int) -> int:
    """How many buckets of the table fit into so many bytes: a power of two."""
    return 1 << max(6, (memory // ENTRY).bit_length() - 1)


@define
class Workspace:
    """Arrays for one thread.

    `shared` is another whose table and kernels are used; `more` are further kernels: `trees()`,
    `proofs()`.
    """

    engine: Engine
    memory: int
    evaluator: Evaluator | None = None
    shared: Workspace | None = None
    more: tuple[Linked, ...] = ()
    candidates: Candidates | None = None
    kernels: Any = field(init=False)
    control: Any = field(init=False)
    rows: int = field(default=0, init=False)
    _game: list[Any] = field(init=False)
    _more: list[Any] = field(init=False)
    _marks: Any = field(default=None, init=False)
    _root: list[int] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        engine, other = self.engine, self.shared
        judge = self.evaluator
        if other is None:
            value = judge.linked if judge else no_value()
            narrowed = self.candidates.linked if self.candidates else (no_patterns(),)
            self.kernels = engine.linked(value, *narrowed, generic(), *self.more)
        else:
            self.kernels = other.kernels
        sizes = engine.sizes()
        self._game = [
            self.ints(sizes[name]) if name != "K" else engine.constants for name in "SKMHXT"
        ]
        self.control = self.ints(at.CONTROL)
        count = buckets(self.memory)
        entries = other._more[3] if other else self.ints(count * ENTRY // WORD)
        self._more = [
            self.floats(judge.factors if judge else ()),
            self.ints(engine.plan.size * at.LEVELS), self.control, entries,
            self.ints(at.ROWS), self.ints(at.ORDERING),
        ]  # fmt: skip
        self._settings(count)

    def _settings(self, count: int) -> None:
        c, judge, rules = self.control, self.evaluator, self.engine.play.rules
        c[at.SIZE], c[at.ROW], c[at.MASK] = self.engine.plan.size, self.engine.row, count - 1
        c[at.TABLE] = at.ORDER_ONLY if rules.looks_back else at.AT_LEAST
        if judge is not None and judge.draws:
            c[at.TABLE] = at.ORDER_ONLY
        c[at.JUDGE] = 0 if judge is None else 2 if judge.judges_ends else 1
        c[at.DRY] = int(any(end.stuck for end in rules.ends))
        c[at.NARROW] = int(self.candidates is not None)
        c[at.STEP], c[at.LOOK], c[at.SCOUT] = 1, 2, 1
        c[at.NODE_LIMIT] = 2**62

    def seed(self, number: int) -> None:
        """Begin the random numbers of the evaluator anew."""
        mixed = (number + 1) * 0x9E3779B97F4A7C15 % 2**62
        self._game[4][p.CHANCE] = mixed | 1

    def ints(self, count: int) -> Any:
        """An array of zeros; big ones take memory only as they are used."""
        if self.engine.backend == "python":
            return Room(max(1, count))
        kind = ctypes.c_int64 * max(1, count)
        return kind.from_buffer(mmap.mmap(-1, ctypes.sizeof(kind)))

    def floats(self, values: Sequence[float]) -> Any:
        """An array of these floats."""
        filled = [*values, 0.0]
        if self.engine.backend == "python":
            return Checked(filled)
        return (ctypes.c_double * len(filled))(*filled)

    def floats_of(self, count: int) -> Any:
        """An array of so many floats, all 0."""
        if self.engine.backend == "python":
            return Checked([0.0] * count)
        kind = ctypes.c_double * count
        return kind.from_buffer(mmap.mmap(-1, ctypes.sizeof(kind)))

    @property
    def game(self) -> list[Any]:
        """The arrays that a game's kernels take."""
        return self._game

    @property
    def notes(self) -> Any:
        """The positions to go back to."""
        return self._more[1]

    # --- the root ---

    def place(self, position: Position) -> int:
        """Put a position at the root; how many decisions it has."""
        self.engine.put(position, self._game[0], self._game[3])
        return self._rooted()

    def put(self, words: Sequence[int]) -> int:
        """Put the words of a position that follows the root's; how many decisions it has."""
        for i, word in enumerate(words):
            self._game[0][i] = word
        return self._rooted()

    def _rooted(self) -> int:
        self._root = list(self._game[0])
        self.rows = self.kernels["decisions"](*self._game, 0)
        self.check(self._game[0][p.FAULT])
        self.kernels["note"](self._game[0], self._more[1], self.control, 0)
        return self.rows

    def after(self, number: int) -> list[int]:
        """The words of the position after a decision of the root."""
        self.kernels["play"](*self._game, number * self.engine.row, self.rows)
        words = list(self._game[0])
        self.kernels["back"](self._game[0], self._more[1], self.control, 0)
        return words

    def value(self, number: int, depth: int, alpha: float, beta: float) -> tuple[float, bool]:
        """The value of a decision for who is at move, and whether it is proven."""
        root = self._root
        who = root[p.MOVER] ^ root[p.SWAPPED]
        found = self.kernels["try_row"](
            *self._game, *self._more, number, depth, alpha, beta, 0, self.rows, who
        )
        self.check(self.control[at.FAULTED])
        return found, not self.control[at.OPEN]

    def forced(self, who: int, win: bool) -> bool | None:
        """Whether a person can force a win (or at least a draw); None when stopped before."""
        control, entries, least = self.control, self._more[3], int(win)
        if self._marks is None:
            self._marks = self.ints(at.ROWS)
        mask = control[at.MASK]
        control[at.MASK], control[at.OPEN] = mask >> 1, 0  # entries of proofs are twice as long
        mine = int(self._root[p.MOVER] ^ self._root[p.SWAPPED] == who)
        key = self.kernels["salted"](2 * self._key(), least, who)
        found = self.kernels["prove"](
            *self._game, self._more[1], control, entries, self._marks,
            who, least, proof.ENDLESS, proof.ENDLESS, 0, 0, key,
        )  # fmt: skip
        control[at.MASK] = mask
        self.check(control[at.FAULTED])
        if found == 0 or (control[at.OPEN] and (found > 0) != bool(mine)):
            return None
        return bool((found > 0) == bool(mine))

    def numbers(self, first: int, most: int = 64) -> list[int]:
        """The best decisions that the table knows after a decision of the root, as numbers."""
        game, control, entries = self._game, self.control, self._more[3]
        self.kernels["play"](*game, first * self.engine.row, self.rows)
        found: list[int] = []
        while len(found) < most and game[0][p.RESULT] == p.RUNNING:
            place = self.kernels["find"](entries, self._key(), control[at.MASK])
            best = table.NONE if place < 0 else self.kernels["facts"](entries, place) & table.NONE
            whole = self.kernels["decisions"](*game, self.rows)
            texts = self.written(self.rows, whole)
            count = whole - self.rows
            if control[at.NARROW]:
                count = self.kernels["narrow"](*game, self.rows, whole) - self.rows
            if best >= count:
                break
            row = self.written(self.rows + best, self.rows + best + 1)[0]
            found.append(texts.index(row))
            self.kernels["play"](*game, (self.rows + best) * self.engine.row, self.rows + count)
        self.kernels["back"](game[0], self._more[1], control, 0)
        return found

    def written(self, first: int, end: int) -> list[tuple[int, ...]]:
        """The words of decisions."""
        rows, size = self._game[2], self.engine.row
        return [tuple(rows[i * size + j] for j in range(size)) for i in range(first, end)]

    # --- hashes ---

    def _key(self) -> int:
        return int(self.kernels["position_key"](self._game[0]))

    def key_of(self, words: Sequence[int]) -> int:
        """The hash of a position given by its words."""
        for i, word in enumerate(words):
            self._game[0][i] = word
        key = self._key()
        self.kernels["back"](self._game[0], self._more[1], self.control, 0)
        return key

    def key_after(self, number: int) -> int:
        """The hash of the position after a decision of the root."""
        return self.key_of(self.after(number))

    # --- control ---

    def stop(self) -> None:
        """Make kernels that run in another thread return at once."""
        self.control[at.STOP] = 1

    def go_on(self) -> None:
        """Take back a stop."""
        self.control[at.STOP] = 0

    def stopped(self) -> bool:
        """Whether a limit was met, or somebody said stop."""
        return bool(self.control[at.STOP])

    @property
    def nodes(self) -> int:
        """Decisions played so far."""
        return int(self.control[at.NODES])

    def check(self, fault: int) -> None:
        """Raise what the rules or the evaluator did wrong."""
        if fault:
            raise fault_of(fault, self._game[4][p.ORIGIN], self.engine.play.rules)
