"""Connect Four beside bitbully, a solver for this game alone: `pip install bitbully`.

    python benchmarks/connect4.py                  # 100 positions of 12 discs: processor times
    python benchmarks/connect4.py --keep 1         # whether a second of thinking keeps their value

In: nothing.  Out: a line for the positions, with processor times and how many values differ: ours
is a win, a draw or a loss, bitbully's also says when, so it does more; its book is off.  Exit
status 1 if any differ.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from random import Random
from typing import TypeAlias

from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import load
from rulewright.players.machine import proving
from rulewright.players.personality import Personality
from rulewright.search.results import MEBIBYTE, Limits
from rulewright.search.solve import solve

NAMES = {-1: "loss", 0: "draw", 1: "win"}
DISCS = 12
Played: TypeAlias = Sequence[str]


def positions(game: Game, count: int, seed: int) -> Iterator[tuple[State, Played]]:
    """Positions of random games after so many discs, that are not over."""
    random = Random(seed)
    while count > 0:
        state, played = game.start(), list[str]()
        while not state.over and len(played) < DISCS:
            played.append(random.choice(state.moves.texts))
            state = state.play_decision(played[-1])
        if not state.over:
            count -= 1
            yield state, played


class Judge:
    """bitbully without its book."""

    def __init__(self) -> None:
        self.module = import_module("bitbully")
        self.solver = self.module.BitBully(opening_book=None)

    def value(self, played: Played) -> str:
        """The value for who is at move."""
        board = self.module.Board([int(text) - 1 for text in played])
        self.solver.reset_transposition_table()
        score = self.solver.mtdf(board)
        return NAMES[(score > 0) - (score < 0)]


def compare(states: list[tuple[State, Played]], judge: Judge, who: Personality) -> int:
    """Print how long both take for all positions; how many values differ."""
    leading, limits = proving(who.model), Limits(None, memory=64 * MEBIBYTE)
    solve(states[0][0], Limits(None, 100), leading=leading)  # compiled
    different, times = 0, (list[float](), list[float]())
    for state, played in states:
        begun = time.process_time()
        ours = solve(state, limits, leading=leading)
        between = time.process_time()
        theirs = judge.value(played)
        times[0].append(between - begun)
        times[1].append(time.process_time() - between)
        different += ours.value != theirs
    mine, other = map(sum, times)
    middle = [statistics.median(t) for t in times]
    print(f"| {len(states)} positions of {DISCS} discs | seconds of processor time | median |")
    print("| --- | --- | --- |")
    print(
        f"| `solver` | {mine:.1f} | {middle[0]:.3f} |\n| bitbully | {other:.1f} | {middle[1]:.3f} |"
    )
    print(f"| times as long; values that differ | {mine / other:.1f} | {different} |")
    return different


def kept(states: list[tuple[State, Played]], judge: Judge, who: Personality, seconds: float) -> int:
    """Print in how many positions a decision keeps the value; how many lose it."""
    lost = 0
    for state, played in states:
        move = who.choose(state, seconds=seconds)
        after, best = state.play_decision(move), judge.value(played)
        if after.over:
            now = "win" if after.result is not None and after.result.winner else "draw"
        else:
            now = {"win": "loss", "loss": "win"}.get(found := judge.value([*played, move]), found)
        lost += best != now
    print(f"the value kept in {len(states) - lost} of {len(states)} positions, {seconds:g} s each")
    return lost


def main() -> int:
    """Compare, or play."""
    parser = argparse.ArgumentParser(description="Connect Four beside bitbully.")
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=float, help="seconds for each decision")
    told = parser.parse_args()
    game = load("connect4")
    who = Personality.load("solver", game)
    states = list(positions(game, told.positions, told.seed))
    if told.keep:
        return int(kept(states, Judge(), who, told.keep) > 0)
    return int(compare(states, Judge(), who) > 0)


if __name__ == "__main__":
    sys.exit(main())
