"""What each command takes.  Only this module is loaded before a command is known."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from rulewright._version import __version__

Parser = argparse.ArgumentParser


def parser() -> Parser:
    """The parser of the whole command line."""
    top = Parser(
        prog="rulewright",
        description="Write a board game's rules as text and play them.",
        epilog="GAME is a bundled name (see `rulewright games`) or a path to a .rules file.",
    )
    top.add_argument("--version", action="version", version=f"rulewright {__version__}")
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    for name, (text, add) in _COMMANDS.items():
        command = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        add(command)
        command.set_defaults(module=name)
    return top


def _game(p: Parser) -> None:
    p.add_argument("game", metavar="GAME", help="a bundled name or a path to a .rules file")
    _set(p)


def _set(p: Parser) -> None:
    p.add_argument(
        "--set",
        metavar="OPTION=VALUE",
        action="append",
        default=[],
        help="set an option of the rules; may be repeated",
    )


def _position(p: Parser) -> None:
    p.add_argument("--moves", default="", help="the moves played so far, separated by blanks")
    p.add_argument(
        "--position",
        metavar="FILE",
        help="a position as `show` prints it; - reads it from the input",
    )
    p.add_argument(
        "--board",
        metavar="FILE",
        help="a board as a list of rows, ((- X O) ...), X to move; - reads it",
    )


def _format(p: Parser) -> None:
    p.add_argument("--format", choices=("text", "json"), default="text", help="how data is printed")


def _limits(p: Parser) -> None:
    p.add_argument(
        "--time",
        type=_positive,
        metavar="S",
        help="seconds of thinking (default 1); compiling a game the first time is extra",
    )
    p.add_argument("--depth", type=_whole, metavar="N", help="decisions of the full-width search")
    p.add_argument("--nodes", type=_whole, metavar="N", help="decisions played at the most")
    p.add_argument("--seed", type=int, default=0, help="of everything random (default 0)")
    _memory(p)


def _memory(p: Parser) -> None:
    p.add_argument(
        "--memory", type=_whole, default=64, metavar="MIB", help="for tables and trees (default 64)"
    )


def _positive(text: str) -> float:
    number = float(text)
    if not 0 < number < float("inf"):
        raise ValueError(text)
    return number


def _whole(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def _from_zero(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError(text)
    return number


for _function, _name in ((_positive, "time"), (_whole, "number from 1"), (_from_zero, "number")):
    _function.__name__ = _name  # argparse names the function in its message


def _games(p: Parser) -> None:
    _format(p)


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
        help="rules, evaluators, personalities, or bundled games; - reads the input",
    )
    _set(p)
    _format(p)


def _fmt(p: Parser) -> None:
    p.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="rules, evaluators, personalities; - formats the input to the output",
    )
    p.add_argument(
        "--check", action="store_true", help="change nothing; exit with 1 if a file would change"
    )


def _show(p: Parser) -> None:
    _game(p)
    _position(p)
    p.add_argument(
        "--svg", metavar="FILE", help="write the board as SVG; - writes it to the output"
    )


def _moves(p: Parser) -> None:
    _game(p)
    _position(p)
    _format(p)


def _perft(p: Parser) -> None:
    _game(p)
    _position(p)
    p.add_argument(
        "--depth", type=_from_zero, required=True, metavar="N", help="decisions or turns"
    )
    p.add_argument("--unit", choices=("decision", "turn"), default="decision")
    p.add_argument("--divide", action="store_true", help="a count for each first decision")
    p.add_argument(
        "--backend",
        choices=("reference", "python", "native"),
        help="what counts; unsaid: machine code where it can",
    )
    _cache(p)
    _format(p)


def _kernels(p: Parser) -> None:
    _game(p)
    p.add_argument("--plan", action="store_true", help="how positions lie in memory, and why")


def _cache(p: Parser) -> None:
    p.add_argument("--no-cache", action="store_true", help="compile anew, keep nothing")


def _play(p: Parser) -> None:
    p.add_argument("game", metavar="GAME", help="a bundled name or a path to a .rules file")
    p.add_argument(
        "players",
        metavar="PLAYER=WHO",
        nargs="*",
        help="WHO is human, computer, random or the name of a personality; computer:SECONDS, NAME:SECONDS limit the thinking, human:NAME takes hints from a personality; unsaid: the first is human, the second the computer",  # noqa: E501
    )
    _set(p)
    p.add_argument("--moves", default="", help="the moves played so far")
    p.add_argument("--load", metavar="FILE", help="go on with a saved game")
    p.add_argument("--seed", type=int, default=0, help="of everything random (default 0)")


def _best(p: Parser) -> None:
    _game(p)
    _position(p)
    _limits(p)
    p.add_argument("--personality", metavar="P", help="who decides: a name, or a path")
    p.add_argument("--turn", action="store_true", help="decide a whole turn")
    p.add_argument(
        "--algorithm",
        choices=("auto", "alphabeta", "exact", "montecarlo"),
        default="auto",
        help="auto: forced results, then random games; exact: every decision with a full window",
    )
    p.add_argument("--roots", action="store_true", help="a value for every decision")
    p.add_argument("--unit", choices=("decision", "turn"), default="decision", help="of --depth")
    p.add_argument("--threads", type=_whole, default=1, metavar="N", help="(default 1)")
    p.add_argument("--format", choices=("text", "json"), default="json", help="how data is printed")


def _bench(p: Parser) -> None:
    p.add_argument(
        "games", metavar="GAME", nargs="*", help="bundled names or paths; unsaid: all bundled games"
    )
    _set(p)
    p.add_argument(
        "--seconds", type=_positive, default=0.3, metavar="S", help="of a measurement (default 0.3)"
    )
    p.add_argument("--rounds", type=_whole, default=5, metavar="N", help="how often (default 5)")
    p.add_argument("--seed", type=int, default=1, help="of everything random (default 1)")
    p.add_argument("--playouts", action="store_true", help="measure random games only")
    p.add_argument("--scaling", action="store_true", help="random games on growing boards")
    p.add_argument(
        "--signature", action="store_true", help="count a fixed set of tasks, measure nothing"
    )
    _format(p)


def _solve(p: Parser) -> None:
    _game(p)
    _position(p)
    p.add_argument("--shortest", action="store_true", help="find the shortest win too")
    p.add_argument(
        "--method",
        choices=("alphabeta", "proof"),
        default="alphabeta",
        help="proof: proof numbers, for sharp positions with many decisions",
    )
    p.add_argument(
        "--time", type=_positive, metavar="S", help="seconds (unsaid: as long as it takes)"
    )
    p.add_argument("--nodes", type=_whole, metavar="N", help="decisions played at the most")
    _memory(p)
    _format(p)


def _factors(p: Parser) -> None:
    _game(p)
    _format(p)


def _explain(p: Parser) -> None:
    _game(p)
    p.add_argument("move", metavar="MOVE", nargs="?", default="", help="explain this decision only")
    p.add_argument("--personality", metavar="P", required=True, help="its name, or a path")
    p.add_argument("--versus", metavar="P2", help="what makes this personality decide otherwise")
    _position(p)
    p.add_argument(
        "--most", type=_whole, default=8, metavar="N", help="decisions shown as text (default 8)"
    )
    p.add_argument(
        "--svg", metavar="FILE", help="draw the values on the board; - writes it to the output"
    )
    p.add_argument("--seed", type=int, default=0, help="of everything random (default 0)")
    _format(p)


def _lint(p: Parser) -> None:
    _game(p)
    p.add_argument("personality", metavar="P", help="its name, or a path")
    p.add_argument(
        "--positions", type=_whole, default=20, metavar="N", help="positions tried (default 20)"
    )
    p.add_argument("--seed", type=int, default=0, help="of everything random (default 0)")
    _format(p)


def _demo(p: Parser) -> None:
    p.add_argument("--time", type=_positive, default=0.1, metavar="S", help="seconds a decision")
    p.add_argument("--seed", type=int, default=1, help="of everything random (default 1)")


_COMMANDS: dict[str, tuple[str, Callable[[Parser], None]]] = {
    "games": ("list the bundled games", _games),
    "new": ("write a commented starting point for a game", _new),
    "check": ("show every mistake of files", _check),
    "fmt": ("give files their one layout", _fmt),
    "show": ("show a position as text or SVG", _show),
    "moves": ("list the legal moves of a position", _moves),
    "perft": ("count sequences of moves", _perft),
    "kernels": ("show the kernels that a game is compiled to", _kernels),
    "play": ("play a game at the terminal", _play),
    "best": ("let the computer decide", _best),
    "bench": ("measure how fast games are", _bench),
    "solve": ("prove the value of a position", _solve),
    "explain": ("show what a personality thinks of each decision, and why", _explain),
    "lint": ("say which factors of a personality never change a decision", _lint),
    "factors": ("list the evaluators of a game, their factors, and its personalities", _factors),
    "demo": ("check the bundled files and let two computer players finish four games", _demo),
}
