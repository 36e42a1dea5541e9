"""A decision: which algorithm looks for it, its share of the limits, and its answer.

In: a root and limits.  Out: `SearchResult`.  `auto` first looks for forced results by alpha-beta,
deeper and deeper; the decisions that it settles keep their results, and the others are judged by
tree search.  With an evaluator, or when asked for, alpha-beta decides alone.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Generator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING

from attrs import define, evolve

from rulewright.compiler.backend import Linked
from rulewright.compiler.defects import net
from rulewright.ground import budget
from rulewright.ground.records import Record, record
from rulewright.search.deepening import Deepening, RootMove, principal_variation
from rulewright.search.driver import DEEPEST, LINE_SECONDS, Driver, hashfull
from rulewright.search.kernels.thread import AT_LEAST, SAME_DEPTH, SURE, WIN
from rulewright.search.kernels.windows import EXACT, PROOF_NODES, SHARES
from rulewright.search.results import Limits, Looking, SearchResult, Watch
from rulewright.search.root_search import Attack, attack
from rulewright.search.thread_arrays import Guide, LinkedEvaluator, Root, Steps, ThreadArrays
from rulewright.search.trees import ThreadTree, tree_search

if TYPE_CHECKING:
    from rulewright.search.pattern_table import CandidateKernels

ATTACK_SHARE = 0.25
"""The share of the limits that a search of threats may use, before anything else."""
PROOF_SHARE = 0.3
"""The share of the limits that `auto` may use to look for forced results."""
GLANCE = 20_000
"""Nodes of a look one decision ahead, after which it ends if anything is judged."""
DEPTH_ONLY = 20_000
"""Nodes that random games may use when only a depth limits the search."""


@record
class SearchOptions(Record):
    """What a search is: its algorithm, who judges, and what it looks at.

    `roots`: a value for every decision.  `candidates` narrow the decisions of every position,
    `only` those of the root; None means all of them.  `guide` is how a text leads the search.
    `lines` of so many of the best are wanted, and `looking` is told what is being searched.
    `restricted`: somebody wants one of `only` these, and not what a text would consider.
    `prove` is the share of the limits within which it is looked for a proven win or draw first.
    `apart` names what the tables of all these are in, see `Engine.apart`; unsaid, the game's own.
    """

    algorithm: str = "auto"
    seed: int = 0
    evaluator: LinkedEvaluator | None = None
    roots: bool = False
    candidates: CandidateKernels | None = None
    only: Collection[str] | None = None
    guide: Guide | None = None
    lines: int = 1
    looking: Looking | None = None
    restricted: bool = False
    prove: float = 0.0
    apart: str = ""

    @property
    def plain(self) -> bool:
        """Whether the rules alone judge, so that any other search of them could stand in."""
        return self.evaluator is None and self.algorithm == "auto"

    @property
    def attacks(self) -> bool:
        """Whether a win by threats is looked for first."""
        led = self.guide is not None and self.guide.threats
        judged = self.evaluator is not None and not self.evaluator.judges_ends
        return led and judged and self.algorithm == "alphabeta" and not self._for_show

    @property
    def proves(self) -> bool:
        """Whether a proven win or draw is looked for first."""
        judged = self.evaluator is not None and not self.evaluator.judges_ends
        return self.prove > 0 and judged and self.algorithm == "alphabeta" and not self._for_show

    @property
    def _for_show(self) -> bool:
        """Whether more is wanted than the best of all decisions."""
        return self.roots or self.restricted or self.lines > 1

    @property
    def grows(self) -> bool:
        """Whether tree search by random games may be used."""
        automatic = self.algorithm == "auto" and self.evaluator is None
        return self.algorithm == "montecarlo" or automatic


def options_watched(options: SearchOptions, watch: Watch) -> SearchOptions:
    """The options with what whoever looks on asks for."""
    only, choice = options.only, watch.only
    if choice is not None:
        only = [text for text in choice if only is None or text in only] or [*choice]
    return evolve(
        options, only=only, lines=watch.lines, looking=watch.looking, restricted=choice is not None
    )


@define(eq=False, kw_only=True)
class Decider(Driver[SearchResult]):
    """Decides in one position."""

    root: Root
    options: SearchOptions
    _threats: ThreadArrays | None = None
    """Where threats are searched."""

    def __attrs_post_init__(self) -> None:
        """Take the tables in which the text's kernels were lowered: others have less room."""
        if self.options.apart not in ("", self.engine.part):
            self.engine = self.engine.apart(self.options.apart)

    def search(self) -> Generator[None, None, SearchResult]:
        """The decision that looks best."""
        if self.options.plain:
            return (yield from self._auto())
        if self.options.algorithm == "montecarlo":
            return (yield from self._grown({}, 0, self.limits.memory))
        answer = None
        if self.options.attacks and not self.root.state.game.lots:
            answer = yield from self._attack()
        if answer is None and self.options.proves and not self.root.state.game.lots:
            answer = yield from self._prove()
        if answer is None:
            deepening = yield from self._deepen(self._remaining_limits(), self.limits.memory)
            if deepening.depth == 0 and (self.options.proves or not deepening.judged):
                deepening = self._glance(deepening)
            answer = self._decided(deepening)
        return answer

    def _remaining_limits(self) -> Limits:
        """The limits without the nodes that were played before."""
        nodes = self.limits.nodes
        return (
            self.limits if nodes is None else evolve(self.limits, nodes=max(1, nodes - self.nodes))
        )

    # --- threats ---

    def _attack(self) -> Generator[None, None, SearchResult | None]:
        """A proven win by threats, looked for within a share of the limits."""
        options, limits = self.options, self.limits
        worker = ThreadArrays(
            self.engine, limits.memory // 4, options.evaluator,
            candidates=options.candidates, guide=options.guide,
        )  # fmt: skip
        self.root.place(worker)
        self._threats = worker
        self.use([worker])
        attacks: list[Attack] = []
        nodes = None if limits.nodes is None else max(1, int(ATTACK_SHARE * limits.nodes))
        seconds = None if limits.seconds is None else ATTACK_SHARE * limits.seconds
        yield from self.within(_keep_attack(attack(worker), attacks), nodes, seconds)
        return self._win_result(attacks[0]) if attacks else None

    def _win_result(self, win: Attack) -> SearchResult:
        """The answer where threats win."""
        move = self.root.moves[win.line[0]]
        value = float(WIN - win.distance)
        values = {move: value}
        return SearchResult(
            move=move,
            value=value,
            side=self.root.side,
            proven="win",
            distance=win.distance,
            pv=self._written_line(move, win.line[1:]) if self.limits.line else (move,),
            nodes=self.nodes,
            depth=win.distance,
            seconds=self.seconds,
            root=tuple((text, values.get(text)) for text in self.root.moves),
            believed=self.believed,
        )

    # --- results ---

    def _prove(self) -> Generator[None, None, SearchResult | None]:
        """What is proven within a share of what is left: a win, or that a draw is the best."""
        limits, share = self.limits, self.options.prove
        workers = self._workers(limits.memory // 2)
        for worker in workers:
            worker.kernels["results_alone"](worker.arrays[8])
        deepening = Deepening(
            self.root, workers, self._deepest(), edge=1.0, rough=True, together=self.together
        )
        deepening.order_by_rank()
        whole, elapsed = self._remaining_limits().nodes, self.seconds
        nodes = None if whole is None else whole * round(share * SHARES) // SHARES
        if nodes is None and limits.seconds is None:
            nodes = PROOF_NODES
        seconds = None if limits.seconds is None else elapsed + share * (limits.seconds - elapsed)
        yield from self.within(deepening.run(), nodes, seconds)
        deepening.break_off()
        for move in deepening.moves:
            if not move.proven:
                move.marks &= ~EXACT  # nobody has judged it
        return self._decided(deepening) if deepening.search.call("has_proof") else None

    def _deepest(self) -> int:
        """The last depth that may be searched."""
        return min(DEEPEST, self.limits.depth or DEEPEST)

    def _glance(self, stopped: Deepening) -> Deepening:
        """One decision ahead, whatever the limits are, where a search was stopped before that.

        In vast positions only until some decisions are judged.
        """
        worker = stopped.workers[0]
        worker.leave()
        deepening = Deepening(self.root, [worker], 1, only=self.options.only)
        worker.allow(GLANCE, worker.nodes + GLANCE)
        for _ in deepening.run():
            if deepening.judged and not self.options.proves:
                break
            worker.allow(GLANCE, worker.nodes + GLANCE)
        deepening.break_off()
        return deepening

    def _workers(self, memory: int, more: tuple[Linked, ...] = ()) -> list[ThreadArrays]:
        """Arrays for every thread; they share a table."""
        options = self.options
        threads, judge, candidates = self.limits.threads, options.evaluator, options.candidates
        busy, led = self.limits.long, options.guide
        first = ThreadArrays(
            self.engine, memory, judge, more=more, candidates=candidates, busy=busy, guide=led
        )
        others = [
            ThreadArrays(self.engine, memory, judge, first, candidates=candidates, guide=led)
            for _ in range(threads - 1)
        ]
        for number, worker in enumerate([first, *others]):
            worker.seed(options.seed * threads + number)
            worker.control.turns = int(self.limits.turns)
        return self.use([first, *others])

    # --- alpha-beta ---

    def _deepen(
        self, limits: Limits, memory: int, full: bool = False
    ) -> Generator[None, None, Deepening]:
        """Alpha-beta within *limits*."""
        exact = self.options.algorithm == "exact"
        workers = self._workers(memory)
        for worker in workers:
            if exact:  # nothing that may change a value
                worker.no_bets()
            if exact and worker.control.table == AT_LEAST:
                worker.control.table = SAME_DEPTH
        whole = full or exact or self.options.roots or self.options.lines > 1
        deepening = Deepening(
            self.root, workers, self._deepest(), whole, every=exact, only=self.options.only,
            together=self.together, proofs=self._threats if len(workers) == 1 else None,
            nodes=self.limits.nodes or 0, looking=self.options.looking,
        )  # fmt: skip
        if budget.seconds_left() is not None and self.last is None:
            self.last = self._unsearched(deepening)
        work = deepening.run(lambda: self._tell(deepening))
        yield from self.within(work, limits.nodes, limits.seconds)
        deepening.break_off()
        return deepening

    def _unsearched(self, deepening: Deepening) -> SearchResult:
        """The answer before anything is searched: what would be tried first."""
        first = deepening.foremost()
        return SearchResult(
            first, 0.0, self.root.side, None, None, (first,), self.nodes, 0, self.seconds,
            tuple((text, None) for text in self.root.moves), searched=False,
        )  # fmt: skip

    def _tell(self, deepening: Deepening) -> None:
        """Tell what is known, if anybody may want to know: writing it down takes a while."""
        if self.progress is not None or budget.seconds_left() is not None:
            self.reported(self._decided(deepening, part=True))

    def _decided(self, deepening: Deepening, part: bool = False) -> SearchResult:
        """The answer of alpha-beta alone."""
        order = [m for m in deepening.moves if m.value is not None]
        best = deepening.best or (order[0] if order else deepening.moves[0])
        if self.options.evaluator is None and best.value == 0.0 and not part:
            best = self._any_of(order, best)
        values = {m.text: m.value if m.exact else None for m in order}
        brief = not self.limits.line or (part and self.progress is None)
        proven = self._proven(deepening, best)
        return SearchResult(
            move=best.text,
            value=self._shown_value(best.value or 0.0),
            side=self.root.side,
            proven=proven,
            distance=best.distance if proven in ("win", "loss") else None,
            pv=(best.text,) if brief else self._line(deepening, best),
            nodes=self.nodes,
            depth=deepening.depth,
            seconds=self.seconds,
            root=tuple((text, self._root_value(values.get(text))) for text in self.root.moves),
            believed=self.believed if proven else (),
            lines=self._best_lines(deepening, best, order),
            filled=hashfull(deepening.workers[0]) if self.progress is not None else 0,
        )

    def _best_lines(
        self, deepening: Deepening, best: RootMove, moves: list[RootMove]
    ) -> tuple[tuple[str, ...], ...]:
        """The lines of the best decisions, where several are wanted."""
        if self.options.lines == 1:
            return ()
        judged = [move for move in moves if move.exact]
        judged.sort(key=lambda move: (move is not best, -(move.value or 0.0)))
        return tuple(self._line(deepening, move) for move in judged[: self.options.lines])

    def _any_of(self, moves: list[RootMove], best: RootMove) -> RootMove:
        """Among decisions of the same exact value a random one."""
        equal = [m for m in moves if m.exact and m.value == best.value and m.proven == best.proven]
        return Random(self.options.seed).choice(equal) if len(equal) > 1 else best

    def _proven(self, deepening: Deepening, best: RootMove) -> str | None:
        judge = self.options.evaluator
        if judge is not None and judge.judges_ends:
            return None
        if best.sure > 0:
            return "win"
        if deepening.only is not None or not all(m.proven for m in deepening.moves):
            return None
        return "loss" if best.sure < 0 else "draw" if best.value == 0.0 else None

    def _shown_value(self, value: float) -> float:
        """Without an evaluator results alone count: 1, 0, -1, and by chance what lies between."""
        if self.options.evaluator is not None:
            return value
        if abs(value) <= SURE:
            return value / (SURE / 2) if self.root.state.game.lots else value
        return 1.0 if value > 0 else -1.0

    def _root_value(self, value: float | None) -> float | None:
        return None if value is None else self._shown_value(value)

    def _line(self, deepening: Deepening, best: RootMove) -> tuple[str, ...]:
        return self._written_line(best.text, principal_variation(deepening.search, best.row))

    def _written_line(self, move: str, numbers: Sequence[int]) -> tuple[str, ...]:
        """The line of a decision; where time limits the search, as far as there is time for it."""
        limited = self.limits.seconds is not None and self.limits.nodes is None
        until = time.perf_counter() + LINE_SECONDS if limited else None
        return self.root.line(move, numbers, until)

    # --- forced results first, then random games ---

    def _auto(self) -> Generator[None, None, SearchResult]:
        memory = self.limits.memory // 2
        if len(self.root.moves) == 1 and self.limits.depth is None:
            if self.options.roots:
                return (yield from self._grown({}, 0, self.limits.memory))
            return self._only()
        seconds, nodes = self.limits.seconds, self.limits.nodes
        share = evolve(
            self.limits,
            seconds=None if seconds is None else PROOF_SHARE * seconds,
            nodes=None if nodes is None else max(1, int(PROOF_SHARE * nodes)),
        )
        deepening = yield from self._deepen(share, memory, full=True)
        if deepening.settled or self._over():
            return self._decided(deepening)
        proven_moves = {m.row: m for m in deepening.moves if m.proven}
        if len(proven_moves) == len(deepening.moves) - 1 and all(
            m.sure < 0 for m in proven_moves.values()
        ):
            return self._decided(deepening)  # all but one lose: there is nothing left to choose
        return (yield from self._grown(proven_moves, deepening.depth, memory))

    def _only(self) -> SearchResult:
        """There is one decision, and it is taken."""
        move = self.root.moves[0]
        return SearchResult(
            move, 0.0, self.root.side, None, None, (move,), 0, 0, self.seconds, ((move, None),)
        )

    def _over(self) -> bool:
        """Whether the limits of nodes or time are used up."""
        seconds, nodes = self.limits.seconds, self.limits.nodes
        late = seconds is not None and self.seconds >= seconds
        return self.halted or late or (nodes is not None and self.nodes >= nodes)

    def _grown(
        self, proven_moves: dict[int, RootMove], depth: int, memory: int
    ) -> Generator[None, None, SearchResult]:
        """Tree search for the rest of the limits."""
        nodes, seconds = self.limits.nodes, self.limits.seconds
        if nodes is None and seconds is None:
            nodes = self.nodes + DEPTH_ONLY
        remaining_nodes = None if nodes is None else max(1, nodes - self.nodes)
        trees = list[ThreadTree]()
        with net(self.engine.play.rules, playing=True):
            for worker in self._workers(0, (tree_search(),)):
                trees.append(self._planted(worker, memory, trees))
                sure = {row: (m.sure, m.distance or 0) for row, m in proven_moves.items()}
                trees[-1].plant(self._left_out() | sure)
        works = [tree.grow() for tree in trees]
        work = works[0] if len(works) == 1 else self.together(works)
        yield from self.within(work, remaining_nodes, seconds)
        return self._judged(trees[0], depth)

    def _left_out(self) -> dict[int, tuple[int, int]]:
        """The decisions that are not among those asked for: a tree takes them for lost at once."""
        only, moves = self.options.only, enumerate(self.root.moves)
        if only is None or not self.options.restricted:
            return {}
        return {row: (-1, 1) for row, text in moves if text not in only}

    def _planted(self, worker: ThreadArrays, memory: int, others: list[ThreadTree]) -> ThreadTree:
        """The tree as the next thread has it, led by a text where one says how."""
        seed = self.options.seed * self.limits.threads + len(others)
        shared = others[0] if others else None
        led = self.options.guide.grown if self.options.guide else None
        return ThreadTree(self.root, worker, memory, seed, shared, led)

    def _judged(self, tree: ThreadTree, depth: int) -> SearchResult:
        """The answer of the tree."""
        moves = self.root.moves
        children = {text: tree.child(row) for row, text in enumerate(moves)}
        left_out = self._left_out()
        values = {text: child.value for text, child in children.items()}
        values |= {moves[row]: None for row in left_out}
        order = Random(self.options.seed).sample(range(len(moves)), len(moves))
        row = tree.best(order)
        best = children[moves[row]]
        settled = best.result == 1 or (
            not left_out and all(c.result is not None for c in children.values())
        )
        proven = {1: "win", 0: "draw", -1: "loss"}[best.result or 0] if settled else None
        return SearchResult(
            move=moves[row],
            value=best.value or 0.0,
            side=self.root.side,
            proven=proven,
            distance=best.distance if proven in ("win", "loss") else None,
            pv=self._written_line(moves[row], tree.numbers(row)),
            nodes=self.nodes,
            depth=depth,
            seconds=self.seconds,
            root=tuple(values.items()),
            believed=self.believed if proven else (),
            lines=self._tree_lines(tree, moves[row], values),
        )

    def _tree_lines(
        self, tree: ThreadTree, move: str, values: Mapping[str, float | None]
    ) -> tuple[tuple[str, ...], ...]:
        """The lines of the best decisions of a tree, where several are wanted."""
        count, moves = self.options.lines, self.root.moves
        judged = [(t != move, -value, t) for t, value in values.items() if value is not None]
        best = sorted(judged)[: count if count > 1 else 0]
        return tuple(self._written_line(t, tree.numbers(moves.index(t))) for *_, t in best)


def _keep_attack(work: Generator[None, None, Attack | None], attacks: list[Attack]) -> Steps:
    """Do the work, and put its result among the *attacks*."""
    attack_line = yield from work
    if attack_line is not None:
        attacks.append(attack_line)
