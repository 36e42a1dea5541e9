"""`perft` counts the sequences of moves from a position, `kernels` shows the code of a game."""

from __future__ import annotations

import time
from argparse import Namespace
from collections.abc import Callable

from rulewright.app.cli import arguments as a
from rulewright.app.cli.common import answer, load_game, load_state, say
from rulewright.compiler.engine import Engine, emitted_of
from rulewright.compiler.layout import Unsupported
from rulewright.compiler.plan import plan_lines
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import State
from rulewright.games.engine.kernels import load_engine


def perft(arguments: Namespace) -> int:
    """Print perft at a depth, in decisions or turns."""
    state = load_state(arguments)
    depth, unit, start = arguments.depth, arguments.unit, time.perf_counter()
    backend, counter = _counter(arguments, state)
    divided = _divide(state, depth, unit, counter) if arguments.divide and depth > 0 else None
    if divided is None:
        leaves, nodes = counter(state, depth)
    else:
        leaves, nodes = (sum(n) for n in zip((0, 0), *divided.values(), strict=True))
    seconds = time.perf_counter() - start
    counts = {move: number[0] for move, number in (divided or {}).items()}
    data = {
        "game": state.game.name, "options": dict(state.game.options), "depth": depth,
        "unit": unit, "leaves": leaves, "nodes": nodes, "seconds": round(seconds, 6),
        "backend": backend, **({} if divided is None else {"divide": counts}),
    }  # fmt: skip
    answer(arguments, data, [*(f"{move}: {count}" for move, count in counts.items()), leaves])
    return 0


Counter = Callable[[State, int], tuple[int, int]]
"""Counts leaves and nodes from a state to a depth, in decisions or turns."""


def _counter(arguments: Namespace, state: State) -> tuple[str, Counter]:
    """The name and the counter of a backend: the one asked for, else the fastest that works."""
    backend, unit = arguments.backend, arguments.unit
    engine = load_engine(state.game, backend, not arguments.no_cache, quick=True)
    if isinstance(engine, str):
        if backend not in (None, "reference"):
            raise RulewrightError(engine)
        return "reference", lambda s, depth: s.count(depth, unit)
    return engine.backend, lambda s, depth: _counted(engine, s, depth, unit)


def _counted(engine: Engine, state: State, depth: int, unit: str) -> tuple[int, int]:
    if state.over:
        return int(depth == 0), 0
    with state.game.located():
        return engine.count(state.situation.position, depth, unit)


def _divide(state: State, depth: int, unit: str, counter: Counter) -> dict[str, tuple[int, int]]:
    """Count leaves and nodes below each first decision, or each first turn."""
    if unit == "turn":
        ways = [(state.turn_text(way), len(way), after) for way, after in state.whole_turns()]
    else:
        ways = [(move, 1, state.play_decision(move)) for move in state.moves.texts]
    counts = {}
    for text, length, after in ways:
        leaves, nodes = counter(after, depth - 1)
        counts[text] = (leaves, nodes + length)
    return counts


def kernels(arguments: Namespace) -> int:
    """Print the kernels of a game, or the layout behind them."""
    game = load_game(arguments)
    try:
        emitted = emitted_of(game.play)
    except Unsupported as reason:
        where = f" ({reason.where})" * bool(reason.where)
        say(f"{game.name} is played by the reference: {reason}{where}")
        return 1
    if arguments.plan:
        print("\n".join(plan_lines(emitted.layout)))
    else:
        print(emitted.linked.text, end="")
    return 0


COMMANDS: dict[str, a.Command] = {
    "perft": (perft, [
        *a.GAME, *a.position(),
        a.value("--depth", "N", "decisions or turns", type=a.from_zero, required=True),
        a.choice("--unit", ("decision", "turn"), "decision", "the unit of --depth"),
        a.flag("--divide", "print a count for each first decision"),
        a.choice(
            "--backend", ("reference", "python", "native", "wasm"), None,
            "the execution that counts (default: machine code where it can)",
        ),
        a.flag("--no-cache", "compile anew, keep nothing"),
        a.FORM,
    ]),
    "kernels": (kernels, [
        *a.GAME, a.flag("--plan", "how positions lie in memory, and why"),
    ]),
}  # fmt: skip
