"""The engine's side of GTP: what we answer to a controller.

In: lines `[id] command arguments`.  Out: answers `=[id] text` or `?[id] message`, each with an
empty line behind it.  Every mistake is answered; only `quit` and the end of the input end it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from attrs import define, evolve, field

from rulewright._version import __version__
from rulewright.errors import RulewrightError
from rulewright.players.player import Clock
from rulewright.protocols.gtp.moves import Moves
from rulewright.protocols.recorded import sized
from rulewright.protocols.serving import Host, told

_SPARE = 0.05
_MOVE = 1.0
"""Seconds for a move when nobody has set a time."""


@define
class Engine:
    """Answers a controller, playing as the host does."""

    host: Host
    clock: Clock = field(factory=lambda: Clock(seconds=_MOVE))
    done: bool = False
    _options: dict[str, object] = field(factory=dict)
    _moves: Moves = field(init=False)
    _turned: list[bool] = field(factory=lambda: [False], init=False)
    """Whether the board is told mirrored, after each decision."""
    _clocks: dict[int, Clock] = field(factory=dict)
    commands: dict[str, Callable[[list[str]], str]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._moves = Moves.of(self.host.game)
        self.commands = {
            "protocol_version": lambda _: "2",
            "name": lambda _: f"rulewright {self.host.game.name}",
            "version": lambda _: __version__,
            "known_command": self._known, "list_commands": lambda _: "\n".join(self.commands),
            "quit": self._quit, "boardsize": self._size, "clear_board": self._clear,
            "play": self._play, "genmove": self._generate, "reg_genmove": self._think,
            "undo": self._undo, "showboard": lambda _: "\n" + self.host.state.board(),
            "time_settings": self._settings, "time_left": self._left,
            "final_score": self._score,
            **{name: self._option(name) for name in self._moves.style.options},
        }  # fmt: skip

    def answer(self, line: str) -> str:
        """The answer to a line; comments and empty lines have none."""
        text = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "", line.partition("#")[0].replace("\t", " "))
        words = text.split()
        if not words:
            return ""
        number = words.pop(0) if words[0].isdecimal() else ""
        if not words:
            return f"?{number} a command is missing\n\n"
        command = self.commands.get(words[0])
        if command is None:
            return f"?{number} unknown command\n\n"
        try:
            return f"={number} {command(words[1:])}".rstrip() + "\n\n"
        except RulewrightError as error:
            return f"?{number} {told(error)}\n\n"

    # --- about the engine ---

    def _known(self, words: list[str]) -> str:
        return str(bool(words) and words[0] in self.commands).lower()

    def _quit(self, _: list[str]) -> str:
        self.done = True
        return ""

    # --- the board ---

    def _size(self, words: list[str]) -> str:
        if not words or len(words) > 2 or not all(w.isdecimal() for w in words):
            raise RulewrightError("a size is a number, or two")
        width, height = int(words[0]), int(words[-1])
        options = sized(self.host.game, width, height)
        board = self.host.game.rules.board
        if not options and (width, height) != (board.width, board.height):
            raise RulewrightError("unacceptable size")
        self._open(self._options | options)
        return ""

    def _option(self, command: str) -> Callable[[list[str]], str]:
        """What sets an option of the rules, such as `komi`."""
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
        self._options, self._moves = options, Moves.of(self.host.game)
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
        move = self._moves.read(words[1], self._turned[-1])
        self._do(move, self._moves.turns(words[1]))
        return ""

    def _must_move(self, colour: str) -> None:
        state = self.host.state
        if state.over:
            raise RulewrightError(f"the game is over ({state.result})")
        if self._moves.colour_of(colour, self._turned[-1]) != state.situation.position.mover:
            wanted = self._moves.colour(state, self._turned[-1])
            raise RulewrightError(f"illegal move: it is the turn of {wanted}")

    def _do(self, move: str, turns: bool) -> None:
        try:
            after = self.host.state.play(move)
        except RulewrightError as error:
            raise RulewrightError(f"illegal move: {error}") from None
        self._turned += [self._turned[-1] ^ turns] * (
            len(after.decisions()) - len(self.host.state.decisions())
        )
        self.host.state = after

    def _think(self, words: list[str]) -> str:
        """A move, without playing it."""
        if len(words) != 1:
            raise RulewrightError("a colour is expected")
        self._must_move(words[0])
        return self._moves.write(self._decided(), self._turned[-1])

    def _decided(self) -> str:
        mover = self.host.state.situation.position.mover
        return self.host.decide(_less(self._clocks.get(mover, self.clock))).move

    def _generate(self, words: list[str]) -> str:
        text = self._think(words)
        self._do(self._moves.read(text, self._turned[-1]), self._moves.turns(text))
        return text

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
            self.clock = Clock(seconds=_MOVE)  # how GTP says that there is no limit
        elif stones > 0:
            self.clock = Clock(byo / stones, main + byo if main > 0 else None)
        else:
            self.clock = Clock(left=main)
        return ""

    def _left(self, words: list[str]) -> str:
        colour = self._moves.colour_of(words[0] if words else "", self._turned[-1])
        left, stones = _numbers(words[1:], 2)
        clock = Clock(left / stones) if stones > 0 else Clock(left=left)
        self._clocks[colour] = clock
        return ""


def _numbers(words: list[str], count: int) -> list[float]:
    if len(words) != count or not all(re.fullmatch(r"\d{1,9}(\.\d+)?", w) for w in words):
        raise RulewrightError(f"{count} numbers are expected")
    return [float(word) for word in words]


def _less(clock: Clock) -> Clock:
    """A little is kept for answering."""

    def less(seconds: float | None) -> float | None:
        return None if seconds is None else max(0.01, seconds - max(_SPARE, _SPARE * seconds))

    return evolve(clock, seconds=less(clock.seconds), left=less(clock.left))
