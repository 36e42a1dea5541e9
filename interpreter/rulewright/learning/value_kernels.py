"""A kernel that values the position of a lane."""

from __future__ import annotations

from rulewright.compiler.runtime import GameArrays, floats
from rulewright.search.kernels.game import value


def value_lane(g: GameArrays, factors: floats, values: floats) -> None:
    """Write the value of a position."""
    values[0] = value(g, factors)
