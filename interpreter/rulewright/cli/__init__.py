"""The command line: a thin skin over the library.

Exit status: 0 fine, 1 findings, 2 wrong usage or a file that cannot be read, 130 interrupted.  Data
goes to standard output, everything else to standard error; a user's mistake never ends in a
traceback.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from importlib import import_module

from rulewright.cli.arguments import parser
from rulewright.errors import Fault, RulewrightError


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    arguments = _arguments(argv)
    command = import_module(f"rulewright.cli.{arguments.module}")
    try:
        status: int = command.run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # the reader has gone: leave quietly, and let the interpreter flush into nothing
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except RulewrightError as error:
        print(f"rulewright: {error}" if not _located(error) else error, file=sys.stderr)
        return 1 if _located(error) else 2
    return status


def _arguments(argv: Sequence[str] | None) -> Namespace:
    """The words of the command line; `red=human` may also stand behind options."""
    top = parser()
    arguments, more = top.parse_known_args(argv)
    players = [word for word in more if "=" in word and not word.startswith("-")]
    if len(players) < len(more) or (players and not hasattr(arguments, "players")):
        top.error(f"unrecognized arguments: {' '.join(more)}")
    if players:
        arguments.players += players
    return arguments


def _located(error: RulewrightError) -> bool:
    """Whether *error* is about what a file says, so that its message begins with a place."""
    return hasattr(error, "diagnostics") or isinstance(error, Fault)
