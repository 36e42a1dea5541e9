"""A value by its number where there is one; engines of several link kernels of these names."""

from __future__ import annotations

from rulewright.compiler.runtime import GameArrays, floats, i64, ints
from rulewright.search.kernels.game import judges, look, parts


def look_by(g: GameArrays, factors: floats, which: i64) -> None:
    """Work out what the values of all decisions of the position share."""
    look(g, factors)


def judged_by(g: GameArrays, which: i64, at: i64) -> i64:
    """Return whether the value judges the decision in the row at word `at`."""
    return judges(g.rows, at)


def parts_by(g: GameArrays, factors: floats, numbers: ints, which: i64, at: i64) -> None:
    """Write the parts of the value of that decision, or of the position."""
    parts(g, factors, numbers, at)
