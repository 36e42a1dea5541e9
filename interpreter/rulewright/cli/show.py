"""What there is: `games` lists them, `show` draws a position, `moves` lists its decisions."""

from __future__ import annotations

import shutil
import sys
from argparse import Namespace

from rulewright.cli import arguments as a
from rulewright.cli.common import load_state, print_json, shown_option, write_text
from rulewright.disk import read_text
from rulewright.files.games import bundled, load
from rulewright.files.kinds import summary


def games(arguments: Namespace) -> int:
    """List the bundled games, one line each."""
    texts = {name: summary(read_text(path)) for name, path in bundled().items()}
    found = [(name, about, dict(load(name).options)) for name, about in texts.items()]
    if arguments.format == "json":
        games = [{"name": n, "about": about, "options": o} for n, about, o in found]
        print_json({"games": games})
        return 0
    for name, about, options in found:
        shown = " ".join(f"{option}={shown_option(value)}" for option, value in options.items())
        print(f"{name:<13}{about}" + (f"  [{shown}]" if shown else ""))
    return 0


def show(arguments: Namespace) -> int:
    """Print the position with the last turn and what won, or write it as SVG."""
    state = load_state(arguments)
    if arguments.svg is not None:
        write_text(arguments.svg, state.svg())
        return 0
    from rulewright.render.board_text import board_lines, plain  # not needed for the other commands

    board = plain(board_lines(state.scene, _width()))
    print(board + state.text().removeprefix(state.board()), end="")
    if state.result:
        print(f"# {state.result}")
    return 0


def _width() -> int | None:
    """What fits at a terminal; a file or a pipe gets the whole board."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def moves(arguments: Namespace) -> int:
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


COMMANDS: dict[str, a.Command] = {
    "games": (games, [a.FORM]),
    "show": (show, [
        *a.GAME, *a.position(),
        a.value("--svg", "FILE", "write the board as SVG; - writes it to the output"),
    ]),
    "moves": (moves, [*a.GAME, *a.position(), a.FORM]),
}  # fmt: skip
