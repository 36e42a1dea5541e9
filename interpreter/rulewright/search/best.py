"""The face of the search: a decision for a state, within limits, with progress and cancellation.

In: a state.  Out: `SearchResult`.  Machine code where a game has it; else the plain search over the
reference.  Where time limits the whole command, compiling and listing included, what is there in
time decides: machine code, the plain search, or a decision that is only known to be legal.  Refuses
a game that is over, limits that make no sense, and an evaluator for a game without kernels.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol, TypeVar

from attrs import evolve

from rulewright.compiler.defects import Defect, net
from rulewright.compiler.engine import Engine
from rulewright.errors import GameOver, OutOfBudget, RulewrightError
from rulewright.games.engine.game import State
from rulewright.games.engine.kernels import load_engine
from rulewright.ground import budget
from rulewright.search.background import BackgroundWork
from rulewright.search.decide import Decider, SearchOptions, options_watched
from rulewright.search.results import (
    ALGORITHMS,
    MEBIBYTE,
    Cancelled,
    Limits,
    Progress,
    SearchResult,
    Watch,
    person,
    refuse_seats,
    refuse_secrets,
    refuse_throwing,
)
from rulewright.search.thread_arrays import LinkedEvaluator, Root, prepare
from rulewright.search.trees import tree_search

_LISTING = 0.6
"""The share of the time that listing the decisions may take."""
_WAITING = 0.5
"""The share of what is left that is waited for machine code before the reference plays."""
_WORTH = 0.2
"""The share of the time for which machine code still takes over."""


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
    only: Collection[str] | None = None,
    lines: int = 1,
    evaluator: LinkedEvaluator | None = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
    backend: str | None = None,
) -> SearchResult:
    """The decision that looks best.

    *time* in seconds (1 when nothing else limits the search), *depth* in decisions or turns,
    *memory* in MiB.  *progress* is called with a `SearchResult` after every iteration and ends the
    search by a true result; so does *cancelled*, which is asked about fifty times a second.
    *roots*: a value for every decision.  *only*: the decisions to choose from.  *lines*: of so many
    of the best decisions the expected line is written too.  *backend* as for `load`; unsaid, that
    of the game.
    """
    unlimited = depth is not None or nodes is not None
    seconds = time if time is not None else None if unlimited else 1.0
    limits = Limits(seconds, nodes, depth, memory * MEBIBYTE, threads, turns)
    return best(
        state, limits, seed, algorithm, roots=roots, only=only, lines=lines, evaluator=evaluator,
        progress=progress, cancelled=cancelled, backend=backend,
    )  # fmt: skip


def best(
    state: State,
    limits: Limits | None = None,
    seed: int = 0,
    algorithm: str = "auto",
    *,
    roots: bool = False,
    only: Collection[str] | None = None,
    lines: int = 1,
    evaluator: LinkedEvaluator | None = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
    backend: str | None = None,
) -> SearchResult:
    """The decision that looks best within *limits*; the same for the same seed and node limit.

    Where there was no time for a search it is the first legal one, and says so.
    """
    if state.game.rules.has_secrets:
        from rulewright.search.sampled import sampled_decision  # what few games need is loaded late

        return sampled_decision(state, limits or Limits(), seed, open_search)
    options = SearchOptions(algorithm, seed, evaluator, roots)
    options = options_watched(options, Watch(only=_legal(state, only), lines=lines))
    try:
        result = decide(state, limits or Limits(), options, progress, cancelled, backend)
        return _claiming(state, result, options)
    except OutOfBudget:
        return first_decision(state)
    except Defect as defect:
        raise RulewrightError(str(defect)) from defect


def open_search(state: State, limits: Limits, seed: int) -> SearchResult:
    """The search of one of the positions that fit what a player has observed."""
    return best(state, limits, seed, roots=True)


def _legal(state: State, only: Collection[str] | None) -> frozenset[str] | None:
    """The decisions to choose from; raises `RulewrightError` for one that is not legal."""
    for text in only or ():
        if text not in state.moves:
            raise RulewrightError(f"`{text[:40]}` is not legal here")
    return frozenset(only) if only else None


def _claiming(state: State, result: SearchResult, options: SearchOptions) -> SearchResult:
    """The result, worth a draw where one may be claimed and going on is worse.

    An evaluator that gives ends values of its own makes a claim worth no more than any other end.
    """
    judge = options.evaluator
    if not state.claimable or result.value >= 0 or (judge is not None and judge.judges_ends):
        return result
    return evolve(result, value=0.0, proven=result.proven and "draw", distance=None)


def decide(
    state: State,
    limits: Limits,
    options: SearchOptions,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
    backend: str | None = None,
) -> SearchResult:
    """The decision that a search with these options finds.

    Where the compiler fails on the way the plain search stands in; if it cannot, `Defect` is
    raised, and who asked has a search of the reference.
    """
    _refuse(limits, options.algorithm)
    refuse_throwing(state)
    refuse_secrets(state.game, "this search")
    if state.game.rules.has_several:
        return _of_several(state, limits, options, progress, cancelled, backend)
    try:
        return _by_code(state, limits, options, progress, cancelled, backend)
    except Defect:
        if not options.plain or limits.turns:
            raise
        return _plain(state, _of_what_is_left(limits), options, cancelled)


def _of_several(
    state: State,
    limits: Limits,
    options: SearchOptions,
    progress: Progress | None,
    cancelled: Cancelled | None,
    backend: str | None,
) -> SearchResult:
    """The decision of a search of more than two players, by random games alone."""
    if options.evaluator is not None or options.algorithm not in ("auto", "montecarlo"):
        refuse_seats(state.game.rules, "what judges positions or looks at all decisions")
    in_time = budget.seconds_left() is not None
    engine = None if in_time else _ready(state, limits, options, backend)
    only = None if options.only is None else frozenset(options.only)
    watch, limits = Watch(progress, cancelled, only), _of_what_is_left(limits)
    if isinstance(engine, Engine):
        from rulewright.search.several_trees import search_by_kernels  # what few games need

        return search_by_kernels(state, engine, limits, options.seed, watch)
    from rulewright.search.several import search_several  # as above

    return search_several(state, limits, options.seed, watch)


def _plain(
    state: State, limits: Limits, options: SearchOptions, cancelled: Cancelled | None
) -> SearchResult:
    from rulewright.search.fallback import plain_search  # and much of the reference

    return plain_search(state, limits, options.seed, cancelled)


def _by_code(
    state: State,
    limits: Limits,
    options: SearchOptions,
    progress: Progress | None,
    cancelled: Cancelled | None,
    backend: str | None,
) -> SearchResult:
    """The decision of kernels, or of what stands in where a game has none or time is short."""

    def ready() -> Engine | str:
        return _ready(state, limits, options, backend)

    in_time = budget.seconds_left() is not None
    engine = _engine_by_then(state, ready, limits, options) if in_time else ready()
    if isinstance(engine, SearchResult):
        return engine
    if state.over:
        raise GameOver(f"there is nothing to decide: the game is over ({state.result})")
    limits = _of_what_is_left(limits)
    if isinstance(engine, str):
        if not options.plain or limits.turns:
            raise RulewrightError(engine)
        return _plain(state, limits, options, cancelled)
    search = Decider(
        engine=engine, limits=limits, progress=progress, cancelled=cancelled,
        root=Root(state, engine), options=options,
    )  # fmt: skip
    with state.game.located():
        try:
            return search.run()
        except OutOfBudget:
            if search.last is None and not options.plain:
                raise
            return search.last or first_decision(state)


def _ready(
    state: State, limits: Limits, options: SearchOptions, backend: str | None
) -> Engine | str:
    """The engine with all that the search will need, so that the limits count from then on."""
    preference = state.game.backend
    backend_name = backend or (str(preference) if preference not in (None, "reference") else None)
    engine = load_engine(state.game, backend_name, quick=True)
    if isinstance(engine, Engine):
        engine = engine.apart(options.apart) if options.apart else engine
        with net(engine.play.rules):
            _prepare(engine, limits, options)
    return engine


def _prepare(engine: Engine, limits: Limits, options: SearchOptions) -> None:
    parts = options.evaluator, options.candidates
    prepare(engine, *parts, guide=options.guide)
    if options.grows and limits.seconds is not None:
        prepare(engine, *parts, (tree_search(),), options.guide)


def _of_what_is_left(limits: Limits) -> Limits:
    """Cut the time limit to what is left of the time for the whole command."""
    seconds = budget.seconds_left()
    if seconds is None:
        return limits
    return evolve(limits, seconds=max(0.01, min(seconds, limits.seconds or seconds)))


def _refuse(limits: Limits, algorithm: str) -> None:
    if algorithm not in ALGORITHMS:
        raise RulewrightError(f"there is no algorithm `{algorithm}`: {', '.join(ALGORITHMS)}")
    limit_values = (limits.seconds, limits.nodes, limits.depth, limits.memory, limits.threads)
    if any(limit is not None and limit <= 0 for limit in limit_values):
        raise RulewrightError("limits of a search are larger than 0")


def _engine_by_then(
    state: State, ready: Callable[[], Engine | str], limits: Limits, options: SearchOptions
) -> Engine | str | SearchResult:
    """The engine, or the decision of something that is there sooner."""
    engine = BackgroundWork(ready)
    seconds = budget.seconds_left() or 0.0
    try:
        with budget.within_seconds(_LISTING * seconds, 0, budget.why()):
            _ = state.moves.texts
    except OutOfBudget:
        return first_decision(state)
    if not options.plain or limits.turns:
        return engine.result(budget.seconds_left())
    if engine.completion.wait(_WAITING * (budget.seconds_left() or 0.0)) or state.over:
        return engine.result()
    short = evolve(limits, seconds=max(0.01, budget.seconds_left() or 0.0))
    plain = _plain(state, short, options, engine.completion.is_set)
    if engine.completion.is_set() and (budget.seconds_left() or 0.0) > _WORTH * seconds:
        return engine.result()
    return plain


def first_decision(state: State) -> SearchResult:
    """The first legal decision that is known, whatever the clock says."""
    begun, position = time.perf_counter(), state.situation.position
    with state.game.located(), budget.regardless():
        option = state.game.play.foremost(position)
    if option is None:
        raise GameOver("there is nothing to decide: the game is over")
    side = state.game.players[position.mover]
    seconds, root = time.perf_counter() - begun, ((option.text, None),)
    return SearchResult(
        option.text, 0.0, side, None, None, (option.text,), 0, 0, seconds, root, searched=False
    )


def share_of_what_is_left(parts: int = 2) -> AbstractContextManager[object]:
    """A part of the time for the whole command, so that what comes later has some too."""
    seconds = budget.seconds_left()
    if seconds is None or parts == 1:
        return nullcontext()
    return budget.within_seconds(seconds / parts, seconds / parts / 2, budget.why())


def best_turn(
    state: State, limits: Limits | None = None, seed: int = 0, algorithm: str = "auto",
    *, roots: bool = False,
) -> tuple[list[str], SearchResult]:  # fmt: skip
    """The decisions of a whole turn, each found within *limits*, and what is known of the first."""

    def decide(state: State) -> SearchResult:
        with share_of_what_is_left():
            return best(state, limits, seed, algorithm, roots=roots)

    decisions = whole_turn(state, decide)
    return [decision.move for decision in decisions], decisions[0]


class _Decided(Protocol):
    @property
    def move(self) -> str:
        """A decision."""


D = TypeVar("D", bound=_Decided)


def whole_turn(state: State, decide: Callable[[State], D]) -> list[D]:
    """What *decide* says of each decision of a turn, which is played as it says."""
    decisions, mover = list[D](), person(state)
    while not decisions or not (state.over or state.turn_begins or person(state) != mover):
        decisions.append(decide(state))
        state = state.play_decision(decisions[-1].move)
    return decisions
