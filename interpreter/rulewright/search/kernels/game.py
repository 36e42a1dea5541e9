"""What a game's kernels give to the search: linked by name, never run from here.

S is a position, K the constants, M the buffer of decisions, H earlier positions, X and T scratch.
"""

from __future__ import annotations

from rulewright.codegen.runtime import f64, floats, i64, ints


def decisions(S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, n: i64) -> i64:
    """Write the decisions of the position from row n on; the row behind the last one."""
    raise NotImplementedError


def how_many(S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, n: i64) -> i64:
    """How many decisions the position has; rows from n on are free."""
    raise NotImplementedError


def play(S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, at: i64, top: i64) -> None:
    """Play the decision in the row at word `at`; rows from `top` on are free."""
    raise NotImplementedError


def stuck(S: ints, K: ints, M: ints, H: ints, X: ints, T: ints) -> i64:
    """The result for a player without a decision; RUNNING when no rule says one."""
    raise NotImplementedError


def position_key(S: ints) -> i64:
    """A hash of 62 bits, of all that determines the future but the earlier positions."""
    raise NotImplementedError


def playout(S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, R: ints, most: i64) -> i64:
    """Play at random to the end, at most so many decisions; how many were played."""
    raise NotImplementedError


def value(S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, F: floats) -> f64:
    """What an evaluator says with the factors F: bigger is better for the first colour."""
    raise NotImplementedError


def judges(M: ints, at: i64) -> i64:
    """Whether an evaluator's value of moves judges the decision in the row at word `at`."""
    raise NotImplementedError


def look(S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, F: floats) -> None:
    """Work out what the values of all decisions of the position share."""
    raise NotImplementedError


def worth(S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, F: floats, at: i64) -> f64:
    """What that decision is worth: bigger is better for the first colour."""
    raise NotImplementedError


def narrow(S: ints, K: ints, M: ints, H: ints, X: ints, T: ints, top: i64, n: i64) -> i64:
    """Keep those decisions in the rows from top to n that are worth a look; the new end."""
    raise NotImplementedError
