"""Which decisions of the root are searched, in an engine to take away whose player has patterns.

The same choice as that of `search/candidates.py`: those that patterns or values of moves leave.
Nothing is left out that wins at once, or that alone keeps the other person from winning at once,
but where something must be done.
"""

from __future__ import annotations

from rulewright.build.face import Face
from rulewright.codegen.runtime import i64
from rulewright.search.kernels.game import decisions
from rulewright.search.kernels.leaves import wanted
from rulewright.search.kernels.moving import is_safe, threatened, winning_from


def narrows(f: Face) -> i64:
    """Whether patterns or values of moves leave some decisions only."""
    if f.thread.control.must == 1 or f.thread.control.considering > 0:
        return 1
    return f.thread.control.narrow


def mark_kept(f: Face) -> None:
    """Mark the decisions that patterns or values leave."""
    row = f.thread.control.row
    top = f.mind.roots
    end = wanted(f.thread, top, decisions(f.thread.game, top), f.mind.me)
    at = top
    for number in range(top):
        same = 1 if at < end else 0
        for i in range(row):
            if (
                same == 1
                and f.thread.game.rows[number * row + i] != f.thread.game.rows[at * row + i]
            ):
                same = 0
        f.roots.marks[number] = same
        at = at + same


def listed(f: Face) -> i64:
    """Put the decisions that are marked into the order; how many."""
    count = 0
    for number in range(f.mind.roots):
        if f.roots.marks[number] == 1:
            f.roots.order[count] = number
            count = count + 1
    return count


def safe_ones(f: Face, mark: i64) -> i64:
    """Note which decisions with a mark are safe, and none of the others; how many."""
    count = 0
    for i in range(f.mind.roots):
        f.roots.fresh[i] = 0
        if f.roots.marks[i] == mark:
            f.roots.fresh[i] = is_safe(f.thread, i, f.mind.roots)
            count = count + f.roots.fresh[i]
    return count


def narrowed(f: Face) -> i64:
    """Put the decisions that are searched into the order; how many.

    What must be done leaves no choice, whatever else there is.
    """
    mark_kept(f)
    count = listed(f)
    if f.thread.control.must == 1:
        return count
    if f.thread.control.considering > 0 and count == f.mind.roots:
        return count
    roots = f.mind.roots
    number = winning_from(f.thread, 0, roots, 0, f.mind.me, roots)
    count = 0
    while number >= 0:
        f.roots.order[count] = number
        count = count + 1
        number = winning_from(f.thread, number + 1, roots, 0, f.mind.me, roots)
    if count > 0:
        return count
    if threatened(f.thread, roots) == 0:
        return listed(f)
    if safe_ones(f, 1) == 0 and safe_ones(f, 0) == 0:
        return listed(f)
    for i in range(roots):
        f.roots.marks[i] = f.roots.fresh[i]
    return listed(f)
