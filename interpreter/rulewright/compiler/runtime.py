"""What kernels run on: their types, what is built in, the record of a game, and perft.

Kernels in files of their own import from here, as plain Python; `backend` makes modules of them.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from inspect import get_annotations
from threading import Lock
from typing import Any, Generic, TypeVar

T = TypeVar("T", int, float)
_BITS = 2**64 - 1


class KernelFault(Exception):
    """A kernel has done what machine code must not do, or cannot be linked."""


class GuardedArray(Generic[T]):
    """An array of fixed length that refuses any other index."""

    def __init__(self, values: Iterable[T]) -> None:
        self._values: list[T] = list(values)

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[T]:
        return iter(self._values)

    def __getitem__(self, index: int) -> T:
        if not 0 <= index < len(self._values):
            raise KernelFault(f"index {index} of an array of {len(self._values)}")
        return self._values[index]

    def __setitem__(self, index: int, value: T) -> None:
        if not 0 <= index < len(self._values):
            raise KernelFault(f"index {index} of an array of {len(self._values)}")
        self._values[index] = value


class Room(GuardedArray[int]):
    """Whole numbers, all 0 at first, that take memory only as they are used."""

    def __init__(self, length: int) -> None:
        super().__init__(())
        self._length = length

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[int]:
        yield from self._values
        yield from (0 for _ in range(self._length - len(self._values)))

    def __getitem__(self, index: int) -> int:
        if 0 <= index < len(self._values):
            return self._values[index]
        if not 0 <= index < self._length:
            raise KernelFault(f"index {index} of an array of {self._length}")
        return 0

    def __setitem__(self, index: int, value: int) -> None:
        if not 0 <= index < self._length:
            raise KernelFault(f"index {index} of an array of {self._length}")
        if index >= len(self._values):
            more = min(max(index + 1, 2 * len(self._values)), self._length) - len(self._values)
            self._values += [0] * more
        self._values[index] = value


def signed(word: int) -> int:
    """Return a number modulo 2^64, as kernels see it, with its sign."""
    word &= _BITS
    return word - 2**64 if word >> 63 else word


def in_64_bits(value: Any) -> Any:
    """Return a value unchanged; raises `KernelFault` if it is a number of more than 64 bits."""
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise KernelFault(f"{value} does not fit into 64 bits")
    return value


def amount(value: int) -> int:
    """Return a number of bits to shift by; raises `KernelFault` unless it is 0 to 63."""
    if not 0 <= value < 64:
        raise KernelFault(f"a shift by {value}")
    return value


_ONE_AT_A_TIME = Lock()


def atomic(kernel: Callable[[ints, i64, i64], i64]) -> Callable[[ints, i64, i64], i64]:
    """Make the kernel that adds to an element one step for all threads, by a lock."""

    @wraps(kernel)
    def alone(words: ints, at: i64, more: i64) -> i64:
        with _ONE_AT_A_TIME:
            return kernel(words, at, more)

    return alone


i64 = int
f64 = float


class _Word(Generic[T]):
    """An element of an array that has a name."""

    def __init__(self, place: int) -> None:
        self.place = place

    def __get__(self, array: GuardedArray[T], owner: type) -> T:
        return array[self.place]

    def __set__(self, array: GuardedArray[T], value: T) -> None:
        array[self.place] = value


class _Named:
    """Fields of a class with their places become words of the array."""

    def __init_subclass__(cls) -> None:
        for name in get_annotations(cls):
            setattr(cls, name, _Word(vars(cls)[name]))


class ints(_Named, GuardedArray[int]):  # noqa: N801 - a type of kernels, spelt like the others
    """An array of whole numbers; a class of it names some of its elements."""


class floats(_Named, GuardedArray[float]):  # noqa: N801
    """An array of floats."""


def place(layout: type, name: str) -> int:
    """Return the index of the word *name* in an array."""
    word = vars(layout)[name]
    assert isinstance(word, _Word)
    return word.place


def popcount(x: i64) -> i64:
    """Count the one bits among the 64 bits of *x*."""
    return (x & _BITS).bit_count()


def trailing(x: i64) -> i64:
    """Count the zero bits below the lowest one bit; 64 for 0."""
    return ((x & -x) & _BITS).bit_length() - 1 if x else 64


def select_bit(x: i64, k: i64) -> i64:
    """Return the index of the k-th one bit (from 0); 64 if there are not so many."""
    x &= _BITS
    for _ in range(k):
        x &= x - 1
    return trailing(x)


def wrap_add(a: i64, b: i64) -> i64:
    """The sum modulo 2^64."""
    return signed(a + b)


def wrap_mul(a: i64, b: i64) -> i64:
    """The product modulo 2^64."""
    return signed(a * b)


def wrap_shl(a: i64, b: i64) -> i64:
    """Shift *a* up by *b* bits, modulo 2^64."""
    return signed(a << amount(b))


def shift_right(a: i64, b: i64) -> i64:
    """Shift *a* down by *b* bits, as an unsigned value."""
    return signed((a & _BITS) >> amount(b))


def volatile(element: i64) -> i64:
    """An element that another thread may write, `volatile(c.stop)`: it is read anew each time.

    What that thread wrote before it is there too for whatever is read afterwards.
    """
    return element


def float_bits(x: f64) -> i64:
    """The 64 bits of a float."""
    return int(struct.unpack("<q", struct.pack("<d", x))[0])


def bits_float(x: i64) -> f64:
    """The float of these 64 bits."""
    return float(struct.unpack("<d", struct.pack("<q", x))[0])


def real(x: i64) -> f64:
    """A whole number as a float."""
    return float(x)


def sqrt(x: f64) -> f64:
    """The square root."""
    return math.sqrt(x)


_BUILT_IN = (
    popcount, trailing, select_bit, wrap_add, wrap_mul, wrap_shl, shift_right, volatile,
    float_bits, bits_float, real, sqrt,
)  # fmt: skip
INTRINSICS: dict[str, Callable[..., Any]] = {f.__name__: f for f in _BUILT_IN}
"""What every kernel may call, in plain Python."""


# --- what every game's kernels take ---


class StateWords(ints):
    """A position; behind these words lie sets of sites for owners and kinds, links and states.

    `result` is RUNNING, 0, 1 (the winner) or DRAWN, of more than two players a word of places
    (`lower/verdicts.py`); `fault` is 0 or its number; `past` how many earlier positions are kept.
    """

    mover: i64 = 0
    ply: i64 = 1
    rest: i64 = 2
    fresh: i64 = 3
    again: i64 = 4
    swapped: i64 = 5
    result: i64 = 6
    fault: i64 = 7
    past: i64 = 8


class Scratch(ints):
    """Words that kernels hand to each other; room for whatever they work out lies behind.

    Whether the turn may end, the generator that evaluators draw from, the place in the text of the
    first fault, whether a value was too large to be exact, how many decisions of the position have
    been found so far, the place of the end rule that held last, how many of the decisions found
    were left out because another is written alike, whether rows are written to draw one of
    them, so that costly needs are tested of that one alone, a number for the position that an
    evaluator looks at, and whether it is asked if the next player would be stuck, which lets states
    leave their ranges.
    """

    may_end: i64 = 0
    chance: i64 = 1
    origin: i64 = 2
    rounded: i64 = 3
    listed: i64 = 4
    ended: i64 = 5
    dropped: i64 = 6
    drawing: i64 = 7
    epoch: i64 = 8
    asking: i64 = 9


class Chance(ints):
    """The state of a generator of random numbers, and a word that stops random games."""

    x: i64 = 0
    stop: i64 = 1


class GameArrays:
    """A position with all that its kernels need.

    `tables` are constants, `rows` decisions, `past` earlier positions; `trial` is a copy on which
    a decision is tried before it counts.
    """

    state: StateWords
    tables: ints
    rows: ints
    past: ints
    scratch: Scratch
    trial: StateWords


EVERY_GAME = '''def play(g: GameArrays, at: i64, top: i64) -> None:
    """The decision in the row at `at`, then ends, and the next turn where one begins."""
    swapped = g.state.swapped
    g.state.rest = g.rows[at + 1]
    g.state.fresh = 0
    if g.rows[at] >= 0:
        effects(g, at)
        g.state.result = ends(g)
        if g.state.result != RUNNING:
            return  # as it stands
    go_on(g, swapped, top)
    return


class Counts(ints):
    """What perft counts; random games count their winners in the first words."""
    decisions: i64 = 0
    faults: i64 = 3
    stop: i64 = 6
    full: i64 = 7
    levels: i64 = 8


def copy_in(state: StateWords, saved: ints, at: i64) -> None:
    for i in range(SIZE):
        saved[at + i] = state[i]
    return


def copy_out(state: StateWords, saved: ints, at: i64) -> None:
    for i in range(SIZE):
        state[i] = saved[at + i]
    return


def perft(g: GameArrays, saved: ints, counts: Counts, depth: i64, level: i64, top: i64) -> i64:
    if depth == 1:
        leaves = how_many(g, top)
        counts.decisions = counts.decisions + leaves
        if leaves == 0 and g.state.fault == 0 and stuck(g) == RUNNING:
            g.state.fault = STUCK
        return leaves
    if top > MOST_ROWS:
        counts.full = 1
        return 0
    n = decisions(g, top)
    counts.decisions = counts.decisions + n - top
    if n == top and g.state.fault == 0 and stuck(g) == RUNNING:
        g.state.fault = STUCK
    if g.state.fault != 0:
        return n - top
    copy_in(g.state, saved, level * SIZE)
    total = 0
    for i in range(top, n):
        if volatile(counts.stop) != 0:
            return total
        play(g, i * ROW, n)
        if g.state.fault == 0 and g.state.result == RUNNING:
            total = total + perft(g, saved, counts, depth - 1, level + 1, n)
        if g.state.fault != 0 or counts.full != 0:
            return total
        copy_out(g.state, saved, level * SIZE)
    return total


def turns(
    g: GameArrays, saved: ints, counts: Counts, depth: i64, level: i64, top: i64, played: i64
) -> i64:
    if top > MOST_ROWS:
        counts.full = 1
        return 0
    n = decisions(g, top)
    if n == top and g.state.fault == 0:
        if stuck(g) == RUNNING:
            g.state.fault = STUCK
        if played > 0 and g.state.fault == 0:
            counts.decisions = counts.decisions + played
            return 1 if depth == 1 else 0
    if g.state.fault != 0 or n == top:
        return 0
    if level >= counts.levels:
        counts.full = 1
        return 0
    copy_in(g.state, saved, level * SIZE)
    total = 0
    for i in range(top, n):
        if volatile(counts.stop) != 0:
            return total
        play(g, i * ROW, n)
        if g.state.fault != 0:
            return total
        if g.state.result == RUNNING and g.state.fresh == 0:
            total = total + turns(g, saved, counts, depth, level + 1, n, played + 1)
        else:
            counts.decisions = counts.decisions + played + 1
            if depth == 1:
                total = total + 1
            if depth > 1 and g.state.result == RUNNING:
                total = total + turns(g, saved, counts, depth - 1, level + 1, n, 0)
        if g.state.fault != 0 or counts.full != 0:
            return total
        copy_out(g.state, saved, level * SIZE)
    return total


def random_half(chance: Chance) -> i64:
    """32 random bits (xorshift64*, Vigna 2016)."""
    x = chance.x
    x = x ^ shift_right(x, 12)
    x = x ^ wrap_shl(x, 25)
    x = x ^ shift_right(x, 27)
    chance.x = x
    return shift_right(wrap_mul(x, 2685821657736338717), 32)


def playout(g: GameArrays, chance: Chance, most: i64) -> i64:
    return playout_on(g, chance, most, begin_incremental(g))


def playout_on(g: GameArrays, chance: Chance, most: i64, fast: i64) -> i64:
    plies = 0
    while g.state.result == RUNNING and g.state.fault == 0 and plies < most:
        done = 0
        if fast == 1:
            done = incremental_ply(g, chance, 0)
        else:
            done = ply(g, chance, 0)
        if done == 0 and g.state.fault == 0:
            g.state.result = stuck(g)
            if g.state.result == RUNNING:
                g.state.fault = STUCK
        if done == 0:
            return plies
        plies = plies + 1
    return plies


def playouts(
    g: GameArrays, saved: ints, chance: Chance, counts: Counts, games: i64, most: i64
) -> i64:
    copy_in(g.state, saved, 0)
    total = 0
    for game in range(games):
        if volatile(chance.stop) != 0:
            return total
        total = total + playout(g, chance, most)
        if g.state.fault != 0:
            counts.faults = counts.faults + 1
        if g.state.fault == 0 and g.state.result >= 0:
            winner = g.state.result
            if winner < 2 and g.state.swapped == 1:
                winner = 1 - winner
            counts[winner] = counts[winner] + 1
        copy_out(g.state, saved, 0)
    return total'''
"""Kernels that are the same in every game's module, which says SIZE, ROW and the like.

`saved` holds positions to go back to, one for each level.
"""


LOOKING_BACK = '''

def push(g: GameArrays) -> None:
    """Keep the position for `repeats`."""
    if g.state.past >= KEPT:
        if g.state.fault == 0:
            g.state.fault = TOO_MANY
            g.scratch.origin = TURN
        return
    note_past(g)
    g.state.past = g.state.past + 1
    return


def count_past(g: GameArrays, size: i64) -> i64:
    """How often the first words of its row stood before; the first one tells most apart."""
    note_past(g)
    last = g.state.past * KEY
    count = 0
    for i in range(g.state.past):
        row = i * KEY
        if g.past[row] == g.past[last]:
            j = 1
            while j < size and g.past[row + j] == g.past[last + j]:
                j = j + 1
            if j >= size:
                count = count + 1
    return count'''
"""Kernels of games that look back at earlier positions."""


def game_text(outranks: bool, closes_turns: bool, looks_back: bool) -> str:
    """Return the text of the kernels that every game has, with a game's own ways to end.

    *outranks*: an end for who is stuck stands above another one; *closes_turns*: something is asked
    when a turn is over, which `-` may end too; *looks_back*: earlier positions are kept.
    """
    text = EVERY_GAME + LOOKING_BACK * looks_back
    if outranks:
        text = text.replace(_AS_IT_STANDS, "outranked(g, swapped, top)\n            return")
    if closes_turns:
        text = text.replace(_MOVED, f"{_MOVED}{_CLOSED}", 1)
    return text


_AS_IT_STANDS, _MOVED = "return  # as it stands", "        effects(g, at)\n"
_CLOSED = "    if end_turn(g, swapped, top) != 0 or g.rows[at] >= 0:\n"
