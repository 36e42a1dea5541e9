"""Alpha-beta over decisions: the same person may be at move twice, so no sign changes by itself.

Values belong to the person at move.  A win is WIN less its distance from the root, 0 a draw; a
position where looking stops is worth what the evaluator says, or 0.  C[OPEN] tells after each call
whether the value depends on such a position: a value that does not is proven.

F: factors of the evaluator.  Y: positions to go back to, one for each level.  C: control.  G: the
table.  O, B: ordering.
"""

from __future__ import annotations

from rulewright.codegen.layout import DRAWN, FAULT, MOVER, PLY, RESULT, RUNNING, STUCK, SWAPPED
from rulewright.codegen.runtime import (
    bits_float,
    f64,
    float_bits,
    floats,
    i64,
    ints,
    real,
    volatile,
)
from rulewright.search.kernels.game import (
    decisions,
    how_many,
    narrow,
    play,
    position_key,
    stuck,
    value,
)
from rulewright.search.kernels.layout import (
    AGE,
    AT_LEAST,
    CHOSEN,
    DRY,
    FAULTED,
    JUDGE,
    LEVELS,
    LOOK,
    MASK,
    NARROW,
    NODE_LIMIT,
    NODES,
    OPEN,
    ORDER_ONLY,
    ROW,
    ROWS,
    SAME_DEPTH,
    SCOUT,
    SPARE,
    STEP,
    STOP,
    SURE,
    TABLE,
    UNIT,
    VALUE,
    WIN,
)
from rulewright.search.kernels.ordering import FIRST, pick, rank, reward
from rulewright.search.kernels.table import (
    EXACT,
    LOWER,
    NONE,
    UPPER,
    facts,
    facts_best,
    facts_bound,
    facts_depth,
    facts_open,
    find,
    keep,
    lifted,
    lowered,
)
from rulewright.search.kernels.undo import back, note


def above(x: f64) -> f64:
    """The next float above."""
    if x == 0.0:
        return bits_float(1)
    if x > 0.0:
        return bits_float(float_bits(x) + 1)
    return bits_float(float_bits(x) - 1)


def judged(
    S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, F: floats, C: ints, me: i64
) -> f64:
    """What the evaluator says, for a person; kept well below a win.  A fault ends the search."""
    v = value(S, K, M, H, X, T, F)
    if S[FAULT] != 0:
        C[FAULTED] = S[FAULT]
        C[STOP] = 1
    most = real(SURE) / 2.0
    if v > most:
        v = most
    if v < -most:
        v = -most
    return v if S[SWAPPED] == me else -v


def ended(
    S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, F: floats, C: ints, me: i64, level: i64
) -> f64:
    """The value of a finished game for a person, *level* decisions from the root."""
    C[OPEN] = 0
    if C[JUDGE] == 2:
        return judged(S, K, M, H, X, T, F, C, me)
    if S[RESULT] == DRAWN:
        return 0.0
    v = real(WIN - C[STEP] * level)
    return v if S[RESULT] ^ S[SWAPPED] == me else -v


def horizon(
    S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, F: floats, C: ints, me: i64, level: i64,
    n: i64,
) -> f64:  # fmt: skip
    """The value of a position beyond which nothing is looked at.

    A position without decisions may be the end of the game, which only counting them tells.
    """
    if C[JUDGE] == 1 and C[DRY] == 1 and how_many(S, K, M, H, X, T, n) == 0:
        S[RESULT] = stuck(S, K, M, H, X, T)
        if S[RESULT] != RUNNING:
            return ended(S, K, M, H, X, T, F, C, me, level)
    C[OPEN] = 1
    if C[JUDGE] == 0:
        return 0.0
    return judged(S, K, M, H, X, T, F, C, me)


def step(
    S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, C: ints, number: i64, n: i64
) -> None:
    """Play a decision and count it; a fault or a limit ends the whole search."""
    play(S, K, M, H, X, T, number * C[ROW], n)
    C[NODES] = C[NODES] + 1
    if C[NODES] >= C[NODE_LIMIT]:
        C[STOP] = 1
    if S[FAULT] != 0:
        C[FAULTED] = S[FAULT]
        C[STOP] = 1


def try_row(
    S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, F: floats, Y: ints, C: ints, G: ints,
    O: ints, B: ints, number: i64, depth: i64, alpha: f64, beta: f64, level: i64, n: i64, me: i64,
) -> f64:  # fmt: skip
    """The value of a decision for the person at move, who is *me*; the position stays as it was."""
    turn = S[PLY]
    step(S, K, M, H, X, T, C, number, n)
    v = 0.0
    if volatile(C, STOP) == 0:
        left = depth - 1
        if C[UNIT] == 1 and S[PLY] == turn:
            left = depth
        if S[RESULT] != RUNNING:
            v = ended(S, K, M, H, X, T, F, C, me, level + 1)
        elif left <= 0 or level + 2 >= LEVELS or n > ROWS - SPARE:
            v = horizon(S, K, M, H, X, T, F, C, me, level + 1, n)
        elif S[MOVER] ^ S[SWAPPED] == me:
            v = search(S, K, M, H, X, T, F, Y, C, G, O, B, left, alpha, beta, level + 1, n)
        else:
            v = -search(S, K, M, H, X, T, F, Y, C, G, O, B, left, -beta, -alpha, level + 1, n)
    back(S, Y, C, level)
    return v


def fits(word: i64, mode: i64, depth: i64) -> i64:
    """Whether an entry of the table was searched as deep as it has to be."""
    deep = facts_depth(word)
    if mode == AT_LEAST and (deep >= depth or facts_open(word) == 0):
        return 1
    if mode == SAME_DEPTH and (deep == depth or (deep < depth and facts_open(word) == 0)):
        return 1
    return 0


def at_hand(
    S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, Y: ints, C: ints, G: ints, depth: i64,
    beta: f64, level: i64, top: i64, n: i64, me: i64,
) -> i64:  # fmt: skip
    """A decision that is good enough as it stands, -1 if there is none; its value is in C[VALUE].

    It wins at once, or the table knows what it leads to.
    """
    turn = S[PLY]
    for i in range(top, n):
        step(S, K, M, H, X, T, C, i, n)
        v = -2.0 * real(WIN)
        if S[RESULT] == RUNNING:
            left = depth if C[UNIT] == 1 and S[PLY] == turn else depth - 1
            if C[TABLE] > ORDER_ONLY and left > 1:
                v = remembered(S, C, G, left, beta, level + 1, me)
        elif S[RESULT] != DRAWN and S[RESULT] ^ S[SWAPPED] == me:
            C[OPEN] = 0
            v = real(WIN - C[STEP] * (level + 1))
            C[VALUE] = float_bits(v)
            back(S, Y, C, level)
            return i
        back(S, Y, C, level)
        if volatile(C, STOP) != 0:
            return -1
        if v >= beta:
            C[VALUE] = float_bits(v)
            return i
    return -1


def remembered(S: ints, C: ints, G: ints, depth: i64, beta: f64, level: i64, me: i64) -> f64:
    """A value of at least *beta* for a person, if the table knows one; else less than that."""
    low = -2.0 * real(WIN)
    at = find(G, position_key(S), C[MASK])
    if at < 0:
        return low
    word = facts(G, at)
    v = lifted(bits_float(G[at + 1]), level)
    wrong = UPPER
    if S[MOVER] ^ S[SWAPPED] != me:
        v = -v
        wrong = LOWER
    if v < beta or facts_bound(word) == wrong or fits(word, C[TABLE], depth) == 0:
        return low
    C[OPEN] = facts_open(word)
    return v


def useful(word: i64, mode: i64, depth: i64, v: f64, alpha: f64, beta: f64) -> i64:
    """Whether an entry of the table settles a search of *depth* with this window."""
    if fits(word, mode, depth) == 0:
        return 0
    bound = facts_bound(word)
    if bound == EXACT or (bound == LOWER and v >= beta) or (bound == UPPER and v <= alpha):
        return 1
    return 0


def nothing_to_play(
    S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, F: floats, C: ints, me: i64, level: i64
) -> f64:
    """The value for a person at move without a decision, or whose decisions are at fault."""
    if S[FAULT] == 0:
        S[RESULT] = stuck(S, K, M, H, X, T)
    if S[RESULT] == RUNNING or S[FAULT] != 0:
        C[FAULTED] = STUCK if S[FAULT] == 0 else S[FAULT]
        C[STOP] = 1
        return 0.0
    return ended(S, K, M, H, X, T, F, C, me, level)


def remember(
    C: ints,
    G: ints,
    key: i64,
    depth: i64,
    alpha: f64,
    beta: f64,
    level: i64,
    best: f64,
    number: i64,
) -> None:
    """Write what a search has found into the table."""
    bound = EXACT
    if best >= beta:
        bound = LOWER
    elif best <= alpha:
        bound = UPPER
    if number > NONE:
        number = NONE
    keep(G, key, C[MASK], depth, C[AGE], lowered(best, level), bound, C[OPEN], number)


def best_of(
    S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, F: floats, Y: ints, C: ints, G: ints,
    O: ints, B: ints, depth: i64, alpha: f64, beta: f64, level: i64, top: i64, n: i64, me: i64,
) -> f64:  # fmt: skip
    """The value of the best ranked decision, tried in turn until one reaches *beta*.

    Behind the first one a scout asks whether a decision is better at all (principal variation
    search).  C[CHOSEN] is the row of the best.
    """
    best = -real(WIN) - real(LEVELS)
    chosen = top
    open = 0
    low = alpha
    i = top
    k = 0
    while k < n - top and best < beta:
        i = pick(O, top, n, k, i)
        edge = beta
        if k > 0 and C[SCOUT] == 1:
            edge = above(low)
        v = try_row(S, K, M, H, X, T, F, Y, C, G, O, B, i, depth, low, edge, level, n, me)
        if v > low and v < beta and edge < beta and volatile(C, STOP) == 0:
            v = try_row(S, K, M, H, X, T, F, Y, C, G, O, B, i, depth, low, beta, level, n, me)
        if volatile(C, STOP) != 0:
            return 0.0
        open = open | C[OPEN]
        if v > best:
            best = v
            chosen = i
            if v > low:
                low = v
            if v >= beta:
                open = C[OPEN]
        k = k + 1
    if best >= beta:
        reward(M, C, B, O, me, level, chosen, top, n)
    C[CHOSEN] = chosen
    C[OPEN] = open
    return best


def search(
    S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, F: floats, Y: ints, C: ints, G: ints,
    O: ints, B: ints, depth: i64, alpha: f64, beta: f64, level: i64, top: i64,
) -> f64:  # fmt: skip
    """The value of a running position for the person at move, *depth* units deep."""
    me = S[MOVER] ^ S[SWAPPED]
    key = 0
    hint = NONE
    if C[TABLE] != 0:
        key = position_key(S)
        at = find(G, key, C[MASK])
        if at >= 0:
            word = facts(G, at)
            v = lifted(bits_float(G[at + 1]), level)
            hint = facts_best(word)
            if useful(word, C[TABLE], depth, v, alpha, beta) == 1:
                C[OPEN] = facts_open(word)
                return v
    n = decisions(S, K, M, H, X, T, top)
    if n == top or S[FAULT] != 0:
        return nothing_to_play(S, K, M, H, X, T, F, C, me, level)
    whole = n
    if C[NARROW] == 1:
        n = narrow(S, K, M, H, X, T, top, n)
    note(S, Y, C, level)
    chosen = -1
    if depth >= C[LOOK] and hint == NONE and C[JUDGE] != 2:
        chosen = at_hand(S, K, M, H, X, T, Y, C, G, depth, beta, level, top, n, me)
    best = bits_float(C[VALUE])
    if chosen < 0 and volatile(C, STOP) == 0:
        rank(M, C, O, B, me, level, top, n)
        if hint < n - top:
            O[top + hint] = FIRST
        best = best_of(S, K, M, H, X, T, F, Y, C, G, O, B, depth, alpha, beta, level, top, n, me)
        chosen = C[CHOSEN]
    if volatile(C, STOP) != 0:
        return 0.0
    if best > real(SURE) or best < -real(SURE):
        C[OPEN] = 0
    if n < whole and best <= real(SURE):  # what was left out may be better
        C[OPEN] = 1
        if best < -real(SURE):
            best = -real(SURE) / 2.0
    if C[TABLE] != 0:
        remember(C, G, key, depth, alpha, beta, level, best, chosen - top)
    return best
