"""What stands where a player's values and openings could, in an engine without: it is not asked."""

from __future__ import annotations

from rulewright.compiler.runtime import GameArrays, f64, floats, i64, ints


def judges(rows: ints, at: i64) -> i64:
    """No decision is judged."""
    return 0


def look(g: GameArrays, factors: floats) -> None:
    """Nothing is worked out."""


def worth(g: GameArrays, factors: floats, at: i64) -> f64:
    """No decision is worth anything."""
    return 0.0


def look_by(g: GameArrays, factors: floats, which: i64) -> None:
    """Nothing is worked out."""


def judged_by(g: GameArrays, which: i64, at: i64) -> i64:
    """No decision is judged."""
    return 0


def parts_by(g: GameArrays, factors: floats, parts: ints, which: i64, at: i64) -> None:
    """A value has no parts."""


def opens(g: GameArrays, factors: floats, last: ints, line: i64) -> i64:
    """No line speaks."""
    return 0


def wanted_by(g: GameArrays, factors: floats, last: ints, line: i64, number: i64, site: i64) -> i64:
    """No site is wanted."""
    return 0
