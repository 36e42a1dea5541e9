"""Proof numbers: can a person force at least this result?  Depth first, with a table (df-pn).

A node's proof number says how many positions beyond it have to be proven, at the least, to prove
it; its disproof number the same for the contrary (Allis 1994, Nagai 2002).  Where all decisions
have to be proven, the numbers are not added up, as that counts positions twice that are reached in
several ways: the largest counts, and one for each other (weak proof numbers, Ueda et al. 2008).

Seen by who is at move, PHI is the number of the own goal and DELTA that of the other's.  G holds
entries of four words: hash, PHI, DELTA, and the work spent; two entries are a bucket.  D holds the
hash of what each row of M leads to, or PROVEN, LOST.
"""

from __future__ import annotations

from rulewright.codegen.layout import DRAWN, FAULT, MOVER, RESULT, RUNNING, STUCK, SWAPPED
from rulewright.codegen.runtime import i64, ints, volatile, wrap_mul
from rulewright.search.kernels.alphabeta import step
from rulewright.search.kernels.game import decisions, position_key, stuck
from rulewright.search.kernels.layout import (
    FAULTED,
    LEAST,
    LEVELS,
    MASK,
    NODES,
    OPEN,
    ROWS,
    SECOND,
    SPARE,
    STOP,
    UNDECIDED,
    WEAK,
)
from rulewright.search.kernels.undo import back, note

ENDLESS = 1073741824  # a proof number that cannot be reached
PROVEN = -1
LOST = -2
KEY = 0
PHI = 1
DELTA = 2
WORK = 3


def place_of(G: ints, key: i64, mask: i64) -> i64:
    """Where the entry of a position lies, -1 if there is none."""
    at = (key & mask) * 8
    if G[at + KEY] == key:
        return at
    if G[at + 4 + KEY] == key:
        return at + 4
    return -1


def write(G: ints, key: i64, mask: i64, phi: i64, delta: i64, work: i64) -> None:
    """Keep an entry in place of its older one, or of the one with less work."""
    at = (key & mask) * 8
    if G[at + KEY] != key and (G[at + 4 + KEY] == key or G[at + 4 + WORK] < G[at + WORK]):
        at = at + 4
    G[at + KEY] = key
    G[at + PHI] = phi
    G[at + DELTA] = delta
    G[at + WORK] = work


def reached(S: ints, who: i64, least: i64) -> i64:
    """Whether a finished game gives the person at least the result (1 a win, 0 a draw)."""
    if S[RESULT] == DRAWN:
        return 1 - least
    return 1 if S[RESULT] ^ S[SWAPPED] == who else 0


def look(
    S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, Y: ints, C: ints, D: ints, who: i64,
    least: i64, level: i64, top: i64, n: i64, me: i64,
) -> i64:  # fmt: skip
    """Note what every decision leads to; whether one of them settles it for *me* at once."""
    for i in range(top, n):
        step(S, K, M, H, X, T, C, i, n)
        if volatile(C, STOP) != 0:
            return 0
        if S[RESULT] != RUNNING:
            mine = 1 if reached(S, who, least) == 1 and me == who else 0
            if reached(S, who, least) == 0 and me != who:
                mine = 1
            D[i] = PROVEN if mine == 1 else LOST
        else:
            D[i] = position_key(S) * 2 + (1 if S[MOVER] ^ S[SWAPPED] == me else 0)
        back(S, Y, C, level)
        if D[i] == PROVEN:
            return 1
    return 0


def salted(key: i64, least: i64, who: i64) -> i64:
    """A hash for a position and a goal together; never 0."""
    return (wrap_mul(key >> 1, 2862933555777941757 + 4 * least + 2 * who) >> 1) | 1


def weigh(C: ints, G: ints, D: ints, who: i64, least: i64, top: i64, n: i64) -> i64:
    """The decision to look at next, -1 if there is none; the numbers are left in C."""
    best = -1
    most = 0
    C[LEAST] = ENDLESS
    C[SECOND] = ENDLESS
    C[UNDECIDED] = 0
    for i in range(top, n):
        one = ENDLESS
        other = 0
        if D[i] >= 0:
            one = 1
            other = 1
            found = place_of(G, salted(D[i], least, who), C[MASK])
            if found >= 0:
                same = D[i] & 1
                one = G[found + PHI] if same == 1 else G[found + DELTA]
                other = G[found + DELTA] if same == 1 else G[found + PHI]
        if other > 0:
            C[UNDECIDED] = C[UNDECIDED] + 1
        if other > most:
            most = other
        if one < C[LEAST]:
            C[SECOND] = C[LEAST]
            C[LEAST] = one
            best = i
        elif one < C[SECOND]:
            C[SECOND] = one
    C[WEAK] = most
    if C[UNDECIDED] > 1:
        C[WEAK] = most + C[UNDECIDED] - 1
    if C[WEAK] > ENDLESS or C[LEAST] == 0:
        C[WEAK] = ENDLESS
    return best


def at_the_end(
    S: ints, K: ints, M: ints, H: ints, X: ints, T: ints,
    C: ints, G: ints, who: i64, least: i64, key: i64,
) -> i64:  # fmt: skip
    """What `prove` gives where there is no decision, or where the decisions are at fault."""
    me = S[MOVER] ^ S[SWAPPED]
    if S[FAULT] == 0:
        S[RESULT] = stuck(S, K, M, H, X, T)
        if S[RESULT] == RUNNING:
            S[FAULT] = STUCK
    if S[FAULT] != 0:
        C[FAULTED] = S[FAULT]
        C[STOP] = 1
        return 0
    good = reached(S, who, least)
    if me != who:
        good = 1 - good
    write(G, key, C[MASK], 0 if good == 1 else ENDLESS, ENDLESS if good == 1 else 0, 1)
    return 1 if good == 1 else -1


def prove(
    S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, Y: ints, C: ints, G: ints, D: ints,
    who: i64, least: i64, phi: i64, delta: i64, level: i64, top: i64, key: i64,
) -> i64:  # fmt: skip
    """Search below a position until one of its numbers passes its threshold.

    For who is at move: 1 if the own goal is proven, -1 if the other's is, 0 if neither.
    """
    me = S[MOVER] ^ S[SWAPPED]
    before = C[NODES]
    n = decisions(S, K, M, H, X, T, top)
    if n == top or S[FAULT] != 0:
        return at_the_end(S, K, M, H, X, T, C, G, who, least, key)
    note(S, Y, C, level)
    if look(S, K, M, H, X, T, Y, C, D, who, least, level, top, n, me) == 1:
        write(G, key, C[MASK], 0, ENDLESS, C[NODES] - before)
        return 1
    if level + 2 >= LEVELS or n > ROWS - SPARE:
        C[OPEN] = 1
        write(G, key, C[MASK], ENDLESS, ENDLESS, 1)
        return 0
    while volatile(C, STOP) == 0:
        best = weigh(C, G, D, who, least, top, n)
        write(G, key, C[MASK], C[LEAST], C[WEAK], C[NODES] - before + 1)
        if C[LEAST] == 0:
            return 1
        if C[WEAK] == 0:
            return -1
        if C[LEAST] >= phi or C[WEAK] >= delta or best < 0:
            return 0
        # some patience saves coming back again and again
        limit = C[SECOND] + (C[SECOND] >> 2) + 1
        if limit > phi:
            limit = phi
        rest = delta - C[UNDECIDED] + 1
        one = limit if D[best] & 1 == 1 else rest
        two = rest if D[best] & 1 == 1 else limit
        step(S, K, M, H, X, T, C, best, n)
        if volatile(C, STOP) == 0:
            below = salted(D[best], least, who)
            prove(S, K, M, H, X, T, Y, C, G, D, who, least, one, two, level + 1, n, below)
        back(S, Y, C, level)
    return 0
