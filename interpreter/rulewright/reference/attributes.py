"""States `with pieces`: what a state holds for a site goes where the piece on the site goes.

In: rules, positions, what a statement does to pieces.  Out: positions with these states changed.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.model.board import Mask, bits
from rulewright.model.expressions import Type, Value
from rulewright.model.rules import Rules, StateVariable
from rulewright.reference.position import Position


def set_back(rules: Rules, position: Position, sites: Mask) -> Position:
    """The position in which no state says anything of the pieces that are gone from *sites*."""
    return _changed(rules, position, sites, ())


def bring(
    rules: Rules, before: Position, after: Position, moves: Iterable[tuple[Mask, Mask]]
) -> Position:
    """*after* with what the states of *before* say of the pieces that went from site to site."""
    touched, carried = 0, list[tuple[Mask, Mask]]()
    for source, target in moves:
        touched |= source
        if source & before.full:
            touched |= target
            carried.append((source, target))
    return _changed(rules, after, touched, carried)


def _changed(
    rules: Rules, position: Position, sites: Mask, carried: Iterable[tuple[Mask, Mask]]
) -> Position:
    for index, state in enumerate(rules.states):
        if state.with_pieces:
            value = _value(state, position.states[index][0], sites, carried)
            position = position.with_state(index, 0, value, shared=True)
    return position


def _value(
    state: StateVariable, value: Value, sites: Mask, carried: Iterable[tuple[Mask, Mask]]
) -> Value:
    if isinstance(value, tuple):
        entries = list(value)
        for site in bits(sites):
            entries[site] = False if state.type is Type.TRUTH else state.low or 0
        for source, target in carried:
            entries[target.bit_length() - 1] = value[source.bit_length() - 1]
        return tuple(entries)
    assert isinstance(value, int)
    remaining_sites = value & ~sites
    for source, target in carried:
        remaining_sites |= target if value & source else 0
    return remaining_sites
