"""Both sides of every protocol, fed with lines: what programs from outside may say.

In: lines of bytes.  Out: the outlines of what was refused.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, cast

import rulewright
from rulewright.matches.protocols.contestant import CONTROLLERS
from rulewright.matches.protocols.dialects import UcciDialect, UsiDialect
from rulewright.matches.protocols.gomocup import GomocupBrain, GomocupManager
from rulewright.matches.protocols.gtp import GtpController
from rulewright.matches.protocols.gtp_engine import GtpEngine
from rulewright.matches.protocols.host import GameService
from rulewright.matches.protocols.process import Program
from rulewright.matches.protocols.serving import Service
from rulewright.matches.protocols.text_protocol import TextController, TextEngine
from rulewright.matches.protocols.uci import UciController
from rulewright.matches.protocols.uci_engine import UciEngine
from rulewright.players.player import Clock, Failed, GameLimits
from tests.tools.fuzz.reader import Reader, outline

TALK = {
    "gomocup": (
        "connect5",
        "INFO timeout_turn 100\nINFO rule 1\nSTART 10\nBEGIN\nTURN 3,3\nTAKEBACK 3,3\nBOARD\n"
        "1,1,1\n2,2,2\nDONE\nRECTSTART 9,8\nPLAY 1,1\nRESTART\nABOUT\nEND\n",
    ),
    "gtp": (
        "hex",
        "1 boardsize 7\nclear_board\nplay b c3\ngenmove w\nundo\nshowboard\nkomi 5\n"
        "time_settings 10 1 1\ntime_left b 3 0\nfinal_score\nknown_command play\n"
        "list_commands\nquit\n",
    ),
    "text": (
        "tictactoe",
        "rulewright 1\ngame tictactoe width=4\nseed 4\nposition moves b2 a1\n"
        "go nodes=20 depth=2 time=0.1\nposition\ngo clock=1 increment=0.1 memory=2\nquit\n",
    ),
    "uci": (
        "chess",
        "uci\nisready\nsetoption name Hash value 4\nposition startpos moves e2e4 e7e5\n"
        "go nodes 20 depth 2 movetime 100\nposition fen 7k/P7/8/8/8/8/8/K7 w - - 0 1 moves a7a8q\n"
        "go wtime 100 btime 100 winc 1 binc 1 movestogo 3\nucinewgame\nd\nstop\nquit\n",
    ),
    "usi": (
        "minishogi",
        "usi\nisready\nsetoption name USI_Hash value 4\nposition startpos moves 1e1d 5a5b\n"
        "go btime 0 wtime 0 byoyomi 40\nposition sfen rbsgk/4p/5/P4/KGSBR b - 1 moves 1e1d\n"
        "go nodes 20\ngo mate 9\ngameover win\nusinewgame\nstop\nquit\n",
    ),
    "ucci": (
        "xiangqi",
        "ucci\nisready\nsetoption hashsize 4\nposition startpos moves h2e2 h9g7\nbanmoves h0g2\n"
        "go time 40 increment 1 opptime 9\nposition fen 4k4/9/9/9/9/9/9/9/9/4K4 r - - 0 1\n"
        "go depth 1\nsetoption usemillisec false\nsetoption newgame\nstop\nquit\n",
    ),
}
BEST = "rulewright 1 me\nok\nok\nok\nbest b2 value=0.5 depth=3 nodes=10\n"
ANSWERS = {
    "gomocup": ("connect5", "OK\nMESSAGE hello\n7,7\n", GomocupManager),
    "gtp": ("hex", "= 1\n\n=\n\n=\n\n= c3\n\n", GtpController),
    "text": ("tictactoe", BEST, TextController),
    "uci": ("chess", "uciok\nreadyok\ninfo depth 3 score cp 5\nbestmove e2e4\n", UciController),
    "usi": ("minishogi", "usiok\nreadyok\ninfo score mate 3\nbestmove 1e1d\n", CONTROLLERS["usi"]),
    "ucci": ("xiangqi", "ucciok\nreadyok\ninfo score 5\nbestmove h2e2\n", CONTROLLERS["ucci"]),
}
SERVICES: dict[str, Callable[[GameService], Service]] = {
    "gomocup": GomocupBrain, "gtp": GtpEngine, "text": TextEngine, "uci": UciEngine,
    "usi": partial(UciEngine, interface=UsiDialect),
    "ucci": partial(UciEngine, interface=UcciDialect),
}  # fmt: skip


def _talkers() -> list[Reader]:
    found = list[Reader]()
    for name, (game, lines) in TALK.items():
        begin = _constant(lines.encode())
        found.append(Reader(f"{name}_service", begin, _service(name, game)))
    for name, (game, lines, speech) in ANSWERS.items():
        begin = _constant(lines.encode())
        found.append(Reader(f"{name}_client", begin, _client(game, speech)))
    return found


def _constant(data: bytes) -> Callable[[], list[bytes]]:
    return lambda: [data]


def _lines(data: bytes) -> list[str]:
    return data.decode("utf-8", "replace").splitlines()[:100]


def _service(name: str, game: str) -> Callable[[bytes], set[str]]:
    def answer(data: bytes) -> set[str]:
        service, said = SERVICES[name](GameService(game, "random")), set[str]()
        if isinstance(service, UciEngine):
            service.hang_up()  # no line is heard while it thinks, and so no `stop`
        for line in _lines(data):
            if service.has_ended:
                break
            told = service.answer(line.strip("\ufeff\r\n\t "))
            if told.startswith(("ERROR", "error", "?", "info string", "info message")):
                said.add(outline(told.lstrip("?0123456789 ")))
        return said

    return answer


class _Script:
    """A program that says what it was told to say, whatever it hears."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines[::-1]

    def say(self, *_: str) -> None:
        pass

    def hear(self, _: float) -> str:
        if not self.lines:
            raise Failed("hang", "nothing is answered")
        return self.lines.pop()


def _client(name: str, speech: Any) -> Callable[[bytes], set[str]]:
    def answer(data: bytes) -> set[str]:
        child, asking = cast("Program", _Script(_lines(data))), speech()
        game = rulewright.load(name)
        state, limits = game.start(), GameLimits(seconds=1.0, clock=9.0)
        try:
            asking.begin(child, game, limits, 1, 1.0)
            for _ in range(4):
                move = asking.ask(child, state, Clock(1.0, 5.0), 1.0).move
                state = state.play_decision(move if move in state.moves else state.moves.texts[0])
        except Failed as error:
            return {outline(str(error))}
        return set()

    return answer


TALKERS = _talkers()
