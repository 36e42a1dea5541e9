"""Commands that speak with programs from outside, and about games recorded in files."""

from __future__ import annotations

from rulewright.cli.arguments.shared import Command, Parser, game, memory, settings


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


COMMANDS: dict[str, Command] = {
    "gomocup": ("play as a brain by the protocol of Gomocup", _gomocup),
    "gtp": ("play as an engine by the Go Text Protocol", _service),
    "engine": ("play as an engine by the text protocol, any game", _service),
}
