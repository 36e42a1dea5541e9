"""Alpha-beta at the root of an engine to take away: the loop over its decisions as a kernel.

Decisions are searched deeper and deeper, the best of the last depth first, within the windows of
`search/kernels/windows.py`, as the driver's are.  Before that results alone may count, within a
share of the nodes.  A search stops anywhere and goes on there.
"""

from __future__ import annotations

from rulewright.build.attacks import answered, begin_answer
from rulewright.build.face import MORE, OVER, Face, drop, leave, resume
from rulewright.codegen.runtime import bits_float, f64, float_bits, i64, real
from rulewright.search.kernels.alphabeta import try_row
from rulewright.search.kernels.moving import back
from rulewright.search.kernels.table import rank
from rulewright.search.kernels.thread import LOOK, ORDER_ONLY, SETTINGS, TRUSTED, WIN, Control
from rulewright.search.kernels.windows import (
    EXACT,
    FITS,
    KNOWN,
    PROOF_NODES,
    PROVEN,
    SHARES,
    TOO_LOW,
    above_all,
    fit,
    goes_before,
    half_window,
    is_scouted,
    is_wanted,
    marks_of,
    rough_depth,
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
    if f.mind.proving == 1:
        f.mind.low = float_bits(-outermost(f))
        f.mind.high = float_bits(outermost(f))
    elif f.mind.full == 0 and width > 0.0:
        f.mind.low = float_bits(last - width)
        f.mind.high = float_bits(last + width)
    begin_iteration(f)


def outermost(f: Face) -> f64:
    """The upper end of the widest window: who proves results asks no more than who wins."""
    return 1.0 if f.mind.proving == 1 else above_all()


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
    return 1 if asks(f) == 1 and f.roots.asked[number] > 0 else 0


def asks(f: Face) -> i64:
    """Whether decisions that look best are asked for the threats that answer them."""
    return 1 if f.mind.threats == 1 and f.mind.proving == 0 else 0


def is_doubtful(f: Face, number: i64) -> i64:
    """Whether it has to be asked what wins by threats after a decision: it looks best."""
    if asks(f) == 0:
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
    most = outermost(f)
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
    if f.mind.proving == 1:
        f.mind.depth = rough_depth(f.mind.depth, f.mind.fills, f.mind.deepest)
    else:
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


def best_searched(f: Face) -> i64:
    """The decision of the best exact value, the first of equal ones; -1 where none has any."""
    best = -1
    for i in range(f.mind.width):
        number = f.roots.order[i]
        if f.roots.marks[number] & EXACT != 0:
            if best < 0 or f.roots.values[number] > f.roots.values[best]:
                best = number
    return best


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


# --- proofs, by which a player may begin: the same as `Decider._prove` ---


def begin_proof(f: Face) -> None:
    """Look for what can be proven, with nothing in the table."""
    for i in range(SETTINGS):
        f.kept[i] = f.thread.control[i]
    results_alone(f.thread.control)
    f.mind.begun = f.thread.control.nodes
    f.mind.proving = 1
    f.mind.width = f.mind.roots
    order_by_rank(f)
    begin_deepening(f)


def results_alone(c: Control) -> None:
    """Let nothing count that a text says of values: the same as that of `search/deepening.py`."""
    c.late = 0
    c.passing = 0
    c.bold = 0
    if c.table == TRUSTED:
        c.table = ORDER_ONLY
    c.judge = 0
    c.forcing = 0
    c.considering = 0
    c.narrow = 0
    c.look = LOOK
    c.drawn = 0
    c.decided = 0
    c.hopeless = 0


def order_by_rank(f: Face) -> None:
    """Decisions of the root as `order` has them; equal ones stay as they are."""
    rank(f.thread, f.mind.me, 0, 0, f.mind.roots)
    for i in range(f.mind.roots):
        at = i
        while at > 0 and f.thread.ranks[f.roots.order[at - 1]] < f.thread.ranks[i]:
            f.roots.order[at] = f.roots.order[at - 1]
            at = at - 1
        f.roots.order[at] = i


def prove_on(f: Face) -> i64:
    """Search on: MORE, or OVER as soon as something is proven or the share is spent."""
    nodes = PROOF_NODES
    if f.mind.whole > 0:
        rest = f.mind.whole - f.mind.begun
        nodes = (rest if rest > 1 else 1) * f.mind.prove // SHARES
    f.mind.until = f.mind.begun + nodes
    end = f.thread.control.node_limit
    if end > f.mind.until:
        f.thread.control.node_limit = f.mind.until
    found = OVER
    if f.thread.control.nodes < f.mind.until:
        found = deepen(f)
    f.thread.control.node_limit = end
    if f.thread.control.fault != 0:
        return MORE
    if found == MORE and f.thread.control.nodes < f.mind.until:
        return MORE
    break_off(f)
    return OVER


def has_proof(f: Face) -> i64:
    """Whether a win is proven, or a draw, as all decisions are settled."""
    best = best_searched(f)
    if best < 0:
        return 0
    if wins(f, best) == 1:
        return 1
    return all_proven(f) if f.roots.values[best] == 0.0 else 0


def glance(f: Face) -> None:
    """One decision ahead, whatever the limits are: the search was stopped before it began."""
    deepest = f.mind.deepest
    f.mind.deepest = 1
    f.thread.control.node_limit = f.thread.control.nodes + PROOF_NODES
    f.thread.control.stop = 0
    drop(f)
    back(f.thread, 0)
    begin_deepening(f)
    deepen(f)
    f.mind.deepest = deepest


def end_proof(f: Face) -> None:
    """Go back to the root, and to the settings of the search that follows."""
    drop(f)
    back(f.thread, 0)
    nodes = f.thread.control.nodes
    limit = f.thread.control.node_limit
    failed_by = f.thread.control.fault
    for i in range(SETTINGS):
        f.thread.control[i] = f.kept[i]
    f.thread.control.nodes = nodes
    f.thread.control.node_limit = limit
    f.thread.control.fault = failed_by
    f.thread.control.stop = 0
    f.mind.proving = 0
