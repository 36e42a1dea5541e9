"""Truths that hold in one of two positions only, in the words of a claim.

In: two states of games that declare the same.  Out: pairs of truths, each in the words of the
language, as the player to move in the first sees them: the first holds in the first position, the
second in the other.  Positions that differ in nothing that a claim can say have none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.games.engine.game import State
from rulewright.model.board import Mask, bits
from rulewright.model.expressions import Type
from rulewright.model.rules import Rules, StateVariable
from rulewright.reference.position import Position

Truths = tuple[str, str]
_SITES = (Type.SITE, Type.SITES)


def truths_apart(first: State, second: State) -> Iterator[Truths]:
    """The truths by which two positions differ: of pieces first, then links, then states."""
    rules, second_rules = first.game.rules, second.game.rules
    here, there = first.situation.position, second.situation.position
    if _shape(rules) != _shape(second_rules):
        return
    yield from _pieces(rules, here, there)
    for number, links in enumerate(rules.links):
        ends = first.game.play.links[number].ends
        for link in bits(here.links[number] ^ there.links[number]):
            near, far = (rules.board.names[site] for site in ends[link])
            truth = f"{far} in {links.name}({near})"
            yield _either(truth, here.links[number] >> link & 1)
    for number, state in enumerate(rules.states):
        yield from _values(rules, state, here, there, number)


def _either(truth: str, holds: int) -> Truths:
    """A truth and its opposite, the one that *holds* in the first position first."""
    return (truth, f"not {truth}") if holds else (f"not {truth}", truth)


def _shape(rules: Rules) -> tuple[object, ...]:
    """The declarations that two games must share for their positions to be compared."""
    states = tuple((s.name, s.type, s.each, s.indices) for s in rules.states)
    kinds = tuple(kind.name for kind in rules.kinds)
    links = tuple((kind.name, kind.steps) for kind in rules.links)
    return rules.board.names, states, kinds, links, rules.players


def _pieces(rules: Rules, here: Position, there: Position) -> Iterator[Truths]:
    changed = 0
    for first, second in zip((*here.owned, *here.kinds), (*there.owned, *there.kinds), strict=True):
        changed |= first ^ second
    for site in bits(changed):
        yield _stands(rules, here, site, here.mover), _stands(rules, there, site, here.mover)


def _stands(rules: Rules, position: Position, site: int, player: int) -> str:
    """The truth about the piece on a site, as *player* sees it."""
    name, piece = rules.board.names[site], position.piece(1 << site)
    if piece is None:
        return f"{name} in empty"
    owner, kind = piece
    whose = ("own", "enemy")[owner != player] if owner in (0, 1) else ""
    kind_name = rules.kinds[kind].name if len(rules.kinds) > 1 or not whose else ""
    return f"{name} in {whose} {kind_name}".replace("  ", " ").strip()


def _values(
    rules: Rules, state: StateVariable, here: Position, there: Position, number: int
) -> Iterator[Truths]:
    for player in (0, 1) if state.each else (0,):
        first, second = here.states[number][player], there.states[number][player]
        if first != second:
            whose = f" for {rules.players[player]}" if player != here.mover else ""
            name = state.name + (whose if state.each else "")
            if not state.indices:
                yield from _value(rules, state, name, first, second)
            for at in state.entry_places() if state.indices else ():
                here_, there_ = (value[state.place(at)] for value in (first, second))  # type: ignore[index]
                entry = f"{state.name}({rules.entry_name(state, at)}){whose if state.each else ''}"
                if here_ != there_:
                    yield from _value(rules, state, entry, here_, there_)


def _value(
    rules: Rules, state: StateVariable, name: str, first: Any, second: Any
) -> Iterator[Truths]:
    if state.type is Type.INT:
        yield f"{name} = {first}", f"{name} = {second}"
    elif state.type is Type.TRUTH:
        yield _either(name, first)
    elif state.type in _SITES:
        for site in bits(_mask(first) ^ _mask(second)):
            truth = f"{rules.board.names[site]} in {f'({name})' if ' ' in name else name}"
            yield _either(truth, _mask(first) >> site & 1)


def _mask(value: Any) -> Mask:
    return int(value or 0)
