"""How long a person waits for a position: what `check` refuses or warns of.

In: a game whose file has no errors.  Out: a diagnostic where a position costs too much: to list its
decisions, every attempt that a `need` refuses included, or to play one and test the ends.  Steps of
the reference are counted, no clock is asked, so that the same file is always judged alike.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import TypeVar

from attrs import define, field

from rulewright.budget import Budget, within_steps
from rulewright.checks.claims import place_of
from rulewright.checks.effort import stepped
from rulewright.engine.game import Game, State
from rulewright.errors import Fault, OutOfBudget
from rulewright.language.diagnostics import Diagnostic
from rulewright.language.limits import POSITION_STEPS, SLOW_STEPS
from rulewright.search.listing import LISTING, PLAYING, moment, too_long

T = TypeVar("T")
_POSITIONS = 12
"""Positions of one random game that are looked at."""


@define
class _Look:
    """What was found slow so far, and what looking took."""

    game: Game
    found: Diagnostic | None = None
    spent: int = 0
    _worst: int = field(default=SLOW_STEPS)

    def at(self, state: State, random: Random) -> State | None:
        """Look at a position; the next one of the game, None where there is nothing to go on to."""
        self._counted(LISTING, state, lambda: state.moves.texts)
        return self._counted(PLAYING, state, partial(stepped, state, random))

    def _counted(self, what: str, state: State, act: Callable[[], T]) -> T | None:
        if self._refused:
            return None
        with within_steps(POSITION_STEPS, "") as budget:
            try:
                return act()
            except Fault:
                return None  # which is not slow: `test` is about faults
            except OutOfBudget as spent:
                self._refuse(what, state, budget, spent)
                return None
            finally:
                self.spent += budget.spent
                self._warn(what, state, budget.spent)

    @property
    def _refused(self) -> bool:
        return self.found is not None and self.found.severity == "error"

    def _refuse(self, what: str, state: State, budget: Budget, spent: OutOfBudget) -> None:
        if not budget.used_up:
            raise spent
        message = too_long(what, state)
        advice = "choose from fewer values, and let fewer variables run inside each other"
        place = place_of(self.game, spent.origin)
        self.found = Diagnostic("too-slow", message, place, advice)

    def _warn(self, what: str, state: State, steps: int) -> None:
        if self._refused or steps <= self._worst:
            return
        self._worst = steps
        message = f"{what} takes {steps:,} steps {moment(state)}, which can be felt in play"
        place = place_of(self.game, self.game.rules.turn)
        self.found = Diagnostic("slow", message, place)


def waiting(game: Game, seed: int = 0) -> list[Diagnostic]:
    """What is slow in the first position or in some of a random game: one diagnostic at most."""
    look, random = _Look(game), Random(seed)
    state: State | None = game.start()
    for _ in range(_POSITIONS):
        if state is None or state.situation.ended or look.spent > POSITION_STEPS:
            break
        state = look.at(state, random)
    return [look.found] if look.found else []
