"""Random games of a tree search: any decisions, or those that a text leads to.

Led games ask the lines of `reply` first; then they draw any decision and take it as often as
`policy` weighs it.  `trail` notes what was decided by whom in the present game, `seen` when a
person last decided so, `last` at which sites.
"""

from __future__ import annotations

from rulewright.compiler.faults import STUCK
from rulewright.compiler.layout import DRAWN, RUNNING
from rulewright.compiler.runtime import (
    StateWords,
    bits_float,
    f64,
    i64,
    ints,
    real,
    shift_right,
    wrap_mul,
    wrap_shl,
)
from rulewright.search.kernels.game import (
    answer,
    attempt,
    begin_incremental,
    decisions,
    draw,
    guided,
    look_guided,
    play,
    playout_on,
    site_chosen,
    stuck,
)
from rulewright.search.kernels.moving import by_chance, failed
from rulewright.search.kernels.table import mark
from rulewright.search.kernels.thread import POLICY, Thread, Tree

MARKS = 65536
TRAIL = 16384  # decisions of a game that are noted
GAME = 32768  # `seen` counts games in steps of this
LOTS = 1073741824  # of so many numbers one is drawn where chance decides
DRAWS = 24  # draws of a decision before all are listed
REMEMBERED = 4  # sites of last decisions, as `model.evaluation` has it


def chance(state: ints, most: i64) -> i64:
    """A random number below *most*."""
    x = state[0]
    x = x ^ shift_right(x, 12)
    x = x ^ wrap_shl(x, 25)
    x = x ^ shift_right(x, 27)
    state[0] = x
    return shift_right(wrap_mul(x, 2685821657736338717), 1) % most


def begin_game(t: Thread, most: i64) -> None:
    """Begin a random game of at most so many decisions at the present position."""
    t.control.plies = most
    if t.control.led == 0:
        t.control.incremental = begin_incremental(t.game)


def play_on(t: Thread, tree: Tree) -> None:
    """Play the random game on, until it ends, is too long, or the slice of the search is over."""
    allowed_plies = t.control.node_limit - t.control.nodes
    if allowed_plies > t.control.plies:
        allowed_plies = t.control.plies
    if allowed_plies <= 0:
        return
    if t.control.led == 1:
        played = led_game(t, tree, allowed_plies)
    else:
        played = playout_on(t.game, tree.chance, allowed_plies, t.control.incremental)
    t.control.nodes += played
    t.control.plies -= played
    if t.game.state.fault != 0:
        failed(t, t.game.state.fault)
    if t.control.nodes >= t.control.node_limit:
        t.control.stop = 1


def is_whole(t: Thread) -> i64:
    """Whether a random game has ended, or was long enough; not where only its slice is over."""
    if t.control.fault != 0:
        return 0
    if t.game.state.result != RUNNING or t.control.plies <= 0:
        return 1
    return 1 if t.control.nodes >= t.control.last else 0


def score(state: StateWords) -> i64:
    """What a finished game is worth for the first person; 0 where it was broken off."""
    if state.result == RUNNING or state.result == DRAWN:
        return 0
    return 1 if state.result ^ state.swapped == 0 else -1


# --- games that a text leads ---


def led_game(t: Thread, tree: Tree, most: i64) -> i64:
    """Play at most so many decisions of a random game led by a text; the number played."""
    played = 0
    while played < most and t.game.state.result == RUNNING and t.game.state.fault == 0:
        if play_led(t, tree) == 0:
            if t.game.state.fault == 0:
                t.game.state.result = stuck(t.game)
                if t.game.state.result == RUNNING:
                    failed(t, STUCK)
            return played
        played = played + 1
    return played


def play_led(t: Thread, tree: Tree) -> i64:
    """Play a decision of a random game; 0 if there is none."""
    if t.control.policy > 0:
        look_guided(t.game, t.factors, POLICY)
    if play_reply(t, tree) == 1:
        return 1
    if t.game.state.fault != 0:
        return 0
    for _draw in range(DRAWS):
        at = draw(t.game, tree.chance, 0)
        if at == -1 or t.game.state.fault != 0:
            return 0
        if at < 0:
            return play_listed(t, tree)
        if is_taken(t, tree, at) == 1:
            if play_drawn(t, tree, at) == 1:
                return 1
    return play_listed(t, tree)


def play_reply(t: Thread, tree: Tree) -> i64:
    """Play what the first line of replies says that says anything; 0 if none does."""
    for line in range(t.control.replies):
        at = answer(t.game, t.factors, tree.last, tree.chance, line, 0)
        if t.game.state.fault != 0:
            return 0
        if at >= 0:
            if is_taken(t, tree, at) == 1:
                if play_drawn(t, tree, at) == 1:
                    return 1
    return 0


def play_drawn(t: Thread, tree: Tree, at: i64) -> i64:
    """Play the decision in a row that was drawn; 0 if needs refuse it."""
    person = t.game.state.mover ^ t.game.state.swapped
    word = decision_mark(t, at // t.control.row)
    site = site_chosen(t.game, at)
    if attempt(t.game, at, at // t.control.row + 1) == 0:
        return 0
    note_decision(tree, person, word)
    note_site(tree, site)
    return 1


def is_taken(t: Thread, tree: Tree, at: i64) -> i64:
    """Whether a decision that was drawn is accepted, by chance and its weight."""
    w = weight(t, at)
    if w == 0 or w == 1024:
        return w >> 10
    return 1 if chance(tree.chance, 1024) < w else 0


def weight(t: Thread, at: i64) -> i64:
    """Return how often of 1024 times a drawn decision is accepted, by its value in the policy."""
    if t.control.policy == 0 or by_chance(t, at // t.control.row) == 1:
        return 1024
    v = guided(t.game, t.factors, POLICY, at)
    if t.game.state.mover == 1:
        v = -v
    most = real(t.control.policy)
    if v <= 0.0:
        return 0
    if v >= most:
        return 1024
    times = 0
    part = 512
    while part > 0:
        if real(times + part) <= v / most * 1024.0:
            times = times + part
        part = part >> 1
    return times + 1 if times == 0 else times


def play_listed(t: Thread, tree: Tree) -> i64:
    """Play a decision from the list of all; any of them where none is worth anything."""
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
    if by_chance(t, 0) == 1:
        number = draw_weighted(t.game.rows, tree.chance, t.control.lots, row, n)
    elif total > 0:
        number = 0
        remaining_weight = chance(tree.chance, total)
        while remaining_weight >= t.ranks[number]:
            remaining_weight = remaining_weight - t.ranks[number]
            number = number + 1
    person = t.game.state.mover ^ t.game.state.swapped
    word = decision_mark(t, number)
    site = site_chosen(t.game, number * row)
    play(t.game, number * row, n)
    note_decision(tree, person, word)
    note_site(tree, site)
    return 1


def logarithm(n: i64) -> f64:
    """The natural logarithm, from straight pieces between powers of two."""
    k = 0
    m = n
    while m > 1:
        m = m >> 1
        k = k + 1
    return 0.6931471805599453 * (real(k) - 1.0 + real(n) / real(1 << k))


def draw_weighted(words: ints, lots: ints, at: i64, size: i64, count: i64) -> i64:
    """Draw a number below *count*; words that lie *size* apart have the weights, as float bits."""
    every = 0.0
    for i in range(count):
        every = every + bits_float(words[at + i * size])
    rank = every * real(chance(lots, LOTS)) / real(LOTS)
    for i in range(count):
        rank = rank - bits_float(words[at + i * size])
        if rank < 0.0:
            return i
    return count - 1


def decision_mark(t: Thread, number: i64) -> i64:
    """The mark of a decision: different moves of the same choice have different ones."""
    return (mark(t, number) + 40503 * t.game.rows[number * t.control.row]) & (MARKS - 1)


def note_decision(tree: Tree, person: i64, word: i64) -> None:
    """Note a decision of the present game."""
    count = tree.trail[0]
    if count + 1 < TRAIL:
        tree.trail[count + 1] = word * 2 + person
        tree.trail[0] = count + 1


def note_site(tree: Tree, site: i64) -> None:
    """Note at which site a decision was made, if at any."""
    if site >= 0:
        for i in range(REMEMBERED - 1, 0, -1):
            tree.last[i] = tree.last[i - 1]
        tree.last[0] = site
