"""The face of the search: a decision for a state, within limits, with progress and cancellation.

In: a state.  Out: `Found`.  Machine code where a game has it; else the plain search over the
reference.  Refuses a game that is over, limits that make no sense, and an evaluator for a game
without kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING

from attrs import evolve

from rulewright import budget
from rulewright.codegen.engine import Engine
from rulewright.engine.game import State
from rulewright.errors import GameOver, OutOfBudget, RulewrightError
from rulewright.search.by_then import engine_by_then, some_decision
from rulewright.search.driver import Driver
from rulewright.search.engines import load_engine
from rulewright.search.plain import plain_search
from rulewright.search.results import ALGORITHMS, MEBIBYTE, Found, Limits, Progress, person
from rulewright.search.root import Root
from rulewright.search.watch import Watch
from rulewright.search.workspace import Evaluator, prepare

if TYPE_CHECKING:
    from rulewright.search.candidates import Candidates

Cancelled = Callable[[], bool]


def search(
    state: State,
    *,
    time: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    memory: int = 64,
    threads: int = 1,
    turns: bool = False,
    seed: int = 0,
    algorithm: str = "auto",
    roots: bool = False,
    evaluator: Evaluator | None = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> Found:
    """The decision that looks best.

    *time* in seconds (1 when nothing else limits the search), *depth* in decisions or turns,
    *memory* in MiB.  *progress* is called with a `Found` after every iteration and ends the search
    by a true result; so does *cancelled*, which is asked about twenty times a second.  *roots*: a
    value for every decision.
    """
    unlimited = depth is not None or nodes is not None
    seconds = time if time is not None else None if unlimited else 1.0
    limits = Limits(seconds, nodes, depth, memory * MEBIBYTE, threads, turns)
    return best(
        state, limits, seed, algorithm, roots=roots, evaluator=evaluator,
        progress=progress, cancelled=cancelled,
    )  # fmt: skip


def best(
    state: State,
    limits: Limits | None = None,
    seed: int = 0,
    algorithm: str = "auto",
    *,
    roots: bool = False,
    evaluator: Evaluator | None = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
    backend: str | None = None,
    narrowed: tuple[Candidates, Collection[str]] | None = None,
) -> Found:
    """The decision that looks best within *limits*; the same for the same seed and node limit.

    *narrowed*: what narrows the decisions of every position, and those of this one.
    """
    wanted = limits or Limits()
    _refuse(wanted, algorithm)
    kept, only = narrowed or (None, None)
    plain = evaluator is None and algorithm == "auto" and not wanted.turns
    tree = algorithm == "montecarlo" or (algorithm == "auto" and evaluator is None)
    ready = partial(_ready, state, wanted, backend, evaluator, tree, kept)
    limited = budget.left() is not None
    engine = engine_by_then(state, ready, wanted, seed, plain) if limited else ready()
    if isinstance(engine, Found):
        return engine
    if state.over:
        raise GameOver(f"there is nothing to decide: the game is over ({state.result})")
    limits = _of_what_is_left(wanted)
    if isinstance(engine, str):
        if not plain:
            raise RulewrightError(engine)
        return plain_search(state, limits, seed, cancelled)
    driver = Driver(
        Root(state, engine), engine, limits, seed, algorithm, evaluator, roots, kept, only
    )
    with state.game.located():
        if not (limits.watched or limits.seconds or progress or cancelled):
            return driver.run()
        watch: Watch[Found] = Watch(driver.stop, driver.tick, progress, cancelled)
        driver.report, driver.changed = watch.post, watch.nudge
        try:
            return watch.run(driver.run)
        except OutOfBudget:
            if not plain:
                raise
            return some_decision(state, seed)


def _ready(
    state: State,
    wanted: Limits,
    backend: str | None,
    evaluator: Evaluator | None,
    tree: bool,
    kept: Candidates | None,
) -> Engine | str:
    """The engine with all that the search will need, so that the limits count from then on."""
    engine = load_engine(state.game, backend, quick=wanted.brief)
    if isinstance(engine, Engine):
        tree = tree and wanted.seconds is not None
        prepare(engine, evaluator, tree=tree, candidates=kept)
    return engine


def _of_what_is_left(limits: Limits) -> Limits:
    """The same limits, but for what is over of the time for the whole command."""
    left = budget.left()
    if left is None:
        return limits
    return evolve(limits, seconds=max(0.01, min(left, limits.seconds or left)))


def _refuse(limits: Limits, algorithm: str) -> None:
    if algorithm not in ALGORITHMS:
        raise RulewrightError(f"there is no algorithm `{algorithm}`: {', '.join(ALGORITHMS)}")
    known = (limits.seconds, limits.nodes, limits.depth, limits.memory, limits.threads)
    if any(limit is not None and limit <= 0 for limit in known):
        raise RulewrightError("limits of a search are larger than 0")


def share_of_what_is_left(parts: int = 2) -> AbstractContextManager[object]:
    """A part of the time for the whole command, so that what comes later has some too."""
    left = budget.left()
    if left is None or parts == 1:
        return nullcontext()
    return budget.within_seconds(left / parts, left / parts / 2, budget.why())


def best_turn(
    state: State, limits: Limits | None = None, seed: int = 0, algorithm: str = "auto",
    *, roots: bool = False,
) -> tuple[list[str], Found]:  # fmt: skip
    """The decisions of a whole turn, each found within *limits*, and what is known of the first."""
    first: Found | None = None
    decisions: list[str] = []
    who = person(state)
    while not decisions or (not state.over and person(state) == who and not state.turn_begins):
        with share_of_what_is_left():
            found = best(state, limits, seed, algorithm, roots=roots)
        first = first or found
        decisions.append(found.move)
        state = state.play_decision(found.move)
    assert first is not None
    return decisions, first
