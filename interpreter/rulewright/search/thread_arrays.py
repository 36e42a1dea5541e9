"""The arrays that one thread searches with, and calls of the search's kernels on them.

In: the kernels of a game (`Engine`), an evaluator's where there is one, and how much memory the
table may use.  Out: values of decisions.  Searches that take long are generators: they give control
back where the nodes that are allowed are played, and go on without loss when they are asked again.
Nothing here decides when to stop.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from attrs import define, field, frozen

from rulewright.compiler import layout as p
from rulewright.compiler.arrays import SharedWords
from rulewright.compiler.backend import Linked, load
from rulewright.compiler.engine import Engine
from rulewright.compiler.faults import fault_of
from rulewright.compiler.runtime import float_bits
from rulewright.games.engine.game import State
from rulewright.games.engine.interpreted import ReferencePosition
from rulewright.ground.records import Record, record
from rulewright.reference.position import Position
from rulewright.search.kernels import (
    alphabeta,
    bets,
    chance,
    deepening,
    leaves,
    moving,
    one_value,
    proof,
    root,
    table,
    thread,
    threats,
    weighing,
    windows,
)
from rulewright.search.results import TreeSettings, person

if TYPE_CHECKING:
    from rulewright.search.pattern_table import CandidateKernels

T = TypeVar("T")
Steps: TypeAlias = Generator[None, None, None]
"""Work that gives control back, each time the nodes that are allowed are played."""
WORD = 8
ENTRY = 32
"""Bytes of a bucket of the table."""
PLIES, PER_SITE = 400, 4
"""A random game counts as a draw that has more decisions than both: this, and this a site."""
FEW_GAMES = 50
"""Games after which those that `order` promises count half, where no others came later."""
INFINITE = 2.0 * thread.WIN
"""Beyond every value."""
_TURNED = 10
"""Levels below the root at which positions are turned before the table is asked."""
DECISION = 1e-4
"""Seconds that the reference needs for a decision, at the least; a state keeps those it has."""
_ARRAYS = "S: ints, K: ints, M: ints, H: ints, X: ints, T: ints"


@cache
def module(*files: ModuleType) -> Linked:
    """Kernels of the search as one module, which serves all games."""
    return load(*files)


def alpha_beta() -> Linked:
    """Alpha-beta with its table and its ordering."""
    return module(table, moving, leaves, bets, chance, alphabeta)


def proof_numbers() -> Linked:
    """Proof numbers, by which threats are searched too."""
    return module(proof)


def at_root() -> Linked:
    """Return the kernels of deepening at the root, linked."""
    return module(windows, root, threats, deepening)


def one_ply(of_move: bool) -> tuple[Linked, ...]:
    """Return the kernels of scores by one value (of moves or not), and of beams behind the best."""
    around = () if of_move else (no_moves(),)
    return (*around, module(one_value), module(moving, weighing))


@cache
def no_value() -> Linked:
    """Return the kernel that stands in for an evaluator, and is never asked."""
    return Linked(f"def value({_ARRAYS}, F: floats) -> f64:\n    return 0.0\n", {})


@cache
def no_moves() -> Linked:
    """Return the kernels that stand in for a value of moves: they judge no decision."""
    return Linked(
        "def judges(rows: ints, at: i64) -> i64:\n    return 0\n\n\n"
        f"def look({_ARRAYS}, F: floats) -> None:\n    pass\n\n\n"
        f"def worth({_ARRAYS}, F: floats, at: i64) -> f64:\n    return 0.0\n",
        {},
    )


@cache
def no_patterns() -> Linked:
    """Return the kernel that stands in for patterns: it keeps all decisions."""
    return Linked(f"def narrow({_ARRAYS}, top: i64, n: i64) -> i64:\n    return n\n", {})


@cache
def no_guide() -> Linked:
    """Return the kernels that stand in for a guide, and are never asked."""
    flat = f"{_ARRAYS}, F: floats"
    return Linked(
        f"def look_guided({flat}, role: i64) -> None:\n    pass\n\n\n"
        f"def guided({flat}, role: i64, at: i64) -> f64:\n    return 0.0\n\n\n"
        f"def passes({flat}) -> f64:\n    return 0.0\n\n\n"
        f"def lifeless({flat}) -> f64:\n    return 0.0\n\n\n"
        f"def decides({flat}) -> f64:\n    return 0.0\n\n\n"
        f"def barred({flat}) -> f64:\n    return 0.0\n\n\n"
        f"def draw({_ARRAYS}, C: ints, n: i64) -> i64:\n    return -1\n\n\n"
        f"def attempt({_ARRAYS}, at: i64, n: i64) -> i64:\n    return 0\n\n\n"
        f"def answer({flat}, L: ints, C: ints, line: i64, n: i64) -> i64:\n    return -1\n\n\n"
        f"def site_chosen({_ARRAYS}, at: i64) -> i64:\n    return -1\n",
        {},
    )


@frozen(eq=False)
class Guide:
    """What leads a search: kernels to be linked, in this order, and which of them say something.

    `forcing`: how many decisions that force are followed where looking stops.  `considered`: how
    many decisions a value of moves may keep; 0 where all are looked at.
    """

    linked: tuple[Linked, ...]
    forcing: int = 0
    order: bool = False
    passing: bool = False
    late: bool = False
    bold: bool = False
    must: bool = False
    threats: bool = False
    considered: int = 0
    drawn: bool = False
    decided: bool = False
    hopeless: bool = False
    grown: TreeSettings | None = None


@record
class LinkedEvaluator(Record):
    """Who judges positions: a linked module with the kernel `value`, and its factors.

    `value(S, K, M, H, X, T, F)` is bigger for positions that are better for the first colour.
    `judges_ends`: finished games too are worth what it says ("wins 0"); else a win beats all.
    """

    linked: Linked
    factors: tuple[float, ...] = ()
    judges_ends: bool = False
    draws: bool = False
    """Whether it draws numbers at random: then the table keeps no values."""


def buckets(memory: int) -> int:
    """How many buckets of the table fit into so many bytes: a power of two."""
    return 1 << max(6, (memory // ENTRY).bit_length() - 1)


def prepare(
    engine: Engine,
    evaluator: LinkedEvaluator | None,
    candidates: CandidateKernels | None = None,
    more: Sequence[Linked] = (),
    guide: Guide | None = None,
) -> Any:
    """The kernels of a search, compiled: of the game, of who judges, of what narrows, generic."""
    value = evaluator.linked if evaluator else no_value()
    narrowed = candidates.linked if candidates else (no_patterns(),)
    led = guide.linked if guide else (no_guide(),)
    return engine.linked(value, *narrowed, *led, alpha_beta(), proof_numbers(), at_root(), *more)


@define(eq=False)
class ThreadArrays:
    """Arrays for one thread.

    `shared` is another whose table, history and kernels are used; `more` are further kernels.
    """

    engine: Engine
    memory: int
    evaluator: LinkedEvaluator | None = None
    shared: ThreadArrays | None = None
    more: tuple[Linked, ...] = ()
    candidates: CandidateKernels | None = None
    busy: bool = False
    """Whether so much will be searched that the table is used all over."""
    guide: Guide | None = None
    turning: Sequence[int] = (0,)
    """How positions are turned before the table is asked, see `compiler.passes.symmetry.tables`."""
    kernels: Any = field(init=False)
    control: SharedWords = field(init=False)
    rows: int = field(default=0, init=False)
    game: list[Any] = field(init=False)
    """The arrays that a game's kernels take."""
    arrays: list[Any] = field(init=False)
    """The arrays of `thread.Thread`, which all kernels of the search take."""
    words: list[int] = field(factory=list, init=False)
    """The position at the root."""

    def __attrs_post_init__(self) -> None:
        engine, other, judge = self.engine, self.shared, self.evaluator
        self.kernels = other.kernels if other else self._linked()
        sizes = engine.sizes()
        self.game = [
            self.ints(sizes[name]) if name != "K" else engine.constants for name in "SKMHXT"
        ]
        control, count = self.ints(thread.CONTROL), buckets(self.memory)
        whole = count * ENTRY // WORD + table.SEARCHED + table.SHARED
        self.control = SharedWords(thread.Control, control)
        self.arrays = [
            *self.game, self.floats(judge.factors if judge else ()),
            self.ints(engine.plan.size * thread.LEVELS), control,
            other.table if other else engine.arrays.ints(whole, self.busy),
            self.ints(2 * thread.ROWS),
            other.history if other else self.ints(table.HISTORY + len(self.turning)),
        ]  # fmt: skip
        for i, word in enumerate(self.turning):
            self.history[table.HISTORY + i] = word
        self._settings(count)

    def _linked(self) -> Any:
        return prepare(self.engine, self.evaluator, self.candidates, self.more, self.guide)

    def _settings(self, count: int) -> None:
        c, judge, rules = self.control, self.evaluator, self.engine.play.rules
        c.size, c.row, c.seats = self.engine.plan.size, self.engine.row, len(rules.players)
        c.widest, c.mask = count - 1, min(count, table.AT_FIRST) - 1
        draws, led = judge is not None and judge.draws, self.guide.linked if self.guide else ()
        c.table = thread.ORDER_ONLY if rules.looks_back or draws else thread.AT_LEAST
        values = led if judge is None else (judge.linked, *led)
        c.counted = int(any(value.reads("g.state", p.PLY) for value in values))
        c.judge = 0 if judge is None else 2 if judge.judges_ends else 1
        c.claims = self.engine.plan.claimable
        c.dry = int(any(end.stuck for end in rules.ends))
        c.mates = int(any(end.stuck and end.verdict != "draw" for end in rules.ends))
        c.narrow = int(self.candidates is not None)
        c.step, c.look, c.scout = 1, thread.LOOK, 1
        c.symmetries, c.turned = self.turning[0], _TURNED
        c.course = self.engine.plan.courses[rules.course]
        if self.guide is not None:
            for word in ("order", "passing", "late", "drawn", "decided", "hopeless", "must"):
                setattr(c, word, int(getattr(self.guide, word)))
            self._bets(rules.looks_back and not draws)
            c.forcing, c.considering = self.guide.forcing, self.guide.considered
            grown = self.guide.grown or TreeSettings()
            c.rave, c.learning = grown.rave or FEW_GAMES, int(grown.rave > 0)
            c.policy, c.replies = grown.policy, grown.replies
        if rules.has_chance:
            c.lots, c.forcing = self.engine.row - 1, 0
            self.no_bets()
        c.longest = max(PLIES, PER_SITE * rules.board.sites.bit_count())
        c.node_limit = c.last = 2**62

    def _bets(self, trusted: bool) -> None:
        """Search boldly, if the text says so; *trusted*: although rules look back."""
        c = self.control
        c.bold = int(self.guide is not None and self.guide.bold)
        if c.bold:
            c.late, c.look = 1, thread.LEVELS
            c.table = thread.TRUSTED if trusted else c.table

    def no_bets(self) -> None:
        """Search nothing less deep than is asked for."""
        c = self.control
        c.late = c.passing = c.bold = 0
        c.table = thread.ORDER_ONLY if c.table == thread.TRUSTED else c.table

    @property
    def table(self) -> Any:
        """The transposition table."""
        return self.arrays[9]

    @property
    def history(self) -> Any:
        """What cut off elsewhere, and killers."""
        return self.arrays[11]

    def seed(self, number: int) -> None:
        """Begin the random numbers of the evaluator anew."""
        mixed = (number + 1) * 0x9E3779B97F4A7C15 % 2**62
        self.game[4][p.CHANCE] = mixed | 1

    def ints(self, count: int) -> Any:
        """An array of zeros; big ones take memory only as they are used."""
        return self.engine.arrays.ints(count)

    def floats(self, values: Sequence[float] | int) -> Any:
        """An array of these floats, or of so many, all 0."""
        arrays = self.engine.arrays
        return arrays.floats(values) if isinstance(values, int) else arrays.of([*values, 0.0])

    def call(self, name: str, *more: Any) -> Any:
        """Call a kernel of the search; raises what the rules or the evaluator did wrong."""
        result = self.kernels[name](*self.arrays, *more)
        self.check(self.control.fault)
        return result

    def check(self, fault: int) -> None:
        """Raise what the rules or the evaluator did wrong."""
        if fault:
            raise fault_of(fault, self.game[4][p.ORIGIN], self.engine.play.rules)

    def place(self, position: Position) -> int:
        """Put a position at the root; how many decisions it has."""
        self.engine.put(position, self.game[0], self.game[3])
        count = self._rooted()
        if self.control.bold:
            self.control.margin = float_bits(self.kernels["changes"](*self.arrays, count))
        return count

    def put(self, words: Sequence[int]) -> int:
        """Put the words of a position that follows the root's; how many decisions it has."""
        self.write(words)
        return self._rooted()

    def write(self, words: Sequence[int]) -> None:
        """Write a position over the present one; the root stays."""
        for i, word in enumerate(words):
            self.game[0][i] = word

    def _rooted(self) -> int:
        c = self.control
        c.path = c.resumed = c.unwinding = 0
        self.words = list(self.game[0])
        self.rows = self.kernels["decisions"](*self.game, 0)
        self.check(self.game[0][p.FAULT])
        self.kernels["note"](*self.arrays, 0)
        return self.rows

    def after(self, number: int) -> list[int]:
        """The words of the position after a decision of the root."""
        self.kernels["play"](*self.game, number * self.engine.row, self.rows)
        words = list(self.game[0])
        self.kernels["back"](*self.arrays, 0)
        return words

    @property
    def person(self) -> int:
        """The person at move at the root."""
        return self.words[p.MOVER] ^ self.words[p.SWAPPED]

    def resumable(self, work: Callable[[], T], first: int) -> Generator[None, None, T]:
        """Do what stops at a limit of nodes and goes on there; *first* is its first level."""
        c, kernels = self.control, self.kernels
        self.leave()
        while True:
            nodes = c.nodes
            c.nodes -= kernels["resume_search"](*self.arrays, first)
            result = work()
            kernels["leave_search"](*self.arrays)
            kernels["uncount"](*self.arrays, nodes)
            if not c.again:
                return result
            yield

    def value(
        self, number: int, depth: int, alpha: float, beta: float
    ) -> Generator[None, None, tuple[float, bool]]:
        """The value of a decision for who is at move, and whether it is proven."""
        arguments = number, depth, alpha, beta, 0, self.rows, self.person
        self.control.farthest = 2 * depth
        value = yield from self.resumable(lambda: self.call("try_row", *arguments), 1)
        return float(value), not self.control.open

    def forced(self, person: int, win: bool) -> Generator[None, None, bool | None]:
        """Whether a person can force a win (or at least a draw); None when that stays open."""
        control, least = self.control, int(win)
        mask = control.mask
        control.mask, control.open = control.widest >> 1, 0  # entries of proofs are twice as long
        mine = int(self.person == person)
        key = self.kernels["salted"](2 * self.key(), least, person)
        arguments = person, least, proof.ENDLESS, proof.ENDLESS, 0, 0, key
        try:
            verdict = yield from self.resumable(lambda: self.call("prove", *arguments), 0)
        finally:  # it may be left in the midst
            control.mask = mask
        if verdict == 0 or (control.open and (verdict > 0) != bool(mine)):
            return None
        return bool((verdict > 0) == bool(mine))

    def decision_words(self, first: int, end: int) -> list[tuple[int, ...]]:
        """The words of decisions."""
        rows, size = self.game[2], self.engine.row
        return [tuple(rows[i * size + j] for j in range(size)) for i in range(first, end)]

    # --- hashes ---

    def key(self, level: int = 0) -> int:
        """The hash of the position at a level, or of one that is the same but turned."""
        return int(self.kernels["table_key"](*self.arrays, level))

    def key_of(self, words: Sequence[int]) -> int:
        """The hash of a position given by its words."""
        self.write(words)
        key = self.key()
        self.kernels["back"](*self.arrays, 0)
        return key

    # --- limits ---

    def allow(self, nodes: int, limit: int) -> None:
        """Let the kernels play so many nodes more, and *limit* in the whole search."""
        c = self.control
        c.last = limit
        c.node_limit = min(limit, c.nodes + nodes)
        c.stop = 0

    def stop_at(self, nodes: int) -> None:
        """Let the kernels stop where so many are played, if not before."""
        self.control.node_limit = min(self.control.node_limit, nodes)

    def stop(self) -> None:
        """Make kernels that run in another thread return at once."""
        self.control.stop = 1

    def leave(self) -> None:
        """Give up a search that stopped: it does not go on."""
        c = self.control
        c.path = c.resumed = c.unwinding = c.again = 0

    def spent(self) -> bool:
        """Whether all nodes that are allowed are played."""
        return self.control.nodes >= self.control.node_limit

    @property
    def nodes(self) -> int:
        """Decisions played so far."""
        return self.control.nodes


@record
class Root(Record):
    """A position to decide in, and lines of play from it.

    Its decisions as texts and as rows are in the same order: of the turn and of the board.
    """

    state: State
    engine: Engine
    person: int = field(init=False)
    moves: list[str] = field(init=False)
    cost: float = field(init=False, eq=False)
    """Seconds that whatever plays the game needs for the decisions of a position."""

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "person", person(self.state))
        begun = time.perf_counter()
        object.__setattr__(self, "moves", self.state.moves.texts)
        cost = time.perf_counter() - begun
        if isinstance(self.state.position, ReferencePosition):
            cost = max(cost, DECISION * len(self.moves))
        object.__setattr__(self, "cost", cost)

    @property
    def side(self) -> str:
        """The colour at move."""
        assert self.state.mover is not None
        return self.state.mover

    def place(self, worker: ThreadArrays) -> None:
        """Put the position into the arrays of a thread."""
        with self.state.game.located():
            count = worker.place(self.state.situation.position)
        assert count == len(self.moves), "kernels and reference list different decisions"

    def line(self, first: str, rows: Sequence[int], until: float | None = None) -> tuple[str, ...]:
        """A decision and those after it by number, to one that is missing or the time *until*."""
        state, texts = self.state, [first]
        for number in rows:
            if until is not None and time.perf_counter() + 2 * self.cost > until:
                break
            state = state.play_decision(texts[-1])
            moves = state.moves.texts
            if not 0 <= number < len(moves):
                break
            texts.append(moves[number])
        return tuple(texts)
