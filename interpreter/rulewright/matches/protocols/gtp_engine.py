"""An engine of the Go Text Protocol, version 2, for games whose moves are points or single words.

In: lines `[id] command arguments`.  Out: answers `=[id] text` or `?[id] message`, each followed by
an empty line.  Every mistake of a controller is answered in the words of the specification; only
`quit` and the end of the input end the engine.  Either colour may move at any time, as GTP has it:
a move out of turn is played as if the other player had been left out.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

from attrs import define, evolve, field

from rulewright import __version__
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import State
from rulewright.games.render.board_text import board_lines, plain
from rulewright.ground.disk import read_bytes
from rulewright.matches.protocols import sgf
from rulewright.matches.protocols.final_score import dead_pieces, score_of, score_rule
from rulewright.matches.protocols.gtp import GtpNotation
from rulewright.matches.protocols.gtp_positions import (
    INVALID_NUMBER,
    fixed_handicap,
    turn_of,
    with_handicap,
)
from rulewright.matches.protocols.host import GameService, less_answering
from rulewright.matches.protocols.recorded import size_options
from rulewright.matches.protocols.serving import one_line, refuse_long
from rulewright.model.board import Mask, bits
from rulewright.players.player import Clock
from rulewright.reference.position import components

_KEPT_SHARE = 0.05
"""The share of a move's time that is kept for answering."""
_MOVE_SECONDS = 1.0
"""Seconds for a move if no time is set."""
LARGEST = 1000
"""Points of a side at most; the rules may allow fewer."""
_SYNTAX, _ILLEGAL = "syntax error", "illegal move"
_STATUSES = ("alive", "seki", "dead")
_MOST_PLACED = 9
"""Handicap stones that are placed at most; a controller may ask for more."""


@define
class GtpEngine:
    """Answers a controller by the moves of a host."""

    host: GameService
    clock: Clock = field(factory=lambda: Clock(seconds=_MOVE_SECONDS))
    has_ended: bool = False
    _options: dict[str, object] = field(factory=dict)
    _moves: GtpNotation = field(init=False)
    _turned: bool = field(default=False, init=False)
    """Whether moves are given for the mirrored board."""
    _past: list[tuple[State, bool]] = field(factory=list, init=False)
    """The states before each move, with `_turned` as it was then."""
    _clocks: dict[int, Clock] = field(factory=dict)
    _dead: tuple[State, Mask] | None = field(default=None, init=False)
    """The last state whose dead pieces were asked for, and their sites."""
    commands: dict[str, Callable[[list[str]], str]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._moves = GtpNotation.of(self.host.game)
        style = self._moves.style
        self.commands = {
            "protocol_version": lambda _: "2",
            "name": lambda _: f"rulewright {self.host.game.name}",
            "version": lambda _: __version__,
            "known_command": self._knows, "list_commands": lambda _: "\n".join(self.commands),
            "quit": self._quit, "boardsize": self._size, "clear_board": self._clear,
            "play": self._play, "genmove": self._generate, "reg_genmove": self._think,
            "undo": self._undo, "showboard": self._show, "loadsgf": self._load,
            "time_settings": self._settings, "time_left": self._set_time_left,
            "final_score": self._score,
            **{name: self._option(name) for name in style.options},
        }  # fmt: skip
        if style.handicap:
            self.commands |= {
                "fixed_handicap": self._fix_handicap, "place_free_handicap": self._place_handicap,
                "set_free_handicap": self._set_handicap,
            }  # fmt: skip
        if style.dead:
            self.commands["final_status_list"] = self._status

    def answer(self, line: str) -> str:
        """Answer a line; comments and empty lines have an empty answer."""
        text = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "", line.partition("#")[0].replace("\t", " "))
        words = text.split()
        if not words:
            return ""
        number = words.pop(0) if re.fullmatch(r"[0-9]{1,40}", words[0]) else ""
        if not words:
            return f"?{number} {_SYNTAX}\n\n"
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
        if len(words) not in (1, 2) or not all(re.fullmatch(r"[0-9]+", word) for word in words):
            raise RulewrightError(_SYNTAX)
        board, game = self.host.game.rules.board, self.host.game
        sizes = [int(word) if len(word) < 9 else LARGEST + 1 for word in words]
        width, height = sizes[0], sizes[-1]
        options = size_options(game, width, height) if max(sizes) <= LARGEST else {}
        if not options and (width, height) != (board.width, board.height):
            raise RulewrightError("unacceptable size")
        try:
            self._open(self._options | options)
        except RulewrightError:
            raise RulewrightError("unacceptable size") from None
        return ""

    def _option(self, command: str) -> Callable[[list[str]], str]:
        """Make the command that sets an option of the rules, such as `komi`."""
        name = self._moves.style.options[command]

        def set_option(words: list[str]) -> str:
            if len(words) != 1 or not re.fullmatch(r"[+-]?\d{1,9}(\.\d*)?", words[0]):
                raise RulewrightError(_SYNTAX)
            value = re.sub(r"\.0*$", "", words[0].lstrip("+"))
            self._change(self._options | {name: value})
            return ""

        return set_option

    def _change(self, options: dict[str, object]) -> None:
        """Set options that leave the board as it is; so are the moves before."""
        states, turned = [*self._past, (self.host.state, self._turned)], self._turned
        self._open(options)
        if len(states) > 1 or self._has_stones(states[0][0]):
            game = self.host.game
            new = [(game.at(s.situation.position), was_turned) for s, was_turned in states]
            *self._past, (self.host.state, self._turned) = new
        self._turned = turned

    def _open(self, options: dict[str, object]) -> None:
        self.host.open(options)
        self._options, self._moves = options, GtpNotation.of(self.host.game)
        self._begin(self.host.state)

    def _begin(self, state: State) -> None:
        """Go to a state that no move leads to."""
        self.host.state, self._turned = state, False
        self._past.clear()
        self.host.ready()

    def _clear(self, _: list[str]) -> str:
        self._begin(self.host.game.start())
        self._clocks.clear()
        return ""

    def _load(self, words: list[str]) -> str:
        """Load a game up to the position before a move."""
        number = words[1] if len(words) == 2 else "1000000"
        if len(words) not in (1, 2) or not re.fullmatch(r"[0-9]{1,9}", number):
            raise RulewrightError(_SYNTAX)
        try:
            recorded = sgf.read(read_bytes(Path(words[0])), words[0], self.host.source)
            self._open(dict(recorded.game.options))
            game = self.host.game
            if recorded.is_set_up:
                self._begin(game.at(recorded.first.situation.position))
            for move in recorded.decisions[: max(int(number) - 1, 0)]:
                self._go_to(self.host.state.play(move))
        except RulewrightError:
            raise RulewrightError("cannot load file") from None
        return ""

    # --- handicap ---

    def _fix_handicap(self, words: list[str]) -> str:
        return self._handicap(fixed_handicap(self.host.game, self._stones(words)))

    def _place_handicap(self, words: list[str]) -> str:
        """Place as many stones as asked for, but no more than have points of their own."""
        count = self._stones(words)
        if not 2 <= count < self.host.game.rules.board.sites.bit_count():
            raise RulewrightError(INVALID_NUMBER)
        for fewer in range(min(count, _MOST_PLACED), 1, -1):
            try:
                return self._handicap(fixed_handicap(self.host.game, fewer))
            except RulewrightError:
                continue  # there are fixed points for fewer stones, or for none on a small board
        return self._handicap(self._chosen_points())

    def _chosen_points(self) -> list[str]:
        """Two points for handicap stones, as the player chooses them."""
        start, points = self.host.game.start(), list[str]()
        while len(points) < 2:
            move = self.host.decide(less_answering(self.clock, _KEPT_SHARE)).move
            if not self._moves.points.is_site(move):
                move = next(t for t in self.host.state.moves.texts if self._moves.points.is_site(t))
            points.append(move)
            self.host.state = turn_of(self.host.state.play(move), 0)
        self.host.state = start
        return points

    def _set_handicap(self, words: list[str]) -> str:
        self._refuse_stones()
        if not all(re.fullmatch(r"[a-z]+[0-9]+|pass", word.casefold()) for word in words):
            raise RulewrightError(_SYNTAX)
        read = self._moves.read
        self._handicap([read(word, False) if word[-1].isdigit() else "" for word in words])
        return ""

    def _handicap(self, points: list[str]) -> str:
        state = with_handicap(self.host.game, points)
        self._begin(state)
        return " ".join(self._moves.write(point, False) for point in points)

    def _stones(self, words: list[str]) -> int:
        """The number of handicap stones that is asked for on an empty board."""
        if len(words) != 1 or not re.fullmatch(r"[0-9]{1,9}", words[0]):
            raise RulewrightError(_SYNTAX)
        self._refuse_stones()
        return int(words[0])

    def _refuse_stones(self) -> None:
        if self._has_stones(self.host.state):
            raise RulewrightError("board not empty")

    @staticmethod
    def _has_stones(state: State) -> bool:
        return bool(state.situation.position.full)

    # --- moves ---

    def _play(self, words: list[str]) -> str:
        if len(words) != 2:
            raise RulewrightError(_SYNTAX)
        colour = self._colour(words[0])
        if words[1].casefold() != "resign":
            self._do(colour, words[1])
        return ""

    def _colour(self, text: str) -> int:
        """The player that a colour stands for."""
        try:
            return self._moves.colour_of(text, self._turned)
        except RulewrightError:
            raise RulewrightError(_SYNTAX) from None

    def _do(self, colour: int, text: str) -> None:
        if not re.fullmatch(r"[a-z][a-z0-9-]*", text.casefold()):
            raise RulewrightError(_SYNTAX)
        try:
            after = turn_of(self.host.state, colour).play(self._moves.read(text, self._turned))
        except RulewrightError:
            raise RulewrightError(_ILLEGAL) from None
        self._go_to(after, self._moves.turns(text))

    def _go_to(self, after: State, turns: bool = False) -> None:
        """Go to a state that a move leads to; *turns*: the board is mirrored then."""
        self._past.append((self.host.state, self._turned))
        self.host.state, self._turned = after, self._turned ^ turns

    def _think(self, words: list[str]) -> str:
        """Decide on a move without playing it."""
        if len(words) != 1:
            raise RulewrightError(_SYNTAX)
        here, colour = self.host.state, self._colour(words[0])
        clock, start = self._clocks.get(colour, self.clock), time.perf_counter()
        try:
            self.host.state = turn_of(here, colour)
            if self.host.state.over:
                raise RulewrightError(f"the game is over ({here.result})")
            decision = self.host.decide(less_answering(clock, _KEPT_SHARE))
        finally:
            self.host.state = here
        self._clocks[colour] = self._less(clock, time.perf_counter() - start)
        return self._moves.write(decision.move, self._turned)

    def _less(self, clock: Clock, seconds: float) -> Clock:
        """The clock after so many seconds; behind the main time stands that of each move."""
        if clock.reserve is None:
            return clock
        reserve, each = max(clock.reserve - seconds, 0.0), self.clock.seconds
        return Clock(each) if each is not None and reserve <= each else evolve(
            clock, reserve=reserve
        )  # fmt: skip

    def _generate(self, words: list[str]) -> str:
        text = self._think(words)
        self._do(self._colour(words[0]), text)
        return text

    def _show(self, _: list[str]) -> str:
        scene = self._moves.scene(self.host.state, self._turned)
        return "\n" + plain(board_lines(scene, marked=False))

    def _undo(self, _: list[str]) -> str:
        if not self._past:
            raise RulewrightError("cannot undo")
        self.host.state, self._turned = self._past.pop()
        return ""

    # --- the end ---

    def _score(self, _: list[str]) -> str:
        state = self.host.state
        if self._moves.style.dead:
            return self._margin(score_of(state, state.situation.position.without(self._dead_now())))
        result = state.result
        if result is None:
            raise RulewrightError("cannot score")
        if result.winner is None:
            return "0"
        if score_rule(self.host.game.rules) is not None:
            return self._margin(score_of(state, state.situation.position))
        return f"{self._letter(self.host.game.players.index(result.winner))}+"

    def _margin(self, score: float) -> str:
        """By how much who is ahead, for the score of the first player."""
        return f"{self._letter(int(score < 0))}+{abs(score):g}" if score else "0"

    def _letter(self, player: int) -> str:
        return self._moves.style.colours[player ^ self._turned][0].upper()

    def _dead_now(self) -> Mask:
        """The sites of dead pieces."""
        state = self.host.state
        if self._dead is None or self._dead[0] is not state:
            self._dead = state, dead_pieces(state)
        return self._dead[1]

    def _status(self, words: list[str]) -> str:
        """The pieces of a status, a line for each chain; what is in seki is alive here."""
        if len(words) != 1 or words[0] not in _STATUSES:
            raise RulewrightError(_SYNTAX)
        position, board = self.host.state.situation.position, self.host.game.rules.board
        dead = 0 if words[0] == "seki" else self._dead_now()
        stones = {"alive": position.full & ~dead, "seki": 0, "dead": dead}[words[0]]
        near = board.neighbours(board.steps["near"])
        chains = [c for owned in position.owned for c in components(stones & owned, near)]
        return "\n".join(
            " ".join(self._moves.write(board.names[site], self._turned) for site in bits(chain))
            for chain in chains
        )

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
        colour = self._colour(words[0] if words else "")
        seconds, stones = _numbers(words[1:], 2)
        self._clocks[colour] = Clock(seconds / stones) if stones > 0 else Clock(reserve=seconds)
        return ""


def _numbers(words: list[str], count: int) -> list[float]:
    if len(words) != count or not all(re.fullmatch(r"\d{1,9}(\.\d+)?", w) for w in words):
        raise RulewrightError(_SYNTAX)
    return [float(word) for word in words]
