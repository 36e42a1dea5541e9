"""Solve small positions: `python -m tests.independent.solver GAME [key=value ...]`.

Every position is looked at once; nothing is cut but what comes behind a win.  It shares no code
with the package, and knows nothing but what a position of `protocol.py` offers.
"""

import argparse
import importlib
import time

from .protocol import Position

WIN, DRAW, LOSS = 1, 0, -1


def solve(position: Position, known: dict[Position, int] | None = None) -> int:
    """The value for the player who is to move: 1, 0 or -1."""
    known = {} if known is None else known
    if position not in known:
        known[position] = _best(position, known)
    return known[position]


def _best(position: Position, known: dict[Position, int]) -> int:
    mover = mover_of(position)
    following = [position.play(text) for text in position.decisions()]
    ends = [result(p, mover) for p in following if p.over()]
    best = max(ends, default=LOSS)
    for later in following:
        if best == WIN:
            break
        if not later.over():
            value = solve(later, known)
            best = max(best, value if mover_of(later) == mover else -value)
    return best


def mover_of(position: Position) -> int:
    """Who is to move: 0 or 1."""
    mover: int = position.mover  # type: ignore[attr-defined]
    return mover


def result(position: Position, player: int) -> int:
    """The value of a finished game for a player."""
    winner = position.winner()
    return DRAW if winner == "draw" else WIN if winner == ("first", "second")[player] else LOSS


def main() -> None:
    """Print the value of the first position, the positions looked at, and the seconds."""
    parser = argparse.ArgumentParser(description="Solve a small position by plain search.")
    parser.add_argument("game")
    parser.add_argument("options", nargs="*", metavar="key=value")
    arguments = parser.parse_args()
    options = dict(pair.split("=") for pair in arguments.options)
    begun, known = time.perf_counter(), dict[Position, int]()
    game = importlib.import_module(f"tests.independent.{arguments.game}")
    value = solve(game.start(**{key: int(n) for key, n in options.items()}), known)
    seconds = time.perf_counter() - begun
    print(
        {WIN: "win", DRAW: "draw", LOSS: "loss"}[value], f"{len(known):,} positions {seconds:.1f} s"
    )


if __name__ == "__main__":
    main()
