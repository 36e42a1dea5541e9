"""Positions that a controller of GTP sets up: handicap stones, and moves out of turn.

In: a game or a state, points and colours.  Out: states that nothing leads to.  Refuses, in the
words of GTP's specification, stones that cannot stand there.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State

INVALID_NUMBER, BAD_LIST = "invalid number of stones", "bad vertex list"
_LARGE, _LEAST, _MOST, _MOST_CORNERS = 13, 7, 9, 4
"""Points of a side from which stones stand on the fourth line; the least; most handicap stones."""


def fixed_handicap(game: Game, count: int) -> list[str]:
    """The points of *count* fixed handicap stones; raises `RulewrightError` if there are none."""
    board = game.rules.board
    size = board.width
    has_middle = size % 2 == 1 and size > _LEAST
    most = _MOST if has_middle else _MOST_CORNERS
    if size < _LEAST or board.height != size or not 2 <= count <= most:
        raise RulewrightError(INVALID_NUMBER)
    low, middle = (3 if size >= _LARGE else 2), size // 2
    high = size - 1 - low
    places = [(low, high), (high, low), (low, low), (high, high)][:count]
    if count >= 6:
        places += [(low, middle), (high, middle)]
    if count >= 8:
        places += [(middle, low), (middle, high)]
    if count in (5, 7, 9):
        places.append((middle, middle))
    return [board.names[board.at(*place)] for place in places]


def with_handicap(game: Game, points: Iterable[str]) -> State:
    """The state in which the first player has stones on *points*, and the second moves."""
    board, points = game.rules.board, list(points)
    sites = [board.by_name.get(point, -1) for point in points]
    fitting = 2 <= len(sites) < board.sites.bit_count() and len(set(sites)) == len(sites)
    if not fitting or min(sites) < 0:
        raise RulewrightError(BAD_LIST)
    position = game.start().situation.position.put(0, 0, sum(1 << site for site in sites))
    return game.at(evolve(position, mover=1))


def turn_of(state: State, colour: int) -> State:
    """The state with another player to move, where it is not *colour*'s turn or the game is over.

    States that `repeats` does not see, such as a count of passes, begin anew.
    """
    position, play = state.situation.position, state.game.play
    if not state.over and position.mover == colour:
        return state
    rules = state.game.rules
    pairs = zip(rules.states, position.states, play.first.states, strict=True)
    states = tuple(first if declared.unseen else now for declared, now, first in pairs)
    turned = evolve(
        play.unended(position), mover=colour, states=states, rest=rules.course, fresh=True,
        again=False,
    )  # fmt: skip
    return state.game.at(turned)
