"""Strict controllers of USI and UCCI, written from their published texts.

In: the command of an engine.  Out: its answers; what breaks a rule of the protocol raises.  Nothing
of the engine's protocol is imported: sites are translated here, and the rules of the game (whose
counts other programs have made) say which moves are legal.
"""

from __future__ import annotations

import re
import time
from queue import Empty
from typing import ClassVar

from attrs import define

import rulewright
from tests.shared.engine_pipe import EnginePipe

SECONDS = 60.0
_DROPPED = {
    "P": "pawn", "L": "lance", "N": "knight", "S": "silver", "G": "gold", "B": "bishop", "R": "rook"
}  # fmt: skip


@define
class Answer:
    """What an engine says to a `go`: its lines of `info` as words, a move or none, its reply."""

    infos: list[dict[str, str]]
    move: str
    ponder: str
    seconds: float

    @property
    def field_names(self) -> set[str]:
        """The fields that its lines have."""
        return set[str]().union(*self.infos)


class DialectStrict:
    """What USI and UCCI have in common."""

    greeting: ClassVar[str]
    game: ClassVar[str]
    numbers: ClassVar[tuple[str, ...]]
    """The fields of `info` that are numbers."""

    def __init__(self, *command: str, game: str = "", habits: tuple[str, ...] = ()) -> None:
        """*habits* are breaches of the text that this engine is known for."""
        self.pipe, self.habits = EnginePipe(*command), habits
        self.rules = rulewright.load(game or self.game)
        self.state = self.rules.start()
        self.options: dict[str, str] = {}
        self.name = ""
        self._greet()

    def say(self, line: str) -> None:
        self.pipe.send(f"{line}\n".encode())

    def hear(self) -> str:
        return self.pipe.next_line(SECONDS).rstrip("\n")

    def silent(self, seconds: float = 0.2) -> None:
        """Nobody speaks who was not asked."""
        try:
            line = self.pipe.next_line(seconds)
        except Empty:
            return
        raise AssertionError(f"said unasked: {line}")

    def _greet(self) -> None:
        self.say(self.greeting)
        seen = set[str]()
        while (line := self.hear()) != f"{self.greeting}ok":
            if line.startswith("id "):
                word, text = line[3:].split(" ", 1)
                assert word in ("name", "author", "copyright", "user"), line
                assert text.strip(), line
                self.name = text if word == "name" else self.name
                seen.add(word)
            elif line.startswith("option "):
                self._option(line)
            else:
                assert not seen or not line, f"neither id, option nor ok: {line}"
        assert {"name", "author"} <= seen

    def _option(self, line: str) -> None:
        raise NotImplementedError

    def check_values(self, kind: str, words: list[str], line: str) -> None:
        """Check what stands behind the type of an option."""
        if kind == "check":
            assert words in (["default", "true"], ["default", "false"]), line
        elif kind == "spin":
            values = dict(zip(words[::2], map(int, words[1::2]), strict=True))
            assert values.keys() == {"default", "min", "max"}, line
            assert values["min"] <= values["default"] <= values["max"], line
        elif kind == "combo":
            pairs = list(zip(words[::2], words[1::2], strict=True))
            (default,) = (value for name, value in pairs if name == "default")
            assert default in [value for name, value in pairs if name == "var"], line
        elif kind == "button":
            assert not words, line
        else:
            assert kind in ("string", "filename"), line

    def ready(self) -> None:
        """Ask whether it is ready, which it always answers."""
        self.say("isready")
        assert self.hear() == "readyok"

    def decision(self, move: str) -> str:
        """The decision of our rules that a move stands for."""
        raise NotImplementedError

    def play(self, moves: str, start: str = "startpos") -> None:
        """Say where the game stands."""
        for move in moves.split():
            self.state = self.state.play_decision(self.decision(move))
        self.say(f"position {start}" + f" moves {moves}" * bool(moves))

    def begin(self, moves: str = "") -> None:
        """A game from the start, with moves."""
        self.state = self.rules.start()
        self.play(moves)

    def check_line(self, text: str) -> None:
        """Check that moves can be played one after the other."""
        state = self.state
        for move in text.split():
            assert self.decision(move) in state.moves.texts, f"{move} of {text}"
            state = state.play_decision(self.decision(move))

    def info(self, line: str) -> dict[str, str]:
        """The fields of a line of `info`."""
        words, values = line.split()[1:], dict[str, str]()
        while words:
            name = words.pop(0)
            assert name not in values, line
            if name == "pv":
                values[name], words = " ".join(words), []
                self.check_line(values[name])
            elif name == "score":
                values[name] = self.score(words, line)
            elif name == "currmove":
                values[name] = words.pop(0)
                self.check_line(values[name])
            else:
                assert name in self.numbers or "fields" in self.habits, line
                values[name] = words.pop(0)
                assert values[name].isdecimal(), line
        return values

    def score(self, words: list[str], line: str) -> str:
        """Take a score off the words."""
        raise NotImplementedError

    def go(self, words: str, then: str = "", after: float = 0.0) -> Answer:
        """Have it think; *then* is said after so many seconds."""
        begun, infos = time.perf_counter(), list[dict[str, str]]()
        self.say(f"go {words}")
        if then:
            time.sleep(after)
            self.say(then)
        while (line := self.hear()).startswith("info"):
            if line.split()[1] not in ("string", "message"):
                infos.append(self.info(line))
        move, ponder = self.best(line)
        assert any("score" in info for info in infos), "a score comes first"
        lines = [info["pv"] for info in infos if "pv" in info and info.get("multipv", "1") == "1"]
        assert not move or lines[-1].split()[0] == move, f"{line} after {lines[-1]}"
        return Answer(infos, move, ponder, time.perf_counter() - begun)

    def best(self, line: str) -> tuple[str, str]:
        """The move of the answer, empty for none, and the one expected in return."""
        raise NotImplementedError

    def checked(self, move: str, ponder: str) -> tuple[str, str]:
        """The moves of an answer, which are legal."""
        self.check_line(f"{move} {ponder}")
        return move, ponder

    def end(self, farewell: str = "") -> None:
        """Say good-bye."""
        self.silent()
        self.say("quit")
        if farewell and "farewell" not in self.habits:
            assert self.hear() == farewell
        self.pipe.end_program(10)


class UsiStrict(DialectStrict):
    """A controller of the Universal Shogi Interface."""

    greeting, game = "usi", "shogi"
    numbers = (
        "depth", "seldepth", "time", "nodes", "multipv", "currmovenumber", "hashfull", "nps",
        "cpuload",
    )  # fmt: skip

    def _option(self, line: str) -> None:
        name, kind, rest = re.fullmatch(r"option name (.+?) type (\w+) ?(.*)", line).groups()  # type: ignore[union-attr]
        assert " " not in name or "names" in self.habits, line
        assert not name.startswith("UCI_") or "names" in self.habits, line
        self.check_values(kind, rest.split(), line)
        assert name not in self.options, line
        self.options[name] = kind

    def set(self, name: str, value: str) -> None:
        assert name in self.options
        self.say(f"setoption name {name} value {value}")
        self.ready()

    def decision(self, move: str) -> str:
        dropped, site = move.split("*") if "*" in move else ("", "")
        if dropped:
            return f"{_DROPPED[dropped]}@{self._site(site)}"
        assert re.fullmatch(r"\d[a-i]\d[a-i]\+?", move), move
        return f"{self._site(move[:2])}{self._site(move[2:4])}{move[4:]}"

    def _site(self, text: str) -> str:
        size = self.rules.rules.board.width
        return f"{chr(97 + size - int(text[0]))}{size - ord(text[1]) + 97}"

    def score(self, words: list[str], line: str) -> str:
        kind, value = words.pop(0), words.pop(0)
        assert kind in ("cp", "mate"), line
        assert re.fullmatch(r"-?\d+", value), line
        if words and words[0] in ("lowerbound", "upperbound"):
            words.pop(0)
        return f"{kind} {value}"

    def mate(self, words: str) -> list[str] | None:
        """Have it look for a mate: its moves, which must end the game, or None for no mate."""
        self.say(f"go {words}")
        while (line := self.hear()).startswith("info"):
            pass
        if line == "checkmate nomate":
            return None
        moves = line.removeprefix("checkmate ").split()
        state = self.state
        for move in moves:
            state = state.play_decision(self.decision(move))
        assert state.over, line
        return moves

    def best(self, line: str) -> tuple[str, str]:
        match = re.fullmatch(r"bestmove (\S+)(?: ponder (\S+))?", line)
        assert match, line
        if match[1] in ("resign", "win"):
            assert match[2] is None, line
            return "", ""
        return self.checked(match[1], match[2] or "")


class UcciStrict(DialectStrict):
    """A controller of the Universal Chinese Chess Protocol."""

    greeting, game = "ucci", "xiangqi"
    numbers = ("depth", "nodes", "time")

    def _option(self, line: str) -> None:
        name, kind, rest = re.fullmatch(r"option (\S+) type (\w+) ?(.*)", line).groups()  # type: ignore[union-attr]
        words = rest.split()
        assert "default" not in words[:-2] or "order" in self.habits, "the default stands last"
        self.check_values(kind, words, line)
        assert name not in self.options, line
        self.options[name] = kind

    def set(self, name: str, value: str) -> None:
        assert name in self.options
        self.say(f"setoption {name} {value}".rstrip())
        self.ready()

    def decision(self, move: str) -> str:
        assert re.fullmatch(r"[a-i]\d[a-i]\d", move), move
        return f"{move[0]}{int(move[1]) + 1}{move[2]}{int(move[3]) + 1}"

    def score(self, words: list[str], line: str) -> str:
        if words[0] in ("cp", "mate") and "scores" in self.habits:
            words.pop(0)
        value = words.pop(0)
        assert re.fullmatch(r"-?\d+", value), line
        if words and words[0] in ("lowerbound", "upperbound") and "scores" in self.habits:
            words.pop(0)
        return value

    def best(self, line: str) -> tuple[str, str]:
        if line == "nobestmove":
            return "", ""
        match = re.fullmatch(r"bestmove (\S+)(?: ponder (\S+))?(?: draw| resign)?", line)
        assert match, line
        return self.checked(match[1], match[2] or "")
