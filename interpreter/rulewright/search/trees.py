"""Tree search by random games: one tree that all threads grow.

In: a root, limits, decisions that are settled already.  Out: games, values and results for each
decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define, field

from rulewright.compiler.backend import Linked
from rulewright.ground.records import Record, record
from rulewright.search.kernels import amaf, random_games, several, thread, tree_choice
from rulewright.search.kernels import montecarlo as tree
from rulewright.search.results import TreeSettings
from rulewright.search.thread_arrays import WORD, Root, Steps, ThreadArrays, module

LARGEST = 4_000_000
"""Nodes that a tree may have, however much memory there is."""


def tree_search() -> Linked:
    """The kernels that grow trees."""
    return module(random_games, amaf, tree, tree_choice)


def several_kernels() -> Linked:
    """The kernels that grow a tree for several players; they need those of `tree_search` too."""
    return module(several)


@record
class Child(Record):
    """What a tree says of a decision: `result` is 1, 0, -1 when it is settled, else None.

    `value` is the result or the mean of its games, a drawn one counted in; None without a game.
    """

    games: int = 0
    value: float | None = None
    result: int | None = None
    distance: int = 0


_RESULTS = (-1, 0, None, 1)
"""Of a child that is lost, drawn, open, won."""


@define(repr=False, eq=False)
class ThreadTree(Record):
    """A tree as one thread grows it; `shared` is that of another thread whose nodes are used.

    `grown`: how a text leads it; None where none does.
    """

    root: Root
    worker: ThreadArrays
    memory: int
    seed: int
    shared: ThreadTree | None = None
    grown: TreeSettings | None = None
    games: int = 0
    _nodes: Any = field(init=False)
    _arrays: dict[str, Any] = field(init=False)
    """The arrays of `thread.Tree`, in the order of its fields."""
    _size: int = field(init=False)
    _places: dict[int, int] | None = None
    """The places of the rows among the root's children, where only some rows are."""

    def __attrs_post_init__(self) -> None:
        worker, other = self.worker, self.shared
        self._size = tree.HEAD + worker.engine.row
        words = amaf.WORDS if self.grown else 0
        room = min(LARGEST, max(2, self.memory // ((self._size + words) * WORD)))
        self._nodes = other._nodes if other else worker.ints(room * self._size)
        later = other._arrays["later"] if other else worker.ints(max(1, room * words))
        self._arrays = {
            "nodes": self._nodes, "path": worker.ints(thread.PATH + 1), "chance": worker.ints(16),
            "later": later, **self._noted(),
        }  # fmt: skip
        self._shuffle(self.seed)
        worker.control.room, worker.control.led = room, int(self.grown is not None)
        if other:
            worker.control.crowd = other.worker.control.crowd = 1
        else:
            self._nodes[tree.USED] = 1

    def _shuffle(self, seed: int) -> None:
        """Begin the random numbers anew."""
        self._arrays["chance"][0] = (seed * 2654435761 + 88172645463325252) % 2**62 | 1

    def _noted(self) -> dict[str, Any]:
        """The arrays in which is noted what happens in a game that a text leads."""
        ints, count = self.worker.ints, random_games.REMEMBERED
        if self.grown is None:
            return {"trail": ints(1), "last_played": ints(1), "last": ints(2 * count)}
        return {
            "trail": ints(random_games.TRAIL + 1), "last_played": ints(2 * random_games.MARKS),
            "last": self.worker.engine.array([*[0] * count, *self.grown.last]),
        }  # fmt: skip

    def plant(self, results: dict[int, tuple[int, int]]) -> None:
        """Give the root its children; *results* has result and distance of settled rows."""
        self.root.place(self.worker)
        if self.shared:
            return
        self._open()
        for row, (result, distance) in results.items():
            base = (self._nodes[tree.FIRST_CHILD] + row) * self._size
            winner = self.root.person if result > 0 else 1 - self.root.person
            word = 1 + winner if result else tree.EVEN
            self._nodes[base + tree.SETTLED] = max(0, distance - 1) << tree.AWAY | word

    def _open(self) -> None:
        """Open the root; which rows it keeps is noted, where only some are."""
        worker = self.worker
        row_numbers = worker.decision_words(0, worker.rows) if worker.control.considering else []
        self._call("expand", 0)
        if row_numbers:
            rows = {row: number for number, row in enumerate(row_numbers)}
            self._places = {rows[row]: place for place, row in enumerate(self._rows_of_root())}

    def _rows_of_root(self) -> list[tuple[int, ...]]:
        """The words of the decisions that were kept."""
        nodes, size, row = self._nodes, self._size, self.worker.engine.row
        first = nodes[tree.FIRST_CHILD] * size + tree.HEAD
        starts = (first + i * size for i in range(nodes[tree.CHILDREN]))
        return [tuple(nodes[at + j] for j in range(row)) for at in starts]

    def grow(self) -> Steps:
        """Play games until the root is settled."""
        explore, most = (self.grown or TreeSettings()).explore, self.worker.control.longest
        while not self._nodes[tree.SETTLED]:
            self.games += int(self._call("grow", explore, most))
            if self.worker.control.stop:
                yield

    def play_gaining(self, seed: int, passing: int) -> None:
        """Play a game on from the root in which every decision gains; *passing* is a move, or -1.

        The thread then has the position at its end.
        """
        self.worker.write(self.worker.words)
        self._shuffle(seed)
        self._call("gaining_game", passing, self.worker.control.longest)

    def _call(self, name: str, *more: Any) -> Any:
        """Call a kernel of the tree."""
        return self.worker.call(name, *self._arrays.values(), *more)

    def best(self, order: Sequence[int]) -> int:
        """Return the decision of the root to play: of equal ones the first in the order of rows."""
        rows = {row if self._places is None else self._places.get(row): row for row in order}
        places = [place for place in rows if place is not None]
        best = self._call("best_child", self.worker.engine.array(places or [0]))
        return rows[best - self._nodes[tree.FIRST_CHILD]] if best else order[0]

    def child(self, row: int) -> Child:
        """Return what the tree says of a decision of the root."""
        if self._places is not None and row not in self._places:
            return Child()
        number = self._child_of(row)
        base = number * self._size
        games, settled = self._nodes[base + tree.VISITS], self._nodes[base + tree.SETTLED]
        return Child(
            games,
            self._call("child_value", number) if games or settled else None,
            _RESULTS[self._call("child_state", number)],
            (settled >> tree.AWAY) + 1,
        )

    def _child_of(self, row: int) -> int:
        """Return the node of a decision of the root."""
        place = row if self._places is None else self._places[row]
        return int(self._nodes[tree.FIRST_CHILD]) + place

    def numbers(self, row: int) -> list[int]:
        """Return the decisions of the line of most visits that follows a decision of the root.

        They are numbers among all decisions of their positions; none where a tree leaves some out.
        """
        node, line = self._child_of(row), list[int]()
        if self.worker.control.considering:
            return line
        while child := self._call("most_visited", node):
            line.append(child - self._nodes[node * self._size + tree.FIRST_CHILD])
            node = child
        return line
