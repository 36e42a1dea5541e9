"""What both sides of Gomocup's protocol share: fields as `x,y` from the left top corner, from 0."""

from __future__ import annotations

import re

from rulewright.engine.game import Game, State
from rulewright.errors import RulewrightError
from rulewright.model.rules import One
from rulewright.protocols.formats import formats

_FIELD = re.compile(r"\s*(\d{1,4})\s*,\s*(\d{1,4})\s*")


def refuse_others(game: Game) -> None:
    """Raise `RulewrightError` unless a turn of *game* puts one piece on a field of a rectangle."""
    board = game.rules.board
    one = isinstance(game.rules.course, One)
    if (
        board.shape != "square"
        or not one
        or not set(game.start().moves.texts) <= set(board.by_name)
    ):
        message = f"{game.name} cannot be played by Gomocup's protocol"
        raise RulewrightError(f"{message}: its turns are not one piece on a rectangle")


def field(game: Game, decision: str) -> str:
    """The field of a decision."""
    board = game.rules.board
    site = board.by_name[decision]
    return f"{board.columns[site]},{board.rows[site]}"


def decision(game: Game, text: str) -> str | None:
    """The decision of a field; None for what is no field of the board."""
    found = _FIELD.fullmatch(text)
    board = game.rules.board
    site = board.at(int(found[1]), int(found[2])) if found else -1
    return board.names[site] if site >= 0 else None


def rule_of(game: Game) -> str | None:
    """The number of `INFO rule` that tells the options of *game*, if one does."""
    for number, options in formats(game).gomocup.rules.items():
        if all(game.options[name] == value for name, value in options.items()):
            return number
    return None


def stones(state: State) -> list[str]:
    """The lines between BOARD and DONE: 1 is a piece of whoever is to move, 2 one of the other."""
    mover = state.situation.position.mover
    found = []
    for after in state.states()[1:]:
        assert after.before is not None
        own = after.before.situation.position.mover == mover
        found.append(f"{field(state.game, after.move)},{1 if own else 2}")
    return found
