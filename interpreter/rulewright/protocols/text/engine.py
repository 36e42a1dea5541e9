"""The engine's side of the text protocol: what we answer.

In: lines.  Out: one answer for each line: `rulewright 1 NAME`, `ok`, `best MOVE ...` or
`error MESSAGE`.  Every mistake is answered; nothing but `quit` and the end of the input ends it.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from attrs import define, field

from rulewright.errors import RulewrightError
from rulewright.players.player import Clock
from rulewright.protocols.serving import Host, told
from rulewright.protocols.text import VERSION
from rulewright.protocols.text.words import Line, pair

_MOVE = 1.0
"""Seconds for a decision when nothing limits it."""


@define
class Engine:
    """Answers whoever asks, playing as the host does."""

    host: Host
    done: bool = False
    _commands: dict[str, Callable[[Line], str]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._commands = {
            "rulewright": self._hello, "game": self._game, "seed": self._seed,
            "position": self._position, "go": self._go, "quit": self._quit,
        }  # fmt: skip

    def answer(self, line: str) -> str:
        """The answer to a line; an empty one has none."""
        words = Line.parse(line)
        if not words.word:
            return ""
        command = self._commands.get(words.word)
        try:
            if command is None:
                known = ", ".join(self._commands)
                raise RulewrightError(f"`{words.word[:40]}` is not known: {known}")
            answer = command(words)
            return f"{answer}\n" if answer else ""
        except RulewrightError as error:
            return f"error {told(error)}\n"

    def _hello(self, line: Line) -> str:
        if line.plain != (str(VERSION),):
            raise RulewrightError(f"this engine speaks version {VERSION}")
        return f"rulewright {VERSION} {self.host.who}"

    def _game(self, line: Line) -> str:
        if line.plain != (self.host.game.name,):
            raise RulewrightError(f"this engine plays {self.host.game.name}")
        self.host.open(dict(line.pairs))
        self.host.ready()
        return "ok"

    def _seed(self, line: Line) -> str:
        if len(line.plain) != 1 or not line.plain[0].isdecimal() or len(line.plain[0]) > 20:
            raise RulewrightError("`seed` takes a whole number from 0")
        self.host.reseed(int(line.plain[0]))
        return "ok"

    def _position(self, line: Line) -> str:
        if line.plain and line.plain[0] != "moves":
            raise RulewrightError("`position` takes `moves` and the decisions played so far")
        state = self.host.game.start()
        for move in line.plain[1:]:
            state = state.play(move)
        self.host.state = state
        return "ok"

    def _go(self, line: Line) -> str:
        line.only("time", "clock", "increment", "nodes", "depth", "memory")
        seconds, left = line.number("time"), line.number("clock")
        nodes, depth = line.whole("nodes"), line.whole("depth")
        self.host.memory = line.whole("memory") or self.host.memory
        if seconds is None and left is None and nodes is None and depth is None:
            seconds = _MOVE
        state, begun = self.host.state, time.perf_counter()
        if state.over:
            raise RulewrightError(f"there is nothing to decide: the game is over ({state.result})")
        clock = Clock(seconds, left, line.number("increment") or 0.0)
        found = self.host.decide(clock, nodes, depth)
        spent = time.perf_counter() - begun
        pairs = {"value": found.value, "depth": found.depth, "nodes": found.nodes}
        told = "".join(pair(name, value) for name, value in pairs.items())
        return f"best {found.move}{told}{pair('seconds', spent)}"

    def _quit(self, _: Line) -> str:
        self.done = True
        return ""
