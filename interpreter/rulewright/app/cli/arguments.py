"""Arguments of commands: a command is a function and a list of arguments that add themselves.

In: names, types and help texts.  Out: arguments for a parser of argparse.  Those that several
commands take have a name here.  Helps and errors are in the language that people are spoken to in.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from rulewright.ground.translation import translate


def _counted(singular: str, plural: str, number: int) -> str:
    return translate(singular if number == 1 else plural)


# argparse looks up its own sentences by these two names of gettext, which asks for the system's
# language.  Texts that no catalogue has, such as those of other programs, stay as they are.
vars(argparse).update(_=translate, ngettext=_counted)


class HelpFormatter(argparse.HelpFormatter):
    """Formats helps in the language that people are spoken to in."""

    def _get_help_string(self, action: argparse.Action) -> str | None:
        return translate(action.help) if action.help else action.help


class CommandParser(argparse.ArgumentParser):
    """A parser of a command whose helps and errors are translated."""

    def __init__(self, **settings: Any) -> None:
        """Make a parser with the settings of argparse, but for the formatter of helps."""
        super().__init__(formatter_class=HelpFormatter, **settings)


Argument: TypeAlias = Callable[[CommandParser], object]
"""Adds itself to a parser."""
Command: TypeAlias = tuple[Callable[[argparse.Namespace], int], list[Argument]]
"""The function of a command, which returns the exit status, and its arguments."""


def value(name: str, metavar: str | tuple[str, ...], about: str, **more: Any) -> Argument:
    """A positional argument, or an option with a value; *more* is passed on to argparse."""
    return lambda p: p.add_argument(name, metavar=metavar, help=about, **more)


def game_number(about: str) -> Argument:
    """The option that chooses a recorded game by its number; `--game` is its older name."""
    names, about = ("--number", "--game"), f"{about}, from 0"
    return lambda p: p.add_argument(*names, dest="number", metavar="N", help=about, type=from_zero)


def flag(name: str, about: str) -> Argument:
    """An option without a value."""
    return lambda p: p.add_argument(name, action="store_true", help=about)


def choice(name: str, choices: Sequence[str], default: str | None, about: str = "") -> Argument:
    """An option that is one of a few words."""
    return lambda p: p.add_argument(name, choices=choices, default=default, help=about or None)


def tools(commands: Mapping[str, tuple[str, Command]]) -> Argument:
    """Subcommands by name, each with its help text; the chosen function is stored as `tool`."""

    def add(p: CommandParser) -> None:
        below = p.add_subparsers(metavar="WHAT", required=True)
        for name, (about, (run, arguments)) in commands.items():
            tool = below.add_parser(name, help=about, description=sentence(about))
            for argument in arguments:
                argument(tool)
            tool.set_defaults(tool=run)

    return add


def sentence(about: str) -> str:
    """The description of a command: its help text, translated, as a sentence."""
    text = translate(about)
    return f"{text[0].upper()}{text[1:]}."


# --- types ---


class NumberType:
    """A type of numbers for argparse, which puts its translated name into messages."""

    def __init__(
        self, name: str, make: Callable[[str], float], fits: Callable[[Any], bool]
    ) -> None:
        """A name in English, a function that reads a number, and what a number must fulfil."""
        self._name, self._make, self._fits = name, make, fits

    def __call__(self, text: str) -> float:
        """Read a number; raises ValueError."""
        number = self._make(text)
        if not self._fits(number):
            raise ValueError(text)
        return number

    def __getattr__(self, name: str) -> str:
        """The name of the type, which argparse asks for as it asks a function."""
        if name != "__name__":
            raise AttributeError(name)
        return translate(self._name)


positive = NumberType("number above 0", float, lambda number: 0 < number < float("inf"))
share = NumberType("share between 0 and 1", float, lambda number: 0 < number < 1)
whole = NumberType("whole number from 1", int, lambda number: number >= 1)
from_zero = NumberType("whole number from 0", int, lambda number: number >= 0)


# --- arguments of several commands ---

SETTINGS = value(
    "--set", "OPTION=VALUE", "set an option of the rules; may be repeated",
    action="append", default=[],
)  # fmt: skip
GAME = [value("game", "GAME", "a bundled name or a path to a .rules file"), SETTINGS]
RECORD = value("file", "FILE", "a record of matches, .db or .jsonl")
FORM = choice("--format", ("text", "json"), "text", "how data is printed")
FORCE = flag("--force", "replace a file that is there")
EFFORT = value(
    "--effort", "X", "how many times the usual effort (default 1)", type=positive, default=1.0
)
LOAD = value("--load", "FILE", "the end of a recorded game (SGF, PGN, FEN, ...); - reads it")


def position(several: bool = False) -> list[Argument]:
    """The position of a command, or *several* boards, with an answer for each."""
    board = "a board as a list of rows, ((- X O) ...), X to move; - reads it"
    if several:
        board += "; several files: an answer for each"
    return [
        lambda p: p.add_argument(
            "--moves", default="", help="the moves played so far, separated by blanks"
        ),
        value("--position", "FILE", "a position as `show` prints it, or in FEN; - reads it"),
        value("--board", "FILE", board, nargs="+" if several else None),
        LOAD,
        value(
            "--number", "N", "the number of the game in the file of --load, from 0", type=from_zero
        ),
    ]


def seed(default: int = 0) -> Argument:
    """The seed of everything random."""
    about = f"the seed of everything random (default {default})"
    return lambda p: p.add_argument("--seed", type=int, default=default, help=about)


def nodes(about: str) -> Argument:
    """The number of decisions that a search may play."""
    return value("--nodes", "N", about, type=whole)


def depth(about: str) -> Argument:
    """The number of plies that a search may look ahead."""
    return value("--depth", "N", about, type=whole)


def memory(about: str = "memory for tables and trees (default 64)") -> Argument:
    """The memory of a search, in MiB."""
    return value("--memory", "MIB", about, type=whole, default=64)


def threads() -> Argument:
    """The number of threads of a search."""
    return value(
        "--threads", "N", "threads that search together (default 1)", type=whole, default=1
    )


def each_time(about: str, default: float | None = None) -> Argument:
    """Seconds for a part of the work of a command."""
    return value("--time", "S", about, type=positive, default=default)


def whole_time(then: str = "then it prints what it has") -> Argument:
    """Seconds for the whole command, loading and compiling included."""

    def add(p: CommandParser) -> None:
        each_time(f"seconds for the whole command; {then}")(p)
        p.set_defaults(whole=True)

    return add
