"""The one place where benchmarks meet the search: its rate, and the nodes of a fixed search.

Whoever replaces the search changes these two functions and nothing else of the benchmarks.
"""

from __future__ import annotations

from rulewright.game import Game
from rulewright.search.engines import load_engine
from rulewright.search.plain import Limits, best

_MOST_NODES = 200_000


def rate(game: Game, seconds: float, seed: int) -> float:
    """Nodes a second of a search from the first position."""
    found = best(game.start(), Limits(seconds=seconds), seed)
    return found.nodes / max(found.seconds, 1e-9)


def nodes(game: Game, depth: int) -> int:
    """Nodes of a proof to a fixed depth, the same on every machine; 0 without kernels."""
    engine = load_engine(game)
    if isinstance(engine, str):
        return 0
    return engine.forced(game.play.first, 0, True, depth, _MOST_NODES)[1]
