"""What drives every search: slices of nodes, and between two of them clocks, progress, cancelling.

In: work that gives control back where the nodes that are allowed are played, and goes on without
loss when it is asked again.  Out: the same work, in slices as long as `step` is told, or until its
limits are met.  On one thread slices change nothing: neither results nor how many nodes they took.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable
from typing import TYPE_CHECKING, Generic, TypeVar

from attrs import define, field

from rulewright.compiler.engine import IMPROVE_SECONDS, Engine
from rulewright.ground import budget
from rulewright.search.background import improve, in_time
from rulewright.search.kernels import thread
from rulewright.search.kernels.thread import LEVELS
from rulewright.search.results import Cancelled, Limits, Progress, SearchResult
from rulewright.search.thread_arrays import ENTRY, WORD, Steps, ThreadArrays

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

T = TypeVar("T")
UNLIMITED = 2**62
DEEPEST = LEVELS - 3
LINE_SECONDS = 0.004
"""Seconds for writing out a line of play, which the reference does."""
_REPORT_SECONDS = 0.006
"""Seconds that are kept for what comes after the search."""
_SLICE_SECONDS = 0.02
"""How long a slice should take: clocks and signals are looked at between two of them."""
_SAMPLE = 500
"""Entries that are looked at to say how full a table is."""
_FIRST_SLICE = 500
"""Nodes of the first slice, before it is known how long they take."""
WORDS = (
    ("must", thread.MUST), ("drawn", thread.DRAWN_WORD), ("decided", thread.DECIDED_WORD),
    ("hopeless", thread.HOPELESS_WORD),
)  # fmt: skip
"""The words of a text that a search may take for true."""


@define(eq=False)
class Driver(Generic[T]):
    """A search; `stop` may be called from any thread."""

    engine: Engine
    limits: Limits
    progress: Progress | None = None
    cancelled: Cancelled | None = None
    started: float = field(factory=time.perf_counter)
    halted: bool = False
    workers: list[ThreadArrays] = field(factory=list)
    last: SearchResult | None = None
    """The result that was reported last."""
    first_slice: int = _FIRST_SLICE
    """Nodes of the first slice."""
    _before: int = 0
    """Nodes of arrays that are done with."""
    _work: Generator[None, None, T] | None = None
    _answers: list[T] = field(factory=list)
    _slice_end: int = 0
    _node_limit: int | None = None
    """Of all nodes, those that were played before included."""
    _until: float | None = None
    _words: int = 0
    """The words that were taken for true in arrays that are done with."""
    _called_off: bool = False
    """Whether threads that work beside shall end."""
    _crew: ThreadPoolExecutor | None = None

    def search(self) -> Generator[None, None, T]:
        """The whole search; what it returns is the answer."""
        raise NotImplementedError

    # --- slices ---

    def step(self, nodes: int) -> bool:
        """Search on for at most so many nodes; whether there is more to do."""
        if self._answers:
            return False
        self._slice_end = self.nodes + nodes
        work = self._work = self._work or self.search()
        try:
            next(work)
        except StopIteration as end:
            self._answers.append(end.value)
        return not self._answers

    def result(self) -> T:
        """The answer; a search that is not at its end ends here."""
        self.halted = True
        while self.step(0):
            pass
        return self._answers[0]

    def run(self) -> T:
        """The answer, when a limit is met, all is settled, or `stop` was called."""
        nodes = self.first_slice
        while True:
            started, before = time.perf_counter(), self.nodes
            more = in_time(lambda: self.step(nodes))  # noqa: B023  (called at once)
            if not more:
                return self._answers[0]
            if self.cancelled is not None and self.cancelled():
                self.halted = True
            seconds, played = time.perf_counter() - started, self.nodes - before
            nodes = self._next_slice(played / max(seconds, 1e-6))
            self._improve(seconds)

    def _next_slice(self, rate: float) -> int:
        """Nodes for the next slice, where so many are played in a second."""
        seconds = _SLICE_SECONDS
        if self._until is not None:
            seconds = min(seconds, self._until - self.seconds)
        return max(1, int(rate * seconds))

    def stop(self) -> None:
        """End the search as soon as the kernels look at their flag."""
        self.halted = True
        for worker in self.workers:
            worker.stop()

    @property
    def seconds(self) -> float:
        """Seconds since the beginning."""
        return time.perf_counter() - self.started

    @property
    def nodes(self) -> int:
        """Decisions played so far."""
        return self._before + sum(worker.nodes for worker in self.workers)

    @property
    def believed(self) -> tuple[str, ...]:
        """The words of a text that the search has taken for true so far."""
        bits = self._words | self._seconds_taken()
        return tuple(word for word, bit in WORDS if bits & bit)

    def _seconds_taken(self) -> int:
        bits = 0
        for worker in self.workers:
            bits |= worker.control.believed
        return bits

    def reported(self, result: SearchResult) -> None:
        """Report what is known so far; whoever hears it may end the search."""
        self.last = result
        if self.progress is not None and self.progress(result):
            self.halted = True

    def _improve(self, seconds: float) -> None:
        """Begin to compile with more care, when that is worth it; the next slice runs that code.

        All searches by the same kernels count: those of a match may be short.
        """
        self.engine.search_seconds += seconds
        if self.engine.search_seconds > IMPROVE_SECONDS:
            improve(self.engine)

    # --- for searches ---

    def use(self, workers: list[ThreadArrays]) -> list[ThreadArrays]:
        """Go on with these arrays."""
        self._words |= self._seconds_taken()
        self._before, self.workers = self.nodes, workers
        for worker in workers:
            worker.control.others = len(workers) - 1
        return workers

    def within(self, work: Steps, nodes: int | None, seconds: float | None) -> Steps:
        """Do work until it ends or a limit is met; *nodes* are those of the present arrays."""
        if seconds is not None:  # an answer takes a few milliseconds to write down
            seconds -= min(seconds / 4, _REPORT_SECONDS)
        self._until = seconds
        self._node_limit = None if nodes is None else self._before + nodes
        try:
            while not self._is_over():
                if self.nodes >= self._slice_end:
                    yield
                    continue
                self._allow()
                if not _goes_on(work):
                    return
        finally:
            work.close()
            self._dismiss()

    def _is_over(self) -> bool:
        """Whether a limit of nodes or time is reached, or the search was stopped."""
        if self.halted or budget.over():
            return True
        if self._node_limit is not None and self.nodes >= self._node_limit:
            return True
        return self._until is not None and self.seconds >= self._until

    def _allow(self) -> None:
        """Share the nodes of the whole search out to the threads; the first has those of the slice.

        The others may be playing meanwhile.
        """
        played = [worker.nodes for worker in self.workers]
        count, nodes = len(played), max(1, self._slice_end - self._before - sum(played))
        whole = UNLIMITED
        if self._node_limit is not None:
            whole = self._node_limit - self._before - sum(played)
        for number, worker in enumerate(self.workers):
            share = max(1, _share(whole, count, number))
            part = share if number else max(1 if count == 1 else _FIRST_SLICE, nodes // count)
            worker.allow(part, played[number] + share)

    def together(self, works: Iterable[Steps]) -> Steps:
        """The work of several threads, a work for each of `workers`, side by side.

        This thread does the first one, in slices; the others go on meanwhile and wait for nobody.
        """
        from concurrent.futures import Future, wait  # slow to load

        own, *others = works
        unfinished_works, going = dict(enumerate(others, 1)), dict[int, Future[bool]]()
        crew, self._called_off, mine = self._helpers(), False, True
        try:
            while mine or unfinished_works:
                for number in unfinished_works.keys() - going.keys():
                    work, worker = unfinished_works[number], self.workers[number]
                    going[number] = crew.submit(self._some_of, work, worker)
                if mine:
                    mine = self._some_of(own, self.workers[0])
                else:
                    self._call(going)
                    wait(going.values(), _SLICE_SECONDS)
                for number in [n for n, part in going.items() if part.done()]:
                    if not going.pop(number).result():
                        del unfinished_works[number]
                if mine or unfinished_works:
                    yield
        finally:
            self._called_off = True
            self._call(going)
            wait(going.values())

    def _helpers(self) -> ThreadPoolExecutor:
        """The other threads, which stay until the work within the limits is done."""
        from concurrent.futures import ThreadPoolExecutor  # slow to load

        if self._crew is None:
            self._crew = ThreadPoolExecutor(len(self.workers) - 1)
        return self._crew

    def _dismiss(self) -> None:
        """End the other threads, which have nothing to do any more."""
        if self._crew is not None:
            self._crew.shutdown()
            self._crew = None

    def _call(self, numbers: Iterable[int]) -> None:
        """Make threads look at what has changed."""
        for number in numbers:
            self.workers[number].stop()

    def _some_of(self, work: Steps, worker: ThreadArrays) -> bool:
        """Work until the nodes that are allowed are played; whether there is more to do."""
        while _goes_on(work):
            worker.control.stop = 0  # perhaps another thread has found what this one was at
            if worker.spent() or self._called_off or self.halted:
                return True
        return False


def _share(whole: int, count: int, number: int) -> int:
    """One of so many parts of a number, which differ by one at the most."""
    return whole // count + (number < whole % count)


def _goes_on(work: Steps) -> bool:
    """Do a slice of work; whether there is more."""
    return next(work, work) is None


def hashfull(worker: ThreadArrays) -> int:
    """How many thousandths of a table are in use, by a sample of what is used so far."""
    words, step, control = worker.table, ENTRY // WORD, worker.control
    count = min(_SAMPLE, control.mask + 1)
    used = sum(bool(words[i * step] or words[i * step + 1]) for i in range(count))
    return round(1000 * used / count * (control.mask + 1) / (control.widest + 1))
