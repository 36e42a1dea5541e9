"""Positions: what a game remembers between two decisions, as an immutable value."""

from __future__ import annotations

from typing import Protocol, TypeAlias

from attrs import evolve, field, frozen

from rulewright.errors import Fault
from rulewright.model.board import Mask, bits
from rulewright.model.expressions import Value
from rulewright.model.rules import Course

Key: TypeAlias = tuple[object, ...]
History: TypeAlias = "tuple[Key, History] | None"


@frozen
class Position:
    """The board and everything the rules look at.

    `owned` holds the sites of the first player, the second and nobody; `kinds` the sites of each
    kind; `links` a mask over the possible links of each link kind; `states` a value for each player
    of every declared state.  `rest` is what is left of the turn, `fresh` says that no decision of
    it has been made.  `swapped` says that the persons have exchanged colours, which the rules
    cannot see.  `history` is a chain of what stood before, newest first, and `past` its length.
    """

    owned: tuple[Mask, Mask, Mask]
    kinds: tuple[Mask, ...]
    links: tuple[Mask, ...]
    states: tuple[tuple[Value, Value], ...]
    mover: int
    ply: int
    rest: Course
    fresh: bool = True
    again: bool = False
    swapped: bool = field(default=False, eq=False)
    history: History = field(default=None, eq=False, repr=False)
    past: int = field(default=0, eq=False, repr=False)

    @property
    def full(self) -> Mask:
        """The sites that hold a piece."""
        return self.owned[0] | self.owned[1] | self.owned[2]

    def piece(self, site: Mask) -> tuple[int, int] | None:
        """Owner and kind of what stands on *site*."""
        for owner, mask in enumerate(self.owned):
            if mask & site:
                return owner, next(k for k, m in enumerate(self.kinds) if m & site)
        return None

    def without(self, sites: Mask) -> Position:
        """The position with nothing standing on *sites*; links are left alone."""
        first, second, nobody = (m & ~sites for m in self.owned)
        return evolve(
            self, owned=(first, second, nobody), kinds=tuple(m & ~sites for m in self.kinds)
        )

    def put(self, owner: int, kind: int, sites: Mask) -> Position:
        """The position with a piece on every one of *sites*, in place of what stood there."""
        bare = self.without(sites)
        owned = [m | sites if i == owner else m for i, m in enumerate(bare.owned)]
        kinds = tuple(m | sites if k == kind else m for k, m in enumerate(bare.kinds))
        return evolve(bare, owned=(owned[0], owned[1], owned[2]), kinds=kinds)

    def carried(self, moves: list[tuple[Mask, Mask]]) -> Position:
        """The position after all *moves* (from, to) happen at once."""
        lifted = [(self.piece(source), target) for source, target in moves]
        changed, seen = self, 0
        for source, _ in moves:
            changed = changed.without(source)
        for piece, target in lifted:
            if piece is None:
                continue
            if not target:
                raise Fault("no-target", "a piece is moved to no site")
            if target & seen:
                raise Fault("target-twice", "two pieces are moved to the same site")
            seen |= target
            changed = changed.put(*piece, target)
        return changed

    def with_state(self, index: int, player: int, value: Value, shared: bool) -> Position:
        """The position with one state set, for both players when it is *shared*."""
        old = self.states[index]
        pair = (value, value) if shared else (value, old[1]) if player == 0 else (old[0], value)
        return evolve(self, states=(*self.states[:index], pair, *self.states[index + 1 :]))


def single(sites: Mask, what: str) -> int:
    """The number of the one site in *sites*; a fault when it is not one."""
    if sites.bit_count() != 1:
        count = sites.bit_count()
        raise Fault("not-one-site", f"{what} needs one site, not {count or 'none'}")
    return sites.bit_length() - 1


class Neighbours(Protocol):
    """For every site, by its number, the sites next to it."""

    def __getitem__(self, site: int, /) -> Mask: ...


def flood(seed: Mask, within: Mask, neighbours: Neighbours) -> Mask:
    """The sites of *within* that can be reached from *seed* through *within*."""
    found = frontier = seed & within
    while frontier:
        around = 0
        for site in bits(frontier):
            around |= neighbours[site]
        frontier = around & within & ~found
        found |= frontier
    return found


def components(sites: Mask, neighbours: Neighbours) -> tuple[Mask, ...]:
    """The connected parts of *sites*, in reading order of their first sites."""
    found = []
    while sites:
        part = flood(sites & -sites, sites, neighbours)
        found.append(part)
        sites ^= part
    return tuple(found)
