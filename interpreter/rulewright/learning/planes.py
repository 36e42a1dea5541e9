"""What a batch shows of its positions: planes of sites and numbers, with names from the rules.

In: a game's layout.  Out: where the sets lie that become planes, seen by either player, and the
words that are numbers.  Nothing is hidden here: all of today's games show everything to both.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from rulewright.compiler import layout as p
from rulewright.compiler.layout import StateLayout
from rulewright.ground.records import Record, record
from rulewright.model import rules as r
from rulewright.model.expressions import Type

BYTES = 8
"""A word of marks holds so many."""


@record
class ObservedPart(Record):
    """A part of a position: its name, and where it lies for the first and for the second player."""

    name: str
    places: tuple[int, int]


@define(eq=False)
class Planes(Record):
    """The planes and numbers of a game's observations."""

    layout: StateLayout
    planes: tuple[ObservedPart, ...] = field(init=False)
    """Sets of sites: own pieces, enemy's, nobody's, kinds, states."""
    numbers: tuple[ObservedPart, ...] = field(init=False)
    """Words that are numbers: those of states, a table's by entry, and finished turns."""

    def __attrs_post_init__(self) -> None:
        self.planes = (*self._owners(), *self._kinds(), *self._states(is_set=True))
        self.numbers = (*self._states(is_set=False), ObservedPart("ply", (p.PLY, p.PLY)))

    @property
    def sites(self) -> int:
        """Sites of the lattice, those that the board leaves out too."""
        return len(self.layout.rules.board.names)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of a plane: rows and columns, or the sites of a drawn board."""
        board = self.layout.rules.board
        rectangle = not board.is_drawn and board.width * board.height == self.sites
        return (board.height, board.width) if rectangle else (self.sites,)

    @property
    def words(self) -> int:
        """Words of a plane in a position."""
        return self.layout.words

    def table(self, waiting: bool = False) -> list[int]:
        """Return the table of `observe_lane`: how many words, and where they lie for the mover.

        *waiting*: as the other player sees them.
        """
        words = [
            part.places[player] + i
            for player in ((1, 0) if waiting else (0, 1))
            for part in self.planes
            for i in range(self.words)
        ]
        return [len(words) // 2, *words]

    def _owners(self) -> Iterator[ObservedPart]:
        first, second, nobody = (self.layout.owned + i * self.words for i in range(3))
        yield ObservedPart("own", (first, second))
        yield ObservedPart("enemy", (second, first))
        if self.layout.owners > 2:
            yield ObservedPart("nobody", (nobody, nobody))

    def _kinds(self) -> Iterator[ObservedPart]:
        if self.layout.kinds_kept:
            for i, kind in enumerate(self.layout.rules.kinds):
                at = self.layout.kinds + i * self.words
                yield ObservedPart(kind.name, (at, at))

    def _states(self, is_set: bool) -> Iterator[ObservedPart]:
        for state, at in zip(self.layout.rules.states, self.layout.states, strict=True):
            if (state.type is Type.SITES) is is_set:
                yield from self._state(state, at)

    def _state(self, state: r.StateVariable, at: int) -> Iterator[ObservedPart]:
        """Yield the parts of a state: one, or one a player, an entry each if it is a table."""
        size = p.state_size(state, self.words)
        entries = range(0, size, self.words if state.type is Type.SITES else 1)
        for entry in entries:
            name = f"{state.name}[{entry}]" if len(entries) > 1 else state.name
            first, second = at + entry, at + size + entry
            if state.each:
                yield ObservedPart(f"own {name}", (first, second))
                yield ObservedPart(f"enemy {name}", (second, first))
            else:
                yield ObservedPart(name, (first, first))
