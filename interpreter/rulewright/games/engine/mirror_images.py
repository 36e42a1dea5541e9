"""Positions that are mirror images of each other, by what the rules claim.

In: a game, states.  Out: the maps of the board that change nothing, and keys of positions that are
equal where one is the image of the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from attrs import evolve

from rulewright.games.engine.game import Game, State
from rulewright.model.board import bits, sites_of
from rulewright.model.expressions import Type, Value

Map: TypeAlias = tuple[int, ...]
"""For each site the one that it goes to."""


def symmetries(game: Game) -> list[Map]:
    """Every map of the board that the rules claim to change nothing, the identity first."""
    board, claims = game.rules.board, game.rules.claims
    names = {claim.what for claim in claims if claim.kind == "symmetric" and not claim.swap}
    generators = [sites for name in sorted(names) if (sites := sites_of(name, board))]
    group = [tuple(range(len(board.names)))]
    for sites_map in group:  # the list grows while it is walked
        steps = [tuple(generator[site] for site in sites_map) for generator in generators]
        group += [step for step in steps if step not in group]
    return group


def canonical(state: State, maps: list[Map]) -> object:
    """A key that mirror images share; links, tables and piles are compared as they stand."""
    position, states = state.situation.position, state.game.rules.states
    set_states = [i for i, declaration in enumerate(states) if declaration.type is Type.SITES]
    is_turned = not any((*position.links, *position.piles, *(s.indices for s in states)))
    maps_here = maps if is_turned else maps[:1]
    sets = [*position.owned, *position.kinds, *(v for i in set_states for v in position.states[i])]
    plain_states = tuple(v for i, v in enumerate(position.states) if i not in set_states)
    bare = evolve(position, owned=(0, 0, 0), kinds=(), states=plain_states)
    return min(_image(sets, sites_map) for sites_map in maps_here), bare


def _image(sets: Sequence[Value], sites_map: Map) -> tuple[int, ...]:
    """Sets of sites, turned."""
    masks = [mask for mask in sets if isinstance(mask, int)]
    return tuple(sum(1 << sites_map[site] for site in bits(mask)) for mask in masks)
