"""What each command takes.  Only this package is loaded before a command is known."""

from __future__ import annotations

from rulewright._version import __version__
from rulewright.cli.arguments import files, matches, outside, patterns, proving, thinking
from rulewright.cli.arguments.shared import Command, Parser

COMMANDS: dict[str, Command] = {
    **files.COMMANDS,
    **thinking.COMMANDS,
    **patterns.COMMANDS,
    **proving.COMMANDS,
    **matches.COMMANDS,
    **outside.COMMANDS,
}


def parser(wanted: str | None = None) -> Parser:
    """The parser of the whole command line; with the arguments of one command, if it is known."""
    top = Parser(
        prog="rulewright",
        description="Write a board game's rules as text and play them.",
        epilog="GAME is a bundled name (see `rulewright games`) or a path to a .rules file.",
    )
    top.add_argument("--version", action="version", version=f"rulewright {__version__}")
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    for name, (text, add) in COMMANDS.items():
        command = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        if wanted in (None, name):
            add(command)
        command.set_defaults(module=name.replace("-", "_"))
    return top
