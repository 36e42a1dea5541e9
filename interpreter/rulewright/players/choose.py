"""Choosing a decision among scores: `pick`, `prefer` and `ties`.

In: a personality, a state, and scores by the name of a value.  Out: one decision, with the line
that was best and the scores it was chosen among.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from random import Random

from attrs import frozen

from rulewright.game import State
from rulewright.model.personality import Condition, Number, Personality
from rulewright.players.scores import Score
from rulewright.players.searches import Line, Root

_SIGNS: dict[str, Callable[[Number, Number], bool]] = {
    "=": operator.eq, "<>": operator.ne, "<": operator.lt,
    "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


@frozen
class Chosen:
    """A decision; the line it was chosen for, and the scores of all decisions by that value."""

    move: str
    line: Line | None
    root: Mapping[str, Line | None]
    value: str = ""


def choose(
    model: Personality, state: State, root_of: Callable[[str], Root], random: Random
) -> Chosen:
    """The decision that *model* makes; `root_of` gives the scores by a value's name."""
    known: dict[str, Root] = {}

    def root(name: str) -> Root:
        if name not in known:
            known[name] = root_of(name)
        return known[name]

    for pick in model.picks:
        if pick.how != "best":
            moves = state.moves()
            return Chosen(moves[0] if pick.how == "first" else random.choice(moves), None, {})
        if pick.condition is not None and not _holds(pick.condition, root):
            continue
        found = root(pick.value)
        move = _settle(model, state, best_of(found) or state.moves(), random)
        return Chosen(move, found.get(move), found, pick.value)
    return Chosen(_settle(model, state, state.moves(), random), None, {})


def best_of(root: Root) -> list[str]:
    """The decisions with the best score, in reading order; none when nothing has a score."""
    scores = [line.score for line in root.values() if line is not None]
    if not scores:
        return []
    most = max(scores)
    return [text for text, line in root.items() if line is not None and line.score == most]


def _holds(condition: Condition, root: Callable[[str], Root]) -> bool:
    """Whether the best values compare as a condition says; nothing judged makes it false."""
    first = _first_part(root(condition.first))
    second: Number | None
    if isinstance(condition.second, str):
        second = _first_part(root(condition.second))
    else:
        second = condition.second
    return first is not None and second is not None and _SIGNS[condition.sign](first, second)


def _first_part(root: Root) -> Number | None:
    scores: list[Score] = [line.score for line in root.values() if line is not None]
    return max(scores)[1] if scores else None


def _settle(model: Personality, state: State, moves: list[str], random: Random) -> str:
    """One of equal decisions: by the preferred kinds of moves, then as `ties` says."""
    kinds = {text: name for name, texts in state.by_kind().items() for text in texts}
    order = {name: rank for rank, name in enumerate(model.prefer)}
    ranks = [order.get(kinds[text], len(order)) for text in moves]
    equal = [text for text, rank in zip(moves, ranks, strict=True) if rank == min(ranks)]
    return equal[0] if model.ties == "first" else random.choice(equal)
