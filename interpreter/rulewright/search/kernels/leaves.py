"""What positions are worth where looking stops or the game ends, and which decisions force.

Values belong to persons; `open` tells whether a value depends on where looking stopped.
"""

from __future__ import annotations

from rulewright.codegen.layout import DRAWN, RUNNING, STUCK
from rulewright.codegen.runtime import bits_float, f64, float_bits, i64, real
from rulewright.search.kernels.game import forces, how_many, look_forcing, stuck, value
from rulewright.search.kernels.moving import failed
from rulewright.search.kernels.table import by_worth
from rulewright.search.kernels.thread import SURE, WIN, Thread


def above(x: f64) -> f64:
    """The next float above."""
    if x == 0.0:
        return bits_float(1)
    if x > 0.0:
        return bits_float(float_bits(x) + 1)
    return bits_float(float_bits(x) - 1)


def static_evaluation(t: Thread, me: i64) -> f64:
    """What the evaluator says, for a person; kept well below a win.  A fault ends the search."""
    v = value(t.game, t.factors)
    if t.game.state.fault != 0:
        failed(t, t.game.state.fault)
    most = real(SURE) / 2.0
    if v > most:
        v = most
    if v < -most:
        v = -most
    return v if t.game.state.swapped == me else -v


def ended(t: Thread, me: i64, level: i64) -> f64:
    """The value of a finished game for a person, *level* decisions from the root."""
    t.control.open = 0
    if t.control.judge == 2:
        return static_evaluation(t, me)
    if t.game.state.result == DRAWN:
        return 0.0
    v = real(WIN - t.control.step * level)
    return v if t.game.state.result ^ t.game.state.swapped == me else -v


def horizon(t: Thread, me: i64, level: i64, n: i64) -> f64:
    """The value of a position beyond which nothing is looked at.

    A position without decisions may be the end of the game, which only counting them tells.
    """
    if t.control.judge == 1 and t.control.dry == 1 and how_many(t.game, n) == 0:
        t.game.state.result = stuck(t.game)
        if t.game.state.result != RUNNING:
            return ended(t, me, level)
    t.control.open = 1
    if t.control.judge == 0:
        return 0.0
    return static_evaluation(t, me)


def nothing_to_play(t: Thread, me: i64, level: i64) -> f64:
    """The value for a person at move without a decision, or whose decisions are at fault."""
    if t.game.state.fault == 0:
        t.game.state.result = stuck(t.game)
    if t.game.state.result == RUNNING or t.game.state.fault != 0:
        failed(t, STUCK if t.game.state.fault == 0 else t.game.state.fault)
        return 0.0
    return ended(t, me, level)


def keep_forcing(t: Thread, top: i64, n: i64, me: i64) -> i64:
    """Keep the rows that force, ranked by how much they do; the new end."""
    size = t.control.row
    kept = top
    look_forcing(t.game, t.factors)
    for i in range(top, n):
        v = forces(t.game, t.factors, i * size)
        if t.game.state.swapped != me:
            v = -v
        if v > 0.0:
            t.ranks[kept] = by_worth(v)
            if kept != i:
                for j in range(size):
                    t.game.rows[kept * size + j] = t.game.rows[i * size + j]
            kept = kept + 1
    if t.game.state.fault != 0:
        failed(t, t.game.state.fault)
    return kept
