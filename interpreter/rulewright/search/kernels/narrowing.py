"""Which decisions of the root are searched: those that patterns or values of moves leave.

Nothing is left out that wins at once, or that alone keeps the other person from winning at once,
but where something must be done.
"""

from __future__ import annotations

from rulewright.codegen.runtime import i64
from rulewright.search.kernels.game import decisions
from rulewright.search.kernels.leaves import wanted
from rulewright.search.kernels.moving import is_safe, same_row, threatened, winning_from
from rulewright.search.kernels.root import RootSearch


def narrows(r: RootSearch) -> i64:
    """Whether patterns or values of moves leave some decisions only."""
    if r.thread.control.must == 1 or r.thread.control.considering > 0:
        return 1
    return r.thread.control.narrow


def mark_kept(r: RootSearch) -> None:
    """Mark the decisions that patterns or values leave."""
    top = r.search.roots
    end = wanted(r.thread, top, decisions(r.thread.game, top), r.search.me)
    at = top
    for number in range(top):
        r.moves.marks[number] = 0
        if at < end and same_row(r.thread, number, at, at + 1) == at:
            r.moves.marks[number] = 1
            at = at + 1


def list_marked(r: RootSearch) -> i64:
    """Put the decisions that are marked into the order; how many."""
    count = 0
    for number in range(r.search.roots):
        if r.moves.marks[number] == 1:
            r.moves.order[count] = number
            count = count + 1
    return count


def list_winning(r: RootSearch) -> i64:
    """Put the decisions that win at once into the order; how many."""
    roots = r.search.roots
    number = winning_from(r.thread, 0, roots, 0, r.search.me, roots)
    count = 0
    while number >= 0:
        r.moves.order[count] = number
        count = count + 1
        number = winning_from(r.thread, number + 1, roots, 0, r.search.me, roots)
    return count


def mark_safe(r: RootSearch, mark: i64) -> i64:
    """Note which decisions with a mark are safe, and none of the others; how many."""
    count = 0
    for i in range(r.search.roots):
        r.moves.new_marks[i] = 0
        if r.moves.marks[i] == mark:
            r.moves.new_marks[i] = is_safe(r.thread, i, r.search.roots)
            count = count + r.moves.new_marks[i]
    return count


def narrowed(r: RootSearch) -> i64:
    """Put the decisions that are searched into the order; how many.

    What must be done leaves no choice, whatever else there is.
    """
    mark_kept(r)
    count = list_marked(r)
    if r.thread.control.must == 1:
        return count
    if r.thread.control.considering > 0 and count == r.search.roots:
        return count
    roots = r.search.roots
    count = list_winning(r)
    if count > 0:
        return count
    if threatened(r.thread, roots) == 0:
        return list_marked(r)
    if mark_safe(r, 1) == 0 and mark_safe(r, 0) == 0:
        return list_marked(r)
    for i in range(roots):
        r.moves.marks[i] = r.moves.new_marks[i]
    return list_marked(r)
