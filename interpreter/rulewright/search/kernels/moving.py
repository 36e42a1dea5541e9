"""Playing decisions and going back, for all searches; counting them, and stopping at a limit.

A search that stops goes back to its root (`unwinding`), and each level saves in its frame what it
needs to go on: called again with the same arguments, the search plays the same `path` and goes on
where it was.
"""

from __future__ import annotations

from rulewright.compiler.faults import STUCK
from rulewright.compiler.layout import DRAWN, RUNNING
from rulewright.compiler.runtime import i64, shift_right, volatile
from rulewright.search.kernels.game import decisions, how_many, play, stuck
from rulewright.search.kernels.thread import ENDS, FRAME, FRAMES, Thread


def note(t: Thread, level: i64) -> None:
    """Save the position of a level in `undo`."""
    at = level * t.control.size
    for i in range(t.control.size):
        t.undo[at + i] = t.game.state[i]


def back(t: Thread, level: i64) -> None:
    """Restore the position of a level from `undo`."""
    at = level * t.control.size
    for i in range(t.control.size):
        t.game.state[i] = t.undo[at + i]


def failed(t: Thread, fault: i64) -> None:
    """End the search for a fault of the rules or of the evaluator."""
    t.control.fault = fault
    t.control.stop = 1
    t.control.unwinding = 1


def stopped(t: Thread, level: i64) -> i64:
    """Whether the search has to stop; then the path to go again ends at this level."""
    if volatile(t.control.stop) == 0:
        return 0
    t.control.unwinding = 1
    if t.control.path <= level:
        t.control.path = level + 1
    return 1


def entered_again(t: Thread, level: i64) -> i64:
    """Whether a level is entered on the way back to where the search stopped: it has its frame."""
    if t.control.resumed <= level:
        return 0
    if t.control.resumed == level + 1:
        t.control.resumed = 0
    return 1


def free_rows(t: Thread, level: i64, n: i64) -> i64:
    """The first row that playing a decision of a level may write to, *n* at least.

    On the way back to where a search stopped, the rows of the levels below it are in use: they may
    be fewer than the position has, and in another order.
    """
    first = n
    for deeper in range(level + 1, t.control.resumed):
        end = t.control[FRAMES + deeper * FRAME + ENDS]
        if end > first:
            first = end
    return first


def step(t: Thread, number: i64, n: i64) -> None:
    """Play a decision and count it; a fault or a limit ends the whole search."""
    play(t.game, number * t.control.row, n)
    t.control.nodes += 1
    if t.control.nodes >= t.control.node_limit:
        t.control.stop = 1
    if t.game.state.fault != 0:
        failed(t, t.game.state.fault)


def place_at_end(places: i64, player: i64) -> i64:
    """A player's place at an end of several, from 1."""
    return shift_right(places, 4 * player) & 15


def worth_at_end(t: Thread, places: i64, player: i64) -> i64:
    """What an end is worth to one of several: who shares places shares what they are worth.

    A first place alone is one less than there are players, a last one alone as much below 0.
    """
    place = place_at_end(places, player)
    sharing = 0
    for other in range(t.control.seats):
        if place_at_end(places, other) == place:
            sharing = sharing + 1
    return t.control.seats + 2 - 2 * place - sharing


def has_won(t: Thread, person: i64, top: i64) -> i64:
    """Whether a decision that was played has won for a person; rows from top on are free.

    It may have left who is next without a decision.
    """
    if t.game.state.result == RUNNING and t.control.mates == 1 and how_many(t.game, top) == 0:
        t.game.state.result = stuck(t.game)
    if t.game.state.result == RUNNING or t.game.state.result == DRAWN:
        return 0
    if t.control.seats > 2:
        return 1 if worth_at_end(t, t.game.state.result, person) == t.control.seats - 1 else 0
    return 1 if t.game.state.result ^ t.game.state.swapped == person else 0


def by_chance(t: Thread, first: i64) -> i64:
    """Whether chance makes the decision of which the rows begin at *first*."""
    if t.control.lots == 0:
        return 0
    return 1 if t.game.rows[first * t.control.row + t.control.lots] != 0 else 0


def may_claim(t: Thread) -> i64:
    """Whether the person at move may claim a draw instead of deciding, unless stuck."""
    return 0 if t.control.claims == 0 else t.game.state[t.control.claims]


def winning_from(t: Thread, first: i64, end: i64, level: i64, person: i64, top: i64) -> i64:
    """The first of the rows from one to another that wins at once for a person; -1 without one.

    The position is that of the level, as `note` keeps it.  A decision that faults wins nothing.
    """
    for i in range(first, end):
        play(t.game, i * t.control.row, top)
        is_win = 0 if t.game.state.fault != 0 else has_won(t, person, top)
        back(t, level)
        if is_win == 1:
            return i
    return -1


def same_row(t: Thread, number: i64, first: i64, end: i64) -> i64:
    """Which of the rows from one to another holds the same decision as a row; -1 if none does."""
    size = t.control.row
    for i in range(first, end):
        j = 0
        while j < size and t.game.rows[i * size + j] == t.game.rows[number * size + j]:
            j = j + 1
        if j == size:
            return i
    return -1


def wins_at_once(t: Thread, person: i64, top: i64) -> i64:
    """Whether a person who is at move, one decision from the root, can win by the next one.

    Row *top* keeps the last decision that did, which is tried first; those behind it are free.
    """
    note(t, 1)
    first = top + 1
    end = decisions(t.game, first)
    if t.game.state.fault != 0:
        failed(t, t.game.state.fault)
        return 0
    likely = same_row(t, top, first, end)
    if likely >= 0 and winning_from(t, likely, likely + 1, 1, person, end) >= 0:
        return 1
    winning = winning_from(t, first, end, 1, person, end)
    if winning < 0:
        return 0
    for j in range(t.control.row):
        t.game.rows[top * t.control.row + j] = t.game.rows[winning * t.control.row + j]
    return 1


def threatened(t: Thread, n: i64) -> i64:
    """Whether the other colour would win at once, if it were its turn at the root of n rows."""
    t.game.state.mover = 1 - t.game.state.mover
    t.game.state.rest = t.control.course
    t.game.state.fresh = 1
    threat = wins_at_once(t, t.game.state.mover ^ t.game.state.swapped, n)
    back(t, 0)
    return threat


def is_safe(t: Thread, number: i64, n: i64) -> i64:
    """Whether nobody else has won by a decision of the root, nor wins by a reply to it."""
    me = t.game.state.mover ^ t.game.state.swapped
    play(t.game, number * t.control.row, n + 1)
    is_loss = 0
    for person in range(t.control.seats):
        if person != me:
            is_loss = is_loss | has_won(t, person, n + 1)
    replying = t.game.state.mover ^ t.game.state.swapped
    if t.game.state.result == RUNNING and replying != me:
        is_loss = wins_at_once(t, replying, n)
    back(t, 0)
    return 1 - is_loss


def pass_turn(t: Thread) -> None:
    """Give the turn to the other colour; it counts as a node."""
    t.game.state.mover = 1 - t.game.state.mover
    t.game.state.ply += 1
    t.game.state.rest = t.control.course
    t.game.state.fresh = 1
    t.control.nodes += 1
    if t.control.nodes >= t.control.node_limit:
        t.control.stop = 1


def settle(t: Thread, number: i64, n: i64) -> None:
    """Play a decision; a player who is then stuck has come to the end of the game."""
    play(t.game, number * t.control.row, n)
    if t.game.state.fault != 0:
        failed(t, t.game.state.fault)
    elif t.game.state.result == RUNNING and t.control.dry == 1 and how_many(t.game, n) == 0:
        t.game.state.result = stuck(t.game)
        if t.game.state.result == RUNNING:
            failed(t, STUCK)


# --- searches that stop and go on ---


def resume_search(t: Thread, first: i64) -> i64:
    """Go on where a search stopped, if one has; the decisions that are played again.

    *first* is the level of its first frame.
    """
    if t.control.again == 0:
        return 0
    path = t.control.path
    if t.control.resumed > path:
        path = t.control.resumed
    t.control.path = 0
    t.control.unwinding = 0
    t.control.resumed = path if path > first else 0
    return path


def leave_search(t: Thread) -> None:
    """Leave a search, which has come to its end or is to go on later."""
    t.control.again = t.control.unwinding
    if t.control.again == 0:
        drop_search(t)


def uncount(t: Thread, nodes: i64) -> None:
    """Count *nodes* alone where a search stopped before it was where it had stopped last."""
    if t.control.unwinding != 0 and t.control.again == 1 and t.control.resumed != 0:
        t.control.nodes = nodes


def drop_search(t: Thread) -> None:
    """Forget the search that was under way, wherever it has stopped."""
    t.control.again = 0
    t.control.path = 0
    t.control.resumed = 0
    t.control.unwinding = 0
