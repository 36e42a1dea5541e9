"""Searches of an engine to take away, in slices: alpha-beta by an evaluator, else random games.

A search begins with `think`, goes on with `think_on` until that says that it is over or whoever
asks has enough, and is ended by `think_end`; between these nothing else may be asked.  Then the
best decision, its value and the line behind it are there.
"""

from __future__ import annotations

from rulewright.build.face import Face, moves, seeded
from rulewright.codegen.layout import RUNNING
from rulewright.codegen.runtime import bits_float, f64, float_bits, i64, ints, real
from rulewright.search.kernels.alphabeta import try_row
from rulewright.search.kernels.game import decisions, play, position_key
from rulewright.search.kernels.montecarlo import (
    AT_MOVE,
    CHILDREN,
    DISTANCE,
    EVEN,
    FIRST_CHILD,
    HEAD,
    SETTLED,
    VISITS,
    expand,
    grow,
)
from rulewright.search.kernels.moving import back, note
from rulewright.search.kernels.table import tt_best, tt_probe, tt_word
from rulewright.search.kernels.thread import SURE, WIN

MORE = 0
OVER = 1
CUT = 2  # the nodes were not enough for the decision that was looked at
LONGEST = 64  # decisions of a line
GAME = 400  # a random game that is longer counts as a draw
EVER = 4611686018427387904


def think(f: Face, seed: i64) -> i64:
    """Begin a search; how many decisions there are to choose from."""
    f.told.roots = moves(f)
    f.told.depth = 1
    f.told.next = 0
    f.told.best = 0
    f.told.value = float_bits(0.0)
    f.told.proven = 0
    f.told.open = 0
    f.told.line = 0
    f.thread.control.nodes = 0
    f.thread.control.fault = 0
    f.thread.control.path = 0
    f.thread.control.resumed = 0
    f.thread.control.unwinding = 0
    f.thread.control.last = EVER
    f.thread.game.scratch[1] = seeded(seed)
    f.tree.chance[0] = seeded(seed)
    note(f.thread, 0)
    if f.told.roots > 0 and f.told.grows == 1:
        plant(f)
    elif f.told.roots > 0:
        forget(f)
    return f.told.roots


def plant(f: Face) -> None:
    """Begin a tree."""
    f.thread.control.used = 1
    for i in range(HEAD + f.thread.control.row):
        f.tree.nodes[i] = 0
    f.tree.sums[0] = 0.0
    f.thread.control.stop = 0
    expand(f.thread, f.tree, 0)


def forget(f: Face) -> None:
    """Forget what other searches knew: the same search finds the same again."""
    for i in range((f.thread.control.mask + 1) * 4):
        f.thread.table[i] = 0
    for i in range(8704):
        f.thread.history[i] = 0
    for i in range(f.told.roots):
        f.order[i] = i


def think_on(f: Face, nodes: i64) -> i64:
    """Search on, playing about so many decisions: MORE to do, OVER, or CUT."""
    if f.told.roots == 0:
        return OVER
    f.thread.control.stop = 0
    f.thread.control.node_limit = f.thread.control.nodes + nodes
    if f.told.grows == 1:
        grow(f.thread, f.tree, 0.8, GAME)
        if f.tree.nodes[SETTLED] != 0 or f.thread.control.fault != 0:
            return OVER
        return MORE
    return look(f)


# --- alpha-beta ---


def above_all() -> f64:
    """Beyond every value."""
    return 2.0 * real(WIN)


def look(f: Face) -> i64:
    """Search one decision of the root; behind the last one the next depth begins."""
    me = f.thread.game.state.mover ^ f.thread.game.state.swapped
    low = -above_all()
    if f.told.next > 0:
        low = bits_float(f.told.top)
    number = f.order[f.told.next]
    f.thread.control.age = f.told.depth & 3
    v = try_row(f.thread, number, f.told.depth, low, above_all(), 0, f.told.roots, me)
    if f.thread.control.fault != 0:
        return OVER
    if f.thread.control.unwinding != 0:
        f.thread.control.unwinding = 0
        f.thread.control.path = 0
        f.thread.control.resumed = 0
        return CUT
    f.told.open = f.told.open | f.thread.control.open
    if f.told.next == 0 or v > low:
        f.told.top = float_bits(v)
        f.told.best = number
        f.told.value = f.told.top
        f.told.proven = 1 if v > real(SURE) else 0
        first(f)
    f.told.next += 1
    if f.told.proven == 1:
        return OVER
    return deeper(f) if f.told.next == f.told.roots else MORE


def first(f: Face) -> None:
    """Put the decision that was looked at in front of all others."""
    number = f.order[f.told.next]
    for i in range(f.told.next, 0, -1):
        f.order[i] = f.order[i - 1]
    f.order[0] = number


def deeper(f: Face) -> i64:
    """Begin the next depth, if there is one and anything is left to find out."""
    if f.told.open == 0:
        f.told.proven = 1
        return OVER
    if f.told.depth >= f.told.deepest:
        return OVER
    f.told.depth += 1
    f.told.next = 0
    f.told.open = 0
    return MORE


# --- the end ---


def think_end(f: Face) -> i64:
    """End a search: the line is written, the position is that of its root; the best decision."""
    back(f.thread, 0)
    f.told.fault = f.thread.control.fault
    if f.told.roots > 0 and f.told.fault == 0:
        if f.told.grows == 1:
            branch(f)
        else:
            remembered_line(f)
    back(f.thread, 0)
    f.told.listed = 0
    return f.told.best


def keep_row(f: Face, rows: ints, at: i64) -> None:
    """Put a row behind the line."""
    row = f.thread.control.row
    for i in range(row):
        f.line[f.told.line * row + i] = rows[at + i]
    f.told.line += 1


def worth(f: Face, child: i64) -> f64:
    """What a child of the root is worth for who is at move there."""
    at = child * (HEAD + f.thread.control.row)
    me = f.tree.nodes[AT_MOVE]
    settled = f.tree.nodes[at + SETTLED]
    if settled == EVEN:
        return 0.0
    if settled != 0:
        return 1.0 if settled == 1 + me else -1.0
    sum = f.tree.sums[child] if me == 0 else -f.tree.sums[child]
    return sum / real(f.tree.nodes[at + VISITS] + 1)


def rank_of(f: Face, child: i64) -> f64:
    """Short wins first, then what was looked at most; draws before what loses; long losses."""
    at = child * (HEAD + f.thread.control.row)
    settled = f.tree.nodes[at + SETTLED]
    distance = real(f.tree.nodes[at + DISTANCE])
    if settled == 0:
        return real(f.tree.nodes[at + VISITS]) if worth(f, child) >= 0.0 else -0.5
    if settled == EVEN:
        return -0.25
    if settled == 1 + f.tree.nodes[AT_MOVE]:
        return 1000000000000.0 - distance
    return -1000000000000.0 + distance


def branch(f: Face) -> None:
    """The best decision of a tree, and the line of most visits behind it."""
    size = HEAD + f.thread.control.row
    best = f.tree.nodes[FIRST_CHILD]
    for child in range(best + 1, f.tree.nodes[FIRST_CHILD] + f.tree.nodes[CHILDREN]):
        if rank_of(f, child) > rank_of(f, best):
            best = child
        elif rank_of(f, child) == rank_of(f, best) and more_visits(f, child, best) == 1:
            best = child
    f.told.best = best - f.tree.nodes[FIRST_CHILD]
    f.told.value = float_bits(worth(f, best))
    settled = f.tree.nodes[best * size + SETTLED]
    f.told.proven = 1 if settled == 1 + f.tree.nodes[AT_MOVE] or f.tree.nodes[SETTLED] != 0 else 0
    node = best
    while node > 0 and f.told.line < LONGEST:
        keep_row(f, f.tree.nodes, node * size + HEAD)
        node = most_visited(f, node)


def more_visits(f: Face, one: i64, other: i64) -> i64:
    """Whether a node was looked at more often than another."""
    size = HEAD + f.thread.control.row
    return 1 if f.tree.nodes[one * size + VISITS] > f.tree.nodes[other * size + VISITS] else 0


def most_visited(f: Face, node: i64) -> i64:
    """The child that was looked at most, 0 where none was looked at twice."""
    size = HEAD + f.thread.control.row
    at = node * size
    if f.tree.nodes[at + CHILDREN] == 0:
        return 0
    best = f.tree.nodes[at + FIRST_CHILD]
    for child in range(best + 1, best + f.tree.nodes[at + CHILDREN]):
        if more_visits(f, child, best) == 1:
            best = child
    return best if f.tree.nodes[best * size + VISITS] > 1 else 0


def remembered_line(f: Face) -> None:
    """The best decision, and the line that the table knows behind it."""
    row = f.thread.control.row
    n = decisions(f.thread.game, 0)
    number = f.told.best
    while number < n and f.told.line < LONGEST and f.thread.game.state.fault == 0:
        keep_row(f, f.thread.game.rows, number * row)
        play(f.thread.game, number * row, n)
        number = n
        if f.thread.game.state.result == RUNNING and f.thread.game.state.fault == 0:
            n = decisions(f.thread.game, 0)
            number = remembered_best(f, n)


def remembered_best(f: Face, n: i64) -> i64:
    """The decision that the table thinks best here, *n* if it knows none."""
    at = tt_probe(f.thread.table, position_key(f.thread.game.state), f.thread.control.mask)
    if at < 0:
        return n
    best = tt_best(tt_word(f.thread.table, at))
    return best if best < n else n


def seen_nodes(f: Face) -> i64:
    """Decisions that the search has played."""
    return f.thread.control.nodes


def best_value(f: Face) -> f64:
    """What the best decision is worth for who is at move."""
    return bits_float(f.told.value)


def is_proven(f: Face) -> i64:
    """Whether that is proven."""
    return f.told.proven


def line_length(f: Face) -> i64:
    """Decisions of the best line."""
    return f.told.line
