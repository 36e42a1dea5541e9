"""The protocol of Gomocup, both sides: for games in which a turn puts one piece on a rectangle.

In: as a brain, lines of a manager; as a manager, a running brain, games and positions.  Out: as a
brain, answers; as a manager, the decisions of the brain.  A brain answers UNKNOWN to unknown
commands and ERROR with the reason to those that fail; it keeps to timeout_turn, timeout_match,
time_left and max_memory.  A manager refuses other games, and a brain that answers ERROR, UNKNOWN or
no field fails.  After https://plastovicka.github.io/protocl2en.htm.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from attrs import define, field

from rulewright import __version__
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.ground.printable import amount
from rulewright.matches.protocols.format_settings import Options, formats
from rulewright.matches.protocols.host import GameService, less_answering
from rulewright.matches.protocols.process import Program
from rulewright.matches.protocols.recorded import size_options
from rulewright.matches.protocols.serving import one_line, refuse_long, whole_number
from rulewright.model.rules import OneMove
from rulewright.players.player import Clock, Decision, Failed, GameLimits
from rulewright.search.results import refuse_seats

# --- fields: `x,y` from the left top corner, from 0 ---


_FIELD = re.compile(r"\s*(\d{1,4})\s*,\s*(\d{1,4})\s*")
_WHOLE = re.compile(r"-?\d{1,18}")
"""Matches a whole number as managers send it."""


def refuse_other_games(game: Game) -> None:
    """Raise `RulewrightError` unless a turn of *game* puts one piece on a field of a rectangle."""
    refuse_seats(game.rules, "Gomocup's protocol")
    board = game.rules.board
    single = isinstance(game.rules.course, OneMove)
    if not board.is_square or not single or not set(game.start().moves.texts) <= set(board.by_name):
        message = f"{game.name} cannot be played by Gomocup's protocol"
        raise RulewrightError(f"{message}: its turns are not one piece on a rectangle")


def field_of(game: Game, decision: str) -> str:
    """The field of a decision."""
    board = game.rules.board
    site = board.by_name[decision]
    return f"{board.columns[site]},{board.rows[site]}"


def decision_at(game: Game, text: str) -> str | None:
    """Read the decision of a field; None if the text is no field of the board."""
    match = _FIELD.fullmatch(text)
    board = game.rules.board
    site = board.at(int(match[1]), int(match[2])) if match else -1
    return board.names[site] if site >= 0 else None


def rule_of(game: Game) -> str | None:
    """The number of `INFO rule` for the options of *game*; None if there is none."""
    for number, options in formats(game).gomocup.rules.items():
        if all(game.options[name] == value for name, value in options.items()):
            return number
    return None


def stones(state: State) -> list[str]:
    """The lines between BOARD and DONE: 1 is a piece of the player to move, 2 of the opponent."""
    mover = state.situation.position.mover
    lines = []
    for after in state.states()[1:]:
        assert after.before is not None
        own = after.before.situation.position.mover == mover
        lines.append(f"{field_of(state.game, after.move)},{1 if own else 2}")
    return lines


# --- the manager ---


_REMARKS = ("MESSAGE", "DEBUG")
_MILLISECONDS = 1000
_NO_LIMIT = 2**31 - 1
_MEBIBYTE = 1 << 20


@define
class GomocupManager:
    """Controls a brain; remembers the moves that it was sent."""

    farewell: tuple[str, ...] = ("END",)
    _sent: list[str] | None = field(default=None, init=False)
    """The decisions that the brain was sent; None before it has a board."""

    def begin(
        self, program: Program, game: Game, limits: GameLimits, seed: int, deadline: float
    ) -> None:
        """Send START or RECTSTART, and the limits."""
        try:
            refuse_other_games(game)
        except RulewrightError as error:
            raise Failed("crash", str(error)) from None
        width, height = game.rules.board.width, game.rules.board.height
        program.say(f"START {width}" if width == height else f"RECTSTART {width},{height}")
        answer = _answer(program, deadline)
        if not answer.upper().startswith("OK"):
            raise Failed("crash", f"refuses the board: {answer}")
        program.say(*_infos(game, limits))
        self._sent = []

    def ask(self, program: Program, state: State, clock: Clock, deadline: float) -> Decision:
        """Send BEGIN, TURN, or BOARD if the brain knows other moves, and read the decision."""
        game, way = state.game, state.decisions()
        span = _NO_LIMIT if clock.reserve is None else max(0, round(clock.reserve * _MILLISECONDS))
        program.say(f"INFO time_left {span}")
        if not way:
            program.say("BEGIN")
        elif self._sent == way[:-1]:
            program.say(f"TURN {field_of(game, way[-1])}")
        else:
            if self._sent:
                program.say("RESTART")
                _answer(program, deadline)
            program.say("BOARD", *stones(state), "DONE")
        answer = _answer(program, deadline)
        if answer.upper().startswith("SUGGEST"):
            program.say(f"PLAY {answer[len('SUGGEST') :].strip()}")
            answer = _answer(program, deadline)
        move = decision_at(game, answer)
        if move is None:
            error = answer.upper().startswith(("ERROR", "UNKNOWN"))
            reason = "illegal" if not error else "refused" if way else "crash"
            raise Failed(reason, f"answers `{answer[:80]}` instead of a field")
        self._sent = [*way, move]
        return Decision(move)


def _answer(program: Program, deadline: float) -> str:
    """The next line that is no remark."""
    while True:
        line = program.hear(deadline)
        if not line.upper().startswith(_REMARKS):
            return line


def _infos(game: Game, limits: GameLimits) -> list[str]:
    """The lines INFO before the first move; times in milliseconds, memory in bytes."""
    turn, whole = limits.seconds or limits.clock, limits.clock
    settings = {
        "timeout_turn": round(turn * _MILLISECONDS) if turn else _NO_LIMIT,
        "timeout_match": round(whole * _MILLISECONDS) if whole else 0,
        "max_memory": limits.memory * _MEBIBYTE,
        "game_type": 1,
        "rule": rule_of(game) or 0,
    }
    return [f"INFO {name} {value}" for name, value in settings.items()]


# --- the brain ---


_OWN_MIB = 160
"""MiB that a running brain takes without tables."""
_MOST_MIB = 1024
LARGEST = 1000
"""Fields of a side at most; the rules may allow fewer."""
_KEPT_SHARE = 0.1
"""The share of a turn's time that is kept for answering."""
_SWAP_OPENING = ((0, 0), (1, 0), (2, 2))
"""The stones of an opening for SWAP2BOARD, from the middle: those that its text has as example."""


@define
class GomocupBrain:
    """Speaks Gomocup's protocol to a manager such as Piskvork; the moves are those of *host*."""

    host: GameService
    has_ended: bool = False
    _started: bool = False
    _rule: dict[str, object] = field(factory=dict)
    _size: tuple[int, int] = (0, 0)
    _refused_rule: str = ""
    """The number of the last rule that was asked for, if the game does not have it."""
    _board: list[str] | None = None
    """The lines since BOARD, no more than the board has fields; None outside of BOARD."""
    _swapping: bool = False
    """Whether these are the lines of SWAP2BOARD."""
    _times: dict[str, int] = field(
        factory=lambda: {"timeout_turn": 30_000, "timeout_match": 0, "time_left": _NO_LIMIT}
    )
    _notes: list[str] = field(factory=list)

    def answer(self, line: str) -> str:
        """Answer a line; lines of a board are collected until DONE."""
        if not line:
            return ""
        self._notes.clear()
        try:
            refuse_long(line)
            reply = self._reply(line)
        except RulewrightError as error:
            reply = f"ERROR {one_line(error)}"
        return "".join(f"{text}\n" for text in (*self._notes, reply) if text)

    def _reply(self, line: str) -> str:
        if self._board is not None:
            return self._collect(line)
        word, _, rest = line.partition(" ")
        commands: dict[str, Callable[[str], str]] = {
            "START": self._start, "RECTSTART": self._start, "RESTART": self._restart,
            "BEGIN": self._begin, "TURN": self._turn, "BOARD": self._open_board,
            "TAKEBACK": self._take_back, "PLAY": self._play, "INFO": self._info,
            "SWAP2BOARD": self._open_swap, "ABOUT": self._about, "END": self._end,
        }  # fmt: skip
        command = commands.get(word.upper())
        return command(rest.strip()) if command else f"UNKNOWN {word[:40]}"

    # --- beginning and ending ---

    def _start(self, text: str) -> str:
        words = [word.strip() for word in text.split(",")]
        if len(words) > 2:
            raise RulewrightError(f"a size is a whole number, or two, not {text[:40]}")
        width, height = (whole_number(words[i], "a size", 1, LARGEST) for i in (0, -1))
        self._load((width, height))
        self._started = True
        return "OK"

    def _load(self, size: tuple[int, int]) -> None:
        """Load the game on a board, and compile it for every rule that the manager may set."""
        self._open(size, self._rule)
        self.host.ready()  # so that no turn waits for the compiler
        game, rules = self.host.game, formats(self.host.game).gomocup.rules.values()
        other_rules = [r for r in rules if any(game.options[name] != r[name] for name in r)]
        for rule in other_rules:
            self._open(size, rule)
            self.host.ready()
        if other_rules:
            self._open(size, self._rule)
        self._size = size

    def _open(self, size: tuple[int, int], rule: Mapping[str, object]) -> None:
        """Load the game on a board, by a rule."""
        width, height = size
        options, board = size_options(self.host.game, width, height), self.host.game.rules.board
        if not options and (board.width, board.height) != size:
            raise RulewrightError(f"{self.host.game.name} has no board of {width} by {height}")
        self.host.open({**rule, **options})

    def _restart(self, _: str) -> str:
        if not self._started:
            raise RulewrightError("there is no board; send START first")
        self.host.state = self.host.game.start()
        return "OK"

    def _must_run(self) -> None:
        if not self._started:
            raise RulewrightError("there is no board; send START first")
        if self._refused_rule:
            numbers = ", ".join(formats(self.host.game).gomocup.rules) or "none"
            message = f"rule {self._refused_rule} is not played here, only {numbers}"
            raise RulewrightError(message)

    def _end(self, _: str) -> str:
        self.has_ended = True
        return ""

    @staticmethod
    def _about(_: str) -> str:
        return f'name="rulewright", version="{__version__}", author="the rulewright authors"'

    # --- moves ---

    def _begin(self, _: str) -> str:
        self._must_run()
        if self.host.state.decisions():
            raise RulewrightError("the board is not empty")
        return self._move()

    def _turn(self, text: str) -> str:
        self._must_run()
        self.host.state = self.host.state.play(self._field(text))
        return self._move()

    def _field(self, text: str) -> str:
        decision = decision_at(self.host.game, text)
        if decision is None:
            raise RulewrightError(f"`{text[:40]}` is no field of this board")
        return decision

    def _move(self) -> str:
        """Decide on a move, play it, and answer with it; raises `RulewrightError` at the end."""
        self._refuse_end()
        move = self.host.decide(self._clock()).move
        if self.host.stand_in:
            self._notes.append(f"MESSAGE {self.host.stand_in}")
        return self._play(field_of(self.host.game, move))

    def _refuse_end(self) -> None:
        if self.host.state.over:
            raise RulewrightError(f"the game is over ({self.host.state.result})")

    def _play(self, text: str) -> str:
        self._must_run()
        move = self._field(text)
        self.host.state = self.host.state.play(move)
        return field_of(self.host.game, move)

    def _take_back(self, text: str) -> str:
        self._must_run()
        state = self.host.state
        if state.before is None or state.move != self._field(text):
            raise RulewrightError(f"the last move was not {text}")
        self.host.state = state.before
        return "OK"

    # --- whole boards ---

    def _open_board(self, _: str) -> str:
        self._board, self._swapping = [], False
        return ""

    def _open_swap(self, _: str) -> str:
        self._board, self._swapping = [], True
        return ""

    def _collect(self, line: str) -> str:
        assert self._board is not None
        most = self.host.game.rules.board.sites.bit_count()
        if line.upper() != "DONE":
            self._board += [line] if len(self._board) <= most else []
            return ""
        lines, self._board = self._board, None
        self._must_run()
        if self._swapping:
            return self._swap(lines)
        if len(lines) > most:
            raise RulewrightError(f"more than {most} pieces on a board of {amount(most, 'field')}")
        self.host.state = self._position(lines)
        return self._move()

    def _swap(self, lines: list[str]) -> str:
        """Answer to SWAP2BOARD: three stones, or for three or five ones SWAP or the next stone.

        The stones are of both colours in turn.  Who would have to put the next one swaps if that is
        the worse side.
        """
        state, board = self.host.game.start(), self.host.game.rules.board
        if not lines:
            middle = board.width // 2, board.height // 2
            sites = (board.at(middle[0] + x, middle[1] + y) for x, y in _SWAP_OPENING)
            return " ".join(field_of(self.host.game, board.names[site]) for site in sites)
        if len(lines) not in (3, 5):
            raise RulewrightError(f"{amount(len(lines), 'stone')}: SWAP2BOARD has none, 3 or 5")
        for line in lines:
            state = state.play(self._field(line))
        self.host.state = state
        self._refuse_end()
        decision = self.host.decide(self._clock())
        if (decision.value or 0) < 0:
            return "SWAP"
        return field_of(self.host.game, decision.move)

    def _position(self, lines: list[str]) -> State:
        """Play the pieces of lines `x,y,who`: both sides in turn, each in its own order."""
        sides: dict[str, list[str]] = {"1": [], "2": []}
        for line in lines:
            point, _, side = line.rpartition(",")
            if side.strip() not in sides:
                raise RulewrightError(f"`{line[:40]}`: 1 is an own piece, 2 one of the other")
            sides[side.strip()].append(self._field(point))
        own, enemy = sides["1"], sides["2"]
        if len(enemy) - len(own) not in (0, 1):
            raise RulewrightError(
                f"{len(own)} own and {amount(len(enemy), 'other piece')}: not our turn"
            )
        first, second = (enemy, own) if len(enemy) > len(own) else (own, enemy)
        state = self.host.game.start()
        for number in range(len(lines)):
            state = state.play((first, second)[number % 2][number // 2])
        return state

    # --- settings ---

    def _info(self, text: str) -> str:
        name, _, value = text.partition(" ")
        name, value = name.casefold(), value.strip()
        if name in (*self._times, "max_memory") and _WHOLE.fullmatch(value):
            number = int(value)
            if name == "max_memory":
                self._memory(number)
            else:
                self._times[name] = number
        elif name == "rule":
            self._set_rule(value)
        return ""  # INFO has no answer, and unknown settings are ignored

    def _set_rule(self, value: str) -> None:
        rules = formats(self.host.game).gomocup.rules
        options: Options | None = rules.get(value)
        self._refused_rule = value[:20] if options is None else ""
        if options is None:
            self._notes.append(f"MESSAGE rule {value[:20]} is not played here")
            return
        self._rule = dict(options)
        if self._started and not self.host.state.decisions():
            self._open(self._size, self._rule)
            self.host.ready()

    def _memory(self, limit: int) -> None:
        """Give tables what *limit* bytes leave besides the program itself; 64 MiB for 0."""
        room = limit // 2**20 - _OWN_MIB
        if limit > 0 and room < 1:
            self._notes.append(f"MESSAGE less than {_OWN_MIB} MiB are too little for this program")
        try:
            self.host.use_memory(min(max(room, 1), _MOST_MIB) if limit > 0 else 64)
        except RulewrightError as error:
            self._notes.append(f"MESSAGE {one_line(error)}")
        if self._started:
            self.host.ready()

    def _clock(self) -> Clock:
        """The clock of this move, without the time kept for answering."""
        turn = self._times["timeout_turn"] / 1000
        milliseconds = self._times["time_left"]
        whole = self._times["timeout_match"] > 0 or milliseconds < _NO_LIMIT
        clock = Clock(turn, milliseconds / 1000 if whole and milliseconds < _NO_LIMIT else None)
        return less_answering(clock, _KEPT_SHARE)
