"""A strict controller of GTP, written from the specification of version 2.

In: the command of an engine.  Out: its answers; what breaks a rule of the protocol raises.  Nothing
of the engine under test is imported.  Stones are kept on a board of the controller's own.
"""

from __future__ import annotations

import re

from attrs import define, field

from tests.shared.engine_pipe import EnginePipe

SECONDS = 240.0
_VERTEX = re.compile(r"[a-hj-zA-HJ-Z]([1-9]|1[0-9]|2[0-5])")
_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


class Refused(Exception):
    """An engine has answered with `?`."""


@define
class Stones:
    """Black and white stones, by points such as `D4`; a chain without a free point is taken off."""

    size: int
    colours: dict[str, str] = field(factory=dict)

    def near(self, point: str) -> list[str]:
        """The points beside one."""
        column, row = _LETTERS.index(point[0]), int(point[1:])
        ways = [(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)]
        fitting = [(c, r) for c, r in ways if 0 <= c < self.size and 1 <= r <= self.size]
        return [f"{_LETTERS[c]}{r}" for c, r in fitting]

    def chain(self, point: str) -> set[str]:
        """The chain of a stone."""
        seen, left = {point}, [point]
        while left:
            for other in self.near(left.pop()):
                if other not in seen and self.colours.get(other) == self.colours[point]:
                    seen.add(other)
                    left.append(other)
        return seen

    def is_free(self, point: str) -> bool:
        """Whether the chain of a stone has a free point beside it."""
        return any(n not in self.colours for p in self.chain(point) for n in self.near(p))

    def put(self, colour: str, point: str) -> None:
        """Put a stone, and take off chains of the other colour; suicide is an error of engines."""
        assert point not in self.colours, f"{point} is taken"
        self.colours[point] = colour
        for other in self.near(point):
            if self.colours.get(other, colour) != colour and not self.is_free(other):
                for taken in self.chain(other):
                    del self.colours[taken]
        assert self.is_free(point), f"{point} is suicide"

    def of(self, colour: str) -> set[str]:
        """The stones of a colour."""
        return {point for point, held in self.colours.items() if held == colour}


class GtpStrict(EnginePipe):
    """Controls an engine, and refuses whatever the protocol does not allow."""

    def __init__(self, *command: str) -> None:
        super().__init__(*command)
        self._number = 0
        self.stones = Stones(19)

    def say(self, line: bytes) -> None:
        """Send a line as it is."""
        self.send(line + b"\n")

    def hear(self, number: str = "") -> str:
        """The answer to a command with a number; raises `Refused` with its message."""
        lines = [self.next_line(SECONDS)]
        while lines[-1] != "\n":
            lines.append(self.next_line(SECONDS))
        text = "".join(lines[:-1])
        assert "\t" not in text
        assert "\r" not in text
        head = re.fullmatch(rf"([=?]){number}(?:\n| ((?:.|\n)*))", text)
        assert head, f"{text!r} is no answer to {number}"
        answer = (head[2] or "").removesuffix("\n")
        if head[1] == "?":
            assert answer, "an error has a message"
            raise Refused(answer)
        return answer

    def ask(self, command: str) -> str:
        """The answer to a command, sent with a number of its own."""
        self._number += 1
        self.say(f"{self._number} {command}".encode())
        return self.hear(str(self._number))

    def refused(self, command: str) -> str:
        """The message with which a command is refused."""
        try:
            answer = self.ask(command)
        except Refused as refusal:
            return str(refusal)
        raise AssertionError(f"`{command}` is answered `{answer}`, and should be refused")

    def begin(self, size: int) -> None:
        """Begin on an empty board."""
        assert self.ask(f"boardsize {size}") == ""
        assert self.ask("clear_board") == ""
        self.stones = Stones(size)

    def play(self, colour: str, vertex: str) -> None:
        """Play a move, which must be legal."""
        assert self.ask(f"play {colour} {vertex}") == ""
        if vertex.casefold() != "pass":
            self.stones.put(colour, vertex.upper())

    def genmove(self, colour: str, command: str = "genmove") -> str:
        """Have a move generated, which must be legal; it is played unless by `reg_genmove`."""
        vertex = self.ask(f"{command} {colour}").upper()
        if vertex not in ("PASS", "RESIGN"):
            assert self.point(vertex) not in self.stones.colours
            if command == "genmove":
                self.stones.put(colour, vertex)
        return vertex

    def point(self, text: str) -> str:
        """A vertex of the board."""
        assert _VERTEX.fullmatch(text), f"`{text}` is no vertex"
        point = text.upper()
        assert _LETTERS.index(point[0]) < self.stones.size
        assert int(point[1:]) <= self.stones.size
        return point

    def points(self, text: str) -> list[str]:
        """Vertices in one or more lines, none of them twice."""
        points = [self.point(word) for word in text.split()]
        assert len(set(points)) == len(points)
        return points

    def close(self) -> None:
        """Quit, and wait for the answer and the end of the engine."""
        assert self.ask("quit") == ""
        self.end()
        assert self.process.returncode == 0

    def end(self) -> None:
        """End the engine, whatever state it is in."""
        self.end_program(SECONDS)
