"""What every kernel works on: a game's arrays as one record.

In: nothing.  Out: the types of the arrays, for kernels in files of their own; the texts of games
declare the same records, with names for the words of their own positions.
"""

from __future__ import annotations

from rulewright.codegen import plan
from rulewright.codegen.builtin import i64, ints


class State(ints):
    """A position; behind these words lie sets of sites for owners and kinds, links and states."""

    mover: i64 = plan.MOVER
    ply: i64 = plan.PLY
    rest: i64 = plan.REST
    fresh: i64 = plan.FRESH
    again: i64 = plan.AGAIN
    swapped: i64 = plan.SWAPPED
    result: i64 = plan.RESULT
    fault: i64 = plan.FAULT
    past: i64 = plan.PAST


class Scratch(ints):
    """Words that kernels hand to each other; room for whatever they work out lies behind."""

    may_end: i64 = plan.TURN_ENDS
    chance: i64 = plan.CHANCE
    origin: i64 = plan.ORIGIN
    rounded: i64 = plan.ROUNDED
    listed: i64 = plan.OFFERED
    ended: i64 = plan.ENDED
    dropped: i64 = plan.DROPPED


class Game:
    """A position with all that its kernels need.

    `tables` are constants, `rows` decisions, `past` earlier positions; `trial` is a copy on which
    a decision is tried before it counts.
    """

    state: State
    tables: ints
    rows: ints
    past: ints
    scratch: Scratch
    trial: State
