"""The transposition table: what is known of positions that were searched before.

A bucket of G is two entries of two words.  The second word of an entry is the value as 64 bits.
The first is a check of 39 bits from the hash, then age (2 bits), depth (8), open (1), bound (2) and
the number of the best decision (12), all of it `xor` the second word: an entry that two threads
wrote at once matches nothing.
"""

from __future__ import annotations

from rulewright.codegen.runtime import f64, float_bits, i64, ints, real, shift_right, wrap_shl
from rulewright.search.kernels.layout import SURE

NONE = 4095  # no best decision, or one whose number is too big
EXACT = 3
LOWER = 1
UPPER = 2


def find(G: ints, key: i64, mask: i64) -> i64:
    """Where the entry of a position lies, -1 if there is none."""
    at = (key & mask) * 4
    check = shift_right(key, 23)
    if shift_right(G[at] ^ G[at + 1], 25) == check:
        return at
    if shift_right(G[at + 2] ^ G[at + 3], 25) == check:
        return at + 2
    return -1


def facts(G: ints, at: i64) -> i64:
    """The first word of an entry, in clear."""
    return G[at] ^ G[at + 1]


def facts_depth(word: i64) -> i64:
    """The depth it was searched to."""
    return word >> 15 & 255


def facts_open(word: i64) -> i64:
    """Whether its value depends on where looking stopped."""
    return word >> 14 & 1


def facts_bound(word: i64) -> i64:
    """EXACT, LOWER or UPPER."""
    return word >> 12 & 3


def facts_best(word: i64) -> i64:
    """The number of the best decision among those of the position, or NONE."""
    return word & 4095


def keep(
    G: ints, key: i64, mask: i64, depth: i64, age: i64, value: f64, bound: i64, open: i64,
    best: i64,
) -> None:  # fmt: skip
    """Write an entry: over its own older one, else over a shallower or aged one, else beside it."""
    at = (key & mask) * 4
    check = shift_right(key, 23)
    old = G[at] ^ G[at + 1]
    if shift_right(old, 25) != check:
        other = G[at + 2] ^ G[at + 3]
        if shift_right(other, 25) == check:
            at = at + 2
        elif facts_depth(old) > depth and old >> 23 & 3 == age:
            at = at + 2
    word = wrap_shl(check, 25) | age << 23 | depth << 15 | open << 14 | bound << 12 | best
    bits = float_bits(value)
    G[at] = word ^ bits
    G[at + 1] = bits


def lowered(value: f64, level: i64) -> f64:
    """A value seen from the root as one seen from *level*: distances count from there."""
    if value > real(SURE):
        return value + real(level)
    if value < -real(SURE):
        return value - real(level)
    return value


def lifted(value: f64, level: i64) -> f64:
    """The other way round."""
    if value > real(SURE):
        return value - real(level)
    if value < -real(SURE):
        return value + real(level)
    return value
