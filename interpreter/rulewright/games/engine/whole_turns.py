"""Reading a whole turn that is written together, and refusing texts that are no decision.

In: a position at the beginning of a turn, and a text without blanks.  Out: the decisions that it
consists of, if there is exactly one way to read it; else an error with suggestions.  Readings that
reach the same position at the same letter are followed once, so the work is bounded by the number
of positions, of which at most `LOOKED` are visited.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from attrs import define, field, frozen

from rulewright.errors import IllegalMove, UnreadableMove
from rulewright.games.engine.interpreted import GamePosition
from rulewright.language.diagnostics import did_you_mean
from rulewright.reference.decisions import NONE

SHOWN = 60
"""Letters of a text that messages show."""
LOOKED = 10_000
"""Positions that are visited to read a text."""


@frozen
class TurnReading:
    """The decisions of a turn that a text stands for, each by its number in its position.

    Where there are none, `reason` says why the text is not clear; it is empty if it is no turn.
    """

    numbers: tuple[int, ...] = ()
    reason: str = ""


@define(eq=False)
class _Node:
    """A position within the turn, the letters read so far, and the nodes that lead there."""

    position: GamePosition
    at: int
    ways: list[tuple[_Node, int]] = field(factory=list)


def read_turn(start: GamePosition, text: str) -> TurnReading:
    """Read *text* as a whole turn; a reading without decisions if there is no single way to."""
    letters, first = text.casefold(), _Node(start, 0)
    nodes, todo, ends = dict[Hashable, _Node](), [first], list[tuple[_Node, int]]()
    count = 0
    while todo:
        node = todo.pop()
        count += 1
        if count > LOOKED:
            return TurnReading(reason="it can be read in too many ways")
        for number, after, at in _continuations(node, letters):
            if after.fresh or after.outcome is not None:
                ends += [(node, number)] * (at == len(letters))
                continue
            key = at, after.key(start)
            if key not in nodes:
                nodes[key] = _Node(after, at)
                todo.append(nodes[key])
            nodes[key].ways.append((node, number))
        if len(ends) > 1:
            return _SEVERAL
    return _only_way(first, ends[0]) if ends else TurnReading()


_SEVERAL = TurnReading(reason="it can be read in more than one way")


def _continuations(node: _Node, text: str) -> Iterator[tuple[int, GamePosition, int]]:
    """The decisions that the text can continue with: number, position after it, letters read."""
    for number, decision in enumerate(node.position.listing.texts()):
        letters = "" if decision == NONE else decision.casefold()
        if text.startswith(letters, node.at):
            yield number, node.position.after(number), node.at + len(letters)


def _only_way(first: _Node, end: tuple[_Node, int]) -> TurnReading:
    node, number = end
    numbers = [number]
    while node is not first:
        if len(node.ways) > 1:
            return _SEVERAL
        node, number = node.ways[0]
        numbers.append(number)
    return TurnReading(tuple(reversed(numbers)))


# --- refusals ---


def refusal(text: str, texts: list[str], mover: str | None) -> IllegalMove | UnreadableMove:
    """The error about a text that is none of *texts*, the decisions of *mover*."""
    legal = sort_numbers(texts)
    examples = ", ".join(legal[:8]) + (f", ... ({len(legal)} in all)" if len(legal) > 8 else "")
    hint = did_you_mean(shorten(text), legal)
    tail = f"{hint or 'legal:'} {'legal: ' if hint else ''}{examples}"
    if not any(_form(text) == _form(move) for move in legal):
        example = next((m for m in legal if m != NONE), NONE)
        return UnreadableMove(
            f"`{shorten(text)}` is no move of this position, which are written like "
            f"`{example}`; {tail}"
        )
    return IllegalMove(f"`{shorten(text)}` is not legal for {mover} here; {tail}")


def sort_numbers(decisions: list[str]) -> list[str]:
    """Sort decisions by size if all are numbers; else keep the order of the rules."""
    return sorted(decisions, key=int) if all(map(str.isdecimal, decisions)) else decisions


def refuse_unclear(reading: TurnReading, text: str) -> None:
    """Raise `UnreadableMove` for a text that is not clear."""
    if reading.reason:
        hint = "write its decisions apart, with blanks"
        raise UnreadableMove(f"`{shorten(text)}` is not clear: {reading.reason}; {hint}")


def shorten(text: str) -> str:
    """The text as messages show it, cut to `SHOWN` letters."""
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."


def _form(text: str) -> str:
    """The form of a text: `a` for each run of letters, `9` for each number."""
    form = ""
    for character in text:
        kind = "a" if character.isalpha() else "9" if character.isdigit() else character
        form += kind if not form.endswith(kind) else ""
    return form
