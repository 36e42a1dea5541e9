"""Kernels of a tree search in the lanes of a batch, with priors and values from outside.

Kernel Python, linked to the kernels of batches.  A lane walks from its root to a leaf by PUCT
(Rosin 2011, in the form of AlphaZero, Silver et al. 2018); what is outside values the leaf; the
lane then gives the leaf its children and counts the value for every node of the path.

Nodes lie one after the other, in two arrays.  `nodes` has for each: first child, children, visits,
the seat that decides there, the action that leads there, then the row of that decision.  `worth`
has its prior and the sum of its values for seat 0.
"""

from __future__ import annotations

from rulewright.compiler.layout import RUNNING
from rulewright.compiler.runtime import f64, floats, i64, ints, real, sqrt
from rulewright.games.engine.memory import play
from rulewright.games.engine.stepping import code_of
from rulewright.learning.kernels import LaneArrays, list_actions, list_rows

FIRST_CHILD = 0
CHILDREN = 1
VISITS = 2
SEAT = 3
ACTION = 4
HEAD = 5
PRIOR = 0
SUM = 1
WORTH = 2
ANY = -1  # stands for an action at the root: PUCT chooses


class TreeWords(ints):
    """What is known of the tree of a lane.

    `used` nodes are in use; `length` is that of the path; `first` is the action to try at the root,
    or ANY; `plies` is how many decisions the root's game has had; `open` is whether the leaf waits
    for a value.
    """

    used: i64 = 0
    length: i64 = 1
    first: i64 = 2
    plies: i64 = 3
    open: i64 = 4


class ForestWords(ints):
    """What all trees share: nodes that have room, and nodes of the longest path."""

    room: i64 = 0
    longest: i64 = 1


class LaneTree:
    """The tree of a lane.

    `root` is the position at its root.  `priors` holds a weight for each action in the leaf, and
    `value` what the leaf is worth to the seat that decides there, from -1 to 1.  `rates` holds how
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
    tree.worth[PRIOR] = 1.0
    tree.worth[SUM] = 0.0
    descend_lane(a, tree)


def descend_lane(a: LaneArrays, tree: LaneTree) -> None:
    """Walk from the root to a leaf, and mark the actions that are legal there."""
    return_to_root(a, tree)
    node = 0
    length = 1
    tree.path[0] = 0
    size = HEAD + a.batch.row
    while tree.nodes[node * size + CHILDREN] > 0 and length < tree.shared.longest:
        node = chosen_child(a, tree, node)
        for i in range(a.batch.row):
            a.game.rows[i] = tree.nodes[node * size + HEAD + i]
        play(a.game, 0, 1)
        a.lane.plies = a.lane.plies + 1
        tree.path[length] = node
        length = length + 1
    tree.words.length = length
    list_actions(a)
    tree.words.open = 1 - a.lane.over


def return_to_root(a: LaneArrays, tree: LaneTree) -> None:
    """Put the position at the root into the lane."""
    for i in range(a.batch.size):
        a.game.state[i] = tree.root[i]
    a.lane.plies = tree.words.plies
    a.lane.over = 0
    a.lane.cut = 0


def chosen_child(a: LaneArrays, tree: LaneTree, node: i64) -> i64:
    """Return the child to look at: at the root that of the action to try, else the best by PUCT."""
    size = HEAD + a.batch.row
    first = tree.nodes[node * size + FIRST_CHILD]
    if node == 0 and tree.words.first != ANY:
        for child in range(first, first + tree.nodes[node * size + CHILDREN]):
            if tree.nodes[child * size + ACTION] == tree.words.first:
                return child
    return child_of_most(a, tree, node)


def child_of_most(a: LaneArrays, tree: LaneTree, node: i64) -> i64:
    """Return the child with the largest bound; of equal ones the first.

    A child that was never visited counts as worth what its parent is.
    """
    size = HEAD + a.batch.row
    at = node * size
    first = tree.nodes[at + FIRST_CHILD]
    side = 1.0 if tree.nodes[at + SEAT] == 0 else -1.0
    total = real(tree.nodes[at + VISITS])
    pull = tree.rates[0] * sqrt(total)
    untried = side * tree.worth[node * WORTH + SUM] / total
    best = first
    most = 0.0
    for child in range(first, first + tree.nodes[at + CHILDREN]):
        visits = real(tree.nodes[child * size + VISITS])
        bound = untried
        if visits > 0.0:
            bound = side * tree.worth[child * WORTH + SUM] / visits
        bound = bound + pull * tree.worth[child * WORTH + PRIOR] / (1.0 + visits)
        if child == first or bound > most:
            best = child
            most = bound
    return best


def back_up_lane(a: LaneArrays, tree: LaneTree) -> None:
    """Count the value of the leaf for every node of the path; give an open leaf its children."""
    seat = a.game.state.mover ^ a.game.state.swapped
    value = result_of_first(a)
    if tree.words.open == 1:
        value = tree.value[0] if seat == 0 else -tree.value[0]
    size = HEAD + a.batch.row
    leaf = tree.path[tree.words.length - 1]
    if tree.words.open == 1 and tree.nodes[leaf * size + CHILDREN] == 0:
        give_children(a, tree, leaf, seat)
    for i in range(tree.words.length):
        node = tree.path[i]
        tree.nodes[node * size + VISITS] = tree.nodes[node * size + VISITS] + 1
        tree.worth[node * WORTH + SUM] = tree.worth[node * WORTH + SUM] + value


def result_of_first(a: LaneArrays) -> f64:
    """The result of a finished game for seat 0: 1, -1, or 0 for a draw or a game broken off."""
    result = a.game.state.result
    if result == RUNNING or result > 1:
        return 0.0
    return 1.0 if result == a.game.state.swapped else -1.0


def give_children(a: LaneArrays, tree: LaneTree, node: i64, seat: i64) -> None:
    """Give a node a child for each decision, where there is room."""
    n = a.lane.legal
    first = tree.words.used
    if first + n > tree.shared.room:
        return
    size = HEAD + a.batch.row
    tree.nodes[node * size + FIRST_CHILD] = first
    tree.nodes[node * size + CHILDREN] = n
    tree.nodes[node * size + SEAT] = seat
    tree.words.used = first + n
    if n > a.batch.room:
        list_rows(a)  # there are more than are kept
    for i in range(n):
        if n > a.batch.room:
            put_child(a, tree, a.game.rows, i, first + i)
        else:
            put_child(a, tree, a.rows, i, first + i)
    share_priors(tree, first, n)


def put_child(a: LaneArrays, tree: LaneTree, rows: ints, number: i64, child: i64) -> None:
    """Make a node for the decision in a row."""
    at = child * (HEAD + a.batch.row)
    row = number * a.batch.row
    for i in range(HEAD):
        tree.nodes[at + i] = 0
    for i in range(a.batch.row):
        tree.nodes[at + HEAD + i] = rows[row + i]
    action = a.actions[code_of(rows, row, a.moves)]
    tree.nodes[at + ACTION] = action
    tree.worth[child * WORTH + PRIOR] = tree.priors[action]
    tree.worth[child * WORTH + SUM] = 0.0


def share_priors(tree: LaneTree, first: i64, n: i64) -> None:
    """Divide the priors of brothers by their sum; all are alike if it is 0."""
    total = 0.0
    for child in range(first, first + n):
        total = total + tree.worth[child * WORTH + PRIOR]
    for child in range(first, first + n):
        prior = 1.0 / real(n)
        if total > 0.0:
            prior = tree.worth[child * WORTH + PRIOR] / total
        tree.worth[child * WORTH + PRIOR] = prior


def count_lane(a: LaneArrays, tree: LaneTree) -> None:
    """Write visits of the root's children by action, and their mean values for who decides."""
    size = HEAD + a.batch.row
    side = 1.0 if tree.nodes[SEAT] == 0 else -1.0
    for i in range(8 * a.batch.marks):
        tree.visits[i] = 0.0
        tree.values[i] = 0.0
    first = tree.nodes[FIRST_CHILD]
    for child in range(first, first + tree.nodes[CHILDREN]):
        action = tree.nodes[child * size + ACTION]
        visits = real(tree.nodes[child * size + VISITS])
        tree.visits[action] = visits
        if visits > 0.0:
            tree.values[action] = side * tree.worth[child * WORTH + SUM] / visits
