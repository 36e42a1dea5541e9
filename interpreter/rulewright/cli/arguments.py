"""Arguments and their types that several commands take.

In: the parser of a command.  Out: the same with more arguments.  Nothing else of the package is
loaded for them, as they are read before anything is done.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, TypeAlias

Parser: TypeAlias = argparse.ArgumentParser
Command: TypeAlias = tuple[Callable[[Parser], None], Callable[[argparse.Namespace], int]]
"""What adds the arguments of a command, and what runs it and gives the exit status."""


def game(p: Parser) -> None:
    """A game and its options."""
    p.add_argument("game", metavar="GAME", help="a bundled name or a path to a .rules file")
    settings(p)


def settings(p: Parser) -> None:
    """Options of the rules."""
    p.add_argument(
        "--set", metavar="OPTION=VALUE", action="append", default=[],
        help="set an option of the rules; may be repeated",
    )  # fmt: skip


def position(p: Parser, boards: str | None = None) -> None:
    """The position that a command starts from; *boards* is "+" where several may be asked for."""
    p.add_argument("--moves", default="", help="the moves played so far, separated by blanks")
    told = "a position as `show` prints it; - reads it from the input"
    p.add_argument("--position", metavar="FILE", help=told)
    told = "a board as a list of rows, ((- X O) ...), X to move; - reads it"
    told += "; several files: an answer for each" * (boards is not None)
    p.add_argument("--board", metavar="FILE", nargs=boards, help=told)
    told = "the end of a recorded game (SGF, T1j's, saved, of a match)"
    p.add_argument("--load", metavar="FILE", help=told)


def form(p: Parser, default: str = "text") -> None:
    """How data is printed."""
    forms = ("text", "json")
    p.add_argument("--format", choices=forms, default=default, help="how data is printed")


def limits(p: Parser, nodes: str, depth: str) -> None:
    """How much a search may look at; the texts say what counts."""
    p.add_argument("--nodes", type=whole, metavar="N", help=nodes)
    p.add_argument("--depth", type=whole, metavar="N", help=depth)


def whole_time(p: Parser, then: str = "then what is known so far") -> None:
    """How long the whole command may take, reading and compiling included."""
    told = f"seconds for the whole command; {then}"
    p.add_argument("--time", type=positive, metavar="S", help=told)
    p.set_defaults(whole=True)


def seed(p: Parser, default: int = 0) -> None:
    """What all chance comes from."""
    told = f"of everything random (default {default})"
    p.add_argument("--seed", type=int, default=default, help=told)


def effort(p: Parser) -> None:
    """How much is tried."""
    told = "so many times as much (default 1)"
    p.add_argument("--effort", type=positive, default=1.0, metavar="X", help=told)


def memory(p: Parser, told: str = "for tables and trees (default 64)") -> None:
    """How much memory it takes."""
    p.add_argument("--memory", type=whole, default=64, metavar="MIB", help=told)


def cache(p: Parser) -> None:
    """Whether compiled code is cached."""
    p.add_argument("--no-cache", action="store_true", help="compile anew, keep nothing")


def force(p: Parser) -> None:
    """Whether a file may be replaced."""
    p.add_argument("--force", action="store_true", help="replace a file that is there")


def record(p: Parser) -> None:
    """A record of a match."""
    p.add_argument("file", metavar="FILE", help="a record of a match, .jsonl or .db")


# --- types: what argparse says of a word that is none is their name ---


def _number(name: str, make: Callable[[str], Any], fits: Callable[[Any], bool]) -> Any:
    def number(text: str) -> Any:
        value = make(text)
        if not fits(value):
            raise ValueError(text)
        return value

    number.__name__ = name
    return number


positive = _number("number above 0", float, lambda value: 0 < value < float("inf"))
whole = _number("number from 1", int, lambda value: value >= 1)
from_zero = _number("number", int, lambda value: value >= 0)
