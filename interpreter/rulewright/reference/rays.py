"""Rays: regular expressions matched along the sites of a direction.

In: a pattern whose sets and numbers are already values.  Out: the marked sites of every way to
match.  A match begins at the first site after the source and may end anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias, assert_never

from attrs import frozen

from rulewright.errors import Fault
from rulewright.language import limits
from rulewright.model.board import Board, Mask, Step, bits

MOST = limits.BRANCHES
"""Matches of one ray; a pattern that has more is a fault."""
Marks: TypeAlias = tuple[Mask, ...]
End: TypeAlias = tuple[int, Marks]


@frozen
class Site:
    """One site of a set."""

    sites: Mask


@frozen
class Parts:
    """All parts in order, or one of them."""

    items: tuple[Fixed, ...]
    in_order: bool


@frozen
class Times:
    """A part between `low` and `high` times."""

    item: Fixed
    low: int
    high: int | None


@frozen
class Mark:
    """A part whose sites are kept under a number."""

    mark: int
    item: Fixed


Fixed: TypeAlias = Site | Parts | Times | Mark


def matches(
    board: Board, sources: Mask, steps: tuple[Step, ...], pattern: Fixed, marks: int
) -> Iterator[Marks]:
    """The marks of every way to match, each combination once for a source and a step."""
    for site in bits(sources):
        for step in steps:
            path = board.walk(site, step)
            ends = sorted(_ends(pattern, path, (0, (0,) * marks)))
            yield from dict.fromkeys(end_marks for _, end_marks in ends)


def _ends(pattern: Fixed, path: tuple[Mask, ...], at: End) -> set[End]:
    """Every place on *path*, with the marks made on the way, where a match from *at* can end."""
    match pattern:
        case Site(sites):
            here, marks = at
            return {(here + 1, marks)} if here < len(path) and path[here] & sites else set()
        case Parts(items, True):
            ends = {at}
            for item in items:
                ends = {end for start in ends for end in _ends(item, path, start)}
            return ends
        case Parts(items):
            return {end for item in items for end in _ends(item, path, at)}
        case Times():
            return _repeated(pattern, path, at)
        case Mark(mark, item):
            return {_marked(mark, path, at[0], end) for end in _ends(item, path, at)}
        case _:
            assert_never(pattern)


def _repeated(pattern: Times, path: tuple[Mask, ...], at: End) -> set[End]:
    frontier, found, times = {at}, set[End](), 0
    while frontier and (pattern.high is None or times <= pattern.high):
        if times >= pattern.low:
            frontier -= found
            found |= frontier
        following = {end for start in frontier for end in _ends(pattern.item, path, start)}
        if len(found) + len(following) > MOST:
            raise Fault("too-many", f"a ray matches in more than {MOST} ways")
        if following == frontier:  # a part that may match nothing: more times change nothing
            return found | frontier
        frontier, times = following, times + 1
    return found


def _marked(mark: int, path: tuple[Mask, ...], start: int, end: End) -> End:
    stop, marks = end
    here = marks[mark] | sum(path[start:stop])
    return stop, (*marks[:mark], here, *marks[mark + 1 :])
