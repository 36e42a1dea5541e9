"""Decisions for whoever waits for them: a referee, a person, a program outside.

In: a state.  Out: its decisions, or the state after one of them.  Refuses, as a `Fault` of the
rules (`too-slow`), what takes more steps of the reference than `check` allows: steps and not
seconds, so that the same game ends alike on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from rulewright.budget import within_steps
from rulewright.engine.game import State
from rulewright.errors import Fault, OutOfBudget
from rulewright.language.limits import POSITION_STEPS

T = TypeVar("T")
LISTING, PLAYING = "listing the decisions", "playing a decision and testing the ends"


def listed(state: State) -> list[str]:
    """The decisions of a position; the ends are tested too."""
    return _bounded(LISTING, state, lambda: state.moves.texts)


def followed(state: State, decision: str) -> State:
    """The state after a decision, whose own decisions are listed."""
    after = _bounded(PLAYING, state, lambda: state.play_decision(decision))
    listed(after)
    return after


def too_long(what: str, state: State) -> str:
    """What is said of a position where *what* takes too long."""
    return f"{what} takes more than {POSITION_STEPS:,} steps {moment(state)}"


def moment(state: State) -> str:
    """Where in the game a position is."""
    moves = " ".join(state.decisions())
    return f"after `{moves}`" if moves else "at the start"


def _bounded(what: str, state: State, act: Callable[[], T]) -> T:
    with state.game.located(), within_steps(POSITION_STEPS, "") as budget:
        try:
            return act()
        except OutOfBudget as spent:
            if not budget.used_up:
                raise
            raise Fault("too-slow", too_long(what, state), spent.origin) from None
