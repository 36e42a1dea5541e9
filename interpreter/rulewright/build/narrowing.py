"""Which decisions of the root are searched, in an engine to take away whose player has patterns.

The same choice as that of `search/candidates.py`: those that patterns or values of moves leave.
Nothing is left out that wins at once, or that alone keeps the other person from winning at once,
but where something must be done.
"""

from __future__ import annotations

from rulewright.build.face import Face
from rulewright.codegen.layout import DRAWN, RUNNING
from rulewright.codegen.runtime import i64
from rulewright.search.kernels.game import decisions, play
from rulewright.search.kernels.leaves import wanted
from rulewright.search.kernels.moving import back, failed, note


def has_won(f: Face, who: i64) -> i64:
    """Whether a person has won."""
    if f.thread.game.state.result == RUNNING or f.thread.game.state.result == DRAWN:
        return 0
    return 1 if f.thread.game.state.result ^ f.thread.game.state.swapped == who else 0


def wins_at(f: Face, first: i64, end: i64, level: i64, who: i64) -> i64:
    """The first row from *first* on that wins at once for a person, *end* if there is none."""
    note(f.thread, level)
    for i in range(first, end):
        play(f.thread.game, i * f.thread.control.row, end)
        found = has_won(f, who)
        back(f.thread, level)
        if found == 1:
            return i
    return end


def replies(f: Face, who: i64, top: i64) -> i64:
    """Whether a person who is at move could win at once; rows from *top* on are free."""
    end = decisions(f.thread.game, top)
    if f.thread.game.state.fault != 0:
        failed(f.thread, f.thread.game.state.fault)
        return 0
    return 1 if wins_at(f, top, end, 1, who) < end else 0


def threatened(f: Face) -> i64:
    """Whether the other colour would win at once, if it were its turn."""
    f.thread.game.state.mover = 1 - f.thread.game.state.mover
    f.thread.game.state.rest = f.thread.control.course
    f.thread.game.state.fresh = 1
    found = replies(f, f.thread.game.state.mover ^ f.thread.game.state.swapped, f.mind.roots)
    back(f.thread, 0)
    return found


def is_safe(f: Face, number: i64) -> i64:
    """Whether the other person cannot win at once after a decision."""
    play(f.thread.game, number * f.thread.control.row, f.mind.roots)
    found = 1
    if f.thread.game.state.result == RUNNING:
        who = f.thread.game.state.mover ^ f.thread.game.state.swapped
        found = 1 - replies(f, who, f.mind.roots)
    back(f.thread, 0)
    return found


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
    number = wins_at(f, 0, f.mind.roots, 0, f.mind.me)
    count = 0
    while number < f.mind.roots:
        f.roots.order[count] = number
        count = count + 1
        number = wins_at(f, number + 1, f.mind.roots, 0, f.mind.me)
    if count > 0:
        return count
    if threatened(f) == 0:
        return listed(f)
    sound = 0
    both = 0
    for i in range(f.mind.roots):
        f.roots.fresh[i] = is_safe(f, i)
        sound = sound + f.roots.fresh[i]
        both = both + (f.roots.fresh[i] & f.roots.marks[i])
    for i in range(f.mind.roots):
        if both > 0:
            f.roots.marks[i] = f.roots.marks[i] & f.roots.fresh[i]
        elif sound > 0:
            f.roots.marks[i] = f.roots.fresh[i]
    return listed(f)
