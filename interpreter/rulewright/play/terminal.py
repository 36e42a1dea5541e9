"""A game at a terminal, where the screen is drawn in place, or by lines from a file or a pipe.

In: a table; keys and a screen, or lines.  Out: whether the games were played to their end.  At a
terminal a decision of one key needs no Enter, and nobody waits without a sign of life: players
think in a thread, and the line of the prompt says who and for how long.  One that cannot draw in
place gets a frame where a person is asked and the position is another than before; all else is told
in lines.  The end of the input leaves a game by lines, which is saved.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Protocol, TextIO, TypeVar

from attrs import define, field

from rulewright.engine.game import State
from rulewright.errors import RulewrightError
from rulewright.play.game_table import GameTable
from rulewright.play.keyboard import DOWN, LEFT, RIGHT, UP, briefly, single_keys, wanted
from rulewright.play.screen import Screen, covered, frame
from rulewright.play.session import OFFER
from rulewright.render.board_text import TextLine, board_lines, plain
from rulewright.search.beside import Beside

T = TypeVar("T")
_QUIET = 0.3
"""Seconds of thinking before it is told."""
_PAGE = 6
"""Lines by which Page Up and Page Down move the view of what is too high."""
_AT_ONCE = 1.0
"""Seconds in which an Enter still belongs to the key before it, which needed none."""
_TYPED = 12
"""Characters that a prompt leaves for what is typed behind it."""
_ENTER = ("\r", "\n")
_ERASE = ("\x7f", "\b")


class Pressed(Protocol):
    """Where keys come from."""

    def press(self, seconds: float | None = None) -> str | None:
        """The next key, None if none comes in time; raises `EndOfInput`."""


@define
class Terminal:
    """Plays the games of a table; `pace` in seconds between decisions of two computers."""

    table: GameTable
    keys: Pressed
    screen: Screen = field(factory=Screen)
    pace: float = 0.0
    paused: bool = False
    message: str = ""
    _moved: int = field(default=0, init=False)
    _left: bool = field(default=False, init=False)
    _covered: bool = field(default=False, init=False)
    _pressed: bool = field(default=False, init=False)
    """Whether a key that needs no Enter was the last one."""
    _shown: tuple[State, bool, bool] | None = field(default=None, init=False)

    def play(self) -> bool:
        """Play until the games are over (True), or somebody leaves."""
        self.screen.dress(self.table.session.state.game.players)
        self._get_ready()
        while not self._left:
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
        """Let players compile while a person thinks."""
        session = self.table.session
        for seat in session.seats if not session.looking else ():
            if not seat.human and not session.over:
                Beside(partial(seat.ready, session.state, session.seed))

    @property
    def _watched(self) -> bool:
        """Whether nobody at the keyboard plays."""
        return not any(seat.human for seat in self.table.session.seats)

    def _runs(self) -> bool:
        """Whether computers go on by themselves."""
        return not (self.paused or self._left)

    def _draw(self) -> None:
        session = self.table.session
        now = session.state, session.over, session.looking
        if self.screen.dumb and (now == self._shown or self._goes_on()):
            self._say()
            return
        lines = self._lines(self._moved)
        self._covered, self._shown = covered(lines), now
        self.screen.draw(lines)
        if self.screen.dumb:
            self.message = ""

    def _lines(self, moved: int) -> list[TextLine]:
        table, size = self.table, self.screen.size
        return frame(table.session, self._told(), table.standing(), size, moved)

    def _scroll(self, by: int) -> None:
        """Move the view, unless it ends there."""
        if self._lines(self._moved + by) != self._lines(self._moved):
            self._moved += by

    def _say(self) -> None:
        """Tell a message in lines, once."""
        self.screen.say(self._told())
        self.message = ""

    def _goes_on(self) -> bool:
        """Whether a computer decides next, without a person being asked."""
        session = self.table.session
        return session.thinking and not session.over and not (self.paused and self._watched)

    def _told(self) -> str:
        return f"{self.message}\n{self.table.autosave.failed}".strip()

    # --- players ---

    def _decide(self) -> None:
        session = self.table.session
        who = f"{session.state.mover} ({session.seat.called}) thinks"
        try:
            decision = self._wait(session.choose, who)
        except RulewrightError as error:
            self.message = self.table.failed(error)
            return
        if not self._left:
            self._moved = 0
            mover = session.state.mover
            self.table.decided(decision)
            self.message = f"{mover} plays {session.turns()[-1]}"
            self._pause()

    def _wait(self, do: Callable[[], T], what: str) -> T:
        """The result of some work; meanwhile the prompt says what is done, and how long already."""
        work, started, told = Beside(do), time.monotonic(), False
        while not work.done.wait(0.1):
            passed = time.monotonic() - started
            if passed > _QUIET and self.screen.dumb and not told:
                self.screen.say(f"{what} (Ctrl-C leaves; the game is kept)")
                told = True
            elif passed > _QUIET:
                self.screen.status(f"{what} {passed:.0f} s (Ctrl-C leaves; the game is kept)")
            self._glance(0)
        self.screen.status("")
        return work.result()

    def _pause(self) -> None:
        """Between two decisions of computers."""
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
        """Do what a key asks for while computers play; with a human, keys wait for his turn."""
        key = self.keys.press(max(0.0, seconds)) if self._watched else None
        if key == " ":
            self.paused = True
        elif key == "q":
            self._left = True
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
            self._one()
        else:
            self._do(single.get(line, line))

    def _prompt(self) -> str:
        session = self.table.session
        if session.looking:
            return "Enter: next, or back, to N, why, play, quit> "
        if session.thinking:
            return "paused; Enter goes on, space plays one decision> "
        mover, room = session.state.mover, self.screen.size.width - _TYPED
        prompt = f"{mover} ({wanted(session.state)})> "
        return prompt if len(prompt) <= room else f"{mover} ({briefly(session.state)})> "

    def _entered(self) -> None:
        """Enter alone."""
        if self.table.session.looking:
            self._do("next")
        elif self.table.session.thinking:
            self.paused = False

    def _one(self) -> None:
        self._decide()

    def _do(self, line: str) -> None:
        before = self.table.session.state
        reply = self._wait(lambda: self.table.answer(line), "thinking")
        self._left = reply.leave
        if self.table.session.state is not before or reply.text:
            self._moved = 0
        self.message = reply.text

    def _after_the_end(self) -> bool:
        """Whether the person stays: a finished game can be undone, saved, looked through."""
        more = self.table.more
        what = "plays the next game" if more else "leaves"
        line = self._line(f"Enter {what} (or undo, replay, why, save FILE)> ", {})
        if line:
            self._do(line)
            return True
        if line is not None and more:
            self.table.next_game()
            self.message = ""
            self.screen.dress(self.table.session.state.game.players)
        return more or line is None

    def _line(self, prompt: str, single: dict[str, str]) -> str | None:
        """A key of *single*, or a line that Enter ends; None where the view has changed.

        Enter after a key that needed none is passed over: it must not wipe what is to be read.
        """
        room = self.screen.size.width - _TYPED
        self.screen.ask(prompt if len(prompt) <= room else f"{prompt[: room - 5]}...> ")
        text, since = "", time.monotonic()
        while True:
            key = self.keys.press()
            if key is None:
                continue
            pressed, self._pressed = self._pressed, False
            if key in _ENTER:
                if pressed and not text and time.monotonic() - since < _AT_ONCE:
                    continue
                if self._covered and not text:
                    self.message, self._moved = "", 0
                    return None
                if text or not single:
                    self.screen.write("\n")
                    return text.strip()
            elif key in (UP, DOWN, LEFT, RIGHT):
                self._scroll({UP: -_PAGE, DOWN: _PAGE}.get(key, 0))
                return None
            elif not text and (key in single or key == "?" or (key == " " and self.paused)):
                self.screen.write("\n")
                self._pressed = True
                return key
            else:
                text = self._edited(text, key)

    def _edited(self, text: str, key: str) -> str:
        """The line after a key: a character more, one less, or none (Ctrl-U)."""
        if key in _ERASE or key == "\x15":
            gone = len(text) if key == "\x15" else min(1, len(text))
            self.screen.write("\b \b" * gone)
            return text[: len(text) - gone]
        if len(key) == 1 and key.isprintable():
            self.screen.write(key)
            return text + key
        return text


@define
class LineTerminal:
    """Plays the games of a table."""

    table: GameTable
    source: TextIO = field(factory=lambda: sys.stdin)

    def play(self) -> bool:
        """Play until the games are over (True), or the input or somebody ends them."""
        self._draw()
        while True:
            session = self.table.session
            if session.thinking:
                self._decide()
            elif session.over and not session.looking:
                if not self.table.more:
                    return True
                self.table.next_game()
            elif not self._ask():
                return False
            else:
                continue
            self._draw()

    def _draw(self) -> None:
        session = self.table.session
        scene = session.state.scene
        lines = [plain(board_lines(scene)), ""]
        lines += [fact.line(scene.players) for fact in scene.facts]
        if session.over:
            lines.append(session.verdict())
            lines += filter(None, [self.table.standing()])
        elif session.claimable:
            lines.append(OFFER)
        self._say("\n".join(lines))

    def _decide(self) -> None:
        try:
            self._say(self.table.decided(self.table.session.choose()))
        except RulewrightError as error:
            self._say(self.table.failed(error))

    def _ask(self) -> bool:
        """Read a line and answer it; False where nothing follows."""
        session = self.table.session
        prompt = "" if session.looking else f"{session.state.mover} ({wanted(session.state)})> "
        print(prompt, end="", flush=True)
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
        print(text, flush=True)
