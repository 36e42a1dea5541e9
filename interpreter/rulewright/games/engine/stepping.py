"""Kernels behind `State`: one call plays a decision and lists those that follow it.

Kernel Python, linked to the kernels of every game.  In: a position and the rows of its decisions.
Out: the position after one of them with the rows of its own, and numbers by which texts are found.
"""

from __future__ import annotations

from rulewright.compiler.layout import RUNNING
from rulewright.compiler.runtime import GameArrays, i64, ints
from rulewright.games.engine.memory import decisions, play, stuck


def step(g: GameArrays, number: i64, row: i64, top: i64) -> i64:
    """Play the decision in row `number`, with rows free from `top` on, and list the next ones.

    Returns -1 for a fault, -4 - 2 * the result where a rule ended the game, else as `listed`.
    """
    play(g, number * row, top)
    if g.state.fault != 0:
        return -1
    if g.state.result != RUNNING:
        return -4 - 2 * g.state.result
    return listed(g)


def listed(g: GameArrays) -> i64:
    """List the decisions of the position; returns their number, -5 - 2 * the result if none.

    Returns -2 where the reference has to list them: at a fault, or where a decision was left out
    because another has the same text.
    """
    n = decisions(g, 0)
    if g.state.fault == 0 and g.scratch.dropped == 0:
        if n > 0:
            return n
        result = stuck(g)
        if g.state.fault == 0 and result != RUNNING:
            return -5 - 2 * result
    g.state.fault = 0
    return -2


def code_of(rows: ints, at: i64, moves: ints) -> i64:
    """The number of the text of the row at word `at`.

    `moves` holds for each move, -1 first, where its record begins.  A record holds the first
    number of the move, how many choices its text shows, whether it hides some, and for each shown
    one its word in the row, its least value, and its factor.
    """
    p = moves[rows[at] + 1]
    code = moves[p]
    for j in range(moves[p + 1]):
        q = p + 3 + 3 * j
        code = code + (rows[at + moves[q]] - moves[q + 1]) * moves[q + 2]
    return code


def codes(rows: ints, row: i64, n: i64, moves: ints, numbers: ints) -> None:
    """Write the numbers of the texts of n rows."""
    for i in range(n):
        numbers[i] = code_of(rows, i * row, moves)


def alike(rows: ints, row: i64, n: i64, moves: ints, numbers: ints) -> i64:
    """Return 1 if two decisions have the same text, which only moves that hide choices allow."""
    codes(rows, row, n, moves, numbers)
    for i in range(n):
        if moves[moves[rows[i * row] + 1] + 2] != 0:
            for j in range(i):
                if numbers[j] == numbers[i]:
                    return 1
    return 0
