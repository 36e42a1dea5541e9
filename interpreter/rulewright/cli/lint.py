"""`rulewright lint`."""

from __future__ import annotations

from argparse import Namespace

from rulewright.cli.common import load_game, print_json, thinking
from rulewright.players.lint import lint
from rulewright.players.personality import Personality


def run(arguments: Namespace) -> int:
    """Say which factors never change a decision; 1 when there are some."""
    game = load_game(arguments)
    personality = Personality.load(arguments.personality, game)
    with thinking(f"{personality.name} decides in {arguments.positions} positions"):
        found = lint(personality, arguments.positions, arguments.seed)
    idle = [one.factor for one in found if not one.changed]
    if arguments.format == "json":
        factors = [{"name": one.factor, "changed": one.changed} for one in found]
        data = {"personality": personality.name, "positions": arguments.positions}
        print_json({**data, "factors": factors, "idle": idle})
        return 1 if idle else 0
    width = max((len(one.factor) for one in found), default=0)
    for one in found:
        told = f"changed {one.changed} of {one.positions} decisions"
        print(f"{one.factor:<{width}}  {told if one.changed else 'never changed a decision'}")
    return 1 if idle else 0
