"""The widget of a board in a notebook: the studio's board in a cell, to play on.

In: a state, a personality that answers (or none), messages of the page.  Out: the scene that the
page draws.  Errors are shown below the board.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import traitlets

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import State
from rulewright.matches.protocols.san import WrittenMoves
from rulewright.players.personality import Personality

_PAGE = Path(__file__).parent / "page"


class BoardWidget(anywidget.AnyWidget):
    """A board to play on; `state` is the current position.

    `last` is what led there, as people write it, `message` the text below the board.
    """

    _esm = _PAGE / "board.js"
    _css = _PAGE / "board.css"
    scene = traitlets.Dict().tag(sync=True)
    last = traitlets.Unicode("").tag(sync=True)
    message = traitlets.Unicode("").tag(sync=True)

    def __init__(self, state: State, answers: Personality | None = None) -> None:
        super().__init__()
        self._answers = answers
        self._show(state)
        self.on_msg(self._take_message)

    @property
    def state(self) -> State:
        """The position on the board."""
        return self._state

    @state.setter
    def state(self, state: State) -> None:
        self._show(state)

    def _show(self, state: State, message: str = "") -> None:
        self._state = state
        self.scene = state.scene.as_json()
        shown = WrittenMoves.of(state.game).move(state.before, state) if state.before else ""
        self.last = shown or state.scene.last_turn
        self.message = message

    def _take_message(self, _: object, message: dict[str, Any], __: object) -> None:
        """Play a move of the page, or take one back."""
        try:
            if message.get("back"):
                self._show(self._before())
            else:
                self._show(self._answered(self._state.play(str(message.get("play", "")))))
        except RulewrightError as error:
            self.message = str(error)

    def _before(self) -> State:
        """The state before the last decision, and before the answer to it."""
        state = self._state.before or self._state
        while self._answers and state.before is not None and state.mover != self._mover(state):
            state = state.before
        return state

    @staticmethod
    def _mover(state: State) -> str | None:
        """The colour of the person: the one that begins."""
        return state.states()[0].mover

    def _answered(self, state: State) -> State:
        """The state after the personality has played, if it is to move."""
        while self._answers and not state.over and state.mover != self._mover(state):
            state = state.play_decision(self._answers.choose(state))
        return state
