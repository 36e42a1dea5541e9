"""What positions are worth where looking stops or the game ends; which decisions are looked at.

Values belong to persons; `open` tells whether a value depends on where looking stopped.
"""

from __future__ import annotations

from rulewright.compiler.faults import STUCK
from rulewright.compiler.layout import DRAWN, RUNNING
from rulewright.compiler.runtime import bits_float, f64, float_bits, i64, ints, real
from rulewright.search.kernels.game import (
    barred,
    decides,
    guided,
    how_many,
    lifeless,
    look_guided,
    narrow,
    stuck,
    value,
)
from rulewright.search.kernels.moving import failed
from rulewright.search.kernels.table import FIRST, by_worth
from rulewright.search.kernels.thread import (
    BELIEVED,
    CONSIDERED,
    DECIDED_WORD,
    DRAWN_WORD,
    HOPELESS_WORD,
    MUST,
    NEEDED,
    SURE,
    WIN,
    Thread,
)


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


def believe(t: Thread, word: i64) -> None:
    """Note that the search takes a word of the text for true."""
    t.control.believed = t.control.believed | word


def called_drawn(t: Thread) -> i64:
    """Whether the text calls a position drawn; a proof takes its word, else nothing is proven."""
    if t.control.drawn == 0 or lifeless(t.game, t.factors) == 0.0:
        return 0
    if t.game.state.fault != 0:
        failed(t, t.game.state.fault)
    t.control.open = 1 if t.control.drawn < BELIEVED else 0
    believe(t, DRAWN_WORD)
    return 1


def called_won(t: Thread, me: i64) -> f64:
    """Whether the text calls a position won: above 0 by *me*, below 0 by the other person."""
    if t.control.decided == 0:
        return 0.0
    v = decides(t.game, t.factors)
    if t.game.state.fault != 0:
        failed(t, t.game.state.fault)
    return v if t.game.state.swapped == me else -v


def called_decided(t: Thread, me: i64, level: i64) -> i64:
    """Whether the text says who has won; the value for *me* is handed back in `value`.

    A proof takes its word, else nothing is proven: it is worth half as much as a win.
    """
    v = called_won(t, me)
    if v == 0.0:
        return 0
    t.control.open = 1 if t.control.decided < BELIEVED else 0
    believe(t, DECIDED_WORD)
    worth = real(SURE) / 2.0
    if t.control.decided == BELIEVED:
        worth = real(WIN - t.control.step * level)
    t.control.value = float_bits(worth if v > 0.0 else -worth)
    return 1


def without_hope(t: Thread, me: i64) -> f64:
    """The person who can no longer win, by the text: above 0 *me*, below 0 the other, 0 nobody."""
    if t.control.hopeless != BELIEVED:
        return 0.0
    v = barred(t.game, t.factors)
    if t.game.state.fault != 0:
        failed(t, t.game.state.fault)
    return v if t.game.state.swapped == me else -v


def settled_by_hopeless(t: Thread, me: i64, alpha: f64, beta: f64) -> i64:
    """Whether who can no longer win settles what is asked; `value` stays 0, a draw."""
    v = without_hope(t, me)
    if (v <= 0.0 or alpha < 0.0) and (v >= 0.0 or beta > 0.0):
        return 0
    t.control.open = 0
    believe(t, HOPELESS_WORD)
    return 1


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
    if t.control.judge < 2 and t.control.dry == 1 and how_many(t.game, n) == 0:
        t.game.state.result = stuck(t.game)
        if t.game.state.result != RUNNING:
            return ended(t, me, level)
    t.control.open = 1
    if t.control.judge == 0:
        return 0.0
    return static_evaluation(t, me)


def with_claim(t: Thread, v: f64, mine: i64) -> f64:
    """The value of a position for a person, where who is at move may claim a draw.

    *mine* tells whether that is the person.  Where ends are worth what the evaluator says, a draw
    is too, and a claim changes nothing.
    """
    if t.control.judge == 2:
        return v
    if mine == 1:
        return v if v > 0.0 else 0.0
    return v if v < 0.0 else 0.0


def nothing_to_play(t: Thread, me: i64, level: i64) -> f64:
    """The value for a person at move without a decision, or whose decisions are at fault."""
    if t.game.state.fault == 0:
        t.game.state.result = stuck(t.game)
    if t.game.state.result == RUNNING or t.game.state.fault != 0:
        failed(t, STUCK if t.game.state.fault == 0 else t.game.state.fault)
        return 0.0
    return ended(t, me, level)


def keep_guided(t: Thread, role: i64, top: i64, n: i64, me: i64) -> i64:
    """Keep the rows in whose favour the value in a role speaks, ranked by how much; the new end."""
    end = top
    look_guided(t.game, t.factors, role)
    for i in range(top, n):
        end = keep(t, end, i, guided(t.game, t.factors, role, i * t.control.row), me)
    return without_fault(t, end)


def believe_must(t: Thread, end: i64, n: i64) -> None:
    """Note that decisions are left out because others must be made."""
    if end < n:
        believe(t, MUST)


def keep(t: Thread, end: i64, i: i64, v: f64, me: i64) -> i64:
    """Move a row to the place *end* if it is worth anything to the person *me*; the next place."""
    if t.game.state.swapped != me:
        v = -v
    if v <= 0.0:
        return end
    put_row(t, end, i, by_worth(v))
    return end + 1


def put_row(t: Thread, place: i64, i: i64, rank: i64) -> None:
    """Move a row to the place *place*, with its rank."""
    t.ranks[place] = rank
    size = t.control.row
    if place != i:
        for j in range(size):
            t.game.rows[place * size + j] = t.game.rows[i * size + j]


def without_fault(t: Thread, end: i64) -> i64:
    """Return *end*; end the search first if evaluating faulted."""
    if t.game.state.fault != 0:
        failed(t, t.game.state.fault)
    return end


def keep_considered(t: Thread, top: i64, n: i64, me: i64) -> i64:
    """Keep the rows that are worth a look, the best so many; `top` if there is none.

    Rows of the same worth are kept together, or left out together but for the best ones.
    """
    look_guided(t.game, t.factors, CONSIDERED)
    end = top
    for i in range(top, n):
        end = keep(t, end, i, guided(t.game, t.factors, CONSIDERED, i * t.control.row), me)
    least = least_kept(t.ranks, top, end, t.control.considering)
    kept_end = top
    for i in range(top, end):
        if t.ranks[i] >= least:
            put_row(t, kept_end, i, t.ranks[i])
            kept_end = kept_end + 1
    return without_fault(t, kept_end)


def least_kept(ranks: ints, top: i64, n: i64, most: i64) -> i64:
    """The lowest rank above 0 that is kept, so that about *most* rows are; 0 if there is none."""
    least = 0
    ceiling = FIRST
    count = 0
    while count < most:
        best = 0
        same = 0
        for i in range(top, n):
            if ranks[i] < ceiling and ranks[i] > best:
                best = ranks[i]
                same = 0
            if ranks[i] == best:
                same = same + 1
        if best == 0 or (count > 0 and count + same > most):
            return least
        count = count + same
        least = best
        ceiling = best
    return least


def keep_candidates(t: Thread, top: i64, n: i64, me: i64) -> i64:
    """Keep the rows of a position that are looked at; the new end.

    `settled` tells whether those that are left out cannot matter.
    """
    t.control.settled = 0
    if t.control.must == 1:
        end = keep_guided(t, NEEDED, top, n, me)
        if end > top:
            t.control.settled = 1
            believe_must(t, end, n)
            return end
    if t.control.narrow == 1:
        return narrow(t.game, top, n)
    if t.control.considering > 0:
        end = keep_considered(t, top, n, me)
        if end > top:
            return end
    return n
