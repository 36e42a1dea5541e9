"""A personality's searches by machine code: its values as kernels, its settings as options.

In: a game's kernels, a personality's model, one of its values.  Out: the lines of its decisions.
None where the value has no kernel, and wherever kernels meet a fault or a number that a float
cannot hold: the search over the reference then decides, or says what is wrong and where.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import wraps
from random import Random
from typing import ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from attrs import define, evolve, field, frozen

from rulewright.compiler.backend import Linked
from rulewright.compiler.defects import Defect
from rulewright.compiler.engine import Engine
from rulewright.compiler.layout import SharedCaches, Unsupported
from rulewright.compiler.lower.game import lower_first_value, lower_value
from rulewright.errors import Fault, RulewrightError
from rulewright.games.engine.game import State
from rulewright.games.engine.kept_lowering import Lowered, content, kept_lowering
from rulewright.games.engine.kernels import load_engine
from rulewright.model.evaluation import Evaluator, Factor, ValueOf
from rulewright.model.personality import Consider, Guidance, Number, Personality
from rulewright.model.walk import draws as draws_random
from rulewright.players.opening import remembered_sites
from rulewright.reference.position import Position
from rulewright.search.best import decide
from rulewright.search.candidates import led_root, narrowed_root
from rulewright.search.decide import SearchOptions, options_watched
from rulewright.search.guides import grown_guide, guide
from rulewright.search.kernels.thread import SURE, WIN
from rulewright.search.maxn import JudgedByKernels, JudgedPosition, JudgingArrays, SeveralValues
from rulewright.search.one_ply import DEEPEST, Weigher, WrittenLines, scales_for
from rulewright.search.reference_search import Scorer, SearchBudget
from rulewright.search.results import (
    EXPLORE,
    FAR,
    MEBIBYTE,
    BeamShape,
    Limits,
    Line,
    Lines,
    Score,
    SearchResult,
    TreeSettings,
    Watch,
    counting_searches,
    tell,
)
from rulewright.search.thread_arrays import Guide, LinkedEvaluator, ThreadArrays, no_value

_Args = ParamSpec("_Args")
_Result = TypeVar("_Result")
_LINKED: WeakKeyDictionary[Engine, dict[tuple[str, str], tuple[Linked, bool] | None]] = (
    WeakKeyDictionary()
)
"""The kernels of values, and whether they draw at random, by evaluators' contents and names."""


DEFENCES = 0.25
"""The share of a decision's time in which defences are looked for before the search."""


@frozen
class SearchResources:
    """What a search may use: `memory` in bytes, `threads`; a `quick` one tells no expected line.

    `watch` is told what is found, and may end the search.  `last`: nothing else is to be done in
    the time that is left, as in a game.
    """

    memory: int = 64 * MEBIBYTE
    quick: bool = False
    watch: Watch = field(factory=Watch)
    threads: int = 1
    last: bool = False


@frozen
class SearchTask:
    """What a search is asked for: by which value, within what, and whether for all scores.

    `prove` is the share of the limits in which results are looked for first.
    """

    scorer: Scorer
    limits: Limits
    exact: bool = False
    resources: SearchResources = field(factory=SearchResources)
    consider: Consider | None = None
    prove: float = 0.0


def native_evaluator(
    engine: Engine,
    evaluator: Evaluator,
    value: ValueOf,
    factors: Sequence[float],
    judges_ends: bool,
) -> LinkedEvaluator | None:
    """A value as the search takes it; compiled once, whatever the factors are."""
    kernels = _LINKED.setdefault(engine, {})
    key = (content(evaluator), value.name)
    if key not in kernels:
        linked = _link_value(engine, evaluator, value)
        kernels[key] = None if linked is None else (linked, draws_random(evaluator, value))
    entry = kernels[key]
    if entry is None:
        return None
    linked, draws = entry
    return LinkedEvaluator(linked, pack_values(evaluator.factors, factors), judges_ends, draws)


def _link_value(engine: Engine, evaluator: Evaluator, value: ValueOf) -> Linked | None:
    """The kernels of a value; those lowered after it in a part of an engine may call them."""
    plan, first = engine.plan, bool(engine.part)

    def lower() -> Lowered:
        if not first:
            return Lowered((lower_value(plan, evaluator, value),))
        linked, shared = lower_first_value(plan, evaluator, value)
        return Lowered((shared.linked, linked), caches=tuple(shared.caches.items()))

    try:
        lowering = kept_lowering(engine, ("value", evaluator, value.name, first), lower)
    except Unsupported:
        return None
    if first:
        plan.shared_caches = SharedCaches(
            evaluator.functions, dict(lowering.caches), lowering.linked[0]
        )
        lowering.linked[-1].needs = plan.needs
    return lowering.linked[-1]


def pack_values(factors: Sequence[Factor], values: Sequence[float]) -> tuple[float, ...]:
    """Values as the array F holds them: a whole one as the float of the same 64 bits."""
    return tuple(
        struct.unpack("<d", struct.pack("<q", int(value)))[0] if factor.whole else float(value)
        for factor, value in zip(factors, values, strict=True)
    )


def _table_key(task: SearchTask) -> str:
    """The key of a search's tables: all that their contents depend on."""
    scorer = task.scorer
    return content(scorer.judge.evaluator, scorer.value.name, task.consider, scorer.guidance)


def _kernels_for(state: State, task: SearchTask) -> tuple[Engine, LinkedEvaluator] | None:
    """The kernels of a game and of a value, where there are any; quick ones to begin with."""
    engine, scorer = load_engine(state.game, quick=True), task.scorer
    if isinstance(engine, str):
        return None
    engine = engine.apart(_table_key(task))
    judge = native_evaluator(
        engine, scorer.judge.evaluator, scorer.value, scorer.factors, scorer.valued_ends
    )
    return None if judge is None else (engine, judge)


def grown_by(model: Personality) -> TreeSettings | None:
    """How a personality leads trees and their random games; None where it says nothing."""
    guidance, rave, explore = model.guidance, model.number("rave"), model.number("explore")
    if guidance == Guidance() and rave is None and explore is None:
        return None
    wide = EXPLORE if explore is None else float(explore)
    policy = guidance.heaviest if guidance.policy else 0
    return TreeSettings(int(rave or 0), wide, policy, len(guidance.replies))


def led_trees(state: State, model: Personality, seed: int) -> SearchOptions | None:
    """How trees grow that a personality leads; None where it says nothing, or has no kernels."""
    engine, grown = load_engine(state.game, quick=True), grown_by(model)
    if isinstance(engine, str) or grown is None:
        return None
    apart = content(model.evaluator, model.guidance, "trees")
    engine = engine.apart(apart)
    if grown.replies:
        grown = evolve(grown, last=remembered_sites(state))
    evaluator = model.evaluator
    try:
        tree_guide = grown_guide(engine, evaluator, model.guidance, grown)
    except Unsupported:
        return None
    factors = pack_values(evaluator.factors, model.factors) if evaluator else ()
    judge = LinkedEvaluator(no_value(), factors)
    return SearchOptions("montecarlo", seed, judge, guide=tree_guide, apart=apart)


def proving(model: Personality) -> Callable[[Engine], tuple[LinkedEvaluator, Guide]]:
    """The values of a personality that a proof may believe."""
    evaluator, guidance = model.evaluator, model.guidance
    leading = Guidance(
        must=guidance.must, order=guidance.order, drawn=guidance.drawn, decided=guidance.decided,
        hopeless=guidance.hopeless,
    )  # fmt: skip
    if evaluator is None or leading == Guidance():
        words = "`must`, `order`, `drawn`, `decided` or `hopeless`"
        raise RulewrightError(f"{model.name} leads no proof: it has no {words}")

    def prepare(engine: Engine) -> tuple[LinkedEvaluator, Guide]:
        try:
            proof_guide = guide(engine, evaluator, leading)
        except Unsupported as reason:
            raise RulewrightError(f"{model.name} leads no proof: {reason}") from None
        return LinkedEvaluator(
            no_value(), pack_values(evaluator.factors, model.factors)
        ), proof_guide

    return prepare


def _or_none(find: Callable[_Args, _Result | None]) -> Callable[_Args, _Result | None]:
    """Wrap *find* to return None where the compiler fails; the failure is reported elsewhere."""

    @wraps(find)
    def search(*args: _Args.args, **options: _Args.kwargs) -> _Result | None:
        try:
            return find(*args, **options)
        except Defect:
            return None

    return search


@_or_none
def full_width(state: State, task: SearchTask) -> Lines | None:
    """The lines that `full_width` of the reference gives; only the best one is written out."""
    scorer, limits, resources = task.scorer, task.limits, task.resources
    kernels = _kernels_for(state, task) if len(scorer.value.parts) == 1 else None
    if kernels is None:
        return None
    try:
        options = _options(state, kernels[0], kernels[1], task)
    except Unsupported:
        return None
    watch = resources.watch
    options = options_watched(options, watch)
    line = not resources.quick or watch.progress is not None
    within = evolve(limits, memory=resources.memory, line=line)
    answer = decide(state, within, options, watch.progress, watch.cancelled)
    tell(answer.nodes, answer.depth)
    lines = {answer.move: answer.pv}
    if all(score is None for _, score in answer.root):
        return {answer.move: None}  # there was no time to judge any
    return {
        text: None
        if score is None
        else Line(_score(score, scorer.valued_ends), lines.get(text, (text,)), depth=answer.depth)
        for text, score in answer.root
    }


@_or_none
def grow(
    state: State, model: Personality, limits: Limits, seed: int, watch: Watch
) -> SearchResult | None:
    """Grow the trees of a decision, led by a personality or by nobody."""
    options = options_watched(led_trees(state, model, seed) or SearchOptions(seed=seed), watch)
    return decide(state, limits, options, watch.progress, watch.cancelled)


def _options(
    state: State, engine: Engine, judge: LinkedEvaluator, task: SearchTask
) -> SearchOptions:
    """What a personality's search is told; raises `Unsupported` where it cannot be."""
    scorer = task.scorer
    options = SearchOptions(
        "exact" if task.exact else "alphabeta",
        scorer.random.getrandbits(30) if judge.draws else 0,
        judge,
        prove=task.prove,
        apart=_table_key(task),
    )
    early = _early(task.limits)
    if task.consider is not None:
        candidates, only = narrowed_root(state, engine, task.consider, early)
        options = evolve(options, candidates=candidates, only=only)
    if scorer.guidance != Guidance():
        search_guide = guide(engine, scorer.judge.evaluator, scorer.guidance)
        options = evolve(options, guide=search_guide)
        if search_guide.must or search_guide.considered:
            options = evolve(options, only=led_root(state, engine, options, early))
    return options


def _score(value: float, valued: bool) -> Score:
    """A value of the native search as the reference scores it: results come before values."""
    if valued or abs(value) <= SURE:
        return (0, value)
    distance = round(WIN - abs(value))
    return (FAR - distance if value > 0 else distance - FAR, 0)


@_or_none
def weigh(
    state: State, task: SearchTask, beam: BeamShape | None = None, extent: WrittenLines = "none"
) -> Lines | None:
    """The lines that `one_ply` or `beam` of the reference gives."""
    kernels = _kernels_for(state, task)
    if kernels is None or (beam is not None and beam.depth > DEEPEST):
        return None
    engine, judge = kernels
    seed = task.scorer.random.getrandbits(30) if judge.draws else 0
    try:
        with scales_for(engine, judge, task.scorer.value, seed) as scales:
            if scales.place(state.situation.position) != len(state.moves):
                return None
            search = Weigher(
                engine=engine, limits=task.limits, state=state, scorer=task.scorer,
                scales=scales, beam=beam, line_kind=extent,
                cancelled=task.resources.watch.cancelled,
            )  # fmt: skip
            lines = search.run()
    except Fault:
        return None
    tell(search.nodes, None if task.limits.nodes else task.limits.depth)
    return lines


def parts_at(
    state: State,
    task: SearchTask,
    place: tuple[Position, int | None],
    factor_sets: Sequence[tuple[Number, ...]],
) -> list[tuple[Number, ...] | None]:
    """The parts of a value with several sets of factors, at a position, or of a row of the state.

    None where kernels cannot tell them, and where chance has a say.
    """
    parts: list[tuple[Number, ...] | None] = []
    with suppress(Fault, Defect):
        kernels = _kernels_for(state, task)
        if kernels is not None and not kernels[1].draws:
            parts.extend(_parts_of(state, task, (*kernels, *place), factor_sets))
    return parts + [None] * (len(factor_sets) - len(parts))


def _parts_of(
    state: State,
    task: SearchTask,
    place: tuple[Engine, LinkedEvaluator, Position, int | None],
    factor_sets: Sequence[tuple[Number, ...]],
) -> Iterator[tuple[Number, ...]]:
    engine, judge, position, row = place
    with scales_for(engine, judge, task.scorer.value, 0) as scales:
        if scales.place(position) == len(state.moves) or row is None:
            for factors in factor_sets:
                scales.use(pack_values(task.scorer.judge.evaluator.factors, factors))
                yield scales.parts(row)


def several_values(
    root: JudgedPosition, state: State, task: SearchTask, paranoid: bool,
    only: Sequence[str] | None = None,
) -> SeveralValues:  # fmt: skip
    """The search for more than two players that a task asks for, of *only* some decisions."""
    clock = SearchBudget(task.limits, task.resources.watch.cancelled)
    seats, texts = len(state.game.players), None if only is None else frozenset(only)
    return SeveralValues(root, clock, seats, paranoid, task.exact, texts)


@_or_none
def look_ahead(state: State, task: SearchTask, paranoid: bool) -> Lines | None:
    """The lines that a search among more than two players of the reference gives."""
    rules, scorer = state.game.rules, task.scorer
    kernels = None if rules.has_chance or rules.looks_back else _kernels_for(state, task)
    if kernels is None:
        return None
    engine, judge = kernels
    seed = scorer.random.getrandbits(30) if judge.draws else 0
    try:
        with scales_for(engine, judge, scorer.value, seed) as scales:
            if scales.place(state.situation.position) != len(state.moves):
                return None
            narrowing, only = _narrowed(state, engine, task)
            types = tuple(part.type for part in scorer.value.parts)
            root = JudgedByKernels(JudgingArrays(scales, types, narrowing), tuple(scales.words))
            search = several_values(root, state, task, paranoid, only)
            return search.run(state, task.limits.depth or 1)
    except (Fault, Unsupported):
        return None


def _narrowed(
    state: State, engine: Engine, task: SearchTask
) -> tuple[ThreadArrays | None, list[str] | None]:
    """The arrays in which patterns narrow, and the decisions that they leave here."""
    if task.consider is None:
        return None, None
    narrowing, only = narrowed_root(state, engine, task.consider, _early(task.limits))
    return ThreadArrays(engine, 0, candidates=narrowing), only


def _early(limits: Limits) -> float | None:
    """The seconds in which defences are looked for."""
    return None if limits.seconds is None else DEFENCES * limits.seconds


# --- what was found before ---

MOST = 20_000
"""Positions kept; when there are more, all are forgotten."""


@define
class ScoreMemory:
    """Scores by position and value: the same position need not be searched twice.

    Only what must come out alike again is kept: no search that was timed, none that drew chance, no
    position with a history (rules may ask for repetition).
    """

    _scores: dict[object, tuple[Lines, int, int | None]] = field(factory=dict)

    def root(self, state: State, name: str, random: Random, find: Callable[[], Lines]) -> Lines:
        """The scores, from memory where they are known; they cost what they cost the first time."""
        position = state.situation.position
        key = (position, name) if position.history is None else None
        if key is not None and key in self._scores:
            lines, nodes, depth = self._scores[key]
        else:
            before = random.getstate()
            with counting_searches() as effort:
                lines = find()
            nodes, depth = effort.nodes, effort.depth
            if key is not None and random.getstate() == before:
                self._keep(key, lines, nodes, depth)
        tell(nodes, depth)
        return lines

    def _keep(self, key: object, lines: Lines, nodes: int, depth: int | None) -> None:
        if len(self._scores) >= MOST:
            self._scores.clear()
        light = {t: None if line is None else evolve(line, leaf=None) for t, line in lines.items()}
        self._scores[key] = (light, nodes, depth)
