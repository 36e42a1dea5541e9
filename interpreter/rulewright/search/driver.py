"""One search from beginning to end: which algorithm, its share of the limits, and its answer.

In: a root and limits.  Out: `Found`.  `auto` first looks for forced results by alpha-beta, deeper
and deeper; the decisions that it settles keep their results, and the others are judged by tree
search.  With an evaluator, or when asked for, alpha-beta decides alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from random import Random
from threading import Thread
from typing import TYPE_CHECKING

from attrs import define, evolve, field

from rulewright.codegen.backend import Linked
from rulewright.codegen.engine import Engine
from rulewright.search.ahead import COMPILER
from rulewright.search.deepening import Deepening, Move
from rulewright.search.kernels import layout as at
from rulewright.search.parts import trees as kernels_of_trees
from rulewright.search.results import Found, Limits
from rulewright.search.root import Root
from rulewright.search.trees import Child, Tree, grow_all, together
from rulewright.search.workspace import Evaluator, Workspace

if TYPE_CHECKING:
    from rulewright.search.candidates import Candidates

PROOF_SHARE = 0.3
"""The share of the limits that `auto` may use to look for forced results."""
DEPTH_ONLY = 20_000
"""Nodes that random games may use when only a depth limits the search."""
LINE_SECONDS = 0.004
"""Seconds for writing out a line of play, which the reference does."""
REPORT_SECONDS = 0.006
"""Seconds that are kept for what comes after the search."""
IMPROVE_SECONDS = 0.25
"""Seconds of searching with code compiled quickly, after which better code is worth its price."""
DEEPEST = at.LEVELS - 3


@define
class Driver:
    """A search; `stop` may be called from any thread."""

    root: Root
    engine: Engine
    limits: Limits
    seed: int = 0
    algorithm: str = "auto"
    evaluator: Evaluator | None = None
    all_values: bool = False
    candidates: Candidates | None = None
    only: Collection[str] | None = None
    """The decisions of the root that are searched; None means all of them."""
    report: Callable[[Found], None] = lambda _: None
    changed: Callable[[], None] = lambda: None
    started: float = field(factory=time.perf_counter)
    halted: bool = False
    _spaces: list[Workspace] = field(factory=list)
    _until: float | None = None
    _nodes: int = 0
    _improving: bool = False
    _growing: bool = False
    _changing_over: bool = False

    def run(self) -> Found:
        """The answer, when a limit is met, all is settled, or `stop` was called."""
        if self.algorithm == "auto" and self.evaluator is None:
            return self._auto()
        if self.algorithm == "montecarlo":
            return self._grown({}, 0, self.limits.memory)
        deepening = self._deepen(self.limits, self.limits.memory)
        return self._decided(deepening)

    # --- stopping ---

    def stop(self) -> None:
        """End the search as soon as the kernels look at their flag."""
        self.halted = True
        for space in self._spaces:
            space.stop()

    def tick(self) -> float | None:
        """End the present part of the search when its time is up; else the seconds it has left."""
        if self.seconds > IMPROVE_SECONDS and self.engine.quick and not self._improving:
            self._improving = True
            Thread(target=self._improve, name=COMPILER).start()
        if self._until is None:
            return None
        left = self._until - self.seconds
        if left <= 0:
            self._until = None
            for space in self._spaces:
                space.stop()
            return None
        return left

    def _improve(self) -> None:
        """Compile with more care and change over; where time is the limit, games are broken off."""
        self.engine.improve()
        if self._growing and self.limits.nodes is None:
            self._changing_over = True
            for space in self._spaces:
                space.stop()

    def _goes_on(self, space: Workspace) -> bool:
        """Whether a tree was stopped only to change over to better code, and may grow again.

        The flag is taken down first: who sets it meanwhile has already set what is asked then.
        """
        if not (self._changing_over and space.stopped()):
            return False
        space.go_on()
        return self._until is not None and not self.halted

    @property
    def seconds(self) -> float:
        """Seconds since the beginning."""
        return time.perf_counter() - self.started

    def _set_clock(self, until: float | None) -> None:
        if until is not None:  # an answer takes a few milliseconds to write down
            until -= min(until / 4, REPORT_SECONDS)
        self._until = until
        self.changed()

    def _workspaces(
        self, memory: int, nodes: int | None, more: tuple[Linked, ...] = ()
    ) -> list[Workspace]:
        """Arrays for every thread; they share a table and the limit of nodes."""
        threads = self.limits.threads
        kept = self.candidates
        first = Workspace(self.engine, memory, self.evaluator, more=more, candidates=kept)
        others = [
            Workspace(self.engine, memory, self.evaluator, first, candidates=kept)
            for _ in range(threads - 1)
        ]
        for number, space in enumerate([first, *others]):
            if nodes is not None:
                share = nodes // threads + (number < nodes % threads)
                space.control[at.NODE_LIMIT] = max(1, share)
            space.seed(self.seed * threads + number)
            space.control[at.UNIT] = int(self.limits.turns)
        self._spaces = [first, *others]
        if self.halted:
            self.stop()
        return self._spaces

    def _close(self) -> None:
        self._nodes += sum(space.nodes for space in self._spaces)
        self._until = None

    # --- alpha-beta ---

    def _deepen(self, limits: Limits, memory: int, full: bool = False) -> Deepening:
        """Alpha-beta within *limits*."""
        exact = self.algorithm == "exact"
        spaces = self._workspaces(memory, limits.nodes)
        for space in spaces:
            if exact and space.control[at.TABLE] == at.AT_LEAST:
                space.control[at.TABLE] = at.SAME_DEPTH
        self._set_clock(limits.seconds)
        whole = full or exact or self.all_values
        found = Deepening(self.root, spaces, whole, every=exact, only=self.only)
        deepest = min(DEEPEST, limits.depth or DEEPEST)
        found.run(iter(range(1, deepest + 1)), lambda: self.report(self._decided(found, part=True)))
        self._close()
        return found

    def _decided(self, deepening: Deepening, part: bool = False) -> Found:
        """The answer of alpha-beta alone."""
        order = [m for m in deepening.moves if m.value is not None]
        best = deepening.best or (order[0] if order else deepening.moves[0])
        if self.evaluator is None and best.value == 0.0 and not part:
            best = self._any_of(order, best)
        values = {m.text: m.value if m.exact else None for m in order}
        proven = self._proven(deepening, best)
        return Found(
            move=best.text,
            value=self._shown(best.value or 0.0),
            side=self.root.side,
            proven=proven,
            distance=best.distance if proven in ("win", "loss") else None,
            pv=(best.text,) if part or not self.limits.line else self._line(deepening, best),
            nodes=self._nodes + (sum(s.nodes for s in self._spaces) if part else 0),
            depth=deepening.depth,
            seconds=self.seconds,
            root=tuple((text, self._root_value(values.get(text))) for text in self.root.moves),
        )

    def _any_of(self, moves: list[Move], best: Move) -> Move:
        """Among decisions of the same exact value a random one."""
        equal = [m for m in moves if m.exact and m.value == best.value and m.proven == best.proven]
        return Random(self.seed).choice(equal) if len(equal) > 1 else best

    def _proven(self, deepening: Deepening, best: Move) -> str | None:
        if self.evaluator is not None and self.evaluator.judges_ends:
            return None
        if best.sure > 0:
            return "win"
        if self.only is not None or not all(m.proven for m in deepening.moves):
            return None
        return "loss" if best.sure < 0 else "draw" if best.value == 0.0 else None

    def _shown(self, value: float) -> float:
        """Without an evaluator results alone count: 1, 0, -1."""
        if self.evaluator is not None or abs(value) <= at.SURE:
            return value
        return 1.0 if value > 0 else -1.0

    def _root_value(self, value: float | None) -> float | None:
        return None if value is None else self._shown(value)

    def _line(self, deepening: Deepening, best: Move) -> tuple[str, ...]:
        numbers = deepening.spaces[0].numbers(best.row)
        return self.root.line(best.text, numbers, self._line_until())

    def _line_until(self) -> float | None:
        """Until when a line may be written out, where time is what limits the search."""
        limited = self.limits.seconds is not None and self.limits.nodes is None
        return time.perf_counter() + LINE_SECONDS if limited else None

    # --- forced results first, then random games ---

    def _auto(self) -> Found:
        memory = self.limits.memory // 2
        if len(self.root.moves) == 1 and self.limits.depth is None:
            return self._grown({}, 0, self.limits.memory) if self.all_values else self._only()
        seconds, nodes = self.limits.seconds, self.limits.nodes
        share = evolve(
            self.limits,
            seconds=None if seconds is None else PROOF_SHARE * seconds,
            nodes=None if nodes is None else max(1, int(PROOF_SHARE * nodes)),
        )
        deepening = self._deepen(share, memory, full=True)
        if deepening.settled or self._over():
            return self._decided(deepening)
        known = {m.row: m for m in deepening.moves if m.proven}
        if len(known) == len(deepening.moves) - 1 and all(m.sure < 0 for m in known.values()):
            return self._decided(deepening)  # all but one lose: there is nothing left to choose
        self._spaces = []
        return self._grown(known, deepening.depth, memory)

    def _only(self) -> Found:
        """There is one decision, and it is taken."""
        move = self.root.moves[0]
        return Found(
            move, 0.0, self.root.side, None, None, (move,), 0, 0, self.seconds, ((move, None),)
        )

    def _over(self) -> bool:
        """Whether nothing is left of the limits."""
        seconds, nodes = self.limits.seconds, self.limits.nodes
        late = seconds is not None and self.seconds >= seconds
        return self.halted or late or (nodes is not None and self._nodes >= nodes)

    def _grown(self, known: dict[int, Move], depth: int, memory: int) -> Found:
        """Tree search for the rest of the limits."""
        nodes, seconds = self.limits.nodes, self.limits.seconds
        if nodes is None and seconds is None:
            nodes = self._nodes + DEPTH_ONLY
        left = None if nodes is None else max(1, nodes - self._nodes)
        threads = self.limits.threads
        spaces = self._workspaces(0, left, (kernels_of_trees(),))
        trees = [
            Tree(self.root, space, memory // threads, self.seed * threads + number)
            for number, space in enumerate(spaces)
        ]
        for one in trees:
            one.plant({row: (m.sure, m.distance or 0) for row, m in known.items()})
        self._set_clock(self.limits.seconds)
        self._growing = True
        grow_all(trees, self._goes_on)
        self._close()
        return self._judged(trees, depth)

    def _judged(self, trees: list[Tree], depth: int) -> Found:
        """The answer of the trees."""
        rows = dict(zip(self.root.moves, self.root.place(trees[0].space), strict=True))
        children = {text: together(trees, row) for text, row in rows.items()}
        order = Random(self.seed).sample(self.root.moves, len(self.root.moves))
        move = _chosen(order, children)
        best = children[move]
        settled = best.result == 1 or all(c.result is not None for c in children.values())
        proven = {1: "win", 0: "draw", -1: "loss"}[best.result or 0] if settled else None
        return Found(
            move=move,
            value=best.value,
            side=self.root.side,
            proven=proven,
            distance=best.distance if proven in ("win", "loss") else None,
            pv=self.root.line(move, trees[0].numbers(rows[move]), self._line_until()),
            nodes=self._nodes,
            depth=depth,
            seconds=self.seconds,
            root=tuple((t, c.value if _known(c) else None) for t, c in children.items()),
        )


def _known(child: Child) -> bool:
    return child.result is not None or child.games > 0


def _chosen(order: list[str], children: dict[str, Child]) -> str:
    """A short win; else what was played most, or a draw if that is better; else a long loss."""
    wins = [t for t in order if children[t].result == 1]
    if wins:
        return min(wins, key=lambda t: children[t].distance)
    open_ = [t for t in order if children[t].result is None]
    draws = [t for t in order if children[t].result == 0]
    if open_:
        first = max(open_, key=lambda t: (children[t].games, children[t].value))
        if not draws or children[first].value >= 0:
            return first
    return draws[0] if draws else max(order, key=lambda t: children[t].distance)
