"""Tree search that learns from whole games (RAVE) and whose random games a text leads.

Beside the tree of `montecarlo` stands what all games say of a decision that were won or lost after
it was made at any time later (all moves as first, Gelly and Silver 2007): for each node the number
of such games, the sum of their results, and a mark by which its decision is found again.  The word
`order` of a text fills these in when a node is opened, as if so many games had been played.

Random games ask the lines of `reply` first; then they draw any decision and take it as often as
`policy` weighs it.  `trail` notes what was decided by whom in the present game, `seen` when a
person last decided so, `last` at which sites.
"""

from __future__ import annotations

from rulewright.codegen.layout import RUNNING, STUCK
from rulewright.codegen.runtime import f64, i64, ints, real, shift_right, sqrt, volatile
from rulewright.search.kernels.game import (
    answer,
    attempt,
    decisions,
    draw,
    guided,
    look_guided,
    play,
    site_chosen,
    stuck,
)
from rulewright.search.kernels.leaves import wanted
from rulewright.search.kernels.montecarlo import (
    AT_MOVE,
    BUSY,
    CHILDREN,
    CLAIM,
    EVEN,
    FIRST_CHILD,
    HEAD,
    OPENING,
    RESULT,
    SETTLED,
    SUM,
    USED,
    VISITS,
    add,
    chance,
    concluded,
    count_visit,
    go_to,
    is_whole,
    known,
    logarithm,
    may_open,
    put_child,
    score,
    settle_stuck,
    taken_room,
    with_claim_of,
)
from rulewright.search.kernels.moving import back, failed
from rulewright.search.kernels.table import mark
from rulewright.search.kernels.thread import ORDER, PATH, POLICY, Thread


class LedTree:
    """A tree as one thread sees it: `nodes` and `later` are those of all threads."""

    nodes: ints
    path: ints  # from the root
    chance: ints
    later: ints  # what all games say of the decision of a node, see below
    trail: ints  # how many decisions the game has, then a word for each
    seen: ints  # for each person and mark the game and the place where it was made last
    last: ints  # the sites of the last decisions, the last one first, and the same at the root


WORDS = 4  # of `later`, for each node:
GAMES = 0  # in which its decision was made later
MARK = 1
OMITTED = 2  # whether decisions of it are left out
TOLD = 3  # the sum of the results of those games, for the first person
MARKS = 65536
TRAIL = 16384  # decisions of a game that are noted
GAME = 32768  # `seen` counts games in steps of this
DRAWS = 24  # draws of a decision before all are listed
REMEMBERED = 4  # sites of last decisions, as `model.evaluation` has it
PROMISED = 1000  # games that an order can promise at the most


def open_node(t: Thread, tree: LedTree, node: i64) -> None:
    """Give a node its children, if no other thread does it."""
    at = node * (HEAD + t.control.row)
    if may_open(t, tree.nodes, at) == 1:
        if give_led_children(t, tree, node) == 0:
            add(t, tree.nodes, at + BUSY, -OPENING)


def give_led_children(t: Thread, tree: LedTree, node: i64) -> i64:
    """Give a node its children, where there is room: 1.  Settle it when it has none."""
    at = node * (HEAD + t.control.row)
    n = decisions(t.game, 0)
    me = t.game.state.mover ^ t.game.state.swapped
    if tree.nodes[at + AT_MOVE] & CLAIM == 0:
        tree.nodes[at + AT_MOVE] = me
    if t.game.state.fault != 0:
        failed(t, t.game.state.fault)
        return 0
    if n == 0:
        settle_stuck(t, tree.nodes, node)
        return 0
    # what is left out cannot settle the node: it stays open until a child wins
    all = n
    if t.control.must == 1 or t.control.narrow == 1 or t.control.considering > 0:
        n = wanted(t, 0, n, me)
        if t.control.fault != 0:
            return 0
    first = taken_room(t, tree.nodes, n)
    if first == 0:
        return 0
    tree.later[node * WORDS + OMITTED] = 1 if n < all and t.control.settled == 0 else 0
    if t.control.order == 1:
        look_guided(t.game, t.factors, ORDER)
    for i in range(n):
        put_child(t, tree.nodes, first + i, i)
        begin_later(t, tree, first + i, i)
    tree.nodes[at + FIRST_CHILD] = first
    add(t, tree.nodes, at + CHILDREN, n)
    if t.game.state.fault != 0:
        failed(t, t.game.state.fault)
    return 1


def begin_later(t: Thread, tree: LedTree, node: i64, number: i64) -> None:
    """What is known of a decision before any game: what the order of a text promises."""
    at = node * WORDS
    tree.later[at + GAMES] = 0
    tree.later[at + MARK] = told_by(t, number)
    tree.later[at + OMITTED] = 0
    tree.later[at + TOLD] = 0
    if t.control.order == 1:
        v = guided(t.game, t.factors, ORDER, number * t.control.row)
        games = v if v >= 0.0 else -v
        count = 0
        while real(count) < games and count < PROMISED:
            count = count + 1
        tree.later[at + GAMES] = count
        tree.later[at + TOLD] = count if v > 0.0 else -count


def promising(t: Thread, tree: LedTree, node: i64, explore: f64) -> i64:
    """The child to look at next: what its own games and those where it came later say of it.

    -1 where all children lose: decisions are left out, or another thread is about to settle it.
    """
    size = HEAD + t.control.row
    first = tree.nodes[node * size + FIRST_CHILD]
    count = tree.nodes[node * size + CHILDREN]
    who = tree.nodes[node * size + AT_MOVE] & 1
    side = 1 if who == 0 else -1
    room = explore * explore * logarithm(tree.nodes[node * size + VISITS] + 2)
    trust = real(t.control.rave)
    best = -1
    most = 0.0
    offset = chance(tree.chance, count)
    for i in range(count):
        child = first + (i + offset) % count
        at = child * size
        settled = tree.nodes[at + SETTLED] & RESULT
        if settled == 0 or settled == EVEN or settled == 1 + who:
            busy = tree.nodes[at + BUSY] & (OPENING - 1)
            n = real(tree.nodes[at + VISITS] + busy)
            bound = real(side * tree.nodes[at + SUM] - busy) / (n + 1.0)
            if settled == 0:
                m = real(tree.later[child * WORDS + GAMES])
                if m > 0.0:
                    share = m / (m + n + m * n / trust)
                    told = real(side * tree.later[child * WORDS + TOLD])
                    bound = bound + share * (told / m - bound)
                bound = bound + sqrt(room / (n + 1.0))
            else:
                bound = real(side * known(tree.nodes, at))
            if best < 0 or bound > most:
                best = child
                most = bound
    return best


def patience(t: Thread, tree: LedTree) -> i64:
    """Games that a leaf has before it is opened: more where room runs out."""
    left = t.control.room - volatile(tree.nodes[USED])
    if left * 2 > t.control.room:
        return 1
    return 4 if left * 4 > t.control.room else 16


def walk(t: Thread, tree: LedTree, begun: i64, explore: f64) -> i64:
    """Go from the root to a leaf, opening it; the length of the path, *begun* of it walked."""
    size = HEAD + t.control.row
    length = begun
    node = tree.path[length - 1]
    while (
        tree.nodes[node * size + SETTLED] == 0 and length < PATH and volatile(t.control.stop) == 0
    ):
        if volatile(tree.nodes[node * size + CHILDREN]) == 0:
            if tree.nodes[node * size + VISITS] < patience(t, tree) and node != 0:
                return length
            open_node(t, tree, node)
            if volatile(tree.nodes[node * size + CHILDREN]) == 0:
                return length
        who = tree.nodes[node * size + AT_MOVE] & 1
        child = promising(t, tree, node, explore)
        if child < 0:
            return length
        node = child
        noted(tree, who, tree.later[node * WORDS + MARK])
        go_to(t, tree.nodes, node)
        placed(tree, site_chosen(t.game, 0))
        tree.path[length] = node
        length = length + 1
        if t.game.state.fault != 0:
            return length
    return length


def told_by(t: Thread, number: i64) -> i64:
    """The mark of a decision: different moves of the same choice have different ones."""
    return (mark(t, number) + 40503 * t.game.rows[number * t.control.row]) & (MARKS - 1)


def noted(tree: LedTree, who: i64, word: i64) -> None:
    """Note a decision of the present game."""
    count = tree.trail[0]
    if count + 1 < TRAIL:
        tree.trail[count + 1] = word * 2 + who
        tree.trail[0] = count + 1


def placed(tree: LedTree, site: i64) -> None:
    """Note at which site a decision was made, if at any."""
    if site >= 0:
        for i in range(REMEMBERED - 1, 0, -1):
            tree.last[i] = tree.last[i - 1]
        tree.last[0] = site


def replied(t: Thread, tree: LedTree) -> i64:
    """Play what the first line of replies says that says anything; 0 if none does."""
    for line in range(t.control.replies):
        at = answer(t.game, t.factors, tree.last, tree.chance, line, 0)
        if t.game.state.fault != 0:
            return 0
        if at >= 0:
            if taken(t, tree, at) == 1:
                if drawn_ply(t, tree, at) == 1:
                    return 1
    return 0


def drawn_ply(t: Thread, tree: LedTree, at: i64) -> i64:
    """Play the decision in a row that was drawn; 0 if needs refuse it."""
    who = t.game.state.mover ^ t.game.state.swapped
    word = told_by(t, at // t.control.row)
    site = site_chosen(t.game, at)
    if attempt(t.game, at, at // t.control.row + 1) == 0:
        return 0
    noted(tree, who, word)
    placed(tree, site)
    return 1


def led_ply(t: Thread, tree: LedTree) -> i64:
    """Play a decision of a random game; 0 if there is none."""
    if t.control.policy > 0:
        look_guided(t.game, t.factors, POLICY)
    if replied(t, tree) == 1:
        return 1
    if t.game.state.fault != 0:
        return 0
    for _draw in range(DRAWS):
        at = draw(t.game, tree.chance, 0)
        if at == -1 or t.game.state.fault != 0:
            return 0
        if at < 0:
            return listed_ply(t, tree)
        if taken(t, tree, at) == 1:
            if drawn_ply(t, tree, at) == 1:
                return 1
    return listed_ply(t, tree)


def weight(t: Thread, at: i64) -> i64:
    """How often a decision is taken that was drawn, of 1024 times."""
    if t.control.policy == 0:
        return 1024
    v = guided(t.game, t.factors, POLICY, at)
    if t.game.state.mover == 1:
        v = -v
    most = real(t.control.policy)
    if v <= 0.0:
        return 0
    if v >= most:
        return 1024
    found = 0
    part = 512
    while part > 0:
        if real(found + part) <= v / most * 1024.0:
            found = found + part
        part = part >> 1
    return found + 1 if found == 0 else found


def taken(t: Thread, tree: LedTree, at: i64) -> i64:
    """Whether a decision that was drawn is taken."""
    w = weight(t, at)
    if w == 0 or w == 1024:
        return w >> 10
    return 1 if chance(tree.chance, 1024) < w else 0


def listed_ply(t: Thread, tree: LedTree) -> i64:
    """The same from a list of all decisions; any of them where none is worth anything."""
    row = t.control.row
    n = decisions(t.game, 0)
    if n == 0 or t.game.state.fault != 0:
        return 0
    if t.control.policy > 0:
        look_guided(t.game, t.factors, POLICY)
    total = 0
    for i in range(n):
        t.ranks[i] = weight(t, i * row)
        total = total + t.ranks[i]
    number = chance(tree.chance, n)
    if total > 0:
        number = 0
        left = chance(tree.chance, total)
        while left >= t.ranks[number]:
            left = left - t.ranks[number]
            number = number + 1
    who = t.game.state.mover ^ t.game.state.swapped
    word = told_by(t, number)
    site = site_chosen(t.game, number * row)
    play(t.game, number * row, n)
    noted(tree, who, word)
    placed(tree, site)
    return 1


def led_game(t: Thread, tree: LedTree) -> None:
    """Play the random game on, until it ends, is too long, or the slice of the search is over."""
    left = t.control.node_limit - t.control.nodes
    if left > t.control.plies:
        left = t.control.plies
    played = 0
    while played < left and t.game.state.result == RUNNING and t.game.state.fault == 0:
        if led_ply(t, tree) == 0:
            left = played
            if t.game.state.fault == 0:
                t.game.state.result = stuck(t.game)
                if t.game.state.result == RUNNING:
                    failed(t, STUCK)
        else:
            played = played + 1
    t.control.nodes += played
    t.control.plies -= played
    if t.game.state.fault != 0:
        failed(t, t.game.state.fault)
    if t.control.nodes >= t.control.node_limit:
        t.control.stop = 1


def count_game(t: Thread, tree: LedTree, length: i64, result: i64) -> None:
    """Count a game for every node of the path, for what was decided later, and settle nodes."""
    size = HEAD + t.control.row
    t.control.games += 1
    base = t.control.games * GAME
    for i in range(tree.trail[0]):
        word = tree.trail[i + 1]
        tree.seen[(word & 1) * MARKS + shift_right(word, 1)] = base + i
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
            learn_later(t, tree, at, base + k, result)


def learn_later(t: Thread, tree: LedTree, at: i64, since: i64, result: i64) -> None:
    """Count a game for the children of a node whose decisions were made in it later.

    Threads may add to the same words at once, and then one of them is not counted: that is rare.
    """
    count = volatile(tree.nodes[at + CHILDREN])
    first = tree.nodes[at + FIRST_CHILD]
    who = tree.nodes[at + AT_MOVE] & 1
    for child in range(first, first + count):
        later = child * WORDS
        if tree.seen[who * MARKS + tree.later[later + MARK]] >= since:
            tree.later[later + GAMES] += 1
            tree.later[later + TOLD] += result


def settle_by_children(t: Thread, tree: LedTree, node: i64) -> None:
    """Settle a node from its children; where decisions are left out only a win of one does."""
    at = node * (HEAD + t.control.row)
    word = concluded(t, tree.nodes, node)
    won = 1 + (tree.nodes[at + AT_MOVE] & 1)
    if word & RESULT == won or (word != 0 and tree.later[node * WORDS + OMITTED] == 0):
        tree.nodes[at + SETTLED] = word


def learn(t: Thread, tree: LedTree, explore: f64, most: i64) -> i64:
    """Games until a limit is met or the root is settled; how many there were.

    A game that the end of a slice breaks off goes on when this is called again, as in `grow`.
    """
    size = HEAD + t.control.row
    games = 0
    while volatile(t.control.stop) == 0 and (
        volatile(tree.nodes[SETTLED]) == 0 or t.control.path > 0
    ):
        if t.control.path == 0:
            back(t, 0)
            tree.path[0] = 0
            tree.trail[0] = 0
            for i in range(REMEMBERED):
                tree.last[i] = tree.last[REMEMBERED + i]
            t.control.path = 1
            t.control.plies = -1
        if t.control.plies < 0:
            t.control.path = walk(t, tree, t.control.path, explore)
        at = tree.path[t.control.path - 1] * size
        result = 0
        whole = 1
        if t.control.fault != 0:
            whole = 0
        elif tree.nodes[at + SETTLED] != 0:
            result = known(tree.nodes, at)
        elif t.control.plies < 0 and volatile(t.control.stop) != 0:
            whole = 0
        else:
            if t.control.plies < 0:
                t.control.plies = most
            led_game(t, tree)
            result = score(t.game.state)
            whole = is_whole(t)
        if whole == 1:
            count_game(t, tree, t.control.path, result)
            t.control.path = 0
            games = games + 1
    return games
