"""Bets on depth: what is left out of a full-width search, or looked at less deep.

All of them may be wrong, so what rests on one is never called proven (`open`).  A player's text
asks for them: `passing` (null move), `reduce late` (late move reductions), and `reduce boldly`,
which adds what compares the value of a position with the window (futility) by a margin.  It is
measured at the root: how much one decision changes what the evaluator says.  Where the value that
`passing` names is below 0 a position is sharp: there nothing is left out, and looking goes on.
"""

from __future__ import annotations

from rulewright.compiler.runtime import bits_float, f64, float_bits, i64, real
from rulewright.search.kernels.game import decisions, passes, play, value
from rulewright.search.kernels.leaves import above, static_evaluation
from rulewright.search.kernels.moving import back, note
from rulewright.search.kernels.table import KILLER, NONE
from rulewright.search.kernels.thread import (
    BEST,
    CALM,
    FRAME,
    FRAMES,
    HINT,
    LEVELS,
    LOW,
    NUMBER,
    OPEN,
    PASSED,
    PICKED,
    RANK,
    ROWS,
    SPARE,
    STATIC,
    SURE,
    Thread,
)

SAMPLES = 256  # values that are compared to find the margin, about


def calmness(t: Thread, me: i64) -> f64:
    """The text's value of passing, for a person: above 0 harmless, below 0 harmful."""
    if t.control.passing == 0:
        return 0.0
    v = passes(t.game, t.factors)
    return v if t.game.state.swapped == me else -v


def deepened(t: Thread, depth: i64, level: i64) -> i64:
    """The depth of a position, one more where it is sharp; lines get twice as long at the most."""
    if t.control.bold == 0 or depth < 0 or level > t.control.farthest:
        return depth
    if calmness(t, t.game.state.mover ^ t.game.state.swapped) >= 0.0:
        return depth
    return depth + 1


def scouted(alpha: f64, beta: f64) -> i64:
    """Whether a window only asks if a position is better, and no win or loss is in question."""
    if beta > above(alpha) or beta > real(SURE) or beta < -real(SURE):
        return 0
    return 1


def estimate(t: Thread, depth: i64, alpha: f64, beta: f64, level: i64, me: i64) -> None:
    """Keep the static value of a position before its decisions are listed, if a bet needs it."""
    at = FRAMES + level * FRAME
    t.control[at + PASSED] = 0
    t.control[at + CALM] = 0
    trying = 0
    if depth >= 3 and t.control[at - FRAME + PASSED] == 0:
        trying = scouted(alpha, beta)
    if t.control.passing == 1 and (trying == 1 or t.control.bold == 1):
        calm = calmness(t, me)
        if calm < 0.0:
            t.control[at + CALM] = -1
        elif calm > 0.0:
            t.control[at + CALM] = 1
    if t.control.bold == 1 or (trying == 1 and t.control[at + CALM] == 1):
        t.control[at + STATIC] = float_bits(static_evaluation(t, me))


def good_enough(t: Thread, depth: i64, alpha: f64, beta: f64, level: i64) -> i64:
    """Whether a position near the end of the depth is so good that nothing need be tried."""
    at = FRAMES + level * FRAME
    if t.control.bold == 0 or depth > 6 or t.control[at + CALM] < 0 or scouted(alpha, beta) == 0:
        return 0
    return 1 if bits_float(t.control[at + STATIC]) - margin(t, depth) >= beta else 0


def margin(t: Thread, depth: i64) -> f64:
    """By how much so many decisions may change what a position is worth: twice the average."""
    return 2.0 * bits_float(t.control.margin) * real(depth)


def may_pass(t: Thread, depth: i64, alpha: f64, beta: f64, level: i64, top: i64) -> i64:
    """Whether passing the turn can show that a position is good enough: never twice in a row."""
    at = FRAMES + level * FRAME
    if t.control[at + CALM] <= 0 or depth < 3 or t.game.state.fresh == 0:
        return 0
    if t.control[at - FRAME + PASSED] == 1 or scouted(alpha, beta) == 0:
        return 0
    if level + 2 >= LEVELS or top > ROWS - SPARE:
        return 0
    return 1 if bits_float(t.control[at + STATIC]) >= beta else 0


def guessing(t: Thread, depth: i64, level: i64) -> i64:
    """The depth where no decision is known to try first: less (internal reduction)."""
    if t.control.bold == 1 and depth >= 4 and t.control[FRAMES + level * FRAME + HINT] == NONE:
        return depth - 1
    return depth


def reduction(t: Thread, depth: i64, level: i64) -> i64:
    """By how much less deep a decision is searched at first, that stands late in the order."""
    at = FRAMES + level * FRAME
    k = t.control[at + NUMBER]
    if t.control.late == 0 or depth < 3 or k < 3 or t.control[at + RANK] >= KILLER:
        return 0
    less = 1
    if t.control.bold == 1:
        if t.control[at + CALM] < 0:
            return 0
        less = boldly(depth, k)
    else:
        if k >= 8:
            less = 2
        if k >= 20 and depth >= 7:
            less = 3
    return less if less < depth - 1 else depth - 2


def boldly(depth: i64, k: i64) -> i64:
    """The reduction of depth for the k-th decision: the later it is, the more."""
    less = 1
    if k >= 6:
        less = 2
    if k >= 12 and depth >= 5:
        less = less + 1
    if k >= 4 and depth >= 7:
        less = less + 1
    if k >= 24 and depth >= 9:
        less = less + 1
    return less


def hopeless(t: Thread, depth: i64, alpha: f64, beta: f64, level: i64) -> i64:
    """Whether the decision that was picked need not be tried: it is late, or too much is missing.

    Not before another one was found that does not lose.
    """
    at = FRAMES + level * FRAME
    k = t.control[at + NUMBER]
    if t.control.bold == 0 or depth <= 0 or depth > 6 or k == 0 or t.control[at + CALM] < 0:
        return 0
    if t.control[at + RANK] >= KILLER or scouted(alpha, beta) == 0:
        return 0
    if bits_float(t.control[at + BEST]) < -real(SURE):
        return 0
    if k >= 3 + depth * depth:
        return 1
    return 1 if bits_float(t.control[at + STATIC]) + margin(t, depth + 1) <= alpha else 0


def leave_out(t: Thread, level: i64) -> None:
    """Count the decision that was picked as tried: it is not thought to be better."""
    at = FRAMES + level * FRAME
    t.control[at + PICKED] = 0
    t.control[at + NUMBER] += 1
    t.control[at + OPEN] = 1
    if bits_float(t.control[at + BEST]) < bits_float(t.control[at + LOW]):
        t.control[at + BEST] = t.control[at + LOW]


def changes(t: Thread, n: i64) -> f64:
    """How much an answer to a decision of the root changes what the evaluator says, on average."""
    total = 0.0
    count = 0
    for i in range(n):
        play(t.game, i * t.control.row, n)
        if t.game.state.result < 0 and t.game.state.fault == 0:
            end = decisions(t.game, n)
            before = value(t.game, t.factors)
            note(t, 1)
            skip = 1 + n * (end - n) // SAMPLES
            for j in range((end - n) // skip):
                play(t.game, (n + j * skip) * t.control.row, end)
                by = value(t.game, t.factors) - before
                if t.game.state.fault == 0:
                    total = total + (by if by > 0.0 else -by)
                    count = count + 1
                back(t, 1)
        back(t, 0)
    return total / real(count) if count > 0 else 0.0
