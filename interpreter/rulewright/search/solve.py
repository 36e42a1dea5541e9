"""Solve a position: its value with proof, and the shortest win where asked.

In: a state and limits.  Out: `Solved`.  By alpha-beta with a table, deeper and deeper: a value that
depends on no position where looking stopped is proven.  Or by proof numbers, which ask whether a
person can force a win, and then whether a draw.  Or by connections, where the rules are proven to
be a race of them.  Refuses games without kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeAlias

from attrs import define, field

from rulewright.compiler.backend import Linked
from rulewright.compiler.defects import Defect, net
from rulewright.compiler.engine import Engine, fastest
from rulewright.compiler.layout import Unsupported
from rulewright.compiler.passes.connection_race import connection_race
from rulewright.compiler.passes.symmetry import tables
from rulewright.errors import GameOver, OutOfBudget, RulewrightError
from rulewright.games.engine.game import State
from rulewright.games.engine.kernels import load_engine
from rulewright.search.background import in_time
from rulewright.search.connections import ConnectionSearch, connections, number_of
from rulewright.search.deepening import Deepening, principal_variation
from rulewright.search.driver import DEEPEST, WORDS, Driver
from rulewright.search.kernels.thread import BELIEVED
from rulewright.search.proof_line import winning_line
from rulewright.search.results import (
    MEBIBYTE,
    Cancelled,
    Limits,
    Progress,
    Solved,
    refuse_chance,
    refuse_seats,
    refuse_secrets,
)
from rulewright.search.thread_arrays import (
    INFINITE,
    Guide,
    LinkedEvaluator,
    Root,
    Steps,
    ThreadArrays,
)

Led: TypeAlias = tuple[LinkedEvaluator, Guide]
"""Who leads a proof: an evaluator for its factors, and what says which decisions are needed."""
METHODS = ("auto", "alphabeta", "proof", "connections")
NAMES = {-1: "loss", 0: "draw", 1: "win"}
LIMIT = "a limit came first"
CUT = f"lines are cut at {DEEPEST} decisions, and no rule has ended all games by then"
"""Why nothing is proven."""
_NO_RACE = "this is no race of connections"


@define(eq=False, kw_only=True, slots=False)
class Solver(Driver[Solved]):
    """Solves one position."""

    root: Root
    shortest: bool = False
    method: str = "alphabeta"
    """`auto` becomes the method that is used."""
    led: Led | None = None
    least: int = -1
    most: int = 1
    depth: int = 0
    worker: ThreadArrays = field(init=False)
    race: ConnectionSearch | None = field(default=None, init=False)
    method_is_given: bool = field(init=False)
    """Whether the method was asked for by name."""
    finished: bool = field(default=False, init=False)
    """Whether all was searched that can be."""
    _line: tuple[str, ...] = field(default=(), init=False)
    """The decisions of a win that proof numbers have proven, up to the other person's first."""

    def __attrs_post_init__(self) -> None:
        self.method_is_given = self.method != "auto"
        if self.method == "connections" or not (self.method_is_given or self.shortest or self.led):
            self.race = self._race()
        if self.race is not None:
            self.method, self.worker, self.first_slice = "connections", self.race.worker, 1
            self.use([self.worker])
            return
        self.method = "alphabeta" if self.method == "auto" else self.method
        self._workers()

    def _race(self) -> ConnectionSearch | None:
        """The search of a race of connections, where the game is one; else refused if chosen."""
        refused = _NO_RACE
        try:
            with net(self.engine.play.rules):
                race = connection_race(self.engine.play.rules)
            refused = "connections are not searched here"
            worker = self._arrays((connections(),))
            return ConnectionSearch(worker, race, self.root.state.situation.position)
        except Unsupported as reason:
            if self.method_is_given:
                raise RulewrightError(f"{refused}: {reason}") from None
            return None

    def _workers(self) -> None:
        """Arrays for every thread."""
        self.worker = self._arrays()
        others = [self._arrays(shared=self.worker) for _ in range(self.limits.threads - 1)]
        self.use([self.worker, *others])

    def _arrays(
        self,
        more: tuple[Linked, ...] = (),
        shared: ThreadArrays | None = None,
        led: bool = True,
        turning: list[int] | None = None,
    ) -> ThreadArrays:
        judge, guide = (self.led if led else None) or (None, None)
        worker = ThreadArrays(
            self.engine, self.limits.memory, judge, shared, more=more, busy=self.limits.long,
            guide=guide, turning=turning or self._turning(),
        )  # fmt: skip
        worker.control.judge = 0  # results alone count, whoever leads
        worker.control.results = self._merging()
        worker.control.step = int(self.shortest)
        worker.control.drawn *= BELIEVED
        worker.control.decided *= 0 if self.shortest else BELIEVED
        worker.control.hopeless *= 0 if self.shortest else BELIEVED
        return worker

    def arrays_without_symmetry(self, led: bool) -> ThreadArrays:
        """Arrays for alpha-beta whose table keeps a position and its mirror images apart.

        With *led* the words of the personality lead the search.
        """
        worker = self._arrays(led=led, turning=[0])
        worker.control.results = 0
        return self._like(worker)

    def choosing(self) -> ThreadArrays:
        """Return arrays for alpha-beta with the results so far, to choose among proven decisions.

        They take no word of a text for true that the proof itself did not: it might be wrong.
        """
        worker = self.worker if self.method == "alphabeta" else self._like(self._arrays())
        for word in {word for word, _ in WORDS} - {*self.believed}:
            setattr(worker.control, word, 0)
        return worker

    def _like(self, worker: ThreadArrays) -> ThreadArrays:
        """The arrays, believing no more than the method does: proof numbers ask for no draws."""
        if self.method == "proof":
            worker.control.drawn = 0
        return worker

    def _turning(self) -> list[int]:
        """How positions are turned: in all ways that the rules do not tell apart."""
        rules = self.engine.play.rules
        return [0] if rules.looks_back else tables(self.engine.plan, self.engine.symmetries)

    @staticmethod
    def _merging() -> int:
        """The setting by which the table holds positions that the rules cannot tell apart once."""
        return 1

    def search(self) -> Generator[None, None, Solved]:
        """What is proven when a limit is met, or all of it."""
        if self.method == "proof":
            self.root.place(self.worker)
            yield from self.within(self._proving(), self.limits.nodes, self.limits.seconds)
            return self.result_so_far()
        if self.race is not None:
            yield from self.within(self._racing(), self.limits.nodes, self.limits.seconds)
            if self.race is not None:
                return self.result_so_far()
        edge = INFINITE if self.shortest else 1.0
        deepening = Deepening(
            self.root, self.workers, self.limits.depth or DEEPEST, edge=edge,
            rough=not self.shortest, together=self.together,
        )  # fmt: skip
        deepening.order_by_rank()
        work = deepening.run(lambda: self._look(deepening))
        yield from self.within(work, self._nodes_left(), self.limits.seconds)
        deepening.break_off()
        return self._deepened(deepening)

    def _nodes_left(self) -> int | None:
        """Nodes that another method has left."""
        return None if self.limits.nodes is None else self.limits.nodes - self.nodes

    # --- alpha-beta ---

    def _deepened(self, deepening: Deepening) -> Solved:
        self._look(deepening)
        best = deepening.best
        value = NAMES[self.least] if self.least == self.most else None
        is_proven = best is not None and value is not None
        distance = best.distance if self.shortest and best is not None and value != "draw" else None
        line = tuple[str, ...]()
        if is_proven and best is not None:
            line = self.root.line(best.text, principal_variation(deepening.search, best.row))
        return self._solved(
            move=line[0] if line else None,
            distance=distance if value is not None else None,
            pv=line,
            depth=deepening.depth,
        )

    def _look(self, deepening: Deepening) -> None:
        """Narrow the bounds of the value by what a finished iteration proves."""
        self.depth = deepening.depth
        self.finished = deepening.depth >= DEEPEST
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

    # --- proof numbers ---

    def _proving(self) -> Steps:
        """First whether who is at move can force a win, then whether a draw."""
        is_win = yield from self.worker.forced(self.root.person, win=True)
        if is_win is True:
            self.least = 1
            here = self.root.state.situation
            self._line = yield from winning_line(self.worker, here, self.root.person)
        elif is_win is False:
            self.most = 0
            held = yield from self.worker.forced(self.root.person, win=False)
            self.least = 0 if held is True else self.least
            self.most = -1 if held is False else self.most
        self.finished = True

    # --- connections ---

    def _racing(self) -> Steps:
        """Whether who is at move wins; alpha-beta goes on where perhaps nobody will."""
        assert self.race is not None
        is_win = yield from self.race.wins()
        if is_win is not None:
            self.least = self.most = 1 if is_win else -1
        elif self.method_is_given:
            raise RulewrightError(f"{_NO_RACE}: a full board may have no winner")
        else:
            self.race, self.method = None, "alphabeta"
            self._workers()

    def _winning(self, race: ConnectionSearch) -> str:
        """The decision by which a race is won."""
        here = self.root.state.situation
        number = number_of(here.position, here.options, race.winning)
        assert number is not None, "kernels and reference list different decisions"
        return self.root.moves[number]

    def result_so_far(self) -> Solved:
        """Return the result as far as it is proven: a won move, or bounds of the value."""
        if self.race is not None and self.least == 1:
            move = self._winning(self.race)
            return self._solved(move, None, (move,), self.depth)
        return self._solved(next(iter(self._line), None), None, self._line, self.depth)

    def _solved(
        self, move: str | None, distance: int | None, pv: tuple[str, ...], depth: int
    ) -> Solved:
        if self.root.state.claimable and self.least < 0:  # going on loses, or may lose
            self.least, self.most = 0, max(self.most, 0)
            move, distance, pv = None, None, ()
        return Solved(
            value=NAMES[self.least] if self.least == self.most else None,
            side=self.root.side,
            least=NAMES[self.least],
            most=NAMES[self.most],
            move=move,
            distance=distance,
            pv=pv,
            nodes=self.nodes,
            depth=depth,
            seconds=self.seconds,
            believed=self.believed,
            reason="" if self.least == self.most else CUT if self.finished else LIMIT,
        )


def _engine(state: State, backend: str | None) -> Engine:
    """Machine code, or what checks it where there is no LLVM."""
    engine = load_engine(state.game, backend or fastest() or "python", quick=True)
    if isinstance(engine, str):
        raise RulewrightError(engine)
    return engine


def solve(
    state: State,
    limits: Limits | None = None,
    *,
    time: float | None = None,
    nodes: int | None = None,
    memory: int = 64,
    threads: int = 1,
    shortest: bool = False,
    method: str = "auto",
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
    backend: str | None = None,
    keep: Callable[[Solver], None] = lambda _: None,
    leading: Callable[[Engine], Led] | None = None,
) -> Solved:
    """The value of a state for the person at move, proven; None where a limit came first.

    *time* in seconds, *nodes*, *memory* in MiB and *threads* as for `search`, or all in *limits*.
    Without any the proof takes as long as it takes.

    *method* `auto` proves races of connections as such, and all else by alpha-beta.

    *leading* says what leads the search, for kernels that are ready: `must`, `order`, `drawn` and
    `decided` of a text.
    *keep* is given the solver before it starts: what it has found can be asked after an interrupt.
    """
    _refuse(state)
    if method not in METHODS:
        raise RulewrightError(f"there is no method `{method}`: {', '.join(METHODS)}")
    within = limits or Limits(time, nodes, None, memory * MEBIBYTE, threads)
    _check_method(state, method, shortest, within.threads, leading is not None)

    def ready() -> Solver:
        engine = _engine(state, backend)
        return Solver(
            engine=engine, limits=within, progress=progress, cancelled=cancelled,
            root=Root(state, engine), shortest=shortest, method=method,
            led=leading(engine) if leading else None,
        )  # fmt: skip

    try:
        solver = in_time(ready)
        keep(solver)
        with state.game.located():
            return _run(solver)
    except Defect as defect:  # nothing that plays slowly proves as much
        raise RulewrightError(str(defect)) from defect


def _run(solver: Solver) -> Solved:
    try:
        return solver.run()
    except OutOfBudget:
        return solver.result_so_far()


def _refuse(state: State) -> None:
    """Refuse what is no position to prove."""
    if state.over:
        raise GameOver(f"there is nothing to solve: the game is over ({state.result})")
    refuse_secrets(state.game, "a proof")
    refuse_chance(state, "a proof")


def _check_method(state: State, method: str, shortest: bool, threads: int, led: bool) -> None:
    """Refuse what a method that was asked for cannot do."""
    refuse_seats(state.game.rules, "a proof")
    if method == "proof" and (shortest or state.game.rules.looks_back):
        raise RulewrightError(
            "proof numbers find no shortest win and cannot look at earlier positions; use alphabeta"
        )
    if method == "proof" and threads > 1:
        raise RulewrightError("a search by proof numbers has one thread; use alphabeta")
    if method == "connections" and (shortest or led):
        raise RulewrightError(
            "a search by connections finds no shortest win and uses no personality"
        )
    if method == "connections" and threads > 1:
        raise RulewrightError("a search by connections has one thread; use alphabeta")
