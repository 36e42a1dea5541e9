"""The rules of iterative deepening at a root: windows, scouts, what a value tells of a decision.

The loop over the decisions of a root is a kernel too (`look_on` of `deepening.py`): players here
and engines to take away share it, so they search the same nodes.
"""

from __future__ import annotations

from rulewright.compiler.runtime import f64, i64, real
from rulewright.search.kernels.leaves import above
from rulewright.search.kernels.thread import SURE, WIN

HAS_VALUE = 1  # marks of a decision: it has a value; this is no mere bound; it is proven
EXACT = 2
PROVEN = 4
NARROW_FROM = 2  # behind this depth a value is looked for near the last one
FITS = 0
TOO_LOW = 1
TOO_HIGH = 2
PROOF_NODES = 200000  # of the proof by which a player begins, where nothing limits its search
SHARES = 10000  # the share of nodes that a proof may take is told in so many parts
ROUGH_UNTIL = 6  # the depth after which a proof goes on to the end of a board that fills


def above_all() -> f64:
    """Beyond every value."""
    return 2.0 * real(WIN)


def half_window(last: f64, depth: i64) -> f64:
    """Return the half width of the aspiration window around the last value; 0: the whole range."""
    size = -last if last < 0.0 else last
    if depth <= NARROW_FROM or size >= real(SURE):
        return 0.0
    width = size / 16.0
    if width < 0.000001:
        width = 0.000001
    return width


def rough_depth(depth: i64, fills: i64, last: i64) -> i64:
    """The next depth of a proof: half as deep again, or soon all the way to the *last* one."""
    if depth >= ROUGH_UNTIL and fills == 1:
        return last
    deeper = depth * 3 // 2
    if deeper < depth + 2:
        deeper = depth + 2
    return deeper if deeper < last else last


def is_scouted(first: i64, full: i64, least: f64) -> i64:
    """Whether a decision is asked first if it is better at all: not the first, nor if all count."""
    return 1 if first == 0 and full == 0 and least > -above_all() else 0


def scout_edge(least: f64, high: f64) -> f64:
    """The upper end of the window of a scout."""
    next_one = above(least)
    return next_one if next_one < high else high


def is_wanted(v: f64, least: f64, edge: f64, high: f64) -> i64:
    """Whether the whole window is searched for what a scout has found."""
    return 1 if v > least and edge < high else 0


def marks_of(v: f64, least: f64, counts: i64, open: i64) -> i64:
    """Return the mark of a value; *counts*: a low one is kept, being the first or one of all."""
    marks = HAS_VALUE
    if v > least or counts == 1:
        marks = marks | EXACT
    if open == 0:
        marks = marks | PROVEN
    return marks


def fit(v: f64, low: f64, high: f64, least: f64, most: f64) -> i64:
    """Whether the best value lies in the window, or which end moves to *least* or *most*."""
    if v <= low and low > least:
        return TOO_LOW
    if v >= high and high < most:
        return TOO_HIGH
    return FITS


def goes_before(v: f64, marks: i64, other: f64, others: i64) -> i64:
    """Whether a decision stands before another: the better one; of equals the exact one."""
    if v != other:
        return 1 if v > other else 0
    return 1 if marks & EXACT > others & EXACT else 0


def sure(v: f64, marks: i64) -> i64:
    """1 for a proven win, -1 for a proven loss, else 0."""
    if marks & PROVEN == 0:
        return 0
    if v > real(SURE):
        return 1 if marks & EXACT != 0 else 0
    return -1 if v < -real(SURE) else 0
