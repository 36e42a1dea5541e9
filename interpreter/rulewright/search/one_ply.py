"""Looking one decision ahead, and beams, by machine code: what the reference says, faster.

In: a state, the kernels of one value, what a beam is told.  Out: the lines that `one_ply` and
`beam` of `reference.py` give; None where kernels and reference list different decisions.  Raises a
`Fault`, as for a number that a float cannot hold: the reference then says what is right.
"""

from __future__ import annotations

import struct
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, TypeAlias

from attrs import define, evolve, field

from rulewright.compiler import layout as p
from rulewright.compiler.engine import Engine
from rulewright.errors import Fault
from rulewright.games.engine.game import State
from rulewright.model.evaluation import ValueOf
from rulewright.model.expressions import MOVER, Type
from rulewright.reference.position import Position
from rulewright.search.driver import Driver
from rulewright.search.kernels import beam, moving, thread
from rulewright.search.reference import Scorer
from rulewright.search.results import FAR, BeamShape, Line, Lines, Number, Score, foremost
from rulewright.search.thread_arrays import LinkedEvaluator, Steps, ThreadArrays, module

After: TypeAlias = tuple[int, tuple[int, int], tuple[Number, ...] | None]
"""The result, the colour at move, whether persons are swapped; the parts of a value."""
Told: TypeAlias = Literal["all", "best", "none"]
"""Of which decisions the line that is expected is written out."""
DEEPEST = thread.LINE - 2
"""Levels that a beam can have."""


@define(eq=False, kw_only=True)
class Scales(ThreadArrays):
    """The arrays in which decisions are weighed, for one value of one evaluator."""

    evaluator: LinkedEvaluator
    value_of: ValueOf
    memory: int = 0
    _parts: Any = field(init=False)
    _beam: list[Any] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        self._parts = self.ints(len(self.value_of.parts))

    def _linked(self) -> Any:
        parts = (moving, beam) if self.value_of.of_move else (moving,)
        return self.engine.linked(self.evaluator.linked, module(*parts))

    def use(self, factors: Sequence[float]) -> None:
        """Go on with other values of the factors."""
        self.arrays[6] = self.floats(factors)

    def place(self, position: Position) -> int:
        """Put a position on the scales; how many decisions it has."""
        c = self.control
        c.stop = c.fault = c.nodes = self.game[4][p.ROUNDED] = 0
        rows = super().place(position)
        if self.value_of.of_move:
            self.kernels["look"](*self.game, self.arrays[6])
        self._verify()
        return rows

    def decision(self, number: int) -> tuple[Number, ...] | None:
        """The parts of a decision's value, better for whom the value is said for; None: not judged.

        Of what chance says the numbers are new with every call.
        """
        where = number * self.engine.row
        if not self.kernels["judges"](self.game[2], where):
            return None
        return self._read(where)

    def outcome(self, number: int, ended: bool) -> After:
        """What follows a decision: a finished game has parts of a value only if *ended*."""
        state = self.game[0]
        self.kernels["settle"](*self.arrays, number, self.rows)
        self._verify()
        result, who = state[p.RESULT], (state[p.MOVER], state[p.SWAPPED])
        parts = self._read(0) if ended or result == p.RUNNING else None
        self.kernels["back"](*self.arrays, 0)
        return result, who, parts

    def _read(self, where: int) -> tuple[Number, ...]:
        self.kernels["parts"](*self.game, self.arrays[6], self._parts, where)
        self._verify()
        return tuple(
            struct.unpack("<d", struct.pack("<q", word))[0] if part.type is Type.REAL else word
            for part, word in zip(self.value_of.parts, list(self._parts), strict=True)
        )

    def _verify(self) -> None:
        self.check(self.control.fault or self.game[0][p.FAULT])
        if self.game[4][p.ROUNDED]:
            raise Fault("overflow", "a number too large for the order of a sum not to matter")

    # --- beams ---

    def shape(self, breadths: Sequence[int], who: int) -> None:
        """How many decisions a beam keeps at each level; the first is the root's, of level 1."""
        levels = [0, *breadths, *([1] * (thread.LINE - len(breadths)))]
        self._beam = [
            self.engine.array(levels), self.floats(thread.ROWS),
            self.ints(thread.LINE * thread.LINE), self.floats(thread.LINE),
        ]  # fmt: skip
        self.control.levels, self.control.who = len(breadths), who

    def behind(
        self, number: int, weight: float, share: float
    ) -> Generator[None, None, tuple[float, list[int]]]:
        """What a decision is worth with what follows it, for who decides.

        Also the numbers of the decisions that follow.
        """
        more = *self._beam, number, weight, share, 1, self.rows
        found = yield from self.resumable(lambda: self.call("behind", *more), 2, counted=False)
        self._verify()
        line, begin = self._beam[2], 2 * thread.LINE
        return found, [line[begin + 1 + i] for i in range(line[begin])]


@contextmanager
def scales_for(
    engine: Engine, judge: LinkedEvaluator, value: ValueOf, seed: int
) -> Iterator[Scales]:
    """Scales for the decisions of a position; what fails on them is not used again."""
    pool: list[Scales] = engine.pools.setdefault(id(judge.linked), [])
    scales = pool.pop() if pool else Scales(engine=engine, evaluator=judge, value_of=value)
    scales.use(judge.factors)
    if judge.draws:
        scales.seed(seed)
    yield scales
    pool.append(scales)


@define(eq=False, kw_only=True)
class Weigher(Driver[Lines]):
    """Weighs the decisions of one position; a beam looks behind the best of them."""

    state: State
    scorer: Scorer
    scales: Scales
    beam: BeamShape | None = None
    told: Told = "none"
    """Which lines are written; the reference writes them, which may outlast the search."""
    _lines: Lines = field(factory=dict)
    _behind: dict[str, tuple[Line, list[int]]] = field(factory=dict)

    def search(self) -> Generator[None, None, Lines]:
        """The scores of the decisions."""
        self.use([self.scales])
        texts, shape = self.state.moves.texts, self.beam
        self._lines = dict.fromkeys(texts)
        order, late = list(range(len(texts))), self.limits.seconds
        if late is not None and shape is None:
            self.scorer.random.shuffle(order)
        work = self._weighing(texts, order, late if shape is None else None)
        yield from self.within(work, None, None)
        if shape is None:
            return self._lines
        kept = foremost(self._lines, shape.breadth)
        if shape.depth > 1:
            yield from self.within(self._looking(texts, kept, shape), None, late)
        if self._behind:
            return self._written()
        return {text: line if text in kept else None for text, line in self._lines.items()}

    # --- one decision ahead ---

    def _weighing(self, texts: list[str], order: Iterable[int], late: float | None) -> Steps:
        """The score of every decision; when it is *late*, of those that were weighed by then."""
        control, scored = self.scales.control, False
        for number in order:
            if scored and late is not None and self.seconds > late:
                return
            if control.nodes >= control.node_limit:
                yield
            score = self._score(number)
            if score is not None:
                scored = True
                control.nodes += 1
                self._lines[texts[number]] = Line(score, (texts[number],))

    def _score(self, number: int) -> Score | None:
        """The score of a decision, for the person who decides."""
        scales, scorer = self.scales, self.scorer
        here = self.state.situation.position
        if scales.value_of.of_move:
            parts = scales.decision(number)
            return None if parts is None else (0, *self._signed(parts, here.mover, here.swapped))
        result, (mover, swapped), parts = scales.outcome(number, scorer.valued_ends)
        if parts is not None:
            return (0, *self._signed(parts, mover, bool(swapped)))
        zero = (0,) * len(scorer.value.parts)
        if result == p.DRAWN:
            return (0, *zero)
        return (FAR - 1 if result ^ swapped == scorer.person else 1 - FAR, *zero)

    def _signed(self, parts: Score, mover: int, swapped: bool) -> Score:
        player = self.scorer.value.player
        return self.scorer.signed(parts, mover if player == MOVER else player, swapped)

    # --- beams ---

    def _looking(self, texts: list[str], kept: list[str], shape: BeamShape) -> Steps:
        """Look behind the decisions that are kept."""
        rows = {text: number for number, text in enumerate(texts)}
        self.scales.shape(shape.breadths(), self.scorer.person)
        for text in kept:
            line = self._lines[text]
            assert line is not None
            weight = float(line.score[1])
            value, numbers = yield from self.scales.behind(rows[text], weight, 1 - shape.fade)
            self._behind[text] = Line((0, value), (text,)), numbers

    def _written(self) -> Lines:
        """What was found, with lines as texts."""
        best = max(line.score for line, _ in self._behind.values())
        found: Lines = dict.fromkeys(self._lines)
        for text, (line, numbers) in self._behind.items():
            if self.told == "all" or (self.told == "best" and line.score == best):
                found[text] = evolve(line, moves=self._line(text, numbers))
            else:
                found[text] = line
        return found

    def _line(self, first: str, numbers: Sequence[int]) -> tuple[str, ...]:
        state, texts = self.state, [first]
        for number in numbers:
            state = state.play_decision(texts[-1])
            texts.append(state.moves.texts[number])
        return tuple(texts)
