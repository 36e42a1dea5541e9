"""States of the model: what a game remembers besides the board, as single values and as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from math import prod

from attrs import field

from rulewright.ground.records import Record, record
from rulewright.model.board import bits
from rulewright.model.expressions import Expr, Type


@record
class StateIndex(Record):
    """An index of a table: sites or kinds by their numbers, or whole numbers, from `low` on.

    `members` are the entries that there are, as a set of their places.
    """

    type: Type
    low: int
    size: int
    members: int

    def holds(self, place: int) -> bool:
        """Whether the entry at a place from 0 is one of the table."""
        return 0 <= place < self.size and bool(self.members >> place & 1)


@record
class StateVariable(Record):
    """A declared state: `first` is its value at the start, for every player.

    With `indices` it is a table: `first` is worked out for each entry, their members in the slots
    from 0 of a frame of `slots`, and its values are tuples.  `with_pieces`: what it holds for a
    site goes where the piece goes; the least value is left where the piece is gone.
    """

    name: str
    type: Type
    each: bool
    first: Expr
    low: int | None
    high: int | None
    within_turn: bool
    unseen: bool
    origin: int = field(default=0, eq=False)
    indices: tuple[StateIndex, ...] = ()
    slots: int = 0
    with_pieces: bool = False
    hidden: bool = False
    """Whether only its player sees it; where it is one for both, nobody does."""

    @property
    def entries(self) -> int:
        """How many values each player has."""
        return prod(index.size for index in self.indices)

    def place(self, at: Iterable[int]) -> int:
        """The place of an entry among all of the table, by its places in the indices; -1: none."""
        place = 0
        for index, number in zip(self.indices, at, strict=True):
            if not index.holds(number):
                return -1
            place = place * index.size + number
        return place

    def entry_places(self) -> Iterator[tuple[int, ...]]:
        """The places in the indices of every entry that there is, in order."""
        return product(*(bits(index.members) for index in self.indices))
