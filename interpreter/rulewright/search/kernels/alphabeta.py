"""Alpha-beta over decisions: the same person may be at move twice, so no sign changes by itself.

Values belong to the person at move.  A win is WIN less its distance from the root, 0 a draw; a
position where the search stops is worth what the evaluator says, or 0.  After each call `open`
tells whether the value depends on such a position: a value that does not is proven.
"""

from __future__ import annotations

from rulewright.compiler.layout import DRAWN, RUNNING
from rulewright.compiler.runtime import bits_float, f64, float_bits, i64, real
from rulewright.search.kernels.bets import (
    deepened,
    estimate,
    good_enough,
    guessing,
    hopeless,
    leave_out,
    may_pass,
    reduction,
)
from rulewright.search.kernels.chance import (
    PROBING,
    WEIGHING,
    add_value,
    begin_outcomes,
    begin_probe,
    end_probing,
    highest,
    lowest,
    mean_value,
)
from rulewright.search.kernels.game import decisions, how_many
from rulewright.search.kernels.leaves import (
    above,
    believe_must,
    called_decided,
    called_drawn,
    ended,
    horizon,
    keep_candidates,
    keep_guided,
    nothing_to_play,
    settled_by_hopeless,
    static_evaluation,
    with_claim,
)
from rulewright.search.kernels.moving import (
    back,
    by_chance,
    entered_again,
    free_rows,
    may_claim,
    note,
    pass_turn,
    step,
    stopped,
)
from rulewright.search.kernels.table import (
    ALONE,
    FIRST,
    NONE,
    PUT_OFF,
    TRIED,
    another_is_at,
    being_at,
    looked_up,
    pick,
    rank,
    remember,
    remembered,
    reward,
    table_key,
)
from rulewright.search.kernels.thread import (
    BEST,
    CHOSEN,
    ENDS,
    FORCES,
    FRAME,
    FRAMES,
    HINT,
    IMAGE,
    KEY,
    LEVELS,
    LOW,
    NEEDED,
    NUMBER,
    OPEN,
    ORDER_ONLY,
    PASSED,
    PICKED,
    PROBE,
    RANK,
    ROW,
    ROWS,
    SPARE,
    STATIC,
    SURE,
    TRYING,
    WHOLE,
    WIDE,
    WIN,
    Thread,
)

# what is done
LOOKING = 0  # ends at hand are looked for
IN_TURN = 1  # decisions are tried in turn
PASSING = 2  # the turn is passed
LISTING = 3  # decisions are listed

# how a row is searched
SHALLOW = 0
SCOUTED = 1
WHOLLY = 2


def try_row(
    t: Thread, number: i64, depth: i64, alpha: f64, beta: f64, level: i64, n: i64, me: i64
) -> f64:
    """The value of a decision for the person at move, who is *me*; the position stays as it was."""
    turn = t.game.state.ply
    step(t, number, free_rows(t, level, n))
    v = 0.0
    claim = may_claim(t)
    mine = 1 if t.game.state.mover ^ t.game.state.swapped == me else 0
    if stopped(t, level) == 0:
        depth_below = depth - 1
        if t.control.turns == 1 and t.game.state.ply == turn and depth > 0:
            depth_below = depth
        if t.game.state.result != RUNNING:
            v = ended(t, me, level + 1)
        elif depth_below + t.control.forcing <= 0 or level + 2 >= LEVELS or n > ROWS - SPARE:
            v = horizon(t, me, level + 1, n)
        elif mine == 1:
            v = below(t, depth_below, alpha, beta, level + 1, n)
        else:
            v = -below(t, depth_below, -beta, -alpha, level + 1, n)
        if claim == 1 and t.game.state.result == RUNNING and t.control.unwinding == 0:
            if how_many(t.game, n) > 0:  # else who would claim is stuck, whatever a text says
                v = with_claim(t, v, mine)
    back(t, level)
    return v


def below(t: Thread, depth: i64, alpha: f64, beta: f64, level: i64, top: i64) -> f64:
    """The value of a running position: of what forces alone where no depth is left."""
    depth = deepened(t, depth, level)
    if depth <= 0:
        t.control.probe = 0
        return pursue(t, depth, alpha, beta, level, top)
    return search(t, depth, alpha, beta, level, top)


def immediate_cutoff(
    t: Thread, depth: i64, beta: f64, level: i64, first: i64, n: i64, me: i64
) -> i64:
    """A decision from *first* on that is good enough as it stands, -1 if there is none.

    It wins at once, or the table knows what it leads to; its value is handed back in `value`.
    """
    turn = t.game.state.ply
    for i in range(first, n):
        step(t, i, n)
        if stopped(t, level) == 1:
            back(t, level)
            t.control[FRAMES + level * FRAME + ROW] = i
            return -1
        v = -2.0 * real(WIN)
        if t.game.state.result == RUNNING:
            depth_below = depth if t.control.turns == 1 and t.game.state.ply == turn else depth - 1
            if t.control.table > ORDER_ONLY and depth_below > 1:
                v = remembered(t, depth_below, beta, level + 1, me)
                if may_claim(t) == 1 and how_many(t.game, n) > 0:
                    mine = 1 if t.game.state.mover ^ t.game.state.swapped == me else 0
                    v = with_claim(t, v, mine)
        elif t.game.state.result != DRAWN and t.game.state.result ^ t.game.state.swapped == me:
            t.control.open = 0
            v = real(WIN - t.control.step * (level + 1))
            t.control.value = float_bits(v)
            back(t, level)
            return i
        back(t, level)
        if v >= beta:
            t.control.value = float_bits(v)
            return i
    return -1


def begin_trying(t: Thread, level: i64, top: i64, best: f64, open: i64) -> None:
    """Begin to try decisions in turn; *best* is what the position is worth without them."""
    at = FRAMES + level * FRAME
    t.control[at + TRYING] = IN_TURN
    t.control[at + ROW] = top
    t.control[at + NUMBER] = 0
    t.control[at + PICKED] = 0
    t.control[at + WIDE] = SHALLOW
    t.control[at + CHOSEN] = top
    t.control[at + OPEN] = open
    t.control[at + BEST] = float_bits(best)


def count_in(t: Thread, level: i64, v: f64, beta: f64) -> None:
    """Count the value of the decision in `ROW`, which may be the best so far."""
    at = FRAMES + level * FRAME
    t.control[at + WIDE] = SHALLOW
    t.control[at + PICKED] = 0
    t.control[at + NUMBER] += 1
    t.control[at + OPEN] = t.control[at + OPEN] | t.control.open
    if v > bits_float(t.control[at + BEST]):
        t.control[at + BEST] = float_bits(v)
        t.control[at + CHOSEN] = t.control[at + ROW]
        if v > bits_float(t.control[at + LOW]):
            t.control[at + LOW] = float_bits(v)
        if v >= beta:
            t.control[at + OPEN] = t.control.open


def choose_next(t: Thread, together: i64, level: i64, top: i64, n: i64) -> None:
    """Choose the best ranked row that was not tried yet; last, those that other threads try."""
    at = FRAMES + level * FRAME
    if t.control[at + PICKED] == 0:
        row = pick(t.ranks, top, n, t.control[at + NUMBER], t.control[at + ROW])
        if together == 1 and t.control[at + NUMBER] > 0:
            while t.ranks[row] != PUT_OFF and another_is_at(t, level, row - top) == 1:
                t.ranks[row] = PUT_OFF
                row = pick(t.ranks, top, n, t.control[at + NUMBER], t.control[at + ROW])
        t.control[at + RANK] = t.ranks[row]
        t.ranks[row] = TRIED
        t.control[at + ROW] = row
        t.control[at + PICKED] = 1


def try_in_turn(t: Thread, depth: i64, beta: f64, level: i64, top: i64, n: i64, me: i64) -> None:
    """Find the best ranked decision, tried in turn until one reaches *beta*.

    Behind the first one a scout asks whether a decision is better at all (principal variation
    search), at first less deep where it stands late in the order.
    """
    at = FRAMES + level * FRAME
    together = t.control.crowd if depth >= ALONE else 0
    number = 1 if t.control[at + PROBE] == 1 else n - top
    while t.control[at + NUMBER] < number and bits_float(t.control[at + BEST]) < beta:
        choose_next(t, together, level, top, n)
        low = bits_float(t.control[at + LOW])
        if hopeless(t, depth, low, beta, level) == 1:
            leave_out(t, level)
            continue
        edge = beta
        if t.control[at + NUMBER] > 0 and t.control[at + WIDE] < WHOLLY and t.control.scout == 1:
            edge = above(low)
        if together == 1:
            being_at(t, level, t.control[at + ROW] - top, 1)
        less = reduction(t, depth, level) if t.control[at + WIDE] == SHALLOW else 0
        t.control.probe = me + 1 if t.control[at + PROBE] == 1 else 0
        v = try_row(t, t.control[at + ROW], depth - less, low, edge, level, n, me)
        t.control.probe = 0
        if t.control.unwinding == 1:
            return
        if v > low and less > 0:
            t.control[at + WIDE] = SCOUTED
        elif v > low and v < beta and edge < beta:
            t.control[at + WIDE] = WHOLLY
        else:
            if together == 1:
                being_at(t, level, t.control[at + ROW] - top, 0)
            count_in(t, level, v, beta)
    if depth > 0 and bits_float(t.control[at + BEST]) >= beta:
        reward(t, me, level, t.control[at + CHOSEN], top, n)


def first_to_do(t: Thread, depth: i64, level: i64) -> i64:
    """Whether ends at hand are looked for before decisions are tried in turn."""
    hint = t.control[FRAMES + level * FRAME + HINT]
    quick = 1 if depth < t.control.look else t.control[FRAMES + level * FRAME + PROBE]
    return IN_TURN if quick == 1 or hint != NONE or t.control.judge == 2 else LOOKING


def listed(
    t: Thread, depth: i64, alpha: f64, beta: f64, level: i64, top: i64, me: i64
) -> i64:  # fmt: skip
    """List the decisions of a position that is searched; 0 if there are none, or a fault."""
    at = FRAMES + level * FRAME
    n = decisions(t.game, top)
    if n == top or t.game.state.fault != 0:
        return 0
    if by_chance(t, top) == 1:
        begin_outcomes(t, depth, beta, level, top, n)
        return 1
    t.control[at + ENDS] = keep_candidates(t, top, n, me)
    t.control[at + WHOLE] = t.control[at + ENDS] if t.control.settled == 1 else n
    t.control[at + LOW] = float_bits(alpha)
    t.control[at + ROW] = top
    t.control[at + TRYING] = first_to_do(t, depth, level)
    return 1


def expected(
    t: Thread, key: i64, depth: i64, alpha: f64, beta: f64, level: i64, top: i64, me: i64
) -> f64:  # fmt: skip
    """The expectation of a position in which chance decides; proven where all ends alike."""
    at = FRAMES + level * FRAME
    v = mean_of_all(t, depth, alpha, beta, level, t.control[at + ENDS], me)
    if t.control[at + TRYING] == PROBING and v < beta and t.control.unwinding == 0:
        end_probing(t, level, top)
        v = mean_of_all(t, depth, alpha, beta, level, t.control[at + ENDS], me)
    if t.control.unwinding == 1:
        return 0.0
    if t.control.table != 0:
        remember(t, key, depth, alpha, beta, level, v, NONE)
    return v


def mean_of_all(t: Thread, depth: i64, alpha: f64, beta: f64, level: i64, n: i64, me: i64) -> f64:
    """The mean of what chance may decide, or of its probes; a bound outside the window."""
    at = FRAMES + level * FRAME
    while t.control[at + ROW] < n:
        low = lowest(t, level, alpha)
        high = highest(t, level, beta, low)
        t.control.probe = me + 1 if t.control[at + TRYING] == PROBING else 0
        v = try_row(t, t.control[at + ROW], depth, low, high, level, n, me)
        t.control.probe = 0
        if t.control.unwinding == 1:
            return 0.0
        if v <= low or v >= high:
            t.control.open = 1
            return alpha if v <= low else beta
        add_value(t, level, v)
    return mean_value(t, level)


def passed(t: Thread, depth: i64, beta: f64, level: i64, top: i64) -> f64:
    """The value after the turn is passed, searched less deep (null move, Donninger 1993)."""
    at = FRAMES + level * FRAME
    t.control[at + PASSED] = 1
    pass_turn(t)
    v = 0.0
    if stopped(t, level) == 0:
        v = -below(t, depth - 3 - (depth >> 2), -beta, above(-beta), level + 1, top)
    back(t, level)
    return v


def summed_up(
    t: Thread, key: i64, depth: i64, alpha: f64, beta: f64, level: i64, top: i64, best: f64
) -> f64:  # fmt: skip
    """The value of a position whose decisions were tried, remembered; `chosen` is the best row."""
    at = FRAMES + level * FRAME
    if best > real(SURE) or best < -real(SURE):
        t.control.open = 0
    # what was left out may be better
    if t.control[at + ENDS] < t.control[at + WHOLE] and best <= real(SURE):
        t.control.open = 1
        if best < -real(SURE):
            best = -real(SURE) / 2.0
    if t.control.table != 0:
        remember(t, key, depth, alpha, beta, level, best, t.control.best_row - top)
    return best


def of_decisions(
    t: Thread, key: i64, depth: i64, alpha: f64, beta: f64, level: i64, top: i64
) -> f64:  # fmt: skip
    """The value of a position behind its decisions; others are better than a probe, perhaps."""
    at = FRAMES + level * FRAME
    best = bits_float(t.control[at + BEST])
    t.control.best_row = t.control[at + CHOSEN]
    t.control.open = t.control[at + OPEN]
    if t.control[at + PROBE] == 0:
        return summed_up(t, key, depth, alpha, beta, level, top, best)
    t.control.open = 0 if best > real(SURE) else 1
    if t.control.table != 0:
        remember(t, key, depth, alpha, best, level, best, t.control.best_row - top)
    return best


def settled(
    t: Thread, key: i64, depth: i64, alpha: f64, beta: f64, level: i64, me: i64
) -> i64:  # fmt: skip
    """Whether nothing need be tried in a position; its value is handed back in `value`."""
    if looked_up(t, key, depth, alpha, beta, level) == 1:
        return 1
    t.control.value = 0
    if called_drawn(t) == 1 or called_decided(t, me, level) == 1:
        return 1
    if settled_by_hopeless(t, me, alpha, beta) == 1:
        return 1
    estimate(t, depth, alpha, beta, level, me)
    if t.control.unwinding == 1:
        return 1
    if good_enough(t, depth, alpha, beta, level) == 0:
        return 0
    t.control.open = 1
    t.control.value = t.control[FRAMES + level * FRAME + STATIC]
    return 1


def keyed(t: Thread, level: i64) -> i64:
    """The key of the position in the table, noted for its level; 0 without a table."""
    if t.control.table == 0:
        return 0
    key = table_key(t, level)
    t.control[FRAMES + level * FRAME + IMAGE] = t.control.image
    t.control[FRAMES + level * FRAME + KEY] = key
    return key


def search(t: Thread, depth: i64, alpha: f64, beta: f64, level: i64, top: i64) -> f64:
    """The value of a running position for the person at move, *depth* units deep."""
    me = t.game.state.mover ^ t.game.state.swapped
    at = FRAMES + level * FRAME
    key = keyed(t, level)
    fresh = 1 - entered_again(t, level)
    if fresh == 1:
        begin_probe(t, level, me)
        if settled(t, key, depth, alpha, beta, level, me) == 1:
            return bits_float(t.control.value)
        passing = may_pass(t, depth, alpha, beta, level, top)
        t.control[at + TRYING] = PASSING if passing == 1 else LISTING
    note(t, level)
    if t.control[at + TRYING] == PASSING:
        v = passed(t, depth, beta, level, top)
        if t.control.unwinding == 1 or v >= beta:
            t.control.open = 1
            return beta
        t.control[at + PASSED] = 0
        t.control[at + TRYING] = LISTING
    depth = guessing(t, depth, level)
    if t.control[at + TRYING] == LISTING:
        if listed(t, depth, alpha, beta, level, top, me) == 0:
            return nothing_to_play(t, me, level)
        if t.control.unwinding == 1:
            return 0.0
        fresh = 1
    n = t.control[at + ENDS]
    if t.control[at + TRYING] >= WEIGHING:
        return expected(t, key, depth, alpha, beta, level, top, me)
    if t.control[at + TRYING] == LOOKING:
        t.control.best_row = immediate_cutoff(t, depth, beta, level, t.control[at + ROW], n, me)
        if t.control.unwinding == 1:
            return 0.0
        if t.control.best_row >= 0:
            best = bits_float(t.control.value)
            return summed_up(t, key, depth, alpha, beta, level, top, best)
        fresh = 1
    if fresh == 1:
        rank(t, me, level, top, n)
        if t.control[at + HINT] < n - top:
            t.ranks[top + t.control[at + HINT]] = FIRST
        begin_trying(t, level, top, -real(WIN) - real(LEVELS), 0)
    try_in_turn(t, depth, beta, level, top, n, me)
    if t.control.unwinding == 1:
        return 0.0
    return of_decisions(t, key, depth, alpha, beta, level, top)


def pursue(t: Thread, depth: i64, alpha: f64, beta: f64, level: i64, top: i64) -> f64:
    """The value of a position where looking stops, but for decisions that force (quiescence).

    Nobody has to make one: the value is at least what the evaluator says.  Where something must be
    done the best of that counts instead.
    """
    me = t.game.state.mover ^ t.game.state.swapped
    at = FRAMES + level * FRAME
    if entered_again(t, level) == 0:
        n = decisions(t.game, top)
        if n == top or t.game.state.fault != 0:
            return nothing_to_play(t, me, level)
        stand = -real(WIN) - real(LEVELS)
        t.control[at + ENDS] = keep_guided(t, NEEDED, top, n, me) if t.control.must == 1 else top
        free = 1 if t.control[at + ENDS] == top else 0
        if free == 0:
            believe_must(t, t.control[at + ENDS], n)
        if free == 1:
            stand = static_evaluation(t, me)
            t.control.open = 1
            if stand >= beta or t.control.unwinding == 1:
                return stand
            t.control[at + ENDS] = keep_guided(t, FORCES, top, n, me)
            if t.control[at + ENDS] == top:
                return stand
        if t.control.unwinding == 1:
            return 0.0
        t.control[at + PROBE] = 0
        t.control[at + LOW] = float_bits(stand if stand > alpha else alpha)
        t.control[at + PASSED] = 0
        begin_trying(t, level, top, stand, free)
    note(t, level)
    try_in_turn(t, depth, beta, level, top, t.control[at + ENDS], me)
    if t.control.unwinding == 1:
        return 0.0
    best = bits_float(t.control[at + BEST])
    t.control.open = t.control[at + OPEN]
    if best > real(SURE) or best < -real(SURE):
        t.control.open = 0
    return best
