"""What a game's kernels give to an engine to take away: linked by name, never run from here."""

from __future__ import annotations

from rulewright.codegen.runtime import i64, ints
from rulewright.search.kernels.thread import Game


def perft(g: Game, saved: ints, counts: ints, depth: i64, level: i64, top: i64) -> i64:
    """Sequences of so many decisions; rows from `top` on are free."""
    raise NotImplementedError


def playouts(g: Game, saved: ints, chance: ints, counts: ints, games: i64, most: i64) -> i64:
    """Random games from the position, each at most so many decisions; how many in all."""
    raise NotImplementedError
