"""The workbench of pattern files."""

from __future__ import annotations

from rulewright.cli.arguments.shared import Command, Parser, form, game, position, settings, whole


def _patterns(p: Parser) -> None:
    inner = p.add_subparsers(metavar="WHAT", required=True)
    for name, (text, add) in _WHAT.items():
        command = inner.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        add(command)
        command.set_defaults(what=name)


def _show(p: Parser) -> None:
    _of(p)
    p.add_argument("--only", metavar="NAME", help="one pattern")
    p.add_argument("--svg", metavar="OUT", help="draw them as SVG; - writes it to the output")
    form(p)


def _of(p: Parser) -> None:
    p.add_argument("file", metavar="FILE", help="a pattern file: its path, or GAME/NAME")
    p.add_argument("--game", metavar="GAME", help="the game of a file that names none")
    settings(p)


def _with(p: Parser) -> None:
    p.add_argument(
        "--with", dest="file", metavar="FILE", required=True, help="a name or a path of patterns"
    )


def _match(p: Parser) -> None:
    game(p)
    position(p)
    _with(p)
    p.add_argument(
        "--near", type=whole, default=1, metavar="N",
        help="also show patterns that only N conditions keep from firing (default 1)",
    )  # fmt: skip
    p.add_argument("--fired", action="store_true", help="show only what fires")
    p.add_argument("--svg", metavar="OUT", help="draw the proposals on the board; - writes it")
    form(p)


def _cover(p: Parser) -> None:
    _of(p)
    p.add_argument(
        "--games", metavar="GAMES", nargs="+", required=True,
        help="files of games: SGF, T1j's, saved ones, records, or lines of moves; - reads lines",
    )  # fmt: skip
    p.add_argument("--personality", metavar="P", help="who says which proposal is best")
    form(p)


def _why(p: Parser) -> None:
    game(p)
    p.add_argument("hole", metavar="HOLE", help="where the move would be")
    position(p)
    _with(p)
    p.add_argument("--most", type=whole, default=8, metavar="N", help="ways shown (default 8)")
    form(p)


def _convert(p: Parser) -> None:
    p.add_argument("file", metavar="FILE", help="patterns in T1's older dialect; - reads them")
    p.add_argument("--to", metavar="OUT", default="-", help="where to write (default: the output)")
    p.add_argument("--force", action="store_true", help="replace a file that is there")


_WHAT: dict[str, Command] = {
    "show": ("draw each pattern of a file", _show),
    "match": ("list what fires in a position, and what nearly does", _match),
    "cover": ("count over games how often each pattern was of use", _cover),
    "why": ("say why a hole is proposed or not", _why),
    "convert": ("write T1's older dialect in today's words", _convert),
}
COMMANDS: dict[str, Command] = {"patterns": ("work on patterns that propose moves", _patterns)}
