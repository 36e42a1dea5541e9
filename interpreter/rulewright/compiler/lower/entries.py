"""What is looked up by a place: entries of tables of states, and sites some steps on.

In: expressions of the model, written by `Values`.  Out: elements of the position, and sets with one
site at the most.  Faults of the language (an entry that is none) are noted; refused (`Unsupported`)
are tables of sites that would be too large.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from rulewright.compiler.ir.nodes import Const, Element, Expr, choice, truth
from rulewright.compiler.ir.types import INT
from rulewright.compiler.layout import StateLayout, Unsupported
from rulewright.compiler.lower.writer import (
    AnySteps,
    Lowered,
    MaybeSite,
    OneStep,
    Site,
    Sites,
    Writer,
    also,
    at,
)
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import Board, Step, bits
from rulewright.model.expressions import Type


class PlaceValues(Protocol):
    """What is asked of the writer of expressions, `lower/values.py`."""

    w: Writer
    layout: StateLayout
    state: str

    @property
    def rules(self) -> r.Rules:
        """The rules of the game."""

    @property
    def board(self) -> Board:
        """The board of the game."""

    def fault(self, name: str) -> None:
        """Note a fault; the first one stands."""

    def at(self, origin: int) -> AbstractContextManager[None]:
        """Give the faults written in the block a place of the text."""

    def site(self, e: m.Expr) -> Expr:
        """Write the number of the one site of a set."""

    def word(self, e: m.Expr) -> Expr:
        """Write a number, a truth or a kind."""

    def number(self, e: m.Expr) -> Expr:
        """Write a whole number."""

    def value(self, e: m.Expr) -> Lowered:
        """Write the value of an expression."""

    def as_sites(self, value: Lowered) -> Sites:
        """Return a value as a set."""

    def each_way(self, e: m.Expr, use: Callable[[AnySteps], None]) -> None:
        """Call *use* in every branch with its steps."""

    def known_steps(self, e: m.Expr) -> tuple[Step, ...]:
        """Return steps that are constant."""


# --- entries of tables ---


def entry_of(v: PlaceValues, e: m.StateValue, offset: int) -> Element:
    """Name the word of the entry that is asked for; *offset* is where its table begins."""
    indices = v.rules.states[e.index].indices
    with v.at(e.origin):
        places = [place_in(v, part, index) for part, index in zip(e.at, indices, strict=True)]
        return entry(v, e.index, offset, places)


def place_in(v: PlaceValues, e: m.Expr, index: r.StateIndex) -> Expr:
    """Write the place of a member of an index."""
    if index.type is Type.SITE:
        return v.site(e)
    return v.w.let(v.word(e) - index.low, "i") if index.low else v.word(e)


def entry(v: PlaceValues, number: int, offset: int, places: list[Expr]) -> Element:
    """Name the word of an entry of a table, by its places in the indices; faults are noted."""
    place: Expr | None = None
    for index, part in zip(v.rules.states[number].indices, places, strict=True):
        inner = _inside(v, index, part)
        place = inner if place is None else place * index.size + inner
    assert place is not None
    return at(v.state, Const(offset, INT, v.layout.bases.get(offset, "")) + place)


def _inside(v: PlaceValues, index: r.StateIndex, place: Expr) -> Expr:
    """Return a place of an index; a fault where the table has no such entry, and 0 then."""
    everywhere = v.board.sites if index.type is Type.SITE else (1 << index.size) - 1
    is_whole = index.members & everywhere == everywhere
    if is_whole and index.type is not Type.INT:
        return place
    if isinstance(place, Const) and index.holds(int(place.value)):
        return place
    checked = v.w.var(place, "i")
    is_out = (place < 0) | (place >= index.size)
    if not is_whole:
        entries = [index.members >> i & 1 for i in range(index.size)]
        table = v.layout.number_table(f"entries {index.members}", entries)
        is_out = at("g.tables", table + place).eq(0)
    with v.w.when(is_out):
        v.fault("not-in-list")
        v.w.set(checked, next(bits(index.members)))
    return checked


# --- sites some steps on ---


def single_site(v: PlaceValues, value: MaybeSite) -> Expr:
    """Write the number of a site that must be there; a fault where it is not, and 0 then."""
    with v.w.when(value.number < 0):
        v.fault("not-one-site")
    return v.w.let(choice(value.number < 0, 0, value.number), "s")


@contextmanager
def each_site(v: PlaceValues, value: Lowered, stop: Expr | None = None) -> Iterator[Expr]:
    """Write a loop over the sites of a set, while the truth *stop* holds; none for a single one."""
    if isinstance(value, MaybeSite):
        with v.w.when(also(value.number >= 0, stop)):
            yield value.number
    elif isinstance(value, Site) and stop is None:
        yield value.number
    else:
        with v.w.sites(v.as_sites(value), stop) as site:
            yield site


def alternatives(value: AnySteps) -> list[tuple[Expr, tuple[Step, ...]]]:
    """List the values that steps may have, each with its condition."""
    if isinstance(value, OneStep):
        return [(value.index.eq(i), (step,)) for i, step in enumerate(value.steps)]
    return [(truth(True), value)]


_MOST_AHEAD = 200_000
"""Entries of a table of sites that lie some steps on."""


def ahead(v: PlaceValues, e: m.Apply) -> Sites:
    """Look up the sites some steps on; a single one where a site and a step are known."""
    along, sites, times = e.arguments
    value, number = v.value(sites), v.number(times)
    with v.w.when(number < 0):
        v.fault("out-of-range")
    if isinstance(value, Site):
        known_steps = v.w.attempt(lambda: v.known_steps(along))
        if known_steps is not None and len(known_steps) == 1:
            return _maybe_site(v, known_steps[0], value.number, number)
    targets = v.w.empty()

    def use(steps: AnySteps) -> None:
        for test, (step, *others) in _single_steps(steps):
            assert not others
            with v.w.when(test & (number >= 0)), each_site(v, value) as site:
                target = _site_ahead(v, step, site, number)
                if isinstance(target, Const):  # no site is so far from any
                    continue
                with v.w.when(target >= 0):
                    v.w.add(targets, v.w.site_bit(target))

    v.each_way(along, use)
    return targets


def _maybe_site(v: PlaceValues, step: Step, site: Expr, number: Expr) -> MaybeSite:
    """Write the site some steps on from a single one."""
    targets, target = v.w.empty(), v.w.var(-1, "s")
    with v.w.when(number >= 0):
        v.w.set(target, _site_ahead(v, step, site, number))
    with v.w.when(target >= 0):
        v.w.assign(targets, v.w.site_bit(target))
    return MaybeSite(v.w, targets.words, target)


def _single_steps(steps: AnySteps) -> list[tuple[Expr, tuple[Step, ...]]]:
    """List the single steps, each with its condition."""
    if isinstance(steps, OneStep):
        return alternatives(steps)
    return [(truth(True), (step,)) for step in steps]


def _site_ahead(v: PlaceValues, step: Step, site: Expr, number: Expr) -> Expr:
    """Write the number of the site some steps on; -1 where there is none."""
    board = v.board
    names = range(len(board.names))
    rounds = {site: board.round(site, step) for site in bits(board.sites)}
    on_it = sum(1 << site for site, steps in rounds.items() if steps)
    period = max(rounds.values())
    if period and any(steps != period for s, steps in rounds.items() if board.walk(s, step)):
        raise Unsupported("rounds of several lengths, where a step is taken a number of times")
    width = period or board.longest(step)
    if width * len(names) > _MOST_AHEAD:
        raise Unsupported("a table of sites some steps on would be too large")
    entries = [board.ahead(s, step, n).bit_length() - 1 for s in names for n in range(width)]
    table = v.layout.number_table(f"ahead {step}", entries)
    if not period:
        inside = v.w.let(choice(number < width, number, 0), "i")
        target = v.w.let(at("g.tables", table + (site * width + inside)), "s")
        return v.w.let(choice(number < width, target, -1), "s")
    target = v.w.let(at("g.tables", table + (site * width + number % period)), "s")
    if on_it == board.sites:
        return target
    on_line = v.w.constant(on_it).has(site)
    return v.w.let(choice(number.eq(0) | on_line.ne(0), target, -1), "s")
