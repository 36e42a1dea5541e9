"""What stands where a player's values and openings could, in an engine without: it is not asked."""

from __future__ import annotations

from rulewright.codegen.runtime import GameArrays, f64, floats, i64, ints


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


def draw(g: GameArrays, chance: ints, n: i64) -> i64:
    """No decision is drawn."""
    return -1


def attempt(g: GameArrays, at: i64, n: i64) -> i64:
    """No decision is played."""
    return 0


def answer(g: GameArrays, factors: floats, last: ints, chance: ints, line: i64, n: i64) -> i64:
    """No line of replies says anything."""
    return -1


def site_chosen(g: GameArrays, at: i64) -> i64:
    """No decision is looked at for its site."""
    return -1


def opens(g: GameArrays, factors: floats, last: ints, line: i64) -> i64:
    """No line speaks."""
    return 0


def wanted_by(g: GameArrays, factors: floats, last: ints, line: i64, number: i64, site: i64) -> i64:
    """No site is wanted."""
    return 0
