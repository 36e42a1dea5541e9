"""What all games of a tree say of a decision: those that were won after it was made later.

All moves as first (Gelly and Silver 2007): beside each node stand, in `later`, the games in which
its decision was made at any time later and the sum of their results.  The word `order` of a text
fills these in when a node is opened, as if so many games had been played.
"""

from __future__ import annotations

from rulewright.compiler.runtime import f64, i64, real, shift_right
from rulewright.search.kernels.game import guided, look_guided
from rulewright.search.kernels.random_games import GAME, MARKS, decision_mark
from rulewright.search.kernels.thread import ORDER, Thread, Tree

WORDS = 4  # of `later`, for each node:
GAMES = 0  # in which its decision was made later
MARK = 1  # by which its decision is recognized
OMITTED = 2  # whether decisions of it are left out
RESULTS = 3  # the sum of the results of those games, for the first person
PROMISED = 1000  # games that an order can promise at the most


def begin_later(t: Thread, tree: Tree, node: i64, first: i64, n: i64, whole: i64) -> None:
    """Note what is known of the n children of a node before any game, of *whole* decisions.

    What is left out cannot settle the node: it stays open until a child wins.
    """
    tree.later[node * WORDS + OMITTED] = 1 if n < whole and t.control.settled == 0 else 0
    if t.control.order == 1:
        look_guided(t.game, t.factors, ORDER)
    for i in range(n):
        at = (first + i) * WORDS
        tree.later[at + GAMES] = 0
        tree.later[at + MARK] = decision_mark(t, i)
        tree.later[at + OMITTED] = 0
        tree.later[at + RESULTS] = 0
        if t.control.order == 1:
            promise(tree, at, guided(t.game, t.factors, ORDER, i * t.control.row))


def promise(tree: Tree, at: i64, v: f64) -> None:
    """Count as many games for a decision, won or lost, as the order of a text promises."""
    games = v if v >= 0.0 else -v
    count = 0
    while real(count) < games and count < PROMISED:
        count = count + 1
    tree.later[at + GAMES] = count
    tree.later[at + RESULTS] = count if v > 0.0 else -count


def with_later(t: Thread, tree: Tree, child: i64, side: i64, visits: f64, mean: f64) -> f64:
    """The mean result of a child's own games and of those in which its decision came later.

    `control.rave` own games count as much as any number of the others.
    """
    games = real(tree.later[child * WORDS + GAMES])
    if games <= 0.0:
        return mean
    n = visits - 1.0
    share = games / (games + n + games * n / real(t.control.rave))
    return mean + share * (real(side * tree.later[child * WORDS + RESULTS]) / games - mean)


def note_game(t: Thread, tree: Tree) -> i64:
    """Note in `seen` who made which decision when in the present game; the place of its first."""
    t.control.games += 1
    begun = t.control.games * GAME
    for i in range(tree.trail[0]):
        word = tree.trail[i + 1]
        tree.last_played[(word & 1) * MARKS + shift_right(word, 1)] = begun + i
    return begun


def learn_later(
    t: Thread, tree: Tree, first: i64, count: i64, person: i64, since: i64, result: i64
) -> None:
    """Count a game for those of a node's children whose decisions were made in it later.

    Threads may add to the same words at once, and then one of them is not counted: that is rare.
    """
    for child in range(first, first + count):
        later = child * WORDS
        if tree.last_played[person * MARKS + tree.later[later + MARK]] >= since:
            tree.later[later + GAMES] += 1
            tree.later[later + RESULTS] += result
