"""A decision by its text, without listing all the others.

In: a position and a text.  Out: the first legal decision that is written so, or None.  Choices of
sites that the notation shows are narrowed to sites whose names stand in the text, so that a game
can be played again far faster than its decisions can be listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from attrs import evolve

from rulewright.model import rules as r
from rulewright.model.expressions import Local, Text, Type
from rulewright.model.rules import EMPTY, Course
from rulewright.model.walk import nodes
from rulewright.reference.context import Order
from rulewright.reference.courses import follow
from rulewright.reference.play import NONE, Option, Play
from rulewright.reference.position import Position

_SITES = (Type.SITE, Type.SITES)


def find(play: Play, position: Position, text: str) -> Option | None:
    """The legal decision written *text*."""
    return next(_options(play, position.rest, EMPTY, position, text), None)


def _options(
    play: Play, course: Course, rest: Course, position: Position, text: str | None
) -> Iterator[Option]:
    """The decisions of *course* with *rest* to follow: those written *text*, or all."""
    match course:
        case r.OneMove(move):
            yield from _of_move(play, move, evolve(position, rest=rest, fresh=False), text)
        case r.InOrder(()):
            if rest != EMPTY:
                yield from _options(play, rest, EMPTY, position, text)
        case r.InOrder((first, *others)):
            tail = follow(r.InOrder(tuple(others)), rest)
            yield from _options(play, first, tail, position, text)
        case r.Either(items):
            for item in items:
                yield from _options(play, item, rest, position, text)
        case r.Otherwise(first, second):
            there = _any(play, first, rest, position)
            yield from _options(play, first if there else second, rest, position, text)
        case r.Maybe(item):
            yield from _options(play, item, rest, position, text)
            yield from _none(rest, position, text)
        case r.While(item, free):
            yield from _options(play, item, follow(course, rest), position, text)
            if free:
                yield from _none(rest, position, text)
            elif not _any(play, item, follow(course, rest), position):
                yield from _options(play, EMPTY, rest, position, text)


def _any(play: Play, course: Course, rest: Course, position: Position) -> bool:
    return next(_options(play, course, rest, position, None), None) is not None


def _none(rest: Course, position: Position, text: str | None) -> Iterator[Option]:
    if text in (NONE, None):
        yield Option(NONE, None, evolve(position, rest=rest, fresh=False))


def _of_move(play: Play, number: int, position: Position, text: str | None) -> Iterator[Option]:
    context, move = play.context(position), play.rules.moves[number]
    if play.rules.looks_back:
        context.key = play.key(position)
    if text is not None:
        context.order = _narrowed(play, move, text)
    for branch in play.effects.branches(move, context):
        if text in (None, branch.text):
            yield Option(branch.text, number, branch.position)


def _narrowed(play: Play, move: r.MoveKind, text: str) -> Order:
    """Choices of sites that are written by their names: those that stand in *text*."""
    names, shown = play.rules.board.names, shown_slots(move)

    def order(statement: r.Choose | r.ChooseRay, members: Iterable[Any]) -> Iterable[Any]:
        single = isinstance(statement, r.Choose) and statement.slot in shown
        if not single or statement.domain.type not in _SITES:  # type: ignore[union-attr]
            return members
        return (m for m in members if names[m.bit_length() - 1] in text)

    return order


@cache
def shown_slots(move: r.MoveKind) -> frozenset[int]:
    """The slots whose values every notation of *move* shows as they are."""
    writes = [n for n in nodes(move.body) if isinstance(n, r.Write)]
    texts = [t for write in writes for t in nodes(write.notation) if isinstance(t, Text)]
    shown = [{p.slot for p in text.parts if isinstance(p, Local)} for text in texts]
    return frozenset(set.intersection(*shown)) if shown else frozenset()
