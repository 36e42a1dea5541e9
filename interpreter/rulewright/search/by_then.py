"""A decision by a point in time that limits the whole command, compiling and listing included.

In: a position, what makes its engine ready, and the budget that holds.  Out: the engine, where it
is there in time; else a decision: of the plain search, or one that is only known to be legal.
Refuses with `OutOfBudget` where not even that is found.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random

from attrs import evolve

from rulewright import budget
from rulewright.codegen.engine import Engine
from rulewright.engine.game import State
from rulewright.errors import OutOfBudget
from rulewright.search.beside import Beside
from rulewright.search.plain import plain_search
from rulewright.search.results import Found, Limits

_LISTING = 0.6
"""The share of the time that listing the decisions may take."""
_WAITING = 0.5
"""The share of what is left that is waited for machine code before the reference plays."""
_WORTH = 0.2
"""The share of the time for which machine code still takes over."""


def engine_by_then(
    state: State, ready: Callable[[], Engine | str], limits: Limits, seed: int, replaceable: bool
) -> Engine | str | Found:
    """The engine, or the decision of something that is there sooner."""
    engine = Beside(ready)
    seconds = budget.left() or 0.0
    try:
        with budget.within_seconds(_LISTING * seconds, 0, budget.why()):
            _ = state.moves.texts
    except OutOfBudget:
        return some_decision(state, seed)
    if not replaceable:
        return engine.result(budget.left())
    if engine.done.wait(_WAITING * (budget.left() or 0.0)) or state.over:
        return engine.result()
    short = evolve(limits, seconds=max(0.01, budget.left() or 0.0))
    found = plain_search(state, short, seed, engine.done.is_set)
    if engine.done.is_set() and (budget.left() or 0.0) > _WORTH * seconds:
        return engine.result()
    return found


def some_decision(state: State, seed: int) -> Found:
    """A legal decision at random, which is far sooner there than all of them."""
    begun, position = time.perf_counter(), state.situation.position
    with state.game.located():
        option = state.game.play.sample(position, Random(seed))
    if option is None:
        raise OutOfBudget(budget.why())
    side = state.game.players[position.mover]
    seconds = time.perf_counter() - begun
    root = ((option.text, None),)
    return Found(option.text, 0.0, side, None, None, (option.text,), 0, 0, seconds, root)
