"""How much is tried: a number of calls, so that the same seed always tries the same.

In: a game and an effort.  Out: how many positions are looked at, and how far random games go.  What
a position costs is counted in calls of Python functions, which differ a hundredfold between games
and do not depend on the machine or its load.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from random import Random
from types import FrameType
from typing import Any, TypeVar

from attrs import frozen

from rulewright.engine.game import Game, State
from rulewright.errors import Fault
from rulewright.reference.play import Option

T = TypeVar("T")
CALLS = 4_000_000
"""Calls that the reference may make for one file at effort 1: a few seconds."""
GAMES = 1000
"""Random games by kernels at effort 1."""
LONGEST = 5000
"""Decisions after which a random game is said not to end."""


@frozen
class Effort:
    """What may be tried: calls of the reference, and random games by kernels."""

    calls: int = CALLS
    games: int = GAMES

    @classmethod
    def of(cls, effort: float, games: int | None = None) -> Effort:
        """So many times what is tried by default; *games* says how many random games."""
        number = round(GAMES * effort) if games is None else games
        return cls(round(CALLS * effort), number)


@frozen
class Price:
    """Calls that it takes to list the decisions of a position, and to play one at random."""

    listing: int
    step: int


def price(game: Game, seed: int) -> Price:
    """What the first dozen positions of a random game cost, on average."""
    random, state = Random(seed), game.start()
    listing = step = looked = 0
    for _ in range(12):
        if state.situation.ended is not None:
            break
        here = state
        listing += counted(partial(_options, here))[0]
        calls, following = counted(partial(stepped, here, random))  # nothing after a fault
        step, looked = step + calls, looked + 1
        if following is None:
            break
        state = following
    return Price(listing // max(1, looked) + 1, step // max(1, looked) + 1)


def _options(state: State) -> tuple[Option, ...]:
    return state.situation.options


def stepped(state: State, random: Random) -> State | None:
    """The state after a random decision, which is found without listing all; None at the end."""
    game = state.game
    if state.situation.ended is not None:
        return None
    with game.located():
        option = game.play.sample(state.situation.position, random)
        if option is None:
            return None
        return State(game, game.play.follow(state.situation.position, option), state, option.text)


def counted(act: Callable[[], T]) -> tuple[int, T | None]:
    """How many Python functions are called, and what comes of it; nothing after a fault."""
    number, found = 0, None

    def note(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal number
        number += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        found = act()
    except Fault:
        pass
    finally:
        sys.setprofile(before)
    return number, found
