"""`rulewright bench`: measures the speed of games, or prints the signature of the engine."""

from __future__ import annotations

from argparse import Namespace

from rulewright.app.cli import arguments as a
from rulewright.app.cli.common import answer, say, settings
from rulewright.checks.bench import run as runs
from rulewright.checks.bench.programs import compiler, folder, systems
from rulewright.checks.bench.rates import Effort, signature
from rulewright.games.files.games import bundled_games

_ROUNDS = 5
_SOON = 9.0
"""Seconds for the user's own rules, whose author waits for the answer."""


def bench(arguments: Namespace) -> int:
    """Measure games, or print the engine's signature."""
    if arguments.signature:
        return _signature(arguments)
    only = arguments.playouts or arguments.scaling
    own = bool(arguments.games) and not set(arguments.games) & {*bundled_games()}
    within = _SOON if own and arguments.rounds is None else None
    effort = Effort(arguments.seconds, arguments.rounds or _ROUNDS, arguments.seed, only, within)
    if arguments.scaling:
        tasks = runs.scaling_tasks()
    else:
        tasks = runs.tasks(arguments.games, settings(arguments.set))
    if not own:
        _say_what_is_missing(only)
    rows = list(runs.rows(tasks, effort, say))
    answer(arguments, runs.as_data(rows), [runs.table(rows)])
    return 0


def _say_what_is_missing(only_playouts: bool) -> None:
    if folder() is None:
        say("the C programs are in a checkout (benchmarks/), not in an installed package")
    elif compiler() is None:
        say("there is no C compiler: nothing is compared with C")
    if not only_playouts:
        for name, is_installed in systems().items():
            if not is_installed:
                say(f"{name} is not installed: nothing is compared with it")


def _signature(arguments: Namespace) -> int:
    rows = list(signature())
    total = sum(counted + searched for _, counted, searched in rows)
    games = [{"game": n, "perft_nodes": c, "search_nodes": s} for n, c, s in rows]
    width = max(len(name) for name, *_ in rows) + 1
    lines = [f"{name:<{width}}{counted:>8}{searched:>8}" for name, counted, searched in rows]
    answer(arguments, {"signature": total, "games": games}, [*lines, total])
    return 0


COMMANDS: dict[str, a.Command] = {
    "bench": (bench, [
        a.value("games", "GAME", "bundled names or paths (default: all bundled games)", nargs="*"),
        a.SETTINGS,
        a.value(
            "--seconds", "S", "seconds of a measurement (default 0.3)", type=a.positive, default=0.3
        ),
        a.value(
            "--rounds", "N",
            "rounds (default 5; rules of your own: as many as ten seconds allow)", type=a.whole,
        ),
        a.seed(1),
        a.flag("--playouts", "measure random games only"),
        a.flag("--scaling", "random games on growing boards"),
        a.flag("--signature", "count a fixed set of tasks, measure nothing"),
        a.FORM,
    ]),
}  # fmt: skip
