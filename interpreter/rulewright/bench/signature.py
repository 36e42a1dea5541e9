"""The engine's signature: decisions counted and nodes searched in a fixed set of tasks.

It changes only when the engine behaves differently: a change of speed leaves it alone, a change of
rules, of the order of decisions or of the search does not.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.bench import searching
from rulewright.bench.rates import engine_of
from rulewright.engine.game import Game
from rulewright.files.games import bundled, load

_MOST_NODES = 20_000
_DEPTH = 3


def parts() -> Iterator[tuple[str, int, int]]:
    """For each bundled game its name, the decisions of a perft and the nodes of a search."""
    for name in bundled():
        game = load(name)
        yield name, _counted(game), searching.nodes(game, _DEPTH)


def _counted(game: Game) -> int:
    """Decisions of the deepest perft that counts no more than so many."""
    engine, nodes = engine_of(game), 0
    for depth in range(1, 20):
        _, found = engine.count(game.play.first, depth)
        if found == nodes or found > _MOST_NODES:
            break
        nodes = found
    return nodes
