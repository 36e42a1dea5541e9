"""What a search remembers: the transposition table, the history heuristic and killers.

A bucket of the table is two entries of two words.  The second word of an entry is the value as 64
bits.  The first is a check of 39 bits from the hash, then age (2 bits), depth (8), open (1), bound
(2) and the number of the best decision (12), all of it `xor` the second word: an entry that two
threads wrote at once matches nothing.

Behind the table stand hashes of the decisions that threads are searching.  One that another thread
is at is put off until the rest is tried: then the table will know it (Kerrigan 2017, after ABDADA,
Weill 1996).

The history holds a count for each person and mark (a hash of a decision's row), then two killers
for each level, then the tables by which positions are turned (`compiler.passes.symmetry`).

Positions that are alike but turned share an entry, that of the image with the smallest hash.
"""

from __future__ import annotations

from rulewright.compiler.runtime import (
    StateWords,
    bits_float,
    f64,
    float_bits,
    i64,
    ints,
    real,
    shift_right,
    wrap_mul,
    wrap_shl,
)
from rulewright.search.kernels.game import guided, look_guided, position_key, result_key
from rulewright.search.kernels.thread import (
    AT_LEAST,
    FRAME,
    FRAMES,
    HINT,
    IMAGE,
    KEY,
    ORDER,
    SAME_DEPTH,
    SURE,
    TRUSTED,
    WIN,
    Thread,
)

NONE = 4095  # no best decision, or one whose number is too big
EXACT = 3
LOWER = 1
UPPER = 2

AT_FIRST = 32768  # buckets of a table that are used at first: a megabyte
HISTORY_SIZE = 4096  # entries of the history of each person
KILLERS = 8192  # where the killers begin, two for each level
HISTORY = 8704  # length of the history; the tables by which positions are turned lie behind
NUMBERED = 512  # decisions that have a number beside the number of an image
IMAGES = 8  # images that have a number, the position itself among them
BLOCK = 4  # words of a block of these tables
PICKS = 12  # decisions that are picked by rank; the rest come in the game's order
FIRST = 4611686018427387904
KILLER = 2305843009213693952
LAST = -1152921504606846976
TRIED = -4611686018427387904
PUT_OFF = -4611686018427387903  # the rank of a decision that another thread is at
SEARCHED = 1024  # hashes of decisions that threads are at
SHARED = 2  # words behind them: the mask of those who use most, the mask of who is copying
IN_USE = 0
COPYING = 1
PART = 4  # a table grows when one of so many entries that it holds was written
ALONE = 3  # less deep than this a decision is never put off


def table_key(t: Thread, level: i64) -> i64:
    """The hash under which a position stands in the table; `image` tells how it was turned.

    Far from the root no position is turned: hardly any is met there that way.
    """
    key = hashed(t, t.game.state)
    t.control.image = 0
    if level > t.control.turned:
        return key
    for i in range(t.control.symmetries):
        turn_over(t, i)
        other = hashed(t, t.game.trial)
        if other < key:
            key = other
            t.control.image = i + 1
    return key


def hashed(t: Thread, state: StateWords) -> i64:
    """The hash of a position: where results alone count, of what they depend on."""
    key = result_key(state) if t.control.results == 1 else position_key(state)
    if t.control.counted == 1:
        return key ^ shift_right(wrap_mul(state.ply + 1, 5871781006564002453), 2)
    return key


def turn_over(t: Thread, number: i64) -> None:
    """Write the position, turned, where decisions are tried."""
    for i in range(t.control.size):
        t.game.trial[i] = t.game.state[i]
    block = HISTORY + t.history[HISTORY + 1 + 2 * number]
    end = block + BLOCK * t.history[HISTORY + 2 + 2 * number]
    while block < end:
        turn_block(t, block)
        block = block + BLOCK


def turn_block(t: Thread, block: i64) -> None:
    """Write one set of the position, turned, a byte after the other."""
    first = t.history[block]
    words = t.history[block + 1]
    at = HISTORY + t.history[block + 3]
    for i in range(words):
        t.game.trial[first + i] = 0
    for i in range(t.history[block + 2]):
        byte = (t.game.state[first + (i >> 3)] >> ((i & 7) << 3)) & 255
        if byte != 0:
            for j in range(words):
                image = t.history[at + byte * words + j]
                t.game.trial[first + j] = t.game.trial[first + j] | image
        at = at + 256 * words


def become_image(t: Thread, number: i64) -> None:
    """Replace the position by one of its images, which is worth as much."""
    turn_over(t, number)
    for i in range(t.control.size):
        t.game.state[i] = t.game.trial[i]


def numbered(t: Thread, number: i64, image: i64) -> i64:
    """What the table keeps of the number of a decision: it means another one in another image."""
    if t.control.symmetries > 0:
        return NONE if number >= NUMBERED or image >= IMAGES else image * NUMBERED + number
    return NONE if number > NONE else number


def hinted(t: Thread, word: i64, image: i64) -> i64:
    """The number of the decision that an entry says to try first, or NONE."""
    best = tt_best(word)
    if t.control.symmetries > 0 and best != NONE:
        return best % NUMBERED if best // NUMBERED == image else NONE
    return best


def tt_probe(table: ints, key: i64, mask: i64) -> i64:
    """Where the entry of a position lies, -1 if there is none."""
    at = (key & mask) * 4
    check = shift_right(key, 23)
    if shift_right(table[at] ^ table[at + 1], 25) == check:
        return at
    if shift_right(table[at + 2] ^ table[at + 3], 25) == check:
        return at + 2
    return -1


def tt_store(
    table: ints, key: i64, mask: i64, depth: i64, age: i64, value: f64, bound: i64, open: i64,
    best: i64,
) -> None:  # fmt: skip
    """Write an entry: over its own older one, else over a shallower or aged one, else beside it."""
    at = (key & mask) * 4
    check = shift_right(key, 23)
    old = table[at] ^ table[at + 1]
    if shift_right(old, 25) != check:
        other = table[at + 2] ^ table[at + 3]
        if shift_right(other, 25) == check:
            at = at + 2
        elif tt_depth(old) > depth and old >> 23 & 3 == age:
            at = at + 2
    word = wrap_shl(check, 25) | age << 23 | depth << 15 | open << 14 | bound << 12 | best
    bits = float_bits(value)
    table[at] = word ^ bits
    table[at + 1] = bits


def make_room(t: Thread) -> None:
    """Use twice as much of the table when a quarter of the part in use was written.

    What is known then stands in both halves, as one more bit of a hash chooses between them.  So a
    short search stays in the cache, however big the table may become.  Threads that share a table
    count what each of them writes, and take it for their share.  A proof by one alone gains few
    nodes by room, and loses time outside the cache: it waits until the part was written whole.
    """
    if t.control.others > 0 and another_made_room(t) == 1:
        return
    t.control.new_entries += 1
    words = (t.control.mask + 1) * 4
    part = PART * (t.control.others + 1)
    if t.control.results == 1 and t.control.others == 0:
        part = 1
    if t.control.new_entries * 2 * part >= words and may_double(t) == 1:
        for i in range(words):
            t.table[words + i] = t.table[i]
        t.control.mask = t.control.mask * 2 + 1
        t.control.new_entries = 0
        if t.control.others > 0:
            t.table[place_shared(t) + IN_USE] = t.control.mask


def place_shared(t: Thread) -> i64:
    """Where threads that share a table tell each other how much of it they use: at its very end."""
    return (t.control.widest + 1) * 4 + SEARCHED


def another_made_room(t: Thread) -> i64:
    """Whether another thread uses more of the table by now, which this one then does too."""
    mask = t.table[place_shared(t) + IN_USE]
    if mask <= t.control.mask:
        return 0
    t.control.mask = mask
    t.control.new_entries = 0
    return 1


def may_double(t: Thread) -> i64:
    """Whether no other thread is copying the table already.  Two at once would do no harm.

    What others write meanwhile is copied or not: an entry that is copied half matches nothing.
    """
    if t.control.others == 0:
        return 1
    at = place_shared(t) + COPYING
    if t.table[at] > t.control.mask:
        return 0
    t.table[at] = t.control.mask * 2 + 1
    return 1


def tt_word(table: ints, at: i64) -> i64:
    """The first word of an entry, in clear."""
    return table[at] ^ table[at + 1]


def tt_depth(word: i64) -> i64:
    """The depth it was searched to."""
    return word >> 15 & 255


def tt_open(word: i64) -> i64:
    """Whether its value depends on where looking stopped."""
    return word >> 14 & 1


def tt_bound(word: i64) -> i64:
    """EXACT, LOWER or UPPER."""
    return word >> 12 & 3


def tt_best(word: i64) -> i64:
    """The number of the best decision among those of the position, or NONE."""
    return word & 4095


def from_level(value: f64, level: i64) -> f64:
    """A value seen from the root as one seen from *level*: distances count from there."""
    if value > real(SURE):
        return value + real(level)
    if value < -real(SURE):
        return value - real(level)
    return value


def from_root(value: f64, level: i64) -> f64:
    """Return a value seen from *level* as one seen from the root."""
    return from_level(value, -level)


def mark(t: Thread, number: i64) -> i64:
    """A hash of a decision, without what it leaves of the turn."""
    at = number * t.control.row
    h = t.game.rows[at]
    for i in range(at + 2, at + t.control.row):
        h = wrap_mul(h ^ t.game.rows[i], 5871781006564002453)
        h = h ^ shift_right(h, 29)
    return h


def by_worth(v: f64) -> i64:
    """A rank for the worth of a decision, before killers if it is good, behind all if it is bad."""
    if v > 0.0:
        return KILLER + 2 + shift_right(float_bits(v), 3)
    if v < 0.0:
        return LAST - shift_right(float_bits(-v), 3)
    return 0


def rank(t: Thread, me: i64, level: i64, top: i64, n: i64) -> None:
    """Give every row its rank."""
    if t.control.order == 1:
        look_guided(t.game, t.factors, ORDER)
    killer = t.history[KILLERS + 2 * level]
    second_killer = t.history[KILLERS + 2 * level + 1]
    for i in range(top, n):
        m = mark(t, i)
        t.ranks[i] = t.history[me * HISTORY_SIZE + (m & 4095)]
        if m == killer:
            t.ranks[i] = KILLER + 1
        elif m == second_killer:
            t.ranks[i] = KILLER
        if t.control.order == 1:
            v = guided(t.game, t.factors, ORDER, i * t.control.row)
            if v != 0.0:
                t.ranks[i] = by_worth(v if t.game.state.swapped == me else -v)


def pick(ranks: ints, top: i64, n: i64, k: i64, last: i64) -> i64:
    """The k-th row to try, after *last*: the best by rank, later on the next one in order."""
    best = top
    if k >= PICKS:
        if k > PICKS:
            best = last + 1
        while best < n and ranks[best] <= PUT_OFF:
            best = best + 1
        if best >= n:
            best = top
            while ranks[best] == TRIED:
                best = best + 1
    else:
        for i in range(top + 1, n):
            if ranks[i] > ranks[best]:
                best = i
    return best


def searched(t: Thread, level: i64, number: i64) -> i64:
    """A hash of a decision in the position of a level, for threads that search together."""
    h = wrap_mul(t.control[FRAMES + level * FRAME + KEY] + number, 5871781006564002453)
    return h ^ shift_right(h, 29)


def place_searched(t: Thread, h: i64) -> i64:
    """Where such a hash stands behind the table."""
    return (t.control.widest + 1) * 4 + (h & (SEARCHED - 1))


def another_is_at(t: Thread, level: i64, number: i64) -> i64:
    """Whether another thread searches a decision."""
    h = searched(t, level, number)
    return 1 if t.table[place_searched(t, h)] == h else 0


def being_at(t: Thread, level: i64, number: i64, now: i64) -> None:
    """Tell other threads that this one searches a decision, or that it does no longer."""
    h = searched(t, level, number)
    at = place_searched(t, h)
    if now == 1:
        t.table[at] = h
    elif t.table[at] == h:
        t.table[at] = 0


def reward(t: Thread, me: i64, level: i64, number: i64, top: i64, n: i64) -> None:
    """Let a decision that cut off be tried earlier from now on, and those tried in vain later."""
    m = mark(t, number)
    at = KILLERS + 2 * level
    if t.history[at] != m:
        t.history[at + 1] = t.history[at]
        t.history[at] = m
    tried = 0
    for i in range(top, n):
        if t.ranks[i] == TRIED and i != number:
            h = me * HISTORY_SIZE + (mark(t, i) & 4095)
            t.history[h] = t.history[h] - 1
            tried = tried + 1
    h = me * HISTORY_SIZE + (m & 4095)
    t.history[h] = t.history[h] + tried


# --- what a search asks of the table ---


def fits(word: i64, mode: i64, depth: i64) -> i64:
    """Whether an entry of the table was searched as deep as it has to be."""
    deep = tt_depth(word)
    if (mode == AT_LEAST or mode == TRUSTED) and (deep >= depth or tt_open(word) == 0):
        return 1
    if mode == SAME_DEPTH and (deep == depth or (deep < depth and tt_open(word) == 0)):
        return 1
    return 0


def remembered(t: Thread, depth: i64, beta: f64, level: i64, me: i64) -> f64:
    """A value of at least *beta* for a person, if the table knows one; else less than that."""
    low = -2.0 * real(WIN)
    at = tt_probe(t.table, table_key(t, level), t.control.mask)
    if at < 0:
        return low
    word = tt_word(t.table, at)
    v = from_root(bits_float(t.table[at + 1]), level)
    wrong = UPPER
    if t.game.state.mover ^ t.game.state.swapped != me:
        v = -v
        wrong = LOWER
    if v < beta or tt_bound(word) == wrong or fits(word, t.control.table, depth) == 0:
        return low
    t.control.open = tt_open(word)
    return v


def useful(word: i64, mode: i64, depth: i64, v: f64, alpha: f64, beta: f64) -> i64:
    """Whether an entry of the table settles a search of *depth* with this window."""
    if fits(word, mode, depth) == 0:
        return 0
    bound = tt_bound(word)
    if mode == TRUSTED and v > real(SURE):
        return 1 if bound != UPPER and beta <= real(SURE) / 2.0 else 0
    if mode == TRUSTED and v < -real(SURE):
        return 1 if bound != LOWER and alpha >= -real(SURE) / 2.0 else 0
    if bound == EXACT or (bound == LOWER and v >= beta) or (bound == UPPER and v <= alpha):
        return 1
    return 0


def remember(
    t: Thread, key: i64, depth: i64, alpha: f64, beta: f64, level: i64, best: f64, number: i64
) -> None:
    """Store the value, bound and best decision of a position in the transposition table."""
    bound = EXACT
    if best >= beta:
        bound = LOWER
    elif best <= alpha:
        bound = UPPER
    image = numbered(t, number, t.control[FRAMES + level * FRAME + IMAGE])
    v = from_level(best, level)
    tt_store(t.table, key, t.control.mask, depth, t.control.age, v, bound, t.control.open, image)
    if t.control.mask < t.control.widest:
        make_room(t)


def looked_up(t: Thread, key: i64, depth: i64, alpha: f64, beta: f64, level: i64) -> i64:
    """Whether the table knows the value of a position, which is handed back in `value`.

    Else its best decision is noted, where it knows one.
    """
    t.control[FRAMES + level * FRAME + HINT] = NONE
    if t.control.table == 0:
        return 0
    entry = tt_probe(t.table, key, t.control.mask)
    if entry < 0:
        return 0
    word = tt_word(t.table, entry)
    v = from_root(bits_float(t.table[entry + 1]), level)
    t.control[FRAMES + level * FRAME + HINT] = hinted(t, word, t.control.image)
    if useful(word, t.control.table, depth, v, alpha, beta) == 0:
        return 0
    t.control.open = tt_open(word)
    if t.control.table == TRUSTED:  # it was found behind another line
        t.control.open = 1
        v = uncertain(v)
    t.control.value = float_bits(v)
    return 1


def uncertain(v: f64) -> f64:
    """A value that is neither a win nor a loss for sure."""
    most = real(SURE) / 2.0
    return most if v > most else -most if v < -most else v
