"""`rulewright best`."""

from __future__ import annotations

from argparse import Namespace

from rulewright.cli.common import load_state, print_json
from rulewright.search.best import best, best_turn
from rulewright.search.results import MEBIBYTE, Limits


def run(arguments: Namespace) -> int:
    """Print the computer's decision, or its whole turn."""
    state = load_state(arguments)
    unlimited = arguments.depth is not None or arguments.nodes is not None
    seconds = arguments.time or (None if unlimited else 1.0)
    limits = Limits(
        seconds, arguments.nodes, arguments.depth, arguments.memory * MEBIBYTE,
        arguments.threads, arguments.unit == "turn",
    )  # fmt: skip
    more = (limits, arguments.seed, arguments.algorithm)
    if arguments.turn:
        decisions, found = best_turn(state, *more, roots=arguments.roots)
        move, line = state.turn_text(decisions), decisions
    else:
        found = best(state, *more, roots=arguments.roots)
        move, line = found.move, list(found.pv)
    if arguments.format == "text":
        sure = f", a proven {found.proven}" if found.proven else ""
        print(f"{move} ({found.value:+.2f} for {found.side}{sure})")
        return 0
    print_json({
        "move": move,
        "value": found.value,
        "side": found.side,
        "proven": found.proven,
        "distance": found.distance,
        "pv": line,
        "nodes": found.nodes,
        "depth": found.depth,
        "seconds": round(found.seconds, 6),
        "root": [{"move": m, "value": v} for m, v in found.root],
    })  # fmt: skip
    return 0
