"""How a game's positions lie in memory: the state layout, and which tables its kernels need.

In: rules.  Out: offsets into one array of 64-bit words for a position, names for its words, and one
array of constants.  Refuses (as `Unsupported`, with the reason) the few models that the general
form cannot hold; they are played by the reference.

A set of sites is `words` words: bit i of the reference's mask is bit i mod 64 of word i div 64.
"""

from __future__ import annotations

import keyword
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from functools import cached_property
from inspect import get_annotations
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from attrs import define, evolve, field

from rulewright.compiler.arrays import signed_words
from rulewright.compiler.backend import Linked
from rulewright.compiler.ir.types import INTS, Types, declared_by
from rulewright.compiler.ir.types import Layout as IndexNames
from rulewright.compiler.piles import PileLayout
from rulewright.compiler.runtime import Chance, GameArrays, Scratch, StateWords
from rulewright.ground import limits
from rulewright.ground.records import Record, record
from rulewright.model import rules as r
from rulewright.model.board import Mask, Step, bits
from rulewright.model.expressions import Function as Definition
from rulewright.model.expressions import Type
from rulewright.model.walk import reached_operations
from rulewright.reference.courses import may_end, remainders
from rulewright.reference.position import LinkTable

if TYPE_CHECKING:
    from rulewright.compiler.ir.nodes import Function, Module

_HEAD = tuple(get_annotations(StateWords))
MOVER, PLY, REST, FRESH, AGAIN, SWAPPED, RESULT, FAULT, PAST = range(len(_HEAD))
"""The first words of a position, see `StateWords`."""
HEAD = len(_HEAD)
RUNNING, DRAWN = -1, 2
CHANCE, ORIGIN, ROUNDED, ENDED, ASKING = map(
    [*get_annotations(Scratch)].index, ("chance", "origin", "rounded", "ended", "asking")
)
"""Words of what kernels hand to each other, see `Scratch`."""
_RECORDS = (Scratch, Chance, GameArrays)
CONSTANTS = (
    "SIZE", "ROW", "MOST_ROWS", "RUNNING", "STUCK", "TOO_MANY", "KEPT", "KEY", "TURN",
)  # fmt: skip
"""Names of the constants that every game's module declares."""
MARGIN = 20_480
"""Rows that the decisions of one position may need: more than `limits.BRANCHES`."""
DECISIONS = 262_144
"""Decisions that the buffer can hold: those of all positions of a line together.

A search uses the first half, `mobility` the last `MARGIN`; arrays take memory as they are used.
"""


class Unsupported(Exception):
    """The general form does not cover this model, for the reason given."""

    where = ""
    """`file:line` of the text that was being written, where that is known."""


@record
class ChosenForm(Record):
    """The form that was chosen for a part of a text, and at what price."""

    origin: int
    """The place in the rules' text, 0 for the whole game and for places of evaluators."""
    part: str
    form: str
    advice: str = ""
    """A faster way to write it, where the form is slow."""


@record
class Mark(Record):
    """The sizes of a layout's tables at some moment, for `undo`."""

    table: int
    kernels: int
    scratch_size: int
    extra: int
    books: tuple[int, ...]


@record
class SharedCaches(Record):
    """Kernels of a module that work something out once a position, for modules lowered after it.

    `caches`: the names of these kernels, and where they leave their words.
    """

    functions: tuple[Definition, ...]
    caches: dict[Any, tuple[str, int]]
    linked: Linked

    def among(self, functions: tuple[Definition, ...]) -> dict[Any, tuple[str, int]]:
        """Return the caches that mean the same where these are the definitions.

        A definition calls only those before it, so that all they begin alike with are the same.
        """
        if functions is self.functions:
            return dict(self.caches)
        pairs = zip(self.functions, functions, strict=False)
        alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        return {key: at for key, at in self.caches.items() if key[0][0] in range(alike)}


def _unique_name(word: str, names: set[str]) -> str:
    """Return an unused identifier for a word, and add it to the used *names*."""
    while word in names or not word.isidentifier():
        word = f"{word}_"
    names.add(word)
    return word


def shorten(book: dict[Any, Any], length: int) -> None:
    """Drop the last entries of a dictionary, down to *length*."""
    while len(book) > length:
        book.popitem()


@define(repr=False, eq=False)
class StateLayout(Record):
    """Offsets of a position's parts, and the table of constants."""

    rules: r.Rules
    link_table: LinkTable | None
    words: int = field(init=False)
    owned: int = HEAD
    owners: int = field(init=False)
    kinds_kept: bool = field(init=False)
    kinds: int = field(init=False)
    links: int = field(init=False)
    link_words: int = field(init=False)
    piles: PileLayout = field(init=False)
    states: list[int] = field(init=False)
    needs_look_back: bool = field(init=False)  # moves or actions ask for `repeats`
    claimable: int = field(init=False)
    """The word that tells whether a draw may be claimed; 0 where none ever may be."""
    out: int = field(init=False)
    """The word of the players who are out (`seats.py`); 0 where nobody ever is."""
    size: int = field(init=False)
    over: int = field(init=False)
    search: int = field(default=0, init=False)
    """Scratch words: whether the turn is over, and searches for ways through it; 0 without them."""
    courses: dict[r.Course, int] = field(init=False)
    row: int = 0
    """Words of a decision's row; set when the moves have been read."""
    table: list[int] = field(factory=list)
    scratch_size: int = 10
    extra: int = 0
    callees: dict[object, str] = field(factory=dict)
    """Names of definitions' kernels, by definition and constant arguments."""
    budget: int = field(factory=lambda: limits.KERNELS, init=False)
    kernels: list[Function] = field(factory=list, init=False)
    """The kernels of definitions; `budget` is how many more lines all kernels may have."""
    caches: dict[object, tuple[str, int]] = field(factory=dict)
    """Kernels that work something out once a position, and where they leave its words."""
    shared_caches: SharedCaches | None = None
    sizes: dict[int, int] = field(factory=dict)
    facts: dict[int, tuple[bool, bool]] = field(factory=dict)
    """Of definitions: whether they depend on the position alone, and whether on who is to move."""
    notes: dict[tuple[int, str], ChosenForm] = field(factory=dict)
    """The kernel forms chosen for parts of the game, and why (`plan.py`)."""
    _offsets: dict[object, int] = field(factory=dict)
    _facts_of: dict[int, tuple[object, dict[int, int], dict[int, tuple[bool, bool]]]] = field(
        factory=dict, init=False
    )
    """The `sizes` and `facts` of other lists of definitions, which are kept with them."""
    _rows: dict[object, tuple[list[int], int]] = field(factory=dict, init=False)
    """Tables of rows, with the length of a row; shared by all copies of a layout."""

    def __attrs_post_init__(self) -> None:
        rules = self.rules
        parts = (rules.moves, rules.actions)
        self.needs_look_back = rules.looks_back and "repeats" in reached_operations(parts, rules)
        self.words = (len(rules.board.names) + 63) // 64
        self.owners = len(rules.players) + any(kind.letters[-1] for kind in rules.kinds)
        self.kinds_kept = len(rules.kinds) > 1  # rules may not ask for them, but evaluators do
        self.kinds = self.owned + self.owners * self.words
        self.links = self.kinds + (len(rules.kinds) * self.words if self.kinds_kept else 0)
        count = len(self.link_table.ends) if self.link_table else 0
        self.link_words = (count + 63) // 64
        hand = self.scratch(rules.board.stacked)
        self.piles = PileLayout.of(rules, self.owners, self.links + self.link_words, hand)
        offset = self.piles.end
        self.states = []
        for state in rules.states:
            self.states.append(offset)
            size = state_size(state, self.words)
            offset += size * (len(rules.players) if state.each else 1)
        self.claimable = offset if rules.claimable_ends else 0
        self.out = offset + bool(self.claimable) if rules.drops_out else 0
        self.size = offset + bool(self.claimable) + bool(self.out)
        self.over = self.scratch(1) if rules.closes_turns else 0
        courses = list({**dict.fromkeys(remainders(rules, limits.COURSES).values()), r.EMPTY: None})
        if len(courses) >= limits.COURSES:
            raise Unsupported(f"a turn of which {limits.COURSES} different parts can be left")
        courses.sort(key=lambda c: c != rules.course)  # the whole turn is number 0
        self.courses = {course: i for i, course in enumerate(courses)}

    @property
    def whole(self) -> int:
        """Words of a position and of the structures that random games update."""
        return self.size + self.extra

    def room(self, size: int) -> int:
        """Take *size* words behind the position, for a structure that random games update."""
        self.extra += size
        return self.whole - size

    @property
    def running(self) -> dict[r.Course, int]:
        """Return the numbers of the courses in which decisions are made: all but the empty one."""
        courses = {c: n for c, n in self.courses.items() if c != r.EMPTY}
        return courses or self.courses

    @property
    def may_end(self) -> bool:
        """Whether a turn can end for lack of decisions."""
        return any(may_end(course) for course in self.running)

    def for_definitions(self, functions: tuple[Definition, ...]) -> StateLayout:
        """Return a layout with the same places and tables, other definitions, and own kernels."""
        inner = copy(self)
        inner.rules = evolve(self.rules, functions=functions)
        inner.callees, inner.notes = {}, {}
        inner.caches = self.shared_caches.among(functions) if self.shared_caches else {}
        inner.kernels, inner.budget = [], limits.PLAYERS
        _, inner.sizes, inner.facts = self._facts_of.setdefault(id(functions), (functions, {}, {}))
        return inner

    @property
    def needs(self) -> tuple[Linked, ...]:
        """The modules that those lowered from now on may call."""
        shared = self.shared_caches
        return (*shared.linked.needs, shared.linked) if shared else ()

    def split(self, mask: Mask) -> list[int]:
        """Split a mask into signed words."""
        return list(signed_words(mask, self.words))

    def add(self, key: object, values: Iterable[int]) -> int:
        """Add a table of constants once; returns its offset."""
        if key not in self._offsets:
            self._offsets[key] = len(self.table)
            self.table += values
        return self._offsets[key]

    def mark(self) -> Mark:
        """Return the sizes of all tables, for `undo`."""
        books = tuple(map(len, self._books()))
        return Mark(len(self.table), len(self.kernels), self.scratch_size, self.extra, books)

    def undo(self, mark: Mark) -> None:
        """Drop what was added after a `mark`: a form was tried that does not fit."""
        del self.table[mark.table :]
        del self.kernels[mark.kernels :]
        self.scratch_size, self.extra = mark.scratch_size, mark.extra
        for book, length in zip(self._books(), mark.books, strict=True):
            shorten(book, length)

    def _books(self) -> tuple[dict[Any, Any], ...]:
        return self.callees, self.caches, self.notes, self._offsets

    def scratch(self, size: int) -> int:
        """Take *size* words of the scratch array; returns their offset."""
        self.scratch_size += size
        return self.scratch_size - size

    def note(self, part: str, form: str, origin: int = 0, advice: str = "") -> None:
        """Note the form that was chosen for a part of the game; the first note on it stands."""
        is_rule = 0 < origin < len(self.rules.origins)  # places of evaluators lie behind these
        place = origin if is_rule else 0
        self.notes.setdefault((place, part), ChosenForm(place, part, form, advice))

    def _named_parts(self) -> list[tuple[str, int, int]]:
        """List the named parts of a position as (name, offset, words)."""
        rules = self.rules
        owners = (*rules.players, "nobody")[: self.owners]
        sets = [*owners, *(kind.name for kind in rules.kinds if self.kinds_kept)]
        parts = [(name, self.owned + i * self.words, self.words) for i, name in enumerate(sets)]
        parts.append(("links", self.links, self.link_words))
        parts += self.piles.parts()
        for state, offset in zip(rules.states, self.states, strict=True):
            size = state_size(state, self.words)
            suffixes = [f"_{player}" for player in rules.players] if state.each else [""]
            parts += [(state.name + w, offset + i * size, size) for i, w in enumerate(suffixes)]
        return parts + [("claimable", self.claimable, 1)] * bool(self.claimable)

    @cached_property
    def names(self) -> dict[int, str]:
        """The names of a position's words, by their place."""
        names = dict(enumerate(_HEAD))
        used = {*_HEAD, *keyword.kwlist}
        for name, offset, size in self._named_parts():
            for i in range(size):
                names[offset + i] = _unique_name(f"{name}_{i}" if size > 1 else name, used)
        return names

    @cached_property
    def bases(self) -> dict[int, str]:
        """Names for the places where parts of several words begin."""
        used = set(CONSTANTS)
        return {
            at: _unique_name(n.upper(), used) for n, at, size in self._named_parts() if size > 1
        }

    def types(self) -> Types:
        """Declare the arrays that kernels take."""
        words = {name: place for place, name in self.names.items()}
        records = {record.__name__: declared_by(record) for record in _RECORDS}
        return Types({"StateWords": IndexNames(INTS, words), **records})

    # --- tables ---

    def bit_table(self) -> int:
        """Add a table with the set of each single site; returns its offset."""
        sites = range(len(self.rules.board.names))
        return self.add("bits", (w for s in sites for w in self.split(1 << s)))

    def mask_table(self, masks: tuple[Mask, ...]) -> int:
        """Add a table of sets; returns its offset."""
        return self.add(("masks", masks), (w for m in masks for w in self.split(m)))

    def number_table(self, key: str, values: Iterable[int]) -> int:
        """Add a table of numbers; returns its offset."""
        return self.add(("numbers", key), values)

    def next_table(self, steps: tuple[Step, ...]) -> int:
        """Add a table with the site one step on (-1: none), for every step and site."""
        board = self.rules.board
        values = [t.bit_length() - 1 for step in steps for t in board.targets(step)]
        return self.add(("next", steps), values)

    def walk_table(self, steps: tuple[Step, ...]) -> int:
        """Add a table of walks: where each begins, for every step and site, and its sites (-1)."""
        board = self.rules.board
        walks = [board.walk(site, step) for step in steps for site in range(len(board.names))]
        starts, sites = list[int](), list[int]()
        for walk in walks:
            starts.append(len(walks) + len(sites))
            sites += [*(mask.bit_length() - 1 for mask in walk), -1]
        return self.add(("walks", steps), starts + sites)

    def near_table(self, steps: tuple[Step, ...]) -> int:
        """Add a table with the set of sites one of *steps* away, for every site."""
        neighbours = self.rules.board.neighbours(steps)
        return self.add(("near", steps), (w for m in neighbours for w in self.split(m)))

    def near_list_table(self, steps: tuple[Step, ...]) -> tuple[int, int]:
        """Add a table with a row for every site: how many sites are one of *steps* away, and which.

        Returns its offset and the length of a row.
        """
        neighbours = self.rules.board.neighbours(steps)
        return self._row_table(("near list", steps), 1, lambda: map(bits, neighbours))

    @property
    def incident_table(self) -> tuple[int, int]:
        """A table with a row for every site: its possible links as (other site, number).

        Its offset and the length of a row.
        """

        def rows() -> Iterator[Iterable[int]]:
            for site in range(len(self.rules.board.names)):
                links = self._links().at.get(site, ())
                yield (n for end, number in links for n in (end.bit_length() - 1, number))

        return self._row_table("incident", 2, rows)

    @property
    def crossing_table(self) -> tuple[int, int]:
        """A table with a row for every possible link: those that cross it (number, two ends).

        Its offset and the length of a row.
        """

        def rows() -> Iterator[Iterable[int]]:
            table = self._links()
            for a, b in table.ends:
                yield (n for link in bits(table.crossing(a, b)) for n in (link, *table.ends[link]))

        return self._row_table("crossing", 3, rows)

    @property
    def crossing_words(self) -> tuple[int, int]:
        """A table with a row for every possible link: those that cross it as (word, bits).

        Its offset and the length of a row.
        """

        def rows() -> Iterator[Iterable[int]]:
            table = self._links()
            for a, b in table.ends:
                words = enumerate(signed_words(table.crossing(a, b), self.link_words))
                yield (n for word in words if word[1] for n in word)

        return self._row_table("crossing words", 2, rows)

    def _row_table(
        self, key: object, unit: int, rows: Callable[[], Iterable[Iterable[int]]]
    ) -> tuple[int, int]:
        """Add a table of rows: the number of items, then items of *unit* numbers each.

        Returns its offset and the length of a row, which is the same for all.
        """
        if key not in self._rows:
            items = list(map(list, rows()))
            width = max(map(len, items), default=0)
            padded = ([len(row) // unit, *row, *([0] * (width - len(row)))] for row in items)
            self._rows[key] = [n for row in padded for n in row], 1 + width
        values, width = self._rows[key]
        return self.add(key, values), width

    def _links(self) -> LinkTable:
        if self.link_table is None:
            raise Unsupported("links are asked for and none are declared")
        return self.link_table


@define(repr=False, eq=False)
class Emitted(Record):
    """The kernels of a game, packed as they are kept, and how its positions lie in memory."""

    packed: str
    length: int
    """Lines of all kernels, about as many as they take as text."""
    layout: StateLayout
    linked: Linked = field(init=False, eq=False)

    @linked.default
    def _offsets(self) -> Linked:
        return Linked.of_packed(self.packed)

    @classmethod
    def of(cls, module: Module, layout: StateLayout) -> Emitted:
        """Pack the kernels of a module; whatever is lowered later has callees of its own."""
        linked = Linked.of(module)
        layout.callees.clear()
        emitted = cls(linked.packed, module.length, layout)
        emitted.linked = linked
        return emitted


def state_size(state: r.StateVariable, words: int) -> int:
    """Count the words of a state of one player; a set of sites has *words*."""
    return words if state.type is Type.SITES else state.entries


def set_places(layout: StateLayout) -> list[int]:
    """List the offsets of a position's sets of sites, those of players and of nobody first."""
    places = list(range(layout.owned, layout.links, layout.words))
    for index, state in enumerate(layout.rules.states):
        if state.type is Type.SITES:
            players = len(layout.rules.players) if state.each else 1
            places += [layout.states[index] + i * layout.words for i in range(players)]
    return places


def state_words(
    layout: StateLayout, index: int, values: tuple[object, ...]
) -> list[tuple[int, int]]:
    """List the words of a state as (offset, word), for the values of all players."""
    state, offset = layout.rules.states[index], layout.states[index]
    words: list[int] = []
    for value in values if state.each else values[:1]:
        if isinstance(value, tuple):
            words += map(int, value)
            continue
        assert isinstance(value, int)
        words += layout.split(value) if state.type is Type.SITES else [int(value)]
    return [(offset + i, word) for i, word in enumerate(words)]
