"""Texts that are none of the decisions: a whole turn written together, or what is wrong with it.

In: a position at the beginning of a turn, and a text without blanks.  Out: the decisions that it is
made of, if there is exactly one way to read it; else the refusal, with what may have been meant.
Ways that come to the same position at the same letter are followed once, so a text costs no more
than the positions that it can pass through; of those so many are looked at.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from attrs import define, field, frozen

from rulewright.engine.interpreted import GamePosition
from rulewright.errors import IllegalMove, UnreadableMove
from rulewright.language.diagnostics import did_you_mean
from rulewright.reference.play import NONE

SHOWN = 60
"""Letters of a move that messages show."""
LOOKED = 10_000
"""Positions that are looked at for one text."""


@frozen
class TurnReading:
    """The decisions of a turn, each by its number in its position.

    Where there are none `why` says what is wrong; it is empty when no turn is written so.
    """

    numbers: tuple[int, ...] = ()
    why: str = ""


@define(eq=False)
class _Node:
    """A position within the turn, how much of the text is read, and the ways that lead there."""

    position: GamePosition
    at: int
    ways: list[tuple[_Node, int]] = field(factory=list)


def read_turn(start: GamePosition, text: str) -> TurnReading:
    """The one way to read *text* as a whole turn."""
    folded, first = text.casefold(), _Node(start, 0)
    known, todo, ends = dict[Hashable, _Node](), [first], list[tuple[_Node, int]]()
    looked = 0
    while todo:
        node = todo.pop()
        looked += 1
        if looked > LOOKED:
            return TurnReading(why="it can be read in too many ways")
        for number, after, at in _following(node, folded):
            if after.fresh or after.outcome is not None:
                ends += [(node, number)] * (at == len(folded))
                continue
            key = at, after.key(start)
            if key not in known:
                known[key] = _Node(after, at)
                todo.append(known[key])
            known[key].ways.append((node, number))
        if len(ends) > 1:
            return _SEVERAL
    return _only_way(first, ends[0]) if ends else TurnReading()


_SEVERAL = TurnReading(why="it can be read in more than one way")


def _following(node: _Node, text: str) -> Iterator[tuple[int, GamePosition, int]]:
    """The decisions that the text can go on with, what follows them, and how far they reach."""
    for number, decision in enumerate(node.position.listing.texts()):
        written = "" if decision == NONE else decision.casefold()
        if text.startswith(written, node.at):
            yield number, node.position.after(number), node.at + len(written)


def _only_way(first: _Node, end: tuple[_Node, int]) -> TurnReading:
    node, number = end
    found = [number]
    while node is not first:
        if len(node.ways) > 1:
            return _SEVERAL
        node, number = node.ways[0]
        found.append(number)
    return TurnReading(tuple(reversed(found)))


# --- refusals ---


def refusal(text: str, texts: list[str], mover: str | None) -> IllegalMove | UnreadableMove:
    """What is wrong with a text where *texts* are the decisions of *mover*."""
    legal = counted(texts)
    some = ", ".join(legal[:8]) + (f", ... ({len(legal)} in all)" if len(legal) > 8 else "")
    hint = did_you_mean(shortened(text), legal)
    tail = f"{hint or 'legal:'} {'legal: ' if hint else ''}{some}"
    if not any(_form(text) == _form(move) for move in legal):
        example = next((m for m in legal if m != NONE), NONE)
        return UnreadableMove(
            f"`{shortened(text)}` is no move of this position, which are written like "
            f"`{example}`; {tail}"
        )
    return IllegalMove(f"`{shortened(text)}` is not legal for {mover} here; {tail}")


def counted(decisions: list[str]) -> list[str]:
    """Decisions that are numbers by their size, others as the rules have them."""
    return sorted(decisions, key=int) if all(map(str.isdecimal, decisions)) else decisions


def shortened(text: str) -> str:
    """A text as messages show it: so many letters of it."""
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."


def _form(text: str) -> str:
    """The form of a move: letters and figures without their values."""
    form = ""
    for character in text:
        kind = "a" if character.isalpha() else "9" if character.isdigit() else character
        form += kind if not form.endswith(kind) else ""
    return form
