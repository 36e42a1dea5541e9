"""The decisions of a win that proof numbers have proven: of a puzzle, its solution.

In: the arrays in which the proof was found, the position, the person who wins.  Out: the decisions
up to where the other person decides, or to the end.  Proof numbers keep no line: each decision is
proven once more behind itself, with the table as it was left.  So that a bad decision does not take
long, all are tried for a little while, then for longer.
"""

from __future__ import annotations

from collections.abc import Generator

from rulewright.reference.play import Situation
from rulewright.reference.position import Position
from rulewright.search.driver import DEEPEST
from rulewright.search.results import person_at, result_of
from rulewright.search.thread_arrays import ThreadArrays

_NODES = (1_000, 8_000, 64_000, 512_000, 4_096_000)
"""For how many nodes each decision is tried, one time after the other."""

_Next = tuple[str, Situation]
"""A decision, and what it leads to."""


def winning_line(
    worker: ThreadArrays, first: Situation, person: int
) -> Generator[None, None, tuple[str, ...]]:
    """The decisions by which a person wins; empty where they cannot be told."""
    line, here, visited = list[str](), first, {first.position}
    while here.outcome is None and person_at(here.position) == person:
        step = yield from _winning_step(worker, here, person, visited)
        if step is None or len(line) == DEEPEST:
            return ()
        text, here = step
        line.append(text)
        visited.add(here.position)
    return tuple(line)


def _winning_step(
    worker: ThreadArrays, here: Situation, person: int, visited: set[Position]
) -> Generator[None, None, _Next | None]:
    """A decision behind which the person still wins, and which leads round in no circle."""
    open_steps = list[_Next]()
    for option in here.options:
        after = here.after(option)
        outcome = after.outcome
        if outcome is None:
            open_steps += [(option.text, after)] if after.position not in visited else []
        elif result_of(outcome, after.position, person) > 0:
            return option.text, after
    for nodes in _NODES:
        for step in tuple(open_steps):
            wins = yield from _wins(worker, step[1].position, person, nodes)
            if wins:
                return step
            if wins is False:
                open_steps.remove(step)
    return None


def _wins(
    worker: ThreadArrays, position: Position, person: int, nodes: int
) -> Generator[None, None, bool | None]:
    """Whether a person wins a position; None where that is not known after so many nodes.

    Nodes are counted, not slices, so that a line does not depend on how a search is cut in slices.
    """
    control = worker.control
    worker.place(position)
    work, end = worker.forced(person, win=True), control.nodes + nodes
    allowed = control.node_limit
    try:
        while True:
            worker.stop_at(end)
            next(work)
            if end <= allowed:
                break
            yield
            allowed = control.node_limit
    except StopIteration as done:
        wins: bool | None = done.value
        return wins
    finally:
        control.node_limit = max(control.node_limit, allowed)
    control.stop = 0
    work.close()
    worker.leave()
    return None
