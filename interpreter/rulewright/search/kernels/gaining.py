"""Random games in which every decision gains: it raises a value for whoever decides.

Who can gain nothing passes.  So games end where nothing is left to be gained, and nobody destroys
what is his own.  A text may lead them as it leads other random games, by replies and weights.
"""

from __future__ import annotations

from rulewright.compiler.layout import RUNNING
from rulewright.compiler.runtime import f64, i64
from rulewright.search.kernels.game import decisions, look_guided, play, site_chosen, value
from rulewright.search.kernels.moving import back, failed, note
from rulewright.search.kernels.random_games import (
    REMEMBERED,
    chance,
    is_taken,
    note_site,
    play_reply,
)
from rulewright.search.kernels.thread import POLICY, Thread, Tree


def gaining_game(t: Thread, tree: Tree, passing: i64, most: i64) -> i64:
    """Play at most so many decisions, and say how many; *passing* is the move of those that pass.

    It is -1 in games without such a move.
    """
    for i in range(REMEMBERED):
        tree.last[i] = tree.last[REMEMBERED + i]
    played = 0
    while played < most and t.game.state.result == RUNNING and t.control.fault == 0:
        if play_reply(t, tree) == 0:
            if gain(t, tree, passing) == 0:
                return played
        played = played + 1
    return played


def gain(t: Thread, tree: Tree, passing: i64) -> i64:
    """Play a random decision that gains, else one that passes; 0 if there is neither."""
    n = decisions(t.game, 0)
    before = own_value(t, t.game.state.mover)
    look_guided(t.game, t.factors, POLICY)
    for i in range(n):
        t.ranks[i] = i
    note(t, 0)
    for i in range(n):
        j = i + chance(tree.chance, n - i)
        at = t.ranks[j] * t.control.row
        t.ranks[j] = t.ranks[i]
        if t.game.rows[at] != passing:
            if is_taken(t, tree, at) == 1:
                if gains(t, tree, at, n, before) == 1:
                    return 1
    return decline(t, passing, n)


def gains(t: Thread, tree: Tree, at: i64, n: i64, before: f64) -> i64:
    """Play the decision at a word of the rows; takes it back, and 0, where it does not gain."""
    mover = t.game.state.mover
    site = site_chosen(t.game, at)
    play(t.game, at, n)
    if t.game.state.fault == 0:
        if own_value(t, mover) > before:
            note_site(tree, site)
            return 1
    if t.game.state.fault != 0:
        failed(t, t.game.state.fault)
    back(t, 0)
    return 0


def own_value(t: Thread, colour: i64) -> f64:
    """The value of the position for a colour."""
    return value(t.game, t.factors) if colour == 0 else -value(t.game, t.factors)


def decline(t: Thread, passing: i64, n: i64) -> i64:
    """Play the first decision that passes; 0 if there is none."""
    for i in range(n):
        if t.game.rows[i * t.control.row] == passing:
            play(t.game, i * t.control.row, n)
            return 1
    return 0
