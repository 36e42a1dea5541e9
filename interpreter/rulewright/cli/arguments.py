"""What commands take: a command is a function and a list of arguments, which add themselves.

In: words, types and texts.  Out: arguments for a parser.  Those that several commands take have a
name here.  Nothing else of the package is loaded for them.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

Parser: TypeAlias = argparse.ArgumentParser
Argument: TypeAlias = Callable[[Parser], object]
"""Adds itself to a parser."""
Command: TypeAlias = tuple[Callable[[argparse.Namespace], int], list[Argument]]
"""What runs a command and gives the exit status, and its arguments."""


def value(name: str, metavar: str | tuple[str, ...], told: str, **more: Any) -> Argument:
    """A word at its place, or of an option; *more* is what argparse takes."""
    return lambda p: p.add_argument(name, metavar=metavar, help=told, **more)


def flag(name: str, told: str) -> Argument:
    """An option without a value."""
    return lambda p: p.add_argument(name, action="store_true", help=told)


def choice(name: str, choices: Sequence[str], default: str | None, told: str = "") -> Argument:
    """An option that is one of a few words."""
    return lambda p: p.add_argument(name, choices=choices, default=default, help=told or None)


def tools(known: Mapping[str, tuple[str, Command]]) -> Argument:
    """Commands below a command, by name, each with what it does; the one asked for is `tool`."""

    def add(p: Parser) -> None:
        below = p.add_subparsers(metavar="WHAT", required=True)
        for name, (told, (run, arguments)) in known.items():
            tool = below.add_parser(name, help=told, description=f"{told[0].upper()}{told[1:]}.")
            for argument in arguments:
                argument(tool)
            tool.set_defaults(tool=run)

    return add


# --- types: what argparse says of a word that is none is their name ---


def _number(name: str, make: Callable[[str], Any], fits: Callable[[Any], bool]) -> Any:
    def number(text: str) -> Any:
        found = make(text)
        if not fits(found):
            raise ValueError(text)
        return found

    number.__name__ = name
    return number


positive = _number("number above 0", float, lambda number: 0 < number < float("inf"))
whole = _number("whole number from 1", int, lambda number: number >= 1)
from_zero = _number("whole number from 0", int, lambda number: number >= 0)


# --- what several commands take ---

SETTINGS = value(
    "--set", "OPTION=VALUE", "set an option of the rules; may be repeated",
    action="append", default=[],
)  # fmt: skip
GAME = [value("game", "GAME", "a bundled name or a path to a .rules file"), SETTINGS]
RECORD = value("file", "FILE", "a record of matches, .db or .jsonl")
FORM = choice("--format", ("text", "json"), "text", "how data is printed")
FORCE = flag("--force", "replace a file that is there")
EFFORT = value("--effort", "X", "so many times as much (default 1)", type=positive, default=1.0)
LOAD = value("--load", "FILE", "the end of a recorded game (SGF, T1j's, saved, of a match)")


def position(several: bool = False) -> list[Argument]:
    """The position that a command starts from, or *several* boards that it answers for."""
    board = "a board as a list of rows, ((- X O) ...), X to move; - reads it"
    if several:
        board += "; several files: an answer for each"
    return [
        lambda p: p.add_argument(
            "--moves", default="", help="the moves played so far, separated by blanks"
        ),
        value("--position", "FILE", "a position as `show` prints it; - reads it from the input"),
        value("--board", "FILE", board, nargs="+" if several else None),
        LOAD,
    ]


def seed(default: int = 0) -> Argument:
    """What all chance comes from."""
    told = f"of everything random (default {default})"
    return lambda p: p.add_argument("--seed", type=int, default=default, help=told)


def nodes(told: str) -> Argument:
    """How many decisions a search may play."""
    return value("--nodes", "N", told, type=whole)


def depth(told: str) -> Argument:
    """How many decisions a search may look ahead."""
    return value("--depth", "N", told, type=whole)


def memory(told: str = "for tables and trees (default 64)") -> Argument:
    """How much memory a search takes."""
    return value("--memory", "MIB", told, type=whole, default=64)


def threads() -> Argument:
    """How many threads search."""
    return value(
        "--threads", "N", "threads that search together (default 1)", type=whole, default=1
    )


def each_time(told: str, default: float | None = None) -> Argument:
    """Seconds for a part of what a command does."""
    return value("--time", "S", told, type=positive, default=default)


def whole_time(then: str = "then what is known so far") -> Argument:
    """Seconds for the whole command, reading and compiling included."""

    def add(p: Parser) -> None:
        each_time(f"seconds for the whole command; {then}")(p)
        p.set_defaults(whole=True)

    return add
