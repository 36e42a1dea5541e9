"""The values of many positions at once, by an evaluator's kernel.

In: the words of positions, an evaluator's value, its factors.  Out: a number for each position,
bigger for those that are better for the first colour.  Refuses, as `LearningError`, values that
machine code does not have, and values that draw numbers at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import define, field

from rulewright.compiler.backend import load as load_kernels
from rulewright.compiler.backend.lanes import LanesCall, each_lane, words_of
from rulewright.compiler.engine import Engine
from rulewright.ground.records import Record
from rulewright.learning import value_kernels
from rulewright.learning.lane_arrays import LearningError, numpy
from rulewright.model.evaluation import Evaluator, ValueOf
from rulewright.players.machine import native_evaluator, pack_values

if TYPE_CHECKING:
    import numpy as np

    Numbers: TypeAlias = np.ndarray[Any, np.dtype[Any]]


@define(eq=False)
class PositionValues(Record):
    """Values of positions, for any factors."""

    engine: Engine
    evaluator: Evaluator
    value: ValueOf
    words: Numbers
    """(positions, words)."""
    _call: LanesCall = field(init=False)
    _shared: dict[str, Any] = field(init=False)

    def __attrs_post_init__(self) -> None:
        np, engine, defaults = numpy(), self.engine, [f.default for f in self.evaluator.factors]
        if self.value.moves or len(self.value.parts) > 1:
            name = f"`{self.value.name}` of {self.evaluator.name}"
            raise LearningError(f"{name} is no value of positions with one part")
        judge = native_evaluator(engine, self.evaluator, self.value, defaults, False)
        if judge is None:
            raise LearningError(f"machine code cannot play `{self.evaluator.name}`")
        if judge.draws:
            raise LearningError(f"`{self.evaluator.name}` draws numbers at random")
        native = engine.linked(judge.linked, load_kernels(value_kernels)).best
        self._call, sizes = each_lane(native, "value_lane"), engine.sizes()
        self._shared = {n: np.zeros(sizes[n], np.int64) for n in "MHXT"}
        self._shared["K"] = np.ctypeslib.as_array(engine.constants)

    def __call__(self, factors: Sequence[float]) -> Numbers:
        """Return the value of each position: (positions,)."""
        np = numpy()
        values = np.zeros((len(self.words), 1))
        states = np.zeros((len(self.words), self.engine.plan.whole), np.int64)
        states[:, : self.words.shape[1]] = self.words
        own = np.array([*pack_values(self.evaluator.factors, factors), 0.0])
        arrays = [states, *(self._shared[n] for n in "KMHXT"), own, values]
        distances = [a.strides[0] if a.ndim > 1 else 0 for a in arrays]
        addresses = words_of([a.ctypes.data for a in arrays])
        self._call(addresses, words_of(distances), 0, len(states))
        return values[:, 0]
