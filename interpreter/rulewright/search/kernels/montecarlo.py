"""Tree search by random games (UCT), with results that are proven carried up the tree.

Nodes of the tree lie one after the other: first child, children, visits, the sum of the results for
the first person (1 a win, -1 a loss), result with distance, who is under way below it, who is at
move, then the row of the decision that leads there.  A child is chosen by UCB1 (Auer et al. 2002),
a drawn game counted in for each.  A node is settled when one child wins for who is at move, or when
all children are settled (Winands et al. 2008).

Where a text leads, what all games say of a decision stands beside the nodes in `later`: games that
were won or lost after it was made at any time later (all moves as first, Gelly and Silver 2007).
The word `order` of a text fills these in when a node is opened, as if so many games had been
played.

Several threads may grow one tree, and none waits for another.  A node has children when all of them
are written, and a result with its distance is one word, so nothing is seen half done.  Whoever
opens a node marks it first; to others it is a leaf until then.  Below a node that a thread is at
others look as if that game were lost (virtual loss, Chaslot et al. 2008), until it is counted.
"""

from __future__ import annotations

from rulewright.compiler.faults import STUCK
from rulewright.compiler.layout import DRAWN, RUNNING
from rulewright.compiler.runtime import (
    StateWords,
    atomic,
    f64,
    i64,
    ints,
    real,
    sqrt,
    volatile,
)
from rulewright.search.kernels.amaf import (
    MARK,
    OMITTED,
    WORDS,
    begin_later,
    learn_later,
    note_game,
    with_later,
)
from rulewright.search.kernels.game import (
    decisions,
    how_many,
    play,
    site_chosen,
    stuck,
)
from rulewright.search.kernels.leaves import keep_candidates
from rulewright.search.kernels.moving import back, failed, may_claim, note
from rulewright.search.kernels.random_games import (
    REMEMBERED,
    begin_game,
    chance,
    draw_weighted,
    is_whole,
    logarithm,
    note_decision,
    note_site,
    play_on,
    score,
)
from rulewright.search.kernels.thread import PATH, Thread, Tree

FIRST_CHILD = 0
CHILDREN = 1
VISITS = 2
SUM = 3
SETTLED = 4  # 0, or the result, and above it how many decisions the end is away
BUSY = 5  # threads that are below, and OPENING for the one that gives it children
AT_MOVE = 6  # who, and with CLAIM, times GONE_ON, the sum of the results without a claim
CLAIM = 2
GONE_ON = 4
HEAD = 7
USED = 7  # nodes in use: the root has room for it, as no decision leads there
RESULT = 3  # the part of SETTLED that is 1 or 2 for the person that wins,
EVEN = 3  # or 3 for a draw
AWAY = 2  # where the distance begins, in bits
OPENING = 4294967296

PATIENT = 4  # a node's children are tried for ends once it has a visit for so many of them


@atomic
def fetch_add(words: ints, at: i64, more: i64) -> i64:
    """Add to a word that other threads add to; what it was."""
    old = words[at]
    words[at] = old + more
    return old


def add(t: Thread, words: ints, at: i64, more: i64) -> i64:
    """Add to a word, in one step where other threads may do so too; what it was.

    Such a step waits until all is written, which one thread need not.
    """
    if t.control.crowd == 1:
        return fetch_add(words, at, more)
    old = words[at]
    words[at] = old + more
    return old


def may_open(t: Thread, nodes: ints, at: i64) -> i64:
    """Whether this thread may give a node its children: one can, and says if it does not."""
    if add(t, nodes, at + BUSY, OPENING) < OPENING:
        return 1
    add(t, nodes, at + BUSY, -OPENING)
    return 0


def expand(t: Thread, tree: Tree, node: i64) -> None:
    """Give a node its children, if no other thread does it."""
    at = node * (HEAD + t.control.row)
    if may_open(t, tree.nodes, at) == 1:
        if give_children(t, tree, node) == 0:
            add(t, tree.nodes, at + BUSY, -OPENING)


def give_children(t: Thread, tree: Tree, node: i64) -> i64:
    """Give a node its children, where there is room: 1.  Settle it when it has none."""
    at = node * (HEAD + t.control.row)
    whole = decisions(t.game, 0)
    me = t.game.state.mover ^ t.game.state.swapped
    if tree.nodes[at + AT_MOVE] & CLAIM == 0:
        tree.nodes[at + AT_MOVE] = me
    if t.game.state.fault != 0:
        failed(t, t.game.state.fault)
        return 0
    if whole == 0:
        settle_stuck(t, tree.nodes, node)
        return 0
    n = whole
    if t.control.must == 1 or t.control.narrow == 1 or t.control.considering > 0:
        n = keep_candidates(t, 0, whole, me)
        if t.control.fault != 0:
            return 0
    first = taken_room(t, tree.nodes, n)
    if first == 0:
        return 0
    for i in range(n):
        put_child(t, tree.nodes, first + i, i)
    if t.control.led == 1:
        begin_later(t, tree, node, first, n, whole)
    tree.nodes[at + FIRST_CHILD] = first
    add(t, tree.nodes, at + CHILDREN, n)
    if t.game.state.fault != 0:
        failed(t, t.game.state.fault)
    return 1


def taken_room(t: Thread, nodes: ints, n: i64) -> i64:
    """The first of so many free nodes, which are in use from now on; 0 if there are fewer."""
    if volatile(nodes[USED]) + n > t.control.room:
        return 0
    first = add(t, nodes, USED, n)
    if first + n > t.control.room:
        add(t, nodes, USED, -n)
        return 0
    return first


def settle_stuck(t: Thread, nodes: ints, node: i64) -> None:
    """Settle a node where nobody can decide anything, as the rules say."""
    t.game.state.result = stuck(t.game)
    if t.game.state.result == RUNNING:
        failed(t, STUCK)
    settle_node(t.game.state, nodes, node * (HEAD + t.control.row))


def put_child(t: Thread, nodes: ints, child: i64, number: i64) -> None:
    """Make a node for a decision that was listed."""
    row = t.control.row
    at = child * (HEAD + row)
    for j in range(HEAD):
        nodes[at + j] = 0
    for j in range(row):
        nodes[at + HEAD + j] = t.game.rows[number * row + j]


def settle_node(state: StateWords, nodes: ints, at: i64) -> None:
    """Note the result of a finished game."""
    if state.result == DRAWN:
        nodes[at + SETTLED] = EVEN
    elif state.result != RUNNING:
        nodes[at + SETTLED] = 1 + (state.result ^ state.swapped)


def choose(t: Thread, tree: Tree, node: i64, explore: f64) -> i64:
    """The child to look at next: the largest upper bound; equal ones by chance.

    -1 where all children lose: decisions are left out, or another thread is about to settle it.
    """
    size = HEAD + t.control.row
    first = tree.nodes[node * size + FIRST_CHILD]
    count = tree.nodes[node * size + CHILDREN]
    if is_lot(t, tree.nodes, first) == 1:
        likelihood = first * size + HEAD + t.control.lots
        return first + draw_weighted(tree.nodes, tree.chance, likelihood, size, count)
    person = tree.nodes[node * size + AT_MOVE] & 1
    side = 1 if person == 0 else -1
    room = explore * explore * logarithm(tree.nodes[node * size + VISITS] + 2)
    best = -1
    most = 0.0
    offset = chance(tree.chance, count)
    for i in range(count):
        child = first + (i + offset) % count
        at = child * size
        settled = tree.nodes[at + SETTLED] & RESULT
        if settled == 0 or settled == EVEN or settled == 1 + person:
            busy = tree.nodes[at + BUSY] & (OPENING - 1)
            visits = real(1 + tree.nodes[at + VISITS] + busy)
            bound = real(side * tree.nodes[at + SUM] - busy) / visits
            if settled == 0:
                if t.control.led == 1:
                    bound = with_later(t, tree, child, side, visits, bound)
                bound = bound + sqrt(room / visits)
            elif t.control.led == 1:
                bound = real(side * settled_result(tree.nodes, at))
            if best < 0 or bound > most:
                best = child
                most = bound
    return best


def is_lot(t: Thread, nodes: ints, child: i64) -> i64:
    """Whether chance makes the decision that leads to a node."""
    if t.control.lots == 0:
        return 0
    return 1 if nodes[child * (HEAD + t.control.row) + HEAD + t.control.lots] != 0 else 0


def agreed(t: Thread, nodes: ints, first: i64, count: i64) -> i64:
    """The result on which all outcomes of chance agree, with its distance; 0 unless they do."""
    size = HEAD + t.control.row
    longest = 0
    result = nodes[first * size + SETTLED] & RESULT
    for child in range(first, first + count):
        word = nodes[child * size + SETTLED]
        if word & RESULT != result:
            return 0
        if word >> AWAY >= longest:
            longest = (word >> AWAY) + 1
    return 0 if result == 0 else longest << AWAY | result


def concluded(t: Thread, nodes: ints, node: i64) -> i64:
    """The result of a node that follows from its children, with its distance; 0 if it is open."""
    size = HEAD + t.control.row
    count = volatile(nodes[node * size + CHILDREN])
    first = nodes[node * size + FIRST_CHILD]
    if count > 0 and is_lot(t, nodes, first) == 1:
        return agreed(t, nodes, first, count)
    person = nodes[node * size + AT_MOVE] & 1
    even = 1 if nodes[node * size + AT_MOVE] & CLAIM != 0 else 0
    longest = 0
    shortest = -1
    open = 0
    for i in range(first, first + count):
        word = nodes[i * size + SETTLED]
        settled = word & RESULT
        distance = (word >> AWAY) + 1
        if settled == 0:
            open = 1
        elif settled == 1 + person:
            if shortest < 0 or distance < shortest:
                shortest = distance
        else:
            if settled == EVEN:
                even = 1
            if distance > longest:
                longest = distance
    if shortest >= 0:
        return shortest << AWAY | 1 + person
    if open == 1:
        return 0
    return longest << AWAY | (EVEN if even == 1 else 2 - person)


def patience(t: Thread, tree: Tree) -> i64:
    """The number of games before a leaf is expanded: more where room for nodes runs out."""
    free_nodes = t.control.room - volatile(tree.nodes[USED])
    if t.control.led == 0 or free_nodes * 2 > t.control.room:
        return 1
    return 4 if free_nodes * 4 > t.control.room else 16


def descend(t: Thread, tree: Tree, begun: i64, explore: f64) -> i64:
    """Walk from the root to a leaf, growing it; the length of the path, *begun* of it walked."""
    size = HEAD + t.control.row
    length = begun
    node = tree.path[length - 1]
    while (
        tree.nodes[node * size + SETTLED] == 0 and length < PATH and volatile(t.control.stop) == 0
    ):
        if volatile(tree.nodes[node * size + CHILDREN]) == 0:
            if tree.nodes[node * size + VISITS] < patience(t, tree) and node != 0:
                return length
            expand(t, tree, node)
            if volatile(tree.nodes[node * size + CHILDREN]) == 0:
                return length
        if is_due(t, tree.nodes, node) == 1:
            try_ends(t, tree, node)
            if tree.nodes[node * size + SETTLED] != 0:
                return length
        child = choose(t, tree, node, explore)
        if child < 0:
            return length
        go_to(t, tree, node, child)
        node = child
        tree.path[length] = node
        length = length + 1
        if t.game.state.fault != 0:
            return length
    return length


def is_due(t: Thread, nodes: ints, node: i64) -> i64:
    """Whether the children of a node are to be tried for ends: at one of its visits.

    By then that costs a few decisions for each game that went through it, and a game has more; at
    the root it is done before any game.
    """
    at = node * (HEAD + t.control.row)
    visits = nodes[at + VISITS]
    count = volatile(nodes[at + CHILDREN])
    if node == 0:
        return 1 if visits == 0 else 0
    return 1 if (visits - 1) * PATIENT < count and visits * PATIENT >= count else 0


def try_ends(t: Thread, tree: Tree, node: i64) -> None:
    """Settle the children of the present node that end the game, and the node if that is enough.

    A decision that nothing speaks for is seldom chosen, and may end the game all the same
    (decisive moves, Teytaud and Teytaud 2010).  These trials are no nodes: a slice of the search
    cannot end between them.  A fault is met where a game goes.
    """
    size = HEAD + t.control.row
    first = tree.nodes[node * size + FIRST_CHILD]
    note(t, 1)
    for child in range(first, first + tree.nodes[node * size + CHILDREN]):
        at = child * size
        if tree.nodes[at + VISITS] == 0:
            for j in range(t.control.row):
                t.game.rows[j] = tree.nodes[at + HEAD + j]
            play(t.game, 0, 1)
            if t.game.state.fault == 0:
                settle_node(t.game.state, tree.nodes, at)
            back(t, 1)
    settle_by_children(t, tree, node)


def go_to(t: Thread, tree: Tree, parent: i64, node: i64) -> None:
    """Play the decision that leads to a node, and settle it where the game ends."""
    row = t.control.row
    at = node * (HEAD + row)
    if t.control.crowd == 1:
        fetch_add(tree.nodes, at + BUSY, 1)
    if t.control.led == 1:
        person = tree.nodes[parent * (HEAD + row) + AT_MOVE] & 1
        note_decision(tree, person, tree.later[node * WORDS + MARK])
    for j in range(row):
        t.game.rows[j] = tree.nodes[at + HEAD + j]
    play(t.game, 0, 1)
    t.control.nodes += 1
    if t.control.nodes >= t.control.node_limit:
        t.control.stop = 1
    if t.game.state.fault != 0:
        failed(t, t.game.state.fault)
    else:
        settle_node(t.game.state, tree.nodes, at)
        if may_claim(t) == 1 and tree.nodes[at + AT_MOVE] == 0 and how_many(t.game, 1) > 0:
            tree.nodes[at + AT_MOVE] = CLAIM | t.game.state.mover ^ t.game.state.swapped
    if t.control.led == 1:
        note_site(tree, site_chosen(t.game, 0))


def carry(t: Thread, tree: Tree, length: i64, result: i64) -> None:
    """Count a game for every node of the path, and carry up what is settled."""
    size = HEAD + t.control.row
    begun = 0
    if t.control.learning == 1:
        begun = note_game(t, tree)
    below = 0
    for k in range(length - 1, -1, -1):
        node = tree.path[k]
        at = node * size
        if below == 1 and tree.nodes[at + SETTLED] == 0:
            settle_by_children(t, tree, node)
        below = 1 if tree.nodes[at + SETTLED] != 0 else 0
        result = with_claim_of(t, tree.nodes, at, result)
        count_visit(t, tree.nodes, at, k, result)
        if t.control.learning == 1:
            count_later(t, tree, at, begun + k, result)


def count_later(t: Thread, tree: Tree, at: i64, since: i64, result: i64) -> None:
    """Count a game for the children of a node of its path whose decisions were made later in it."""
    count = volatile(tree.nodes[at + CHILDREN])
    person = tree.nodes[at + AT_MOVE] & 1
    learn_later(t, tree, tree.nodes[at + FIRST_CHILD], count, person, since, result)


def settle_by_children(t: Thread, tree: Tree, node: i64) -> None:
    """Settle a node from its children; where decisions are left out only a win of one does."""
    at = node * (HEAD + t.control.row)
    word = concluded(t, tree.nodes, node)
    win = 1 + (tree.nodes[at + AT_MOVE] & 1)
    omitted = 0
    if t.control.led == 1:
        omitted = tree.later[node * WORDS + OMITTED]
    if word & RESULT == win or (word != 0 and omitted == 0):  # else another may have settled it
        tree.nodes[at + SETTLED] = word


def with_claim_of(t: Thread, nodes: ints, at: i64, result: i64) -> i64:
    """What a game counts for a node where a draw may be claimed: it is, once going on is worse."""
    word = nodes[at + AT_MOVE]
    if word & CLAIM == 0:
        return result
    add(t, nodes, at + AT_MOVE, GONE_ON * result)
    side = 1 if word & 1 == 0 else -1
    return 0 if side * ((word >> 2) + result) < 0 else result


def count_visit(t: Thread, nodes: ints, at: i64, depth: i64, result: i64) -> None:
    """Count a game for a node, which this thread leaves.

    What was written of its result is there for others before this one looks at its brothers'.
    """
    add(t, nodes, at + SUM, result)
    add(t, nodes, at + VISITS, 1)
    if t.control.crowd == 1 and depth > 0:
        fetch_add(nodes, at + BUSY, -1)


def settled_result(nodes: ints, at: i64) -> i64:
    """The result of a settled node for the first person."""
    result = nodes[at + SETTLED] & RESULT
    if result == EVEN:
        return 0
    return 1 if result == 1 else -1


def begin_path(t: Thread, tree: Tree) -> None:
    """Begin a game at the root."""
    tree.path[0] = 0
    t.control.path = 1
    t.control.plies = -1
    if t.control.led == 1:
        tree.trail[0] = 0
        for i in range(REMEMBERED):
            tree.last[i] = tree.last[REMEMBERED + i]


def grow(t: Thread, tree: Tree, explore: f64, most: i64) -> i64:
    """Games until a limit is met or the root is settled; how many there were.

    A game that the end of a slice breaks off goes on when this is called again: `path` is how long
    it is in the tree, `plies` what is left of it behind that, -1 as long as it has not begun.
    """
    size = HEAD + t.control.row
    games = 0
    while volatile(t.control.stop) == 0 and (
        volatile(tree.nodes[SETTLED]) == 0 or t.control.path > 0
    ):
        if t.control.path == 0:
            back(t, 0)
            begin_path(t, tree)
        if t.control.plies < 0:
            t.control.path = descend(t, tree, t.control.path, explore)
        at = tree.path[t.control.path - 1] * size
        result = 0
        whole = 1
        if t.control.fault != 0:
            whole = 0
        elif tree.nodes[at + SETTLED] != 0:
            result = settled_result(tree.nodes, at)
        elif t.control.plies < 0 and volatile(t.control.stop) != 0:
            whole = 0
        else:
            if t.control.plies < 0:
                begin_game(t, most)
            play_on(t, tree)
            result = score(t.game.state)
            whole = is_whole(t)
        if whole == 1:
            carry(t, tree, t.control.path, result)
            t.control.path = 0
            games = games + 1
    return games
