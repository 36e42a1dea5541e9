"""Kernels that are the same for every game: perft and random games.

They are text like the rest, and part of a game's module: SIZE (words of a position), ROW (words of
a decision) and the records of the game stand in front.  `saved` holds positions to go back to, one
for each level.
"""

from __future__ import annotations

TEXT = '''"""Perft and random games."""


class Counts(ints):
    """What perft counts; random games count their winners in the first words."""
    decisions: i64 = 0
    faults: i64 = 3
    stop: i64 = 6
    full: i64 = 7
    levels: i64 = 8


def copy_in(state: State, saved: ints, at: i64) -> None:
    for i in range(SIZE):
        saved[at + i] = state[i]
    return


def copy_out(state: State, saved: ints, at: i64) -> None:
    for i in range(SIZE):
        state[i] = saved[at + i]
    return


def perft(g: Game, saved: ints, counts: Counts, depth: i64, level: i64, top: i64) -> i64:
    if depth == 1:
        leaves = how_many(g, top)
        counts.decisions = counts.decisions + leaves
        if leaves == 0 and g.state.fault == 0 and stuck(g) == RUNNING:
            g.state.fault = STUCK
        return leaves
    if top > MOST_ROWS:
        counts.full = 1
        return 0
    n = decisions(g, top)
    counts.decisions = counts.decisions + n - top
    if n == top and g.state.fault == 0 and stuck(g) == RUNNING:
        g.state.fault = STUCK
    if g.state.fault != 0:
        return n - top
    copy_in(g.state, saved, level * SIZE)
    total = 0
    for i in range(top, n):
        if volatile(counts.stop) != 0:
            return total
        play(g, i * ROW, n)
        if g.state.fault == 0 and g.state.result == RUNNING:
            total = total + perft(g, saved, counts, depth - 1, level + 1, n)
        if g.state.fault != 0 or counts.full != 0:
            return total
        copy_out(g.state, saved, level * SIZE)
    return total


def turns(
    g: Game, saved: ints, counts: Counts, depth: i64, level: i64, top: i64, played: i64
) -> i64:
    if top > MOST_ROWS:
        counts.full = 1
        return 0
    n = decisions(g, top)
    if n == top and g.state.fault == 0:
        if stuck(g) == RUNNING:
            g.state.fault = STUCK
        if played > 0 and g.state.fault == 0:
            counts.decisions = counts.decisions + played
            return 1 if depth == 1 else 0
    if g.state.fault != 0 or n == top:
        return 0
    if level >= counts.levels:
        counts.full = 1
        return 0
    copy_in(g.state, saved, level * SIZE)
    total = 0
    for i in range(top, n):
        if volatile(counts.stop) != 0:
            return total
        play(g, i * ROW, n)
        if g.state.fault != 0:
            return total
        if g.state.result == RUNNING and g.state.fresh == 0:
            total = total + turns(g, saved, counts, depth, level + 1, n, played + 1)
        else:
            counts.decisions = counts.decisions + played + 1
            if depth == 1:
                total = total + 1
            if depth > 1 and g.state.result == RUNNING:
                total = total + turns(g, saved, counts, depth - 1, level + 1, n, 0)
        if g.state.fault != 0 or counts.full != 0:
            return total
        copy_out(g.state, saved, level * SIZE)
    return total


def random_half(chance: Chance) -> i64:
    """32 random bits (xorshift64*, Vigna 2016)."""
    x = chance.x
    x = x ^ shift_right(x, 12)
    x = x ^ wrap_shl(x, 25)
    x = x ^ shift_right(x, 27)
    chance.x = x
    return shift_right(wrap_mul(x, 2685821657736338717), 32)


def playout(g: Game, chance: Chance, most: i64) -> i64:
    plies = 0
    fast = ready(g)
    while g.state.result == RUNNING and g.state.fault == 0 and plies < most:
        done = 0
        if fast == 1:
            done = grow(g, chance, 0)
        else:
            done = ply(g, chance, 0)
        if done == 0 and g.state.fault == 0:
            g.state.result = stuck(g)
            if g.state.result == RUNNING:
                g.state.fault = STUCK
        if done == 0:
            return plies
        plies = plies + 1
    return plies


def playouts(g: Game, saved: ints, chance: Chance, counts: Counts, games: i64, most: i64) -> i64:
    copy_in(g.state, saved, 0)
    total = 0
    for game in range(games):
        if volatile(chance.stop) != 0:
            return total
        total = total + playout(g, chance, most)
        if g.state.fault != 0:
            counts.faults = counts.faults + 1
        if g.state.fault == 0 and g.state.result >= 0:
            winner = g.state.result
            if winner < 2 and g.state.swapped == 1:
                winner = 1 - winner
            counts[winner] = counts[winner] + 1
        copy_out(g.state, saved, 0)
    return total
'''
