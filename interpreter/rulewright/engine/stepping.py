"""Kernels behind `State`: one call plays a decision and lists those that follow it.

Kernel Python, linked to the kernels of every game.  In: a position and the rows of its decisions.
Out: the position after one of them with the rows of its own, and numbers by which texts are found.
"""

from __future__ import annotations

from rulewright.codegen.layout import RUNNING
from rulewright.codegen.runtime import GameArrays, i64, ints
from rulewright.engine.memory import decisions, play, stuck


def step(g: GameArrays, number: i64, row: i64, top: i64) -> i64:
    """Play the decision in a row, with rows free from `top` on, and list those that follow.

    What comes of it: -1 for a fault, -4 - 2 * the result where a rule ended the game, else what
    `listed` says.
    """
    play(g, number * row, top)
    if g.state.fault != 0:
        return -1
    if g.state.result != RUNNING:
        return -4 - 2 * g.state.result
    return listed(g)


def listed(g: GameArrays) -> i64:
    """How many decisions the position has; -5 - 2 * the result where there are none.

    -2 where the reference has to say it: at a fault, or where a decision was left out because
    another is written alike.
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

    `moves`: for each move, the one of -1 first, where its record begins; a record: the first
    number, how many choices count, whether some do not, and for each that does its word in the
    row, its least value, and its factor.
    """
    p = moves[rows[at] + 1]
    code = moves[p]
    for j in range(moves[p + 1]):
        q = p + 3 + 3 * j
        code = code + (rows[at + moves[q]] - moves[q + 1]) * moves[q + 2]
    return code


def codes(rows: ints, row: i64, n: i64, moves: ints, found: ints) -> None:
    """Write the numbers of the texts of n rows."""
    for i in range(n):
        found[i] = code_of(rows, i * row, moves)


def alike(rows: ints, row: i64, n: i64, moves: ints, found: ints) -> i64:
    """Whether two texts have the same number; only those of moves that hide choices may."""
    codes(rows, row, n, moves, found)
    for i in range(n):
        if moves[moves[rows[i * row] + 1] + 2] != 0:
            for j in range(i):
                if found[j] == found[i]:
                    return 1
    return 0
