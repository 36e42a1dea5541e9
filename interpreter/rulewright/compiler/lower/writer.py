"""Writing the kernels of a game: the builder, and what expressions become (`Lowered`).

In: values, in the order in which things happen.  Out: the body of one kernel.  Refuses
(`Unsupported`) when all kernels of the game together exceed the lines of `layout.budget`; a form
that refuses leaves nothing behind (`attempt`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from inspect import get_annotations
from itertools import product
from operator import or_
from typing import Any, TypeAlias, TypeVar

from attrs import define, field, frozen

from rulewright.compiler.ir.build import FunctionBuilder
from rulewright.compiler.ir.nodes import (
    Array,
    Const,
    Do,
    Element,
    Expr,
    Function,
    Local,
    Stmt,
    Value,
    choice,
    op,
    truth,
)
from rulewright.compiler.ir.packing import pack_kernel
from rulewright.compiler.ir.types import ARRAYS, INT, INTS, NOTHING, Signature
from rulewright.compiler.layout import StateLayout, Unsupported, shorten
from rulewright.compiler.runtime import GameArrays, Scratch, StateWords, place
from rulewright.ground.records import Record, record
from rulewright.model import expressions as m
from rulewright.model.board import Step
from rulewright.model.expressions import Type

_Result = TypeVar("_Result")
MANY_WORDS = 3
"""Words of a set from which on it should become a vector."""


def array(name: str) -> Array:
    """Name an array of whole numbers."""
    return Array(name, INTS)


def at(name: str, index: Value) -> Element:
    """Name an element of an array of whole numbers, to be read or set."""
    return Element(array(name), index if isinstance(index, Expr) else Const(index, INT))


class NamedWords:
    """The words of an array that have names: `STATE.mover` is an element, to be read or set."""

    def __init__(self, name: str, layout: type) -> None:
        self._name, self._layout = name, layout

    def __getattr__(self, word: str) -> Element:
        return at(self._name, place(self._layout, word))


STATE, SCRATCH = NamedWords("g.state", StateWords), NamedWords("g.scratch", Scratch)


@frozen(eq=False)
class Sites:
    """A set of sites: for each word a name or a constant.

    What is made of sets has names of its own, so that any of them may be used again.
    """

    w: Writer
    words: tuple[Expr, ...]

    def each(self, form: Callable[..., Expr], *others: Sites) -> Sites:
        """Combine sets word by word."""
        sets = (self.words, *(other.words for other in others))
        return self.w.sites_of(form(*parts) for parts in zip(*sets, strict=True))

    def __and__(self, other: Sites) -> Sites:
        return self.each(lambda a, b: a & b, other)

    def __or__(self, other: Sites) -> Sites:
        return self.each(lambda a, b: a | b, other)

    def __xor__(self, other: Sites) -> Sites:
        return self.each(lambda a, b: a ^ b, other)

    def __sub__(self, other: Sites) -> Sites:
        return self.each(lambda a, b: a & ~b, other)

    def __invert__(self) -> Sites:
        return self.each(lambda a: ~a)

    def any(self) -> Expr:
        """Write whether the set holds a site."""
        return _joined(self.words).ne(0)

    def none(self) -> Expr:
        """Write whether the set is empty."""
        return _joined(self.words).eq(0)

    def count(self) -> Expr:
        """Write the number of sites."""
        return self.w.let(total(op("popcount", word) for word in self.words), "n")

    def has(self, site: Expr) -> Expr:
        """Write whether the set holds the site of a number, as 1 or 0."""
        w, words = self.w, self.words
        if len(words) == 1:
            return w.let(op("shift_right", words[0], site) & 1)
        word = words[-1]
        for index in range(len(words) - 2, -1, -1):
            word = choice(site < 64 * (index + 1), words[index], word)
        return w.let(op("shift_right", word, site & 63) & 1)

    def lowest(self) -> Expr:
        """Write the number of the first site; the set must not be empty."""
        top = len(self.words) - 1
        number = 64 * top + op("trailing", self.words[top])
        for index in range(top - 1, -1, -1):
            low = 64 * index + op("trailing", self.words[index])
            number = choice(self.words[index].ne(0), low, number)
        return self.w.let(number, "s")

    def shifted(self, by: int) -> Sites:
        """Write the set with every site's number raised by *by* (lowered if negative)."""
        words, (jump, bits) = self.words, divmod(by, 64)
        outer_word = self.w.outer_word(self)
        shifted_words = []
        for w in range(len(words)):
            near, far = (
                words[i] if 0 <= i < len(words) else outer_word for i in (w - jump, w - jump - 1)
            )
            word = op("wrap_shl", near, bits)
            shifted_words.append(word | op("shift_right", far, 64 - bits) if bits else word)
        return self.w.sites_of(shifted_words)


@frozen(eq=False)
class MaybeSite(Sites):
    """A set with one site at the most: its number, or -1."""

    number: Expr


def _joined(words: Sequence[Expr]) -> Expr:
    return reduce(lambda a, b: a | b, words)


def total(numbers: Iterator[Expr] | Sequence[Expr]) -> Expr:
    """Return the sum of numbers; 0 for none."""
    return reduce(lambda a, b: a + b, numbers, Const(0, INT))


@record
class Site(Record):
    """A single site by its number."""

    number: Expr


@record
class OneStep(Record):
    """One of `steps`, by its place among them."""

    steps: tuple[Step, ...]
    index: Expr


@record
class Numbers(Record):
    """A list of numbers or of kinds, or both ends of a range: whoever needs it asks the model."""

    values: m.Value


@record
class GroupList(Record):
    """Groups one after another in `g.scratch`, from the word `room` on; `count` says how many."""

    room: int
    count: Local


@record
class Once(Record):
    """A value that is worked out where it is first asked for, and kept in names."""

    value: Callable[[], Lowered]


AnySteps: TypeAlias = OneStep | tuple[Step, ...]
"""Steps that are known, or one of them."""
Lowered: TypeAlias = Expr | Sites | Site | AnySteps | Numbers | GroupList | Once
"""What an expression becomes: an `Expr` is a number, a truth or a kind."""


def as_steps(value: Lowered) -> AnySteps:
    """Return a value as steps, or as one of steps by its index."""
    assert isinstance(value, OneStep | tuple)
    return value


def as_word(value: Lowered) -> Expr:
    """Return a value as a number, a truth or a kind."""
    assert isinstance(value, Expr)
    return value


def constant(w: Writer, e: m.Const) -> Lowered:
    """Write a value that is known; raises `Unsupported` for numbers that are not whole."""
    if e.type in (Type.STEP, Type.STEPS):
        return e.steps
    if e.type in (Type.NUMBERS, Type.KINDS, Type.RANGE):
        return Numbers(e.value)
    if e.type is Type.REAL:
        raise Unsupported("numbers that are not whole are not in the general form")
    assert isinstance(e.value, int)
    match e.type:
        case Type.TRUTH:
            return truth(bool(e.value))
        case Type.SITE:
            return Site(Const(e.value.bit_length() - 1, INT))
        case Type.SITES:
            return w.constant(e.value)
    return Const(int(e.value), INT)


@define(eq=False)
class Writer(FunctionBuilder):
    """Build one function of a game."""

    layout: StateLayout = field(kw_only=True)
    books: list[dict[Any, Any]] = field(factory=list, kw_only=True)
    """Tables beside the layout that `attempt` takes back too."""

    def put(self, s: Stmt) -> None:
        """Add a statement."""
        self.layout.budget -= 1
        if self.layout.budget < 0:
            raise Unsupported("its kernels would have too many lines")
        super().put(s)

    def attempt(self, write: Callable[[], _Result]) -> _Result | None:
        """Try a fast form; None, with nothing written, if it raises `Unsupported`.

        Its tables, kernels of definitions, rooms and notes are taken back with its statements.
        """
        length, count, names = len(self.body), self.count, len(self.locals)
        mark, books = self.layout.mark(), [len(book) for book in self.books]
        try:
            return write()
        except Unsupported:
            del self.body[length:]
            self.count = count
            shorten(self.locals, names)
            self.layout.undo(mark)
            for book, length in zip(self.books, books, strict=True):
                shorten(book, length)
            return None

    # --- sets of sites ---

    def sites_of(self, words: Iterator[Expr] | Sequence[Expr]) -> Sites:
        """Make a set of words, which are worked out here."""
        return Sites(self, tuple([self.let(word, "m") for word in words]))

    def constant(self, mask: int) -> Sites:
        """Make a constant set."""
        return Sites(self, tuple(Const(word, INT) for word in self.layout.split(mask)))

    def outer_word(self, sites: Sites) -> Expr:
        """Return the word beyond the ends of a set, which is 0.

        For large sets it is read from a table: where LLVM knows that it is 0 it takes the words of
        a shift apart, each in its own way, and makes no vector of them.
        """
        if len(sites.words) < MANY_WORDS or all(isinstance(word, Const) for word in sites.words):
            return Const(0, INT)
        return at("g.tables", self.layout.add("zero", [0]))

    def fixed(self, mask: int) -> Sites:
        """Make a constant set, which large sets hide from LLVM, see `outer_word`."""
        if self.layout.words < MANY_WORDS:
            return self.constant(mask)
        return self.load("g.tables", self.layout.mask_table((mask,)))

    def load(self, name: str, offset: Value) -> Sites:
        """Load a set from an array."""
        return self.sites_of([at(name, offset + w) for w in range(self.layout.words)])

    def store(self, name: str, offset: Value, sites: Sites) -> None:
        """Write a set into an array."""
        for w, word in enumerate(sites.words):
            self.set(at(name, offset + w), word)

    def variable(self, sites: Sites) -> Sites:
        """Set fresh names to a set; they may change."""
        return Sites(self, tuple([self.var(word, "m") for word in sites.words]))

    def assign(self, names: Sites, sites: Sites) -> None:
        """Set variables to a set."""
        for name, word in zip(names.words, sites.words, strict=True):
            self.set(name, word)

    def add(self, names: Sites, sites: Sites) -> None:
        """Add sites to a set that may change."""
        for name, word in zip(names.words, sites.words, strict=True):
            self.set(name, name | word)

    def empty(self) -> Sites:
        """A new variable of the kernel, empty at first; `add` and `assign` change it."""
        return self.variable(self.constant(0))

    def union(self, sets: Iterable[Sites]) -> Sites:
        """Write the union of sets."""
        return reduce(or_, sets, self.constant(0))

    def site_bit(self, site: Expr) -> Sites:
        """Write the set that holds one site, given by its number."""
        if isinstance(site, Const):
            return self.constant(1 << int(site.value))
        if self.layout.words == 1:
            return self.sites_of([op("wrap_shl", 1, site)])
        return self.load("g.tables", self.layout.bit_table() + site * self.layout.words)

    def word_of(self, name: str, offset: Value, number: Expr) -> Element:
        """Name the word in which bit *number* lies of a part that begins at *offset*."""
        if isinstance(offset, int):
            offset = Const(offset, INT, self.layout.bases.get(offset, ""))
        return at(name, offset + (number >> 6))

    def copy_position(self, to: tuple[str, int], source: tuple[str, int]) -> None:
        """Copy the words of a position from an array to another, each with its first place."""
        with self.each(0, self.layout.size) as index:
            self.set(at(to[0], to[1] + index), at(source[0], source[1] + index))

    # --- loops ---

    @contextmanager
    def indices(self, count: int, stop: Expr | None = None) -> Iterator[Local]:
        """Write a loop over the numbers below *count*, while the truth *stop* holds."""
        index = self.var(-1, "i")
        with self.loop(also(index < count - 1, stop)):
            self.set(index, index + 1)
            yield index

    @contextmanager
    def bits(self, word: Expr, stop: Expr | None = None, name: str = "s") -> Iterator[Expr]:
        """Write a loop over the indices of a word's one bits, while the truth *stop* holds."""
        rest = self.var(word, "m")
        with self.loop(also(rest.ne(0), stop)):
            place = self.let(op("trailing", rest), name)
            self.set(rest, rest & op("wrap_add", rest, -1))
            yield place

    @contextmanager
    def sites(self, sites: Sites, stop: Expr | None = None) -> Iterator[Expr]:
        """Write a loop over the sites of a set, by number, while the truth *stop* holds."""
        words = sites.words
        if len(words) == 1:
            with self.bits(words[0], stop) as site:
                yield site
            return
        room = self.layout.scratch(len(words))
        self.store("g.scratch", room, sites)
        part = self.var(-1, "i")
        with self.loop(also(part < len(words) - 1, stop)):
            self.set(part, part + 1)
            with self.bits(at("g.scratch", room + part), stop) as place:
                yield self.let(part * 64 + place, "s")

    def flood(self, seed: Sites, within: Sites, neighbours: Callable[[Sites], Sites]) -> Sites:
        """Write the sites of *within* that can be reached from *seed* through *within*."""
        reached = self.variable(seed & within)
        edge = self.variable(reached)
        with self.loop(edge.any()):
            near = neighbours(edge)
            self.assign(edge, (near & within) - reached)
            self.add(reached, edge)
        return reached


_BASES = {"StateWords": INTS, "Scratch": INTS, "Chance": INTS, "Counts": INTS}
"""Arrays whose words have names."""
_FIELDS = tuple((f"g.{name}", INTS) for name in get_annotations(GameArrays))
GAME = tuple(Array(name, type_) for name, type_ in _FIELDS)
"""The arrays of a game, as kernels pass them to each other."""


def signature(*names: str, gives: str = INT, more: tuple[tuple[str, str], ...] = ()) -> Signature:
    """Return the signature of a kernel that takes the game, *more* arrays, and numbers."""
    parameters = (*more, *((name, INT) for name in names))
    flat = tuple((name, _BASES.get(type_, type_)) for name, type_ in parameters)
    return Signature((("g", "GameArrays"), *parameters), gives, (*_FIELDS, *flat))


def by_mover(layout: StateLayout, name: str, takes: Signature, kernel: str = "") -> Function:
    """Write the kernel *name*: it calls `KERNEL_0`, `KERNEL_1`, ... by who is to move."""
    w, args = Writer(layout=layout), [as_argument(n, t) for n, t in takes.flat]
    views, nothing = layout.rules.views, takes.gives == NOTHING
    *calls, last = (w.call(f"{kernel or name}_{p}", args, gives=takes.gives) for p in views)
    for player, call in enumerate(calls):
        with w.when(STATE.mover.eq(player)):
            if nothing:
                w.put(Do(call))
            w.give(None if nothing else call)
    if nothing:
        w.put(Do(last))
    return w.function(name, takes, None if nothing else last)


def as_argument(name: str, type_: str) -> Local | Array:
    """Return a parameter as an argument."""
    return Array(name, type_) if type_ in ARRAYS else Local(name, type_)


def each_decider(w: Writer, moves: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Write a branch for each player and move, taken if the row at `at` is theirs."""
    mover, move = w.let(STATE.mover, "p"), w.let(at("g.rows", Local("at", INT)), "m")
    for player, number in product(w.layout.rules.views, list(moves)):
        with w.when(mover.eq(player) & move.eq(number)):
            yield player, number


def also(condition: Expr, stop: Expr | None) -> Expr:
    """Join a condition with *stop*, if there is one."""
    return condition if stop is None else condition & stop


def unify(layout: StateLayout, kernel: Function) -> str:
    """Add a kernel, unless there is an equal one; returns the name of the one to call.

    Kernels of one definition are often equal for different views or constant arguments.
    """
    name = layout.callees.setdefault(("alike", pack_kernel(kernel)), kernel.name)
    if name == kernel.name:
        layout.kernels.append(kernel)
    return name
