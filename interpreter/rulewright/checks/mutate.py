"""All faults of a file, one after the other: which are found, which survive, what would catch them.

In: a file of rules, and who does the work.  Out: a report in the order of the text, and a score:
found, of those found and those that survive although a game tells them from the original.  Results
are kept: a fault that was found is not tried again while its line, and the claim that found it,
stand in the file; one that survived, while nothing in the file changes.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from attrs import asdict, define, evolve, field, frozen

import rulewright
from rulewright import cache
from rulewright.checks.mutants import (
    BY_CHANCE,
    FOUND,
    LATE,
    REFUSED,
    SAME,
    SURVIVED,
    MutationSubject,
    Survivor,
    Verdict,
    judge,
    prepared,
    tell,
)
from rulewright.checks.mutations import Mutation, mutations
from rulewright.interruption import Arrivals
from rulewright.language.diagnostics import Collector
from rulewright.language.parse import parse
from rulewright.language.source import Source, Span

T = TypeVar("T")
_MOST_BYTES = 16 * 1024 * 1024
_SAVED = 20
"""Results after which those that there are are kept."""


@frozen
class Mutant:
    """A change of a file, where it stands, and what became of it."""

    mutation: Mutation
    line: int
    column: int
    old: str
    key: str
    verdict: Verdict | None = None
    survivor: Survivor | None = None

    @property
    def survives(self) -> bool:
        """Whether nothing found it although a game tells it from the original."""
        return self.survivor is not None and self.survivor.moves is not None

    def as_data(self) -> dict[str, object]:
        """A survivor as plain data."""
        told = self.survivor or Survivor()
        return {
            "line": self.line,
            "column": self.column,
            "from": self.old,
            "to": self.mutation.new,
            "fault": self.mutation.what,
            "claim": told.claim,
            "moves": None if told.moves is None else list(told.moves),
            "options": told.settings,
        }


@frozen
class MutationReport:
    """What became of all faults that were tried."""

    mutants: tuple[Mutant, ...]
    untried: int
    broken: frozenset[str] = frozenset()
    """Properties that do not hold in the file as it is, and were left out."""

    def of(self, *kinds: str) -> list[Mutant]:
        """Those of certain verdicts."""
        return [m for m in self.mutants if m.verdict and m.verdict.kind in kinds]

    @property
    def found(self) -> int:
        """How many were found."""
        return len(self.of(FOUND))

    @property
    def survivors(self) -> list[Mutant]:
        """Those that play otherwise, and nothing said so."""
        return [m for m in self.mutants if m.survives]

    @property
    def alike(self) -> list[Mutant]:
        """Those that survived, and play like the original as far as was looked."""
        told = [m for m in self.of(SURVIVED) if m.survivor is not None and not m.survives]
        return [m for m in told if m.survivor and not m.survivor.late]

    @property
    def late(self) -> int:
        """Those of which nothing is known, as they took too long."""
        slow = sum(bool(m.survivor and m.survivor.late) for m in self.mutants)
        return len(self.of(LATE)) + slow

    @property
    def score(self) -> float:
        """The share that was found."""
        counted = self.found + len(self.survivors)
        return self.found / counted if counted else 1.0

    @property
    def claims(self) -> list[str]:
        """The claims that would catch survivors, each once, as many as they catch first."""
        claims = Counter(m.survivor.claim for m in self.survivors if m.survivor)
        return [claim for claim, _ in claims.most_common() if claim]

    def as_data(self) -> dict[str, object]:
        """The report as plain data."""
        return {
            "mutants": self.found + len(self.survivors),
            "found": self.found,
            "score": round(self.score, 4),
            "survivors": [m.as_data() for m in self.survivors],
            "alike": [m.as_data() for m in self.alike],
            "refused": len(self.of(REFUSED, SAME)),
            "late": self.late,
            "untried": self.untried,
        }


@define(eq=False)
class MutationRun:
    """Tries the faults of a file; *told* hears how many of how many are done."""

    trial: MutationSubject
    executor: Executor
    width: int = 1
    most: int | None = None
    seconds: float | None = None
    told: Callable[[int, int], None] = lambda _done, _all: None
    again: bool = False
    _begun: float = field(factory=time.perf_counter, init=False)
    _known: dict[str, Any] = field(factory=dict, init=False)

    def run(self) -> MutationReport:
        """Try them all, or as many as were asked for in the time; raises `TextError`."""
        self.trial = prepared(self.trial)
        self._known = {} if self.again else _kept(self.trial)
        every = list(mutants_of(self.trial))
        chosen = every if self.most is None else _spread(every, self.most)
        done = {m.key: self._before(m) for m in chosen}
        todo = [m for m in done.values() if m.verdict is None]
        Random(self.trial.seed).shuffle(todo)
        try:
            self._judge(done, todo)
            self._tell(done)
        finally:
            self._save(done.values())
        tried = tuple(m for m in done.values() if m.verdict is not None)
        untold = sum(m.verdict.kind == SURVIVED and m.survivor is None for m in tried if m.verdict)
        return MutationReport(tried, len(every) - len(tried) + untold, self.trial.broken)

    def _judge(self, done: dict[str, Mutant], todo: list[Mutant]) -> None:
        def begin(mutant: Mutant) -> Future[Any]:
            return self.executor.submit(judge, self.trial, mutant.mutation)

        for number, (mutant, verdict) in enumerate(self._each(todo, begin), 1):
            done[mutant.key] = evolve(mutant, verdict=verdict)
            self.told(len(done) - len(todo) + number, len(done))
            if number % _SAVED == 0:
                self._save(done.values())

    def _tell(self, done: dict[str, Mutant]) -> None:
        """Of each survivor the claim that would catch it: often another one's claim does."""
        proposed = dict.fromkeys(m.survivor.claim for m in done.values() if m.survivor)
        proposed.pop("", None)
        todo = [m for m in done.values() if m.survivor is None and _survived(m)]

        def begin(mutant: Mutant) -> Future[Any]:
            return self.executor.submit(tell, self.trial, mutant.mutation, tuple(proposed))

        for number, (mutant, survivor) in enumerate(self._each(todo, begin), 1):
            done[mutant.key] = evolve(mutant, survivor=survivor)
            if survivor.claim:
                proposed[survivor.claim] = None
            self.told(len(done) - len(todo) + number, len(done))

    def _each(
        self, todo: list[Mutant], begin: Callable[[Mutant], Future[Any]]
    ) -> Iterator[tuple[Mutant, Any]]:
        """What comes of each, so many of them under way at once, until the time is over."""
        running: dict[Future[Any], Mutant] = {}
        arrivals, waiting = Arrivals[Any](), iter(todo)
        while True:
            while len(running) < self.width and not self._over():
                mutant = next(waiting, None)
                if mutant is None:
                    break
                future = begin(mutant)
                running[future] = mutant
                arrivals.expect(future)
            if not running:
                return
            finished = arrivals.next(self._left())
            if not finished:
                return
            for future in finished:
                yield running.pop(future), future.result()

    def _left(self) -> float | None:
        if self.seconds is None:
            return None
        return max(0.0, self.seconds - (time.perf_counter() - self._begun))

    def _over(self) -> bool:
        return self._left() == 0.0

    # --- what was tried before ---

    def _before(self, mutant: Mutant) -> Mutant:
        """The mutant, with what is known of it from another run."""
        entry = self._known.get(mutant.key)
        if entry is None:
            return mutant
        verdict = Verdict(**entry["verdict"])
        if entry["text"] != _digest(self.trial) and not _stands(verdict, self.trial.text):
            return mutant
        return _recalled(mutant, self._known)

    def _save(self, mutants: Iterable[Mutant]) -> None:
        text = _digest(self.trial)
        for m in mutants:
            if m.verdict is not None and m.verdict.kind != LATE:
                told = asdict(m.survivor) if m.survivor and not m.survivor.late else None
                self._known[m.key] = {"text": text, "verdict": asdict(m.verdict), "survivor": told}
        data = json.dumps({"program": _program(), "mutants": self._known})
        cache.write(_place(self.trial), data.encode(), _MOST_BYTES)


def kept_report(trial: MutationSubject) -> MutationReport | None:
    """What earlier runs have kept of a file's faults, without trying any; None if nothing."""
    known = _kept(trial)
    if not known:
        return None
    every = [_recalled(mutant, known) for mutant in mutants_of(trial)]
    tried = tuple(mutant for mutant in every if mutant.verdict is not None)
    return MutationReport(tried, len(every) - len(tried))


def _recalled(mutant: Mutant, known: Mapping[str, Any]) -> Mutant:
    """The mutant with what is kept of it, whatever the rest of the text was then."""
    entry = known.get(mutant.key)
    if entry is None:
        return mutant
    told = entry["survivor"]
    if told is not None and told["moves"] is not None:
        told = told | {"moves": tuple(told["moves"])}
    return evolve(mutant, verdict=Verdict(**entry["verdict"]), survivor=told and Survivor(**told))


def _survived(mutant: Mutant) -> bool:
    return mutant.verdict is not None and mutant.verdict.kind == SURVIVED


def _stands(verdict: Verdict, text: str) -> bool:
    """Whether what found a fault in a text of yesterday still stands in that of today."""
    if verdict.kind != FOUND:
        return False
    lines = {line.partition("#")[0].strip() for line in text.splitlines()}
    return verdict.by in lines or verdict.by in BY_CHANCE


def mutants_of(trial: MutationSubject) -> Iterator[Mutant]:
    """All changes of a file, each with a key that other lines of the file do not change."""
    source = Source(trial.name, trial.text)
    seen: Counter[str] = Counter()
    for mutation in mutations(source, parse(source, Collector())):
        place = source.place(Span(mutation.start, mutation.end))
        old = mutation.old(trial.text)
        line = source.line(place.line)
        name = cache.digest(line, str(place.column), old, mutation.new)
        seen[name] += 1
        yield Mutant(mutation, place.line, place.column, old, f"{name}-{seen[name]}")


def _spread(found: Sequence[T], most: int) -> list[T]:
    """So many at the most, from all parts."""
    if len(found) <= most:
        return list(found)
    return [found[i * len(found) // most] for i in range(most)]


def _digest(trial: MutationSubject) -> str:
    return cache.digest(trial.text, str(trial.seed), str(trial.effort))


def _place(trial: MutationSubject) -> Path:
    name = cache.digest(str(Path(trial.path).absolute()))
    return cache.cache_folder() / "mutants" / f"{name}.mutants"


def _program() -> str:
    return cache.fingerprint(Path(rulewright.__file__).parent.rglob("*.py"))


def _kept(trial: MutationSubject) -> dict[str, Any]:
    data = cache.read(_place(trial))
    if data is None:
        return {}
    known: dict[str, Any] = json.loads(data)
    return known["mutants"] if known.get("program") == _program() else {}
