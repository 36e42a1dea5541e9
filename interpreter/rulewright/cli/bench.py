"""`rulewright bench`: how fast games are, or the signature of the engine."""

from __future__ import annotations

import sys
from argparse import Namespace

from rulewright.bench import run as runs
from rulewright.bench.programs import compiler, folder, systems
from rulewright.bench.rates import Effort, signature
from rulewright.cli import arguments as a
from rulewright.cli.common import print_json, settings


def bench(arguments: Namespace) -> int:
    """Measure games, or print the engine's signature."""
    if arguments.signature:
        return _signature(arguments)
    only = arguments.playouts or arguments.scaling
    effort = Effort(arguments.seconds, arguments.rounds, arguments.seed, only)
    if arguments.scaling:
        wanted = runs.scaling_tasks()
    else:
        wanted = runs.tasks(arguments.games, settings(arguments.set))
    _say_what_is_missing(only)
    rows = list(runs.rows(wanted, effort, _say))
    if arguments.format == "json":
        print_json(runs.as_data(rows))
    else:
        print(runs.table(rows))
    return 0


def _say(line: str) -> None:
    print(line, file=sys.stderr)


def _say_what_is_missing(only_playouts: bool) -> None:
    if folder() is None:
        _say("the C programs are in a checkout (benchmarks/), not in an installed package")
    elif compiler() is None:
        _say("there is no C compiler: nothing is compared with C")
    if not only_playouts:
        for name, there in systems().items():
            if not there:
                _say(f"{name} is not installed: nothing is compared with it")


def _signature(arguments: Namespace) -> int:
    found = list(signature())
    total = sum(counted + searched for _, counted, searched in found)
    if arguments.format == "json":
        games = [{"game": n, "perft_nodes": c, "search_nodes": s} for n, c, s in found]
        print_json({"signature": total, "games": games})
        return 0
    for name, counted, searched in found:
        print(f"{name:<13}{counted:>8}{searched:>8}")
    print(total)
    return 0


def _arguments(p: a.Parser) -> None:
    p.add_argument(
        "games", metavar="GAME", nargs="*", help="bundled names or paths; unsaid: all bundled games"
    )
    a.settings(p)
    p.add_argument(
        "--seconds", type=a.positive, default=0.3, metavar="S",
        help="of a measurement (default 0.3)",
    )  # fmt: skip
    p.add_argument("--rounds", type=a.whole, default=5, metavar="N", help="how often (default 5)")
    a.seed(p, 1)
    p.add_argument("--playouts", action="store_true", help="measure random games only")
    p.add_argument("--scaling", action="store_true", help="random games on growing boards")
    p.add_argument(
        "--signature", action="store_true", help="count a fixed set of tasks, measure nothing"
    )
    a.form(p)


COMMANDS: dict[str, a.Command] = {"bench": (_arguments, bench)}
