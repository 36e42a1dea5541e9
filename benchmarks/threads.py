"""What a second thread gives: nodes that each thread plays to the same depth.

    python benchmarks/threads.py                              # three players, 20 positions each
    python benchmarks/threads.py chess club 9 --positions 6

In: nothing, or a game, a personality and a depth.  Out: a line for each player: the median of the
nodes of one thread over those of the busier one of two, the same for all nodes, for processor time
(that of one thread over half of that of two), and for the time that passed, which says something
where two cores have nothing else to do.  Each player searches once before it is measured, so that
no time is that of compiling.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from importlib import import_module
from random import Random

from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import load
from rulewright.matches.protocols.contestant import Contestant
from rulewright.players.personality import Personality
from rulewright.search.decide import Decider
from rulewright.search.thread_arrays import ThreadArrays

PLAYERS = (("chess", "club", 12), ("breakthrough", "raider", 8), ("othello", "gardener", 11))
PLIES = 8
_SEEN: list[list[ThreadArrays]] = []


def positions(game: Game, count: int) -> list[State]:
    """Positions of random games, that are not over."""
    random, found = Random(5), list[State]()
    while len(found) < count:
        state = game.start()
        while not state.over and state.ply < PLIES:
            state = state.play_decision(random.choice(state.moves.texts))
        if not state.over:
            found.append(state)
    return found


def warmed(game: Game, who: str) -> Personality:
    """A player whose kernels are compiled."""
    personality = Contestant.parse(who).alone(game)
    personality.choose(game.start())
    return personality


def searched(state: State, personality: Personality) -> tuple[list[int], float, float]:
    """The nodes of each thread, the seconds of the processor, and those that passed."""
    _SEEN.clear()
    begun, worked = time.perf_counter(), time.process_time()
    personality.choose(state)
    nodes = [worker.nodes for worker in _SEEN[-1]]
    return nodes, time.process_time() - worked, time.perf_counter() - begun


def compare(name: str, who: str, depth: int, count: int) -> None:
    """Print what two threads give a player."""
    game, ratios = load(name), list[tuple[float, ...]]()
    single, double = (warmed(game, f"{who}@depth={depth}{more}") for more in ("", ",threads=2"))
    for state in positions(game, count):
        one, worked, alone = searched(state, single)
        two, both, together = searched(state, double)
        nodes = one[0] / max(two), sum(two) / one[0]
        ratios.append((*nodes, 2 * worked / both, alone / together))
    busier, whole, work, passed = (statistics.median(c) for c in zip(*ratios, strict=True))
    print(
        f"{name} {who} depth {depth}, {count} positions: one over the busier of two {busier:.2f}, "
        f"all nodes of two over one {whole:.2f}, processor time {work:.2f}, time {passed:.2f}",
        flush=True,
    )


class _Watched(Decider):
    """A search whose arrays are kept."""

    def use(self, workers: list[ThreadArrays]) -> list[ThreadArrays]:
        _SEEN.append(workers)
        return super().use(workers)


def main() -> int:
    """Compare those that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("player", nargs="*", help="a game, a personality and a depth")
    parser.add_argument("--positions", type=int, default=20)
    told = parser.parse_args()
    setattr(import_module("rulewright.search.best"), "Decider", _Watched)  # noqa: B010
    name, who, depth = told.player or ("", "", "0")
    for player in [(name, who, int(depth))] if name else PLAYERS:
        compare(*player, told.positions)
    return 0


if __name__ == "__main__":
    sys.exit(main())
