"""A beam over decisions by the values of moves: only the best few are played and looked behind.

A decision is worth its weight and a share of the best that whoever decides next can then do, all
seen by one person, `me`.  F: factors of the evaluator.  Y: positions to go back to, one for each
level.  C: control.  B: how many decisions are kept at each level.  W: the weight of each row, O:
whether it was taken.  L: the best line from each level on, in rows of LINE words: its length, then
the numbers of its decisions.
"""

from __future__ import annotations

from rulewright.codegen.layout import FAULT, MOVER, RESULT, RUNNING, SWAPPED, TOO_MANY
from rulewright.codegen.runtime import f64, floats, i64, ints, volatile
from rulewright.search.kernels.game import decisions, judges, look, worth
from rulewright.search.kernels.layout import (
    FOUND,
    LINE,
    NODES,
    ROW,
    ROWS,
    SPARE,
    STOP,
)
from rulewright.search.kernels.settle import failed, settle
from rulewright.search.kernels.undo import back, note


def weigh(
    S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, F: floats, C: ints, W: floats, O: ints,
    top: i64, n: i64, me: i64,
) -> i64:  # fmt: skip
    """Write the weights of decisions for a person; how many are judged at all."""
    look(S, K, M, H, X, T, F)
    count = 0
    for i in range(top, n):
        if volatile(C, STOP) != 0:
            return 0
        O[i] = 1
        if judges(M, i * C[ROW]) == 1:
            v = worth(S, K, M, H, X, T, F, i * C[ROW])
            W[i] = v if S[SWAPPED] == me else -v
            O[i] = 0
            count = count + 1
            C[NODES] = C[NODES] + 1
    if S[FAULT] != 0:
        failed(C, S[FAULT])
    return count


def heaviest(W: floats, O: ints, top: i64, n: i64, mine: i64) -> i64:
    """The first of the best rows that were not taken yet, for whoever decides."""
    best = -1
    for i in range(top, n):
        if O[i] == 0:
            if best < 0:
                best = i
            elif mine == 1 and W[i] > W[best]:
                best = i
            elif mine == 0 and W[i] < W[best]:
                best = i
    return best


def lead(L: ints, level: i64, number: i64) -> None:
    """The best line of a level is this decision, and behind it the best line of the next level."""
    at = level * LINE
    L[at] = L[at + LINE] + 1
    L[at + 1] = number
    for i in range(1, L[at]):
        L[at + 1 + i] = L[at + LINE + i]


def behind(
    S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, F: floats, Y: ints, C: ints, B: ints,
    W: floats, O: ints, L: ints, number: i64, weight: f64, share: f64, last: i64, level: i64,
    n: i64, me: i64,
) -> f64:  # fmt: skip
    """The value of a decision with what is likely to follow; the position stays as it was."""
    L[(level + 1) * LINE] = 0
    if level >= last:
        return weight
    note(S, Y, C, level)
    settle(S, K, M, H, X, T, C, number, n)
    v = weight
    if volatile(C, STOP) == 0 and S[RESULT] == RUNNING:
        reply = best_reply(S, K, M, H, X, T, F, Y, C, B, W, O, L, share, last, level + 1, n, me)
        if C[FOUND] == 1:
            v = weight + share * reply
    back(S, Y, C, level)
    return v


def best_reply(
    S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, F: floats, Y: ints, C: ints, B: ints,
    W: floats, O: ints, L: ints, share: f64, last: i64, level: i64, top: i64, me: i64,
) -> f64:  # fmt: skip
    """The value of the best decision of a running position; C[FOUND] is 0 where none is judged."""
    C[FOUND] = 0
    L[level * LINE] = 0
    if top > ROWS - SPARE:
        failed(C, TOO_MANY)
        return 0.0
    mine = 1 if S[MOVER] ^ S[SWAPPED] == me else 0
    n = decisions(S, K, M, H, X, T, top)
    if S[FAULT] != 0:
        failed(C, S[FAULT])
        return 0.0
    kept = weigh(S, K, M, H, X, T, F, C, W, O, top, n, me)
    if kept > B[level]:
        kept = B[level]
    best = 0.0
    for k in range(kept):
        i = heaviest(W, O, top, n, mine)
        O[i] = 1
        v = behind(S, K, M, H, X, T, F, Y, C, B, W, O, L, i, W[i], share, last, level, n, me)
        if volatile(C, STOP) != 0:
            return 0.0
        if k == 0 or (mine == 1 and v > best) or (mine == 0 and v < best):
            best = v
            lead(L, level, i - top)
    C[FOUND] = 1 if kept > 0 else 0
    return best
