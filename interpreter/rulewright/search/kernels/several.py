"""A tree of random games for more than two players, with what they were worth to each of them.

Nodes lie one after the other: first child, children, visits, how the game ends from here if that is
certain (places, as results have them) and after how many decisions, who is at move; then for each
player the sum of what all games were worth, in parts of which a first place alone is one less than
there are players; then the row of the decision that leads there.  Whoever decides takes the child
that is best for themselves by UCB1, whatever it is worth to others (max^n, Sturtevant 2008).  A
known end is passed on as soon as whoever decides cannot do better.
"""

from __future__ import annotations

from rulewright.compiler.faults import STUCK
from rulewright.compiler.layout import RUNNING
from rulewright.compiler.runtime import f64, i64, ints, real, sqrt, volatile
from rulewright.search.kernels.game import decisions, play, stuck
from rulewright.search.kernels.moving import back, failed, worth_at_end
from rulewright.search.kernels.random_games import (
    begin_game,
    chance,
    draw_weighted,
    is_whole,
    logarithm,
    play_on,
)
from rulewright.search.kernels.thread import PATH, Thread, Tree

CHILD = 0  # the first child
COUNT = 1  # of children
SEEN = 2  # how often games went through it
PLACES = 3  # 0, or the places of all players at the end, four bits each
DISTANCE = 4  # decisions until that end
DECIDES = 5  # who
IN_USE = 6  # of the root alone: nodes in use
BEFORE_WORTHS = 7  # words before what games were worth


def node_size(t: Thread) -> i64:
    """Words of a node."""
    return BEFORE_WORTHS + t.control.seats + t.control.row


def mean_worth(t: Thread, nodes: ints, node: i64, player: i64) -> f64:
    """The worth of a node for a player, from -1 to 1: its end's, or the mean with a drawn game."""
    at = node * node_size(t)
    parts = real(t.control.seats - 1)
    if nodes[at + PLACES] != 0:
        return real(worth_at_end(t, nodes[at + PLACES], player)) / parts
    return real(nodes[at + BEFORE_WORTHS + player]) / (real(nodes[at + SEEN] + 1) * parts)


def certain(t: Thread, nodes: ints, node: i64, player: i64) -> i64:
    """1 where a player is sure to be first alone, -1 where sure to be last alone; else 0."""
    places = nodes[node * node_size(t) + PLACES]
    if places == 0:
        return 0
    worth = worth_at_end(t, places, player)
    if worth == t.control.seats - 1:
        return 1
    return -1 if worth == 1 - t.control.seats else 0


# --- growing ---


def open_node(t: Thread, tree: Tree, node: i64) -> None:
    """Give the node of the present position its children, where there is room."""
    size = node_size(t)
    at = node * size
    row = t.control.row
    n = decisions(t.game, 0)
    tree.nodes[at + DECIDES] = t.game.state.mover
    if t.game.state.fault != 0:
        failed(t, t.game.state.fault)
        return
    if n == 0:
        t.game.state.result = stuck(t.game)
        if t.game.state.result == RUNNING:
            failed(t, STUCK)
        else:
            tree.nodes[at + PLACES] = t.game.state.result
        return
    first = tree.nodes[IN_USE]
    if first + n > t.control.room:
        return
    tree.nodes[IN_USE] = first + n
    for i in range(n):
        child = (first + i) * size
        for j in range(size - row):
            tree.nodes[child + j] = 0
        for j in range(row):
            tree.nodes[child + size - row + j] = t.game.rows[i * row + j]
    tree.nodes[at + CHILD] = first
    tree.nodes[at + COUNT] = n


def is_thrown(t: Thread, nodes: ints, node: i64) -> i64:
    """Whether chance decides among the children of a node."""
    if t.control.lots == 0 or nodes[node * node_size(t) + COUNT] == 0:
        return 0
    end = (nodes[node * node_size(t) + CHILD] + 1) * node_size(t)
    return 1 if nodes[end - t.control.row + t.control.lots] != 0 else 0


def upper_bound(t: Thread, nodes: ints, child: i64, player: i64, room: f64) -> f64:
    """What a child may be worth to a player; a known end is worth what it is."""
    at = child * node_size(t)
    bound = mean_worth(t, nodes, child, player)
    if nodes[at + PLACES] == 0:
        bound = bound + sqrt(room / real(1 + nodes[at + SEEN]))
    return bound


def choose_for_mover(t: Thread, tree: Tree, node: i64, explore: f64) -> i64:
    """The child to look at next: the largest upper bound, of equal ones any; or by chance."""
    size = node_size(t)
    first = tree.nodes[node * size + CHILD]
    count = tree.nodes[node * size + COUNT]
    if is_thrown(t, tree.nodes, node) == 1:
        likelihood = (first + 1) * size - t.control.row + t.control.lots
        return first + draw_weighted(tree.nodes, tree.chance, likelihood, size, count)
    player = tree.nodes[node * size + DECIDES]
    room = explore * explore * logarithm(tree.nodes[node * size + SEEN] + 2)
    offset = chance(tree.chance, count)
    best = first + offset
    most = upper_bound(t, tree.nodes, best, player, room)
    for i in range(1, count):
        child = first + (i + offset) % count
        bound = upper_bound(t, tree.nodes, child, player, room)
        if bound > most:
            best = child
            most = bound
    return best


def enter_node(t: Thread, tree: Tree, node: i64) -> None:
    """Play the decision that leads to a node, and note an end."""
    end = (node + 1) * node_size(t)
    for j in range(t.control.row):
        t.game.rows[j] = tree.nodes[end - t.control.row + j]
    play(t.game, 0, 1)
    t.control.nodes += 1
    if t.control.nodes >= t.control.node_limit:
        t.control.stop = 1
    if t.game.state.fault != 0:
        failed(t, t.game.state.fault)
    elif t.game.state.result != RUNNING:
        tree.nodes[node * node_size(t) + PLACES] = t.game.state.result


def walk_down(t: Thread, tree: Tree, begun: i64, explore: f64) -> i64:
    """Walk from the root to a leaf, growing it; the length of the path, *begun* of it walked."""
    size = node_size(t)
    length = begun
    node = tree.path[length - 1]
    while tree.nodes[node * size + PLACES] == 0 and length < PATH and volatile(t.control.stop) == 0:
        if tree.nodes[node * size + COUNT] == 0:
            if tree.nodes[node * size + SEEN] > 0 or node == 0:
                open_node(t, tree, node)
            if tree.nodes[node * size + COUNT] == 0:
                return length
        node = choose_for_mover(t, tree, node, explore)
        enter_node(t, tree, node)
        tree.path[length] = node
        length = length + 1
        if t.control.fault != 0:
            return length
    return length


# --- counting ---


def is_sooner(t: Thread, nodes: ints, child: i64, other: i64, player: i64) -> i64:
    """Whether of two known ends a player prefers the first: good ones soon, bad ones late."""
    size = node_size(t)
    worth = worth_at_end(t, nodes[child * size + PLACES], player)
    rival = worth_at_end(t, nodes[other * size + PLACES], player)
    if worth != rival:
        return 1 if worth > rival else 0
    longer = nodes[child * size + DISTANCE] - nodes[other * size + DISTANCE]
    return 1 if (longer < 0 and worth > 0) or (longer > 0 and worth <= 0) else 0


def pass_end_on(t: Thread, nodes: ints, node: i64) -> None:
    """Take over the end of a child where whoever decides here cannot do better."""
    size = node_size(t)
    at = node * size
    player = nodes[at + DECIDES]
    best = -1
    ended = 0
    for child in range(nodes[at + CHILD], nodes[at + CHILD] + nodes[at + COUNT]):
        if nodes[child * size + PLACES] != 0:
            ended = ended + 1
            if best < 0:
                best = child
            elif is_sooner(t, nodes, child, best, player) == 1:
                best = child
    if best >= 0 and (ended == nodes[at + COUNT] or certain(t, nodes, best, player) == 1):
        nodes[at + PLACES] = nodes[best * size + PLACES]
        nodes[at + DISTANCE] = nodes[best * size + DISTANCE] + 1


def count_game(t: Thread, tree: Tree, length: i64, places: i64) -> None:
    """Count a game for every node of the path; *places* are 0 where it was broken off."""
    size = node_size(t)
    below = 0
    for k in range(length - 1, -1, -1):
        node = tree.path[k]
        at = node * size
        if below == 1 and tree.nodes[at + PLACES] == 0 and is_thrown(t, tree.nodes, node) == 0:
            pass_end_on(t, tree.nodes, node)
        below = 1 if tree.nodes[at + PLACES] != 0 else 0
        tree.nodes[at + SEEN] += 1
        if places != 0:
            for player in range(t.control.seats):
                tree.nodes[at + BEFORE_WORTHS + player] += worth_at_end(t, places, player)


def grow_several(t: Thread, tree: Tree, explore: f64, most: i64) -> i64:
    """Games until a limit is met or the end is known at the root; how many there were.

    A game that the end of a slice breaks off goes on when this is called again.
    """
    size = node_size(t)
    games = 0
    while volatile(t.control.stop) == 0 and (tree.nodes[PLACES] == 0 or t.control.path > 0):
        if t.control.path == 0:
            back(t, 0)
            tree.path[0] = 0
            t.control.path = 1
            t.control.plies = -1
        if t.control.plies < 0:
            t.control.path = walk_down(t, tree, t.control.path, explore)
        places = tree.nodes[tree.path[t.control.path - 1] * size + PLACES]
        whole = 1
        if t.control.fault != 0:
            whole = 0
        elif places == 0:
            whole = 0
            if t.control.plies >= 0 or volatile(t.control.stop) == 0:
                if t.control.plies < 0:
                    begin_game(t, most)
                play_on(t, tree)
                whole = is_whole(t)
                if t.game.state.result != RUNNING:
                    places = t.game.state.result
        if whole == 1:
            count_game(t, tree, t.control.path, places)
            t.control.path = 0
            games = games + 1
    return games


# --- what a tree says ---


def looks_better(t: Thread, nodes: ints, child: i64, other: i64, player: i64) -> i64:
    """Whether of two children the first looks better: sure wins, then by visits, then by worth."""
    size = node_size(t)
    sure = certain(t, nodes, child, player)
    rival = certain(t, nodes, other, player)
    if sure != rival:
        return 1 if sure > rival else 0
    if sure != 0:
        longer = nodes[child * size + DISTANCE] - nodes[other * size + DISTANCE]
        return 1 if longer * sure < 0 else 0
    more = nodes[child * size + SEEN] - nodes[other * size + SEEN]
    if more != 0:
        return 1 if more > 0 else 0
    worth = mean_worth(t, nodes, child, player)
    return 1 if worth > mean_worth(t, nodes, other, player) else 0


def best_of_several(t: Thread, tree: Tree, node: i64) -> i64:
    """The child that looks best to whoever decides; 0 where chance does, or nothing is known."""
    size = node_size(t)
    count = tree.nodes[node * size + COUNT]
    if count == 0 or is_thrown(t, tree.nodes, node) == 1:
        return 0
    player = tree.nodes[node * size + DECIDES]
    best = tree.nodes[node * size + CHILD]
    for child in range(best + 1, best + count):
        if looks_better(t, tree.nodes, child, best, player) == 1:
            best = child
    if node != 0 and tree.nodes[best * size + SEEN] == 0:
        return 0
    return best
