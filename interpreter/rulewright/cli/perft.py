"""`rulewright perft`."""

from __future__ import annotations

import time
from argparse import Namespace

from rulewright.cli.common import load_state, print_json
from rulewright.game import State


def run(arguments: Namespace) -> int:
    """Count the sequences of so many decisions or turns."""
    state = load_state(arguments)
    depth, unit, begun = arguments.depth, arguments.unit, time.perf_counter()
    divided = _divide(state, depth, unit) if arguments.divide and depth > 0 else None
    if divided is None:
        leaves, nodes = state.count(depth, unit)
    else:
        leaves, nodes = (sum(n) for n in zip((0, 0), *divided.values(), strict=True))
    seconds = time.perf_counter() - begun
    if arguments.format == "json":
        data = {
            "game": state.game.name,
            "options": dict(state.game.options),
            "depth": depth,
            "unit": unit,
            "leaves": leaves,
            "nodes": nodes,
            "seconds": round(seconds, 6),
            "backend": arguments.backend,
        }
        print_json(
            data
            | ({"divide": {m: n[0] for m, n in divided.items()}} if divided is not None else {})
        )
        return 0
    for move, (count, _) in (divided or {}).items():
        print(f"{move}: {count}")
    print(leaves)
    return 0


def _divide(state: State, depth: int, unit: str) -> dict[str, tuple[int, int]]:
    """Leaves and nodes below each first decision (with turns: each first whole turn)."""
    if unit == "turn":
        ways = [(state.turn_text(way), len(way), after) for way, after in state.whole_turns()]
    else:
        ways = [(move, 1, state.play_decision(move)) for move in state.moves()]
    found = {}
    for text, played, after in ways:
        leaves, nodes = after.count(depth - 1, unit)
        found[text] = (leaves, nodes + played)
    return found
