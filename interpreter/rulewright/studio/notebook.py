"""A board to play on in a notebook: Jupyter, marimo and what else shows widgets.

In: a state, and the name of a personality that answers, if one shall.  Out: a widget whose `state`
is the position on it at any time.  Without the extra `notebook` it says what is missing.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.engine.game import State
from rulewright.errors import RulewrightError
from rulewright.players.personality import Personality

if TYPE_CHECKING:
    from rulewright.studio.widget import BoardWidget


def board(state: State, answers: Personality | str | Path = "") -> BoardWidget:
    """A board for a notebook with *state* on it; a personality *answers*, if one is named."""
    try:
        from rulewright.studio.widget import BoardWidget  # an extra
    except ModuleNotFoundError as missing:
        told = f"a board needs {missing.name}; `pip install 'rulewright[notebook]'` brings it"
        raise RulewrightError(told) from None
    if isinstance(answers, Personality):
        return BoardWidget(state, answers)
    return BoardWidget(state, Personality.load(answers, state.game) if answers else None)
