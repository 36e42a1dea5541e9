"""Tree search by random games (UCT), with results that are proven carried up the tree.

Nodes of the tree lie one after the other in U: first child, children, visits, result, distance, who
is at move, then the row of the decision that leads there.  W holds the sum of results of each node
for the first person (1 a win, -1 a loss).  P is the path from the root, R the state of chance.

A child is chosen by UCB1 (Auer et al. 2002), a drawn game counted in for each.  A node is settled
when one child wins for who is at move, or when all children are settled (Winands et al. 2008).
"""

from __future__ import annotations

from rulewright.codegen.layout import DRAWN, FAULT, MOVER, RESULT, RUNNING, STUCK, SWAPPED
from rulewright.codegen.runtime import (
    f64,
    floats,
    i64,
    ints,
    real,
    shift_right,
    sqrt,
    volatile,
    wrap_mul,
    wrap_shl,
)
from rulewright.search.kernels.game import decisions, play, playout, stuck
from rulewright.search.kernels.layout import FAULTED, NODE_LIMIT, NODES, PATH, ROOM, ROW, STOP, USED
from rulewright.search.kernels.undo import back

FIRST_CHILD = 0
CHILDREN = 1
VISITS = 2
SETTLED = 3  # 0, or 1 and 2 for the person that wins, 3 for a draw
DISTANCE = 4
AT_MOVE = 5
HEAD = 6
EVEN = 3


def chance(R: ints, most: i64) -> i64:
    """A random number below *most*."""
    x = R[0]
    x = x ^ shift_right(x, 12)
    x = x ^ wrap_shl(x, 25)
    x = x ^ shift_right(x, 27)
    R[0] = x
    return shift_right(wrap_mul(x, 2685821657736338717), 1) % most


def logarithm(n: i64) -> f64:
    """The natural logarithm, from straight pieces between powers of two."""
    k = 0
    m = n
    while m > 1:
        m = m >> 1
        k = k + 1
    return 0.6931471805599453 * (real(k) - 1.0 + real(n) / real(1 << k))


def fault(S: ints, C: ints, number: i64) -> None:
    """The rules went wrong: the search ends."""
    C[FAULTED] = number
    C[STOP] = 1


def expand(
    S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, C: ints, U: ints, W: floats, node: i64
) -> None:
    """Give a node its children, where there is room; settle it when it has none."""
    size = HEAD + C[ROW]
    n = decisions(S, K, M, H, X, T, 0)
    U[node * size + AT_MOVE] = S[MOVER] ^ S[SWAPPED]
    if S[FAULT] != 0:
        fault(S, C, S[FAULT])
        return
    if n == 0:
        S[RESULT] = stuck(S, K, M, H, X, T)
        if S[RESULT] == RUNNING:
            fault(S, C, STUCK)
        settle(S, U, node * size)
        return
    if C[USED] + n > C[ROOM]:
        return
    U[node * size + FIRST_CHILD] = C[USED]
    U[node * size + CHILDREN] = n
    for i in range(n):
        at = (C[USED] + i) * size
        W[C[USED] + i] = 0.0
        for j in range(HEAD):
            U[at + j] = 0
        for j in range(C[ROW]):
            U[at + HEAD + j] = M[i * C[ROW] + j]
    C[USED] = C[USED] + n
    return


def settle(S: ints, U: ints, at: i64) -> None:
    """Note the result of a finished game."""
    if S[RESULT] == DRAWN:
        U[at + SETTLED] = EVEN
    elif S[RESULT] != RUNNING:
        U[at + SETTLED] = 1 + (S[RESULT] ^ S[SWAPPED])


def choose(C: ints, U: ints, W: floats, R: ints, node: i64, explore: f64) -> i64:
    """The child to look at next: the largest upper bound; equal ones by chance."""
    size = HEAD + C[ROW]
    first = U[node * size + FIRST_CHILD]
    count = U[node * size + CHILDREN]
    who = U[node * size + AT_MOVE]
    room = explore * explore * logarithm(U[node * size + VISITS] + 2)
    best = -1
    most = 0.0
    offset = chance(R, count)
    for i in range(count):
        child = first + (i + offset) % count
        at = child * size
        settled = U[at + SETTLED]
        if settled == 0 or settled == EVEN or settled == 1 + who:
            sum = W[child] if who == 0 else -W[child]
            visits = real(1 + U[at + VISITS])
            bound = sum / visits
            if settled == 0:
                bound = bound + sqrt(room / visits)
            if best < 0 or bound > most:
                best = child
                most = bound
    return best


def conclude(C: ints, U: ints, node: i64) -> None:
    """Settle a node from its children, if they allow it."""
    size = HEAD + C[ROW]
    first = U[node * size + FIRST_CHILD]
    who = U[node * size + AT_MOVE]
    even = 0
    longest = 0
    shortest = -1
    open = 0
    for i in range(first, first + U[node * size + CHILDREN]):
        settled = U[i * size + SETTLED]
        distance = U[i * size + DISTANCE] + 1
        if settled == 0:
            open = 1
        elif settled == 1 + who:
            if shortest < 0 or distance < shortest:
                shortest = distance
        else:
            if settled == EVEN:
                even = 1
            if distance > longest:
                longest = distance
    if shortest >= 0:
        U[node * size + SETTLED] = 1 + who
        U[node * size + DISTANCE] = shortest
    elif open == 0:
        U[node * size + SETTLED] = EVEN if even == 1 else 2 - who
        U[node * size + DISTANCE] = longest


def descend(
    S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, C: ints, U: ints, W: floats, P: ints,
    R: ints, explore: f64,
) -> i64:  # fmt: skip
    """Walk from the root to a leaf, growing it; the length of the path."""
    size = HEAD + C[ROW]
    node = 0
    length = 1
    P[0] = 0
    while U[node * size + SETTLED] == 0 and length < PATH and volatile(C, STOP) == 0:
        if U[node * size + CHILDREN] == 0:
            if U[node * size + VISITS] == 0 and node != 0:
                return length
            expand(S, K, M, H, X, T, C, U, W, node)
            if U[node * size + CHILDREN] == 0:
                return length
        node = choose(C, U, W, R, node, explore)
        for j in range(C[ROW]):
            M[j] = U[node * size + HEAD + j]
        play(S, K, M, H, X, T, 0, 1)
        C[NODES] = C[NODES] + 1
        if C[NODES] >= C[NODE_LIMIT]:
            C[STOP] = 1
        P[length] = node
        length = length + 1
        if S[FAULT] != 0:
            fault(S, C, S[FAULT])
            return length
        settle(S, U, node * size)
    return length


def score(S: ints) -> f64:
    """What a finished game is worth for the first person; 0 where it was broken off."""
    if S[RESULT] == RUNNING or S[RESULT] == DRAWN:
        return 0.0
    return 1.0 if S[RESULT] ^ S[SWAPPED] == 0 else -1.0


def carry(C: ints, U: ints, W: floats, P: ints, length: i64, result: f64) -> None:
    """Count a game for every node of the path, and carry up what is settled."""
    size = HEAD + C[ROW]
    below = 0
    for k in range(length - 1, -1, -1):
        node = P[k]
        at = node * size
        if below == 1 and U[at + SETTLED] == 0:
            conclude(C, U, node)
        below = 1 if U[at + SETTLED] != 0 else 0
        U[at + VISITS] = U[at + VISITS] + 1
        W[node] = W[node] + result


def known(U: ints, at: i64) -> f64:
    """The result of a settled node for the first person."""
    if U[at + SETTLED] == EVEN:
        return 0.0
    return 1.0 if U[at + SETTLED] == 1 else -1.0


def grow(
    S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, Y: ints, C: ints, U: ints, W: floats,
    P: ints, R: ints, explore: f64, most: i64,
) -> i64:  # fmt: skip
    """Games until a limit is met or the root is settled; how many there were."""
    size = HEAD + C[ROW]
    games = 0
    while volatile(C, STOP) == 0 and U[SETTLED] == 0:
        back(S, Y, C, 0)
        length = descend(S, K, M, H, X, T, C, U, W, P, R, explore)
        at = P[length - 1] * size
        result = 0.0
        whole = 1
        if U[at + SETTLED] != 0:
            result = known(U, at)
        elif volatile(C, STOP) != 0:
            whole = 0
        else:
            left = C[NODE_LIMIT] - C[NODES]
            if left > most:
                left = most
            if left > 0:
                C[NODES] = C[NODES] + playout(S, K, M, H, X, T, R, left)
            if S[FAULT] != 0:
                fault(S, C, S[FAULT])
            result = score(S)
        if volatile(C, FAULTED) == 0 and whole == 1:
            carry(C, U, W, P, length, result)
            games = games + 1
        if C[NODES] >= C[NODE_LIMIT]:
            C[STOP] = 1
    return games
