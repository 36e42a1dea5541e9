"""Iterative deepening over alpha-beta: the root of the tree in Python, all below it in kernels.

In: a root, limits.  Out: a value for each decision that was searched, and whether it is proven.
Values belong to the person at move.  `run` gives control back where the nodes that are allowed are
played; whoever does not ask it to go on calls `break_off`, and what was found so far counts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from threading import Lock

from attrs import define, field

from rulewright.codegen import layout as p
from rulewright.codegen.engine import Engine
from rulewright.codegen.passes.alike import alike, all_alike
from rulewright.model import rules as r
from rulewright.model.walk import nodes
from rulewright.records import Record
from rulewright.search.kernels import table
from rulewright.search.kernels.thread import LOOK, ORDER_ONLY, WIN
from rulewright.search.kernels.windows import (
    EXACT,
    FITS,
    PROVEN,
    TOO_LOW,
    fit,
    half_window,
    is_scouted,
    is_wanted,
    marks_of,
    rough_depth,
    scout_edge,
    sure,
)
from rulewright.search.thread_arrays import INFINITE, Root, Steps, ThreadArrays

TOGETHER_FROM = 2000
"""Nodes that one thread plays alone at first: to share so few takes longer than to play them."""


@define(repr=False, eq=False)
class RootMove(Record):
    """What is known of a decision of the root: `exact` unless the value is only an upper bound."""

    text: str
    row: int
    value: float | None = None
    exact: bool = False
    proven: bool = False

    @property
    def sure(self) -> int:
        """1 for a proven win, -1 for a proven loss, else 0."""
        return 0 if self.value is None else sure(self.value, self.marks)

    @property
    def marks(self) -> int:
        """What is known of its value, as kernels note it."""
        return EXACT * self.exact | PROVEN * self.proven

    @property
    def distance(self) -> int | None:
        """Decisions to the end of a proven win or loss."""
        if not self.sure or self.value is None:
            return None
        return int(WIN - abs(self.value))


@define(repr=False, eq=False)
class Deepening(Record):
    """Searches the decisions of a root, deeper and deeper.

    `full`: every decision has its exact value; else those behind the best one only a bound.  `low`
    and `high` cut the values: beyond them only the side matters.
    """

    root: Root
    spaces: list[ThreadArrays]
    full: bool = False
    low: float = -INFINITE
    high: float = INFINITE
    only: Collection[str] | None = None
    """The decisions that are searched; None means all of them."""
    every: bool = False
    """Whether all decisions are wanted at the same depth: a win of one does not end the search."""
    together: Callable[[list[Steps]], Steps] | None = None
    """Does the work of several threads at the same time; one needs none."""
    refuted: Callable[[RootMove], Generator[None, None, float | None]] | None = None
    """Asked once about each decision that looks best: what it is worth if it is proven to lose."""
    depth: int = 0
    moves: list[RootMove] = field(init=False)
    best: RootMove | None = None
    _done: dict[int, RootMove] = field(factory=dict)
    """Those that are known in this iteration, by rows."""
    _top: float | None = None
    """The best of their values."""
    _asked: dict[int, float | None] = field(factory=dict)
    """What `refuted` said, by rows."""
    _at: list[int | None] = field(factory=list)
    """The decision that each thread is at."""
    _shared: bool = False
    """Whether threads search the same and the table tells them what the others find."""
    _lock: Lock = field(factory=Lock)

    def __attrs_post_init__(self) -> None:
        for space in self.spaces:
            self.root.place(space)
            self._shared = len(self.spaces) > 1 and space.control.table > ORDER_ONLY
            space.control.crowd = int(self._shared)
        moves = self.root.moves
        wanted = moves if self.only is None else self.only
        self.moves = [RootMove(text, row) for row, text in enumerate(moves) if text in wanted]

    def run(self, depths: Iterator[int], report: Callable[[], None] = lambda: None) -> Steps:
        """One iteration for each depth, until all is settled."""
        for depth in depths:
            for space in self.spaces:
                space.control.age = depth & 3
            found = yield from self._windows(depth)
            self.depth, self.moves = depth, found
            self.best, self._done = found[0], {}
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

    @property
    def judged(self) -> bool:
        """Whether any decision has its value."""
        return self.best is not None or any(move.exact for move in self._done.values())

    def break_off(self) -> None:
        """End an iteration under way: it counts if it has found something better."""
        done = [move for move in _sorted(self._done.values()) if move.exact]
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

    def _windows(self, depth: int) -> Generator[None, None, list[RootMove]]:
        """All decisions at this depth, the best first; the window is opened until a value fits."""
        last = self.best.value if self.best else None
        low, high = self.low, self.high
        if last is not None and not self.full and self._judged() and low == -INFINITE:
            width = half_window(last, depth)
            low, high = (last - width, last + width) if width else (low, high)
        while True:
            found = yield from self._iteration(depth, low, high)
            value = found[0].value
            fitting = FITS if value is None else fit(value, low, high, self.low, self.high)
            if fitting == FITS:
                return found
            if fitting == TOO_LOW:
                low = self.low
            else:
                high = self.high

    def _judged(self) -> bool:
        return self.spaces[0].evaluator is not None

    def _iteration(
        self, depth: int, low: float, high: float
    ) -> Generator[None, None, list[RootMove]]:
        """Every decision once, in the order of the last iteration."""
        self._done = done = dict[int, RootMove]()
        self._top = None
        self._at = [None] * len(self.spaces)
        if not self._shared:
            yield from self._some(0, depth, low, high, 1)
        works = [self._some(number, depth, low, high) for number in range(len(self.spaces))]
        if self.together is None or len(works) == 1:
            yield from works[0]
        elif (yield from self._is_long(works[0])):
            yield from self.together(works)
        rest = [RootMove(m.text, m.row) for m in self.moves if m.row not in done]
        return _sorted(done.values()) + rest

    def _is_long(self, work: Steps) -> Generator[None, None, bool]:
        """Whether something is left of an iteration after what one thread plays alone."""
        own = self.spaces[0]
        while own.nodes < TOGETHER_FROM:
            own.stop_at(TOGETHER_FROM)
            if next(work, work) is not None:
                return False
            if own.nodes < TOGETHER_FROM:
                yield
        return True

    def _some(
        self, number: int, depth: int, low: float, high: float, most: int | None = None
    ) -> Steps:
        """A thread's part of an iteration: one decision after the other, at the most so many."""
        while most is None or most > 0:
            with self._lock:
                best, move, first = self._best(low), self._next(number, low, high), not self._done
                self._at[number] = None if move is None else move.row
            if move is None:
                return
            if not self._is_refuted(move):
                least = low if self.full else max(low, best)
                work = self._search(self.spaces[number], move, depth, least, high, first)
                yield from self._unless_found(number, work, move, low, high)
            if self.refuted is not None and move.value is not None and move.value > best:
                yield from self._ask(move)
            with self._lock:
                self._found(number, move, high)
            most = None if most is None else most - 1

    def _best(self, low: float) -> float:
        """The best value of this iteration so far."""
        return low if self._top is None else self._top

    def _is_found(self, row: int, low: float, high: float) -> bool:
        """Whether a decision need not be searched any more in this iteration."""
        enough = not self.full and self._best(low) >= high
        return enough or row in self._done

    def _next(self, number: int, low: float, high: float) -> RootMove | None:
        """What a thread searches next: what nobody is at, else what another is at.

        The first one is searched by all together, as the others need its value.
        """
        if not self.full and self._best(low) >= high:
            return None
        free = (m for m in self.moves if m.row not in self._done and m.row not in self._at)
        mine = None if self._shared and not self._done else next(free, None)
        if mine is None and self._shared:
            mine = next((m for m in self.moves if m.row not in self._done), None)
        return RootMove(mine.text, mine.row) if mine else None

    def _unless_found(
        self, number: int, work: Steps, move: RootMove, low: float, high: float
    ) -> Steps:
        """Search a decision until it is known, by whichever thread."""
        while next(work, work) is None:
            if len(self.spaces) > 1 and self._is_found(move.row, low, high):
                self.spaces[number].leave()
                return
            yield

    def _found(self, number: int, move: RootMove, high: float) -> None:
        """A thread is done with a decision; others that search it, or in vain, are called off."""
        self._at[number] = None
        if move.value is None or move.row in self._done:
            return
        self._done[move.row] = move
        self._top = move.value if self._top is None else max(self._top, move.value)
        enough = move.value >= high and not self.full
        for space, row in zip(self.spaces, self._at, strict=True):
            if row is not None and (enough or row == move.row):
                space.stop()

    def _ask(self, move: RootMove) -> Steps:
        """A decision that looks best may be proven to lose by what was not searched."""
        assert self.refuted is not None
        if move.row not in self._asked and not move.sure:
            self._asked[move.row] = yield from self.refuted(move)
        self._is_refuted(move)

    def _is_refuted(self, move: RootMove) -> bool:
        """Whether a decision is known to lose, which is then its value."""
        lost = self._asked.get(move.row)
        if lost is not None:
            move.value, move.exact, move.proven = lost, True, True
        return lost is not None

    def _search(
        self, space: ThreadArrays, move: RootMove, depth: int, low: float, high: float, first: bool
    ) -> Steps:
        """Give a decision its value: by a scout first, unless it is the first or all are wanted."""
        edge = scout_edge(low, high) if is_scouted(first, self.full, low) else high
        value, proven = yield from space.value(move.row, depth, low, edge)
        if is_wanted(value, low, edge, high):
            value, proven = yield from space.value(move.row, depth, low, high)
        marks = marks_of(value, low, first or self.full, not proven)
        move.value = value + 0.0
        move.exact, move.proven = bool(marks & EXACT), bool(marks & PROVEN)


def _sorted(moves: Iterable[RootMove]) -> list[RootMove]:
    """The best first; among equals exact values first, then the order in which they were tried."""
    return sorted(
        moves, key=lambda m: (-(m.value if m.value is not None else -INFINITE), not m.exact)
    )


# --- proofs: results alone count, and the depth soon goes to the end ---


def fills(rules: r.Rules) -> bool:
    """Whether nothing is ever taken off the board, so that lines end with it at the latest."""
    taking = (r.Clear, r.MovePiece, r.MoveEach)
    return not any(isinstance(n, taking) for n in nodes(rules.moves, rules.actions))


def rough_depths(engine: Engine, last: int) -> Iterator[int]:
    """Depths in growing steps, the last one where a board that fills is filled."""
    depth, end = 1, int(fills(engine.play.rules))
    while depth < last:
        yield depth
        depth = rough_depth(depth, end, last)
    yield last


def ranked(space: ThreadArrays, moves: list[RootMove]) -> list[RootMove]:
    """Decisions of the root as `order` has them, before any is searched."""
    space.call("rank", space.who, 0, 0, space.rows)
    ranks = space.arrays[10]
    return sorted(moves, key=lambda move: -int(ranks[move.row]))


def results_alone(space: ThreadArrays) -> None:
    """Let nothing count that a text says of values, nor what it calls drawn or decided."""
    c = space.control
    space.no_bets()
    c.judge = c.forcing = c.considering = c.narrow = c.drawn = c.decided = c.hopeless = 0
    c.look = LOOK


# --- the line that is expected ---


def expected(space: ThreadArrays, first: int, most: int = 64) -> list[int]:
    """The best decisions that the table knows after a decision of the root, as numbers."""
    game, kernels, entries = space.game, space.kernels, space.table
    kernels["play"](*game, first * space.engine.row, space.rows)
    found: list[int] = []
    classes = alike(space.engine.play.rules) if space.control.results else ()
    while len(found) < most and game[0][p.RESULT] == p.RUNNING:
        if not all_alike(space.engine.plan, classes, game[0]):
            break  # the table takes it for others, whose decisions have other numbers
        level = len(found) + 1
        at = kernels["tt_probe"](entries, space.key(level), space.control.mask)
        best = table.NONE if at < 0 else kernels["tt_best"](entries[at] ^ entries[at + 1])
        here = list(game[0]) if space.control.symmetries else []
        if here and best != table.NONE:
            _become_image(space, best // table.NUMBERED, level)
            best %= table.NUMBERED
        number = _played(space, best)
        if number is None:
            break
        found.append(_alike(space, here) if here else number)
    kernels["back"](*space.arrays, 0)
    return found


def _played(space: ThreadArrays, best: int) -> int | None:
    """Play a decision of those that are looked at; its number among all, None if it is none."""
    game, kernels, rows = space.game, space.kernels, space.rows
    whole = kernels["decisions"](*game, rows)
    texts = space.written(rows, whole)
    who = game[0][p.MOVER] ^ game[0][p.SWAPPED]
    count = kernels["wanted"](*space.arrays, rows, whole, who) - rows
    if best >= count:
        return None
    row = space.written(rows + best, rows + best + 1)[0]
    kernels["play"](*game, (rows + best) * space.engine.row, rows + count)
    return texts.index(row)


def _become_image(space: ThreadArrays, number: int, level: int) -> None:
    """Turn the position so that the table knows it as this image."""
    here = list(space.game[0])
    for i in range(space.control.symmetries):
        if space.key(level) and space.control.image == number:
            return
        space.write(here)
        space.kernels["become_image"](*space.arrays, i)


def _alike(space: ThreadArrays, here: Sequence[int]) -> int:
    """Play, from *here*, what leads to the present position or to one that is turned."""
    game, wanted = space.game, space.key()
    space.write(here)
    end = space.kernels["decisions"](*game, space.rows)
    for row in range(space.rows, end):
        space.kernels["play"](*game, row * space.engine.row, end)
        if space.key() == wanted:
            return row - space.rows
        space.write(here)
    raise AssertionError("a position that is turned has other decisions")
