"""How strong one player is against another: paired games from random openings, with an interval.

`python benchmarks/strength.py twixt t1 flat --games 100 --time 0.2 --set pie=false`

Players are personalities (names or paths), `flat` (flat Monte Carlo: random games shared out evenly
among all decisions) or `random`.  Every opening of a few random decisions is played twice, with
colours exchanged.  A game stands for a result only of its pair, so the interval (95 %, normal, over
pairs) counts pairs.  `--record FILE` keeps every game as a line of moves, for `patterns cover`.
"""

from __future__ import annotations

import argparse
import sys
import time
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

from rulewright.games.engine.game import Game, State
from rulewright.games.engine.kernels import load_engine
from rulewright.games.files.games import load_with
from rulewright.players.personality import Personality

BATCH = 4
"""Random games of one decision between two looks at the clock."""


class Flat:
    """Flat Monte Carlo: the decision whose random games are won most often."""

    def __init__(self, game: Game) -> None:
        engine = load_engine(game, "native")
        assert not isinstance(engine, str)
        self.engine = engine

    def choose(self, state: State, random: Random, seconds: float) -> str:
        """The best decision found in so many seconds; each has the same number of games."""
        me = state.situation.position.mover ^ state.situation.position.swapped
        after = {move: state.play_decision(move) for move in state.moves.texts}
        score = dict.fromkeys(after, 0.0)
        start = time.perf_counter()  # the reference's list of decisions is not counted
        while time.perf_counter() - start < seconds:
            for move, then in after.items():
                if then.situation.ended is not None:  # `over` would list the decisions as well
                    won = then.result is not None and then.result.winner == state.mover
                    score[move] += BATCH if won else 0
                    continue
                position = then.situation.position
                seed = random.getrandbits(30)
                _, counts = self.engine.playouts(position, BATCH, seed)
                score[move] += counts[me]
        return max(score, key=lambda move: score[move])


class Anything:
    """Random decisions."""

    def choose(self, state: State, random: Random, seconds: float) -> str:
        """Any decision."""
        del seconds
        return random.choice(state.moves.texts)


def player(name: str, game: Game) -> Personality | Flat | Anything:
    """A player by its name."""
    if name == "flat":
        return Flat(game)
    return Anything() if name == "random" else Personality.load(name, game)


def opening(game: Game, length: int, random: Random) -> State:
    """A state after so many random decisions."""
    while True:
        state = game.start()
        for _ in range(length):
            if not state.over:
                state = state.play_decision(random.choice(state.moves.texts))
        if not state.over:
            return state


def play(state: State, players: tuple[Any, Any], random: Random, seconds: float) -> State:
    """A game to its end; the first of *players* is the person with the first colour."""
    while not state.over:
        position = state.situation.position
        who = players[position.mover ^ position.swapped]
        state = state.play_decision(who.choose(state, random, seconds))
    return state


def points(state: State, first: int) -> float:
    """1, 0.5 or 0 for the person who had colour *first* at the beginning."""
    result = state.result
    if result is None or result.winner is None:
        return 0.5
    winner = state.game.players.index(result.winner) ^ state.swapped
    return 1.0 if winner == first else 0.0


def main() -> None:
    """Play the match and print its result."""
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("game")
    p.add_argument("one")
    p.add_argument("other")
    p.add_argument("--games", type=int, default=20)
    p.add_argument("--time", type=float, default=0.2, help="seconds a decision")
    p.add_argument("--opening", type=int, default=2, help="random decisions before the players")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE")
    p.add_argument("--record", type=Path, help="write each game as a line of moves")
    a = p.parse_args()
    game = load_with(a.game, dict(pair.split("=", 1) for pair in a.set))
    one, other = player(a.one, game), player(a.other, game)
    random, pairs, lines = Random(a.seed), [], []
    for number in range((a.games + 1) // 2):
        start, total = opening(game, a.opening, random), 0.0
        for first in (0, 1):
            seats = (one, other) if first == 0 else (other, one)
            end = play(start, seats, random, a.time)
            total += points(end, first)
            lines.append(" ".join(end.decisions()))
        pairs.append(total / 2)
        mean = sum(pairs) / len(pairs)
        print(f"pair {number + 1}: {total:g}; so far {mean:.3f}", file=sys.stderr, flush=True)
        if a.record is not None:
            a.record.write_text("\n".join(lines) + "\n", "utf-8")
    mean = sum(pairs) / len(pairs)
    spread = sqrt(sum((x - mean) ** 2 for x in pairs) / max(1, len(pairs) - 1) / len(pairs))
    low, high = max(0.0, mean - 1.96 * spread), min(1.0, mean + 1.96 * spread)
    share = f"{mean:.3f} (95 %: {low:.3f} to {high:.3f})"
    print(f"{a.one} against {a.other}: {share} of the points in {2 * len(pairs)} games")


if __name__ == "__main__":
    main()
