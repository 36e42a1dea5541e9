"""Playing at a terminal, whose screen is drawn in place, or line by line from a file or a pipe.

In: a table; keys and a screen, or lines.  Out: whether the games were played to their end.  At a
terminal a decision of one key needs no Enter.  Players think in a thread, while the line of the
prompt shows who thinks and for how long.  A terminal that cannot move its cursor gets a frame only
where a person is asked and the position has changed, and plain lines otherwise.  The end of the
input leaves a game, which is saved.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Protocol, TextIO, TypeVar

from attrs import define, field

from rulewright.app.play.game_table import GameTable
from rulewright.app.play.keyboard import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    prompt_text,
    short_prompt_text,
    single_keys,
)
from rulewright.app.play.screen import Screen, frame, hides_board
from rulewright.app.play.session import OFFER
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import State
from rulewright.games.render.board_text import TextLine, board_lines, plain
from rulewright.ground.translation import translate
from rulewright.search.background import BackgroundWork

T = TypeVar("T")
_QUIET_SECONDS = 0.3
"""Seconds of thinking before the prompt shows it."""
_PAGE_LINES = 6
"""Lines by which Page Up and Page Down scroll."""
_ENTER_SECONDS = 1.0
"""Seconds in which an Enter still belongs to the key before it, which needs none."""
_ROOM_FOR_TYPING = 12
"""Columns that a prompt leaves for what is typed behind it."""
_ENTER = ("\r", "\n")
_ERASE = ("\x7f", "\b")


class KeySource(Protocol):
    """A source of keys, such as `Keys`."""

    def press(self, seconds: float | None = None) -> str | None:
        """Wait for a key; None after so many *seconds*.  Raises `EndOfInput`."""


@define
class Terminal:
    """Plays the games of a table on a screen; two computers pause for `pace` seconds a decision."""

    table: GameTable
    keys: KeySource
    screen: Screen = field(factory=Screen)
    pace: float = 0.0
    paused: bool = False
    message: str = ""
    _moved: int = field(default=0, init=False)
    _is_left: bool = field(default=False, init=False)
    _board_hidden: bool = field(default=False, init=False)
    _pressed: bool = field(default=False, init=False)
    """Whether the last key needed no Enter."""
    _picture: tuple[State, bool, bool] | None = field(default=None, init=False)

    def play(self) -> bool:
        """Play until the games are over (True) or somebody leaves (False)."""
        self.screen.dress(self.table.session.state.game.players)
        self._get_ready()
        while not self._is_left:
            session = self.table.session
            self._draw()
            if session.over and not session.looking:
                if not self._after_the_end():
                    return True
            elif self._goes_on():
                self._decide()
            else:
                self._ask()
        return False

    def _get_ready(self) -> None:
        """Let players compile their code in threads, while a person thinks."""
        session = self.table.session
        for seat in session.seats if not session.looking else ():
            if not seat.human and not session.over:
                BackgroundWork(partial(seat.ready, session.state, session.seed))

    @property
    def _watched(self) -> bool:
        """Whether no human plays."""
        return not any(seat.human for seat in self.table.session.seats)

    def _runs(self) -> bool:
        """Whether computers play on without a key."""
        return not (self.paused or self._is_left)

    def _draw(self) -> None:
        session = self.table.session
        now = session.state, session.over, session.looking
        if self.screen.dumb and (now == self._picture or self._goes_on()):
            self._say()
            return
        lines = self._lines(self._moved)
        self._board_hidden, self._picture = hides_board(lines), now
        self.screen.draw(lines)
        if self.screen.dumb:
            self.message = ""

    def _lines(self, moved: int) -> list[TextLine]:
        table, size = self.table, self.screen.size
        return frame(table.session, self._message_text(), table.score_text(), size, moved)

    def _scroll(self, by: int) -> None:
        """Scroll by some lines, unless the view ends there."""
        if self._lines(self._moved + by) != self._lines(self._moved):
            self._moved += by

    def _say(self) -> None:
        """Print the message as lines, and forget it."""
        self.screen.say(self._message_text())
        self.message = ""

    def _goes_on(self) -> bool:
        """Whether a computer decides next, without waiting for a key."""
        session = self.table.session
        return session.thinking and not session.over and not (self.paused and self._watched)

    def _message_text(self) -> str:
        lines = self.table.session.luck(), self.message, self.table.autosave.failed
        return "\n".join(filter(None, lines))

    # --- players ---

    def _decide(self) -> None:
        session = self.table.session
        message = f"{session.state.mover} ({session.seat.label}) thinks"
        try:
            decision = self._wait(session.choose, message)
        except RulewrightError as error:
            self.message = self.table.replace_player(error)
            return
        if not self._is_left:
            self._moved = 0
            mover = session.state.mover
            message = self.table.play_decision(decision)
            self.message = message if session.secret else f"{mover} plays {session.turns()[-1]}"
            self._pause()

    def _wait(self, do: Callable[[], T], activity: str) -> T:
        """Do work in a thread and return its result; the prompt shows *activity* and the time."""
        work, started, announced = BackgroundWork(do), time.monotonic(), False
        while not work.completion.wait(0.1):
            passed = time.monotonic() - started
            if passed > _QUIET_SECONDS and self.screen.dumb and not announced:
                self.screen.say(f"{activity} (Ctrl-C leaves; the game is kept)")
                announced = True
            elif passed > _QUIET_SECONDS:
                self.screen.status(f"{activity} {passed:.0f} s (Ctrl-C leaves; the game is kept)")
            self._glance(0)
        self.screen.status("")
        return work.result()

    def _pause(self) -> None:
        """Pause between two decisions of computers."""
        if not self._watched or self.table.session.over or not self._runs():
            return
        self._draw()
        self.screen.status(f"{self.pace:g} s a decision; space pauses, + and - change it, q leaves")
        until = time.monotonic() + self.pace
        while time.monotonic() < until:
            self._glance(until - time.monotonic())
            if not self._runs():
                return

    def _glance(self, seconds: float) -> None:
        """Obey a key while only computers play; with a human, keys wait for his turn."""
        key = self.keys.press(max(0.0, seconds)) if self._watched else None
        if key == " ":
            self.paused = True
        elif key == "q":
            self._is_left = True
        elif key in ("+", "-"):
            self.pace = min(60.0, max(0.05, self.pace * (0.5 if key == "+" else 2)))

    # --- a person ---

    def _ask(self) -> None:
        session = self.table.session
        single = {} if session.looking or session.thinking else single_keys(session.state)
        line = self._line(self._prompt(), single)
        if line is None:
            return
        if not line:
            self._entered()
        elif line == " " and self.paused:
            self._decide()
        else:
            self._do(single.get(line, line))

    def _prompt(self) -> str:
        session = self.table.session
        if session.looking:
            return translate("Enter: next, or back, to N, why, play, quit> ")
        if session.thinking:
            return translate("paused; Enter goes on, space plays one decision> ")
        mover, room = session.state.mover, self.screen.size.width - _ROOM_FOR_TYPING
        prompt = translate(f"{mover} ({prompt_text(session.state, session.notation)})> ")
        short = f"{mover} ({short_prompt_text(session.state, session.notation)})> "
        return prompt if len(prompt) <= room else translate(short)

    def _entered(self) -> None:
        """Obey an Enter on an empty line."""
        if self.table.session.looking:
            self._do("next")
        elif self.table.session.thinking:
            self.paused = False

    def _do(self, line: str) -> None:
        before = self.table.session.state
        reply = self._wait(lambda: self.table.answer(line), "thinking")
        self._is_left = reply.leave
        if self.table.session.state is not before or reply.text:
            self._moved = 0
        self.message = reply.text

    def _after_the_end(self) -> bool:
        """Read a line about a finished game; False if the person leaves and no game follows."""
        has_next_game = self.table.has_next_game
        consequence = "plays the next game" if has_next_game else "leaves"
        line = self._line(translate(f"Enter {consequence} (or undo, replay, why, save FILE)> "), {})
        if line:
            self._do(line)
            return True
        if line is not None and has_next_game:
            self.table.next_game()
            self.message = ""
            self.screen.dress(self.table.session.state.game.players)
        return has_next_game or line is None

    def _line(self, prompt: str, single: dict[str, str]) -> str | None:
        """Read a key of *single*, or a line up to Enter; None if a key changed the view.

        An Enter right after a key that needs none is ignored, so that the message stays readable.
        """
        room = self.screen.size.width - _ROOM_FOR_TYPING
        self.screen.ask(prompt if len(prompt) <= room else f"{prompt[: room - 5]}...> ")
        text, since = "", time.monotonic()
        while True:
            key = self.keys.press()
            if key is None:
                continue
            pressed, self._pressed = self._pressed, False
            if key in _ENTER:
                # Whoever is used to ending lines presses Enter after a key that needed none, too.
                if pressed and not text and time.monotonic() - since < _ENTER_SECONDS:
                    continue
                if self._board_hidden and not text:
                    self.message, self._moved = "", 0
                    return None
                if text or not single:
                    self.screen.write("\n")
                    return text.strip()
            elif key in (UP, DOWN, LEFT, RIGHT):
                self._scroll({UP: -_PAGE_LINES, DOWN: _PAGE_LINES}.get(key, 0))
                return None
            elif not text and (key in single or key == "?" or (key == " " and self.paused)):
                self.screen.write("\n")
                self._pressed = True
                return key
            else:
                text = self._edited(text, key)

    def _edited(self, text: str, key: str) -> str:
        """Edit a line by a key: append it, erase a character, or erase all (Ctrl-U)."""
        if key in _ERASE or key == "\x15":
            count = len(text) if key == "\x15" else min(1, len(text))
            self.screen.write("\b \b" * count)
            return text[: len(text) - count]
        if len(key) == 1 and key.isprintable():
            self.screen.write(key)
            return text + key
        return text


@define
class LineTerminal:
    """Plays the games of a table by lines of text."""

    table: GameTable
    source: TextIO = field(factory=lambda: sys.stdin)

    def play(self) -> bool:
        """Play until the games are over (True), or the input ends or leaves them (False)."""
        self._draw()
        while True:
            session = self.table.session
            if session.thinking:
                self._decide()
                if session.secret and session.thinking:
                    continue  # how often another player decides is not seen
            elif session.over and not session.looking:
                if not self.table.has_next_game:
                    return True
                self.table.next_game()
            elif not self._ask():
                return False
            else:
                continue
            self._draw()

    def _draw(self) -> None:
        session = self.table.session
        scene = session.sight.scene
        lines = [plain(board_lines(scene)), ""]
        lines += [fact.line(scene.players) for fact in scene.facts]
        lines += filter(None, [session.luck()])
        if session.over:
            lines.append(session.verdict())
            lines += filter(None, [self.table.score_text()])
        elif session.claimable:
            lines.append(OFFER)
        self._say("\n".join(lines))

    def _decide(self) -> None:
        try:
            self._say(self.table.play_decision(self.table.session.choose()))
        except RulewrightError as error:
            self._say(self.table.replace_player(error))

    def _ask(self) -> bool:
        """Read a line and answer it; False at the end of the input, or if the line leaves."""
        session = self.table.session
        choices = "" if session.looking else prompt_text(session.state, session.notation)
        prompt = f"{session.state.mover} ({choices})> " if choices else ""
        print(translate(prompt), end="", flush=True)
        line = self.source.readline()
        if not line:
            return False
        before = session.state
        reply = self.table.answer(line.strip())
        if reply.text:
            self._say(reply.text)
        if self.table.session.state is not before or self.table.session.over:
            self._draw()
        return not reply.leave

    @staticmethod
    def _say(text: str) -> None:
        if text:
            print(translate(text), flush=True)
