"""Turns by the sites that they name, as formats write them that know nothing of decisions.

In: a state, and the beginning of a way over sites.  Out: the turns that go there, each with its
states, its way (`d4xb6 b6xd8 d8.` goes over d4, b6 and d8) and the sites that it has emptied of
enemies.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TypeAlias

from attrs import evolve, frozen

from rulewright.games.engine.game import State
from rulewright.matches.protocols.recorded import Variation
from rulewright.model.board import bits

Way: TypeAlias = tuple[str, ...]


@cache
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """Matches the name of a site."""
    return re.compile("|".join(map(re.escape, sorted(filter(None, names), key=len, reverse=True))))


@frozen
class SiteTurn:
    """A turn: the states after its decisions, the sites that it names, and those it has emptied."""

    states: tuple[State, ...]
    way: Way
    victims: frozenset[str]


def turns(state: State, fits: Callable[[Way], bool]) -> Iterator[SiteTurn]:
    """The turns that begin in a state, as far as the beginnings of their ways fit."""
    yield from _grown(state, (state,), (), fits)


def _grown(
    start: State, states: tuple[State, ...], way: Way, fits: Callable[[Way], bool]
) -> Iterator[SiteTurn]:
    for decision in states[-1].moves.texts:
        longer = _longer(start, way, decision)
        if not fits(longer):
            continue
        after = states[-1].play_decision(decision)
        if after.turn_begins or after.over:
            yield SiteTurn((*states[1:], after), longer, _victims(start, after))
        else:
            yield from _grown(start, (*states, after), longer, fits)


def turn_at(states: Sequence[State], number: int) -> SiteTurn | None:
    """The turn of a line of play that begins in one of its states; None if it is not finished."""
    way, start = Way(), states[number]
    for count, after in enumerate(states[number + 1 :], 1):
        way = _longer(start, way, after.move)
        if after.turn_begins or after.over:
            played = tuple(states[number + 1 : number + 1 + count])
            return SiteTurn(played, way, _victims(start, after))
    return None


def _longer(state: State, way: Way, decision: str) -> Way:
    for site in _pattern(tuple(state.game.rules.board.names)).findall(decision):
        if way[-1:] != (site,):
            way = (*way, site)
    return way


def _victims(before: State, after: State) -> frozenset[str]:
    """The sites of enemies that are empty now."""
    first, last = before.situation.position, after.situation.position
    gone = first.owned[1 - first.mover] & ~last.full
    return frozenset(before.game.rules.board.names[site] for site in bits(gone))


def whole_branch(branch: Variation, states: list[State], at: int, first: int) -> Variation:
    """A variation that begins inside a turn, as one that begins with it.

    *states* are those of the line that it leaves, which begins after *at* decisions; the turn
    begins after *first*.
    """
    before = [state.move for state in states[first - at + 1 : branch.at - at + 1]]
    return evolve(branch, at=first, decisions=(*before, *branch.decisions))
