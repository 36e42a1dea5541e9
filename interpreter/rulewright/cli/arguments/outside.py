"""Commands that speak with programs from outside, and about games recorded in files."""

from __future__ import annotations

from rulewright.cli.arguments.shared import (
    Command,
    Parser,
    form,
    from_zero,
    game,
    memory,
    positive,
    settings,
    whole,
)


def _player(p: Parser) -> None:
    p.add_argument(
        "--personality", metavar="P", default="computer", help="who plays; unsaid: the computer"
    )
    p.add_argument("--seed", type=int, default=0, help="of everything random (default 0)")
    memory(p)


def _gomocup(p: Parser) -> None:
    p.add_argument(
        "game", metavar="GAME", nargs="?", default="", help="unsaid: the first that Gomocup has"
    )
    settings(p)
    _player(p)


def _service(p: Parser) -> None:
    game(p)
    _player(p)


RECORDED = "a recorded game: SGF, T1j's, saved by play, a record of a match, a list of moves"


def _recorded(p: Parser) -> None:
    p.add_argument("--game", metavar="GAME", default="", help="where the file does not say it")
    settings(p)
    p.add_argument("--number", type=from_zero, metavar="N", help="which game of a record, from 0")


def _convert(p: Parser) -> None:
    p.add_argument("file", metavar="FILE", help=f"{RECORDED}; or patterns in T1's older dialect")
    p.add_argument(
        "to", metavar="OUT", nargs="?", default="-",
        help="game.sgf, game.T1, or a list of moves (default: a list of moves to the output)",
    )  # fmt: skip
    p.add_argument("--force", action="store_true", help="replace a file that is there")
    _recorded(p)


def _analyze(p: Parser) -> None:
    p.add_argument("file", metavar="FILE", help=RECORDED)
    _recorded(p)
    p.add_argument("--personality", metavar="P", help="who judges; unsaid: the plain search")
    p.add_argument("--from", dest="first", type=whole, default=1, metavar="N", help="decision N on")
    p.add_argument("--to", dest="last", type=whole, metavar="N", help="up to decision N")
    p.add_argument("--time", type=positive, metavar="S", help="seconds for each decision")
    p.add_argument("--nodes", type=whole, metavar="N", help="of each search (unsaid: 2000)")
    p.add_argument("--depth", type=whole, metavar="N", help="of each search")
    p.add_argument("--seed", type=int, default=0, help="of everything random (default 0)")
    memory(p)
    form(p)


COMMANDS: dict[str, Command] = {
    "gomocup": ("play as a brain by the protocol of Gomocup", _gomocup),
    "gtp": ("play as an engine by the Go Text Protocol", _service),
    "convert": ("write a recorded game in another format", _convert),
    "analyze": ("judge the moves of a recorded game", _analyze),
    "engine": ("play as an engine by the text protocol, any game", _service),
}
