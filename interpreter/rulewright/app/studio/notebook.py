"""A board to play on in a notebook: Jupyter, marimo and others that show widgets.

In: a state, and optionally a personality that answers.  Out: a widget whose `state` is the current
position.  Raises `RulewrightError` without the extra `notebook`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import State
from rulewright.players.personality import Personality

if TYPE_CHECKING:
    from rulewright.app.studio.widget import BoardWidget


def board(state: State, answers: Personality | str | Path = "") -> BoardWidget:
    """Show *state* on a board in a notebook; a personality *answers* moves, if one is named."""
    try:
        from rulewright.app.studio.widget import BoardWidget  # an extra
    except ModuleNotFoundError as missing:
        message = f"a board needs {missing.name}; `pip install 'rulewright[notebook]'` brings it"
        raise RulewrightError(message) from None
    if isinstance(answers, Personality):
        return BoardWidget(state, answers)
    return BoardWidget(state, Personality.load(answers, state.game) if answers else None)
