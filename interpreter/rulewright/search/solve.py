"""Solve a position: its value with proof, and the shortest win where asked.

In: a state and limits.  Out: `Solved`.  By alpha-beta with a table, deeper and deeper: a value that
depends on no position where looking stopped is proven.  Or by proof numbers, which ask whether a
person can force a win, and then whether a draw.  Refuses games without kernels.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from attrs import define, field

from rulewright import budget
from rulewright.codegen.engine import Engine, native_is_there
from rulewright.engine.game import State
from rulewright.errors import GameOver, OutOfBudget, RulewrightError
from rulewright.search.beside import in_time
from rulewright.search.deepening import Deepening
from rulewright.search.engines import load_engine
from rulewright.search.kernels import layout as at
from rulewright.search.parts import proofs
from rulewright.search.results import Found, Limits, Progress, Solved
from rulewright.search.root import Root
from rulewright.search.watch import Watch
from rulewright.search.workspace import INFINITE, Workspace

METHODS = ("alphabeta", "proof")
NAMES = {-1: "loss", 0: "draw", 1: "win"}
_ROUGH = 1.5
"""By how much the depth grows from one iteration to the next when the distance does not matter."""
DEEPEST = at.LEVELS - 3


@define
class Solver:
    """Solves one position; `stop` may be called from any thread."""

    root: Root
    limits: Limits
    shortest: bool = False
    method: str = "alphabeta"
    report: Callable[[Found], None] = lambda _: None
    started: float = field(factory=time.perf_counter)
    least: int = -1
    most: int = 1
    depth: int = 0
    space: Workspace = field(init=False)

    def __attrs_post_init__(self) -> None:
        more = (proofs(),) if self.method == "proof" else ()
        self.space = Workspace(self.root.engine, self.limits.memory, more=more)
        self.space.control[at.STEP] = int(self.shortest)
        if self.limits.nodes is not None:
            self.space.control[at.NODE_LIMIT] = self.limits.nodes

    def stop(self) -> None:
        """End the search."""
        self.space.stop()

    def tick(self) -> float | None:
        """End the search when its time is up; else the seconds it has left."""
        if self.limits.seconds is None:
            return None
        left = self.limits.seconds - self.seconds
        if budget.over():  # the whole command has its time, and loading was part of it
            left = 0.0
        if left <= 0:
            self.stop()
        return max(left, 0.001)

    @property
    def seconds(self) -> float:
        """Seconds since the beginning."""
        return time.perf_counter() - self.started

    def run(self) -> Solved:
        """What is proven when a limit is met, or all of it."""
        return self._proved() if self.method == "proof" else self._deepened()

    # --- alpha-beta ---

    def _deepened(self) -> Solved:
        edge = INFINITE if self.shortest else 1.0
        deepening = Deepening(self.root, [self.space], low=-edge, high=edge)
        deepening.run(self._depths(), lambda: self._look(deepening))
        self._look(deepening)
        best = deepening.best
        value = NAMES[self.least] if self.least == self.most else None
        known = best is not None and value is not None
        distance = best.distance if self.shortest and best is not None and value != "draw" else None
        return self._solved(
            move=best.text if known and best is not None else None,
            distance=distance if value is not None else None,
            pv=self._line(best.text, best.row) if known and best is not None else (),
            depth=deepening.depth,
        )

    def _depths(self) -> Iterator[int]:
        """Every depth for the shortest win; else in growing steps."""
        depth = 1
        last = self.limits.depth or DEEPEST
        while depth < last:
            yield depth
            depth = depth + 1 if self.shortest else max(depth + 2, int(depth * _ROUGH))
        yield last

    def _look(self, deepening: Deepening) -> None:
        """What the iteration proves of the value."""
        self.depth = deepening.depth
        best = deepening.best
        if best is None or best.value is None:
            return
        moves = deepening.moves
        if best.sure > 0:
            self.least = 1
        elif best.proven and best.value >= 0:
            self.least = max(self.least, 0)
        if all(m.proven for m in moves) and best.sure <= 0:
            self.most = -1 if best.sure < 0 else 0

    def _line(self, text: str, row: int) -> tuple[str, ...]:
        return self.root.line(text, self.space.numbers(row))

    # --- proof numbers ---

    def _proved(self) -> Solved:
        """First whether who is at move can force a win, then whether a draw."""
        self.root.place(self.space)
        won = self.space.forced(self.root.who, win=True)
        if won is True:
            self.least = 1
        elif won is False:
            self.most = 0
            held = self.space.forced(self.root.who, win=False)
            self.least = 0 if held is True else self.least
            self.most = -1 if held is False else self.most
        return self._solved(None, None, (), 0)

    def found(self) -> Solved:
        """What is proven so far."""
        return self._solved(None, None, (), self.depth)

    def _solved(
        self, move: str | None, distance: int | None, pv: tuple[str, ...], depth: int
    ) -> Solved:
        return Solved(
            value=NAMES[self.least] if self.least == self.most else None,
            side=self.root.side,
            least=NAMES[self.least],
            most=NAMES[self.most],
            move=move,
            distance=distance,
            pv=pv,
            nodes=self.space.nodes,
            depth=depth,
            seconds=self.seconds,
        )


def _engine(state: State, backend: str | None) -> Engine:
    """Machine code, or what checks it where there is no LLVM."""
    engine = load_engine(state.game, backend or "native")
    if isinstance(engine, str) and not native_is_there():
        engine = load_engine(state.game, "python")
    if isinstance(engine, str):
        raise RulewrightError(engine)
    return engine


def solve(
    state: State,
    limits: Limits | None = None,
    *,
    shortest: bool = False,
    method: str = "alphabeta",
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
    backend: str | None = None,
    keep: Callable[[Solver], None] = lambda _: None,
) -> Solved:
    """The value of a state for the person at move, proven; None where a limit came first.

    *keep* is given the solver before it starts: what it has found can be asked after an interrupt.
    """
    if state.over:
        raise GameOver(f"there is nothing to solve: the game is over ({state.result})")
    if method not in METHODS:
        raise RulewrightError(f"there is no method `{method}`: {', '.join(METHODS)}")
    if method == "proof" and (shortest or state.game.rules.looks_back):
        raise RulewrightError("proof numbers know no distances and do not look back; use alphabeta")

    def ready() -> Solver:
        root = Root(state, _engine(state, backend))
        return Solver(root, limits or Limits(None), shortest, method)

    solver = in_time(ready)
    watch: Watch[Solved] = Watch(solver.stop, solver.tick, progress, cancelled)
    solver.report = watch.post
    keep(solver)
    with state.game.located():
        try:
            return watch.run(solver.run)
        except OutOfBudget:
            return solver.found()
