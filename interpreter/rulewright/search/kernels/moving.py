"""Playing decisions and going back, for all searches; counting them, and stopping at a limit.

A search that stops goes back to its root (`unwinding`), and each level saves in its frame what it
needs to go on: called again with the same arguments, the search plays the same `path` and goes on
where it was.
"""

from __future__ import annotations

from rulewright.codegen.layout import DRAWN, RUNNING, STUCK
from rulewright.codegen.runtime import i64, volatile
from rulewright.search.kernels.game import how_many, play, stuck
from rulewright.search.kernels.thread import Thread


def note(t: Thread, level: i64) -> None:
    """Keep the position of a level."""
    at = level * t.control.size
    for i in range(t.control.size):
        t.undo[at + i] = t.game.state[i]


def back(t: Thread, level: i64) -> None:
    """Go back to the position of a level."""
    at = level * t.control.size
    for i in range(t.control.size):
        t.game.state[i] = t.undo[at + i]


def failed(t: Thread, fault: i64) -> None:
    """A fault of the rules or of the evaluator ends the search."""
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


def step(t: Thread, number: i64, n: i64) -> None:
    """Play a decision and count it; a fault or a limit ends the whole search."""
    play(t.game, number * t.control.row, n)
    t.control.nodes += 1
    if t.control.nodes >= t.control.node_limit:
        t.control.stop = 1
    if t.game.state.fault != 0:
        failed(t, t.game.state.fault)


def winning_from(t: Thread, first: i64, n: i64, who: i64) -> i64:
    """The first of the root's rows, from one on, that wins at once for a person; -1 without one."""
    for i in range(first, n):
        play(t.game, i * t.control.row, n)
        winner = -1
        if t.game.state.result != RUNNING and t.game.state.result != DRAWN:
            winner = t.game.state.result ^ t.game.state.swapped
        back(t, 0)
        if winner == who:
            return i
    return -1


def pass_turn(t: Thread) -> None:
    """The turn goes to the other colour, as if a decision had been played; it counts as one."""
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
