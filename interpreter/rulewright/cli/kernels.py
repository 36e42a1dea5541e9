"""`rulewright kernels`."""

from __future__ import annotations

import sys
from argparse import Namespace

from rulewright.cli.common import load_game
from rulewright.codegen.emit import emit
from rulewright.codegen.engine import text_of
from rulewright.codegen.plan import NoPlan


def run(arguments: Namespace) -> int:
    """Print the kernels of a game, or the plan behind them."""
    game = load_game(arguments)
    try:
        emitted = emit(game.play)
    except NoPlan as reason:
        print(f"{game.name} is played by the reference: {reason}", file=sys.stderr)
        return 1
    if arguments.plan:
        print("\n".join(emitted.plan.reasons(emitted.row)))
    else:
        print(text_of(emitted), end="")
    return 0
