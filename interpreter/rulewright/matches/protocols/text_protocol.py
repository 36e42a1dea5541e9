"""The text protocol of rulewright, both sides, for any game (docs/protocols.md).

In: as an engine, one line after the other; as a controller, a running engine, games and positions.
Out: as an engine, one answer for each line (`rulewright 1 NAME`, `ok`, `best MOVE ...` or `error
MESSAGE`); as a controller, the decisions of the engine.  Every mistake is answered, and nothing but
`quit` and the end of the input ends the engine.  An engine that answers `error` or what is no
answer fails.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping

from attrs import define, field, frozen

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.ground.budget import LONGEST
from rulewright.matches.protocols import serving
from rulewright.matches.protocols.host import GameService
from rulewright.matches.protocols.process import Program
from rulewright.players.player import Clock, Decision, Failed, GameLimits
from rulewright.search.results import Watch

VERSION = 1
"""The version of the protocol, which both sides send first."""

# --- messages ---


@frozen
class Message:
    """A line of the protocol, parsed: `word plain plain name=value`."""

    word: str
    plain: tuple[str, ...] = ()
    pairs: Mapping[str, str] = field(factory=dict)

    @classmethod
    def parse(cls, text: str) -> Message:
        """Parse a line; of a setting that is given twice the last counts.

        All words behind `position` are plain, and the first behind `best`: decisions may have `=`.
        """
        first, *rest = text.split() or [""]
        moves = {"position": len(rest), "best": 1}.get(first, 0)
        plain, more = rest[:moves], rest[moves:]
        pairs = dict(word.partition("=")[::2] for word in more if "=" in word)
        return cls(first, (*plain, *(word for word in more if "=" not in word)), pairs)

    def only(self, *names: str) -> None:
        """Raise `RulewrightError` for settings with other names."""
        for name in self.pairs:
            if name not in names:
                raise RulewrightError(f"`{self.word}` takes {', '.join(names)}, not `{name[:40]}`")

    def seconds(self, name: str) -> float | None:
        """A setting in seconds, above 0; None if it is missing."""
        if name not in self.pairs:
            return None
        try:
            value = float(self.pairs[name])
        except ValueError:
            value = 0.0
        if not value > 0:
            raise RulewrightError(f"`{name}` needs a number above 0")
        if value > LONGEST:
            raise RulewrightError(f"`{name}` is at most {LONGEST:,.0f} seconds")
        return value

    def whole(self, name: str, most: int) -> int | None:
        """A setting as a whole number from 1 to *most*; None if it is missing."""
        if name not in self.pairs:
            return None
        return serving.whole_number(self.pairs[name], f"`{name}`", 1, most)


def setting(name: str, value: object) -> str:
    """Write ` name=value`, floats with 6 digits; empty for None."""
    if value is None:
        return ""
    text = f"{value:.6g}" if isinstance(value, float) else str(value).lower()
    return f" {name}={text}"


# --- the controller ---


@define
class TextController:
    """Controls an engine."""

    farewell: tuple[str, ...] = ("quit",)
    _limits: GameLimits = field(factory=GameLimits)

    def begin(
        self, program: Program, game: Game, limits: GameLimits, seed: int, deadline: float
    ) -> None:
        """Ask for the engine's name, and send the game and the seed."""
        self._limits = limits
        options = "".join(setting(name, value) for name, value in game.options.items())
        _ask(program, f"rulewright {VERSION}", "rulewright", deadline)
        _ask(program, f"game {game.name}{options}", "ok", deadline)
        _ask(program, f"seed {seed}", "ok", deadline)

    def ask(self, program: Program, state: State, clock: Clock, deadline: float) -> Decision:
        """Send all decisions played and the limits, and ask for a decision."""
        way = " ".join(["position", "moves", *state.decisions()])
        _ask(program, way if state.before else "position", "ok", deadline, "refused")
        limits = self._limits
        settings = {
            "time": clock.seconds, "clock": clock.reserve, "increment": clock.increment or None,
            "nodes": limits.nodes, "depth": limits.depth, "memory": limits.memory,
        }  # fmt: skip
        go = "go" + "".join(setting(name, value) for name, value in settings.items())
        answer = _ask(program, go, "best", deadline)
        if not answer.plain:
            raise Failed("illegal", "answers `best` without a move")
        value = _number(answer, "value")
        depth, nodes = _number(answer, "depth"), _number(answer, "nodes")
        return Decision(answer.plain[0], value, _whole(depth), _whole(nodes))


def _number(line: Message, name: str) -> float | None:
    """A number in an engine's answer; None if it is missing or no finite number."""
    try:
        value = float(line.pairs[name])
    except (KeyError, ValueError):
        return None
    return value if math.isfinite(value) else None


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)


def _ask(
    program: Program, line: str, word: str, deadline: float, refusing: str = "crash"
) -> Message:
    """Send a line, and return the answer that begins with *word*; skips lines `info ...`.

    If the engine answers with an error, raises `Failed` with the reason *refusing*.
    """
    program.say(line)
    while True:
        text = program.hear(deadline)
        answer = Message.parse(text)
        if answer.word == word:
            return answer
        if answer.word == "error":
            raise Failed(refusing, f"refuses `{line[:80]}`: {text[len('error') :].strip()[:200]}")
        if answer.word != "info":
            raise Failed("illegal", f"answers `{text[:80]}` to `{line[:80]}`")


# --- the engine ---


_MOVE_SECONDS = 1.0
"""Seconds for a decision without any limit."""


@define
class TextEngine:
    """Answers a controller by the decisions of a host."""

    host: GameService
    tell: Callable[[str], None] = field(default=lambda _: None)
    has_ended: bool = False
    _commands: dict[str, Callable[[Message], str]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._commands = {
            "rulewright": self._hello, "game": self._game, "seed": self._seed,
            "position": self._position, "go": self._go, "stop": lambda _: "", "quit": self._quit,
        }  # fmt: skip

    def answer(self, line: str) -> str:
        """Answer a line; an empty line has an empty answer."""
        words = Message.parse(line)
        if not words.word:
            return ""
        command = self._commands.get(words.word)
        try:
            serving.refuse_long(line)
            if command is None:
                commands = ", ".join(self._commands)
                raise RulewrightError(f"`{words.word[:40]}` is not known: {commands}")
            answer = command(words)
            return f"{answer}\n" if answer else ""
        except RulewrightError as error:
            return f"error {serving.one_line(error)}\n"

    def urgent(self, line: str) -> str | None:
        """Obey `stop` at once, with an empty answer; None for lines that wait their turn."""
        words = line[:80].split()
        if words[:1] == ["go"]:
            self.host.requests.hear()
        if words != ["stop"]:
            return None
        self.host.requests.stop()
        return ""

    def hang_up(self) -> None:
        """Do nothing: requests that were read are answered."""

    def _hello(self, line: Message) -> str:
        if line.plain != (str(VERSION),):
            raise RulewrightError(f"this engine speaks version {VERSION}")
        return f"rulewright {VERSION} {self.host.player_name}"

    def _game(self, line: Message) -> str:
        if line.plain != (self.host.game.name,):
            raise RulewrightError(f"this engine plays {self.host.game.name}")
        self.host.open(dict(line.pairs))
        self.host.ready()
        return "ok"

    def _seed(self, line: Message) -> str:
        if len(line.plain) != 1 or not line.plain[0].isdecimal() or len(line.plain[0]) > 20:
            raise RulewrightError("`seed` takes a whole number from 0")
        self.host.reseed(int(line.plain[0]))
        return "ok"

    def _position(self, line: Message) -> str:
        if line.plain and line.plain[0] != "moves":
            raise RulewrightError("`position` takes `moves` and the decisions played so far")
        start = self.host.game.start()
        self.host.follow(start, line.plain[1:])
        return "ok"

    def _go(self, line: Message) -> str:
        number, queue = self.host.requests.begin(), self.host.requests
        line.only("time", "clock", "increment", "nodes", "depth", "memory")
        seconds, seconds_left = line.seconds("time"), line.seconds("clock")
        nodes, depth = line.whole("nodes", serving.NODES), line.whole("depth", serving.DEPTH)
        increment, memory = line.seconds("increment"), line.whole("memory", serving.MEMORY)
        if seconds is None and seconds_left is None and nodes is None and depth is None:
            seconds = _MOVE_SECONDS
        state, start = self.host.state, time.perf_counter()
        if state.over:
            raise RulewrightError(f"there is nothing to decide: the game is over ({state.result})")
        if memory is not None:
            self.host.use_memory(memory)
        clock = Clock(seconds, seconds_left, increment or 0.0)
        decision = self.host.decide(
            clock, nodes, depth, Watch(cancelled=lambda: queue.stopped >= number)
        )
        if self.host.stand_in:
            self.tell(f"info {self.host.stand_in}\n")
        seconds_gone = time.perf_counter() - start
        pairs = {"value": decision.value, "depth": decision.depth, "nodes": decision.nodes}
        settings = "".join(setting(name, value) for name, value in pairs.items())
        return f"best {decision.move}{settings}{setting('seconds', seconds_gone)}"

    def _quit(self, _: Message) -> str:
        self.has_ended = True
        return ""
