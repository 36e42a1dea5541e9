"""The memory of a batch, and running its kernels on it.

In: an engine, how many lanes, what all lanes share.  Out: NumPy arrays, a row for each lane where
it has its own, and `run`, which runs a kernel on all lanes on several threads.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any
from weakref import WeakKeyDictionary

from attrs import define, field

from rulewright.compiler.backend import Linked
from rulewright.compiler.backend import load as load_kernels
from rulewright.compiler.backend.lanes import LanesCall, each_lane, words_of
from rulewright.compiler.engine import Engine
from rulewright.compiler.layout import Unsupported
from rulewright.compiler.lower.sight import KERNEL as SIGHT
from rulewright.compiler.lower.sight import lower_sight, seen_words
from rulewright.compiler.runtime import place
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game
from rulewright.games.engine.kernels import load_engine
from rulewright.games.engine.packed import stepping_kernels
from rulewright.ground.records import Record
from rulewright.learning import kernels, observing_kernels
from rulewright.learning.actions import ActionSpace, ListedActions
from rulewright.learning.planes import BITS, BYTES, Planes

LANE, BATCH = 16, 16
"""Words of `kernels.Lane` and of `kernels.BatchWords`, with room."""
_SHORT = 0.001
"""Seconds of a call below which a second thread costs more than it gains."""
_AGAIN = 32
"""Calls after which the slower of one thread and all is tried again."""
_CHUNKS = 4
"""Parts of the lanes for each thread: some are done earlier."""
_TRIED = 8
"""Steps that keep rows, and as many that do not, before it is decided which is faster."""
_ROOM = 256
"""Decisions of a position that are kept at most; where there are more they are listed again."""
STEPPING = (
    "state", "tables", "rows", "past", "scratch", "trial", "chance", "lane", "legal", "listed",
    "listed_rows", "moves", "actions", "start", "batch",
)  # fmt: skip
"""The arrays that kernels take, in their order; those of a thread are rows, scratch and trial."""
SEEING = ("state", "tables", "rows", "past", "scratch", "trial", "seen_sites")
"""The arrays of the kernel that says what players see."""
_SIZES = {"rows": "M", "scratch": "X", "trial": "T"}


class LearningError(RulewrightError):
    """A game cannot be played in a batch, or a call asks for the impossible."""


def numpy() -> Any:
    """Return the package NumPy; raises `LearningError` where it is missing."""
    try:
        import numpy as np
    except ImportError:
        message = "batches need the package numpy: pip install 'rulewright[learning]'"
        raise LearningError(message) from None
    return np


def load_numbered(game: Game, chance: bool = True, sparse: int = 0) -> tuple[Engine, ActionSpace]:
    """Return the machine code of a game and its actions; raises `LearningError` without either.

    *chance*: whether what chance decides is among the actions.  *sparse*: 0, or how many places a
    list of decisions has; then actions are places in it.
    """
    engine = load_engine(game, "llvm")
    if isinstance(engine, str):
        raise LearningError(engine)
    if sparse:
        return engine, ListedActions.places(engine.play, engine.plan, sparse)
    try:
        return engine, ActionSpace.of(engine.play, engine.plan, chance)
    except Unsupported as reason:
        raise LearningError(f"{game.name}: {reason}") from None


@define(eq=False)
class Pace(Record):
    """How long the last calls of a kernel took, in seconds: in a single thread, and in all."""

    alone: float = 0.0
    shared: float = 0.0
    calls: int = 0

    def shares(self) -> bool:
        """Return whether the next call goes to all threads, and count it.

        The slower way is tried again now and then: a call may be slow because the machine was busy.
        """
        self.calls += 1
        is_tried_again = self.calls % _AGAIN == 0
        return self.alone >= _SHORT and (self.shared < self.alone) != is_tried_again

    def note(self, was_shared: bool, seconds: float) -> None:
        """Keep how long a call took."""
        if was_shared:
            self.shared = seconds
        else:
            self.alone = seconds


@define(eq=False)
class BatchArrays(Record):
    """The arrays of a batch by name: words of 64 bits, with a row for each lane or shared."""

    engine: Engine
    lanes: int
    longest: int
    threads: int
    actions: ActionSpace
    planes: Planes
    arrays: dict[str, Any] = field(init=False)
    _native: Any = field(init=False)
    _calls: dict[str, LanesCall] = field(factory=dict, init=False)
    _more_names: tuple[str, ...] = field(default=(), init=False)
    """Arrays that linked kernels take beside those of `kernels.LaneArrays`."""
    _own: list[dict[str, Any]] = field(init=False)
    """The arrays of each thread."""
    _paces: dict[str, Pace] = field(factory=dict, init=False)
    """How long the last calls of each kernel took."""
    _pool: ThreadPoolExecutor | None = field(default=None, init=False)
    _tables: dict[tuple[Sequence[str], int], tuple[Any, Any]] = field(factory=dict, init=False)
    """What calls were told of arrays, by their names and the thread."""
    _tried: list[float] = field(factory=list, init=False)
    """Seconds of the first steps, which keep rows, and of the next ones, which do not."""

    def __attrs_post_init__(self) -> None:
        if self.has_secrets:
            self.engine = self.engine.apart("what players see")
        np, engine, n = numpy(), self.engine, self.lanes
        self._native = self._linked()
        keys = len(engine.earlier) if engine.play.rules.looks_back else 0
        planes = len(self.planes.planes) * self.planes.words * BYTES
        own = {
            "state": engine.plan.whole, "past": max(1, (self.longest + 2) * keys), "chance": 2,
            "lane": LANE, "legal": -(-max(1, len(self.actions)) // BYTES), "planes": planes,
            "listed": self.room, "listed_rows": self.room * engine.row,
            "seen_sites": seen_words(engine.plan) if self.has_secrets else 0,
        }  # fmt: skip
        self.arrays = {name: np.zeros((n, size), np.int64) for name, size in own.items()}
        shared = {
            "moves": self.actions.notation.layout(), "actions": self.actions.table(),
            "start": engine.encode(engine.play.first), "places": self.planes.table(),
            "links": self.planes.link_table(), "piles": self.planes.pile_table(),
            "batch": [0] * BATCH,
        }  # fmt: skip
        self.arrays |= {name: np.array(words, np.int64) for name, words in shared.items()}
        engine.put(engine.play.first, [0] * engine.plan.size, first := [0] * own["past"])
        self.arrays["seen_sites"][
            :, : engine.plan.words
        ] = -1  # all sites; then come those of nobody
        self.arrays["past"][:] = first  # what stood before a game begins stands before each
        self.arrays["tables"] = np.ctypeslib.as_array(engine.constants)
        sizes = engine.sizes()
        self._own = [
            {name: np.zeros(sizes[size], np.int64) for name, size in _SIZES.items()}
            for _ in range(self.threads)
        ]
        if self.threads > 1:
            self._pool = ThreadPoolExecutor(self.threads)

    @property
    def has_secrets(self) -> bool:
        """Whether players do not see all of a position."""
        return self.engine.play.rules.has_secrets

    @property
    def room(self) -> int:
        """How many decisions of a position are kept for its next step."""
        is_listed = isinstance(self.actions, ListedActions)
        return len(self.actions) if is_listed else min(_ROOM, len(self.actions))

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    def linked_modules(self) -> list[Linked]:
        """Return the kernels that a batch needs beside those of its game."""
        linked = [stepping_kernels(), *map(load_kernels, (kernels, observing_kernels))]
        return [*linked, _sight_of(self.engine)] if self.has_secrets else linked

    def _linked(self, *modules: ModuleType) -> Any:
        """Return the kernels of a game, of batches, and of further modules."""
        return self.engine.linked(*self.linked_modules(), *map(load_kernels, modules)).best

    def link(self, module: ModuleType, arrays: dict[str, Any]) -> None:
        """Link kernels that take `kernels.LaneArrays` and further arrays, in their order."""
        self._native = self._linked(module)
        self._calls.clear()
        self._tables.clear()
        self._more_names = tuple(arrays)
        self.arrays |= arrays

    def run_linked(self, kernel: str) -> None:
        """Run a kernel that takes the further arrays, too, on all lanes."""
        self._run(kernel, (*STEPPING, *self._more_names))

    def step(self, kernel: str, lane: int | None = None) -> None:
        """Run a kernel that takes `kernels.LaneArrays` on all lanes, or on a single one."""
        if lane is not None:
            self._call(kernel)(*self._arguments(STEPPING, 0), lane, lane + 1)
        elif kernel == "step_lane" and len(self._tried) < 2 * _TRIED:
            self._step_and_measure()
        else:
            self._run(kernel, STEPPING)

    def _step_and_measure(self) -> None:
        """Step, and find out whether rows are better kept or listed again: games are the same."""
        keeps, tried = self.arrays["batch"][place(kernels.BatchWords, "keeps") :], self._tried
        begun = time.perf_counter()
        self._run("step_lane", STEPPING)
        tried.append(time.perf_counter() - begun)
        if isinstance(self.actions, ListedActions):
            return  # whoever plays may look at the rows
        if len(tried) == _TRIED:
            keeps[0] = 0
        elif len(tried) == 2 * _TRIED:  # the first of each find what the others left
            keeps[0] = int(min(tried[1:_TRIED]) <= min(tried[_TRIED + 1 :]))

    def look(self) -> None:
        """Write what players see in all lanes, where rules hide something."""
        if self.has_secrets:
            self._run(SIGHT, SEEING)

    def probabilities(self) -> Any:
        """Write how likely the actions of chance are; returns (lanes, marks)."""
        marks = BYTES * self.arrays["legal"].shape[1]
        if "chances" not in self.arrays:
            self.arrays["chances"] = numpy().zeros((self.lanes, marks))
        self._run("weigh_lane", (*STEPPING, "chances"))
        return self.arrays["chances"]

    def observe(self) -> None:
        """Write the planes of all lanes, as the viewer of each sees them."""
        self.look()
        if self.has_secrets:
            names: tuple[str, ...] = ("state", "lane", "seen_sites", "places", "planes")
            self._run("observe_part_of_lane", names)
        else:
            self._run("observe_lane", ("state", "lane", "places", "planes"))
        if self.planes.links:
            self._run("observe_links_of_lane", ("state", "links", "planes"))
        if self.engine.plan.piles.stacked:
            self._run("observe_piles_of_lane", ("state", "lane", "piles", "planes"))

    def numbers(self, viewers: Any) -> Any:
        """Return the numbers of all lanes, as the player of each lane in *viewers* sees them."""
        np, parts = numpy(), self.planes.numbers
        places = np.array([part.places for part in parts])
        values = np.take_along_axis(self.arrays["state"], places.T[viewers], axis=1)
        if not self.has_secrets:
            return values
        self.look()
        players = self.engine.play.rules.views
        sights = np.array([[part.sight.place(1, n) for n in players] for part in parts])
        seen_sites = self.arrays["seen_sites"].reshape(self.lanes, -1, self.planes.words)
        sites = np.array([max(0, part.site) for part in parts])
        rows = np.arange(self.lanes)[:, None]
        is_seen = seen_sites[rows, sights.T[viewers], sites // BITS] >> sites % BITS & 1
        return np.where(is_seen == 1, values, np.array([part.low for part in parts]))

    def _run(self, kernel: str, names: Sequence[str]) -> None:
        pace = self._paces.setdefault(kernel, Pace())
        is_shared = self._pool is not None and pace.shares()
        begun = time.perf_counter()
        if is_shared:
            self._run_in_threads(kernel, names)
        else:
            self._call(kernel)(*self._arguments(names, 0), 0, self.lanes)
        pace.note(is_shared, time.perf_counter() - begun)

    def _run_in_threads(self, kernel: str, names: Sequence[str]) -> None:
        assert self._pool is not None
        call = self._call(kernel)
        size, free = -(-self.lanes // (self.threads * _CHUNKS)), list(range(self.threads))

        def run(first: int) -> None:
            own = free.pop()  # there are as many as threads
            call(*self._arguments(names, own), first, min(first + size, self.lanes))
            free.append(own)

        for _ in self._pool.map(run, range(0, self.lanes, size)):
            pass

    def _call(self, kernel: str) -> LanesCall:
        if kernel not in self._calls:
            self._calls[kernel] = each_lane(self._native, kernel)
        return self._calls[kernel]

    def _arguments(self, names: Sequence[str], thread: int) -> tuple[Any, Any]:
        """Return the addresses of arrays, and how far apart those of two lanes lie, in bytes."""
        if (names, thread) not in self._tables:
            own = self._own[thread]
            arrays = [own[name] if name in own else self.arrays[name] for name in names]
            distances = [a.strides[0] if a.ndim > 1 else 0 for a in arrays]
            addresses = words_of([a.ctypes.data for a in arrays])
            self._tables[names, thread] = addresses, words_of(distances)
        return self._tables[names, thread]


_SIGHTS: WeakKeyDictionary[Engine, Linked] = WeakKeyDictionary()
"""The kernels of what players see."""


def _sight_of(engine: Engine) -> Linked:
    """Return the kernel of what players see; it is lowered once."""
    if engine not in _SIGHTS:
        _SIGHTS[engine] = lower_sight(engine.plan)
    return _SIGHTS[engine]
