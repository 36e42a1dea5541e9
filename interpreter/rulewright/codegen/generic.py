"""Kernels that are the same for every game: perft and random games.

They are text like the rest, linked to a game's kernels by their names.  SIZE (words of a position)
and ROW (words of a decision) are put in front of the text.
"""

from __future__ import annotations

ARRAYS = "S: ints, K: ints, M: ints, H: ints, X: ints, T: ints"

TEXT = f'''"""Perft and random games."""


def copy_in(S: ints, Y: ints, at: i64) -> None:
    for i in range(SIZE):
        Y[at + i] = S[i]
    return


def copy_out(S: ints, Y: ints, at: i64) -> None:
    for i in range(SIZE):
        S[i] = Y[at + i]
    return


def perft({ARRAYS}, Y: ints, C: ints, depth: i64, level: i64, top: i64) -> i64:
    if depth == 1:
        leaves = how_many(S, K, M, H, X, T, top)
        C[0] = C[0] + leaves
        if leaves == 0 and S[FAULT] == 0 and stuck(S, K, M, H, X, T) == RUNNING:
            S[FAULT] = STUCK
        return leaves
    if top > MOST_ROWS:
        C[7] = 1
        return 0
    n = decisions(S, K, M, H, X, T, top)
    C[0] = C[0] + n - top
    if n == top and S[FAULT] == 0 and stuck(S, K, M, H, X, T) == RUNNING:
        S[FAULT] = STUCK
    if S[FAULT] != 0:
        return n - top
    copy_in(S, Y, level * SIZE)
    total = 0
    for i in range(top, n):
        if volatile(C, 6) != 0:
            return total
        play(S, K, M, H, X, T, i * ROW, n)
        if S[FAULT] == 0 and S[RESULT] == RUNNING:
            total = total + perft(S, K, M, H, X, T, Y, C, depth - 1, level + 1, n)
        if S[FAULT] != 0 or C[7] != 0:
            return total
        copy_out(S, Y, level * SIZE)
    return total


def turns({ARRAYS}, Y: ints, C: ints, depth: i64, level: i64, top: i64, played: i64) -> i64:
    if top > MOST_ROWS:
        C[7] = 1
        return 0
    n = decisions(S, K, M, H, X, T, top)
    if n == top and S[FAULT] == 0:
        if stuck(S, K, M, H, X, T) == RUNNING:
            S[FAULT] = STUCK
        if played > 0 and S[FAULT] == 0:
            C[0] = C[0] + played
            return 1 if depth == 1 else 0
    if S[FAULT] != 0 or n == top:
        return 0
    if level >= C[8]:
        C[7] = 1
        return 0
    copy_in(S, Y, level * SIZE)
    total = 0
    for i in range(top, n):
        if volatile(C, 6) != 0:
            return total
        play(S, K, M, H, X, T, i * ROW, n)
        if S[FAULT] != 0:
            return total
        if S[RESULT] == RUNNING and S[FRESH] == 0:
            total = total + turns(S, K, M, H, X, T, Y, C, depth, level + 1, n, played + 1)
        else:
            C[0] = C[0] + played + 1
            if depth == 1:
                total = total + 1
            if depth > 1 and S[RESULT] == RUNNING:
                total = total + turns(S, K, M, H, X, T, Y, C, depth - 1, level + 1, n, 0)
        if S[FAULT] != 0 or C[7] != 0:
            return total
        copy_out(S, Y, level * SIZE)
    return total


def random_half(R: ints) -> i64:
    x = R[0]
    x = x ^ shift_right(x, 12)
    x = x ^ wrap_shl(x, 25)
    x = x ^ shift_right(x, 27)
    R[0] = x
    return shift_right(wrap_mul(x, 2685821657736338717), 32)


def playout({ARRAYS}, R: ints, most: i64) -> i64:
    plies = 0
    fast = ready(S, K, M, H, X, T)
    while S[RESULT] == RUNNING and S[FAULT] == 0 and plies < most:
        done = 0
        if fast == 1:
            done = grow(S, K, M, H, X, T, R, 0)
        else:
            done = ply(S, K, M, H, X, T, R, 0)
        if done == 0 and S[FAULT] == 0:
            S[RESULT] = stuck(S, K, M, H, X, T)
            if S[RESULT] == RUNNING:
                S[FAULT] = STUCK
        if done == 0:
            return plies
        plies = plies + 1
    return plies


def playouts({ARRAYS}, Y: ints, R: ints, C: ints, games: i64, most: i64) -> i64:
    copy_in(S, Y, 0)
    total = 0
    for g in range(games):
        if volatile(R, 1) != 0:
            return total
        total = total + playout(S, K, M, H, X, T, R, most)
        if S[FAULT] != 0:
            C[3] = C[3] + 1
        if S[FAULT] == 0 and S[RESULT] >= 0:
            winner = S[RESULT]
            if winner < 2 and S[SWAPPED] == 1:
                winner = 1 - winner
            C[winner] = C[winner] + 1
        copy_out(S, Y, 0)
    return total
'''
