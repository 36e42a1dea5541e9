"""What other kernels give to an engine to take away: linked by name, never run from here."""

from __future__ import annotations

from rulewright.codegen.runtime import GameArrays, floats, i64, ints


def perft(g: GameArrays, saved: ints, counts: ints, depth: i64, level: i64, top: i64) -> i64:
    """Sequences of so many decisions; rows from `top` on are free."""
    raise NotImplementedError


def playouts(g: GameArrays, saved: ints, chance: ints, counts: ints, games: i64, most: i64) -> i64:
    """Random games from the position, each at most so many decisions; how many in all."""
    raise NotImplementedError


def look_by(g: GameArrays, factors: floats, which: i64) -> None:
    """Work out what decisions share, for one of the player's values of moves."""
    raise NotImplementedError


def judged_by(g: GameArrays, which: i64, at: i64) -> i64:
    """Whether that value judges the decision in the row at word `at`."""
    raise NotImplementedError


def parts_by(g: GameArrays, factors: floats, parts: ints, which: i64, at: i64) -> None:
    """Write all parts of one of the player's values."""
    raise NotImplementedError


def opens(g: GameArrays, factors: floats, last: ints, line: i64) -> i64:
    """Whether the condition of a line of the opening holds."""
    raise NotImplementedError


def wanted_by(g: GameArrays, factors: floats, last: ints, line: i64, number: i64, site: i64) -> i64:
    """Whether one of the sets of a line holds a site."""
    raise NotImplementedError
