"""A strict controller of UCI, written from its published text; what breaks a rule of it raises.

python-chess judges moves and lines.  Nothing of the engine under test is imported.
"""

from __future__ import annotations

import re
import subprocess
import time
from queue import Empty, Queue
from threading import Thread

import chess
from attrs import define, field

SECONDS = 60.0
_MOVE = re.compile(r"[a-h][1-8][a-h][1-8][qrbn]?")
_OPTION = re.compile(
    r"option name (?P<name>\S.*?) type (?P<type>check|spin|combo|button|string)(?: (?P<rest>.*))?"
)
_NUMBERS = (
    "depth", "seldepth", "time", "nodes", "multipv", "currmovenumber", "hashfull", "nps", "tbhits",
    "sbhits", "cpuload",
)  # fmt: skip


@define
class Info:
    """An `info` line, read."""

    numbers: dict[str, int] = field(factory=dict)
    score: tuple[str, int] | None = None
    wdl: tuple[int, ...] = ()
    line: list[str] = field(factory=list)
    current: str = ""


@define
class Answer:
    """What an engine says to one `go`."""

    infos: list[Info]
    move: str
    ponder: str
    seconds: float


class UciController:
    """Drives an engine, and refuses whatever the protocol does not allow."""

    def __init__(self, *command: str) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._lines = Queue[str]()
        Thread(target=self._read, daemon=True).start()
        self.board = chess.Board()
        self.options: dict[str, str] = {}
        self.name = ""
        self._greet()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))

    def say(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")

    def hear(self, seconds: float = SECONDS) -> str:
        return self._lines.get(timeout=seconds)

    def silent(self, seconds: float = 0.2) -> None:
        """Nobody speaks who was not asked."""
        try:
            line = self.hear(seconds)
        except Empty:
            return
        raise AssertionError(f"said unasked: {line}")

    def _greet(self) -> None:
        self.say("uci")
        names = set[str]()
        while (line := self.hear()) != "uciok":
            if line.startswith("id "):
                word, text = line[3:].split(" ", 1)
                assert word in ("name", "author"), line
                assert text.strip(), line
                names.add(word)
                self.name = text if word == "name" else self.name
            elif line.startswith("option "):
                self._option(line)
            else:
                assert not (names and line), (
                    f"neither id, option nor uciok: {line}"
                )  # a banner comes first
        assert names == {"name", "author"}

    def _option(self, line: str) -> None:
        match = _OPTION.fullmatch(line)
        assert match, line
        kind, rest = match["type"], match["rest"] or ""
        if kind == "check":
            assert re.fullmatch(r"default (true|false)", rest), line
        elif kind == "spin":
            numbers = re.fullmatch(r"default (-?\d+) min (-?\d+) max (-?\d+)", rest)
            assert numbers, line
            value, low, high = map(int, numbers.groups())
            assert low <= value <= high, line
        elif kind == "combo":
            default, *choices = [part.strip() for part in re.split(r"\bvar ", rest)]
            assert default.removeprefix("default ") in choices, line
        elif kind == "button":
            assert not rest, line
        assert match["name"] not in self.options, line
        self.options[match["name"]] = kind

    def ready(self) -> None:
        self.say("isready")
        while (line := self.hear()) != "readyok":
            assert line.startswith("info string"), line

    def set(self, name: str, value: str) -> None:
        assert name in self.options
        self.say(f"setoption name {name} value {value}")
        self.ready()

    def position(self, fen: str = "", moves: str = "") -> None:
        self.board = chess.Board(fen) if fen else chess.Board()
        for move in moves.split():
            self.board.push_uci(move)
        start = f"fen {fen}" if fen else "startpos"
        self.say(f"position {start}" + (f" moves {moves}" if moves else ""))

    def go(self, words: str, stop_after: float = 0.0, then: str = "stop") -> Answer:
        """Have it think; `then` is said after a while."""
        begun = time.perf_counter()
        self.say(f"go {words}")
        if stop_after:
            time.sleep(stop_after)
            self.say(then)
        infos = list[Info]()
        while not (line := self.hear()).startswith("bestmove"):
            if not line.startswith("info string"):
                infos.append(self._info(line))
        return self._best(line, infos, time.perf_counter() - begun)

    def _best(self, line: str, infos: list[Info], seconds: float) -> Answer:
        match = re.fullmatch(r"bestmove (\S+)(?: ponder (\S+))?", line)
        assert match, line
        move, ponder = match[1], match[2] or ""
        assert any(info.score is not None for info in infos), "a score comes before `bestmove`"
        if self.board.is_checkmate() or self.board.is_stalemate():
            assert move in ("0000", "(none)"), line
        else:
            self._legal(self.board, [move, *([ponder] if ponder else [])])
            lines = [
                info.line for info in infos if info.line and info.numbers.get("multipv", 1) == 1
            ]
            assert lines[-1][0] == move, "the last line begins with the move"
        first = [info for info in infos if info.line and info.numbers.get("multipv", 1) == 1]
        depths = [info.numbers["depth"] for info in first]
        assert depths == sorted(depths), "depths grow"
        return Answer(infos, move, ponder, seconds)

    @staticmethod
    def _legal(board: chess.Board, moves: list[str]) -> None:
        after = board.copy()
        for text in moves:
            assert _MOVE.fullmatch(text), text
            move = chess.Move.from_uci(text)
            assert move in after.legal_moves, f"{text} is not legal in {after.fen()}"
            after.push(move)

    def _info(self, line: str) -> Info:
        words, info = line.split(), Info()
        assert words.pop(0) == "info", line
        while words:
            word = words.pop(0)
            if word in _NUMBERS:
                assert word not in info.numbers, line
                info.numbers[word] = int(words.pop(0))
                assert info.numbers[word] >= 0, line
            elif word == "score":
                kind = words.pop(0)
                assert kind in ("cp", "mate"), line
                info.score = kind, int(words.pop(0))
            elif word == "wdl":
                info.wdl = tuple(int(words.pop(0)) for _ in range(3))
                assert sum(info.wdl) == 1000, line
                assert min(info.wdl) >= 0, line
            elif word in ("lowerbound", "upperbound"):  # Stockfish has it behind `wdl`
                assert info.score is not None, line
            elif word == "currmove":
                info.current = words.pop(0)
                self._legal(self.board, [info.current])
            else:
                assert word == "pv", line
                info.line, words = words, []
                assert info.line, line
                self._legal(self.board, info.line)
        assert info.numbers.get("hashfull", 0) <= 1000, line
        assert ("currmovenumber" in info.numbers) <= bool(info.current), line
        return info

    def close(self) -> None:
        self.silent()
        self.say("quit")
        assert self.process.wait(10) == 0
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()
