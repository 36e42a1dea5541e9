"""Symmetries: a position turned over or round, with or without an exchange of the players.

In: a game in motion, the name of a symmetry, whether the players exchange their parts.  Out: what
maps positions to positions, or None where the board has no such symmetry.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import evolve, field, frozen

from rulewright.model.board import Board, Mask, bits
from rulewright.model.expressions import Type
from rulewright.reference.play import Outcome, Play, Situation
from rulewright.reference.position import History, Key, Position

Place = tuple[int, int]


def _turned(name: str, board: Board) -> Callable[[int, int], Place]:
    """Where a place of the picture goes; the rows of hexagonal boards lean by half a site each."""
    wide, high = board.width - 1, board.height - 1
    if name == "diagonal":
        return lambda c, r: (r, c)
    if name == "half":
        return lambda c, r: (wide - c, high - r)
    if name == "quarter":
        return lambda c, r: (high - r, c)
    if board.hexagonal:
        lean = wide + high // 2
        if name == "mirror":
            return lambda c, r: (lean - c - r, r)
        return lambda c, r: (c + r - high // 2, high - r)
    return (lambda c, r: (wide - c, r)) if name == "mirror" else (lambda c, r: (c, high - r))


def sites_of(name: str, board: Board) -> tuple[int, ...] | None:
    """For every site, by number, the one that it goes to; None where that is not on the board."""
    place = _turned(name, board)
    by_place = {(board.columns[i], board.rows[i]): i for i in bits(board.sites)}
    found = list(range(len(board.names)))
    for site in bits(board.sites):
        target = by_place.get(place(board.columns[site], board.rows[site]))
        if target is None:
            return None
        found[site] = target
    return tuple(found)


@frozen(eq=False)
class Symmetry:
    """A symmetry of a game's board, with the players exchanged if `swap`."""

    play: Play
    sites: tuple[int, ...]
    swap: bool
    links: tuple[tuple[int, ...], ...] = field(default=())

    def mask(self, sites: Mask) -> Mask:
        """A set of sites, turned."""
        return sum(1 << self.sites[i] for i in bits(sites))

    def player(self, player: int) -> int:
        """Who takes the part of a player."""
        return 1 - player if self.swap else player

    def _pair(self, pair: tuple[Any, ...]) -> tuple[Any, ...]:
        return (*pair[1::-1], *pair[2:]) if self.swap else pair

    def _masks(self, masks: tuple[Mask, ...]) -> tuple[Mask, ...]:
        return tuple(self.mask(m) for m in masks)

    def _links(self, links: tuple[Mask, ...]) -> tuple[Mask, ...]:
        pairs = zip(self.links, links, strict=True)
        return tuple(sum(1 << table[n] for n in bits(mask)) for table, mask in pairs)

    def _states(self, states: tuple[Any, ...]) -> tuple[Any, ...]:
        found = []
        for declared, values in zip(self.play.rules.states, states, strict=True):
            sites = values is not None and declared.type is Type.SITES
            turned = self._masks(values) if sites else values
            found.append(self._pair(turned) if turned is not None and declared.each else turned)
        return tuple(found)

    def _key(self, key: Key) -> Key:
        owned, kinds, links, states, mover, again, rest = key
        board = self._pair(self._masks(owned)), self._masks(kinds), self._links(links)  # type: ignore[arg-type]
        return (*board, self._states(states), self.player(mover), again, rest)  # type: ignore[arg-type]

    def _history(self, history: History) -> History:
        keys: list[Key] = []
        found: History = None
        while history is not None:
            key, history = history
            keys.append(key)
        for key in reversed(keys):
            found = (self._key(key), found)
        return found

    def position(self, position: Position) -> Position:
        """A position, turned, with all that stood before it."""
        return evolve(
            position,
            owned=self._pair(self._masks(position.owned)),
            kinds=self._masks(position.kinds),
            links=self._links(position.links),
            states=self._states(position.states),
            mover=self.player(position.mover),
            history=self._history(position.history),
        )

    def situation(self, situation: Situation) -> Situation:
        """A situation, turned."""
        ended = self.outcome(situation.ended)
        return Situation(self.play, self.position(situation.position), ended)

    def outcome(self, outcome: Outcome | None) -> Outcome | None:
        """How a game ended, for the other player if they are exchanged."""
        if outcome is None or outcome.winner is None:
            return outcome
        return evolve(outcome, winner=self.player(outcome.winner))


def symmetry(play: Play, name: str, swap: bool) -> Symmetry | None:
    """The symmetry of that name; None where sites or links would leave the board."""
    sites = sites_of(name, play.rules.board)
    if sites is None:
        return None
    tables = []
    for table in play.links:
        pairs = [sorted((sites[a], sites[b])) for a, b in table.ends]
        numbers = [table.number.get((a, b)) for a, b in pairs]
        if None in numbers:
            return None
        tables.append(tuple(n for n in numbers if n is not None))
    return Symmetry(play, sites, swap, tuple(tables))
