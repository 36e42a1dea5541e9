"""Reading turns that are written together: from a text to the decisions that it is made of.

In: a situation at the beginning of a turn, and a text without blanks.  Out: the decisions, if there
is exactly one way to read it.  Ways that come to the same position at the same letter are followed
once, so a text costs no more than the positions that it can pass through; of those so many are
looked at.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from attrs import define, field, frozen

from rulewright.reference.play import NONE, Option, Situation
from rulewright.reference.position import History

LOOKED = 10_000
"""Positions that are looked at for one text."""


@frozen
class Reading:
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


def read_turn(start: Situation, text: str) -> Reading:
    """The one way to read *text* as a whole turn."""
    folded, first = text.casefold(), _Node(start, 0)
    known, todo, ends = dict[Hashable, _Node](), [first], list[tuple[_Node, Option]]()
    looked = 0
    while todo:
        node = todo.pop()
        looked += 1
        if looked > LOOKED:
            return Reading(why="it can be read in too many ways")
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
    return _only_way(first, ends[0]) if ends else Reading()


_SEVERAL = Reading(why="it can be read in more than one way")


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


def _only_way(first: _Node, end: tuple[_Node, Option]) -> Reading:
    node, option = end
    found = [option]
    while node is not first:
        if len(node.ways) > 1:
            return _SEVERAL
        node, option = node.ways[0]
        found.append(option)
    return Reading(tuple(reversed(found)))
