"""What a tree says of its root: the value of a child, the best child, the line of most visits.

Children are numbers of nodes; 0, the root's, stands for none.
"""

from __future__ import annotations

from rulewright.compiler.runtime import f64, i64, ints, real
from rulewright.search.kernels.montecarlo import (
    AT_MOVE,
    AWAY,
    CHILDREN,
    EVEN,
    FIRST_CHILD,
    HEAD,
    RESULT,
    SETTLED,
    SUM,
    VISITS,
    is_lot,
)
from rulewright.search.kernels.thread import Thread, Tree

LOST_CHILD = 0  # what a child of the root is for who decides there, the better the larger
DRAWN_CHILD = 1
OPEN_CHILD = 2
WON_CHILD = 3


def child_state(t: Thread, tree: Tree, child: i64) -> i64:
    """Return whether a child of the root is a win, a draw or a loss, or open."""
    settled = tree.nodes[child * (HEAD + t.control.row) + SETTLED] & RESULT
    if settled == 0:
        return OPEN_CHILD
    if settled == EVEN:
        return DRAWN_CHILD
    return WON_CHILD if settled == 1 + tree.nodes[AT_MOVE] else LOST_CHILD


def child_value(t: Thread, tree: Tree, child: i64) -> f64:
    """Return the result of a child of the root, or the mean of its games and a drawn one."""
    state = child_state(t, tree, child)
    if state != OPEN_CHILD:
        return real(state - DRAWN_CHILD) if state != WON_CHILD else 1.0
    at = child * (HEAD + t.control.row)
    sum = tree.nodes[at + SUM] if tree.nodes[AT_MOVE] == 0 else -tree.nodes[at + SUM]
    return real(sum) / real(tree.nodes[at + VISITS] + 1)


def is_better(t: Thread, tree: Tree, child: i64, other: i64) -> i64:
    """Return whether of two children in the same state the first is better.

    Wins are short and losses long; of what is open the one that was looked at most is played.
    """
    size = HEAD + t.control.row
    state = child_state(t, tree, child)
    away = tree.nodes[child * size + SETTLED] >> AWAY
    longer = away - (tree.nodes[other * size + SETTLED] >> AWAY)
    if state == WON_CHILD:
        return 1 if longer < 0 else 0
    if state == OPEN_CHILD:
        if tree.nodes[child * size + VISITS] == tree.nodes[other * size + VISITS]:
            return 1 if child_value(t, tree, child) > child_value(t, tree, other) else 0
        return more_visits(t, tree, child, other)
    return 1 if state == LOST_CHILD and longer > 0 else 0


def best_in_state(t: Thread, tree: Tree, order: ints, state: i64) -> i64:
    """Return the best child of the root in a state: of equal ones the first in the order."""
    best = 0
    for i in range(tree.nodes[CHILDREN]):
        child = tree.nodes[FIRST_CHILD] + order[i]
        if child_state(t, tree, child) == state:
            if best == 0 or is_better(t, tree, child, best) == 1:
                best = child
    return best


def best_child(t: Thread, tree: Tree, order: ints) -> i64:
    """Return the root's best child: a win, else what was looked at most, or a draw above that."""
    best = 0
    for state in range(WON_CHILD + 1):
        child = best_in_state(t, tree, order, state)
        if child > 0:
            is_draw = 1 if best > 0 and child_state(t, tree, best) == DRAWN_CHILD else 0
            if state != OPEN_CHILD or is_draw == 0 or child_value(t, tree, child) >= 0.0:
                best = child
    return best


def more_visits(t: Thread, tree: Tree, node: i64, other: i64) -> i64:
    """Return whether a node was looked at more often than another."""
    size = HEAD + t.control.row
    return 1 if tree.nodes[node * size + VISITS] > tree.nodes[other * size + VISITS] else 0


def most_visited(t: Thread, tree: Tree, node: i64) -> i64:
    """Return the child with the most visits; 0 if no child has two."""
    at = node * (HEAD + t.control.row)
    if tree.nodes[at + CHILDREN] == 0:
        return 0
    best = tree.nodes[at + FIRST_CHILD]
    if is_lot(t, tree.nodes, best) == 1:
        return 0
    for child in range(best + 1, best + tree.nodes[at + CHILDREN]):
        if more_visits(t, tree, child, best) == 1:
            best = child
    return best if tree.nodes[best * (HEAD + t.control.row) + VISITS] > 1 else 0
