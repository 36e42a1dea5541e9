"""Looking one decision ahead, and beams, by machine code: what the reference says, faster.

In: a state, the kernels of one value, what a beam is told.  Out: the lines that `one_ply` and
`beam` of `reference.py` give; None where kernels and reference list different decisions.  Raises a
`Fault`, as for a number that a float cannot hold: the reference then says what is right.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, TypeAlias

from attrs import define, evolve, field

from rulewright.compiler import layout as p
from rulewright.compiler.arrays import SharedWords
from rulewright.compiler.engine import Engine
from rulewright.compiler.runtime import bits_float, float_bits
from rulewright.errors import Fault
from rulewright.games.engine.game import State
from rulewright.model.evaluation import ValueOf
from rulewright.model.expressions import MOVER, Type
from rulewright.reference.position import Position
from rulewright.search.driver import Driver
from rulewright.search.kernels import thread, weighing
from rulewright.search.kernels.root import MORE, OVER
from rulewright.search.reference_search import Scorer
from rulewright.search.results import FAR, BeamShape, Line, Lines
from rulewright.search.root_search import RootSearch
from rulewright.search.thread_arrays import LinkedEvaluator, Root, Steps, ThreadArrays, one_ply

WrittenLines: TypeAlias = Literal["all", "best", "none"]
"""Of which decisions the line that is expected is written out."""
DEEPEST = thread.LINE - 2
"""Levels that a beam can have."""


def value_words(value: ValueOf) -> list[int]:
    """Return the words of `ScoreWords` that say what a value is."""
    reals = sum(1 << i for i, part in enumerate(value.parts) if part.type is Type.REAL)
    said_for = weighing.EVERYBODY if value.player == MOVER else value.player
    return [int(value.of_move), said_for, len(value.parts), reals]


def levels_of(shape: BeamShape) -> tuple[int, ...]:
    """Return how many decisions a beam keeps at each level; the root's is level 1."""
    breadths = shape.breadths()
    return (0, *breadths, *([1] * (thread.LINE - len(breadths))))


@define(eq=False, kw_only=True)
class OnePlyArrays(ThreadArrays):
    """The arrays in which decisions are weighed, for one value of one evaluator."""

    evaluator: LinkedEvaluator
    value_of: ValueOf
    memory: int = 0
    root: RootSearch = field(init=False)
    shape: SharedWords = field(init=False)
    """The words of `weighing.ScoreWords`."""
    _scores: list[Any] = field(init=False)
    """The arrays of `weighing.ScoreArrays`."""
    _beam: list[Any] = field(factory=list, init=False)
    """The arrays of `weighing.Beam`."""

    def _linked(self) -> Any:
        return self.engine.linked(self.evaluator.linked, *one_ply(self.value_of.of_move))

    def use(self, factors: Sequence[float]) -> None:
        """Go on with other values of the factors."""
        self.arrays[6] = self.floats(factors)

    def place(self, position: Position) -> int:
        """Put a position on the scales; how many decisions it has."""
        c, parts = self.control, len(self.value_of.parts)
        c.stop = c.fault = c.nodes = self.game[4][p.ROUNDED] = 0
        rows = super().place(position)
        self.root = RootSearch(self)
        words = self.ints(len(weighing.ScoreWords.__annotations__))
        for i, word in enumerate(value_words(self.value_of)):
            words[1 + i] = word
        self.shape = SharedWords(weighing.ScoreWords, words)
        self._scores = [words, self.ints(rows * (parts + 1)), self.ints(parts)]
        return rows

    def ask(self, name: str, *more: Any) -> int:
        """Call a kernel of `weighing.py`; raises a fault for what no float can hold."""
        answer = self.root.call(name, None, *self._scores, *more)
        if self.game[4][p.ROUNDED]:
            raise Fault("overflow", "a number too large for the order of a sum not to matter")
        return answer

    def weigh(self, order: Sequence[int], ends: bool = False) -> None:
        """Begin to weigh decisions in an order; finished games are worth what is valued if *ends*.

        Of what chance says the numbers are new with every call.
        """
        self.root.arrange(order)
        self.shape.ends = int(ends)
        self.ask("begin_weighing")

    def line(self, text: str, row: int) -> Line | None:
        """Return a decision's score for who decides; None where the value does not judge it."""
        if not self.root.moves["marks"][row]:
            return None
        types = [part.type for part in self.value_of.parts]
        at = row * (len(types) + 1)
        result, *words = (self._scores[1][at + i] for i in range(len(types) + 1))
        parts = (bits_float(w) if t is Type.REAL else w for t, w in zip(types, words, strict=True))
        return Line((result * (FAR - 1), *([0] * len(types) if result else parts)), (text,))

    def parts(self, row: int | None) -> tuple[int | float, ...]:
        """Return what a value says, for whom it is said: of the position, or a decision's row."""
        if row is not None:
            self.ask("begin_weighing")
        self.ask("read_parts", (row or 0) * self.engine.row)
        words = zip(self._scores[2], self.value_of.parts, strict=False)
        return tuple(bits_float(w) if e.type is Type.REAL else w for w, e in words)

    def keep(self, shape: BeamShape) -> list[int]:
        """Begin to look behind the best decisions; return which these are, the best first."""
        line, words = thread.LINE, self.shape
        buffers = self._beam[1:] or (
            self.floats(thread.ROWS),
            self.ints(line**2),
            self.floats(line),
        )
        self._beam = [self.engine.array(levels_of(shape)), *buffers]
        words.breadth, words.share = shape.breadth, float_bits(1.0 - shape.fade)
        self.root.words.deepest = shape.depth
        self.ask("begin_beam")
        return self.root.order()

    def behind(self, number: int) -> Generator[None, None, tuple[Line, list[int]]]:
        """Look behind the next decision; its line without texts, and what follows as numbers."""
        while self.ask("look_behind", *self._beam) == MORE:
            yield
        line, begin = self._beam[2], 2 * thread.LINE
        numbers = [line[begin + 1 + i] for i in range(line[begin])]
        return Line((0, float(self.root.moves["values"][number])), ()), numbers


@contextmanager
def scales_for(
    engine: Engine, judge: LinkedEvaluator, value: ValueOf, seed: int
) -> Iterator[OnePlyArrays]:
    """One-ply arrays for the decisions of a position; what fails with them is not used again."""
    pool: list[OnePlyArrays] = engine.pools.setdefault(id(judge.linked), [])
    scales = pool.pop() if pool else OnePlyArrays(engine=engine, evaluator=judge, value_of=value)
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
    scales: OnePlyArrays
    beam: BeamShape | None = None
    line_kind: WrittenLines = "none"
    """Which lines are written out; the reference does so, which may take longer than the search."""

    def search(self) -> Generator[None, None, Lines]:
        """Return the scores of the decisions."""
        self.use([self.scales])
        texts, shape, late = self.state.moves.texts, self.beam, self.limits.seconds
        order = list(range(len(texts)))
        if late is not None and shape is None:
            self.scorer.random.shuffle(order)
        work = self._weighing(order, late if shape is None else None)
        yield from self.within(work, None, None)
        lines = {text: self.scales.line(text, row) for row, text in enumerate(texts)}
        if shape is None:
            return lines
        rows, behind = self.scales.keep(shape), dict[int, tuple[Line, list[int]]]()
        if shape.depth > 1:
            yield from self.within(self._looking(rows, behind), None, late)
        if behind:
            return dict.fromkeys(texts) | self._written_lines(behind)
        return {text: lines[text] if row in rows else None for row, text in enumerate(texts)}

    def _weighing(self, order: Sequence[int], late: float | None) -> Steps:
        """Weigh every decision; when it is *late*, those that were weighed by then are enough."""
        scales = self.scales
        scales.weigh(order, self.scorer.valued_ends)
        while True:
            if late is not None:
                scales.stop_at(scales.nodes + 1)
            if scales.ask("weigh_on") == OVER or (late is not None and self.seconds > late):
                return
            yield

    def _looking(self, rows: list[int], behind: dict[int, tuple[Line, list[int]]]) -> Steps:
        """Look behind the decisions that are kept."""
        for row in rows:
            behind[row] = yield from self.scales.behind(row)

    def _written_lines(self, behind: dict[int, tuple[Line, list[int]]]) -> Lines:
        """Return the lines that were looked at, written out as far as they are told."""
        root, best = Root(self.state, self.engine), max(line.score for line, _ in behind.values())
        lines: Lines = {}
        for row, (line, numbers) in behind.items():
            whole = self.line_kind == "all" or (self.line_kind == "best" and line.score == best)
            text = root.moves[row]
            lines[text] = evolve(line, moves=root.line(text, numbers if whole else ()))
        return lines
