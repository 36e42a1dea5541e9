"""Decisions by their text: a single one, and whole turns that are written together.

In: a position or a situation, and a text.  Out: the first legal decision that is written so, found
without listing all the others; or the decisions of a turn, if there is exactly one way to read it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from functools import cache
from typing import Any

from attrs import define, field, frozen

from rulewright.model import rules as r
from rulewright.model.expressions import Local, Text, Type
from rulewright.model.walk import nodes
from rulewright.reference.play import NONE, Decisions, Option, Play, Situation
from rulewright.reference.position import History, Order, Position

_SITES = (Type.SITE, Type.SITES)


def find(play: Play, position: Position, text: str) -> Option | None:
    """The legal decision written *text*."""

    def decide(number: int, begun: Position) -> Iterator[Option]:
        narrowed = _narrowed(play, play.rules.moves[number], text)
        return play.decisions(number, begun, narrowed)

    whole = Decisions(position, play.decisions)
    found = Decisions(position, decide, whole).of(position.rest)
    return next((option for option in found if option.text == text), None)


def _narrowed(play: Play, move: r.MoveKind, text: str) -> Order:
    """Choices of sites that are written by their names: those that stand in *text*."""
    names, shown = play.rules.board.names, shown_slots(move)

    def order(statement: r.Choose | r.ChooseRay, members: Iterable[Any]) -> Iterable[Any]:
        match statement:
            case r.Choose(slot=slot, domain=domain) if slot in shown and domain.type in _SITES:
                return (m for m in members if names[m.bit_length() - 1] in text)
        return members

    return order


@cache
def shown_slots(move: r.MoveKind) -> frozenset[int]:
    """The slots whose values every notation of *move* shows as they are."""
    writes = [n for n in nodes(move.body) if isinstance(n, r.Write)]
    texts = [t for write in writes for t in nodes(write.notation) if isinstance(t, Text)]
    shown = [{p.slot for p in text.parts if isinstance(p, Local)} for text in texts]
    return frozenset(set.intersection(*shown)) if shown else frozenset()


LOOKED = 10_000
"""Positions that are looked at for one text."""


@frozen
class TurnReading:
    """The decisions of a turn; where there are none, `why` says what is wrong.

    `why` is empty when no turn is written so.
    """

    options: tuple[Option, ...] = ()
    why: str = ""


@define(eq=False)
class _Node:
    """A situation within the turn, how much of the text is read, and the ways that lead there."""

    situation: Situation
    at: int
    ways: list[tuple[_Node, Option]] = field(factory=list)


def read_turn(start: Situation, text: str) -> TurnReading:
    """The one way to read *text* as a whole turn."""
    folded, first = text.casefold(), _Node(start, 0)
    known, todo, ends = dict[Hashable, _Node](), [first], list[tuple[_Node, Option]]()
    looked = 0
    while todo:
        node = todo.pop()
        looked += 1
        if looked > LOOKED:
            return TurnReading(why="it can be read in too many ways")
        for option, after, at in _following(node, folded):
            if after.position.fresh or after.outcome is not None:
                ends += [(node, option)] * (at == len(folded))
                continue
            key = _key(after, at, start.position.history)
            if key not in known:
                known[key] = _Node(after, at)
                todo.append(known[key])
            known[key].ways.append((node, option))
        if len(ends) > 1:
            return _SEVERAL
    return _only_way(first, ends[0]) if ends else TurnReading()


_SEVERAL = TurnReading(why="it can be read in more than one way")


def _following(node: _Node, text: str) -> Iterator[tuple[Option, Situation, int]]:
    """The decisions that the text can go on with, what follows them, and how far they reach."""
    for option in node.situation.options:
        written = "" if option.text == NONE else option.text.casefold()
        if text.startswith(written, node.at):
            yield option, node.situation.after(option), node.at + len(written)


def _key(situation: Situation, at: int, before: History) -> Hashable:
    """What tells situations of one turn apart."""
    position, passed = situation.position, list[object]()
    history = position.history
    while history is not None and history is not before:
        key, history = history
        passed.append(key)
    return at, position, position.swapped, tuple(passed)


def _only_way(first: _Node, end: tuple[_Node, Option]) -> TurnReading:
    node, option = end
    found = [option]
    while node is not first:
        if len(node.ways) > 1:
            return _SEVERAL
        node, option = node.ways[0]
        found.append(option)
    return TurnReading(tuple(reversed(found)))
