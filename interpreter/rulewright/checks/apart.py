"""What holds in one of two positions only, said as a claim would say it.

In: two states of games that declare the same.  Out: pairs of truths, each in the words of the
language, as the player to move in the first sees them: the first holds in the first position, the
second in the other.  Positions that differ in nothing that a claim can say have none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.engine.game import State
from rulewright.model.board import Mask, bits
from rulewright.model.expressions import Type
from rulewright.model.rules import Rules, StateVariable
from rulewright.reference.position import Position

Truths = tuple[str, str]
_SITES = (Type.SITE, Type.SITES)


def truths_apart(one: State, other: State) -> Iterator[Truths]:
    """What differs: pieces first, then links, then states."""
    rules, its = one.game.rules, other.game.rules
    here, there = one.situation.position, other.situation.position
    if _shape(rules) != _shape(its):
        return
    yield from _pieces(rules, here, there)
    for number, links in enumerate(rules.links):
        ends = one.game.play.links[number].ends
        for link in bits(here.links[number] ^ there.links[number]):
            near, far = (rules.board.names[site] for site in ends[link])
            told = f"{far} in {links.name}({near})"
            is_here = bool(here.links[number] >> link & 1)
            yield (told, f"not {told}") if is_here else (f"not {told}", told)
    for number, state in enumerate(rules.states):
        yield from _values(rules, state, here, there, number)


def _shape(rules: Rules) -> tuple[object, ...]:
    """What positions must have in common to be compared at all."""
    states = tuple((s.name, s.type, s.each) for s in rules.states)
    kinds = tuple(kind.name for kind in rules.kinds)
    links = tuple((kind.name, kind.steps) for kind in rules.links)
    return rules.board.names, states, kinds, links, rules.players


def _pieces(rules: Rules, here: Position, there: Position) -> Iterator[Truths]:
    changed = 0
    for mine, its in zip((*here.owned, *here.kinds), (*there.owned, *there.kinds), strict=True):
        changed |= mine ^ its
    for site in bits(changed):
        yield _stands(rules, here, site, here.mover), _stands(rules, there, site, here.mover)


def _stands(rules: Rules, position: Position, site: int, player: int) -> str:
    """What stands on a site."""
    name, piece = rules.board.names[site], position.piece(1 << site)
    if piece is None:
        return f"{name} in empty"
    owner, kind = piece
    whose = ("own", "enemy")[owner != player] if owner in (0, 1) else ""
    what = rules.kinds[kind].name if len(rules.kinds) > 1 or not whose else ""
    return f"{name} in {whose} {what}".replace("  ", " ").strip()


def _values(
    rules: Rules, state: StateVariable, here: Position, there: Position, number: int
) -> Iterator[Truths]:
    for player in (0, 1) if state.each else (0,):
        mine, its = here.states[number][player], there.states[number][player]
        if mine != its:
            whose = f" for {rules.players[player]}" if player != here.mover else ""
            name = state.name + (whose if state.each else "")
            yield from _value(rules, state, name, mine, its)


def _value(rules: Rules, state: StateVariable, name: str, mine: Any, its: Any) -> Iterator[Truths]:
    if state.type is Type.INT:
        yield f"{name} = {mine}", f"{name} = {its}"
    elif state.type is Type.TRUTH:
        yield (name, f"not {name}") if mine else (f"not {name}", name)
    elif state.type in _SITES:
        for site in bits(_mask(mine) ^ _mask(its)):
            told = f"{rules.board.names[site]} in {f'({name})' if ' ' in name else name}"
            is_here = _mask(mine) >> site & 1
            yield (told, f"not {told}") if is_here else (f"not {told}", told)


def _mask(value: Any) -> Mask:
    return int(value or 0)
