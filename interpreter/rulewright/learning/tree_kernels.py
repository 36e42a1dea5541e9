"""Kernels of a tree search in the lanes of a batch, with priors and values from outside.

Kernel Python, linked to the kernels of batches.  A lane walks from its root to a leaf by PUCT
(Rosin 2011, in the form of AlphaZero, Silver et al. 2018); what is outside values the leaf; the
lane then gives the leaf its children and counts the value for every node of the path.

Nodes lie one after the other, in two arrays.  `nodes` has for each: first child, children, visits,
the seat that decides there or CHANCE, the action that leads there, then the row of that decision.
`worth` has its prior, or how likely chance is to lead there, and the sum of its values for each
seat.  Who decides looks for the most for the own seat (max^n, Luckhardt and Irani 1986).
"""

from __future__ import annotations

from rulewright.compiler.layout import RUNNING
from rulewright.compiler.runtime import f64, floats, i64, ints, real, sqrt
from rulewright.games.engine.memory import play
from rulewright.learning.kernels import (
    LaneArrays,
    action_of,
    drawn_row,
    likelihood,
    list_actions,
    list_rows,
    random_below,
    worth_of_place,
)

FIRST_CHILD = 0
CHILDREN = 1
VISITS = 2
SEAT = 3
ACTION = 4
HEAD = 5
PRIOR = 0
SUMS = 1
ANY = -1  # stands for an action at the root: PUCT chooses
CHANCE = -1  # stands for a seat


class TreeWords(ints):
    """What is known of the tree of a lane.

    `used` nodes are in use; `length` is that of the path; `first` is the action to try at the root,
    or ANY; `plies` is how many decisions the root's game has had; `open` is whether the leaf waits
    for a value; `beyond` is whether it lies below the last node of the path, for want of room.
    """

    used: i64 = 0
    length: i64 = 1
    first: i64 = 2
    plies: i64 = 3
    open: i64 = 4
    beyond: i64 = 5


class ForestWords(ints):
    """What all trees share: nodes that have room, nodes of the longest path, seats."""

    room: i64 = 0
    longest: i64 = 1
    seats: i64 = 2


class LaneTree:
    """The tree of a lane.

    `root` is the position at its root.  `priors` holds a weight for each action in the leaf, and
    `value` what the leaf is worth to each seat, from -1 to 1.  `rates` holds how
    much priors count.  `visits` and `values` are what `count_lane` says of the root, by action.
    """

    words: TreeWords
    root: ints
    nodes: ints
    worth: floats
    path: ints
    priors: floats
    value: floats
    visits: floats
    values: floats
    rates: floats
    shared: ForestWords


def plant_lane(a: LaneArrays, tree: LaneTree) -> None:
    """Begin a tree with its root alone."""
    tree.words.used = 1
    for i in range(HEAD):
        tree.nodes[i] = 0
    clear_worth(tree, 0, 1.0)
    descend_lane(a, tree)


def clear_worth(tree: LaneTree, node: i64, prior: f64) -> None:
    """Give a node a prior, and no values."""
    at = node * (SUMS + tree.shared.seats)
    tree.worth[at + PRIOR] = prior
    for seat in range(tree.shared.seats):
        tree.worth[at + SUMS + seat] = 0.0


def descend_lane(a: LaneArrays, tree: LaneTree) -> None:
    """Walk from the root to a leaf, and mark the actions that are legal there."""
    return_to_root(a, tree)
    tree.path[0] = 0
    tree.words.length = 1
    tree.words.beyond = 0
    walk_down(a, tree)
    if a.batch.chance == 1:
        throw_dice(a, tree)
    list_actions(a)
    tree.words.open = 1 - a.lane.over


def return_to_root(a: LaneArrays, tree: LaneTree) -> None:
    """Put the position at the root into the lane."""
    for i in range(a.batch.size):
        a.game.state[i] = tree.root[i]
    a.lane.plies = tree.words.plies
    a.lane.over = 0
    a.lane.cut = 0


def walk_down(a: LaneArrays, tree: LaneTree) -> None:
    """Walk from the last node of the path to one that has no children."""
    size = HEAD + a.batch.row
    node = tree.path[tree.words.length - 1]
    while tree.nodes[node * size + CHILDREN] > 0 and tree.words.length < tree.shared.longest:
        node = chosen_child(a, tree, node)
        for i in range(a.batch.row):
            a.game.rows[i] = tree.nodes[node * size + HEAD + i]
        play(a.game, 0, 1)
        a.lane.plies = a.lane.plies + 1
        tree.path[tree.words.length] = node
        tree.words.length = tree.words.length + 1


def throw_dice(a: LaneArrays, tree: LaneTree) -> None:
    """Walk on while chance decides: its nodes get their children without a value from outside.

    Where there is no room for them, the walk leaves the tree.
    """
    n = list_rows(a)
    while a.lane.by_chance == 1 and a.lane.plies < a.batch.longest:
        node = tree.path[tree.words.length - 1]
        if tree.words.beyond == 0 and tree.nodes[node * (HEAD + a.batch.row) + CHILDREN] == 0:
            give_outcomes(a, tree, node, n)
        before = tree.words.length
        if tree.words.beyond == 0:
            walk_down(a, tree)
        if tree.words.length == before:
            tree.words.beyond = 1
            play(a.game, drawn_row(a, a.game.rows, n) * a.batch.row, n)
            a.lane.plies = a.lane.plies + 1
        n = list_rows(a)


def chosen_child(a: LaneArrays, tree: LaneTree, node: i64) -> i64:
    """Return the child to look at: what chance draws, the action to try at the root, or PUCT's."""
    size = HEAD + a.batch.row
    first = tree.nodes[node * size + FIRST_CHILD]
    last = first + tree.nodes[node * size + CHILDREN] - 1
    if tree.nodes[node * size + SEAT] == CHANCE:
        return drawn_child(a, tree, first, last)
    if node == 0 and tree.words.first != ANY:
        for child in range(first, last + 1):
            if tree.nodes[child * size + ACTION] == tree.words.first:
                return child
    return child_of_most(a, tree, node)


def drawn_child(a: LaneArrays, tree: LaneTree, first: i64, last: i64) -> i64:
    """Draw one of the children from the first to the last, each as often as it is likely."""
    rank = real(random_below(a.chance, 4294967296)) / 4294967296.0
    for child in range(first, last):
        rank = rank - tree.worth[child * (SUMS + tree.shared.seats) + PRIOR]
        if rank < 0.0:
            return child
    return last


def child_of_most(a: LaneArrays, tree: LaneTree, node: i64) -> i64:
    """Return the child with the largest bound; of equal ones the first.

    A child that was never visited counts as worth what its parent is.
    """
    size = HEAD + a.batch.row
    worth = SUMS + tree.shared.seats
    at = node * size
    first = tree.nodes[at + FIRST_CHILD]
    own = SUMS + tree.nodes[at + SEAT]
    total = real(tree.nodes[at + VISITS])
    pull = tree.rates[0] * sqrt(total)
    untried = tree.worth[node * worth + own] / total
    best = first
    most = 0.0
    for child in range(first, first + tree.nodes[at + CHILDREN]):
        visits = real(tree.nodes[child * size + VISITS])
        bound = untried
        if visits > 0.0:
            bound = tree.worth[child * worth + own] / visits
        bound = bound + pull * tree.worth[child * worth + PRIOR] / (1.0 + visits)
        if child == first or bound > most:
            best = child
            most = bound
    return best


def back_up_lane(a: LaneArrays, tree: LaneTree) -> None:
    """Count the values of the leaf for every node of the path; give an open leaf its children."""
    size = HEAD + a.batch.row
    leaf = tree.path[tree.words.length - 1]
    if tree.words.open == 0:
        value_end(a, tree)
    elif tree.words.beyond == 0 and tree.nodes[leaf * size + CHILDREN] == 0:
        give_children(a, tree, leaf)
    for i in range(tree.words.length):
        node = tree.path[i]
        tree.nodes[node * size + VISITS] = tree.nodes[node * size + VISITS] + 1
        at = node * (SUMS + tree.shared.seats) + SUMS
        for seat in range(tree.shared.seats):
            tree.worth[at + seat] = tree.worth[at + seat] + tree.value[seat]


def value_end(a: LaneArrays, tree: LaneTree) -> None:
    """Write what the end of a game is worth to each seat; 0 if it was broken off."""
    for seat in range(tree.shared.seats):
        value = 0.0
        if a.game.state.result != RUNNING:
            if tree.shared.seats > 2:
                value = worth_of_place(a.game.state.result, seat, tree.shared.seats)
            elif a.game.state.result <= 1:
                value = 1.0 if a.game.state.result == (seat ^ a.game.state.swapped) else -1.0
        tree.value[seat] = value


def give_children(a: LaneArrays, tree: LaneTree, node: i64) -> None:
    """Give a node a child for each decision of a player, where there is room."""
    n = a.lane.legal
    first = room_for(a, tree, node, n)
    if first < 0:
        return
    tree.nodes[node * (HEAD + a.batch.row) + SEAT] = a.game.state.mover ^ a.game.state.swapped
    if a.lane.has_rows == 0:
        list_rows(a)
    for i in range(n):
        if a.lane.has_rows == 0:
            put_child(a, tree, a.game.rows, i, first + i)
        else:
            put_child(a, tree, a.rows, i, first + i)
    share_priors(tree, first, n)


def give_outcomes(a: LaneArrays, tree: LaneTree, node: i64, n: i64) -> None:
    """Give a node a child for each of n rows of chance, where there is room."""
    first = room_for(a, tree, node, n)
    if first < 0:
        return
    tree.nodes[node * (HEAD + a.batch.row) + SEAT] = CHANCE
    for i in range(n):
        put_node(a, tree, a.game.rows, i, first + i)
        clear_worth(tree, first + i, likelihood(a, a.game.rows, i))
    share_priors(tree, first, n)


def room_for(a: LaneArrays, tree: LaneTree, node: i64, n: i64) -> i64:
    """Return the first of n new children of a node, -1 where there is no room."""
    first = tree.words.used
    if first + n > tree.shared.room:
        return -1
    size = HEAD + a.batch.row
    tree.nodes[node * size + FIRST_CHILD] = first
    tree.nodes[node * size + CHILDREN] = n
    tree.words.used = first + n
    return first


def put_child(a: LaneArrays, tree: LaneTree, rows: ints, number: i64, child: i64) -> None:
    """Make a node for the decision of a player in a row."""
    action = action_of(a, rows, number)
    put_node(a, tree, rows, number, child)
    clear_worth(tree, child, tree.priors[action])
    tree.nodes[child * (HEAD + a.batch.row) + ACTION] = action


def put_node(a: LaneArrays, tree: LaneTree, rows: ints, number: i64, child: i64) -> None:
    """Make a node for the decision in a row."""
    at = child * (HEAD + a.batch.row)
    for i in range(HEAD):
        tree.nodes[at + i] = 0
    for i in range(a.batch.row):
        tree.nodes[at + HEAD + i] = rows[number * a.batch.row + i]


def share_priors(tree: LaneTree, first: i64, n: i64) -> None:
    """Divide the priors of brothers by their sum; all are alike if it is 0."""
    size = SUMS + tree.shared.seats
    total = 0.0
    for child in range(first, first + n):
        total = total + tree.worth[child * size + PRIOR]
    for child in range(first, first + n):
        prior = 1.0 / real(n)
        if total > 0.0:
            prior = tree.worth[child * size + PRIOR] / total
        tree.worth[child * size + PRIOR] = prior


def count_lane(a: LaneArrays, tree: LaneTree) -> None:
    """Write visits of the root's children by action, and their mean values for who decides.

    There are none where chance decides.
    """
    size = HEAD + a.batch.row
    for i in range(8 * a.batch.marks):
        tree.visits[i] = 0.0
        tree.values[i] = 0.0
    if tree.nodes[SEAT] == CHANCE:
        return
    own = SUMS + tree.nodes[SEAT]
    first = tree.nodes[FIRST_CHILD]
    for child in range(first, first + tree.nodes[CHILDREN]):
        action = tree.nodes[child * size + ACTION]
        visits = real(tree.nodes[child * size + VISITS])
        tree.visits[action] = visits
        if visits > 0.0:
            tree.values[action] = tree.worth[child * (SUMS + tree.shared.seats) + own] / visits
