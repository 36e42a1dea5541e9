"""Commands about files and positions."""

from __future__ import annotations

from rulewright.cli.arguments.shared import (
    Command,
    Parser,
    cache,
    form,
    from_zero,
    game,
    position,
    settings,
)


def _games(p: Parser) -> None:
    form(p)


def _new(p: Parser) -> None:
    p.add_argument("name", metavar="NAME", help="the new game or personality, and its file")
    p.add_argument(
        "--from", dest="source", metavar="GAME", required=True, help="the game to start from"
    )
    p.add_argument(
        "--personality",
        metavar="P",
        nargs="?",
        const="",
        help="write a personality for GAME, with all its factors; P is the one to start from",
    )
    p.add_argument("--force", action="store_true", help="replace a file that is there")


def _check(p: Parser) -> None:
    p.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="rules, evaluators, personalities, patterns, or bundled games; - reads the input",
    )
    p.add_argument("--game", metavar="GAME", help="the game of patterns that name none")
    settings(p)
    form(p)


def _fmt(p: Parser) -> None:
    p.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="rules, evaluators, personalities, patterns; - formats the input to the output",
    )
    p.add_argument(
        "--check", action="store_true", help="change nothing; exit with 1 if a file would change"
    )


def _show(p: Parser) -> None:
    game(p)
    position(p)
    p.add_argument(
        "--svg", metavar="FILE", help="write the board as SVG; - writes it to the output"
    )


def _moves(p: Parser) -> None:
    game(p)
    position(p)
    form(p)


def _perft(p: Parser) -> None:
    game(p)
    position(p)
    p.add_argument("--depth", type=from_zero, required=True, metavar="N", help="decisions or turns")
    p.add_argument("--unit", choices=("decision", "turn"), default="decision")
    p.add_argument("--divide", action="store_true", help="a count for each first decision")
    p.add_argument(
        "--backend",
        choices=("reference", "python", "native"),
        help="what counts; unsaid: machine code where it can",
    )
    cache(p)
    form(p)


def _kernels(p: Parser) -> None:
    game(p)
    p.add_argument("--plan", action="store_true", help="how positions lie in memory, and why")


COMMANDS: dict[str, Command] = {
    "games": ("list the bundled games", _games),
    "new": ("write a commented starting point for a game", _new),
    "check": ("show every mistake of files", _check),
    "fmt": ("give files their one layout", _fmt),
    "show": ("show a position as text or SVG", _show),
    "moves": ("list the legal moves of a position", _moves),
    "perft": ("count sequences of moves", _perft),
    "kernels": ("show the kernels that a game is compiled to", _kernels),
}
