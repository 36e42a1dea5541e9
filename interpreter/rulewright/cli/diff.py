"""`rulewright diff`."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from rulewright.checks.compare import Comparison, Difference, Looked
from rulewright.cli.common import print_json, settings
from rulewright.files.games import load_with


def run(arguments: Namespace) -> int:
    """Show the first position in which two games differ; 1 when there is one."""
    options: dict[str, Any] = {**settings(arguments.set)}
    games = load_with(arguments.first, options), load_with(arguments.second, options)
    looked = Comparison(*games, arguments.seed, arguments.effort).run()
    found = looked.difference
    if arguments.format == "json":
        data = found.as_data() if found else None
        much = {"positions": looked.positions, "depth": looked.depth, "games": looked.games}
        print_json(
            {"first": arguments.first, "second": arguments.second, "difference": data} | much
        )
    elif found is None:
        print(_same(looked))
    else:
        _print(found, arguments)
    return int(found is not None)


def _same(looked: Looked) -> str:
    parts = [f"{looked.positions:,} positions"]
    parts += [f"perft to depth {looked.depth}"] if looked.depth else []
    parts += [f"{looked.games:,} random games"] if looked.games else []
    return f"no difference found: {', '.join(parts)}"


def _print(found: Difference, arguments: Namespace) -> None:
    moves = " ".join(found.moves) or "(the first position)"
    print(f"they differ after {len(found.moves)} decisions: {moves}")
    print("\n".join(f"    {row}" for row in found.board.splitlines()))
    for name, only, how in (
        (arguments.first, found.only_first, found.first),
        (arguments.second, found.only_second, found.second),
    ):
        told = how or ("the game goes on" if found.first or found.second else "")
        if only:
            told = f"only here: {' '.join(only[:20])}" + (" ..." if len(only) > 20 else "")
        if told:
            print(f"  {name}: {told}")
