"""Decisions as clicks: for every legal decision the sites to click, in order.

In: the rules and the moves of a position.  Out: a `SceneMove` for each, so that whoever draws a
board can build a decision from clicks.  A click is a site, or a set of sites, that was chosen and
that the notation names: squares that a ray only passes need no click.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, Self

from rulewright.games.engine.interpreted import choices
from rulewright.games.engine.moves import Move, Moves
from rulewright.games.render.scene import SceneMove
from rulewright.games.render.scene_building import PlayedDecision
from rulewright.model import rules as r
from rulewright.model.expressions import Local, Type
from rulewright.model.walk import nodes
from rulewright.reference.play import Situation


class Played(Protocol):
    """A state that decisions have led to, such as a `State`."""

    @property
    def before(self) -> Self | None:
        """The state before the last decision."""

    @property
    def move(self) -> str:
        """The last decision."""

    @property
    def moves(self) -> Moves:
        """The legal decisions."""

    @property
    def situation(self) -> Situation:
        """The position in the form of the reference."""

    @property
    def turn_begins(self) -> bool:
        """Whether the next decision is the first of a turn."""


def scene_moves(rules: r.Rules, moves: Moves) -> tuple[SceneMove, ...]:
    """The moves of a position with their clicks, in their order."""
    names = {move.name: tuple(click_names(move).values()) for move in rules.moves}
    kinds = {move.name: _kind_name(move) for move in rules.moves}
    return tuple(_scene_move(rules, move, names, kinds) for move in moves)


def _scene_move(
    rules: r.Rules, move: Move, names: Mapping[str, tuple[str, ...]], kinds: Mapping[str, str]
) -> SceneMove:
    at, name = rules.board.by_name, move.name
    choice_names, kind = names.get(name, ()), kinds.get(name, "")
    values = move.choices if choice_names or kind else {}
    clicks = []
    for choice in choice_names:
        value = values[choice]
        sites = value if isinstance(value, tuple) else (str(value),)
        clicks.append(tuple(at[site] for site in sites))
    return SceneMove(move.text, name, tuple(clicks), str(values[kind]) if kind else "")


def _kind_name(move: r.MoveKind) -> str:
    """The name of the last kind of piece that a move chooses; empty without one."""
    kinds = [n for part in move.body for n, _, type_ in choices(part) if type_ is Type.KIND]
    return kinds[-1] if kinds else ""


def click_names(move: r.MoveKind) -> dict[int, str]:
    """The choices of a move that are clicks, names by slots, in the order of the notation.

    The text of a move without a notation of its own names all of its choices.
    """
    names = {
        slot: name
        for statement in move.body
        for name, slot, type_ in choices(statement)
        if type_ is Type.SITE or (type_ is Type.SITES and isinstance(statement, r.Choose))
    }
    writes = [node for node in nodes(move.body) if isinstance(node, r.Write)]
    slots = [n.slot for write in writes for n in nodes(write.notation) if isinstance(n, Local)]
    order = dict.fromkeys(slots if writes else names)
    return {slot: names[slot] for slot in order if slot in names}


def last_turn(rules: r.Rules, end: Played) -> list[PlayedDecision]:
    """The decisions of the turn in progress, or of the last turn if none is made yet."""
    steps, state = list[PlayedDecision](), end
    numbers = {move.name: n for n, move in [*enumerate(rules.moves)][::-1]}
    while (before := state.before) is not None:
        positions = before.situation.position, state.situation.position
        number = numbers.get(before.moves[state.move].name)
        steps.append(PlayedDecision(state.move, number, *positions))
        if before.turn_begins:
            break
        state = before
    return steps[::-1]
