"""Iterative deepening over alpha-beta: the root of the tree in Python, all below it in kernels.

In: a root, limits.  Out: a value for each decision that was searched, and whether it is proven.
Values belong to the person at move.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from threading import Lock, Thread

from attrs import define, field

from rulewright.search.kernels import layout as at
from rulewright.search.root import Root
from rulewright.search.workspace import INFINITE, Workspace, following

_SHALLOW = 2
"""Depth from which windows around the last value are tried."""


@define
class Move:
    """What is known of a decision of the root: `exact` unless the value is only an upper bound."""

    text: str
    row: int
    value: float | None = None
    exact: bool = False
    proven: bool = False

    @property
    def sure(self) -> int:
        """1 for a proven win, -1 for a proven loss, else 0."""
        if self.value is None or not self.proven or abs(self.value) <= at.SURE:
            return 0
        return (1 if self.exact else 0) if self.value > 0 else -1

    @property
    def distance(self) -> int | None:
        """Decisions to the end of a proven win or loss."""
        if not self.sure or self.value is None:
            return None
        return int(at.WIN - abs(self.value))


@define
class Deepening:
    """Searches the decisions of a root, deeper and deeper.

    `full`: every decision has its exact value; else those behind the best one only a bound.  `low`
    and `high` cut the values: beyond them only the side matters.
    """

    root: Root
    spaces: list[Workspace]
    full: bool = False
    low: float = -INFINITE
    high: float = INFINITE
    only: Collection[str] | None = None
    """The decisions that are searched; None means all of them."""
    every: bool = False
    """Whether all decisions are wanted at the same depth: a win of one does not end the search."""
    depth: int = 0
    moves: list[Move] = field(init=False)
    rows: dict[str, int] = field(init=False)
    best: Move | None = None
    _lock: Lock = field(factory=Lock)

    def __attrs_post_init__(self) -> None:
        for space in self.spaces[1:]:
            self.root.place(space)
        rows = self.root.place(self.spaces[0])
        self.rows = dict(zip(self.root.moves, rows, strict=True))
        wanted = self.only if self.only is not None else self.rows.keys()
        self.moves = [Move(text, row) for text, row in self.rows.items() if text in wanted]

    def run(self, depths: Iterator[int], report: Callable[[], None] = lambda: None) -> None:
        """One iteration for each depth, until all is settled or a workspace is stopped."""
        for depth in depths:
            for space in self.spaces:
                space.control[at.AGE] = depth & 3
            found = self._windows(depth)
            if self._stopped():
                self._partial(found)
                return
            self.depth, self.moves = depth, found
            self.best = found[0]
            report()
            if self.settled:
                return

    @property
    def settled(self) -> bool:
        """Whether deeper searches can change nothing: a win, or all that matters is proven."""
        if self.best is None:
            return False
        if self.every:
            return all(move.proven for move in self.moves)
        if self.best.sure > 0 or (self.best.proven and (self.best.value or 0.0) >= self.high):
            return True
        return all(move.proven for move in self.moves)

    def _stopped(self) -> bool:
        return any(space.stopped() for space in self.spaces)

    def _partial(self, found: list[Move]) -> None:
        """An iteration that was broken off counts if it has found something better."""
        done = [move for move in found if move.value is not None and move.exact]
        if not done:
            return
        old = {move.text: move for move in self.moves}
        if self.full:
            for move in done:
                old[move.text] = move
            self.moves = _sorted(list(old.values()))
            self.best = self.moves[0]
        elif self.best is None or self.best.text in {m.text for m in done}:
            self.best = _sorted(done)[0]
            old[self.best.text] = self.best
            self.moves = [self.best, *(m for m in old.values() if m is not self.best)]

    # --- one iteration ---

    def _windows(self, depth: int) -> list[Move]:
        """All decisions at this depth, the best first; the window is opened until a value fits."""
        last = self.best.value if self.best else None
        width = None if last is None else max(abs(last) / 16, 1e-6)
        narrow = not self.full and depth > _SHALLOW and self._judged() and self.low == -INFINITE
        if narrow and last is not None and width is not None and abs(last) < at.SURE:
            low, high = last - width, last + width
        else:
            low, high = self.low, self.high
        while True:
            found = self._iteration(depth, low, high)
            value = found[0].value
            if self._stopped() or value is None:
                return found
            if value <= low and low > self.low:
                low = self.low
            elif value >= high and high < self.high:
                high = self.high
            else:
                return found

    def _judged(self) -> bool:
        return self.spaces[0].evaluator is not None

    def _iteration(self, depth: int, low: float, high: float) -> list[Move]:
        """Every decision once, in the order of the last iteration."""
        waiting = iter([Move(m.text, m.row) for m in self.moves])
        done: list[Move] = []
        self._some(self.spaces[0], waiting, 1, done, depth, low, high)
        if len(self.spaces) == 1:
            self._some(self.spaces[0], waiting, None, done, depth, low, high)
        else:
            self._in_threads(waiting, done, depth, low, high)
        tried = {move.text for move in done}
        rest = [Move(m.text, m.row) for m in self.moves if m.text not in tried]
        return _sorted(done) + rest

    def _in_threads(
        self, waiting: Iterator[Move], done: list[Move], depth: int, low: float, high: float
    ) -> None:
        """The decisions behind the first one, shared out."""
        failed: list[BaseException] = []

        def work(space: Workspace) -> None:
            try:
                self._some(space, waiting, None, done, depth, low, high)
            except BaseException as error:  # raised again below
                failed.append(error)
                for other in self.spaces:
                    other.stop()

        threads = [Thread(target=work, args=(s,), daemon=True) for s in self.spaces]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failed:
            raise failed[0]

    def _some(
        self, space: Workspace, waiting: Iterator[Move], most: int | None,
        done: list[Move], depth: int, low: float, high: float,
    ) -> None:  # fmt: skip
        """Search decisions that wait, at the most so many."""
        while most is None or most > 0:
            with self._lock:
                move = next(waiting, None)
                best = max((m.value for m in done if m.value is not None), default=low)
            if move is None or space.stopped() or (best >= high and not self.full):
                return
            self._search(space, move, depth, low if self.full else max(low, best), high, not done)
            if space.stopped():
                return
            with self._lock:
                done.append(move)
            most = None if most is None else most - 1

    def _search(
        self, space: Workspace, move: Move, depth: int, low: float, high: float, first: bool
    ) -> None:
        """Give a decision its value: by a scout first, unless it is the first or all are wanted."""
        scout = not (first or self.full) and low > -INFINITE
        edge = min(following(low), high) if scout else high
        value, proven = space.value(move.row, depth, low, edge)
        if scout and low < value and edge < high and not space.stopped():
            value, proven = space.value(move.row, depth, low, high)
        if not space.stopped():
            move.value, move.proven = value + 0.0, proven
            move.exact = value > low or self.full or first


def _sorted(moves: list[Move]) -> list[Move]:
    """The best first; among equals exact values first, then the order in which they were tried."""
    return sorted(
        moves, key=lambda m: (-(m.value if m.value is not None else -INFINITE), not m.exact)
    )
