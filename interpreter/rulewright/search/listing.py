"""Decisions for whoever waits for them: a referee, a person, a program outside.

In: a state.  Out: its decisions, or the state after one of them.  Refuses, as a `Fault` of the
rules (`too-slow`), what takes more steps of the reference than `check` allows: steps and not
seconds, so that the same game ends alike on every machine.

Machine code does this work without counting, in microseconds as a rule.  Where a call of it takes
milliseconds of the processor, the reference is asked for the same again, and its steps decide.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from rulewright.errors import Fault, OutOfBudget
from rulewright.games.engine.game import State
from rulewright.games.engine.interpreted import ReferencePosition
from rulewright.ground.budget import within_steps
from rulewright.ground.limits import POSITION_STEPS

T = TypeVar("T")
LISTING, PLAYING = "listing the decisions", "playing a decision and testing the ends"


def listed_decisions(state: State) -> list[str]:
    """The decisions of a position; the ends are tested too."""
    if _quick(state):
        texts = _bounded(LISTING, state, lambda: state.moves.texts, exact=False)
        if _quick(state):
            return texts
    return _bounded(LISTING, state, lambda: list(_as_reference(state).listing.texts()))


def followed(state: State, decision: str) -> State:
    """The state after a decision, whose own decisions are listed."""
    after: State | None = None
    if _quick(state):
        after = _bounded(PLAYING, state, lambda: state.play_decision(decision), exact=False)
    if after is None or not _quick(state):
        after = _bounded(PLAYING, state, lambda: _by_reference(state, decision))
    listed_decisions(after)
    return after


def _quick(state: State) -> bool:
    """Whether machine code plays the game, in microseconds."""
    machine = state.game.machine
    return machine is not None and not machine.slow


def _as_reference(state: State) -> ReferencePosition:
    position = state.position
    return (
        position
        if isinstance(position, ReferencePosition)
        else ReferencePosition(position.situation)
    )


def _by_reference(state: State, decision: str) -> State:
    """The state after a decision, as the reference plays it."""
    position = _as_reference(state)
    number = position.listing.find(decision)
    if number < 0:
        return state.play_decision(decision)  # which says why it cannot be played
    return State(state.game, position.after(number), state, decision)


def too_long(what: str, state: State) -> str:
    """What is said of a position where *what* takes too long."""
    return f"{what} takes more than {POSITION_STEPS:,} steps {moment(state)}"


def moment(state: State) -> str:
    """Say where in the game a position is: after which decisions, or at the start."""
    moves = " ".join(state.decisions())
    return f"after `{moves}`" if moves else "at the start"


def _bounded(what: str, state: State, act: Callable[[], T], exact: bool = True) -> T:
    with state.game.located(), within_steps(POSITION_STEPS, "", exact) as budget:
        try:
            return act()
        except OutOfBudget as spent:
            if not budget.used_up:
                raise
            raise Fault("too-slow", too_long(what, state), spent.origin) from None
