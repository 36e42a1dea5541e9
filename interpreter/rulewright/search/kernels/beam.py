"""A beam over decisions by the values of moves: only the best few are played and looked behind.

A decision is worth its weight and a share of the best that whoever decides next can then do, all
seen by one person, `who`.
"""

from __future__ import annotations

from rulewright.compiler.layout import RUNNING, TOO_MANY
from rulewright.compiler.runtime import f64, floats, i64, ints
from rulewright.search.kernels.game import decisions, judges, look, worth
from rulewright.search.kernels.moving import (
    back,
    entered_again,
    failed,
    free_rows,
    note,
    settle,
    stopped,
)
from rulewright.search.kernels.thread import FRAME, FRAMES, LINE, ROWS, SPARE, Thread


class Beam:
    """What a beam works on, beside what every search has: `t.ranks` says which rows were taken.

    `breadths`: how many decisions are kept at each level.  `lines`: the best line from each level
    on, in rows of LINE words: its length, then the numbers of its decisions.
    """

    breadths: ints
    weights: floats  # of each row
    lines: ints
    best: floats  # what a level has found, to go on with it later


# what a frame holds: all that a level knows, so that it can go on later
ENDS = 0  # the row behind the last one
NEXT = 1  # the row that is weighed next
JUDGED = 2  # how many were judged
KEPT = 3  # how many are looked behind, -1 as long as rows are weighed
NUMBER = 4  # how many were looked behind
ROW = 5  # the one that is looked behind, -1 before it is chosen


def weigh(t: Thread, b: Beam, first: i64, judged: i64, n: i64, level: i64) -> i64:
    """Write the weights of the rows from *first* on; how many are judged at all."""
    me = t.control.who
    look(t.game, t.factors)
    count = judged
    for i in range(first, n):
        if stopped(t, level) == 1:
            t.control[FRAMES + level * FRAME + NEXT] = i
            t.control[FRAMES + level * FRAME + JUDGED] = count
            return count
        t.ranks[i] = 1
        if judges(t.game.rows, i * t.control.row) == 1:
            v = worth(t.game, t.factors, i * t.control.row)
            b.weights[i] = v if t.game.state.swapped == me else -v
            t.ranks[i] = 0
            count = count + 1
            t.control.nodes += 1
            if t.control.nodes >= t.control.node_limit:
                t.control.stop = 1
    if t.game.state.fault != 0:
        failed(t, t.game.state.fault)
    return count


def heaviest(t: Thread, b: Beam, top: i64, n: i64, mine: i64) -> i64:
    """The first of the best rows that were not taken yet, for whoever decides."""
    best = -1
    for i in range(top, n):
        if t.ranks[i] == 0:
            if best < 0:
                best = i
            elif mine == 1 and b.weights[i] > b.weights[best]:
                best = i
            elif mine == 0 and b.weights[i] < b.weights[best]:
                best = i
    return best


def lead(lines: ints, level: i64, number: i64) -> None:
    """The best line of a level is this decision, and behind it the best line of the next level."""
    at = level * LINE
    lines[at] = lines[at + LINE] + 1
    lines[at + 1] = number
    for i in range(1, lines[at]):
        lines[at + 1 + i] = lines[at + LINE + i]


def behind(t: Thread, b: Beam, number: i64, weight: f64, share: f64, level: i64, n: i64) -> f64:
    """The value of a decision with what is likely to follow; the position stays as it was."""
    if t.control.resumed <= level + 1:
        b.lines[(level + 1) * LINE] = 0
    if level >= t.control.levels:
        return weight
    note(t, level)
    settle(t, number, free_rows(t, level, n))
    v = weight
    if t.control.unwinding == 0 and t.game.state.result == RUNNING:
        reply = best_reply(t, b, share, level + 1, n)
        if t.control.found == 1:
            v = weight + share * reply
    back(t, level)
    return v


def opened(t: Thread, b: Beam, level: i64, top: i64) -> i64:
    """List the decisions of a position; 0 if there is no room, or a fault."""
    at = FRAMES + level * FRAME
    b.lines[level * LINE] = 0
    if top > ROWS - SPARE:
        failed(t, TOO_MANY)
        return 0
    t.control[at + ENDS] = decisions(t.game, top)
    if t.game.state.fault != 0:
        failed(t, t.game.state.fault)
        return 0
    t.control[at + NEXT] = top
    t.control[at + JUDGED] = 0
    t.control[at + KEPT] = -1
    t.control[at + NUMBER] = 0
    t.control[at + ROW] = -1
    b.best[level] = 0.0
    return 1


def keep_best(t: Thread, b: Beam, level: i64) -> None:
    """Weigh what is not weighed yet; as many as the level's breadth are kept."""
    at = FRAMES + level * FRAME
    first = t.control[at + NEXT]
    judged = weigh(t, b, first, t.control[at + JUDGED], t.control[at + ENDS], level)
    if t.control.unwinding == 0:
        t.control[at + KEPT] = judged if judged < b.breadths[level] else b.breadths[level]


def best_reply(t: Thread, b: Beam, share: f64, level: i64, top: i64) -> f64:
    """The value of the best decision of a running position; `found` is 0 where none is judged."""
    at = FRAMES + level * FRAME
    mine = 1 if t.game.state.mover ^ t.game.state.swapped == t.control.who else 0
    t.control.found = 0
    if entered_again(t, level) == 0 and opened(t, b, level, top) == 0:
        return 0.0
    if t.control[at + KEPT] < 0:
        keep_best(t, b, level)
    while t.control[at + NUMBER] < t.control[at + KEPT] and t.control.unwinding == 0:
        if t.control[at + ROW] < 0:
            t.control[at + ROW] = heaviest(t, b, top, t.control[at + ENDS], mine)
            t.ranks[t.control[at + ROW]] = 1
        i = t.control[at + ROW]
        v = behind(t, b, i, b.weights[i], share, level, t.control[at + ENDS])
        if t.control.unwinding == 0:
            best = b.best[level]
            k = t.control[at + NUMBER]
            if k == 0 or (mine == 1 and v > best) or (mine == 0 and v < best):
                b.best[level] = v
                lead(b.lines, level, i - top)
            t.control[at + NUMBER] += 1
            t.control[at + ROW] = -1
    if t.control.unwinding == 1:
        return 0.0
    t.control.found = 1 if t.control[at + KEPT] > 0 else 0
    return b.best[level]
