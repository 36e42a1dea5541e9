"""The property `blind`: decisions tell a player nothing that he does not see.

In: what is under test and a state.  Out: a violation, or None.
"""

from __future__ import annotations

from itertools import chain

from rulewright.checks.subject import Subject, Violation, fault_in
from rulewright.errors import Fault
from rulewright.games.engine.game import State
from rulewright.search.completions import Completions

_COMPLETIONS = 8
"""Positions that look the same to the mover, which are compared with a state."""
_DEEPEST = 24
"""Decisions after which no completions are drawn: they would take longer than all else."""


def blind(subject: Subject, state: State) -> Violation | None:
    """Check that the same is legal, and written alike, wherever the mover sees the same."""
    if not state.game.rules.has_secrets or len(state.decisions()) > _DEEPEST:
        return None
    if fault_in(state) or state.over or state.by_chance:
        return None
    here, mover = state.moves.texts, state.position.mover
    completions = Completions.of(state, mover, len(state.decisions()), _COMPLETIONS)
    for other in completions.states:
        try:
            there = other.moves.texts
        except Fault:
            continue  # another probe's finding
        if there != here:
            odd = next(chain(set(here) - set(there), set(there) - set(here)), "the order")
            way = f"where `{' '.join(other.decisions())}` was played, {state.mover} sees the same"
            return Violation(f"{way}, and may decide otherwise: `{odd}` tells it")
    return None
