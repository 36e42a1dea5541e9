"""Looking one decision ahead, and beams, by machine code: what the reference says, faster.

In: a state, a personality's model and a value.  Out: the same scores as `searches.one_ply` and
`searches.Beam` give.  None where the game or the value has no kernels, and wherever the kernels
meet a fault or a number that a float cannot hold: the reference then decides, or says what is
wrong and where.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Literal, TypeAlias, TypeVar
from weakref import WeakKeyDictionary

from attrs import evolve, frozen

from rulewright.codegen import layout as p
from rulewright.codegen.engine import Engine
from rulewright.engine.game import State
from rulewright.errors import Fault
from rulewright.model.expressions import MOVER
from rulewright.model.personality import Personality
from rulewright.players.native import native_evaluator
from rulewright.players.scores import FAR, Score, Scorer
from rulewright.players.searches import Clock, Limits, Line, Root, foremost, half_up
from rulewright.search.engines import load_engine
from rulewright.search.scales import DEEPEST, Scales
from rulewright.search.watch import Watch
from rulewright.search.workspace import Evaluator as Kernel

T = TypeVar("T")
Found = dict[str, tuple[Line, list[int]] | None]
"""Scores of decisions, with the numbers of the decisions that are expected to follow."""
_POOL: WeakKeyDictionary[Engine, dict[int, list[Scales]]] = WeakKeyDictionary()
"""Scales that are not in use, by the kernels that they weigh with."""


@frozen
class Beam:
    """What a beam is told: decisions kept at each level, their number, and what a level fades."""

    breadth: int
    depth: int
    trim: float
    fade: float

    def breadths(self) -> list[int]:
        """How many decisions are kept at each level."""
        found = [self.breadth]
        while len(found) < self.depth:
            found.append(half_up(found[-1] * (1 - self.trim)))
        return [max(1, n) for n in found]


def weighed(state: State, model: Personality, clock: Clock) -> Root | None:
    """The scores that `one_ply` gives."""
    with _scales(state, model, clock) as scales:
        return None if scales is None else _settled(lambda: _one_ply(state, scales, clock))


Told: TypeAlias = Literal["all", "best", "none"]
"""Of which decisions the line that is expected is written out."""


def looked_ahead(
    state: State, model: Personality, clock: Clock, beam: Beam, *, lines: Told
) -> Root | None:
    """The scores that a beam gives, with the lines of all decisions, of the best, or of none."""
    if beam.depth > DEEPEST:
        return None
    with _scales(state, model, clock) as scales:
        if scales is None:
            return None
        found = _settled(lambda: _beamed(state, scales, clock, beam))
    return None if found is None else _written(state, found, lines)


def _settled(work: Callable[[], T | None]) -> T | None:
    try:
        return work()
    except Fault:
        return None


@contextmanager
def _scales(state: State, model: Personality, clock: Clock) -> Iterator[Scales | None]:
    """Scales with the position of *state* on them; None where there are none."""
    scorer = clock.scorer
    with clock.stopped():
        ready = _ready(state, model, scorer)
    if ready is None:
        yield None
        return
    scales, judge, pool = ready
    scales.use(judge.factors)
    if judge.draws:
        scales.seed(scorer.random.getrandbits(30))
    try:
        scales.place(state.situation.position)
    except Fault:
        yield None
        return
    yield scales
    pool.append(scales)


def _ready(
    state: State, model: Personality, scorer: Scorer
) -> tuple[Scales, Kernel, list[Scales]] | None:
    """Scales, compiled; what judges on them; and the pool that they go back to."""
    engine = load_engine(state.game)
    if isinstance(engine, str) or model.evaluator is None:
        return None
    judge = native_evaluator(
        engine, model.evaluator, scorer.value, model.factors, scorer.valued_ends
    )
    if judge is None:
        return None
    pool = _POOL.setdefault(engine, {}).setdefault(id(judge.linked), [])
    return (pool.pop() if pool else Scales(engine, judge, scorer.value)), judge, pool


# --- one decision ahead ---


def _one_ply(state: State, scales: Scales, clock: Clock) -> Root | None:
    options = state.situation.options
    if scales.rows != len(options):
        return None
    order, seconds = list(range(len(options))), clock.limits.seconds
    if seconds is not None:
        clock.scorer.random.shuffle(order)
    found: Root = {option.text: None for option in options}
    scored = False
    for number in order:
        if scored and seconds is not None and clock.seconds > seconds:
            break
        score = _score(state, scales, clock, number)
        clock.scorer.nodes += score is not None
        scored = scored or score is not None
        text = options[number].text
        found[text] = None if score is None else Line(score, (text,))
    return found


def _score(state: State, scales: Scales, clock: Clock, number: int) -> Score | None:
    """The score of a decision, for the person who decides."""
    scorer, here = clock.scorer, state.situation.position
    if scales.value.of_move:
        parts = scales.decision(number)
        return None if parts is None else (0, *_signed(scorer, parts, here.mover, here.swapped))
    result, (mover, swapped), parts = scales.after(number, scorer.valued_ends)
    if parts is not None:
        return (0, *_signed(scorer, parts, mover, bool(swapped)))
    zero = (0,) * len(scorer.value.parts)
    if result == p.DRAWN:
        return (0, *zero)
    return (FAR - 1 if result ^ swapped == scorer.person else 1 - FAR, *zero)


def _signed(scorer: Scorer, parts: Score, mover: int, swapped: bool) -> Score:
    side = mover if scorer.value.player == MOVER else scorer.value.player
    return parts if side ^ swapped == scorer.person else tuple(-part for part in parts)


# --- beams ---


def _beamed(state: State, scales: Scales, clock: Clock, beam: Beam) -> Found | None:
    """The scores of the decisions that are kept, with the numbers of those that follow."""
    whole = _one_ply(state, scales, Clock(clock.scorer, Limits()))
    if whole is None:
        return None
    kept = foremost(whole, beam.breadth)
    first: Found = {t: (line, []) if line and t in kept else None for t, line in whole.items()}
    if beam.depth <= 1:
        return first
    scales.widths(beam.breadths())
    rows = {option.text: number for number, option in enumerate(state.situation.options)}

    def look() -> Found:
        found: Found = dict.fromkeys(whole)
        for text in kept:
            line = whole[text]
            assert line is not None
            weight = float(line.score[1])
            behind = scales.behind(rows[text], weight, 1 - beam.fade, beam.depth)
            if behind is None:
                break
            found[text] = Line((0, behind[0]), (text,)), behind[1]
        return found if any(found.values()) else first

    found = Watch[Found](scales.stop, lambda: _left(scales, clock)).run(look)
    clock.scorer.nodes += scales.nodes
    return found


def _left(scales: Scales, clock: Clock) -> float | None:
    """The seconds that are left; none are: the scales stop."""
    if clock.limits.seconds is None:
        return None
    left = clock.limits.seconds - clock.seconds
    if left <= 0:
        scales.stop()
        return None
    return left


def _written(state: State, found: Found, lines: Told) -> Root:
    """Lines as texts; the reference writes them, which on large boards outlasts the search."""
    best = max((one[0].score for one in found.values() if one), default=None)
    root: Root = {}
    for text, one in found.items():
        line, behind = one or (None, [])
        if line is not None and (lines == "all" or (lines == "best" and line.score == best)):
            line = evolve(line, moves=_line(state, text, behind))
        root[text] = line
    return root


def _line(state: State, first: str, numbers: Sequence[int]) -> tuple[str, ...]:
    texts = [first]
    for number in numbers:
        state = state.play_decision(texts[-1])
        texts.append(state.moves.texts[number])
    return tuple(texts)
