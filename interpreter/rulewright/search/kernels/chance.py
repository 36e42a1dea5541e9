"""What chance decides: the mean of all that may come, and what need not be looked at for it.

A mean has bounds while some values are missing: each lies between a loss and a win for sure.  So
each value gets a window of its own, beyond which the mean is outside its window (Star1).  Before
that the best ranked decision alone is tried behind each, to the end of the turn (a probe): others
can only be better, and the mean of that may be good enough already (Star2, Ballard 1983).
"""

from __future__ import annotations

from rulewright.compiler.runtime import bits_float, f64, float_bits, i64, real
from rulewright.search.kernels.leaves import above
from rulewright.search.kernels.thread import (
    ENDS,
    FRAME,
    FRAMES,
    OPEN,
    PROBE,
    ROW,
    SURE,
    TRYING,
    WHOLE,
    Thread,
)

WEIGHING = 4  # what is done: what chance may decide is weighed,
PROBING = 5  # or probed

BEYOND = 2000000000000000  # more than any value

# what a frame holds where chance decides, beside what it holds elsewhere
TOTAL = 4  # how likely all rows are together
FLOOR = 5  # what the probes of those that were not weighed yet add up to,
PROBED = 9  # if they were probed
SUM = 7  # of all values so far, as likely as they are
SUM_OF = 8  # how likely these are together
MOST = 13  # the largest of them, and the least
LEAST = 15


def share_of(t: Thread, row: i64) -> f64:
    """How likely chance decides for a row, beside the others."""
    return bits_float(t.game.rows[row * t.control.row + t.control.lots])


def begin_probe(t: Thread, level: i64, person: i64) -> None:
    """Note whether a position is only to be probed, for the person at move."""
    t.control[FRAMES + level * FRAME + PROBE] = 1 if t.control.probe == person + 1 else 0
    t.control.probe = 0


def in_question(v: f64) -> i64:
    """Whether a bound lies among values that are no win or loss for sure."""
    return 1 if v > -real(SURE) / 2.0 and v < real(SURE) / 2.0 else 0


def in_a_mean(v: f64) -> f64:
    """A value as it counts in a mean: a win or a loss as half of what it is if sure."""
    if v > real(SURE):
        return real(SURE) / 2.0
    if v < -real(SURE):
        return -real(SURE) / 2.0
    return v


def begin_outcomes(t: Thread, depth: i64, beta: f64, level: i64, top: i64, n: i64) -> None:
    """Begin to weigh what chance may decide, all of it; to probe it where that may be enough."""
    at = FRAMES + level * FRAME
    t.control[at + ENDS] = n
    t.control[at + WHOLE] = n
    t.control[at + OPEN] = 0
    t.control[at + PROBE] = 0
    t.control[at + PROBED] = 0
    t.control[at + FLOOR] = float_bits(0.0)
    total = 0.0
    for row in range(top, n):
        total = total + share_of(t, row)
    t.control[at + TOTAL] = float_bits(total)
    begin_sum(t, level, top)
    if in_question(beta) == 1 and n > top + 1 and (depth > 1 or t.control.turns == 1):
        t.control[at + TRYING] = PROBING


def begin_sum(t: Thread, level: i64, top: i64) -> None:
    """Begin to add up values, from the first row on."""
    at = FRAMES + level * FRAME
    t.control[at + TRYING] = WEIGHING
    t.control[at + ROW] = top
    t.control[at + SUM] = float_bits(0.0)
    t.control[at + SUM_OF] = float_bits(0.0)
    t.control[at + LEAST] = float_bits(real(BEYOND))
    t.control[at + MOST] = float_bits(-real(BEYOND))


def end_probing(t: Thread, level: i64, top: i64) -> None:
    """Weigh all that was probed."""
    at = FRAMES + level * FRAME
    t.control[at + PROBED] = 1
    t.control[at + FLOOR] = t.control[at + SUM]
    t.control[at + OPEN] = 0
    begin_sum(t, level, top)


def unknown(t: Thread, level: i64) -> f64:
    """What the rows behind the present one are worth at most, added up: a win for sure each."""
    at = FRAMES + level * FRAME
    row = t.control[at + ROW]
    if row + 1 == t.control[at + ENDS]:
        return 0.0
    weighed = bits_float(t.control[at + SUM_OF]) + share_of(t, row)
    return (bits_float(t.control[at + TOTAL]) - weighed) * real(SURE) / 2.0


def floor_behind(t: Thread, level: i64) -> f64:
    """What the rows behind the present one are worth at least, added up."""
    at = FRAMES + level * FRAME
    if t.control[at + PROBED] == 0:
        return -unknown(t, level)
    row = t.control[at + ROW]
    return bits_float(t.control[at + FLOOR]) - share_of(t, row) * bits_float(t.ranks[row])


def lowest(t: Thread, level: i64, alpha: f64) -> f64:
    """What the present row is worth if the mean can still be more than *alpha*."""
    at = FRAMES + level * FRAME
    if in_question(alpha) == 0 or t.control[at + TRYING] == PROBING:
        return -real(BEYOND)
    least = alpha * bits_float(t.control[at + TOTAL]) - bits_float(t.control[at + SUM])
    v = (least - unknown(t, level)) / share_of(t, t.control[at + ROW])
    return v if in_question(v) == 1 else -real(BEYOND)


def highest(t: Thread, level: i64, beta: f64, low: f64) -> f64:
    """From what value of the present row on the mean is *beta* at least, whatever follows."""
    at = FRAMES + level * FRAME
    if in_question(beta) == 0 or t.control[at + TRYING] == PROBING:
        return real(BEYOND)
    most = beta * bits_float(t.control[at + TOTAL]) - bits_float(t.control[at + SUM])
    v = (most - floor_behind(t, level)) / share_of(t, t.control[at + ROW])
    if in_question(v) == 0:
        return real(BEYOND)
    return v if v > low else above(low)


def add_value(t: Thread, level: i64, v: f64) -> None:
    """Count the value of the present row, or what its probe has found."""
    at = FRAMES + level * FRAME
    row = t.control[at + ROW]
    if v < bits_float(t.control[at + LEAST]):
        t.control[at + LEAST] = float_bits(v)
    if v > bits_float(t.control[at + MOST]):
        t.control[at + MOST] = float_bits(v)
    if t.control[at + TRYING] == PROBING:
        t.ranks[row] = float_bits(in_a_mean(v))
    elif t.control[at + PROBED] == 1:
        t.control[at + FLOOR] = float_bits(floor_behind(t, level))
    share = share_of(t, row)
    t.control[at + OPEN] = t.control[at + OPEN] | t.control.open
    t.control[at + SUM] = float_bits(bits_float(t.control[at + SUM]) + in_a_mean(v) * share)
    t.control[at + SUM_OF] = float_bits(bits_float(t.control[at + SUM_OF]) + share)
    t.control[at + ROW] += 1


def mean_value(t: Thread, level: i64) -> f64:
    """The mean of all values; a win or a loss for sure where all are."""
    at = FRAMES + level * FRAME
    least = bits_float(t.control[at + LEAST])
    most = bits_float(t.control[at + MOST])
    v = bits_float(t.control[at + SUM]) / bits_float(t.control[at + SUM_OF])
    if least > real(SURE):
        v = least
    if most < -real(SURE):
        v = most
    t.control.open = t.control[at + OPEN]
    if v != least and v != most:
        t.control.open = 1
    return v
