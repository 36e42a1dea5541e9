"""Alpha-beta over decisions: the same person may be at move twice, so no sign changes by itself.

Values belong to the person at move.  A win is WIN less its distance from the root, 0 a draw; a
position where looking stops is worth what the evaluator says, or 0.  `open` tells after each call
whether the value depends on such a position: a value that does not is proven.
"""

from __future__ import annotations

from rulewright.codegen.layout import DRAWN, RUNNING, STUCK
from rulewright.codegen.runtime import bits_float, f64, float_bits, i64, real
from rulewright.search.kernels.game import decisions, how_many, narrow, position_key, stuck, value
from rulewright.search.kernels.moving import back, failed, note, step, stopped
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

# what a frame holds, of `search` and then of `best_of`
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


def best_of(
    t: Thread, depth: i64, alpha: f64, beta: f64, level: i64, top: i64, n: i64, me: i64,
    again: i64,
) -> f64:  # fmt: skip
    """The value of the best ranked decision, tried in turn until one reaches *beta*.

    Behind the first one a scout asks whether a decision is better at all (principal variation
    search).  `chosen` is the row of the best.  *again*: goes on from its frame.
    """
    at = FRAMES + level * FRAME
    best = -real(WIN) - real(LEVELS)
    chosen = top
    open = 0
    low = alpha
    i = top
    k = 0
    wide = 0
    known = again  # whether the row to try is known, and need not be picked
    if again == 1:
        best = bits_float(t.control[at + BEST])
        chosen = t.control[at + CHOSEN]
        open = t.control[at + OPEN]
        low = bits_float(t.control[at + LOW])
        i = t.control[at + ROW]
        k = t.control[at + NUMBER]
        wide = t.control[at + WIDE]
    while k < n - top and best < beta:
        if known == 0:
            i = pick(t.ranks, top, n, k, i)
        edge = beta
        if k > 0 and wide == 0 and t.control.scout == 1:
            edge = above(low)
        v = try_row(t, i, depth, low, edge, level, n, me)
        if t.control.unwinding == 1:
            t.control[at + BEST] = float_bits(best)
            t.control[at + CHOSEN] = chosen
            t.control[at + OPEN] = open
            t.control[at + LOW] = float_bits(low)
            t.control[at + ROW] = i
            t.control[at + NUMBER] = k
            t.control[at + WIDE] = wide
            return 0.0
        if v > low and v < beta and edge < beta:
            wide = 1
            known = 1
        else:
            wide = 0
            known = 0
            open = open | t.control.open
            if v > best:
                best = v
                chosen = i
                if v > low:
                    low = v
                if v >= beta:
                    open = t.control.open
            k = k + 1
    if best >= beta:
        reward(t, me, level, chosen, top, n)
    t.control.chosen = chosen
    t.control.open = open
    return best


def search(t: Thread, depth: i64, alpha: f64, beta: f64, level: i64, top: i64) -> f64:
    """The value of a running position for the person at move, *depth* units deep."""
    me = t.game.state.mover ^ t.game.state.swapped
    at = FRAMES + level * FRAME
    again = 1 if t.control.resumed > level else 0
    trying = 0
    first = top
    key = 0
    hint = NONE
    n = top
    whole = top
    if t.control.table != 0:
        key = position_key(t.game.state)
    if again == 1:
        n = t.control[at + ENDS]
        whole = t.control[at + WHOLE]
        trying = t.control[at + TRYING]
        first = t.control[at + ROW]
        if t.control.resumed == level + 1:
            t.control.resumed = 0
    else:
        if t.control.table != 0:
            found = tt_probe(t.table, key, t.control.mask)
            if found >= 0:
                word = tt_word(t.table, found)
                v = from_root(bits_float(t.table[found + 1]), level)
                hint = tt_best(word)
                if useful(word, t.control.table, depth, v, alpha, beta) == 1:
                    t.control.open = tt_open(word)
                    return v
        n = decisions(t.game, top)
        if n == top or t.game.state.fault != 0:
            return nothing_to_play(t, me, level)
        whole = n
        if t.control.narrow == 1:
            n = narrow(t.game, top, n)
        if depth < t.control.look or hint != NONE or t.control.judge == 2:
            trying = 1
    note(t, level)
    chosen = -1
    best = 0.0
    if trying == 0:
        chosen = at_hand(t, depth, beta, level, first, n, me)
        best = bits_float(t.control.value)
    if chosen < 0 and t.control.unwinding == 0:
        if again == 0 or trying == 0:
            rank(t, me, level, top, n)
            if hint < n - top:
                t.ranks[top + hint] = FIRST
        best = best_of(t, depth, alpha, beta, level, top, n, me, again & trying)
        chosen = t.control.chosen
        trying = 1
    if t.control.unwinding == 1:
        t.control[at + ENDS] = n
        t.control[at + WHOLE] = whole
        t.control[at + TRYING] = trying
        return 0.0
    if best > real(SURE) or best < -real(SURE):
        t.control.open = 0
    if n < whole and best <= real(SURE):  # what was left out may be better
        t.control.open = 1
        if best < -real(SURE):
            best = -real(SURE) / 2.0
    if t.control.table != 0:
        remember(t, key, depth, alpha, beta, level, best, chosen - top)
    return best
