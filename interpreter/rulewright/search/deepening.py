"""Iterative deepening over alpha-beta: clocks, threads and reports around `kernels/deepening.py`.

In: a root, limits.  Out: a value for each decision that was searched, and whether it is proven.
Values belong to the person at move.  `run` gives control back where the nodes that are allowed are
played; whoever does not ask it to go on calls `break_off`, and what was found so far counts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator
from threading import Lock

from attrs import define, field

from rulewright.compiler.passes.alike import alike, all_alike
from rulewright.compiler.runtime import float_bits
from rulewright.ground.records import Record
from rulewright.model import rules as r
from rulewright.model.walk import nodes
from rulewright.search.driver import DEEPEST
from rulewright.search.kernels.deepening import DONE
from rulewright.search.kernels.root import MORE
from rulewright.search.kernels.thread import ORDER_ONLY, WIN
from rulewright.search.kernels.windows import EXACT, PROVEN, sure
from rulewright.search.results import Looking
from rulewright.search.root_search import RootSearch
from rulewright.search.thread_arrays import INFINITE, Root, Steps, ThreadArrays

TOGETHER_FROM = 2000
"""Nodes that one thread plays alone at first: to share so few takes longer than to play them."""


@define(repr=False, eq=False)
class RootMove(Record):
    """What is known of a decision of the root: `exact` unless the value is only an upper bound."""

    text: str
    row: int
    value: float | None = None
    marks: int = 0

    @property
    def exact(self) -> bool:
        """Whether the value is exact, not a bound."""
        return bool(self.marks & EXACT)

    @property
    def proven(self) -> bool:
        """Whether the value is proven."""
        return bool(self.marks & PROVEN)

    @property
    def sure(self) -> int:
        """1 for a proven win, -1 for a proven loss, else 0."""
        return 0 if self.value is None else sure(self.value, self.marks)

    @property
    def distance(self) -> int | None:
        """Decisions to the end of a proven win or loss."""
        if not self.sure or self.value is None:
            return None
        return int(WIN - abs(self.value))


@define(repr=False, eq=False)
class Deepening(Record):
    """Searches the decisions of a root, deeper and deeper, down to a depth.

    `full`: every decision has its exact value; else those behind the best one only a bound.  `edge`
    cuts the values on either side: beyond it only the side matters.  `rough`: results alone count,
    and depths grow by half.
    """

    root: Root
    workers: list[ThreadArrays]
    last: int = DEEPEST
    full: bool = False
    edge: float = INFINITE
    rough: bool = False
    only: Collection[str] | None = None
    """The decisions that are searched; None means all of them."""
    every: bool = False
    """Whether all decisions are wanted at the same depth: a win of one does not end the search."""
    together: Callable[[list[Steps]], Steps] | None = None
    """Does the work of several threads at the same time; one needs none."""
    proofs: ThreadArrays | None = None
    """Where threats are remembered that may answer a decision that looks best; None: none are."""
    looking: Looking | None = None
    nodes: int = 0
    """Nodes that the whole search may play, a part of them for these; 0 where nobody has said."""
    depth: int = 0
    search: RootSearch = field(init=False)
    moves: list[RootMove] = field(init=False)
    best: RootMove | None = None
    _lock: Lock = field(factory=Lock)

    def __attrs_post_init__(self) -> None:
        for worker in self.workers:
            self.root.place(worker)
            worker.control.at = -1
        own = self.workers[0]
        self.search = RootSearch(own, self.proofs)
        shared = len(self.workers) > 1 and own.control.table > ORDER_ONLY
        for worker in self.workers:
            worker.control.crowd = int(shared)
        words, moves = self.search.words, self.root.moves
        words.shared, words.whole, words.deepest = int(shared), self.nodes, self.last
        words.full, words.every, words.rough = int(self.full), int(self.every), int(self.rough)
        words.edge, words.fills = float_bits(self.edge), int(fills(own.engine.play.rules))
        if self.only is not None:
            self.search.arrange([row for row, text in enumerate(moves) if text in self.only])
        self._read_moves()

    def order_by_rank(self) -> None:
        """Put the decisions in the order that a text says, before any is searched."""
        self.search.call("order_by_rank")
        self._read_moves()

    def foremost(self) -> str:
        """The decision that this order has first."""
        self.workers[0].call("rank", self.root.person, 0, 0, self.workers[0].rows)
        ranks = self.workers[0].arrays[10]
        return max(self.moves, key=lambda move: int(ranks[move.row])).text

    def run(self, report: Callable[[], None] = lambda: None) -> Steps:
        """One iteration for each depth, until all is settled."""
        words, going = self.search.words, MORE
        self.search.call("begin_deepening")
        while going == MORE:
            yield from self._iteration()
            depth, before = words.depth, words.iterations
            going = self.search.call("end_iteration")
            if words.iterations > before:
                self.depth = depth
                self._read_moves()
                report()

    def _read_moves(self) -> None:
        """Note what the kernels know of the decisions."""
        moves = self.search.moves
        self.moves = [
            RootMove(self.root.moves[row], row, float(moves["values"][row]), int(marks))
            if (marks := moves["marks"][row])
            else RootMove(self.root.moves[row], row)
            for row in self.search.order()
        ]
        self.best = self.moves[0] if self.moves[0].marks else None

    @property
    def settled(self) -> bool:
        """Whether deeper searches can change nothing: a win, or all that matters is proven."""
        return self.best is not None and bool(self.search.call("all_settled"))

    @property
    def judged(self) -> bool:
        """Whether any decision has its value."""
        moves, count = self.search.moves, self.search.words.next
        new = (moves["new_marks"][moves["next_order"][i]] & EXACT for i in range(count))
        return self.best is not None or any(new)

    def break_off(self) -> None:
        """End an iteration under way: it counts if it has found something better."""
        self.search.call("break_off")
        self._read_moves()

    # --- one iteration ---

    def _iteration(self) -> Steps:
        """Every decision once, in the order of the last iteration."""
        if self.together is None or len(self.workers) == 1:
            while self.search.call("look_on") == MORE:
                self._look()
                yield
            return
        if not self.search.words.shared:
            yield from self._some(0, 1)
        works = [self._some(number) for number in range(len(self.workers))]
        if (yield from self._is_long(works[0])):
            yield from self.together(works)

    def _look(self) -> None:
        """Say which decision is being searched."""
        row = self.workers[0].control.at
        if self.looking is not None and row >= 0:
            self.looking(self.root.moves[row], self.search.words.next)

    def _is_long(self, work: Steps) -> Generator[None, None, bool]:
        """Whether something is left of an iteration after what one thread plays alone."""
        own = self.workers[0]
        while own.nodes < TOGETHER_FROM:
            own.stop_at(TOGETHER_FROM)
            if next(work, work) is not None:
                return False
            if own.nodes < TOGETHER_FROM:
                yield
        return True

    def _some(self, number: int, most: int | None = None) -> Steps:
        """A thread's part of an iteration: one decision after the other, at the most so many."""
        own, call = self.workers[number], self.search.call
        while most is None or most > 0:
            with self._lock:
                row = call("take_move", own)
            if row < 0:
                return
            while call("look_at_move", own) == MORE:
                if self._is_known(row):
                    own.leave()
                    break
                self._look()
                yield
            with self._lock:
                if not self._is_known(row):
                    call("note_value", own)
                own.control.at = -1
                self._call_off()
            most = None if most is None else most - 1

    def _is_known(self, row: int) -> bool:
        """Whether a decision need not be searched any more in this iteration."""
        return bool(self.search.moves["progress"][row] == DONE or self.search.call("passed_by"))

    def _call_off(self) -> None:
        """Stop threads that search what is known by now."""
        for worker in self.workers:
            if worker.control.at >= 0 and self._is_known(worker.control.at):
                worker.stop()


def fills(rules: r.Rules) -> bool:
    """Whether nothing is ever taken off the board, so that lines end with it at the latest."""
    taking = (r.Clear, r.MovePiece, r.MoveEach)
    takes = any(isinstance(n, taking) for n in nodes(rules.moves, rules.actions))
    return not takes and not rules.board.stacked


# --- the line that is expected ---


def principal_variation(search: RootSearch, row: int, most: int = 64) -> tuple[int, ...]:
    """Return the best decisions that the table knows after a decision of the root, as numbers."""
    worker, plan = search.worker, search.worker.engine.plan
    classes = alike(worker.engine.play.rules) if worker.control.results else ()
    search.call("begin_line", None, row)
    for _ in range(most):
        # else the table takes it for others, whose decisions have other numbers
        if not (all_alike(plan, classes, worker.game[0]) and search.call("follow_line")):
            break
    return search.numbers()[1:]
