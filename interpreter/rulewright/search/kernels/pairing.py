"""Whether who answers wins a race of connections by pairs: of two paired cells they get one.

In: a position and a player who does not decide.  Out: whether empty cells can be paired so that the
player is connected with one cell of every pair, whichever, and with no other one; then the cells of
the pairs are the region of the win.  A race that is won so by whoever answers is won by answering
with the partner of each cell (Hefetz et al. 2014: Positional Games, on pairing strategies).

Pairs are looked for by examples of what is wrong with them.  A *cut* is a set of cells whose loss
keeps the player apart; while the opponent can take a cut with at most one cell of every pair, some
two cells of that cut must be made a pair, at the least cost among the cuts that are known (local
search, as WalkSAT: Selman et al. 1994).  Where no cut is left, that is no guess: every way of
sharing the pairs was gone through.  Nothing is said where the work that is allowed did not suffice.
"""

from __future__ import annotations

from rulewright.compiler.runtime import (
    i64,
    popcount,
    select_bit,
    shift_right,
    trailing,
    wrap_add,
    wrap_mul,
)
from rulewright.search.kernels.must_play import NO_CELL, lost_within, won_by
from rulewright.search.kernels.race import (
    COUNT,
    CUT,
    EMPTY,
    GOAL,
    HITS,
    HOME,
    LOSS,
    MOST_CUTS,
    OWN,
    PARTNER,
    SEED,
    SIDE,
    STACK,
    STONES,
    WORK,
    Race,
)
from rulewright.search.kernels.thread import Thread
from rulewright.search.kernels.virtual_connections import group_of

STEP_WORK = 8  # of a step through ways of sharing; that of a pair is one for each cut
PATIENCE = 64  # steps of the first try to find a cut; each try has twice as many
NOISE = 16  # one pair in so many is any
GIVEN_UP = -1


def random_below(r: Race, n: i64) -> i64:
    """A number from 0 on; the same ones for each search."""
    r.paired[SEED] = wrap_add(wrap_mul(r.paired[SEED], 6364136223846793005), 1442695040888963407)
    return shift_right(r.paired[SEED], 33) % n


# --- cuts ---


def is_cut(r: Race, side: i64, cells: i64) -> i64:
    """Whether a player who has all but these cells is not connected."""
    mine = r.paired[OWN] | r.paired[EMPTY] & ~cells
    group_of(r, side, r.graph[side + HOME] & mine, 0, mine)
    return 1 if r.words.group & r.graph[side + GOAL] == 0 else 0


def least_cut(r: Race, side: i64, cells: i64) -> i64:
    """A cut without the cells that it does not need."""
    remaining_cells = cells
    while remaining_cells != 0:
        cell = remaining_cells & -remaining_cells
        remaining_cells = remaining_cells & (remaining_cells - 1)
        if is_cut(r, side, cells & ~cell) == 1:
            cells = cells & ~cell
    return cells


def share_next(r: Race, side: i64, top: i64) -> i64:
    """Share one more pair of the way on top of the stack.

    Gives the new top; or, below 0, the cut that has been found, as its complement.
    """
    mine = r.paired[STACK + top - 2]
    pair = r.paired[STACK + top - 1]
    beside = group_of(r, side, r.graph[side + HOME] & mine, 0, mine) | r.graph[side + HOME]
    if r.words.group & r.graph[side + GOAL] != 0:
        return top - 2  # connected, whatever becomes of the others
    free = beside & r.paired[EMPTY] & ~(mine | pair)
    if free == 0:
        return ~(beside & pair)
    i = select_bit(free, random_below(r, popcount(free)))
    remaining_cells = free
    while remaining_cells != 0:  # one without a partner needs no choice: the opponent takes it
        cell = trailing(remaining_cells)
        remaining_cells = remaining_cells & (remaining_cells - 1)
        if r.paired[PARTNER + cell] == NO_CELL:
            i = cell
            remaining_cells = 0
    partner = r.paired[PARTNER + i]
    r.paired[STACK + top - 1] = pair | 1 << i
    if partner == NO_CELL:
        return top
    r.paired[STACK + top - 2] = mine | 1 << partner
    r.paired[STACK + top] = mine | 1 << i
    r.paired[STACK + top + 1] = pair | 1 << partner
    return top + 2


def find_cut(r: Race, side: i64, steps: i64) -> i64:
    """A cut of which the opponent gets every cell; 0: there is none; GIVEN_UP after *steps*."""
    r.paired[STACK] = r.paired[OWN]
    r.paired[STACK + 1] = 0
    top = 2
    while top > 0 and steps > 0:
        steps = steps - 1
        r.paired[WORK] -= STEP_WORK
        top = share_next(r, side, top)
    if top < 0:
        return least_cut(r, side, ~top)
    return 0 if top == 0 else GIVEN_UP


def next_cut(r: Race, side: i64) -> i64:
    """Return a cut as `find_cut` does, with more and more steps until the allowed work is spent."""
    steps = PATIENCE
    while r.paired[WORK] > 0:
        cut = find_cut(r, side, steps)
        if cut != GIVEN_UP:
            return cut
        steps = steps * 2
    return GIVEN_UP


def known_cut(r: Race) -> i64:
    """Any known cut that holds no pair; 0 if there is none."""
    n = r.paired[COUNT]
    if n == 0:
        return 0
    first = random_below(r, n)
    for k in range(n):
        at = (first + k) % n
        if r.paired[HITS + at] == 0:
            return r.paired[CUT + at]
    return 0


# --- pairs ---


def lost_with(r: Race, cell: i64) -> i64:
    """How many known cuts hold no other pair than that of a cell."""
    partner = r.paired[PARTNER + cell]
    if partner == NO_CELL:
        return 0
    both = 1 << cell | 1 << partner
    n = 0
    for at in range(r.paired[COUNT]):
        if r.paired[HITS + at] == 1 and both & ~r.paired[CUT + at] == 0:
            n = n + 1
    return n


def won_with(r: Race, both: i64) -> i64:
    """How many known cuts that hold no pair two cells would give one."""
    n = 0
    for at in range(r.paired[COUNT]):
        if r.paired[HITS + at] == 0 and both & ~r.paired[CUT + at] == 0:
            n = n + 1
    return n


def count_pair(r: Race, both: i64, by: i64) -> None:
    """Count a pair in all cuts that hold it: made (1) or given up (-1)."""
    for at in range(r.paired[COUNT]):
        if both & ~r.paired[CUT + at] == 0:
            r.paired[HITS + at] += by


def unpair(r: Race, cell: i64) -> None:
    """Dissolve the pair of a cell, if it has one."""
    partner = r.paired[PARTNER + cell]
    if partner != NO_CELL:
        count_pair(r, 1 << cell | 1 << partner, -1)
        r.paired[PARTNER + cell] = NO_CELL
        r.paired[PARTNER + partner] = NO_CELL


def pair_up(r: Race, a: i64, b: i64) -> None:
    """Make a pair of two cells."""
    unpair(r, a)
    unpair(r, b)
    r.paired[PARTNER + a] = b
    r.paired[PARTNER + b] = a
    count_pair(r, 1 << a | 1 << b, 1)


def best_pair(r: Race, cut: i64) -> i64:
    """The two cells of a cut that cost the least, as a set; now and then any two."""
    if random_below(r, NOISE) == 0:
        n = popcount(cut)
        first = 1 << select_bit(cut, random_below(r, n))
        return first | 1 << select_bit(cut & ~first, random_below(r, n - 1))
    remaining_cells = cut
    while remaining_cells != 0:
        r.paired[LOSS + trailing(remaining_cells)] = lost_with(r, trailing(remaining_cells))
        remaining_cells = remaining_cells & (remaining_cells - 1)
    best = 0
    least = 0
    remaining_cells = cut
    while remaining_cells != 0:
        a = trailing(remaining_cells)
        remaining_cells = remaining_cells & (remaining_cells - 1)
        others = remaining_cells
        while others != 0:
            b = trailing(others)
            others = others & (others - 1)
            both = 1 << a | 1 << b
            cost = r.paired[LOSS + a] + r.paired[LOSS + b] - won_with(r, both)
            cost = cost * 1024 + random_below(r, 1024)
            if best == 0 or cost < least:
                best = both
                least = cost
    return best


def begin_pairs(r: Race, own: i64, other: i64, effort: i64) -> None:
    """Begin with no pairs and no known cuts."""
    for i in range(64):
        r.paired[PARTNER + i] = NO_CELL
    r.paired[COUNT] = 0
    r.paired[OWN] = own
    r.paired[EMPTY] = r.words.cells & ~(own | other)
    r.paired[WORK] = effort
    r.paired[SEED] = 1


def pairs_of(r: Race, player: i64, own: i64, other: i64, effort: i64) -> i64:
    """The cells of pairs by which a player who answers is connected; 0 if none were found."""
    begin_pairs(r, own, other, effort)
    while r.paired[WORK] > 0:
        cut = known_cut(r)
        if cut == 0:
            cut = next_cut(r, player * SIDE)
            if cut == 0:
                return paired_cells(r)
            if cut == GIVEN_UP or cut & (cut - 1) == 0 or r.paired[COUNT] == MOST_CUTS:
                return 0
            r.paired[CUT + r.paired[COUNT]] = cut
            r.paired[HITS + r.paired[COUNT]] = 0
            r.paired[COUNT] += 1
        both = best_pair(r, cut)
        r.paired[WORK] -= r.paired[COUNT]
        pair_up(r, trailing(both), trailing(both & (both - 1)))
    return 0


def paired_cells(r: Race) -> i64:
    """All cells that have a partner."""
    cells = 0
    for i in range(NO_CELL):
        if r.paired[PARTNER + i] != NO_CELL:
            cells = cells | 1 << i
    return cells


# --- the root ---


def pair_against(t: Thread, r: Race, effort: i64) -> i64:
    """Whether who is at move at the root loses to pairs; then the root is settled."""
    me = r.words.mover
    t.control.nodes += 1
    cells = pairs_of(r, 1 - me, r.frames[STONES + 1 - me], r.frames[STONES + me], effort)
    if cells == 0:
        return 0
    lost_within(t, r, 0, cells)
    r.words.level = 0
    return 1


def pair_after(t: Thread, r: Race, effort: i64, cell: i64) -> i64:
    """Whether who is at move at the root wins by a cell and then by pairs; then it is settled."""
    me = r.words.mover
    own = r.frames[STONES + me] | 1 << cell
    t.control.nodes += 1
    cells = pairs_of(r, me, own, r.frames[STONES + 1 - me], effort)
    if cells == 0:
        return 0
    won_by(t, r, 0, cells | 1 << cell, cell)
    r.words.level = 0
    return 1
