"""The search of more than two players where a game has kernels: a tree that they grow.

In: a state, its kernels, limits, a seed.  Out: `SearchResult`, the same for a seed and a number of
nodes.  The tree is that of `several.py`, which the reference grows where there are no kernels.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from attrs import define, field

from rulewright.compiler.defects import net
from rulewright.compiler.engine import Engine
from rulewright.compiler.seats import outcome_of
from rulewright.games.engine.game import State
from rulewright.search.driver import Driver
from rulewright.search.kernels import several as kernels
from rulewright.search.kernels import thread
from rulewright.search.results import EXPLORE, Limits, SearchResult, Watch
from rulewright.search.several import FEW, WORDS, refuse_depth, worths_of
from rulewright.search.thread_arrays import WORD, Root, Steps, ThreadArrays
from rulewright.search.trees import LARGEST, several_kernels, tree_search

REPORT_NODES = 100_000
"""Nodes between two reports of progress."""


@define(eq=False)
class SeveralTree:
    """A tree for several players in the arrays of a thread; `only` are rows to choose from."""

    worker: ThreadArrays
    memory: int
    seed: int
    only: Sequence[int] | None = None
    games: int = field(default=0, init=False)
    _size: int = field(init=False)
    _nodes: Any = field(init=False)
    _arrays: list[Any] = field(init=False)
    """The arrays of `thread.Tree`."""

    def __attrs_post_init__(self) -> None:
        worker, ints = self.worker, self.worker.ints
        self._size = kernels.BEFORE_WORTHS + worker.control.seats + worker.engine.row
        room = min(LARGEST, max(worker.rows + 1, self.memory // (self._size * WORD)))
        self._nodes, chance = ints(room * self._size), ints(16)
        chance[0] = (self.seed * 2654435761 + 88172645463325252) % 2**62 | 1
        rest = [ints(1) for _ in range(4)]
        self._arrays = [self._nodes, ints(thread.PATH + 1), chance, *rest]
        worker.control.room, self._nodes[kernels.IN_USE] = room, 1
        self._call("open_node", 0)
        if self.only is not None:
            self._keep(self.only)

    def _keep(self, rows: Sequence[int]) -> None:
        """Leave the other children of the root out."""
        size, first = self._size, self._nodes[kernels.CHILD] * self._size
        for place, row in enumerate(rows):
            for word in range(size):
                self._nodes[first + place * size + word] = self._nodes[first + row * size + word]
        self._nodes[kernels.COUNT] = len(rows)

    def _call(self, name: str, *more: Any) -> Any:
        return self.worker.call(name, *self._arrays, *more)

    def grow(self, most: int | None) -> Steps:
        """Play games until the end is known, or there were *most*."""
        longest = self.worker.control.longest
        while not self._nodes[kernels.PLACES] and (most is None or self.games < most):
            self.games += int(self._call("grow_several", EXPLORE, longest))
            yield

    def rows(self) -> Sequence[int]:
        """The decisions of the root, in the order of its children."""
        return range(self.worker.rows) if self.only is None else self.only

    def best(self) -> int:
        """The place of the decision of the root that looks best."""
        best = int(self._call("best_of_several", 0))
        return max(0, best - int(self._nodes[kernels.CHILD]))

    def value(self, place: int, player: int) -> float | None:
        """What a child of the root is worth to a player; None where nothing is known of it."""
        node = self._nodes[kernels.CHILD] + place
        at = node * self._size
        if not (self._nodes[at + kernels.SEEN] or self._nodes[at + kernels.PLACES]):
            return None
        return float(
            self.worker.kernels["mean_worth"](*self.worker.arrays, self._nodes, node, player)
        )

    def end(self, place: int | None = None) -> tuple[int, int]:
        """Places at the known end of a child of the root, or of the root, and its distance."""
        at = 0 if place is None else (self._nodes[kernels.CHILD] + place) * self._size
        return int(self._nodes[at + kernels.PLACES]), int(self._nodes[at + kernels.DISTANCE])

    def numbers(self, place: int) -> list[int]:
        """The decisions that look best behind a child of the root, by their numbers."""
        node, line = int(self._nodes[kernels.CHILD]) + place, list[int]()
        while child := int(self._call("best_of_several", node)):
            line.append(child - int(self._nodes[node * self._size + kernels.CHILD]))
            node = child
        return line


@define(eq=False, kw_only=True)
class SeveralDecider(Driver[SearchResult]):
    """Decides in one position of several players."""

    root: Root
    seed: int
    only: frozenset[str] | None = None

    def search(self) -> Generator[None, None, SearchResult]:
        """Play random games until a limit is met or the end is known."""
        limits, moves = self.limits, enumerate(self.root.moves)
        only = None if self.only is None else [row for row, text in moves if text in self.only]
        with net(self.engine.play.rules, playing=True):
            worker = ThreadArrays(self.engine, 0, more=(tree_search(), several_kernels()))
            self.root.place(worker)
            self.use([worker])
            tree = SeveralTree(worker, limits.memory, self.seed, only)
        most = FEW if limits.nodes is None and limits.seconds is None else None
        yield from self.within(self._reporting(tree, most), limits.nodes, limits.seconds)
        return self._answer(tree)

    def _reporting(self, tree: SeveralTree, most: int | None) -> Steps:
        """Grow a tree, and report now and then."""
        reported = 0
        for _ in tree.grow(most):
            if self.progress is not None and self.nodes >= reported + REPORT_NODES:
                reported = self.nodes
                self.reported(self._answer(tree))
            yield

    def _answer(self, tree: SeveralTree) -> SearchResult:
        """What is known by now: the decision that most games went through, or a known win."""
        root, player = self.root, self.root.state.position.mover
        place, rows = tree.best(), tree.rows()
        values = dict.fromkeys(root.moves, None) | {
            root.moves[row]: tree.value(number, player) for number, row in enumerate(rows)
        }
        best = root.moves[rows[place]]
        proven, distance = self._proven(tree, place, player)
        line = root.line(best, tree.numbers(place))
        return SearchResult(
            best, values[best] or 0.0, root.side, proven,
            distance + 1 if proven in ("win", "loss") else None,
            line, self.nodes, len(line), self.seconds, (*values.items(),), searched=tree.games > 0,
        )  # fmt: skip

    def _proven(self, tree: SeveralTree, place: int, player: int) -> tuple[str | None, int]:
        """What is proven of the best decision, and how far away that end is."""
        (places, distance), players = tree.end(place), tree.worker.control.seats
        worth = worths_of(outcome_of(places, 0, players), players)[player] if places else 0.0
        whole = self.only is None and tree.end()[0]
        if not places or not (whole or worth == 1):
            return None, 0
        return WORDS.get(worth), distance


def search_by_kernels(
    state: State, engine: Engine, limits: Limits, seed: int, watch: Watch
) -> SearchResult:
    """The decision that looks best to whoever is to move; the same for a seed and node limit."""
    refuse_depth(state, limits)
    search = SeveralDecider(
        engine=engine, limits=limits, progress=watch.progress, cancelled=watch.cancelled,
        root=Root(state, engine), seed=seed, only=watch.only,
    )  # fmt: skip
    with state.game.located():
        return search.run()
