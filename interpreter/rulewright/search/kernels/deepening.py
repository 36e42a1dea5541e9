"""Alpha-beta at the root: the loop over its decisions, deeper and deeper.

The best of the last depth comes first, within the windows of `windows.py`.  Threads may share an
iteration: each takes decisions that nobody is at, looks at them and notes what it has found; who
calls `take_move` and `note_value` sees to it that one thread does so at a time.
"""

from __future__ import annotations

from rulewright.compiler.runtime import bits_float, f64, float_bits, i64, real
from rulewright.search.kernels.alphabeta import try_row
from rulewright.search.kernels.moving import leave_search, resume_search, uncount
from rulewright.search.kernels.root import MORE, OVER, RootArrays
from rulewright.search.kernels.table import rank
from rulewright.search.kernels.thread import LOOK, ORDER_ONLY, TRUSTED, WIN, Control
from rulewright.search.kernels.threats import answer_on, begin_answer, put_position
from rulewright.search.kernels.windows import (
    EXACT,
    FITS,
    HAS_VALUE,
    PROVEN,
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

FREE = 0  # of `moves.progress`
UNDER_WAY = 1
DONE = 2

SCOUT = 0  # of `control.window`: it is asked whether the decision is better at all;
WHOLE = 1  # the whole window, as it is; and where the value counts though it is low
COUNTS = 2


def begin_deepening(r: RootArrays) -> None:
    """Begin with no values of the decisions in `order`."""
    for i in range(r.search.width):
        r.moves.marks[r.moves.order[i]] = 0
        if r.search.threats == 1:
            r.moves.refuted[r.moves.order[i]] = 0
    if r.search.threats == 1:
        put_position(r, 0)
    r.search.depth = 1
    r.search.iterations = 0
    r.thread.control.again = 0
    begin_depth(r)


def begin_depth(r: RootArrays) -> None:
    """Set the window around the last value, where that is worth it, and begin an iteration."""
    edge = bits_float(r.search.edge)
    r.search.low = float_bits(-edge)
    r.search.high = float_bits(edge)
    if r.search.iterations > 0 and r.search.full == 0 and r.thread.control.judge != 0:
        last = r.moves.values[r.moves.order[0]]
        width = half_window(last, r.search.depth)
        if width > 0.0:
            r.search.low = float_bits(last - width)
            r.search.high = float_bits(last + width)
    begin_iteration(r)


def begin_iteration(r: RootArrays) -> None:
    """Begin to look at all decisions again, in the order of the last iteration."""
    r.search.next = 0
    r.search.top = float_bits(-above_all())
    r.thread.control.at = -1
    for i in range(r.search.width):
        r.moves.progress[r.moves.order[i]] = FREE


def deepen(r: RootArrays) -> i64:
    """Search on until the nodes that are allowed are played (MORE), or nothing is left (OVER)."""
    going = MORE
    while going == MORE:
        if look_on(r) == MORE:
            return MORE
        going = end_iteration(r)
    return OVER


def look_on(r: RootArrays) -> i64:
    """Look at decisions until the nodes that are allowed are played, or none is left: OVER."""
    while r.thread.control.at >= 0 or take_move(r) >= 0:
        if look_at_move(r) == MORE:
            return MORE
        note_value(r)
    return OVER


# --- a decision ---


def best_so_far(r: RootArrays) -> f64:
    """The best value of this iteration so far."""
    return bits_float(r.search.low) if r.search.next == 0 else bits_float(r.search.top)


def passed_by(r: RootArrays) -> i64:
    """Whether the best value lies beyond the window, so that the rest is not looked at."""
    return 1 if r.search.full == 0 and best_so_far(r) >= bits_float(r.search.high) else 0


def take_move(r: RootArrays) -> i64:
    """Take the next decision that nobody is at, and its window; its number, or -1.

    Where threads tell each other by the table, what another is at is better than nothing, and the
    first decision is searched by all, as the others need its value.
    """
    r.thread.control.at = -1
    if passed_by(r) == 1:
        return -1
    number = -1
    if r.search.shared == 0 or r.search.next > 0:
        number = first_taken(r, FREE)
    if number < 0 and r.search.shared == 1:
        number = first_taken(r, UNDER_WAY)
    if number < 0:
        return -1
    r.moves.progress[number] = UNDER_WAY
    r.thread.control.at = number
    low = bits_float(r.search.low)
    least = best_so_far(r)
    if r.search.full == 1 or least < low:
        least = low
    r.thread.control.floor = float_bits(least)
    r.thread.control.window = WHOLE
    if r.search.next == 0 or r.search.full == 1:
        r.thread.control.window = COUNTS
    elif is_scouted(0, 0, least) == 1:
        r.thread.control.window = SCOUT
    return number


def first_taken(r: RootArrays, most: i64) -> i64:
    """The first decision of the order that is no further than FREE or UNDER_WAY; -1 if none is."""
    for i in range(r.search.width):
        if r.moves.progress[r.moves.order[i]] <= most:
            return r.moves.order[i]
    return -1


def look_at_move(r: RootArrays) -> i64:
    """Look at the decision that was taken; MORE where the search has to stop, to go on later.

    One that looks best may be proven to lose by threats; then it is not searched again.
    """
    number = r.thread.control.at
    if r.search.asking == 0 and is_refuted(r, number) == 0:
        if value_move(r, number) == 0:
            return MORE
        if is_doubtful(r, number) == 1:
            begin_answer(r, number)
    if r.search.asking == 1:
        if answer_on(r, number) == MORE:
            return MORE
    if is_refuted(r, number) == 1:
        r.thread.control.new_value = float_bits(real(r.moves.refuted[number] + 1 - WIN))
        r.thread.control.new_marks = HAS_VALUE | EXACT | PROVEN
    return OVER


def asks(r: RootArrays) -> i64:
    """Whether decisions that look best are asked for the threats that answer them."""
    return 1 if r.search.threats == 1 and r.search.rough == 0 else 0


def is_refuted(r: RootArrays, number: i64) -> i64:
    """Whether a decision is known to lose by threats."""
    return 1 if asks(r) == 1 and r.moves.refuted[number] > 0 else 0


def is_doubtful(r: RootArrays, number: i64) -> i64:
    """Whether it has to be asked what wins by threats after a decision: it looks best."""
    if asks(r) == 0:
        return 0
    v = bits_float(r.thread.control.new_value)
    if r.moves.refuted[number] != 0 or sure(v, r.thread.control.new_marks) != 0:
        return 0
    return 1 if v > best_so_far(r) else 0


def value_move(r: RootArrays, number: i64) -> i64:
    """Give a decision its value, by a scout first; 0 where the search has to stop."""
    least = bits_float(r.thread.control.floor)
    high = bits_float(r.search.high)
    edge = high
    if r.thread.control.window == SCOUT:
        edge = scout_edge(least, high)
    v = value_of(r, number, least, edge)
    if r.thread.control.unwinding != 0 or r.thread.control.fault != 0:
        return 0
    if is_wanted(v, least, edge, high) == 1:
        r.thread.control.window = WHOLE
        return value_move(r, number)
    counts = 1 if r.thread.control.window == COUNTS else 0
    r.thread.control.new_value = float_bits(v + 0.0)
    r.thread.control.new_marks = marks_of(v, least, counts, r.thread.control.open)
    return 1


def value_of(r: RootArrays, number: i64, low: f64, high: f64) -> f64:
    """The value of a decision, for who is at move; a search that stopped goes on."""
    nodes = r.thread.control.nodes
    r.thread.control.age = r.search.depth & 3
    r.thread.control.farthest = 2 * r.search.depth
    r.thread.control.nodes = nodes - resume_search(r.thread, 1)
    v = try_row(r.thread, number, r.search.depth, low, high, 0, r.search.roots, r.search.me)
    uncount(r.thread, nodes)
    leave_search(r.thread)
    return v


def note_value(r: RootArrays) -> None:
    """Note the value of the decision taken, unless another thread has noted one already."""
    number = r.thread.control.at
    r.thread.control.at = -1
    if r.moves.progress[number] == DONE:
        return
    r.moves.progress[number] = DONE
    v = bits_float(r.thread.control.new_value)
    r.moves.new_values[number] = v
    r.moves.new_marks[number] = r.thread.control.new_marks
    r.moves.next_order[r.search.next] = number
    r.search.next += 1
    if v > bits_float(r.search.top):
        r.search.top = float_bits(v)


# --- the end of an iteration ---


def end_iteration(r: RootArrays) -> i64:
    """End an iteration: open the window, or go deeper where that can change anything."""
    sort_moves(r, r.search.next)
    v = r.moves.new_values[r.moves.next_order[0]]
    most = bits_float(r.search.edge)
    fitting = fit(v, bits_float(r.search.low), bits_float(r.search.high), -most, most)
    if fitting != FITS:
        if fitting == TOO_LOW:
            r.search.low = float_bits(-most)
        else:
            r.search.high = float_bits(most)
        begin_iteration(r)
        return MORE
    put_in_order(r, 1)
    r.search.iterations += 1
    r.search.next = 0
    if all_settled(r) == 1 or r.search.depth >= r.search.deepest:
        return OVER
    if r.search.rough == 1:
        r.search.depth = rough_depth(r.search.depth, r.search.fills, r.search.deepest)
    else:
        r.search.depth += 1
    begin_depth(r)
    return MORE


def put_in_order(r: RootArrays, whole: i64) -> None:
    """Order decisions by this iteration: first those that it looked at, then the others.

    Of the others nothing is known any more where the iteration is *whole*.
    """
    count = r.search.next
    for i in range(r.search.width):
        number = r.moves.order[i]
        if r.moves.progress[number] != DONE:
            r.moves.next_order[count] = number
            count = count + 1
            if whole == 1:
                r.moves.marks[number] = 0
    for i in range(count):
        number = r.moves.next_order[i]
        r.moves.order[i] = number
        if i < r.search.next:
            r.moves.values[number] = r.moves.new_values[number]
            r.moves.marks[number] = r.moves.new_marks[number]


def is_win(r: RootArrays, number: i64) -> i64:
    """Whether a decision is proven to win."""
    return 1 if sure(r.moves.values[number], r.moves.marks[number]) == 1 else 0


def all_settled(r: RootArrays) -> i64:
    """Whether deeper searches can change nothing: a win, or all that matters is proven."""
    best = r.moves.order[0]
    if r.search.every == 0:
        if is_win(r, best) == 1:
            return 1
        if r.moves.marks[best] & PROVEN != 0 and r.moves.values[best] >= bits_float(r.search.edge):
            return 1
    return all_proven(r)


def all_proven(r: RootArrays) -> i64:
    """Whether the value of every decision is proven."""
    for i in range(r.search.width):
        if r.moves.marks[r.moves.order[i]] & PROVEN == 0:
            return 0
    return 1


def sort_moves(r: RootArrays, count: i64) -> None:
    """Sort what this iteration has looked at, the best first; among equals exact values first."""
    for i in range(1, count):
        number = r.moves.next_order[i]
        at = i
        while at > 0 and is_ahead(r, number, r.moves.next_order[at - 1]) == 1:
            r.moves.next_order[at] = r.moves.next_order[at - 1]
            at = at - 1
        r.moves.next_order[at] = number


def is_ahead(r: RootArrays, a: i64, b: i64) -> i64:
    """Whether a decision stands before another."""
    return goes_before(
        r.moves.new_values[a], r.moves.new_marks[a], r.moves.new_values[b], r.moves.new_marks[b]
    )


def best_searched(r: RootArrays) -> i64:
    """The decision of the best exact value, the first of equal ones; -1 where none has any."""
    best = -1
    for i in range(r.search.width):
        number = r.moves.order[i]
        if r.moves.marks[number] & EXACT != 0:
            if best < 0 or r.moves.values[number] > r.moves.values[best]:
                best = number
    return best


def break_off(r: RootArrays) -> None:
    """End an iteration under way: it counts if it has found something better.

    With a value for every decision what it has found counts; else the best one, if the best of the
    last iteration was looked at too, and it goes to the front.
    """
    sort_moves(r, r.search.next)
    leader = 1 if r.search.iterations == 0 else 0
    best = -1
    for i in range(r.search.next):
        number = r.moves.next_order[r.search.next - 1 - i]
        if r.moves.new_marks[number] & EXACT != 0:
            best = number
            if number == r.moves.order[0]:
                leader = 1
    if r.search.full == 1:
        if best >= 0:
            mix_values(r)
    elif best >= 0 and leader == 1:
        for i in range(r.search.width):
            r.moves.progress[r.moves.order[i]] = FREE
        r.moves.progress[best] = DONE
        r.moves.next_order[0] = best
        r.search.next = 1
        put_in_order(r, 0)
    r.search.next = 0


def mix_values(r: RootArrays) -> None:
    """Put new exact values of decisions among the values of the last iteration."""
    for i in range(r.search.width):
        number = r.moves.order[i]
        if r.moves.progress[number] != DONE or r.moves.new_marks[number] & EXACT == 0:
            r.moves.new_marks[number] = r.moves.marks[number]
            r.moves.new_values[number] = -above_all()
            if r.moves.marks[number] != 0:
                r.moves.new_values[number] = r.moves.values[number]
        r.moves.progress[number] = DONE
        r.moves.next_order[i] = number
    r.search.next = r.search.width
    sort_moves(r, r.search.width)
    put_in_order(r, 0)


# --- results alone ---


def results_alone(c: Control) -> None:
    """Let nothing count that a text says of values, nor what it calls drawn or decided."""
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


def order_by_rank(r: RootArrays) -> None:
    """Sort the decisions of the root by rank; equal ones stay in the order that they have."""
    rank(r.thread, r.search.me, 0, 0, r.search.roots)
    for i in range(1, r.search.width):
        number = r.moves.order[i]
        at = i
        while at > 0 and r.thread.ranks[r.moves.order[at - 1]] < r.thread.ranks[number]:
            r.moves.order[at] = r.moves.order[at - 1]
            at = at - 1
        r.moves.order[at] = number


def has_proof(r: RootArrays) -> i64:
    """Whether a win is proven, or a draw, as all decisions are settled."""
    best = best_searched(r)
    if best < 0:
        return 0
    if is_win(r, best) == 1:
        return 1
    return all_proven(r) if r.moves.values[best] == 0.0 else 0
