"""Arguments and their types that several commands take."""

from __future__ import annotations

import argparse
from collections.abc import Callable

Parser = argparse.ArgumentParser
Command = tuple[str, Callable[[Parser], None]]
"""What a command does, in a few words, and what adds its arguments."""


def game(p: Parser) -> None:
    """A game and its options."""
    p.add_argument("game", metavar="GAME", help="a bundled name or a path to a .rules file")
    settings(p)


def settings(p: Parser) -> None:
    """Options of the rules."""
    p.add_argument(
        "--set",
        metavar="OPTION=VALUE",
        action="append",
        default=[],
        help="set an option of the rules; may be repeated",
    )


def position(p: Parser, boards: str | None = None) -> None:
    """The position that a command starts from; *boards* is "+" where several may be asked for."""
    p.add_argument("--moves", default="", help="the moves played so far, separated by blanks")
    p.add_argument(
        "--position",
        metavar="FILE",
        help="a position as `show` prints it; - reads it from the input",
    )
    p.add_argument(
        "--board",
        metavar="FILE",
        nargs=boards,
        help="a board as a list of rows, ((- X O) ...), X to move; - reads it"
        + "; several files: an answer for each" * (boards is not None),
    )
    p.add_argument(
        "--load", metavar="FILE", help="the end of a recorded game (SGF, T1j's, saved, of a match)"
    )


def form(p: Parser) -> None:
    """How data is printed."""
    p.add_argument("--format", choices=("text", "json"), default="text", help="how data is printed")


def limits(p: Parser) -> None:
    """How long the computer thinks."""
    p.add_argument(
        "--time",
        type=positive,
        metavar="S",
        help="seconds for the whole command; unsaid: 1 second of thinking",
    )
    p.add_argument("--depth", type=whole, metavar="N", help="decisions of the full-width search")
    p.add_argument("--nodes", type=whole, metavar="N", help="decisions played at the most")
    p.add_argument("--seed", type=int, default=0, help="of everything random (default 0)")
    memory(p)


def whole_time(p: Parser) -> None:
    """How long a command may take, reading and compiling included."""
    p.add_argument(
        "--time", type=positive, metavar="S",
        help="seconds for the whole command; then what is known so far",
    )  # fmt: skip


def memory(p: Parser) -> None:
    """How much memory it takes."""
    p.add_argument(
        "--memory", type=whole, default=64, metavar="MIB", help="for tables and trees (default 64)"
    )


def cache(p: Parser) -> None:
    """Whether compiled code is kept."""
    p.add_argument("--no-cache", action="store_true", help="compile anew, keep nothing")


def positive(text: str) -> float:
    """A number above zero."""
    number = float(text)
    if not 0 < number < float("inf"):
        raise ValueError(text)
    return number


def whole(text: str) -> int:
    """A whole number from 1."""
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def from_zero(text: str) -> int:
    """A whole number from 0."""
    number = int(text)
    if number < 0:
        raise ValueError(text)
    return number


for _type, _name in ((positive, "number above 0"), (whole, "number from 1"), (from_zero, "number")):
    _type.__name__ = _name  # argparse names the function in its message
