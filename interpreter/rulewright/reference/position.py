"""Positions, the links that a board can have, and the context of expressions.

A position is what a game remembers between two decisions, as an immutable value.  A context is a
position as one player sees it, with the local values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from math import isfinite
from operator import or_
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from attrs import define, evolve, field, frozen

from rulewright.errors import Fault
from rulewright.ground.budget import Budget, current
from rulewright.ground.records import Record, record
from rulewright.model.board import Board, Mask, Step, bits, cross
from rulewright.model.expressions import Function, Value
from rulewright.model.rules import EMPTY, Course, LinkKind

if TYPE_CHECKING:
    from fractions import Fraction

    from rulewright.model.rules import Choose, ChooseRay, StateVariable


Pile: TypeAlias = tuple[tuple[int, int], ...]
"""The owners and kinds of the pieces of a site, the lowest first."""
States: TypeAlias = tuple[tuple[Value, ...] | None, ...]
Key: TypeAlias = tuple[
    tuple[Mask, ...], tuple[Mask, ...], tuple[Mask, ...], tuple[Pile, ...], States,
    int, bool, Course, tuple[int, ...],
]  # fmt: skip
"""What `repeats` compares: pieces, links, piles, states (None: hidden), mover, turn, who is out."""
History: TypeAlias = "tuple[Key, History] | None"


@frozen
class Position:
    """The board and everything the rules look at.

    `owned` holds the sites of each player in order, and of nobody; `kinds` the sites of each
    kind; `links` a mask over the possible links of each link kind; `states` a value for each player
    of every declared state.  `rest` is what is left of the turn, `fresh` says that no decision of
    it has been made.  `swapped` says that the persons have exchanged colours, which the rules
    cannot see, but who wins is a person.  `piles` are those of all sites on boards that are
    stacked, else none; sets speak of their tops.  `out` are the players who have lost while others
    play on, the first one first.  Two positions are equal when all these are.
    `history` is a chain of what stood before, newest first, and `past` its length.
    """

    owned: tuple[Mask, ...]
    kinds: tuple[Mask, ...]
    links: tuple[Mask, ...]
    states: tuple[tuple[Value, ...], ...]
    mover: int
    ply: int
    rest: Course
    fresh: bool = True
    again: bool = False
    swapped: bool = False
    claimable: bool = False
    piles: tuple[Pile, ...] = ()
    out: tuple[int, ...] = ()
    history: History = field(default=None, eq=False, repr=False)
    past: int = field(default=0, eq=False, repr=False)

    @property
    def full(self) -> Mask:
        """The sites that hold a piece."""
        return reduce(or_, self.owned)

    def next_player(self, player: int) -> int:
        """The player after another one, in order and round again, who is not out."""
        count = len(self.owned) - 1
        following = ((player + i) % count for i in range(1, count))
        return next((p for p in following if p not in self.out), player)

    def piece(self, site: Mask) -> tuple[int, int] | None:
        """Owner and kind of what stands on *site*."""
        for owner, mask in enumerate(self.owned):
            if mask & site:
                return owner, next(k for k, m in enumerate(self.kinds) if m & site)
        return None

    def without(self, sites: Mask) -> Position:
        """The position with nothing standing on *sites*; links are left alone."""
        owned, kinds = (tuple(m & ~sites for m in masks) for masks in (self.owned, self.kinds))
        return evolve(self, owned=owned, kinds=kinds)

    def put(self, owner: int, kind: int, sites: Mask) -> Position:
        """The position with a piece on every one of *sites*, in place of what stood there."""
        owned = tuple(m | sites if i == owner else m & ~sites for i, m in enumerate(self.owned))
        kinds = tuple(m | sites if k == kind else m & ~sites for k, m in enumerate(self.kinds))
        return evolve(self, owned=owned, kinds=kinds)

    def carried(self, moves: list[tuple[Mask, Mask]]) -> Position:
        """The position after all *moves* (from, to) happen at once."""
        sources = occupied = 0
        groups: dict[tuple[int, int], Mask] = {}  # by owner and kind: a board may hold thousands
        for source, target in moves:
            piece, sources = self.piece(source), sources | source
            if piece is None:
                continue
            if not target:
                raise Fault("no-target", "a piece is moved to no site")
            if target & occupied:
                raise Fault("target-twice", "two pieces are moved to the same site")
            occupied |= target
            groups[piece] = groups.get(piece, 0) | target
        changed = self.without(sources)
        for (owner, kind), targets in groups.items():
            changed = changed.put(owner, kind, targets)
        return changed

    def with_state(self, index: int, player: int, value: Value, shared: bool) -> Position:
        """The position with one state set, for all players when it is *shared*."""
        old = self.states[index]
        values = tuple(value if shared or p == player else v for p, v in enumerate(old))
        return evolve(self, states=(*self.states[:index], values, *self.states[index + 1 :]))


def key_of(declared: tuple[StateVariable, ...], position: Position) -> Key:
    """The key by which `repeats` compares positions of a game with such states."""
    over = position.rest == EMPTY
    states = []
    for state, value in zip(declared, position.states, strict=True):
        hidden = state.unseen or (state.within_turn and over)
        states.append(None if hidden else value)
    p = position
    return (p.owned, p.kinds, p.links, p.piles, tuple(states), p.mover, p.again, p.rest, p.out)


def single(sites: Mask, operand: str) -> int:
    """The number of the one site in *sites*; a fault when it is not one."""
    if sites.bit_count() != 1:
        count = sites.bit_count()
        raise Fault("not-one-site", f"{operand} needs one site, not {count or 'none'}")
    return sites.bit_length() - 1


class Neighbours(Protocol):
    """For every site, by its number, the sites next to it."""

    def __getitem__(self, site: int, /) -> Mask: ...


def flood(seed: Mask, within: Mask, neighbours: Neighbours) -> Mask:
    """The sites of *within* that can be reached from *seed* through *within*."""
    reached = frontier = seed & within
    while frontier:
        around = 0
        for site in bits(frontier):
            around |= neighbours[site]
        frontier = around & within & ~reached
        reached |= frontier
    return reached


def components(sites: Mask, neighbours: Neighbours) -> tuple[Mask, ...]:
    """The connected parts of *sites*, in reading order of their first sites.

    Each of two neighbours is one of the other.
    """
    parts = []
    while sites:
        part = flood(sites & -sites, sites, neighbours)
        parts.append(part)
        sites ^= part
    return tuple(parts)


@frozen(eq=False)
class LinkTable:
    """The possible links of one kind; a set of links is a mask over their numbers."""

    board: Board
    kind: LinkKind
    ends: list[tuple[int, int]] = field(factory=list, init=False)
    begins: dict[Step, Mask] = field(factory=dict, init=False)
    """For each direction the sites where a link may begin; numbers of sites rise along it."""
    number: dict[tuple[int, int], int] = field(factory=dict, init=False)
    at: dict[int, list[tuple[Mask, int]]] = field(factory=dict, init=False)
    _crossing: dict[tuple[int, int], Mask] = field(factory=dict, init=False)
    _templates: dict[Step, list[tuple[Step, Step]]] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        for step in self.kind.steps:
            for site, target in enumerate(self.board.targets(step)):
                if target:
                    self._add(site, target.bit_length() - 1)

    def _add(self, a: int, b: int) -> None:
        low, high = min(a, b), max(a, b)
        if (low, high) in self.number:
            return
        number = self.number[low, high] = len(self.ends)
        self.ends.append((low, high))
        columns, rows = self.board.columns, self.board.rows
        step = (columns[high] - columns[low], rows[high] - rows[low])
        self.begins[step] = self.begins.get(step, 0) | 1 << low
        self.at.setdefault(low, []).append((1 << high, number))
        self.at.setdefault(high, []).append((1 << low, number))

    def between(self, a: Mask, b: Mask) -> int:
        """The number of the link from *a* to *b*; a fault when no link can join them."""
        first, second = single(a, "a link"), single(b, "a link")
        number = self.number.get((min(first, second), max(first, second)))
        if number is None:
            names = f"{self.board.names[first]} and {self.board.names[second]}"
            raise Fault("link-length", f"{names} are not a {self.kind.name}'s length apart")
        return number

    def joined(self, links: Mask, sites: Mask) -> Mask:
        """The sites that *links* join to *sites*."""
        neighbours = 0
        for site in bits(sites):
            for other, number in self.at.get(site, ()):
                if links >> number & 1:
                    neighbours |= other
        return neighbours

    def neighbours(self, links: Mask) -> Joined:
        """For every site the sites that *links* join to it."""
        return Joined(self, links)

    def touching(self, sites: Mask) -> Mask:
        """The possible links that end in *sites*."""
        links = 0
        for site in bits(sites):
            for _, number in self.at.get(site, ()):
                links |= 1 << number
        return links

    def within(self, links: Mask, sites: Mask) -> Mask:
        """Return the links of *links* that have both ends in *sites*."""
        inside = 0
        for number in bits(links):
            a, b = self.ends[number]
            if sites >> a & 1 and sites >> b & 1:
                inside |= 1 << number
        return inside

    def crossing(self, a: int, b: int) -> Mask:
        """The possible links that properly cross the segment from site *a* to site *b*."""
        key = (min(a, b), max(a, b))
        if key not in self._crossing:
            self._crossing[key] = self._crossers(a, b)
        return self._crossing[key]

    def _crossers(self, a: int, b: int) -> Mask:
        board = self.board
        x, y = board.columns[a], board.rows[a]
        crossing = 0
        for c, d in self._template((board.columns[b] - x, board.rows[b] - y)):
            ends = board.at(x + c[0], y + c[1]), board.at(x + d[0], y + d[1])
            number = self.number.get((min(ends), max(ends)))
            crossing |= 0 if number is None else 1 << number
        return crossing

    def _template(self, span: Step) -> list[tuple[Step, Step]]:
        """The links that cross a segment from (0, 0) to *span*, by the places of their ends."""
        if span not in self._templates:
            # A link that crosses the segment begins no further from it than links are long.
            reach = max(max(abs(dx), abs(dy)) for dx, dy in self.kind.steps)
            columns = range(min(0, span[0]) - reach, max(0, span[0]) + reach + 1)
            rows = range(min(0, span[1]) - reach, max(0, span[1]) + reach + 1)
            links = [
                ((x, y), (x + dx, y + dy))
                for x in columns
                for y in rows
                for dx, dy in self.kind.steps
            ]
            crossing = [(c, d) for c, d in links if c < d and cross(((0, 0), span), (c, d))]
            self._templates[span] = crossing
        return self._templates[span]


@record
class Joined(Record):
    """Neighbours along the links of one position, worked out where they are asked for."""

    table: LinkTable
    links: Mask

    def __getitem__(self, site: int) -> Mask:
        return self.table.joined(self.links, 1 << site)


Order: TypeAlias = "Callable[[Choose | ChooseRay, Iterable[Any]], Iterable[Any]]"
"""Which values of a choice are tried, and in which order."""


@define
class Settled:
    """A cache of the definitions that depend on position and player alone.

    `numbers` are these definitions, `values` their values in `position` by number and view.
    """

    numbers: frozenset[int]
    position: Position | None = None
    values: dict[tuple[int, int], Mask] = field(factory=dict)

    def of(self, position: Position) -> dict[tuple[int, int], Mask]:
        """The cache for *position*; it is emptied where the last position was another one."""
        if position is not self.position:
            self.position, self.values = position, {}
        return self.values


@define
class Context:
    """A position and a player's view of it (`view` is the player called `own`).

    `frame` holds the local values, `stuck` what the word says, `key` what the position is compared
    by when `repeats` looks back (None: as it stands then), `notation` how the decision under way is
    written; `order` says which values of a choice are tried, and in which order; `settled` keeps
    definitions that are worked out once; `ranged` tells whether states are kept to their ranges.
    `budget` is what may be spent, `states` the declared ones.  `patient` keeps a `fault` of effects
    until its decision is played, so that all decisions are listed first.
    """

    board: Board
    functions: tuple[Function, ...]
    links: tuple[LinkTable, ...]
    position: Position
    view: int = 0
    frame: list[Any] = field(factory=list)
    stuck: bool = False
    key: object = None
    notation: str = ""
    order: Order | None = None
    settled: Settled | None = None
    ranged: bool = True
    budget: Budget | None = field(factory=current)
    states: tuple[StateVariable, ...] = ()
    chance: Fraction | int = 1
    """How likely what chance has chosen so far is."""
    patient: bool = False
    fault: Fault | None = None


def checked(number: Any) -> Any:
    """*number*, unless it is a whole number too large for every execution, or no number at all."""
    if isinstance(number, int) and not -(2**62) < number < 2**62:
        raise Fault("overflow", "a whole number of more than 62 bits")
    if isinstance(number, float) and not isfinite(number):
        raise Fault("overflow", "a number too large for 64 bits")
    return number
