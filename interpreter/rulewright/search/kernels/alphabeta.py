"""Alpha-beta over decisions: the same person may be at move twice, so no sign changes by itself.

Values belong to the person at move.  A win is WIN less its distance from the root, 0 a draw; a
position where looking stops is worth what the evaluator says, or 0.  `open` tells after each call
whether the value depends on such a position: a value that does not is proven.
"""

from __future__ import annotations

from rulewright.codegen.layout import DRAWN, RUNNING, STUCK
from rulewright.codegen.runtime import bits_float, f64, float_bits, i64, real
from rulewright.search.kernels.game import decisions, how_many, narrow, position_key, stuck, value
from rulewright.search.kernels.moving import back, entered_again, failed, note, step, stopped
from rulewright.search.kernels.table import (
    EXACT,
    FIRST,
    LOWER,
    NONE,
    UPPER,
    from_level,
    from_root,
    pick,
    rank,
    reward,
    tt_best,
    tt_bound,
    tt_depth,
    tt_open,
    tt_probe,
    tt_store,
    tt_word,
)
from rulewright.search.kernels.thread import (
    AT_LEAST,
    FRAME,
    FRAMES,
    LEVELS,
    ORDER_ONLY,
    ROWS,
    SAME_DEPTH,
    SPARE,
    SURE,
    WIN,
    Thread,
)

# what a frame holds: all that a level knows, so that it can go on later
ENDS = 0  # the row behind the last one, with and without those that are left out
WHOLE = 1
TRYING = 2  # 0 while ends at hand are looked for, 1 while decisions are tried in turn
ROW = 3  # the row that is looked at
NUMBER = 4  # how many were tried before it
CHOSEN = 5  # the best row so far, whether its value is open, the value, the lower bound
OPEN = 6
BEST = 7
LOW = 8
WIDE = 9  # 1 while the row is searched again with the whole window
PICKED = 10  # whether the row to try is known, and need not be picked
HINT = 11  # the number of the decision that the table says to try first, or NONE


def above(x: f64) -> f64:
    """The next float above."""
    if x == 0.0:
        return bits_float(1)
    if x > 0.0:
        return bits_float(float_bits(x) + 1)
    return bits_float(float_bits(x) - 1)


def static_evaluation(t: Thread, me: i64) -> f64:
    """What the evaluator says, for a person; kept well below a win.  A fault ends the search."""
    v = value(t.game, t.factors)
    if t.game.state.fault != 0:
        failed(t, t.game.state.fault)
    most = real(SURE) / 2.0
    if v > most:
        v = most
    if v < -most:
        v = -most
    return v if t.game.state.swapped == me else -v


def ended(t: Thread, me: i64, level: i64) -> f64:
    """The value of a finished game for a person, *level* decisions from the root."""
    t.control.open = 0
    if t.control.judge == 2:
        return static_evaluation(t, me)
    if t.game.state.result == DRAWN:
        return 0.0
    v = real(WIN - t.control.step * level)
    return v if t.game.state.result ^ t.game.state.swapped == me else -v


def horizon(t: Thread, me: i64, level: i64, n: i64) -> f64:
    """The value of a position beyond which nothing is looked at.

    A position without decisions may be the end of the game, which only counting them tells.
    """
    if t.control.judge == 1 and t.control.dry == 1 and how_many(t.game, n) == 0:
        t.game.state.result = stuck(t.game)
        if t.game.state.result != RUNNING:
            return ended(t, me, level)
    t.control.open = 1
    if t.control.judge == 0:
        return 0.0
    return static_evaluation(t, me)


def try_row(
    t: Thread, number: i64, depth: i64, alpha: f64, beta: f64, level: i64, n: i64, me: i64
) -> f64:
    """The value of a decision for the person at move, who is *me*; the position stays as it was."""
    turn = t.game.state.ply
    step(t, number, n)
    v = 0.0
    if stopped(t, level) == 0:
        left = depth - 1
        if t.control.turns == 1 and t.game.state.ply == turn:
            left = depth
        if t.game.state.result != RUNNING:
            v = ended(t, me, level + 1)
        elif left <= 0 or level + 2 >= LEVELS or n > ROWS - SPARE:
            v = horizon(t, me, level + 1, n)
        elif t.game.state.mover ^ t.game.state.swapped == me:
            v = search(t, left, alpha, beta, level + 1, n)
        else:
            v = -search(t, left, -beta, -alpha, level + 1, n)
    back(t, level)
    return v


def fits(word: i64, mode: i64, depth: i64) -> i64:
    """Whether an entry of the table was searched as deep as it has to be."""
    deep = tt_depth(word)
    if mode == AT_LEAST and (deep >= depth or tt_open(word) == 0):
        return 1
    if mode == SAME_DEPTH and (deep == depth or (deep < depth and tt_open(word) == 0)):
        return 1
    return 0


def at_hand(t: Thread, depth: i64, beta: f64, level: i64, first: i64, n: i64, me: i64) -> i64:
    """A decision from *first* on that is good enough as it stands, -1 if there is none.

    It wins at once, or the table knows what it leads to; its value is handed back in `value`.
    """
    turn = t.game.state.ply
    for i in range(first, n):
        step(t, i, n)
        if stopped(t, level) == 1:
            back(t, level)
            t.control[FRAMES + level * FRAME + ROW] = i
            return -1
        v = -2.0 * real(WIN)
        if t.game.state.result == RUNNING:
            left = depth if t.control.turns == 1 and t.game.state.ply == turn else depth - 1
            if t.control.table > ORDER_ONLY and left > 1:
                v = remembered(t, left, beta, level + 1, me)
        elif t.game.state.result != DRAWN and t.game.state.result ^ t.game.state.swapped == me:
            t.control.open = 0
            v = real(WIN - t.control.step * (level + 1))
            t.control.value = float_bits(v)
            back(t, level)
            return i
        back(t, level)
        if v >= beta:
            t.control.value = float_bits(v)
            return i
    return -1


def remembered(t: Thread, depth: i64, beta: f64, level: i64, me: i64) -> f64:
    """A value of at least *beta* for a person, if the table knows one; else less than that."""
    low = -2.0 * real(WIN)
    at = tt_probe(t.table, position_key(t.game.state), t.control.mask)
    if at < 0:
        return low
    word = tt_word(t.table, at)
    v = from_root(bits_float(t.table[at + 1]), level)
    wrong = UPPER
    if t.game.state.mover ^ t.game.state.swapped != me:
        v = -v
        wrong = LOWER
    if v < beta or tt_bound(word) == wrong or fits(word, t.control.table, depth) == 0:
        return low
    t.control.open = tt_open(word)
    return v


def useful(word: i64, mode: i64, depth: i64, v: f64, alpha: f64, beta: f64) -> i64:
    """Whether an entry of the table settles a search of *depth* with this window."""
    if fits(word, mode, depth) == 0:
        return 0
    bound = tt_bound(word)
    if bound == EXACT or (bound == LOWER and v >= beta) or (bound == UPPER and v <= alpha):
        return 1
    return 0


def nothing_to_play(t: Thread, me: i64, level: i64) -> f64:
    """The value for a person at move without a decision, or whose decisions are at fault."""
    if t.game.state.fault == 0:
        t.game.state.result = stuck(t.game)
    if t.game.state.result == RUNNING or t.game.state.fault != 0:
        failed(t, STUCK if t.game.state.fault == 0 else t.game.state.fault)
        return 0.0
    return ended(t, me, level)


def remember(
    t: Thread, key: i64, depth: i64, alpha: f64, beta: f64, level: i64, best: f64, number: i64
) -> None:
    """Write what a search has found into the table."""
    bound = EXACT
    if best >= beta:
        bound = LOWER
    elif best <= alpha:
        bound = UPPER
    if number > NONE:
        number = NONE
    v = from_level(best, level)
    tt_store(t.table, key, t.control.mask, depth, t.control.age, v, bound, t.control.open, number)


def begin_trying(t: Thread, level: i64, me: i64, top: i64, n: i64) -> None:
    """Decisions are tried in turn from here on, the one of the table before all others."""
    at = FRAMES + level * FRAME
    rank(t, me, level, top, n)
    if t.control[at + HINT] < n - top:
        t.ranks[top + t.control[at + HINT]] = FIRST
    t.control[at + TRYING] = 1
    t.control[at + ROW] = top
    t.control[at + NUMBER] = 0
    t.control[at + PICKED] = 0
    t.control[at + WIDE] = 0
    t.control[at + CHOSEN] = top
    t.control[at + OPEN] = 0
    t.control[at + BEST] = float_bits(-real(WIN) - real(LEVELS))


def count_in(t: Thread, level: i64, v: f64, beta: f64) -> None:
    """A decision has its value: it may be the best one so far."""
    at = FRAMES + level * FRAME
    t.control[at + WIDE] = 0
    t.control[at + PICKED] = 0
    t.control[at + NUMBER] += 1
    t.control[at + OPEN] = t.control[at + OPEN] | t.control.open
    if v > bits_float(t.control[at + BEST]):
        t.control[at + BEST] = float_bits(v)
        t.control[at + CHOSEN] = t.control[at + ROW]
        if v > bits_float(t.control[at + LOW]):
            t.control[at + LOW] = float_bits(v)
        if v >= beta:
            t.control[at + OPEN] = t.control.open


def try_in_turn(t: Thread, depth: i64, beta: f64, level: i64, top: i64, n: i64, me: i64) -> None:
    """Find the best ranked decision, tried in turn until one reaches *beta*.

    Behind the first one a scout asks whether a decision is better at all (principal variation
    search).
    """
    at = FRAMES + level * FRAME
    while t.control[at + NUMBER] < n - top and bits_float(t.control[at + BEST]) < beta:
        k = t.control[at + NUMBER]
        if t.control[at + PICKED] == 0:
            t.control[at + ROW] = pick(t.ranks, top, n, k, t.control[at + ROW])
            t.control[at + PICKED] = 1
        low = bits_float(t.control[at + LOW])
        edge = beta
        if k > 0 and t.control[at + WIDE] == 0 and t.control.scout == 1:
            edge = above(low)
        v = try_row(t, t.control[at + ROW], depth, low, edge, level, n, me)
        if t.control.unwinding == 1:
            return
        if v > low and v < beta and edge < beta:
            t.control[at + WIDE] = 1
        else:
            count_in(t, level, v, beta)
    if bits_float(t.control[at + BEST]) >= beta:
        reward(t, me, level, t.control[at + CHOSEN], top, n)


def looked_up(t: Thread, key: i64, depth: i64, alpha: f64, beta: f64, level: i64) -> i64:
    """Whether the table knows the value of a position, which is handed back in `value`.

    Else its best decision is noted, where it knows one.
    """
    t.control[FRAMES + level * FRAME + HINT] = NONE
    if t.control.table == 0:
        return 0
    found = tt_probe(t.table, key, t.control.mask)
    if found < 0:
        return 0
    word = tt_word(t.table, found)
    v = from_root(bits_float(t.table[found + 1]), level)
    t.control[FRAMES + level * FRAME + HINT] = tt_best(word)
    if useful(word, t.control.table, depth, v, alpha, beta) == 0:
        return 0
    t.control.open = tt_open(word)
    t.control.value = float_bits(v)
    return 1


def listed(t: Thread, depth: i64, alpha: f64, level: i64, top: i64) -> i64:
    """List the decisions of a position that is searched; 0 if there are none, or a fault."""
    at = FRAMES + level * FRAME
    n = decisions(t.game, top)
    if n == top or t.game.state.fault != 0:
        return 0
    t.control[at + WHOLE] = n
    t.control[at + ENDS] = narrow(t.game, top, n) if t.control.narrow == 1 else n
    t.control[at + LOW] = float_bits(alpha)
    t.control[at + ROW] = top
    t.control[at + TRYING] = 0
    if depth < t.control.look or t.control[at + HINT] != NONE or t.control.judge == 2:
        t.control[at + TRYING] = 1
    return 1


def summed_up(
    t: Thread, key: i64, depth: i64, alpha: f64, beta: f64, level: i64, top: i64, best: f64
) -> f64:  # fmt: skip
    """The value of a position whose decisions were tried, remembered; `chosen` is the best row."""
    at = FRAMES + level * FRAME
    if best > real(SURE) or best < -real(SURE):
        t.control.open = 0
    # what was left out may be better
    if t.control[at + ENDS] < t.control[at + WHOLE] and best <= real(SURE):
        t.control.open = 1
        if best < -real(SURE):
            best = -real(SURE) / 2.0
    if t.control.table != 0:
        remember(t, key, depth, alpha, beta, level, best, t.control.chosen - top)
    return best


def search(t: Thread, depth: i64, alpha: f64, beta: f64, level: i64, top: i64) -> f64:
    """The value of a running position for the person at move, *depth* units deep."""
    me = t.game.state.mover ^ t.game.state.swapped
    at = FRAMES + level * FRAME
    key = 0
    if t.control.table != 0:
        key = position_key(t.game.state)
    fresh = 1 - entered_again(t, level)
    if fresh == 1:
        if looked_up(t, key, depth, alpha, beta, level) == 1:
            return bits_float(t.control.value)
        if listed(t, depth, alpha, level, top) == 0:
            return nothing_to_play(t, me, level)
    note(t, level)
    n = t.control[at + ENDS]
    if t.control[at + TRYING] == 0:
        t.control.chosen = at_hand(t, depth, beta, level, t.control[at + ROW], n, me)
        if t.control.unwinding == 1:
            return 0.0
        if t.control.chosen >= 0:
            best = bits_float(t.control.value)
            return summed_up(t, key, depth, alpha, beta, level, top, best)
        fresh = 1
    if fresh == 1:
        begin_trying(t, level, me, top, n)
    try_in_turn(t, depth, beta, level, top, n, me)
    if t.control.unwinding == 1:
        return 0.0
    t.control.chosen = t.control[at + CHOSEN]
    t.control.open = t.control[at + OPEN]
    return summed_up(t, key, depth, alpha, beta, level, top, bits_float(t.control[at + BEST]))
