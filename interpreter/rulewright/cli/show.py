"""`rulewright show`."""

from __future__ import annotations

import shutil
import sys
from argparse import Namespace

from rulewright.cli.common import load_state, write_text
from rulewright.render.board_text import board_lines, plain


def run(arguments: Namespace) -> int:
    """Print the position with the last turn and what won, or write it as SVG."""
    state = load_state(arguments)
    if arguments.svg is not None:
        write_text(arguments.svg, state.svg())
        return 0
    board = plain(board_lines(state.scene, _width()))
    print(board + state.text().removeprefix(state.board()), end="")
    if state.result:
        print(f"# {state.result}")
    return 0


def _width() -> int | None:
    """What fits at a terminal; a file or a pipe gets the whole board."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None
