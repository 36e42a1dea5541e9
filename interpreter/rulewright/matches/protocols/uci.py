"""A controller of the Universal Chess Interface, for chess and for games that are written like it.

In: a running engine, games and positions.  Out: the decisions of the engine.  An engine that
answers what is no move fails.  After https://backscattering.de/chess/uci/.

What FEN and moves look like is the game's to say, see `fen.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise

from attrs import define, field, frozen

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.matches.protocols import serving
from rulewright.matches.protocols.fen import Fen, UciNotation
from rulewright.matches.protocols.format_settings import formats
from rulewright.matches.protocols.process import Program
from rulewright.players.player import Clock, Decision, Failed, GameLimits

NO_MOVE = "0000"
"""The move of a position without moves."""
_HUNDREDTHS = 100
"""Hundredths of a pawn that a win counts where results alone are values."""

# --- the controller ---


@define
class UciController:
    """Controls an engine; `options` are set before its first game."""

    options: Mapping[str, str] = field(factory=dict)
    farewell: tuple[str, ...] = ("quit",)
    _limits: GameLimits = field(factory=GameLimits, init=False)
    _offered: list[str] | None = field(default=None, init=False)
    _moves: UciNotation | None = field(default=None, init=False)

    def begin(
        self, program: Program, game: Game, limits: GameLimits, seed: int, deadline: float
    ) -> None:
        """Greet the engine, set its options, and begin a game."""
        self._limits, self._moves = limits, UciNotation(formats(game).uci)
        if self._offered is None:
            self._offered = _offered(program, deadline)
            self._set("Hash", str(limits.memory), program, must=False)
            for name, value in self.options.items():
                self._set(name, value, program)
        program.say("ucinewgame", "isready")
        _hear(program, "readyok", deadline)

    def _set(self, name: str, value: str, program: Program, must: bool = True) -> None:
        """Set an option that the engine offers."""
        names = {option.casefold(): option for option in self._offered or ()}
        if name.casefold() in names:
            program.say(f"setoption name {names[name.casefold()]} value {value}")
        elif must:
            raise Failed("crash", f"has no option `{name}`: {', '.join(names.values()) or 'none'}")

    def ask(self, program: Program, state: State, clock: Clock, deadline: float) -> Decision:
        """Send all decisions played and the limits, and read the engine's decision."""
        assert self._moves is not None
        moves = [self._moves.write(move) for move in state.decisions()]
        first = state.states()[0]
        start = first.game.start()
        is_start = first.situation.position == start.situation.position
        start_words = "startpos" if is_start else f"fen {Fen(state.game).write(first)}"
        program.say(" ".join(["position", start_words, *(["moves", *moves] if moves else [])]))
        program.say(" ".join(["go", *self._go(state, clock)]))
        last_info = dict[str, float]()
        while True:
            word, *rest = program.hear(deadline).split() or [""]
            if word == "info":
                last_info |= _information(rest)
            elif word == "bestmove":
                return self._decision(rest, state, last_info)

    def _decision(self, words: list[str], state: State, info: dict[str, float]) -> Decision:
        assert self._moves is not None
        if not words or words[0] in (NO_MOVE, "(none)"):
            raise Failed("illegal", "answers no move")
        move = self._moves.read(words[0], state)
        if move not in state.moves:
            raise Failed("illegal", f"answers `{words[0][:80]}`, which is no legal decision here")
        depth, nodes = info.get("depth"), info.get("nodes")
        return Decision(
            move, info.get("score"), None if depth is None else int(depth),
            None if nodes is None else int(nodes),
        )  # fmt: skip

    def _go(self, state: State, clock: Clock) -> list[str]:
        """The arguments of `go`: the limits of a decision."""
        words = []
        limits = self._limits
        if limits.depth is not None:
            words += ["depth", str(limits.depth)]
        if limits.nodes is not None:
            words += ["nodes", str(limits.nodes)]
        if clock.seconds is not None:
            words += ["movetime", _thousandths(clock.seconds)]
        elif clock.reserve is not None:
            remainder, increment = _thousandths(clock.reserve), _thousandths(clock.increment)
            words += ["wtime", remainder, "btime", remainder, "winc", increment, "binc", increment]
        return words or ["movetime", "1000"]


def _thousandths(seconds: float) -> str:
    return str(max(1, int(1000 * seconds)))


def _offered(program: Program, deadline: float) -> list[str]:
    """The names of the options that an engine offers."""
    program.say("uci")
    names = []
    while True:
        line = program.hear(deadline)
        option = re.match(r"option\s+name\s+(.+?)\s+type\s", line)
        if option:
            names.append(option[1])
        if line.split()[:1] == ["uciok"]:
            return names


def _hear(program: Program, word: str, deadline: float) -> None:
    """Skip lines up to the first that begins with a word."""
    while program.hear(deadline).split()[:1] != [word]:
        pass


def _information(words: list[str]) -> dict[str, float]:
    """Read the numbers of an `info` line: depth, nodes, and the score (a mate as about 100,000)."""
    numbers = dict[str, float]()
    if words[:1] == ["string"]:
        return numbers
    for name, value in pairwise(words):
        if re.fullmatch(r"-?\d{1,15}", value) and name in ("depth", "nodes", "cp"):
            numbers["score" if name == "cp" else name] = float(value)
        elif re.fullmatch(r"-?\d{1,6}", value) and name == "mate":
            numbers["score"] = (100_000.0 - abs(int(value))) * (-1 if value.startswith("-") else 1)
        elif name == "pv":
            break
    return numbers


# --- options of an engine ---


@frozen
class EngineOption:
    """An option as `uci` describes it, and what sets it."""

    kind: str
    use: Callable[[str], None]


def spin(noun: str, value: int, low: int, high: int, use: Callable[[int], None]) -> EngineOption:
    """An option that is a whole number."""

    def read(text: str) -> None:
        use(serving.whole_number(text, noun, low, high))

    return EngineOption(f"spin default {value} min {low} max {high}", read)


def check(value: bool, use: Callable[[bool], None]) -> EngineOption:
    """An option that is true or false."""

    def read(text: str) -> None:
        if text not in ("true", "false"):
            raise RulewrightError(f"`{text[:40]}` is neither true nor false")
        use(text == "true")

    return EngineOption(f"check default {str(value).lower()}", read)


def choices(value: str, names: Iterable[str]) -> str:
    """An option that is one of several words."""
    return " ".join([f"combo default {value}", *(f"var {name}" for name in names)])
