"""The brain's side of Gomocup's protocol: what we answer to a manager.

In: lines of a manager.  Out: answers.  Understands START, RECTSTART, RESTART, BEGIN, TURN, BOARD,
TAKEBACK, PLAY, INFO, ABOUT and END; answers UNKNOWN to other words, and ERROR with the reason to
what cannot be done.  Holds timeout_turn, timeout_match, time_left and max_memory.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field

from rulewright._version import __version__
from rulewright.engine.game import State
from rulewright.errors import RulewrightError
from rulewright.players.player import Clock
from rulewright.protocols.formats import Options, formats
from rulewright.protocols.gomocup import board
from rulewright.protocols.recorded import sized
from rulewright.protocols.serving import Host, told

_EVER = 2**31 - 1
_BASE = 160
"""MiB that a running brain takes before it has any table."""
_MOST = 1024
_SPARE, _SHARE = 0.05, 0.1
"""Seconds, or the share of a turn, that answering may take besides thinking."""


@define
class Brain:
    """Answers a manager, playing as the host does."""

    host: Host
    done: bool = False
    _started: bool = False
    _rule: dict[str, object] = field(factory=dict)
    _size: tuple[int, int] = (0, 0)
    _board: list[str] | None = None
    """The lines after BOARD, while they come."""
    _times: dict[str, int] = field(
        factory=lambda: {"timeout_turn": 30_000, "timeout_match": 0, "time_left": _EVER}
    )
    _notes: list[str] = field(factory=list)

    def answer(self, line: str) -> str:
        """The answer to a line; lines of a board are collected until DONE."""
        if not line:
            return ""
        self._notes.clear()
        try:
            said = self._said(line)
        except RulewrightError as error:
            said = f"ERROR {told(error)}"
        return "".join(f"{text}\n" for text in (*self._notes, said) if text)

    def _said(self, line: str) -> str:
        if self._board is not None:
            return self._collect(line)
        word, _, rest = line.partition(" ")
        commands: dict[str, Callable[[str], str]] = {
            "START": self._start, "RECTSTART": self._start, "RESTART": self._restart,
            "BEGIN": self._begin, "TURN": self._turn, "BOARD": self._open_board,
            "TAKEBACK": self._take_back, "PLAY": self._play, "INFO": self._info,
            "ABOUT": self._about, "END": self._end,
        }  # fmt: skip
        command = commands.get(word.upper())
        return command(rest.strip()) if command else f"UNKNOWN {word[:40]}"

    # --- beginning and ending ---

    def _start(self, text: str) -> str:
        numbers = text.split(",")
        if not all(n.strip().isdecimal() for n in numbers) or len(numbers) > 2:
            raise RulewrightError(f"a size is a number, or two, not {text}")
        self._size = (int(numbers[0]), int(numbers[-1]))
        self._load()
        self.host.ready()
        self._started = True
        return "OK"

    def _load(self) -> None:
        """The game on the board asked for, by the rule asked for."""
        options: dict[str, object] = dict(self._rule)
        width, height = self._size
        options |= sized(self.host.game, width, height)
        self.host.open(options)
        shape = self.host.game.rules.board
        if (shape.width, shape.height) != self._size:
            raise RulewrightError(f"{self.host.game.name} has no board of {width} by {height}")
        board.refuse_others(self.host.game)

    def _restart(self, _: str) -> str:
        self._must_run()
        self.host.state = self.host.game.start()
        return "OK"

    def _must_run(self) -> None:
        if not self._started:
            raise RulewrightError("there is no board; send START first")

    def _end(self, _: str) -> str:
        self.done = True
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
        found = board.decision(self.host.game, text)
        if found is None:
            raise RulewrightError(f"`{text[:40]}` is no field of this board")
        return found

    def _move(self) -> str:
        """Decide, play and tell."""
        move = self.host.decide(self._clock()).move
        return self._play(board.field(self.host.game, move))

    def _play(self, text: str) -> str:
        self._must_run()
        move = self._field(text)
        self.host.state = self.host.state.play(move)
        return board.field(self.host.game, move)

    def _take_back(self, text: str) -> str:
        self._must_run()
        state = self.host.state
        if state.before is None or state.move != self._field(text):
            raise RulewrightError(f"the last move was not {text}")
        self.host.state = state.before
        return "OK"

    # --- whole boards ---

    def _open_board(self, _: str) -> str:
        self._must_run()
        self._board = []
        return ""

    def _collect(self, line: str) -> str:
        assert self._board is not None
        if line.upper() != "DONE":
            self._board.append(line)
            return ""
        lines, self._board = self._board, None
        self.host.state = self._position(lines)
        return self._move()

    def _position(self, lines: list[str]) -> State:
        """The position of lines `x,y,who`: both sides in turn, each in the order of its lines."""
        sides: dict[str, list[str]] = {"1": [], "2": []}
        for line in lines:
            point, _, who = line.rpartition(",")
            if who.strip() not in sides:
                raise RulewrightError(f"`{line[:40]}`: 1 is an own piece, 2 one of the other")
            sides[who.strip()].append(self._field(point))
        mine, theirs = sides["1"], sides["2"]
        if len(theirs) - len(mine) not in (0, 1):
            raise RulewrightError(f"{len(mine)} own and {len(theirs)} other pieces: not our turn")
        first, second = (theirs, mine) if len(theirs) > len(mine) else (mine, theirs)
        state = self.host.game.start()
        for number in range(len(lines)):
            state = state.play((first, second)[number % 2][number // 2])
        return state

    # --- what a manager tells ---

    def _info(self, text: str) -> str:
        name, _, value = text.partition(" ")
        name, value = name.casefold(), value.strip()
        if name in (*self._times, "max_memory") and value.lstrip("-").isdecimal():
            number = int(value)
            if name == "max_memory":
                self._memory(number)
            else:
                self._times[name] = number
        elif name == "rule":
            self._set_rule(value)
        return ""  # INFO has no answer, and what is not known is of no concern

    def _set_rule(self, value: str) -> None:
        known = formats(self.host.game).gomocup.rules
        options: Options | None = known.get(value)
        if options is None:
            self._notes.append(f"MESSAGE rule {value[:20]} is not known; {self._playing()}")
            return
        self._rule = dict(options)
        if self._started and not self.host.state.decisions():
            self._load()

    def _playing(self) -> str:
        changed = ", ".join(f"{n}={v}" for n, v in self._rule.items())
        return f"the rules stay as they are{': ' * bool(changed)}{changed}"

    def _memory(self, limit: int) -> None:
        """Tables take what is left of *limit* bytes beside the program itself; 0 is no limit."""
        room = limit // 2**20 - _BASE
        if limit > 0 and room < 1:
            self._notes.append(f"MESSAGE less than {_BASE} MiB are too little for this program")
        self.host.memory = min(max(room, 1), _MOST) if limit > 0 else 64

    def _clock(self) -> Clock:
        """What this move may take; a little is kept for answering."""
        turn = self._times["timeout_turn"] / 1000
        left = self._times["time_left"]
        whole = self._times["timeout_match"] > 0 or left < _EVER
        return Clock(_less(turn), _less(left / 1000) if whole and left < _EVER else None)


def _less(seconds: float) -> float:
    return max(0.01, seconds - max(_SPARE, _SHARE * seconds))
