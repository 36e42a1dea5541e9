"""Piles of pieces, on boards that are `stacked`.

In: a position and what is laid, lifted or carried.  Out: the position after it, in which every set
speaks of the pieces on top.  Refuses (as a `Fault`) piles that would be too high, and pieces that
are not there.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve

from rulewright.errors import Fault
from rulewright.ground.printable import amount
from rulewright.model.board import Board, Mask, bits, mask_of
from rulewright.reference.position import Pile, Position


def with_piles(position: Position, changed: Mapping[int, Pile]) -> Position:
    """The position with other piles on some sites, by number; links are left alone."""
    piles = list(position.piles)
    shown = position.without(mask_of(changed))
    for site, pile in changed.items():
        piles[site] = pile
        if pile:
            shown = shown.put(*pile[-1], 1 << site)
    return evolve(shown, piles=tuple(piles))


def laid(position: Position, board: Board, owner: int, kind: int, sites: Mask) -> Position:
    """The position with one more piece on every one of *sites*."""
    changed = {site: (*position.piles[site], (owner, kind)) for site in bits(sites)}
    for site, pile in changed.items():
        _check_height(board, site, pile)
    return with_piles(position, changed)


def lifted(position: Position, board: Board, number: int, sites: Mask) -> Position:
    """The position without the top *number* pieces of every one of *sites*."""
    changed = {}
    for site in bits(sites):
        changed[site], _ = _parted(position, board, site, number)
    return with_piles(position, changed)


def carried(
    position: Position, board: Board, number: int | None, ends: tuple[int, int], under: bool
) -> Position:
    """The position with the top *number* pieces of one site (None: all) on or below another's."""
    source, target = ends
    count = len(position.piles[source]) if number is None else number
    remaining_pile, top = _parted(position, board, source, count)
    below = remaining_pile if source == target else position.piles[target]
    pile = (*top, *below) if under else (*below, *top)
    _check_height(board, target, pile)
    return with_piles(position, {source: remaining_pile, target: pile})


def carried_each(position: Position, board: Board, moves: list[tuple[int, int]]) -> Position:
    """The position after whole piles (from, to) are lifted, and then laid down."""
    bare = with_piles(position, {source: () for source, _ in moves})
    changed: dict[int, Pile] = {}
    for source, target in moves:
        pile = (*bare.piles[target], *position.piles[source])
        _check_height(board, target, pile)
        changed[target] = pile
    return with_piles(bare, changed)


def _parted(position: Position, board: Board, site: int, number: int) -> tuple[Pile, Pile]:
    """A pile without its top *number* pieces, and these."""
    pile = position.piles[site]
    if not 0 <= number <= len(pile):
        held = amount(len(pile), "piece")
        raise Fault("too-few", f"{board.names[site]} holds {held}, and {number} would be taken")
    return pile[: len(pile) - number], pile[len(pile) - number :]


def _check_height(board: Board, site: int, pile: Pile) -> None:
    if len(pile) > board.stacked:
        raise Fault("too-high", f"{board.names[site]} would hold {amount(len(pile), 'piece')}")
