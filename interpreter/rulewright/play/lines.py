"""A game by lines: commands and moves from a file or a pipe, what happens as text.

In: a table and lines of input.  Out: text; the end of the input leaves the game, which is kept.
"""

from __future__ import annotations

import sys
from typing import TextIO

from attrs import define, field

from rulewright.errors import RulewrightError
from rulewright.play.prompts import wanted
from rulewright.play.table import Table
from rulewright.render.board import board_lines, plain


@define
class Lines:
    """Plays the games of a table."""

    table: Table
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
        lines += [fact.told(scene.players) for fact in scene.facts]
        if session.over:
            lines.append(session.verdict())
            lines += filter(None, [self.table.standing()])
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
