"""The Go Text Protocol, version 2, both sides, for games whose moves are points or single words.

In: as an engine, lines `[id] command arguments`; as a controller, a running engine, games and
positions.  Out: as an engine, answers `=[id] text` or `?[id] message`, each followed by an empty
line; as a controller, the decisions of the engine.  Every mistake of a controller is answered; only
`quit` and the end of the input end the engine.  An engine that refuses a command, resigns or
answers what is no move fails.

After a swap that moves the piece (`swap-pieces`), moves are given for the mirrored board, and the
colours stand for the other players of the rules; then `turned` is true.  After
https://www.lysator.liu.se/~gunnar/gtp/ and, for Hex, https://www.hexwiki.net/index.php/GTP.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from attrs import define, evolve, field, frozen

from rulewright import __version__
from rulewright.errors import MoveError, RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.render.board_text import board_lines, plain
from rulewright.games.render.scene import Scene
from rulewright.games.render.scene_building import mirrored, scene_of
from rulewright.matches.protocols.formats import Gtp, formats
from rulewright.matches.protocols.host import GameService, less_answering
from rulewright.matches.protocols.points import Points
from rulewright.matches.protocols.process import Program
from rulewright.matches.protocols.recorded import size_options
from rulewright.matches.protocols.serving import one_line, refuse_long, whole_number
from rulewright.players.player import Clock, Decision, Failed, GameLimits

# --- moves and colours ---


@frozen
class GtpNotation:
    """Converts moves of a game to GTP, and back."""

    game: Game
    style: Gtp
    points: Points

    @classmethod
    def of(cls, game: Game) -> GtpNotation:
        """The notation of a game; raises `RulewrightError` if none of its moves is a point."""
        style = formats(game).gtp
        points = Points(game, skip=style.skip, words=style.words)
        if not any(points.is_site(move) for move in game.start().moves.texts):
            raise RulewrightError(f"{game.name} cannot be played by GTP: its moves are no points")
        return cls(game, style, points)

    def write(self, decision: str, turned: bool) -> str:
        """Write a decision; *turned*: for the mirrored board."""
        if decision in self.style.turned:
            return self.style.turned[decision]
        return self.points.write(decision, turned)

    def read(self, text: str, turned: bool) -> str:
        """Read the decision that a text stands for; it need not be legal."""
        word = text.casefold()
        for decision, turned_text in self.style.turned.items():
            if word == turned_text:
                return decision
        return self.points.read(word, turned)

    def turns(self, text: str) -> bool:
        """Whether the moves after this one are given for the mirrored board."""
        return text.casefold() in self.style.turned.values()

    def scene(self, state: State, turned: bool) -> Scene:
        """The scene of a position in GTP's names of columns; *turned*: mirrored."""
        scene = scene_of(self.game.play, state.situation.position)
        if scene.columns:
            scene = evolve(scene, columns=self.points.columns(scene.columns))
        return mirrored(scene, self.game.rules) if turned else scene

    def colour(self, state: State, turned: bool) -> str:
        """The colour to move."""
        return self.style.colours[state.situation.position.mover ^ turned]

    def colour_of(self, text: str, turned: bool) -> int:
        """The player of the rules that a colour stands for; raises `RulewrightError`."""
        word = text.casefold()
        for number, name in enumerate(self.style.colours):
            if word in (name, name[0]):
                return number ^ turned
            if word == self.game.players[number]:
                return number
        raise RulewrightError(f"`{text[:40]}` is no colour: {', '.join(self.style.colours)}")


# --- the controller ---


@define
class GtpController:
    """Controls an engine; remembers the moves that it was sent."""

    farewell: tuple[str, ...] = ("quit",)
    _moves: GtpNotation | None = field(default=None, init=False)
    _sent: list[str] = field(factory=list, init=False)
    _turned: list[bool] = field(factory=lambda: [False], init=False)

    def begin(
        self, program: Program, game: Game, limits: GameLimits, seed: int, deadline: float
    ) -> None:
        """Send boardsize, options, clear_board and time_settings."""
        try:
            self._moves = GtpNotation.of(game)
        except RulewrightError as error:
            raise Failed("crash", str(error)) from None
        self._sent, self._turned = [], [False]
        board = game.rules.board
        square = board.width == board.height
        size = f"{board.width}" if square else f"{board.width} {board.height}"
        _ask(program, f"boardsize {size}", deadline)
        for command, option in self._moves.style.options.items():
            _ask(program, f"{command} {game.options[option]}", deadline)
        _ask(program, "clear_board", deadline)
        if limits.seconds is not None or limits.clock is not None:
            main = 0 if limits.clock is None else limits.clock
            stones = f"{limits.seconds:g} 1" if limits.clock is None else "0 0"
            _ask(program, f"time_settings {main:g} {stones}", deadline, may_refuse=True)

    def ask(self, program: Program, state: State, clock: Clock, deadline: float) -> Decision:
        """Send the moves played since, and ask for a decision."""
        assert self._moves is not None
        way = state.states()
        common = 0
        moves = [after.move for after in way[1:]]
        while common < min(len(moves), len(self._sent)) and moves[common] == self._sent[common]:
            common += 1
        for _ in self._sent[common:]:
            _ask(program, "undo", deadline)
        self._sent, self._turned = self._sent[:common], self._turned[: common + 1]
        for before, after in zip(way[common:], way[common + 1 :], strict=False):
            colour = self._moves.colour(before, self._turned[-1])
            text = self._moves.write(after.move, self._turned[-1])
            _ask(program, f"play {colour} {text}", deadline, refusing="refused")
            self._remember(after.move, text)
        return self._generate(program, state, clock, deadline)

    def _remember(self, move: str, text: str) -> None:
        assert self._moves is not None
        self._sent.append(move)
        self._turned.append(self._turned[-1] ^ self._moves.turns(text))

    def _generate(self, program: Program, state: State, clock: Clock, deadline: float) -> Decision:
        assert self._moves is not None
        colour = self._moves.colour(state, self._turned[-1])
        if clock.reserve is not None:
            _ask(program, f"time_left {colour} {int(clock.reserve)} 0", deadline, may_refuse=True)
        text = _ask(program, f"genmove {colour}", deadline)
        if text.casefold() == "resign":
            raise Failed("illegal", "resigns")
        move = self._moves.read(text, self._turned[-1])
        if move not in state.moves:
            raise Failed("illegal", f"answers `{text[:80]}`, which is no legal decision here")
        self._remember(move, text)
        return Decision(move)


def _ask(
    program: Program, command: str, deadline: float, may_refuse: bool = False,
    refusing: str = "crash",
) -> str:  # fmt: skip
    """Send a command and return the first line of the answer.

    If the engine refuses the command, raises `Failed` with the reason *refusing*, or returns an
    empty answer if it *may_refuse*.
    """
    program.say(command)
    while True:
        line = program.hear(deadline)
        if line.startswith("="):
            return line[1:].strip()
        if line.startswith("?"):
            if may_refuse:
                return ""
            raise Failed(refusing, f"refuses `{command}`: {line[1:].strip()[:200]}")


# --- the engine ---


_KEPT_SHARE = 0.05
"""The share of a move's time that is kept for answering."""
_MOVE_SECONDS = 1.0
"""Seconds for a move if no time is set."""
LARGEST = 1000
"""Points of a side at most; the rules may allow fewer."""


@define
class GtpEngine:
    """Answers a controller by the moves of a host."""

    host: GameService
    clock: Clock = field(factory=lambda: Clock(seconds=_MOVE_SECONDS))
    has_ended: bool = False
    _options: dict[str, object] = field(factory=dict)
    _moves: GtpNotation = field(init=False)
    _turned: list[bool] = field(factory=lambda: [False], init=False)
    """For each state since the start, whether moves are given for the mirrored board."""
    _clocks: dict[int, Clock] = field(factory=dict)
    commands: dict[str, Callable[[list[str]], str]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._moves = GtpNotation.of(self.host.game)
        self.commands = {
            "protocol_version": lambda _: "2",
            "name": lambda _: f"rulewright {self.host.game.name}",
            "version": lambda _: __version__,
            "known_command": self._knows, "list_commands": lambda _: "\n".join(self.commands),
            "quit": self._quit, "boardsize": self._size, "clear_board": self._clear,
            "play": self._play, "genmove": self._generate, "reg_genmove": self._think,
            "undo": self._undo, "showboard": self._show,
            "time_settings": self._settings, "time_left": self._set_time_left,
            "final_score": self._score,
            **{name: self._option(name) for name in self._moves.style.options},
        }  # fmt: skip

    def answer(self, line: str) -> str:
        """Answer a line; comments and empty lines have an empty answer."""
        text = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "", line.partition("#")[0].replace("\t", " "))
        words = text.split()
        if not words:
            return ""
        number = words.pop(0) if re.fullmatch(r"[0-9]{1,40}", words[0]) else ""
        if not words:
            return f"?{number} a command is missing\n\n"
        command = self.commands.get(words[0])
        if command is None:
            return f"?{number} unknown command\n\n"
        try:
            refuse_long(line)
            return f"={number} {command(words[1:])}".rstrip() + "\n\n"
        except RulewrightError as error:
            return f"?{number} {one_line(error)}\n\n"

    # --- about the engine ---

    def _knows(self, words: list[str]) -> str:
        return str(bool(words) and words[0] in self.commands).lower()

    def _quit(self, _: list[str]) -> str:
        self.has_ended = True
        return ""

    # --- the board ---

    def _size(self, words: list[str]) -> str:
        if len(words) not in (1, 2):
            raise RulewrightError("a size is a whole number, or two")
        width, height = (whole_number(words[i], "a size", 1, LARGEST) for i in (0, -1))
        options = size_options(self.host.game, width, height)
        board = self.host.game.rules.board
        if not options and (width, height) != (board.width, board.height):
            raise RulewrightError("unacceptable size")
        self._open(self._options | options)
        return ""

    def _option(self, command: str) -> Callable[[list[str]], str]:
        """Make the command that sets an option of the rules, such as `komi`."""
        name = self._moves.style.options[command]

        def set_option(words: list[str]) -> str:
            if len(words) != 1:
                raise RulewrightError(f"{command} takes a number")
            if self.host.state.decisions():
                raise RulewrightError(f"{command} is set before the first move")
            self._open(self._options | {name: re.sub(r"\.0*$", "", words[0])})
            return ""

        return set_option

    def _open(self, options: dict[str, object]) -> None:
        self.host.open(options)
        self._options, self._moves = options, GtpNotation.of(self.host.game)
        self._turned = [False]
        self.host.ready()

    def _clear(self, _: list[str]) -> str:
        self.host.state = self.host.game.start()
        self._turned = [False]
        self._clocks.clear()
        self.host.ready()
        return ""

    # --- moves ---

    def _play(self, words: list[str]) -> str:
        if len(words) != 2:
            raise RulewrightError("a move is a colour and a point")
        self._must_move(words[0])
        if words[1].casefold() == "resign":
            return ""
        self._do(words[1])
        return ""

    def _must_move(self, colour: str) -> None:
        state = self.host.state
        if state.over:
            raise RulewrightError(f"the game is over ({state.result})")
        if self._moves.colour_of(colour, self._turned[-1]) != state.situation.position.mover:
            mover = self._moves.colour(state, self._turned[-1])
            raise RulewrightError(f"illegal move: it is the turn of {mover}")

    def _do(self, text: str) -> None:
        move, turns = self._moves.read(text, self._turned[-1]), self._moves.turns(text)
        try:
            after = self.host.state.play(move)
        except MoveError:  # which names points as the rules do
            colour = self._moves.colour(self.host.state, self._turned[-1])
            raise RulewrightError(
                f"illegal move: `{text[:40]}` is not legal for {colour}"
            ) from None
        except RulewrightError as error:
            raise RulewrightError(f"illegal move: {error}") from None
        new = len(after.decisions()) - len(self.host.state.decisions())
        self._turned += [self._turned[-1] ^ turns] * new
        self.host.state = after

    def _think(self, words: list[str]) -> str:
        """Decide on a move without playing it."""
        if len(words) != 1:
            raise RulewrightError("a colour is expected")
        self._must_move(words[0])
        clock = self._clocks.get(self.host.state.situation.position.mover, self.clock)
        decision = self.host.decide(less_answering(clock, _KEPT_SHARE))
        return self._moves.write(decision.move, self._turned[-1])

    def _generate(self, words: list[str]) -> str:
        text = self._think(words)
        self._do(text)
        return text

    def _show(self, _: list[str]) -> str:
        scene = self._moves.scene(self.host.state, self._turned[-1])
        return "\n" + plain(board_lines(scene, marked=False))

    def _undo(self, _: list[str]) -> str:
        if self.host.state.before is None:
            raise RulewrightError("cannot undo")
        self.host.state = self.host.state.before
        self._turned.pop()
        return ""

    def _score(self, _: list[str]) -> str:
        result = self.host.state.result
        if result is None:
            raise RulewrightError("cannot score: the game is not over")
        if result.winner is None:
            return "0"
        winner = self.host.game.players.index(result.winner) ^ self._turned[-1]
        return f"{self._moves.style.colours[winner][0].upper()}+"

    # --- time ---

    def _settings(self, words: list[str]) -> str:
        main, byo, stones = _numbers(words, 3)
        self._clocks.clear()
        if main <= 0 and stones <= 0 < byo:
            self.clock = Clock(seconds=_MOVE_SECONDS)  # how GTP says that there is no limit
        elif stones > 0:
            self.clock = Clock(byo / stones, main + byo if main > 0 else None)
        else:
            self.clock = Clock(reserve=main)
        return ""

    def _set_time_left(self, words: list[str]) -> str:
        colour = self._moves.colour_of(words[0] if words else "", self._turned[-1])
        seconds, stones = _numbers(words[1:], 2)
        clock = Clock(seconds / stones) if stones > 0 else Clock(reserve=seconds)
        self._clocks[colour] = clock
        return ""


def _numbers(words: list[str], count: int) -> list[float]:
    if len(words) != count or not all(re.fullmatch(r"\d{1,9}(\.\d+)?", w) for w in words):
        raise RulewrightError(f"{count} numbers are expected")
    return [float(word) for word in words]
