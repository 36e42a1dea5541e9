"""Commands of a game: reads a typed line, carries it out, and answers with a text.

In: a session and a line.  Out: a `Reply`.  No line raises or loses the game; files are read and
written only where a line names them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from math import isfinite
from pathlib import Path
from typing import TypeAlias

from attrs import define, field, frozen

from rulewright.app.play.saved_games import SavedGame, save
from rulewright.app.play.seats import Seat
from rulewright.app.play.session import Session
from rulewright.checks.reasons import why_not
from rulewright.errors import Fault, IllegalMove, MoveError, RulewrightError, UnreadableMove
from rulewright.games.engine.whole_turns import sort_numbers
from rulewright.ground.disk import is_there, write_whole
from rulewright.matches.game_files import WRITTEN
from rulewright.matches.protocols.contestant import factor_value
from rulewright.model.personality import Number
from rulewright.players.explain import Explanation
from rulewright.players.personality import whole_text
from rulewright.players.terms import ExplainedMove

HELP = """\
a move, or one of these (a word may be cut short):
  ?                        the legal moves here
  undo [N], redo [N]       take back your last decision, play it again
  to N                     go to the position after N decisions (0: the first)
  hint [SECONDS]           what your adviser would play
  why                      why the last move was made, and by whom
  moves                    what was played so far
  seats                    who plays, and with which factors
  seat COLOUR WHO          let somebody else play: human, computer, random, a personality
  set [COLOUR] FACTOR N    give a factor of a personality another value
  save FILE                .json; .sgf, .pgn, .pdn, .txt and others, as the game has;
                           NAME.personality [COLOUR] keeps the personality that plays
  load FILE                go on with another game
  replay                   look through this game from its start; play goes on from there
  claim                    claim a draw, where the rules let you
  resign, help, quit       (a game is kept by itself)"""
_DECISIONS_EXPLAINED = 3
"""Decisions of a position that `why` explains."""


@frozen
class Reply:
    """The answer to a line; `leave` ends the game, which stays saved."""

    text: str = ""
    leave: bool = False


@frozen
class Helpers:
    """Functions of later rooms that a dialogue needs: they print explanations and convert files."""

    explained: Callable[[Explanation, tuple[ExplainedMove, ...], int], Iterator[str]]
    read: Callable[[Path], SavedGame]
    export: Callable[[Path, SavedGame], None]


Command: TypeAlias = Callable[[list[str]], str]


@define
class Dialogue:
    """Answers lines: changes the session, or leaves it alone and says why."""

    session: Session
    helpers: Helpers
    _commands: dict[str, Command] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._commands = {
            "?": self._legal, "undo": self._undo, "redo": self._redo, "to": self._to,
            "hint": self._hint, "why": self._why, "moves": self._moves, "seats": self._seats,
            "seat": self._seat, "set": self._set, "save": self._save, "load": self._load,
            "replay": self._replay, "play": self._play_on,
            "next": lambda words: self._step(_times(words)),
            "back": lambda words: self._step(-_times(words)),
            "claim": self._claim, "resign": self._resign, "help": lambda _: HELP,
        }  # fmt: skip

    def answer(self, line: str) -> Reply:
        """Carry out a line, a move or a command, and return the reply."""
        words = line.split()
        if not words:
            return Reply()
        word = words[0].casefold()
        if line in self.session.state.moves:
            return Reply(self._move(line))
        if word in ("quit", "exit", "q"):
            return Reply(leave=True)
        try:
            command = self._commands.get(word) or self._cut_short(word, line)
            return Reply(command(words[1:]) if command else self._move(line))
        except Fault as fault:
            return Reply(f"the rules have a fault here: {fault}")
        except RulewrightError as error:
            return Reply(str(error))
        except OSError as error:
            return Reply(f"that cannot be done: {error.strerror or error}")

    def _cut_short(self, word: str, line: str) -> Command | None:
        """The command that *word* abbreviates; None if it is not clear, or the line is a move."""
        names = [name for name in self._commands if name.startswith(word) and len(word) > 1]
        if len(names) != 1:
            return None
        try:
            self.session.state.play(line)
        except MoveError:
            return self._commands[names[0]]
        return None

    def _move(self, line: str) -> str:
        state = self.session.state
        if self.session.looking:
            return "`play` goes on from here; `next` and `back` look through the game"
        try:
            self.session.play(line)
        except (IllegalMove, UnreadableMove) as error:
            return self._forbidden(line, error)
        except Fault as fault:
            return f"the rules have a fault here: {fault}"
        except (MoveError, RulewrightError) as error:
            self.session.state = state
            return str(error)
        return ""

    def _forbidden(self, line: str, error: IllegalMove | UnreadableMove) -> str:
        """The message for an illegal move: the reason that `why-not` gives, then the error."""
        (text, *more) = line.split()
        if more or self.session.secret:
            return str(error)
        try:
            reason = why_not(self.session.state, text)
        except (Fault, RulewrightError):
            return str(error)
        return f"{reason}\n{error}" if reason.clause is not None else str(error)

    # --- looking ---

    def _legal(self, _: list[str]) -> str:
        kinds = self.session.state.by_kind().items()
        written = partial(self.session.notation.text, self.session.state)
        lines = [f"{name}: {' '.join(map(written, sort_numbers(texts)))}" for name, texts in kinds]
        return "\n".join(lines) or "the game is over"

    def _moves(self, _: list[str]) -> str:
        return " ".join(self.session.turns()) or "nothing is played yet"

    def _hint(self, words: list[str]) -> str:
        seconds = _positive(words[0]) if words else None
        if self.session.over:
            return "the game is over"
        if not self.session.seat.human:
            self.session.refuse_telling("a hint for the other player")
        return f"hint: {self.session.hint(seconds)}"

    def _why(self, _: list[str]) -> str:
        return "\n".join(self.helpers.explained(*self.session.why(), _DECISIONS_EXPLAINED))

    def _seats(self, _: list[str]) -> str:
        lines = []
        for number, seat in enumerate(self.session.seats):
            lines.append(f"{self.session.colour_of(number)}: {seat.label}")
            factors = seat.personality.factor_texts() if seat.personality else {}
            lines += [f"  {name} = {value}" for name, value in factors.items()]
        return "\n".join(lines)

    # --- back and forth ---

    def _undo(self, words: list[str]) -> str:
        count = self.session.undo(_times(words))
        return f"{count} taken back" if count else "there is nothing to take back"

    def _redo(self, words: list[str]) -> str:
        count = self.session.redo(_times(words))
        return f"{count} played again" if count else "there is nothing to play again"

    def _to(self, words: list[str]) -> str:
        if len(words) != 1 or not words[0].isdecimal():
            return "to needs the number of a decision; `to 0` is the start"
        return f"after decision {self.session.to(int(words[0]))}"

    def _replay(self, _: list[str]) -> str:
        self.session.refuse_telling("a replay")
        self.session.looking = True
        self.session.to(0)
        return "Enter or `next` shows the next decision, `back` the one before, `to N` any"

    def _step(self, by: int) -> str:
        """Go some decisions forward during a replay, or back."""
        if not self.session.looking:
            return "`replay` looks through the game; `undo` takes decisions back"
        at = len(self.session.state.decisions())
        self.session.to(max(0, at + by))
        return ""

    def _play_on(self, words: list[str]) -> str:
        if not self.session.looking:
            return self._move(" ".join(words)) if words else "the game goes on already"
        self.session.looking = False
        self.session.resigned = None if self.session.undone else self.session.resigned
        return "the game goes on from here"

    # --- players ---

    def _seat(self, words: list[str]) -> str:
        if len(words) < 2:
            raise RulewrightError("seat needs a colour and who plays it: seat red computer:5")
        number, text = self.session.seat_of(words[0]), " ".join(words[1:])
        self.session.sit(number, Seat.of(text, self.session.state.game))
        return f"{words[0]}: {self.session.seats[number].label}"

    def _set(self, words: list[str]) -> str:
        *colour, name, value = words if len(words) in (2, 3) else ["", "", "", ""]
        if not name:
            raise RulewrightError("set needs a factor and a number: set path_weight 12")
        seat = self._with_factors(colour, name)
        seat.change(name, _number(value), value.endswith("%"))
        return f"{name} = {value} for {seat.label}"

    def _with_factors(self, colour: list[str], name: str = "") -> Seat:
        """The seat of a colour, else the only seat whose personality has the factor *name*."""
        if colour:
            return self.session.seats[self.session.seat_of(colour[0])]
        seats = [seat for seat in self.session.seats if seat.personality]
        holders = [s for s in seats if s.personality and name in s.personality.factors] or seats
        players = [seat for seat in holders if not seat.human] or holders
        if len(players) != 1:
            message = "several personalities play" if players else "no personality plays"
            raise RulewrightError(f"{message}; name the colour" if players else message)
        return players[0]

    def _claim(self, _: list[str]) -> str:
        self.session.claim()
        return ""

    def _resign(self, _: list[str]) -> str:
        if self.session.over:
            return "the game is over already"
        self.session.resign()
        return ""

    # --- files ---

    def _save(self, words: list[str]) -> str:
        if not words:
            raise RulewrightError("save needs the name of a file")
        self.session.refuse_telling("a file of the game")
        path = Path(words[0]).expanduser()
        if path.suffix == ".personality":
            self._save_personality(path, words[1:])
        elif path.suffix.casefold() in WRITTEN:
            _refuse_to_replace(path)
            self.helpers.export(path, self.session.saved())
        else:
            save(self.session.saved(), path)
        return f"saved in {path}"

    def _save_personality(self, path: Path, colour: list[str]) -> None:
        personality = self._with_factors(colour).personality
        if personality is None:
            raise RulewrightError("no personality plays that colour")
        text = whole_text(personality.model, path.stem)
        _refuse_to_replace(path)
        write_whole(path, text.encode())

    def _load(self, words: list[str]) -> str:
        if len(words) != 1:
            raise RulewrightError("load needs the name of a file")
        path = Path(words[0]).expanduser()
        self.session.refuse_telling("another game")
        self.session.restore(self.helpers.read(path))
        return f"loaded {path}"


def _refuse_to_replace(path: Path) -> None:
    if is_there(path):
        raise RulewrightError(f"{path} is there already; choose another name")


def _times(words: list[str]) -> int:
    text = words[0] if words else "1"
    if not text.isdecimal() or not 1 <= int(text) < 10**6:
        raise RulewrightError(f"a whole number from 1 is expected, not {text}")
    return int(text)


def _positive(text: str) -> float:
    value = _number(text)
    if not 0 < value <= 3600:
        raise RulewrightError(f"a time from 0 to 3600 seconds is expected, not {text}")
    return value


def _number(text: str) -> Number:
    """The finite number that a word is, a share of 1 where it ends with `%`."""
    with suppress(ValueError):
        if isfinite(value := factor_value(text)):
            return value
    raise RulewrightError(f"a number is expected, not {text}")
