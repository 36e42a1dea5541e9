"""Commands that serve a program from outside: `engine`, `gtp`, `uci`, `usi`, `ucci`, `gomocup`.

Each answers the standard input until it ends.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TextIO

from rulewright.app.cli import arguments as a
from rulewright.app.cli.common import settings
from rulewright.matches.protocols.dialects import Dialect, UcciDialect, UsiDialect
from rulewright.matches.protocols.format_settings import bundled_with
from rulewright.matches.protocols.gomocup import GomocupBrain, refuse_other_games
from rulewright.matches.protocols.gtp_engine import GtpEngine
from rulewright.matches.protocols.host import GameService
from rulewright.matches.protocols.serving import serve, serve_beside
from rulewright.matches.protocols.text_protocol import TextEngine
from rulewright.matches.protocols.uci_engine import UciEngine


def _host(arguments: Namespace, source: str) -> GameService:
    """Load the game and its player."""
    options: dict[str, object] = dict(settings(arguments.set))
    return GameService(source, arguments.personality, options, arguments.seed, arguments.memory)


def _lines() -> TextIO:
    """The standard input; bytes that are no UTF-8 are replaced."""
    lines: TextIO = sys.stdin
    if hasattr(lines, "reconfigure"):
        lines.reconfigure(encoding="utf-8", errors="replace")
    return lines


def engine(arguments: Namespace) -> int:
    """Answer by the text protocol until the other side says quit."""
    serve_beside(TextEngine(_host(arguments, arguments.game)), _lines(), sys.stdout)
    return 0


def uci(arguments: Namespace) -> int:
    """Answer a program for chess, or for a game like it, until it says quit."""
    return _serve_dialect(Dialect, arguments)


def usi(arguments: Namespace) -> int:
    """Answer a program for Shogi, or for a game like it, until it says quit."""
    return _serve_dialect(UsiDialect, arguments)


def ucci(arguments: Namespace) -> int:
    """Answer a program for Xiangqi until it says quit."""
    return _serve_dialect(UcciDialect, arguments)


def _serve_dialect(interface: type[Dialect], arguments: Namespace) -> int:
    host = _host(arguments, arguments.game)
    engine = UciEngine(host, interface=interface)
    host.prepare()
    serve_beside(engine, _lines(), sys.stdout)
    return 0


def gtp(arguments: Namespace) -> int:
    """Answer a controller of GTP until it says quit."""
    serve(GtpEngine(_host(arguments, arguments.game)), _lines(), sys.stdout)
    return 0


def gomocup(arguments: Namespace) -> int:
    """Answer a manager of Gomocup until it says END."""
    host = _host(arguments, arguments.game or bundled_with("gomocup")[0])
    refuse_other_games(host.game)
    serve(GomocupBrain(host), _lines(), sys.stdout)
    return 0


_PLAYER = [
    a.value("--personality", "P", "the player (default: the strongest of the game)", default=""),
    a.seed(), a.memory(),
]  # fmt: skip
COMMANDS: dict[str, a.Command] = {
    "gomocup": (gomocup, [
        a.value("game", "GAME", "default: the first that Gomocup has", nargs="?", default=""),
        a.SETTINGS, *_PLAYER,
    ]),
    "gtp": (gtp, [*a.GAME, *_PLAYER]),
    "uci": (uci, [*a.GAME, *_PLAYER]),
    "usi": (usi, [*a.GAME, *_PLAYER]),
    "ucci": (ucci, [*a.GAME, *_PLAYER]),
    "engine": (engine, [*a.GAME, *_PLAYER]),
}  # fmt: skip
