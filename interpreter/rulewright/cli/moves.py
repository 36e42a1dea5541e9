"""`rulewright moves`."""

from __future__ import annotations

from argparse import Namespace

from rulewright.cli.common import load_state, print_json


def run(arguments: Namespace) -> int:
    """List the legal decisions, whose turn it is, and the result."""
    state = load_state(arguments)
    result = state.result
    if arguments.format == "json":
        shown = (
            None
            if result is None
            else {"winner": result.winner, "rule": result.rule, "place": result.place}
        )
        print_json(
            {"mover": state.mover, "moves": state.moves.texts, "result": shown, "over": state.over}
        )
        return 0
    if result is not None:
        print(result)
        return 0
    print(f"{state.mover} to move, {len(state.moves)} decisions:")
    print(" ".join(state.moves.texts))
    return 0
