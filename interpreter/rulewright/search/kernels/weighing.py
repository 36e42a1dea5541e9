"""Decisions by the values of their moves: one ply ahead, and beams behind the best of them.

A score is who has won (1 for whoever decides, -1 for the other person, 0 for nobody yet), then the
parts of a value.  A beam plays only the best few decisions and looks behind them: a decision is
worth its weight and a share of the best that whoever decides next can then do, all seen by one
person, `viewer`.
"""

from __future__ import annotations

from rulewright.compiler.faults import TOO_MANY
from rulewright.compiler.layout import DRAWN, RUNNING
from rulewright.compiler.runtime import bits_float, f64, float_bits, floats, i64, ints, real
from rulewright.search.kernels.game import (
    decisions,
    judged_by,
    judges,
    look,
    look_by,
    parts_by,
    worth,
)
from rulewright.search.kernels.moving import (
    back,
    entered_again,
    failed,
    free_rows,
    leave_search,
    note,
    resume_search,
    settle,
    stopped,
)
from rulewright.search.kernels.root import MORE, OVER, RootArrays
from rulewright.search.kernels.thread import FRAME, FRAMES, LINE, ROWS, SPARE, Thread
from rulewright.search.kernels.windows import EXACT, HAS_VALUE

EVERYBODY = 2  # a value that is said for who is at move


class ScoreWords(ints):
    """By which value decisions are scored, and which beam looks behind them."""

    which: i64 = 0  # the number of the value
    of_move: i64 = 1  # 1: it is one of moves
    said_for: i64 = 2  # the colour, or EVERYBODY
    parts: i64 = 3  # how many it has
    reals: i64 = 4  # a bit for each that is a float
    ends: i64 = 5  # 1: finished games too are worth what the evaluator says
    breadth: i64 = 6  # of a beam, at the root
    share: i64 = 7  # of what lies behind a decision, in a beam, as bits
    front: i64 = 8  # the best decision of those that a beam has looked behind, -1 before


class ScoreArrays:
    """The scores of the decisions of a root; those that are judged are marked."""

    words: ScoreWords
    numbers: ints  # of each decision who has won, then the parts; floats as bits
    parts: ints  # of a value


class Beam:
    """What a beam works on, beside what every search has: `t.ranks` says which rows were taken.

    `breadths`: how many decisions are kept at each level.  `lines`: the best line from each level
    on, in rows of LINE words: its length, then the numbers of its decisions.  Level 1 is the root.
    """

    breadths: ints
    weights: floats  # of each row
    lines: ints
    best: floats  # what a level has found, to go on with it later


# --- one ply ahead ---


def begin_weighing(r: RootArrays, s: ScoreArrays) -> None:
    """Begin to score the decisions in `order`."""
    r.search.next = 0
    if s.words.of_move == 1:
        look_by(r.thread.game, r.thread.factors, s.words.which)
        verify(r.thread)


def weigh_on(r: RootArrays, s: ScoreArrays) -> i64:
    """Score decisions until the nodes that are allowed are spent: MORE; OVER if all are scored."""
    while r.search.next < r.search.width and r.thread.control.fault == 0:
        if r.thread.control.nodes >= r.thread.control.node_limit:
            return MORE
        number = r.moves.order[r.search.next]
        r.moves.marks[number] = weigh(r, s, number)
        r.thread.control.nodes += r.moves.marks[number]
        r.search.next += 1
    return OVER


def weigh(r: RootArrays, s: ScoreArrays, number: i64) -> i64:
    """Score a decision; 0 where the value does not judge it."""
    at = number * r.thread.control.row
    if s.words.of_move == 1:
        if judged_by(r.thread.game, s.words.which, at) == 0:
            return 0
        read_parts(r, s, at)
        keep_score(r, s, number, 0)
        return 1
    settle(r.thread, number, r.search.roots)
    result = 0
    if r.thread.game.state.result != RUNNING and s.words.ends == 0:
        for i in range(s.words.parts):
            s.parts[i] = 0
        if r.thread.game.state.result != DRAWN:
            winner = r.thread.game.state.result ^ r.thread.game.state.swapped
            result = 1 if winner == r.search.me else -1
    else:
        read_parts(r, s, 0)
    keep_score(r, s, number, result)
    back(r.thread, 0)
    return 1


def read_parts(r: RootArrays, s: ScoreArrays, at: i64) -> None:
    """Read the parts of a value; a fault ends the search."""
    parts_by(r.thread.game, r.thread.factors, s.parts, s.words.which, at)
    verify(r.thread)


def verify(t: Thread) -> None:
    """End the search where a value met a fault."""
    if t.game.state.fault != 0:
        failed(t, t.game.state.fault)


def keep_score(r: RootArrays, s: ScoreArrays, number: i64, result: i64) -> None:
    """Keep the parts of a value, better for whoever decides."""
    colour = s.words.said_for
    if colour == EVERYBODY:
        colour = r.thread.game.state.mover
    at = number * (s.words.parts + 1)
    s.numbers[at] = result
    for i in range(s.words.parts):
        part = s.parts[i]
        if colour ^ r.thread.game.state.swapped != r.search.me:
            part = float_bits(-bits_float(part)) if s.words.reals >> i & 1 == 1 else -part
        s.numbers[at + 1 + i] = part


def compared(s: ScoreArrays, number: i64, other: i64) -> i64:
    """1 where one decision's score is better than another's, -1 where it is worse, else 0."""
    size = s.words.parts + 1
    for i in range(size):
        a = s.numbers[number * size + i]
        b = s.numbers[other * size + i]
        if s.words.reals << 1 >> i & 1 == 1:
            if bits_float(a) != bits_float(b):
                return 1 if bits_float(a) > bits_float(b) else -1
        elif a != b:
            return 1 if a > b else -1
    return 0


def best_scored(r: RootArrays, s: ScoreArrays) -> i64:
    """The first of the best scored decisions, -1 where none is judged."""
    best = -1
    for number in range(r.search.roots):
        if r.moves.marks[number] != 0 and (best < 0 or compared(s, number, best) > 0):
            best = number
    return best


def first_part(s: ScoreArrays, number: i64) -> f64:
    """The first part of a decision's score."""
    part = s.numbers[number * (s.words.parts + 1) + 1]
    return bits_float(part) if s.words.reals & 1 == 1 else real(part)


# --- beams at the root ---


def begin_beam(r: RootArrays, s: ScoreArrays) -> i64:
    """Put the best scored decisions into the order; 0 where nothing lies behind them."""
    count = 0
    for number in range(r.search.roots):
        if r.moves.marks[number] != 0:
            at = count
            while at > 0 and compared(s, number, r.moves.order[at - 1]) > 0:
                r.moves.order[at] = r.moves.order[at - 1]
                at = at - 1
            r.moves.order[at] = number
            count = count + 1
    r.search.width = count if count < s.words.breadth else s.words.breadth
    r.search.next = 0
    r.thread.control.again = 0
    s.words.front = -1
    r.thread.control.levels = r.search.deepest
    r.thread.control.viewer = r.search.me
    return 1 if r.search.width > 0 and r.search.deepest > 1 else 0


def look_behind(r: RootArrays, s: ScoreArrays, b: Beam) -> i64:
    """Look behind the next of the decisions that are kept; MORE where that is to go on later."""
    number = r.moves.order[r.search.next]
    resume_search(r.thread, 2)
    weight = first_part(s, number)
    v = behind(r.thread, b, number, weight, bits_float(s.words.share), 1, r.search.roots)
    leave_search(r.thread)
    if r.thread.control.again == 1:
        return MORE
    r.search.next += 1
    r.moves.values[number] = v
    r.moves.marks[number] = HAS_VALUE | EXACT
    if s.words.front < 0 or r.moves.values[s.words.front] < v:
        s.words.front = number
        lead(b.lines, 1, number)
    return OVER


# --- beams behind it ---

# what a frame holds: all that a level knows, so that it can go on later
ENDS = 0  # the row behind the last one
NEXT = 1  # the row that is weighed next
JUDGED = 2  # how many were judged
KEPT = 3  # how many are looked behind, -1 as long as rows are weighed
NUMBER = 4  # how many were looked behind
ROW = 5  # the one that is looked behind, -1 before it is chosen


def weigh_rows(t: Thread, b: Beam, first: i64, judged: i64, n: i64, level: i64) -> i64:
    """Write the weights of the rows from *first* on; how many are judged at all."""
    me = t.control.viewer
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
    """Set the best line of a level: this decision, then the best line of the next level."""
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
        if t.control.replied == 1:
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
    judged = weigh_rows(t, b, first, t.control[at + JUDGED], t.control[at + ENDS], level)
    if t.control.unwinding == 0:
        t.control[at + KEPT] = judged if judged < b.breadths[level] else b.breadths[level]


def best_reply(t: Thread, b: Beam, share: f64, level: i64, top: i64) -> f64:
    """The value of the best decision of a running position; `replied` is 0 where none is judged."""
    at = FRAMES + level * FRAME
    mine = 1 if t.game.state.mover ^ t.game.state.swapped == t.control.viewer else 0
    t.control.replied = 0
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
    t.control.replied = 1 if t.control[at + KEPT] > 0 else 0
    return b.best[level]
