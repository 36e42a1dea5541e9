"""Random turns: regular expressions over the moves of a file."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen
from hypothesis import strategies as st

ELSE, IN_ORDER, OR, ONE = range(4)
"""How tightly a course binds, loosest first."""


@frozen
class _Course:
    text: str
    level: int
    empty: bool
    """Whether it can come to its end without a decision of a move: then it takes no sign."""

    def at(self, level: int) -> str:
        return self.text if self.level >= level else f"({self.text})"


def course(draw: st.DrawFn, names: list[str], numbers: Sequence[str] = ()) -> list[str]:
    """The turn statements, in which every move has a place; *numbers* may say what is longest."""
    if draw(st.integers(1, 6)) == 6:
        turn = _longest(draw, draw(st.permutations(names)), numbers)
    else:
        turn = plain_turn(draw, names)
    lines = [f"turn {turn}"]
    if draw(st.integers(1, 6)) == 6:
        lines.insert(0, f"first turn {draw(st.sampled_from(names))}")
    return lines


def plain_turn(draw: st.DrawFn, names: list[str]) -> str:
    """A turn in which every move has a place, and no part is a longest one."""
    return _over(draw, draw(st.permutations(names))).text


def _longest(draw: st.DrawFn, names: list[str], numbers: Sequence[str]) -> str:
    """A turn with a longest part: the whole of it, or what some of the moves are."""
    by = draw(st.sampled_from(("", "", *(f"by {name} " for name in numbers))))
    at = draw(st.integers(1, len(names)))
    part = f"longest {by}({_over(draw, names[:at]).text})"
    if at == len(names):
        return part
    other = _over(draw, names[at:]).at(OR)
    forms = (f"{part} or {other}", f"{part} else {other}", f"{part} {other}", f"{other} {part}")
    return draw(st.sampled_from(forms))


def _over(draw: st.DrawFn, names: list[str]) -> _Course:
    if len(names) == 1:
        return _often(draw, _Course(names[0], ONE, empty=False), 3)
    at = draw(st.integers(1, len(names) - 1))
    first, second = _over(draw, names[:at]), _over(draw, names[at:])
    form, level, left, right = draw(st.sampled_from((
        ("{} or {}", OR, OR, ONE),
        ("{} else {}", ELSE, ELSE, IN_ORDER),
        ("{} {}", IN_ORDER, IN_ORDER, OR),
    )))  # fmt: skip
    parts = (first.empty, second.empty)
    empty = all(parts) if level == IN_ORDER else any(parts)
    found = _Course(form.format(first.at(left), second.at(right)), level, empty)
    return _often(draw, found, 6)


def _often(draw: st.DrawFn, item: _Course, times: int) -> _Course:
    """*item*, or in one of so many courses a number of times."""
    if item.empty or draw(st.integers(1, times)) != times:
        return item
    sign = draw(st.sampled_from(("?", "?*", "*", "+")))
    return _Course(f"{item.at(ONE)}{sign}", ONE, empty=sign != "+")
