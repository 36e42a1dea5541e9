"""Which decision to try first: the table's, killers, then what cut off elsewhere (history).

B holds a count for each person and mark (a hash of a decision's row), then two killers for each
level.  O holds the rank of each row of M, TRIED for one that was tried.
"""

from __future__ import annotations

from rulewright.codegen.runtime import i64, ints, shift_right, wrap_mul
from rulewright.search.kernels.layout import HISTORY_SIZE, KILLERS, ROW

PICKS = 12  # decisions that are picked by rank; the rest come in the game's order
FIRST = 4611686018427387904
KILLER = 2305843009213693952
TRIED = -4611686018427387904


def mark(M: ints, C: ints, number: i64) -> i64:
    """A hash of a decision, without what it leaves of the turn."""
    at = number * C[ROW]
    h = M[at]
    for i in range(at + 2, at + C[ROW]):
        h = wrap_mul(h ^ M[i], 5871781006564002453)
        h = h ^ shift_right(h, 29)
    return h


def rank(M: ints, C: ints, O: ints, B: ints, me: i64, level: i64, top: i64, n: i64) -> None:
    """Give every row its rank."""
    one = B[KILLERS + 2 * level]
    two = B[KILLERS + 2 * level + 1]
    for i in range(top, n):
        m = mark(M, C, i)
        O[i] = B[me * HISTORY_SIZE + (m & 4095)]
        if m == one:
            O[i] = KILLER + 1
        elif m == two:
            O[i] = KILLER


def pick(O: ints, top: i64, n: i64, k: i64, last: i64) -> i64:
    """The k-th row to try, after *last*: the best by rank, later on the next one in order."""
    best = top
    if k >= PICKS:
        if k > PICKS:
            best = last + 1
        while O[best] == TRIED:
            best = best + 1
    else:
        for i in range(top + 1, n):
            if O[i] > O[best]:
                best = i
    O[best] = TRIED
    return best


def reward(
    M: ints, C: ints, B: ints, O: ints, me: i64, level: i64, number: i64, top: i64, n: i64
) -> None:
    """A decision cut off: try it earlier, here and elsewhere, and those tried in vain later."""
    m = mark(M, C, number)
    at = KILLERS + 2 * level
    if B[at] != m:
        B[at + 1] = B[at]
        B[at] = m
    tried = 0
    for i in range(top, n):
        if O[i] == TRIED and i != number:
            h = me * HISTORY_SIZE + (mark(M, C, i) & 4095)
            B[h] = B[h] - 1
            tried = tried + 1
    h = me * HISTORY_SIZE + (m & 4095)
    B[h] = B[h] + tried
