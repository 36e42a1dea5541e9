"""A decision by its text, without listing all the others.

In: a position and a text.  Out: the first legal decision that is written so, or None.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from rulewright.model import rules as r
from rulewright.model.expressions import Local, Text, Type
from rulewright.model.walk import nodes
from rulewright.reference.decisions import LegalDecision
from rulewright.reference.play import ReferencePlay
from rulewright.reference.position import Order, Position

_SITES = (Type.SITE, Type.SITES)


def find(play: ReferencePlay, position: Position, text: str) -> LegalDecision | None:
    """The legal decision written *text*."""

    def decide(number: int, begun: Position) -> Iterator[LegalDecision]:
        narrowed = _narrowed(play, play.rules.moves[number], text)
        return play.decisions(number, begun, narrowed)

    whole = play.listing(position)
    decisions = play.listing(position, decide, whole).of(position.rest)
    return next((option for option in decisions if option.text == text), None)


def _narrowed(play: ReferencePlay, move: r.MoveKind, text: str) -> Order:
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
