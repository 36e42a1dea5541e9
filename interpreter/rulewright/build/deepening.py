"""Alpha-beta at the root of an engine to take away: the loop over its decisions as a kernel.

Decisions are searched deeper and deeper, the best of the last depth first, within the windows of
`search/kernels/windows.py`, as the driver's are.  A search stops anywhere and goes on there.
"""

from __future__ import annotations

from rulewright.build.attacks import answered, begin_answer
from rulewright.build.face import MORE, OVER, Face, leave, resume
from rulewright.codegen.runtime import bits_float, f64, float_bits, i64, real
from rulewright.search.kernels.alphabeta import try_row
from rulewright.search.kernels.thread import WIN
from rulewright.search.kernels.windows import (
    EXACT,
    FITS,
    KNOWN,
    PROVEN,
    TOO_LOW,
    above_all,
    fit,
    goes_before,
    half_window,
    is_scouted,
    is_wanted,
    marks_of,
    scout_edge,
    sure,
)


def begin_deepening(f: Face) -> None:
    """Nothing is known yet of the decisions in `order`."""
    for i in range(f.mind.width):
        f.roots.marks[f.roots.order[i]] = 0
        if f.mind.threats == 1:
            f.roots.asked[f.roots.order[i]] = 0
    f.mind.depth = 1
    f.mind.iterations = 0
    f.mind.again = 0
    begin_depth(f)


def begin_depth(f: Face) -> None:
    """A window around the last value, where that is worth it."""
    f.thread.control.age = f.mind.depth & 3
    f.mind.low = float_bits(-above_all())
    f.mind.high = float_bits(above_all())
    last = f.roots.values[f.roots.order[0]]
    width = half_window(last, f.mind.depth)
    if f.mind.full == 0 and width > 0.0:
        f.mind.low = float_bits(last - width)
        f.mind.high = float_bits(last + width)
    begin_iteration(f)


def begin_iteration(f: Face) -> None:
    """All decisions once more, in the order of the last iteration."""
    f.mind.next = 0
    f.mind.top = f.mind.low
    f.mind.wide = 0


def deepen(f: Face) -> i64:
    """Search on until the nodes that are allowed are played (MORE), or nothing is left (OVER)."""
    going = 1
    while going == 1:
        if f.mind.next == f.mind.width or passed_by(f) == 1:
            if end_iteration(f) == OVER:
                return OVER
        else:
            going = look(f)
    return MORE


def passed_by(f: Face) -> i64:
    """Whether the best value lies beyond the window, so that the rest is not looked at."""
    return 1 if f.mind.full == 0 and bits_float(f.mind.top) >= bits_float(f.mind.high) else 0


def look(f: Face) -> i64:
    """Look at the next decision; 0 where the search has to stop, to go on later.

    One that looks best may be proven to lose by threats; then it is not searched again.
    """
    number = f.roots.order[f.mind.next]
    if f.mind.asking == 0 and is_refuted(f, number) == 0:
        if searched(f, number) == 0:
            return 0
        if is_doubtful(f, number) == 1:
            begin_answer(f, number)
    if f.mind.asking == 1:
        if answered(f, number) == MORE:
            return 0
    if is_refuted(f, number) == 1:
        lost = real(f.roots.asked[number] + 1 - WIN)
        note_value(f, number, lost, KNOWN | EXACT | PROVEN)
    else:
        note_value(f, number, f.roots.found[number], f.roots.fresh[number])
    return 1


def is_refuted(f: Face, number: i64) -> i64:
    """Whether a decision is known to lose by threats."""
    return 1 if f.mind.threats == 1 and f.roots.asked[number] > 0 else 0


def is_doubtful(f: Face, number: i64) -> i64:
    """Whether it has to be asked what wins by threats after a decision: it looks best."""
    if f.mind.threats == 0:
        return 0
    v = f.roots.found[number]
    if f.roots.asked[number] != 0 or sure(v, f.roots.fresh[number]) != 0:
        return 0
    best = bits_float(f.mind.low)
    for i in range(f.mind.next):
        other = f.roots.found[f.roots.done[i]]
        if i == 0 or other > best:
            best = other
    return 1 if v > best else 0


def searched(f: Face, number: i64) -> i64:
    """Give a decision its value, by a scout first; 0 where the search has to stop."""
    least = bits_float(f.mind.low)
    if f.mind.full == 0:
        least = bits_float(f.mind.top)
    high = bits_float(f.mind.high)
    first = 1 if f.mind.next == 0 else 0
    scouted = is_scouted(first, f.mind.full, least)
    edge = high
    if scouted == 1 and f.mind.wide == 0:
        edge = scout_edge(least, high)
    v = value_of(f, number, least, edge)
    if f.thread.control.unwinding != 0 or f.thread.control.fault != 0:
        return 0
    if is_wanted(v, least, edge, high) == 1:
        f.mind.wide = 1
        return searched(f, number)
    f.mind.wide = 0
    f.roots.found[number] = v + 0.0
    counts = 1 if f.mind.full == 1 or first == 1 else 0
    f.roots.fresh[number] = marks_of(v, least, counts, f.thread.control.open)
    return 1


def value_of(f: Face, number: i64, low: f64, high: f64) -> f64:
    """The value of a decision, for who is at move; a search that stopped goes on."""
    nodes = f.thread.control.nodes
    f.thread.control.farthest = 2 * f.mind.depth
    f.thread.control.nodes = nodes - resume(f, 1)
    v = try_row(f.thread, number, f.mind.depth, low, high, 0, f.mind.roots, f.mind.me)
    if f.thread.control.unwinding != 0 and f.mind.again == 1 and f.thread.control.resumed != 0:
        f.thread.control.nodes = nodes  # it stopped before it was there
    leave(f)
    return v


def note_value(f: Face, number: i64, v: f64, marks: i64) -> None:
    """A decision has its value at this depth."""
    f.roots.found[number] = v
    f.roots.fresh[number] = marks
    f.roots.done[f.mind.next] = number
    f.mind.next += 1
    if v > bits_float(f.mind.top):
        f.mind.top = float_bits(v)


def end_iteration(f: Face) -> i64:
    """Every decision was looked at: open the window, or go deeper if that can change anything."""
    sort_done(f, f.mind.next)
    v = f.roots.found[f.roots.done[0]]
    most = above_all()
    fitting = fit(v, bits_float(f.mind.low), bits_float(f.mind.high), -most, most)
    if fitting != FITS:
        if fitting == TOO_LOW:
            f.mind.low = float_bits(-most)
        else:
            f.mind.high = float_bits(most)
        begin_iteration(f)
        return MORE
    for i in range(f.mind.width):
        if i < f.mind.next:
            accept(f, f.roots.done[i])
            f.roots.order[i] = f.roots.done[i]
        else:
            f.roots.marks[f.roots.order[i]] = 0
    f.mind.iterations += 1
    f.mind.next = 0
    if all_settled(f) == 1 or f.mind.depth >= f.mind.deepest:
        return OVER
    f.mind.depth += 1
    begin_depth(f)
    return MORE


def accept(f: Face, number: i64) -> None:
    """What this iteration has found of a decision counts."""
    f.roots.values[number] = f.roots.found[number]
    f.roots.marks[number] = f.roots.fresh[number]


def wins(f: Face, number: i64) -> i64:
    """Whether a decision is proven to win."""
    return 1 if sure(f.roots.values[number], f.roots.marks[number]) == 1 else 0


def all_settled(f: Face) -> i64:
    """Whether deeper searches can change nothing."""
    if f.mind.full == 0 and wins(f, f.roots.order[0]) == 1:
        return 1
    return all_proven(f)


def all_proven(f: Face) -> i64:
    """Whether the value of every decision is proven."""
    for i in range(f.mind.width):
        if f.roots.marks[f.roots.order[i]] & PROVEN == 0:
            return 0
    return 1


def sort_done(f: Face, count: i64) -> None:
    """Those that this iteration has looked at, the best first; among equals exact values first."""
    for i in range(1, count):
        number = f.roots.done[i]
        at = i
        while at > 0 and is_ahead(f, number, f.roots.done[at - 1]) == 1:
            f.roots.done[at] = f.roots.done[at - 1]
            at = at - 1
        f.roots.done[at] = number


def is_ahead(f: Face, one: i64, other: i64) -> i64:
    """Whether one decision stands before another."""
    return goes_before(
        f.roots.found[one], f.roots.fresh[one], f.roots.found[other], f.roots.fresh[other]
    )


def break_off(f: Face) -> None:
    """End an iteration under way: it counts if it has found something better.

    With a value for every decision what it has found counts; else the best one, if the best of the
    last iteration was looked at too.
    """
    sort_done(f, f.mind.next)
    best = -1
    leader = 1 if f.mind.iterations == 0 else 0
    for i in range(f.mind.next):
        number = f.roots.done[f.mind.next - 1 - i]
        if f.roots.fresh[number] & EXACT != 0:
            best = number
            if number == f.roots.order[0]:
                leader = 1
            if f.mind.full == 1:
                accept(f, number)
    if f.mind.full == 0 and best >= 0 and leader == 1:
        accept(f, best)
