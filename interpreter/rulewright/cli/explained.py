"""Explanations as text: the decisions with their values, what they are made of, what decided.

In: an explanation and the decisions that are shown of it.  Out: lines no wider than the terminal,
where names leave room for that.
"""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from rulewright.model.personality import Number
from rulewright.players.choose import Tried
from rulewright.players.explain import THE_END, Explanation
from rulewright.players.terms import ExplainedMove
from rulewright.printable import amount
from rulewright.search.results import told_result

_Section: TypeAlias = "tuple[str, list[Mapping[str, Number]]]"
"""A title, and for each decision its numbers by name."""
_MOST_TIED = 12
"""Decisions that are listed where many are alike."""


def print_explanation(found: Explanation, shown: tuple[ExplainedMove, ...], most: int) -> None:
    """What is decided, the best decisions with their terms and factors, and what decided."""
    print("\n".join(explained(found, shown, most)))


def explained(found: Explanation, shown: tuple[ExplainedMove, ...], most: int) -> Iterator[str]:
    """The lines of an explanation, for *most* of the decisions shown."""
    yield _head(found)
    if found.opening:
        by = f" `{found.opened_by}`" if found.opened_by else ""
        yield f"(in a game its opening{by} decides here: {found.opening})"
    if found.again:
        yield f"(asked again it would play {found.again})"
    if len(found.tried) > 1:
        yield from _picks(found.tried)
    told = shown[:most]
    told += tuple(one for one in shown[most:] if one.move == found.chosen)
    yield from _decisions(found, told)
    rest = len(shown) - len(told)
    if rest > 0:
        yield f"  ... and {rest} more"
    if found.unjudged:
        yield f"  not judged: {_few(found.unjudged)}"
    yield from _made_of(told)
    yield from _decided(found)
    if found.believed:
        words = ", ".join(belief.word for belief in found.believed)
        yield f"believed: {words} of {found.personality} may have led what is won or lost by force"


def _head(found: Explanation) -> str:
    last = found.tried[-1].pick if found.tried else None
    way = f" by `{found.value}`" if found.value else ""
    if last is not None and not found.tried[-1].decided:
        way = ", as no `pick` has decided"
    elif last is not None and last.how != "best":
        way = f" by `{last}`"
    better = f"; bigger is better for {found.side}" if found.moves else f" for {found.side}"
    return (
        f"{found.personality} {'played' if found.played else 'plays'} {found.chosen}{way}{better}"
    )


def _picks(tried: tuple[Tried, ...]) -> Iterator[str]:
    """The `pick` lines that were looked at, with the numbers that they compare."""
    width = max(len(str(one.pick)) for one in tried)
    for one in tried:
        compared = _compared(one)
        yield f"  {'yes' if one.decided else 'no ':<3} {one.pick!s:<{width}}  {compared}".rstrip()


def _compared(one: Tried) -> str:
    condition = one.pick.condition
    if condition is None:
        return ""
    if one.first is None or one.second is None:
        return "nothing is judged"
    if isinstance(condition.second, str):
        return f"{condition.first} {_number(one.first)}, {condition.second} {_number(one.second)}"
    return f"{condition.first} {_number(one.first)}"


# --- decisions ---


def _decisions(found: Explanation, shown: tuple[ExplainedMove, ...]) -> Iterator[str]:
    """A line for each decision: its value and what is expected to follow; `>` is the one made."""
    width = max((len(one.move) for one in shown), default=0)
    values = [_verdict(one) for one in shown]
    wide = max(map(len, values), default=0)
    for one, value in zip(shown, values, strict=True):
        mark = ">" if one.move == found.chosen else " "
        line = f"  ({' '.join(one.line)})" if len(one.line) > 1 else ""
        yield f"{mark} {one.move:<{width}}  {value:>{wide}}{line}"


def _verdict(one: ExplainedMove) -> str:
    return _end(one) if one.ends else told_result((0, one.value)) or _number(one.value)


def _end(one: ExplainedMove) -> str:
    return f"{one.ends} after {amount(one.distance or 0, 'decision')}"


def _made_of(shown: tuple[ExplainedMove, ...]) -> Iterator[str]:
    """Tables of what the values are made of, with a column for each decision."""
    told = [one for one in shown if one.parts or one.terms or one.factors]
    sections = [*_sections(told)]
    names = [name for _, numbers in sections for name in _differing(numbers)]
    if not sections:
        return
    first = 4 + max(map(len, names), default=0)
    wide = max(7, *(len(one.move) for one in told))
    room = max(1, (shutil.get_terminal_size().columns - first) // (wide + 1))
    for start in range(0, len(told) if names else 0, room):
        part = slice(start, start + room)
        columns = "".join(f" {one.move:>{wide}}" for one in told[part])
        yield ""
        yield f"{'':<{first}}{columns}"
        for title, numbers in sections:
            yield from _rows(title, _differing(numbers), part, first, wide)
    yield from _alike(sections)


def _sections(told: list[ExplainedMove]) -> Iterator[_Section]:
    for title, numbers in (
        ("parts", [one.parts for one in told]),
        *_steps(told),
        ("terms", [one.terms for one in told]),
        ("factors", [one.factors for one in told]),
    ):
        if any(map(any, (one.values() for one in numbers))):
            yield title, numbers


def _steps(told: list[ExplainedMove]) -> Iterator[_Section]:
    """What each direction gives, for every part that is told of."""
    for part in dict.fromkeys(name for one in told for name in one.steps):
        yield f"{part}, by direction", [one.steps.get(part, {}) for one in told]


def _table(numbers: list[Mapping[str, Number]]) -> dict[str, list[Number | None]]:
    """The numbers by name, without those that are nothing everywhere."""
    names = dict.fromkeys(name for one in numbers for name in one)
    rows = {name: [one.get(name) for one in numbers] for name in names}
    return {name: row for name, row in rows.items() if any(row)}


def _differing(numbers: list[Mapping[str, Number]]) -> dict[str, list[Number | None]]:
    """The rows that are not alike for all decisions; of a single decision all."""
    return {n: row for n, row in _table(numbers).items() if len(row) == 1 or len(set(row)) > 1}


def _rows(
    title: str, rows: Mapping[str, list[Number | None]], part: slice, first: int, wide: int
) -> Iterator[str]:
    """The numbers under a title: a row for each name."""
    if rows:
        yield f"  {title}"
    for name, row in rows.items():
        cells = "".join(f" {'' if n is None else _number(n):>{wide}}" for n in row[part])
        yield f"    {name:<{first - 4}}{cells}"


def _alike(sections: list[_Section]) -> Iterator[str]:
    """What is the same for all decisions that are shown."""
    columns = max(40, shutil.get_terminal_size().columns - 1)
    for title, numbers in sections:
        differing = _differing(numbers)
        same = {n: row[0] for n, row in _table(numbers).items() if n not in differing}
        if same:
            told = ", ".join(f"{name} {_number(n or 0)}" for name, n in same.items())
            text = f"{title}, alike in all: {told}"
            yield from textwrap.wrap(
                text, columns, initial_indent="  ", subsequent_indent="    ", break_long_words=False
            )


# --- what decided ---


def _decided(found: Explanation) -> Iterator[str]:
    if not found.decided_by:
        return
    if found.decided_by == THE_END:
        made, other = found.judged(found.chosen), found.judged(found.runner_up)
        yield f"decided by {THE_END}: {_told(made)}; {_told(other)}"
    elif found.margin:
        against = f"{found.chosen} against {found.runner_up}"
        yield f"decided by {found.decided_by} ({_number(found.margin, True)}), {against}"
    elif len(found.tied) > 1:
        among = f"among {len(found.tied)} that are alike: {_few(found.tied)}"
        yield f"decided by {found.decided_by}, {among}"
    else:
        yield f"decided by {found.decided_by}"


def _told(one: ExplainedMove) -> str:
    return f"{one.move} is a {_end(one)}" if one.ends else f"{one.move} is not decided"


def _few(moves: tuple[str, ...]) -> str:
    return " ".join(moves[:_MOST_TIED]) + " ..." * (len(moves) > _MOST_TIED)


def _number(number: float, signed: bool = False) -> str:
    return f"{number:+.6g}" if signed else f"{number:.6g}"
