"""The root of a search as kernels see it: what is known of its decisions, and where it stopped.

Whoever searches tells the words behind `deepest` once; the rest is the search's own.  A search
stops anywhere, and goes on there when it is asked again with the same arrays.
"""

from __future__ import annotations

from rulewright.compiler.layout import RUNNING
from rulewright.compiler.runtime import floats, i64, ints
from rulewright.search.kernels.game import decisions, play
from rulewright.search.kernels.leaves import keep_candidates
from rulewright.search.kernels.moving import back, is_safe, note, same_row, threatened, winning_from
from rulewright.search.kernels.table import (
    NONE,
    NUMBERED,
    become_image,
    table_key,
    tt_best,
    tt_probe,
    tt_word,
)
from rulewright.search.kernels.thread import Thread

MORE = 0  # what a search says that stops: there is more to do
OVER = 1
LONGEST = 256  # decisions of a line that are kept


class RootWords(ints):
    """The words of a search at its root, which all its threads share."""

    roots: i64 = 0  # decisions of the root
    width: i64 = 1  # how many of them are searched, the first of the order
    me: i64 = 2  # the person who decides
    deepest: i64 = 3  # the last depth that may be searched
    full: i64 = 4  # 1: every decision gets its exact value
    every: i64 = 5  # 1: a win does not end the search, all values are wanted at the same depth
    edge: i64 = 6  # the upper end of the widest window, as bits of a float
    rough: i64 = 7  # 1: results alone count, and depths grow by half
    fills: i64 = 8  # 1: nothing is ever taken off the board
    shared: i64 = 9  # 1: threads search the same and tell each other by the table
    threats: i64 = 10  # 1: wins by threats are looked for
    proofs: i64 = 11  # buckets of the table of proofs, less one
    whole: i64 = 12  # nodes that the whole search may play, 0 where nobody has said
    depth: i64 = 13  # that is searched now
    iterations: i64 = 14  # that came to their end
    low: i64 = 15  # the window, as bits
    high: i64 = 16
    next: i64 = 17  # how many decisions are known at this depth
    top: i64 = 18  # the best of their values, as bits
    attacker: i64 = 19  # the person whose win by threats is looked for
    until: i64 = 20  # the nodes at which that is given up
    away: i64 = 21  # 1: the position is not that of the root, which `saved` keeps
    mending: i64 = 22  # 1: a part of a proof that the table has lost is proven again
    asking: i64 = 23  # 1: threats that may answer the decision under way are looked for
    attack_length: i64 = 24  # decisions of the win by threats, 0 for none
    line: i64 = 25  # decisions of the best line


class RootMoves:
    """The values and marks of the root's decisions, by their numbers.

    `order` is that of the last whole iteration, `next_order` that of the one under way.
    """

    order: ints
    next_order: ints
    progress: ints  # in this iteration: 0 nobody is at it, 1 a thread is, 2 it is known
    values: floats
    marks: ints
    new_values: floats  # of the iteration under way
    new_marks: ints
    refuted: ints  # how long a win by threats takes that answers it, -1 for none, 0 before


class RootArrays:
    """A search at its root, as one thread sees it."""

    thread: Thread
    search: RootWords
    moves: RootMoves
    saved: ints  # positions that a search comes back to
    proofs: ints  # the table of proofs
    line: ints  # rows of the best line


def keep_row(r: RootArrays, rows: ints, at: i64) -> None:
    """Put the row at word *at* behind the line, as long as there is room."""
    row = r.thread.control.row
    if r.search.line < LONGEST:
        for i in range(row):
            r.line[r.search.line * row + i] = rows[at + i]
        r.search.line += 1


# --- which decisions are searched ---


def narrows(r: RootArrays) -> i64:
    """Whether patterns or values of moves leave some decisions only."""
    if r.thread.control.must == 1 or r.thread.control.considering > 0:
        return 1
    return r.thread.control.narrow


def mark_kept(r: RootArrays) -> None:
    """Mark the decisions that patterns or values leave."""
    top = r.search.roots
    end = keep_candidates(r.thread, top, decisions(r.thread.game, top), r.search.me)
    at = top
    for number in range(top):
        r.moves.marks[number] = 0
        if at < end and same_row(r.thread, number, at, at + 1) == at:
            r.moves.marks[number] = 1
            at = at + 1


def list_marked(r: RootArrays) -> i64:
    """Put the decisions that are marked into the order; how many."""
    count = 0
    for number in range(r.search.roots):
        if r.moves.marks[number] == 1:
            r.moves.order[count] = number
            count = count + 1
    return count


def list_winning(r: RootArrays) -> i64:
    """Put the decisions that win at once into the order; how many."""
    roots = r.search.roots
    number = winning_from(r.thread, 0, roots, 0, r.search.me, roots)
    count = 0
    while number >= 0:
        r.moves.order[count] = number
        count = count + 1
        number = winning_from(r.thread, number + 1, roots, 0, r.search.me, roots)
    return count


def mark_safe(r: RootArrays, mark: i64) -> i64:
    """Note which decisions with a mark are safe, and none of the others; how many."""
    count = 0
    for i in range(r.search.roots):
        r.moves.new_marks[i] = 0
        if r.moves.marks[i] == mark:
            r.moves.new_marks[i] = is_safe(r.thread, i, r.search.roots)
            count = count + r.moves.new_marks[i]
    return count


def narrowed(r: RootArrays) -> i64:
    """Put the decisions that are searched into the order; how many.

    These are those that patterns or values of moves leave.  Nothing is left out that wins at once,
    or that alone keeps the other person from winning at once, but where something must be done.
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


# --- the line that is expected ---


def begin_line(r: RootArrays, number: i64) -> None:
    """Let the line begin with a decision of the root, and play it."""
    r.search.line = 0
    keep_row(r, r.thread.game.rows, number * r.thread.control.row)
    play(r.thread.game, number * r.thread.control.row, r.search.roots)


def follow_line(r: RootArrays) -> i64:
    """Put what the table thinks best here behind the line and play it; 0 where it knows nothing."""
    if r.thread.game.state.result != RUNNING or r.thread.game.state.fault != 0:
        return 0
    top = r.search.roots
    at = top + remembered_best(r.thread, r.search.line)
    me = r.thread.game.state.mover ^ r.thread.game.state.swapped
    end = keep_candidates(r.thread, top, decisions(r.thread.game, top), me)
    if at >= end or at == top + NONE or r.search.line >= LONGEST:
        return 0
    play(r.thread.game, at * r.thread.control.row, end)
    if r.thread.control.symmetries > 0:
        at = row_that_leads(r.thread, top)
    keep_row(r, r.thread.game.rows, at * r.thread.control.row)
    return 1


def remembered_best(t: Thread, level: i64) -> i64:
    """Return the number of the decision that the table thinks best, NONE if it knows none.

    The position is turned as it was when the table was told; level 1 keeps how it lay before.
    """
    at = tt_probe(t.table, table_key(t, level), t.control.mask)
    best = NONE if at < 0 else tt_best(tt_word(t.table, at))
    if t.control.symmetries == 0 or best == NONE:
        return best
    note(t, 1)
    table_key(t, level)
    way = 0
    while t.control.image != best // NUMBERED and way < t.control.symmetries:
        back(t, 1)
        become_image(t, way)
        table_key(t, level)
        way = way + 1
    return best % NUMBERED


def row_that_leads(t: Thread, top: i64) -> i64:
    """Play what leads from the position of level 1 to this one, perhaps turned; return its row."""
    key = table_key(t, 0)
    back(t, 1)
    end = decisions(t.game, top)
    row = top
    play(t.game, row * t.control.row, end)
    while table_key(t, 0) != key and row + 1 < end:
        back(t, 1)
        row = row + 1
        play(t.game, row * t.control.row, end)
    return row
