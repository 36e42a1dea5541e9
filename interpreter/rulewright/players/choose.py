"""Choosing a decision among scores: `pick`, `prefer` and `ties`.

In: a personality, a state, and scores by the name of a value.  Out: one decision, with the line
that was best and the scores it was chosen among.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from random import Random

from attrs import frozen

from rulewright.games.engine.game import State
from rulewright.model.personality import Number, Personality, Pick
from rulewright.search.results import Line, Lines, Score

_SIGNS: dict[str, Callable[[Number, Number], bool]] = {
    "=": operator.eq, "<>": operator.ne, "<": operator.lt,
    "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


@frozen
class PickTrial:
    """A `pick` line that was looked at, and the numbers that its condition compares.

    None stands for a number that is not there, as where a value judges nothing.
    """

    pick: Pick
    decided: bool
    first: Number | None = None
    second: Number | None = None


@frozen
class ChosenDecision:
    """A decision; the line it was chosen for, and the scores of all decisions by that value.

    `tried` are the `pick` lines down to the one that decided, `tied` the decisions of the best
    score, the one made among them; `settled` says in words of the file what chose among several.
    Not `searched`: there was no time for what the text asks for.
    """

    move: str
    line: Line | None
    root: Mapping[str, Line | None]
    value: str = ""
    tried: tuple[PickTrial, ...] = ()
    tied: tuple[str, ...] = ()
    settled: str = ""
    searched: bool = True


def choose(
    model: Personality, state: State, root_of: Callable[[str], Lines], random: Random
) -> ChosenDecision:
    """Make the decision of *model*; `root_of` gives the scores of decisions by a value's name."""
    roots, trials = dict[str, Lines](), list[PickTrial]()

    def root(name: str) -> Lines:
        if name not in roots:
            roots[name] = root_of(name)
        return roots[name]

    for pick in model.picks:
        trials.append(_try_pick(pick, root))
        if not trials[-1].decided:
            continue
        if pick.how != "best":
            moves = state.moves.texts
            move = moves[0] if pick.how == "first" else one_of(moves, random)
            return ChosenDecision(move, None, {}, "", tuple(trials), tuple(moves), str(pick))
        lines = root(pick.value)
        tied = best_of(lines)
        move, how = _settle(model, state, tied or list(lines), random)
        if not tied:
            how = "search random" if model.search.kind == "random" else f"nothing judged, {how}"
        searched = bool(tied) or len(lines) == len(state.moves.texts)
        line = lines.get(move)
        return ChosenDecision(
            move, line, lines, pick.value, tuple(trials), tuple(tied), how, searched
        )
    move, how = _settle(model, state, state.moves.texts, random)
    return ChosenDecision(move, None, {}, "", tuple(trials), (), f"no pick, {how}")


def _try_pick(pick: Pick, root: Callable[[str], Lines]) -> PickTrial:
    """Whether a line decides: the best values compare as its condition says, or it has none.

    Nothing judged makes a condition false.
    """
    condition = pick.condition
    if condition is None:
        return PickTrial(pick, True)
    first, side = _first_part(root(condition.first)), condition.second
    second = _first_part(root(side)) if isinstance(side, str) else side
    holds = first is not None and second is not None and _SIGNS[condition.sign](first, second)
    return PickTrial(pick, holds, first, second)


def best_of(root: Lines) -> list[str]:
    """The decisions with the best score, in reading order; none when nothing has a score."""
    scores = [line.score for line in root.values() if line is not None]
    if not scores:
        return []
    best = max(scores)
    return [text for text, line in root.items() if line is not None and line.score == best]


def _first_part(root: Lines) -> Number | None:
    scores: list[Score] = [line.score for line in root.values() if line is not None]
    return max(scores)[1] if scores else None


def _settle(model: Personality, state: State, moves: list[str], random: Random) -> tuple[str, str]:
    """One of equal decisions, by the preferred kinds of moves, then as `ties` says; and by which.

    What chose is told in words of the file; of a single decision there is nothing to choose.
    """
    if len(moves) == 1:
        return moves[0], ""
    kinds, equal = dict[str, str](), moves
    if model.prefer:
        kinds = {text: name for name, texts in state.by_kind().items() for text in texts}
        order = {name: rank for rank, name in enumerate(model.prefer)}
        ranks = [order.get(kinds[text], len(order)) for text in moves]
        equal = [text for text, rank in zip(moves, ranks, strict=True) if rank == min(ranks)]
    move = equal[0] if model.ties == "first" else one_of(equal, random)
    kind = [f"prefer {kinds[move]}"] if len(equal) < len(moves) else []
    ties = [f"ties {model.ties}"] if len(equal) > 1 else []
    return move, ", ".join(kind + ties)


def one_of(moves: list[str], random: Random) -> str:
    """Any of them; a single one draws no chance, which says that the game comes out so again."""
    return moves[0] if len(moves) == 1 else random.choice(moves)
