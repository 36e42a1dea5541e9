"""Wins by threats: proof numbers over what threatens and what answers it, and the line that wins.

In: the arrays of a thread with the kernels of proofs, whose guide says what threatens and what must
be done.  Out: how many decisions the win takes at the most, and the numbers of the decisions of its
longest line; None where there is no such win, or a limit came first.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from rulewright.codegen import layout as p
from rulewright.codegen.backend import Linked
from rulewright.records import Record, record
from rulewright.search.kernels import proof
from rulewright.search.thread_arrays import ThreadArrays, module


def threat_search() -> Linked:
    """The kernels that it needs beside those of alpha-beta."""
    return module(proof)


@record
class Attack(Record):
    """A win by threats: its length at the most, and a line of that length.

    Decisions are given by their numbers among all of their position.
    """

    distance: int
    line: tuple[int, ...]


def attack(space: ThreadArrays) -> Generator[None, None, Attack | None]:
    """The win by threats of who is at move at the root."""
    control, who, root = space.control, space.who, space.words
    control.threats = 1
    won = yield from space.forced(who, win=True)
    while won:
        found = _told(space, who)
        if not control.lost:
            return found
        space.put(_put_aside(space))  # the table has lost a part of the proof, which is found again
        won = yield from space.forced(who, win=True)
        space.put(root)
    return None


def _told(space: ThreadArrays, who: int) -> Attack | None:
    """How long a proven attack takes, and its line, as far as the table has it."""
    control = space.control
    control.mask, whole, control.lost = control.widest >> 1, control.mask, 0
    try:
        key = space.kernels["salted"](2 * space.key(), 1, who)
        distance = space.call("resists", who, 0, 0, key)
        line = tuple(_line(space, who, distance))
    finally:
        control.mask = whole
        _put(space, space.words)
    return Attack(distance, line) if len(line) == distance > 0 else None


def _put_aside(space: ThreadArrays) -> list[int]:
    """The position whose proof is lost."""
    size, undo = space.engine.plan.size, space.arrays[7]
    return [undo[proof.LOST_PART * size + i] for i in range(size)]


def _line(space: ThreadArrays, who: int, distance: int) -> Iterator[int]:
    """The longest line: each decision leads to a position that resists for one less."""
    game, kernels, first = space.game, space.kernels, 0
    while distance > 0:
        me = game[0][p.MOVER] ^ game[0][p.SWAPPED]
        whole = kernels["decisions"](*game, first)
        rows = space.written(first, whole)
        end = space.call("attacked", first, whole, me, who)
        chosen = next((i for i in range(first, end) if _after(space, who, i, end) == distance), -1)
        if chosen < 0:
            space.kernels["missing"](*space.arrays)
            return
        row = space.written(chosen, chosen + 1)[0]
        kernels["play"](*game, chosen * space.engine.row, end)
        yield rows.index(row)
        first, distance = end, distance - 1


def _after(space: ThreadArrays, who: int, row: int, end: int) -> int:
    """How long the attack takes if this decision is made; -1 where it fails."""
    words = list(space.game[0])
    found = space.call("resists_after", who, 1, row, end)
    _put(space, words)
    return int(found)


def _put(space: ThreadArrays, words: list[int]) -> None:
    for i, word in enumerate(words):
        space.game[0][i] = word
