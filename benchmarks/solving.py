"""What can be solved from the start, and in how much processor time.

    python benchmarks/solving.py                          # the list, 60 s each
    python benchmarks/solving.py hex --seconds 20         # the lines of one game
    python benchmarks/solving.py --othello 50             # random positions of 6x6 with 20 empty

In: nothing.  Out: a row of a table for each position as soon as it is done: its value, or what is
known of it, nodes and processor time, that of all threads together (`--threads`, 1); `--memory` is
that of the table, in MiB.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from random import Random

from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import load_with
from rulewright.players.machine import proving
from rulewright.players.personality import Personality
from rulewright.search.results import MEBIBYTE, Limits, Solved
from rulewright.search.solve import solve

LIST: tuple[tuple[str, dict[str, int], str, str], ...] = (
    ("hex", {"size": 5}, "", "auto"),
    ("hex", {"size": 6}, "", "auto"),
    ("hex", {"size": 7}, "", "auto"),
    ("spanit", {"size": 4}, "", "auto"),
    ("spanit", {"size": 5}, "", "auto"),
    ("tictactoe", {"width": 5, "height": 5, "run": 4}, "solver", "auto"),
    ("tictactoe", {"width": 6, "height": 5, "run": 4}, "solver", "auto"),
    ("breakthrough", {"width": 5, "height": 5}, "solver", "auto"),
    ("othello", {"size": 4}, "", "auto"),
    ("dots", {"width": 4, "height": 3}, "solver", "auto"),
    ("twixt", {"size": 5, "pie": False}, "solver", "alphabeta"),
    ("twixt", {"size": 6, "pie": False}, "solver", "proof"),
    ("twixt", {"size": 7, "pie": False}, "solver", "proof"),
    ("twixt", {"size": 8, "pie": False}, "solver", "proof"),
)
EMPTY = 20


def solved(state: State, who: str, method: str, told: argparse.Namespace) -> tuple[Solved, float]:
    """A position solved, or tried for so many seconds of the processor."""
    limits = Limits(None, memory=told.memory * MEBIBYTE, threads=told.threads)
    leading = proving(Personality.load(who, state.game).model) if who else None
    begun = time.process_time()
    proof = solve(
        state, limits, leading=leading, method=method,
        cancelled=lambda: time.process_time() - begun > told.seconds,
    )  # fmt: skip
    return proof, time.process_time() - begun


def cells(proof: Solved, seconds: float) -> str:
    """The cells of what is known, and of what it took."""
    value = proof.value or f"not proven: {proof.least} to {proof.most}"
    return f"{value} | {proof.nodes:,} | {seconds:.1f}"


def positions(game: Game, count: int, seed: int) -> list[State]:
    """Positions of random games with so many empty places, that are not over."""
    random, states = Random(seed), list[State]()
    while len(states) < count:
        state = game.start()
        while not state.over and state.board().count(".") > EMPTY:
            state = state.play_decision(random.choice(state.moves.texts))
        if not state.over:
            states.append(state)
    return states


def othello(count: int, arguments: argparse.Namespace) -> None:
    """Random positions, each for a minute at most."""
    game = load_with("othello", {"size": 6})
    spent, known, nodes = list[float](), 0, 0
    for state in positions(game, count, 1):
        proof, seconds = solved(state, "", "auto", arguments)
        spent.append(seconds)
        known += proof.value is not None
        nodes += proof.nodes
    print(
        f"othello 6x6, {EMPTY} empty: {known} of {count}, {nodes:,} nodes, "
        f"median {statistics.median(spent):.2f} s, longest {max(spent):.2f} s"
    )


def main() -> int:
    """Solve what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--memory", type=int, default=512)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--othello", type=int, default=0)
    arguments = parser.parse_args()
    if arguments.othello:
        othello(arguments.othello, arguments)
        return 0
    print("| position | led by | method | value | nodes | seconds of processor time |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, options, who, method in LIST:
        if not arguments.games or name in arguments.games:
            start = load_with(name, dict(options)).start()
            outcome = solved(start, who, method, arguments)
            sizes = " ".join(f"{key}={value}" for key, value in options.items())
            led = f"`{who}`" if who else ""
            print(f"| {name} {sizes} | {led} | {method} | {cells(*outcome)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
