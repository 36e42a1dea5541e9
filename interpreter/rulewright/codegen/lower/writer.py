"""Writing kernel text: lines, fresh names, and sets of sites as words.

In: lines, in the order in which they run.  Out: the body of one kernel.  Refuses (`Unsupported`)
kernels of more than so many lines; a form that refuses leaves nothing behind (`attempt`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from attrs import define, field

from rulewright.codegen.layout import StateLayout, Unsupported, shorten

_Result = TypeVar("_Result")
Words = list[str]
"""A set of sites: for each word a name or a constant."""
MOST_LINES = 30_000


@define
class Writer:
    """One function under way."""

    layout: StateLayout
    lines: list[str] = field(factory=list)
    level: int = 1
    count: int = 0
    books: list[dict[Any, Any]] = field(factory=list)
    """Where names and rooms of this function are noted beside the layout."""

    def put(self, line: str) -> None:
        """Add a line at the present indentation."""
        if len(self.lines) > MOST_LINES:
            raise Unsupported(f"its kernels would have more than {MOST_LINES:,} lines")
        self.lines.append("    " * self.level + line)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Lines below `if ...:`, `while ...:` or `else:`."""
        self.put(head)
        self.level += 1
        before = len(self.lines)
        try:
            yield
            if len(self.lines) == before:
                self.put("pass")
        finally:  # also where a form turns out not to fit
            self.level -= 1

    def fresh(self, word: str = "t") -> str:
        """A name that no other line uses."""
        self.count += 1
        return f"{word}{self.count}"

    def let(self, value: str, word: str = "t") -> str:
        """A fresh name for a value; names and constants are their own."""
        if value.isidentifier() or value.lstrip("-").isdigit():
            return value
        name = self.fresh(word)
        self.put(f"{name} = {value}")
        return name

    def attempt(self, write: Callable[[], _Result]) -> _Result | None:
        """What a fast form gives; None, with nothing written, when it does not fit.

        Tables, kernels of definitions, rooms and notes that it asked for go with its lines.
        """
        before, count = len(self.lines), self.count
        mark, books = self.layout.mark(), [len(book) for book in self.books]
        try:
            return write()
        except Unsupported:
            del self.lines[before:]
            self.count = count
            self.layout.undo(mark)
            for book, length in zip(self.books, books, strict=True):
                shorten(book, length)
            return None

    # --- sets of sites ---

    def constant(self, mask: int) -> Words:
        """A set known now."""
        return [str(w) for w in self.layout.split(mask)]

    def load(self, array: str, offset: str) -> Words:
        """A set that lies in an array."""
        return [
            self.let(self.layout.word(array, plus(offset, w)), "m")
            for w in range(self.layout.words)
        ]

    def store(self, array: str, offset: str, words: Sequence[str]) -> None:
        """Write a set into an array."""
        for w, word in enumerate(words):
            self.put(f"{self.layout.word(array, plus(offset, w))} = {word}")

    def each(self, form: str, *sets: Sequence[str]) -> Words:
        """Combine sets word by word; *form* has {0}, {1}, ... for their words."""
        return [self.let(form.format(*parts), "m") for parts in zip(*sets, strict=True)]

    def both(self, a: Sequence[str], b: Sequence[str]) -> Words:
        """The sites of two sets that are in both."""
        return self.each("{0} & {1}", a, b)

    def either(self, a: Sequence[str], b: Sequence[str]) -> Words:
        """The sites of two sets together."""
        return self.each("{0} | {1}", a, b)

    def without(self, a: Sequence[str], b: Sequence[str]) -> Words:
        """The sites of the first set that are not in the second."""
        return self.each("{0} & ~{1}", a, b)

    def variable(self, words: Sequence[str]) -> Words:
        """Fresh names that hold a set and may change."""
        names = [self.fresh("m") for _ in words]
        for name, word in zip(names, words, strict=True):
            self.put(f"{name} = {word}")
        return names

    def assign(self, names: Sequence[str], words: Sequence[str]) -> None:
        """Change variables; all values are worked out before."""
        for name, word in zip(names, words, strict=True):
            self.put(f"{name} = {word}")

    def add(self, names: Sequence[str], words: Sequence[str]) -> None:
        """Add sites to a set that may change."""
        self.assign(names, self.either(names, words))

    def empty(self) -> Words:
        """Names that hold no site as yet."""
        return self.variable(self.constant(0))

    @contextmanager
    def indices(self, count: int, stop: str = "") -> Iterator[str]:
        """A loop over the numbers below *count*, while the condition *stop* holds."""
        index = self.fresh("i")
        self.put(f"{index} = -1")
        with self.block(f"while {index} < {count - 1}{stop and f' and {stop}'}:"):
            self.put(f"{index} = {index} + 1")
            yield index

    def some(self, words: Sequence[str]) -> str:
        """The condition that a set is not empty."""
        return f"({' | '.join(words)}) != 0" if len(words) > 1 else f"{words[0]} != 0"

    def none(self, words: Sequence[str]) -> str:
        """The condition that a set is empty."""
        return f"({' | '.join(words)}) == 0" if len(words) > 1 else f"{words[0]} == 0"

    def count_of(self, words: Sequence[str]) -> str:
        """How many sites a set has."""
        return self.let(" + ".join(f"popcount({w})" for w in words), "n")

    def site_bit(self, site: str) -> Words:
        """The set that holds one site, given by its number."""
        if site.isdigit():
            return self.constant(1 << int(site))
        if self.layout.words == 1:
            return [self.let(f"wrap_shl(1, {site})", "m")]
        return self.load(
            "g.tables", _plus_text(self.layout.bit_table(), f"{site} * {self.layout.words}")
        )

    def has(self, words: Sequence[str], site: str) -> str:
        """1 if a set holds the site with that number, else 0."""
        if len(words) == 1:
            return self.let(f"shift_right({words[0]}, {site}) & 1")
        word = self.fresh("w")
        self.put(f"{word} = {words[-1]}")
        for index in range(len(words) - 2, -1, -1):
            self.put(f"{word} = {words[index]} if {site} < {64 * (index + 1)} else {word}")
        return self.let(f"shift_right({word}, {site} & 63) & 1")

    def lowest(self, words: Sequence[str]) -> str:
        """The number of the first site of a set that is not empty."""
        found = self.fresh("s")
        self.put(f"{found} = {64 * (len(words) - 1)} + trailing({words[-1]})")
        for index in range(len(words) - 2, -1, -1):
            low = f"{64 * index} + trailing({words[index]})"
            self.put(f"{found} = {low} if {words[index]} != 0 else {found}")
        return found

    @contextmanager
    def sites(self, words: Sequence[str], stop: str = "") -> Iterator[str]:
        """A loop over the sites of a set; gives the name of the number of the site."""
        also = f" and {stop}" if stop else ""
        if len(words) == 1:
            rest = self.variable(words)[0]
            with self.block(f"while {rest} != 0{also}:"):
                site = self.let(f"trailing({rest})", "s")
                self.put(f"{rest} = {rest} & wrap_add({rest}, -1)")
                yield site
            return
        room, part, rest = self.layout.scratch(len(words)), self.fresh("i"), self.fresh("m")
        self.store("g.scratch", str(room), words)
        self.put(f"{part} = -1")
        with self.block(f"while {part} < {len(words) - 1}{also}:"):
            self.put(f"{part} = {part} + 1")
            self.put(f"{rest} = g.scratch[{room} + {part}]")
            with self.block(f"while {rest} != 0{also}:"):
                site = self.let(f"{part} * 64 + trailing({rest})", "s")
                self.put(f"{rest} = {rest} & wrap_add({rest}, -1)")
                yield site

    def shifted(self, words: Sequence[str], by: int) -> Words:
        """A set with every site's number raised by *by* (lowered if negative)."""
        count, found = len(words), []
        jump, bits = divmod(abs(by), 64)
        for w in range(count):
            near = w - jump if by > 0 else w + jump
            far = near - 1 if by > 0 else near + 1
            parts = []
            if 0 <= near < count and words[near] != "0":
                move = "wrap_shl" if by > 0 else "shift_right"
                parts.append(f"{move}({words[near]}, {bits})" if bits else words[near])
            if bits and 0 <= far < count and words[far] != "0":
                move = "shift_right" if by > 0 else "wrap_shl"
                parts.append(f"{move}({words[far]}, {64 - bits})")
            found.append(self.let(" | ".join(parts) or "0", "m"))
        return found

    def flood(self, seed: Words, within: Words, neighbours: Callable[[Words], Words]) -> Words:
        """The sites of *within* that can be reached from *seed* through *within*."""
        found = self.variable(self.both(seed, within))
        edge = self.variable(found)
        with self.block(f"while {self.some(edge)}:"):
            near = neighbours(edge)
            self.assign(edge, self.each("{0} & {1} & ~{2}", near, within, found))
            self.assign(found, self.either(found, edge))
        return found


def plus(offset: str, more: int) -> str:
    """A place so many words on."""
    if offset.isdigit():
        return str(int(offset) + more)
    return f"{offset} + {more}" if more else offset


def _plus_text(offset: int, more: str) -> str:
    return f"{offset} + {more}" if offset else more
