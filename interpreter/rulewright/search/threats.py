"""Wins by threats, looked for at a root; see `kernels/threats.py`.

In: the arrays of a thread whose guide says what threatens and what must be done.  Out: how many
decisions the win takes at the most, and the numbers of the decisions of its longest line; None
where there is no such win, or a limit came first.
"""

from __future__ import annotations

from collections.abc import Generator

from rulewright.records import Record, record
from rulewright.search.kernels.root import MORE
from rulewright.search.root_search import RootSearch
from rulewright.search.thread_arrays import ThreadArrays


@record
class Attack(Record):
    """A win by threats: its length at the most, and a line of that length.

    Decisions are given by their numbers among all of their position.
    """

    distance: int
    line: tuple[int, ...]


def attack(space: ThreadArrays) -> Generator[None, None, Attack | None]:
    """The win by threats of who is at move at the root."""
    search = RootSearch(space, space)
    search.call("begin_attack_here")
    while search.call("attack_on") == MORE:
        yield
    return Attack(search.words.won, search.numbers()) if search.words.won else None
