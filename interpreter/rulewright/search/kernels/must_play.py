"""Who wins a race of connections: must-play regions and virtual connections, with a table.

Whoever wins needs some of the empty cells only, the *region* of the result, and wins whatever
stands on all others (Hayward et al. 2003: Solving 7x7 Hex).  So a threat of the other player leaves
those cells to be tried that are in its region, and a cell that was refuted those in the region of
what refuted it.  Where none is left who is at move has lost, and regions that have no cell in
common make the region of that.  A win after a cell needs that cell and the region that it led to.

This holds where both players cannot be connected at once.  Nothing is said of boards that are full
though nobody is connected: meeting one ends the search.

Before a cell is searched the best ones are probed: the positions that they lead to are looked at,
but not what follows.  Many are settled by that alone.  Of the others those are tried first that
leave the other player few cells to choose from.

The table holds entries of four words: the cells of either player, the region, and the work spent,
the cell that wins and who wins.  So no position is taken for another one.  Levels keep what they
know in frames, and a search that stops goes on where it was.
"""

from __future__ import annotations

from rulewright.compiler.runtime import i64, popcount, shift_right, trailing, volatile, wrap_mul
from rulewright.search.kernels.race import (
    BEFORE,
    BESIDE,
    CELL,
    CUTS,
    FRAME,
    FULL,
    GOAL,
    HALF,
    HALVES,
    HOME,
    LEFT,
    MOVE,
    NEAR,
    NEW,
    NEXT,
    OPEN,
    PAIR,
    PROBES,
    PROBING,
    REGION,
    REGIONS,
    SCORES,
    SETTLED,
    SIDE,
    STATE,
    STONES,
    TRIED,
    WON,
    Race,
)
from rulewright.search.kernels.thread import Thread
from rulewright.search.kernels.virtual_connections import find_connections, winning_cells

NO_CELL = 63
WORK_UNIT = 128  # work is counted in steps of it; what is left of that is the cell and who wins
FAR = 99  # the distance of what is not reached
STEP = 64  # by how much a cell is worth less for a step of distance,
FREE = 6  # more for each empty cell beside it,
PAID = 16  # and more for a win elsewhere, of which a part counts
CHOICE = 64  # and less for each cell that it leaves the other player
PROBED = 12  # cells that are probed, at the most
UNPROBED = 1000000  # by how much the others are worth less

WINS = 1
LOSES = -1
STOPPED = 0
NOBODY = 2


# --- the table ---


def bucket_of(t: Thread, first: i64, second: i64) -> i64:
    """Where the two entries of a position's bucket begin."""
    mixed = wrap_mul(first ^ wrap_mul(second, 6364136223846793005), 2862933555777941757)
    return (shift_right(mixed, 24) & t.control.mask) * 8


def entry_of(t: Thread, first: i64, second: i64) -> i64:
    """Where the entry of a position lies, -1 if there is none."""
    at = bucket_of(t, first, second)
    for place in range(at, at + 8, 4):
        if t.table[place] == first and t.table[place + 1] == second and t.table[place + 3] != 0:
            return place
    return -1


def keep_result(t: Thread, r: Race, at: i64) -> None:
    """Keep what a frame has found, in place of the entry with less work."""
    first = r.frames[at + STONES]
    second = r.frames[at + STONES + 1]
    place = bucket_of(t, first, second)
    if t.table[place + 4 + 3] < t.table[place + 3]:
        place = place + 4
    work = t.control.nodes - r.frames[at + BEFORE] + 1
    t.table[place] = first
    t.table[place + 1] = second
    t.table[place + 2] = r.frames[at + REGION]
    t.table[place + 3] = work * WORK_UNIT + r.frames[at + MOVE] * 2 + r.frames[at + WON]


def recall_result(t: Thread, r: Race, at: i64, entry: i64) -> None:
    """Settle a frame as an entry of the table says."""
    outcome = t.table[entry + 3] % WORK_UNIT
    r.frames[at + STATE] = SETTLED
    r.frames[at + REGION] = t.table[entry + 2]
    r.frames[at + WON] = outcome & 1
    r.frames[at + MOVE] = outcome >> 1


# --- results and their regions ---


def settle_frame(t: Thread, r: Race, at: i64, won: i64, region: i64, cell: i64) -> None:
    """Write the result of a frame, the region that proves it and the winning cell."""
    r.frames[at + STATE] = SETTLED
    r.frames[at + WON] = won
    r.frames[at + REGION] = region
    r.frames[at + MOVE] = cell
    keep_result(t, r, at)


def won_by(t: Thread, r: Race, at: i64, region: i64, cell: i64) -> None:
    """Settle a frame as a win for the player at move, by a cell."""
    settle_frame(t, r, at, 1, region, cell)


def lost_within(t: Thread, r: Race, at: i64, region: i64) -> None:
    """Settle a frame as a loss for the player at move, with the region that proves it."""
    settle_frame(t, r, at, 0, region, NO_CELL)


def cut_to(t: Thread, r: Race, at: i64, region: i64) -> None:
    """Keep the cells of a region, within which the other player wins; without any left all lose."""
    if r.frames[at + LEFT] & ~region != 0:
        r.frames[at + CUTS + r.frames[at + REGIONS]] = region
        r.frames[at + REGIONS] += 1
        r.frames[at + LEFT] = r.frames[at + LEFT] & region
        if r.frames[at + LEFT] == 0:
            lost_within(t, r, at, needed_regions(r, at))


def needed_regions(r: Race, at: i64) -> i64:
    """The union of some of the regions that have no cell in common."""
    n = r.frames[at + REGIONS]
    used = (1 << n) - 1
    for i in range(n):
        without = used & ~(1 << i)
        common = r.words.cells
        remaining_frames = without
        while remaining_frames != 0:
            common = common & r.frames[at + CUTS + trailing(remaining_frames)]
            remaining_frames = remaining_frames & (remaining_frames - 1)
        if common == 0:
            used = without
    region = 0
    while used != 0:
        region = region | r.frames[at + CUTS + trailing(used)]
        used = used & (used - 1)
    return region


# --- which cell is tried first ---


def list_next(r: Race, side: i64, empty: i64) -> None:
    """For each empty cell those beside it, or beside a group that touches it."""
    remaining_cells = empty
    while remaining_cells != 0:
        i = trailing(remaining_cells)
        remaining_cells = remaining_cells & (remaining_cells - 1)
        cells = r.graph[side + NEAR + i]
        a = GOAL + 1
        while a < r.words.ends and r.ends[CELL + a] == 0:
            if r.ends[BESIDE + a] & 1 << i != 0:
                cells = cells | r.ends[BESIDE + a]
            a = a + 1
        r.ends[NEXT + i] = cells & empty & ~(1 << i)


def measure_from(r: Race, at: i64, edge: i64, empty: i64) -> None:
    """Lower the worth of cells by their two-distance from an edge: by the second best way to it."""
    fresh = r.ends[BESIDE + edge]
    measured_cells = fresh
    steps = 1
    while fresh != 0:
        lower_by_distance(r, at, fresh, steps)
        fresh = 0
        remaining_cells = empty & ~measured_cells
        while remaining_cells != 0:
            nearer = r.ends[NEXT + trailing(remaining_cells)] & measured_cells
            if nearer & (nearer - 1) != 0:
                fresh = fresh | (remaining_cells & -remaining_cells)
            remaining_cells = remaining_cells & (remaining_cells - 1)
        measured_cells = measured_cells | fresh
        steps = steps + 1
    lower_by_distance(r, at, empty & ~measured_cells, FAR)


def lower_by_distance(r: Race, at: i64, cells: i64, steps: i64) -> None:
    """Lower the worth of these cells by their distance, in steps."""
    while cells != 0:
        r.frames[at + SCORES + trailing(cells)] -= STEP * steps
        cells = cells & (cells - 1)


def measure_both(r: Race, at: i64, player: i64, empty: i64) -> None:
    """Lower the worth of cells from both edges of a player."""
    list_next(r, player * SIDE, empty)
    measure_from(r, at, HOME, empty)
    measure_from(r, at, GOAL, empty)


def begin_scores(r: Race, at: i64, empty: i64) -> None:
    """Score cells by how many empty ones are beside them."""
    remaining_cells = empty
    while remaining_cells != 0:
        i = trailing(remaining_cells)
        remaining_cells = remaining_cells & (remaining_cells - 1)
        beside = (r.graph[NEAR + i] | r.graph[SIDE + NEAR + i]) & empty
        r.frames[at + SCORES + i] = FREE * popcount(beside)


def best_of(r: Race, at: i64, player: i64, remaining_cells: i64) -> i64:
    """Return the cell of *remaining_cells* to try first, -1 where it is empty."""
    best = -1
    most = 0
    while remaining_cells != 0:
        i = trailing(remaining_cells)
        remaining_cells = remaining_cells & (remaining_cells - 1)
        score = r.frames[at + SCORES + i] + (r.worth[player * 64 + i] >> 4)
        if best < 0 or score > most:
            best = i
            most = score
    return best


def choose_probes(r: Race, at: i64, player: i64) -> None:
    """Choose the cells to be probed; where there is one cell only it is searched at once."""
    remaining_cells = r.frames[at + LEFT]
    probes = 0
    if remaining_cells & (remaining_cells - 1) != 0:
        for _ in range(PROBED):
            if remaining_cells != 0:
                cell = 1 << best_of(r, at, player, remaining_cells)
                probes = probes | cell
                remaining_cells = remaining_cells & ~cell
    r.frames[at + PROBES] = probes
    while remaining_cells != 0:
        r.frames[at + SCORES + trailing(remaining_cells)] -= UNPROBED
        remaining_cells = remaining_cells & (remaining_cells - 1)


def is_probed(r: Race, level: i64) -> i64:
    """Whether a position was only to be looked at."""
    if level == 0:
        return 0
    return r.frames[(level - 1) * FRAME + PROBING]


# --- the search ---


def open_frame(t: Thread, r: Race, at: i64, me: i64) -> None:
    """Look at a position: at the table, at what both can connect, at what each cell leads to."""
    entry = entry_of(t, r.frames[at + STONES], r.frames[at + STONES + 1])
    if entry >= 0:
        recall_result(t, r, at, entry)
        return
    t.control.nodes += 1
    if t.control.nodes >= t.control.node_limit:
        t.control.stop = 1
    r.frames[at + BEFORE] = t.control.nodes
    r.frames[at + STATE] = OPEN
    empty = r.words.cells & ~(r.frames[at + STONES] | r.frames[at + STONES + 1])
    r.frames[at + LEFT] = empty
    r.frames[at + REGIONS] = 0
    if empty == 0:
        r.words.full_board = 1
        return
    begin_scores(r, at, empty)
    connect_own(t, r, at, me, empty)
    if r.frames[at + STATE] == OPEN:
        connect_other(t, r, at, 1 - me, empty)
    if r.frames[at + STATE] == OPEN:
        look_up(t, r, at, me)
    if r.frames[at + STATE] == OPEN:
        choose_probes(r, at, me)


def connect_own(t: Thread, r: Race, at: i64, me: i64, empty: i64) -> None:
    """Whether who is at move can connect home and goal at sight."""
    own = r.frames[at + STONES + me]
    winning_bits = winning_cells(r, me, own, empty)
    if winning_bits != 0:
        won_by(t, r, at, winning_bits & -winning_bits, trailing(winning_bits))
        return
    sure = find_connections(r, me, own, empty)
    if r.pairs[PAIR + HALVES] > 0:
        won_by(t, r, at, r.pairs[PAIR + HALF], trailing(r.pairs[PAIR + HALF + 1]))
    elif sure == 1:
        won_by(t, r, at, r.pairs[PAIR + FULL], trailing(r.pairs[PAIR + FULL]))
    else:
        measure_both(r, at, me, empty)


def connect_other(t: Thread, r: Race, at: i64, other: i64, empty: i64) -> None:
    """Cut to what the other player threatens; a loss where they are connected for sure."""
    if find_connections(r, other, r.frames[at + STONES + other], empty) == 1:
        lost_within(t, r, at, r.pairs[PAIR + FULL])
        return
    measure_both(r, at, other, empty)
    for i in range(r.pairs[PAIR + HALVES]):
        if r.frames[at + STATE] == OPEN:
            cut_to(t, r, at, r.pairs[PAIR + HALF + 2 * i])


def look_up(t: Thread, r: Race, at: i64, me: i64) -> None:
    """Look up the positions that cells lead to in the table."""
    own = r.frames[at + STONES + me]
    other = r.frames[at + STONES + 1 - me]
    remaining_cells = r.frames[at + LEFT]
    while remaining_cells != 0 and r.frames[at + STATE] == OPEN:
        cell = remaining_cells & -remaining_cells
        remaining_cells = remaining_cells & (remaining_cells - 1)
        entry = entry_of(t, own | cell, other) if me == 0 else entry_of(t, other, own | cell)
        if entry >= 0:
            answered(t, r, at, cell, t.table[entry + 2], t.table[entry + 3] & 1)


def answered(t: Thread, r: Race, at: i64, cell: i64, region: i64, is_loss: i64) -> None:
    """Note the result of the position behind a cell: a loss or a win, with its region."""
    if is_loss == 0:
        won_by(t, r, at, region | cell, trailing(cell))
    else:
        cut_to(t, r, at, region)


def try_next(r: Race, at: i64, me: i64) -> None:
    """Make the frame of the position after the cell that is tried next."""
    probes = r.frames[at + PROBES] & r.frames[at + LEFT]
    i = best_of(r, at, me, probes if probes != 0 else r.frames[at + LEFT])
    r.frames[at + TRIED] = i
    r.frames[at + PROBING] = 1 if probes != 0 else 0
    r.frames[at + PROBES] = probes & ~(1 << i)
    below = at + FRAME
    r.frames[below + STATE] = NEW
    r.frames[below + STONES] = r.frames[at + STONES]
    r.frames[below + STONES + 1] = r.frames[at + STONES + 1]
    r.frames[below + STONES + me] |= 1 << i
    r.words.level += 1


def race(t: Thread, r: Race) -> i64:
    """Search until the root is settled: WINS, LOSES; NOBODY is connected somewhere; STOPPED."""
    while r.words.full_board == 0:
        level = r.words.level
        at = level * FRAME
        me = (r.words.mover + level) & 1
        if r.frames[at + STATE] == NEW:
            if volatile(t.control.stop) == 1:
                return STOPPED
            open_frame(t, r, at, me)
        elif r.frames[at + STATE] == OPEN and is_probed(r, level) == 1:
            above = at - FRAME
            choices = popcount(r.frames[at + LEFT])
            r.frames[above + SCORES + r.frames[above + TRIED]] -= CHOICE * choices
            r.words.level = level - 1
        elif r.frames[at + STATE] == OPEN:
            try_next(r, at, me)
        elif level == 0:
            return WINS if r.frames[at + WON] == 1 else LOSES
        else:
            above = at - FRAME
            i = r.frames[above + TRIED]
            if r.frames[at + WON] == 0:
                r.worth[(1 - me) * 64 + i] += PAID
            r.words.level = level - 1
            answered(t, r, above, 1 << i, r.frames[at + REGION], r.frames[at + WON])
    return NOBODY
