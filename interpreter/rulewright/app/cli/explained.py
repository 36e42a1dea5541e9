"""Explanations as text: decisions with their values, terms and factors, and the deciding factor.

In: an explanation and the decisions to show of it.  Out: lines no wider than the terminal, if names
leave room for that.
"""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from rulewright.ground.printable import amount
from rulewright.ground.translation import translate
from rulewright.model.personality import Number
from rulewright.players.choose import PickTrial
from rulewright.players.explain import THE_END, Explanation
from rulewright.players.terms import ExplainedMove
from rulewright.search.results import told_result

_Section: TypeAlias = "tuple[str, list[Mapping[str, Number]]]"
"""A title, and the numbers of each decision by name."""
_Moves: TypeAlias = tuple[ExplainedMove, ...]
_MOST_TIED = 12
"""Decisions of the same value that are listed at most."""


def print_explanation(explanation: Explanation, moves: _Moves, most: int) -> None:
    """Print the decision, the best decisions with their terms and factors, and what decided."""
    print("\n".join(explanation_lines(explanation, moves, most)))


def explanation_lines(explanation: Explanation, moves: _Moves, most: int) -> Iterator[str]:
    """The lines of an explanation in the person's language, for *most* of the decisions shown."""
    return map(translate, _lines(explanation, moves, most))


def _lines(explanation: Explanation, moves: _Moves, most: int) -> Iterator[str]:
    yield _head(explanation)
    if explanation.opening:
        by = f" `{explanation.opened_by}`" if explanation.opened_by else ""
        yield f"(in a game its opening{by} decides here: {explanation.opening})"
    if explanation.again:
        yield f"(asked again it would play {explanation.again})"
    if len(explanation.tried) > 1:
        yield from _picks(explanation.tried)
    first = moves[:most]
    first += tuple(move for move in moves[most:] if move.move == explanation.decision)
    yield from _decisions(explanation, first)
    hidden_moves = len(moves) - len(first)
    if hidden_moves > 0:
        yield f"  ... and {hidden_moves} more"
    if explanation.unjudged:
        yield f"  not judged: {_few(explanation.unjudged)}"
    yield from _made_of(first)
    yield from _decided(explanation)
    if explanation.believed:
        words = ", ".join(belief.word for belief in explanation.believed)
        name = explanation.personality
        yield f"believed: {words} of {name}; no search has checked these words"


def _head(explanation: Explanation) -> str:
    last = explanation.tried[-1].pick if explanation.tried else None
    way = f" by `{explanation.value}`" if explanation.value else ""
    if last is not None and not explanation.tried[-1].decided:
        way = ", as no `pick` has decided"
    elif last is not None and last.how != "best":
        way = f" by `{last}`"
    verb = "played" if explanation.played else "plays"
    better = "; bigger is better for" if explanation.moves else " for"
    decision = f"{explanation.personality} {verb} {explanation.decision}"
    return f"{decision}{way}{better} {explanation.side}"


def _picks(attempts: tuple[PickTrial, ...]) -> Iterator[str]:
    """The `pick` lines that were tried, with the numbers that they compare."""
    width = max(len(str(attempt.pick)) for attempt in attempts)
    for attempt in attempts:
        decided = "yes" if attempt.decided else "no "
        yield f"  {decided} {attempt.pick!s:<{width}}  {_compared(attempt)}".rstrip()


def _compared(attempt: PickTrial) -> str:
    condition = attempt.pick.condition
    if condition is None:
        return ""
    if attempt.first is None or attempt.second is None:
        return "nothing is judged"
    first = f"{condition.first} {_number(attempt.first)}"
    two_values = isinstance(condition.second, str)
    return f"{first}, {condition.second} {_number(attempt.second)}" if two_values else first


# --- decisions ---


def _decisions(explanation: Explanation, moves: _Moves) -> Iterator[str]:
    """A line for each decision: its value and principal variation; `>` marks the one made."""
    width = max((len(move.move) for move in moves), default=0)
    values = [_verdict(move) for move in moves]
    wide = max(map(len, values), default=0)
    for move, value in zip(moves, values, strict=True):
        mark = ">" if move.move == explanation.decision else " "
        line = f"  ({' '.join(move.line)})" if len(move.line) > 1 else ""
        yield f"{mark} {move.move:<{width}}  {value:>{wide}}{line}"


def _verdict(move: ExplainedMove) -> str:
    return _end(move) if move.ends else told_result((0, move.value)) or _number(move.value)


def _end(move: ExplainedMove) -> str:
    return f"{move.ends} after {amount(move.distance or 0, 'decision')}"


def _made_of(moves: _Moves) -> Iterator[str]:
    """Tables of the parts, terms and factors of values, with a column for each decision."""
    detailed = [move for move in moves if move.parts or move.terms or move.factors]
    sections = [*_sections(detailed)]
    names = [name for _, numbers in sections for name in _differing(numbers)]
    if not sections:
        return
    first = 4 + max(map(len, names), default=0)
    wide = max(7, *(len(move.move) for move in detailed))
    room = max(1, (shutil.get_terminal_size().columns - first) // (wide + 1))
    for start in range(0, len(detailed) if names else 0, room):
        part = slice(start, start + room)
        columns = "".join(f" {move.move:>{wide}}" for move in detailed[part])
        yield ""
        yield f"{'':<{first}}{columns}"
        for title, numbers in sections:
            yield from _rows(title, _differing(numbers), part, first, wide)
    yield from _alike(sections)


def _sections(moves: list[ExplainedMove]) -> Iterator[_Section]:
    """The tables that have a number other than 0."""
    for title, columns in (
        ("parts", [move.parts for move in moves]),
        *_steps(moves),
        ("terms", [move.terms for move in moves]),
        ("factors", [move.factors for move in moves]),
    ):
        if any(any(column.values()) for column in columns):
            yield title, columns


def _steps(moves: list[ExplainedMove]) -> Iterator[_Section]:
    """A table for each part of values that has numbers by direction."""
    for part in dict.fromkeys(name for move in moves for name in move.steps):
        yield f"{part}, by direction", [move.steps.get(part, {}) for move in moves]


def _table(numbers: list[Mapping[str, Number]]) -> dict[str, list[Number | None]]:
    """The rows of numbers by name, without those that are 0 for all decisions."""
    names = dict.fromkeys(name for column in numbers for name in column)
    rows = {name: [column.get(name) for column in numbers] for name in names}
    return {name: row for name, row in rows.items() if any(row)}


def _differing(numbers: list[Mapping[str, Number]]) -> dict[str, list[Number | None]]:
    """The rows that differ between decisions; all rows of a single decision."""
    return {n: row for n, row in _table(numbers).items() if len(row) == 1 or len(set(row)) > 1}


def _rows(
    title: str, rows: Mapping[str, list[Number | None]], part: slice, first: int, wide: int
) -> Iterator[str]:
    """The lines of a table: a title, and a row for each name."""
    if rows:
        yield f"  {title}"
    for name, row in rows.items():
        cells = "".join(f" {'' if n is None else _number(n):>{wide}}" for n in row[part])
        yield f"    {name:<{first - 4}}{cells}"


def _alike(sections: list[_Section]) -> Iterator[str]:
    """The numbers that are the same for all decisions shown."""
    columns = max(40, shutil.get_terminal_size().columns - 1)
    for title, numbers in sections:
        differing = _differing(numbers)
        same = {n: row[0] for n, row in _table(numbers).items() if n not in differing}
        if same:
            values = ", ".join(f"{name} {_number(n or 0)}" for name, n in same.items())
            text = f"{translate(f'{title}, alike in all')}: {values}"
            yield from textwrap.wrap(
                text, columns, initial_indent="  ", subsequent_indent="    ", break_long_words=False
            )


# --- what decided ---


def _decided(explanation: Explanation) -> Iterator[str]:
    """The line about the factor that decided, if there is one."""
    by, move, rival = explanation.decided_by, explanation.decision, explanation.runner_up
    if by == THE_END:
        best, second = explanation.judged(move), explanation.judged(rival)
        yield f"decided by {by}: {_outcome_text(best)}; {_outcome_text(second)}"
    elif by and explanation.margin:
        margin, against = _number(explanation.margin, True), translate("against")
        yield f"{translate('decided by')} {by} ({margin}), {move} {against} {rival}"
    elif by and len(explanation.tied) > 1:
        among = f"among {len(explanation.tied)} that are alike: {_few(explanation.tied)}"
        yield f"decided by {by}, {among}"
    elif by:
        yield f"{translate('decided by')} {translate(by) if ' ' in by else by}"


def _outcome_text(move: ExplainedMove) -> str:
    return f"{move.move} is a {_end(move)}" if move.ends else f"{move.move} is not decided"


def _few(moves: tuple[str, ...]) -> str:
    return " ".join(moves[:_MOST_TIED]) + " ..." * (len(moves) > _MOST_TIED)


def _number(number: float, signed: bool = False) -> str:
    return f"{number:+.6g}" if signed else f"{number:.6g}"
