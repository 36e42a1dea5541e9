"""Scales: what an evaluator says of the decisions of a position, by machine code.

In: a game's engine, the kernels of one value, its factors.  Out: the parts of the value of each
decision (or of the position after it), and what a beam expects to follow.  A fault, or a whole
number that a float cannot hold, is a `Fault`: the reference then says what is right.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import cache
from typing import Any

from attrs import define, field

from rulewright.codegen import layout as p
from rulewright.codegen.backend import Linked, load
from rulewright.codegen.engine import Engine
from rulewright.codegen.layout import fault_of
from rulewright.errors import Fault
from rulewright.model.evaluation import ValueOf
from rulewright.model.expressions import Type
from rulewright.reference.position import Position
from rulewright.search.kernels import beam, settle, undo
from rulewright.search.kernels import layout as at
from rulewright.search.workspace import Evaluator

Number = int | float
After = tuple[int, tuple[int, int], tuple[Number, ...] | None]
"""The result, the colour at move, whether persons are swapped; the parts of a value."""
DEEPEST = at.LINE - 2
"""Levels that a beam can have."""


@cache
def steps() -> Linked:
    """Playing and going back, for values of positions: one module for all games."""
    return load(undo, settle)


@cache
def beams() -> Linked:
    """The same, and beams, for values of moves."""
    return load(undo, settle, beam)


@define(eq=False)
class Scales:
    """The arrays in which decisions are weighed, for one value of one evaluator."""

    engine: Engine
    judge: Evaluator
    value: ValueOf
    rows: int = field(default=0, init=False)
    control: Any = field(init=False)
    _kernels: Any = field(init=False)
    _game: list[Any] = field(init=False)
    _factors: Any = field(init=False)
    _parts: Any = field(init=False)
    _notes: Any = field(init=False)
    _beam: list[Any] = field(factory=list, init=False)
    _root: list[int] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        engine, sizes = self.engine, self.engine.sizes()
        self._kernels = engine.linked(self.judge.linked, beams() if self.value.of_move else steps())
        self._game = [engine.constants if a == "K" else engine.zeros(sizes[a]) for a in "SKMHXT"]
        self._factors = engine.array([*self.judge.factors, 0.0])
        self._parts = engine.zeros(len(self.value.parts))
        self._notes = engine.zeros(engine.plan.size * at.LINE)
        self.control = c = engine.zeros(at.CONTROL)
        c[at.SIZE], c[at.ROW] = engine.plan.size, engine.row
        c[at.DRY] = int(any(end.stuck for end in engine.play.rules.ends))

    def use(self, factors: Sequence[float]) -> None:
        """Go on with other values of the factors."""
        self._factors = self.engine.array([*factors, 0.0])

    def seed(self, number: int) -> None:
        """Begin the random numbers of the evaluator anew."""
        self._game[4][p.CHANCE] = (number + 1) * 0x9E3779B97F4A7C15 % 2**62 | 1

    @property
    def game(self) -> list[Any]:
        """The arrays that a game's kernels take."""
        return self._game

    def place(self, position: Position) -> int:
        """Put a position on the scales; how many decisions it has."""
        game, c = self._game, self.control
        c[at.STOP] = c[at.FAULTED] = c[at.NODES] = game[4][p.ROUNDED] = 0
        self.engine.put(position, game[0], game[3])
        self.rows = self._kernels["decisions"](*game, 0)
        if self.value.of_move:
            self._kernels["look"](*game, self._factors)
        self._check()
        self._kernels["note"](game[0], self._notes, c, 0)
        return self.rows

    def decision(self, number: int) -> tuple[Number, ...] | None:
        """The parts of a decision's value, better for whom the value is said for; None: not judged.

        Of what chance says the numbers are new with every call.
        """
        where = number * self.engine.row
        if not self._kernels["judges"](self._game[2], where):
            return None
        return self._read(where)

    def after(self, number: int, ended: bool) -> After:
        """What follows a decision: a finished game has parts of a value only if *ended*."""
        game = self._game
        self._kernels["settle"](*game, self.control, number, self.rows)
        self._check()
        result, who = game[0][p.RESULT], (game[0][p.MOVER], game[0][p.SWAPPED])
        parts = self._read(0) if ended or result == p.RUNNING else None
        self._kernels["back"](game[0], self._notes, self.control, 0)
        return result, who, parts

    def _read(self, where: int) -> tuple[Number, ...]:
        self._kernels["parts"](*self._game, self._factors, self._parts, where)
        self._check()
        found = list(self._parts)
        return tuple(
            struct.unpack("<d", struct.pack("<q", word))[0] if part.type is Type.REAL else word
            for part, word in zip(self.value.parts, found, strict=True)
        )

    def _check(self) -> None:
        fault = self.control[at.FAULTED] or self._game[0][p.FAULT]
        if fault:
            raise fault_of(fault, self._game[4][p.ORIGIN], self.engine.play.rules)
        if self._game[4][p.ROUNDED]:
            raise Fault("overflow", "a number too large for the order of a sum not to matter")

    @property
    def nodes(self) -> int:
        """Decisions that a beam has weighed behind those of the position."""
        return int(self.control[at.NODES])

    def stop(self) -> None:
        """End a beam that is under way in another thread."""
        self.control[at.STOP] = 1

    # --- beams ---

    def widths(self, breadths: Sequence[int]) -> None:
        """How many decisions a beam keeps at each level; the first is the root's, of level 1."""
        zeros, array = self.engine.zeros, self.engine.array
        weights = array([0.0] * at.ROWS)
        levels = array([0, *breadths, *([1] * (at.LINE - len(breadths)))])
        self._beam = [levels, weights, zeros(at.ROWS), zeros(at.LINE * at.LINE)]

    def behind(
        self, number: int, weight: float, share: float, depth: int
    ) -> tuple[float, list[int]] | None:
        """What a decision is worth with what follows it, for who decides; None: stopped before.

        Also the numbers of the decisions that follow.
        """
        game, c = self._game, self.control
        me = game[0][p.MOVER] ^ game[0][p.SWAPPED]
        found = self._kernels["behind"](
            *game, self._factors, self._notes, c, *self._beam,
            number, weight, share, depth, 1, self.rows, me,
        )  # fmt: skip
        self._check()
        if c[at.STOP]:
            return None
        line = self._beam[3]
        begin = 2 * at.LINE
        return found, [line[begin + 1 + i] for i in range(line[begin])]
