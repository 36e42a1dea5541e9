"""Which ends a player can connect whatever the other does: H-search (Anshelevich 2002).

A full connection of two ends holds though the other moves first, within its *carrier*, a set of
empty cells; a half one holds if its owner moves first, with the cell that is kept beside it.
Neighbours are connected by an empty carrier.  Two full connections that share an end and nothing
else make one of their other ends: a full one over an own group, a half one over an empty cell.
Half connections of the same ends whose carriers have no cell in common make a full one.  Ends are
the home, the goal, own groups and empty cells.  Each pair keeps a few smallest carriers, so that
some connections are missed; none is found that does not hold.
"""

from __future__ import annotations

from rulewright.compiler.runtime import i64, popcount, trailing
from rulewright.search.kernels.race import (
    BESIDE,
    CELL,
    FULL,
    FULLS,
    GOAL,
    GROUPS,
    HALF,
    HALVES,
    HOME,
    MOST_FULL,
    MOST_HALVES,
    NEAR,
    NUMBER,
    PAIR,
    QUEUE,
    REACH,
    SIDE,
    TIED,
    Race,
)

JOINED = 3  # half connections that are joined to one more, at the most


def group_of(r: Race, side: i64, cells: i64, ties: i64, own: i64) -> i64:
    """Gather what hangs together with some own cells and groups; gives the cells beside all."""
    beside = 0
    remaining_cells = cells
    bound = ties
    while remaining_cells != 0 or bound != 0:
        more = 0
        if remaining_cells != 0:
            i = trailing(remaining_cells)
            remaining_cells = remaining_cells & (remaining_cells - 1)
            more = r.graph[side + NEAR + i]
            fresh = r.graph[side + TIED + i] & ~ties
            ties = ties | fresh
            bound = bound | fresh
        else:
            g = trailing(bound)
            bound = bound & (bound - 1)
            more = r.graph[side + REACH + g]
        beside = beside | more
        more = more & own & ~cells
        cells = cells | more
        remaining_cells = remaining_cells | more
    r.words.group = cells
    r.words.ties = ties
    return beside


def winning_cells(r: Race, player: i64, own: i64, empty: i64) -> i64:
    """The empty cells by each of which a player is connected."""
    side = player * SIDE
    home = group_of(r, side, r.graph[side + HOME] & own, 0, own) | r.graph[side + HOME]
    goal = group_of(r, side, r.graph[side + GOAL] & own, 0, own) | r.graph[side + GOAL]
    return home & goal & empty


def add_end(r: Race, beside: i64, cell: i64) -> None:
    """One end more."""
    r.ends[BESIDE + r.words.ends] = beside
    r.ends[CELL + r.words.ends] = cell
    r.words.ends += 1


def list_ends(r: Race, side: i64, own: i64, empty: i64) -> None:
    """List the ends: home, goal, own groups that touch neither, empty cells."""
    r.words.ends = 0
    remaining_stones = own
    ties = r.graph[side + GROUPS]
    for edge in range(HOME, GOAL + 1):
        sites = r.graph[side + edge]
        add_end(r, (group_of(r, side, sites & own, 0, own) | sites) & empty, 0)
        remaining_stones = remaining_stones & ~r.words.group
        ties = ties & ~r.words.ties
    while remaining_stones != 0 or ties != 0:
        beside = 0
        if remaining_stones != 0:
            beside = group_of(r, side, remaining_stones & -remaining_stones, 0, own)
        else:
            beside = group_of(r, side, 0, ties & -ties, own)
        remaining_stones = remaining_stones & ~r.words.group
        ties = ties & ~r.words.ties
        if beside & empty != 0:
            add_end(r, beside & empty, 0)
    remaining_cells = empty
    while remaining_cells != 0:
        i = trailing(remaining_cells)
        r.ends[NUMBER + i] = r.words.ends
        add_end(r, r.graph[side + NEAR + i] & empty, remaining_cells & -remaining_cells)
        remaining_cells = remaining_cells & (remaining_cells - 1)


def pair_of(r: Race, a: i64, b: i64) -> i64:
    """Where it stands what connects two ends."""
    return (a * r.words.ends + b if a < b else b * r.words.ends + a) * PAIR


def keep_connection(r: Race, at: i64, count: i64, most: i64, carrier: i64, cell: i64) -> i64:
    """Keep a connection in a list, unless a smaller one makes it needless; whether it was kept."""
    n = r.pairs[count]
    fill = 0
    for i in range(n):
        other = r.pairs[at + 2 * i]
        if other & ~carrier == 0:
            return 0
        if carrier & ~other != 0:
            r.pairs[at + 2 * fill] = other
            r.pairs[at + 2 * fill + 1] = r.pairs[at + 2 * i + 1]
            fill = fill + 1
    if fill == most:
        fill = largest_carrier(r, at, most, popcount(carrier))
        r.pairs[count] = most
    else:
        r.pairs[count] = fill + 1
    if fill < 0:
        return 0
    r.pairs[at + 2 * fill] = carrier
    r.pairs[at + 2 * fill + 1] = cell
    return 1


def largest_carrier(r: Race, at: i64, n: i64, size: i64) -> i64:
    """The connection of a list with the largest carrier, if it is larger than *size*; else -1."""
    largest = -1
    for i in range(n):
        other = popcount(r.pairs[at + 2 * i])
        if other > size:
            size = other
            largest = i
    return largest


def add_full(r: Race, a: i64, b: i64, carrier: i64) -> None:
    """Two ends are connected; what follows from it will be looked for."""
    at = pair_of(r, a, b)
    if (
        keep_connection(r, at + FULL, at + FULLS, MOST_FULL, carrier, 0) == 1
        and r.words.tail < QUEUE
    ):
        tail = r.words.tail
        r.queue[tail] = a
        r.queue[tail + 1] = b
        r.queue[tail + 2] = carrier
        r.words.tail = tail + 3


def add_half(r: Race, a: i64, b: i64, carrier: i64, cell: i64) -> None:
    """Two ends are connected if their owner plays a cell first."""
    at = pair_of(r, a, b)
    for i in range(r.pairs[at + FULLS]):
        if r.pairs[at + FULL + 2 * i] & ~carrier == 0:
            return
    if keep_connection(r, at + HALF, at + HALVES, MOST_HALVES, carrier, cell) == 1:
        join_halves(r, a, b, carrier, carrier, 0, JOINED)


def join_halves(r: Race, a: i64, b: i64, all: i64, common: i64, first: i64, more: i64) -> None:
    """Full connections of some half ones with up to so many more that have no cell in common."""
    at = pair_of(r, a, b)
    for i in range(first, r.pairs[at + HALVES]):
        carrier = r.pairs[at + HALF + 2 * i]
        intersection = common & carrier
        if intersection == 0:
            add_full(r, a, b, all | carrier)
        elif intersection != common and more > 1:
            join_halves(r, a, b, all | carrier, intersection, i + 1, more - 1)


def stands(r: Race, at: i64, carrier: i64) -> i64:
    """Whether a full connection has not given way to a smaller one."""
    for i in range(r.pairs[at + FULLS]):
        if r.pairs[at + FULL + 2 * i] == carrier:
            return 1
    return 0


def combine(r: Race, over: i64, a: i64, carrier: i64) -> None:
    """Add what a connection between *a* and *over* makes with the others that *over* has."""
    own = r.ends[CELL + over]
    cell = r.ends[CELL + a]
    for b in range(r.words.ends):
        if b != a and b != over and carrier & r.ends[CELL + b] == 0:
            at = pair_of(r, over, b)
            for i in range(r.pairs[at + FULLS]):
                other = r.pairs[at + FULL + 2 * i]
                if other & (carrier | cell) == 0:
                    if own == 0:
                        add_full(r, a, b, carrier | other)
                    else:
                        add_half(r, a, b, carrier | other | own, own)


def find_connections(r: Race, player: i64, own: i64, empty: i64) -> i64:
    """Look for what a player can connect; whether home and goal are: then the rest is left out.

    The first pair holds what connects home and goal.
    """
    list_ends(r, player * SIDE, own, empty)
    n = r.words.ends
    for a in range(n):
        for b in range(a + 1, n):
            r.pairs[(a * n + b) * PAIR + FULLS] = 0
            r.pairs[(a * n + b) * PAIR + HALVES] = 0
    r.words.tail = 0
    for a in range(n):
        remaining_cells = r.ends[BESIDE + a]
        while remaining_cells != 0:
            add_full(r, a, r.ends[NUMBER + trailing(remaining_cells)], 0)
            remaining_cells = remaining_cells & (remaining_cells - 1)
    head = 0
    while head < r.words.tail:
        a = r.queue[head]
        b = r.queue[head + 1]
        carrier = r.queue[head + 2]
        head = head + 3
        if stands(r, pair_of(r, a, b), carrier) == 1:
            if b > GOAL:
                combine(r, b, a, carrier)
            if a > GOAL:
                combine(r, a, b, carrier)
            if r.pairs[PAIR + FULLS] > 0:
                return 1
    return 0
