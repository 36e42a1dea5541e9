"""The one place where benchmarks meet the search: its rate, and the nodes of a fixed search.

Whoever replaces the search changes these two functions and nothing else of the benchmarks.
"""

from __future__ import annotations

from rulewright.engine.game import Game
from rulewright.search.best import best
from rulewright.search.engines import load_engine
from rulewright.search.results import Limits

LEAST_SECONDS = 0.1
"""A search shorter than this may be over before its first iteration is."""
_MOST_NODES = 200_000


def rate(game: Game, seconds: float, seed: int) -> float:
    """Nodes a second of alpha-beta from the first position."""
    load_engine(game)  # the code is compiled with all care before
    found = best(game.start(), Limits(seconds=max(seconds, LEAST_SECONDS)), seed, "alphabeta")
    return found.nodes / max(found.seconds, 1e-9)


def nodes(game: Game, depth: int) -> int:
    """Nodes of alpha-beta to a fixed depth, the same on every machine; 0 without kernels."""
    if isinstance(load_engine(game), str):
        return 0
    return best(game.start(), Limits(None, _MOST_NODES, depth), 1, "alphabeta").nodes
