"""Games that nobody can win any more, as a value of an evaluator tells the referee.

In: a game, and `EVALUATOR:VALUE`.  Out: whether a position is drawn, by machine code where the
value has kernels.  The rules know nothing of it: what they call a draw stays as it is.  Refuses
evaluators and values that the game does not have, and values of moves.
"""

from __future__ import annotations

from random import Random
from typing import Any

from attrs import define, field, frozen

from rulewright.codegen.defects import Defect
from rulewright.engine.game import Game, State
from rulewright.engine.kernels import load_engine
from rulewright.errors import RulewrightError
from rulewright.files.catalog import EVALUATOR
from rulewright.files.kinds import load_file
from rulewright.model.evaluation import ValueOf
from rulewright.players.machine import native_evaluator
from rulewright.reference.evaluation import StaticEvaluator
from rulewright.search.thread_arrays import ThreadArrays


@define(eq=False)
class Lifeless:
    """A value of an evaluator: positions where it is not 0 are drawn."""

    game: Game
    text: str
    judge: StaticEvaluator = field(init=False)
    value: ValueOf = field(init=False)
    _kernel: _Kernel | None = field(init=False)

    def __attrs_post_init__(self) -> None:
        name, _, wanted = self.text.partition(":")
        if not name or not wanted:
            raise RulewrightError(f"--drawn takes EVALUATOR:VALUE, not `{self.text}`")
        evaluator = load_file(EVALUATOR, self.game, name)
        value = evaluator.value(wanted)
        if value is None or value.of_move:
            there = ", ".join(f"`{v.name}`" for v in evaluator.values if not v.of_move)
            raise RulewrightError(
                f"the evaluator {name} has no value of positions called `{wanted}`; it has {there}"
            )
        self.judge, self.value = StaticEvaluator(self.game.play, evaluator), value
        self._kernel = _Kernel.of(self.game, self.judge, value)

    def __call__(self, state: State) -> bool:
        """Whether the value is not 0 here."""
        if self._kernel is not None:
            return self._kernel(state)
        factors = self.judge.evaluator.defaults
        position = state.situation.position
        return any(self.judge.of_position(self.value, position, factors, Random(0)))


@frozen(eq=False)
class _Kernel:
    """The value as machine code."""

    space: ThreadArrays
    value: Any

    @classmethod
    def of(cls, game: Game, judge: StaticEvaluator, value: ValueOf) -> _Kernel | None:
        engine, evaluator = load_engine(game, quick=True), judge.evaluator
        if isinstance(engine, str) or len(value.parts) > 1:
            return None
        kernel = native_evaluator(engine, evaluator, value, evaluator.defaults, judges_ends=False)
        if kernel is None:
            return None
        try:
            space = ThreadArrays(engine, 0, kernel)
        except Defect:
            return None
        return cls(space, space.kernels["value"])

    def __call__(self, state: State) -> bool:
        """Whether the value is not 0 here."""
        self.space.place(state.situation.position)
        found: float = self.value(*self.space.game, self.space.arrays[len(self.space.game)])
        return found != 0
