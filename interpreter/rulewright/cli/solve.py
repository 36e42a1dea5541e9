"""`rulewright solve`: 0 when the value is proven, 1 when a limit came first."""

from __future__ import annotations

import sys
from argparse import Namespace

from rulewright.cli.common import load_state, print_json
from rulewright.search.results import MEBIBYTE, Limits, Solved
from rulewright.search.solve import Solver, solve


def run(arguments: Namespace) -> int:
    """Print the value of a position, with proof."""
    state = load_state(arguments)
    limits = Limits(arguments.time, arguments.nodes, None, arguments.memory * MEBIBYTE)
    begun: list[Solver] = []
    try:
        solved = solve(
            state, limits, shortest=arguments.shortest, method=arguments.method, keep=begun.append
        )
    except KeyboardInterrupt:
        for solver in begun:
            print(_so_far(solver.found()), file=sys.stderr)
        raise
    if arguments.format == "json":
        print_json({
            "game": state.game.name,
            "options": dict(state.game.options),
            "value": solved.value,
            "side": solved.side,
            "least": solved.least,
            "most": solved.most,
            "move": solved.move,
            "distance": solved.distance,
            "pv": list(solved.pv),
            "nodes": solved.nodes,
            "depth": solved.depth,
            "seconds": round(solved.seconds, 6),
        })  # fmt: skip
    elif solved.value is None:
        print(_so_far(solved))
    else:
        print(_sentence(solved))
    return int(solved.value is None)


def _sentence(solved: Solved) -> str:
    """`a win for cross in 7 decisions: b3 a3 c3`."""
    how = "a draw" if solved.value == "draw" else f"a {solved.value} for {solved.side}"
    if solved.distance is not None:
        how += f" in {solved.distance} decision{'s' * (solved.distance > 1)}"
    return f"{how}: {' '.join(solved.pv)}" if solved.pv else how


def _so_far(solved: Solved) -> str:
    """What is proven of a position that is not solved."""
    if solved.least == solved.most:
        return f"already proven: {_sentence(solved)}"
    between = f"at least a {solved.least}, at most a {solved.most} for {solved.side}"
    return f"not solved: {between} ({solved.nodes:,} nodes, depth {solved.depth})"
