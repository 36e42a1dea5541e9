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
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from attrs import asdict, define, evolve, field, frozen

import rulewright
from rulewright.checks import mutants
from rulewright.checks.mutations import Mutation, mutations
from rulewright.ground import cache
from rulewright.ground.interruption import Arrivals
from rulewright.ground.records import DataError, read_json
from rulewright.ground.translation import translate
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
    verdict: mutants.Verdict | None = None
    survivor: mutants.Survivor | None = None

    @property
    def undetected(self) -> bool:
        """Whether no claim and no property failed with the change."""
        return self.verdict is not None and self.verdict.kind == mutants.SURVIVED

    @property
    def survives(self) -> bool:
        """Whether nothing found it although a game tells it from the original."""
        return self.survivor is not None and self.survivor.moves is not None

    def as_data(self) -> dict[str, object]:
        """A survivor as plain data."""
        survivor = self.survivor or mutants.Survivor()
        return {
            "line": self.line,
            "column": self.column,
            "from": self.old,
            "to": self.mutation.new,
            "fault": self.mutation.what,
            "claim": survivor.claim,
            "moves": None if survivor.moves is None else list(survivor.moves),
            "options": survivor.settings,
        }


@frozen
class MutantResult:
    """What is kept of a fault: the digest of the file that has it, and what became of it."""

    text: str
    verdict: mutants.Verdict
    survivor: mutants.Survivor | None


@frozen
class KeptResults:
    """The file of results: the version of the program, and the results by key."""

    program: str
    mutants: dict[str, MutantResult]


@frozen
class MutationReport:
    """The verdicts on all faults that were tried."""

    mutants: tuple[Mutant, ...]
    untried: int
    broken: frozenset[str] = frozenset()
    """Properties that do not hold in the file as it is, and were left out."""

    def of(self, *kinds: str) -> list[Mutant]:
        """The mutants with verdicts of these *kinds*."""
        return [m for m in self.mutants if m.verdict and m.verdict.kind in kinds]

    @property
    def number_found(self) -> int:
        """The number of mutants that a claim or a property found."""
        return len(self.of(mutants.FOUND))

    @property
    def survivors(self) -> list[Mutant]:
        """The mutants that play otherwise though nothing in the file fails."""
        return [m for m in self.mutants if m.survives]

    @property
    def alike(self) -> list[Mutant]:
        """The mutants that nothing found and that no compared game tells from the original."""
        survivors = ((m, m.survivor) for m in self.of(mutants.SURVIVED) if m.survivor is not None)
        return [m for m, survivor in survivors if not (m.survives or survivor.late)]

    @property
    def late(self) -> int:
        """The number of mutants that took too long to say anything of."""
        slow = sum(bool(m.survivor and m.survivor.late) for m in self.mutants)
        return len(self.of(mutants.LATE)) + slow

    @property
    def score(self) -> float:
        """The share that was found."""
        counted = self.number_found + len(self.survivors)
        return self.number_found / counted if counted else 1.0

    @property
    def claims(self) -> list[str]:
        """The claims that would catch survivors, each once, as many as they catch first."""
        claims = Counter(m.survivor.claim for m in self.survivors if m.survivor)
        return [claim for claim, _ in claims.most_common() if claim]

    def as_data(self) -> dict[str, object]:
        """The report as plain data."""
        return {
            "mutants": self.number_found + len(self.survivors),
            "found": self.number_found,
            "score": round(self.score, 4),
            "survivors": [m.as_data() for m in self.survivors],
            "alike": [m.as_data() for m in self.alike],
            "refused": len(self.of(mutants.REFUSED, mutants.SAME)),
            "late": self.late,
            "untried": self.untried,
        }


@define(eq=False)
class MutationRun:
    """Tries the faults of a file; *progress* is called with the number tried and that of all."""

    trial: mutants.MutationSubject
    executor: Executor
    width: int = 1
    most: int | None = None
    seconds: float | None = None
    progress: Callable[[int, int], None] = lambda _number, _all: None
    again: bool = False
    _begun: float = field(factory=time.perf_counter, init=False)
    _results: dict[str, MutantResult] = field(factory=dict, init=False)

    def run(self) -> MutationReport:
        """Try them all, or as many as were asked for in the time; raises `TextError`."""
        self.trial = mutants.prepared(self.trial)
        self._results = {} if self.again else _results(self.trial)
        every = list(mutants_of(self.trial))
        sample = every if self.most is None else _spread(every, self.most)
        mutants_by_key = {m.key: self._before(m) for m in sample}
        todo = [m for m in mutants_by_key.values() if m.verdict is None]
        Random(self.trial.seed).shuffle(todo)
        try:
            self._judge(mutants_by_key, todo)
            self._tell(mutants_by_key)
        finally:
            self._save(mutants_by_key.values())
        tried = tuple(m for m in mutants_by_key.values() if m.verdict is not None)
        untold = sum(m.undetected and m.survivor is None for m in tried)
        return MutationReport(tried, len(every) - len(tried) + untold, self.trial.broken)

    def _judge(self, mutants_by_key: dict[str, Mutant], todo: list[Mutant]) -> None:
        def begin(mutant: Mutant) -> Future[Any]:
            return self.executor.submit(mutants.judge, self.trial, mutant.mutation)

        for number, (mutant, verdict) in enumerate(self._each(todo, begin), 1):
            mutants_by_key[mutant.key] = evolve(mutant, verdict=verdict)
            self.progress(len(mutants_by_key) - len(todo) + number, len(mutants_by_key))
            if number % _SAVED == 0:
                self._save(mutants_by_key.values())

    def _tell(self, mutants_by_key: dict[str, Mutant]) -> None:
        """Find for each survivor a claim that would catch it: often another one's claim does."""
        proposed = dict.fromkeys(m.survivor.claim for m in mutants_by_key.values() if m.survivor)
        proposed.pop("", None)
        todo = [m for m in mutants_by_key.values() if m.survivor is None and m.undetected]

        def begin(mutant: Mutant) -> Future[Any]:
            return self.executor.submit(mutants.tell, self.trial, mutant.mutation, tuple(proposed))

        for number, (mutant, survivor) in enumerate(self._each(todo, begin), 1):
            mutants_by_key[mutant.key] = evolve(mutant, survivor=survivor)
            if survivor.claim:
                proposed[survivor.claim] = None
            self.progress(len(mutants_by_key) - len(todo) + number, len(mutants_by_key))

    def _each(
        self, todo: list[Mutant], begin: Callable[[Mutant], Future[Any]]
    ) -> Iterator[tuple[Mutant, Any]]:
        """The results of *todo* as they arrive, `width` under way at once, while there is time."""
        running: dict[Future[Any], Mutant] = {}
        arrivals, waiting = Arrivals[Any](), iter(todo)
        while True:
            while len(running) < self.width and self._remaining_seconds() != 0.0:
                mutant = next(waiting, None)
                if mutant is None:
                    break
                future = begin(mutant)
                running[future] = mutant
                arrivals.expect(future)
            if not running:
                return
            finished = arrivals.next(self._remaining_seconds())
            if not finished:
                return
            for future in finished:
                yield running.pop(future), future.result()

    def _remaining_seconds(self) -> float | None:
        if self.seconds is None:
            return None
        return max(0.0, self.seconds - (time.perf_counter() - self._begun))

    # --- what was tried before ---

    def _before(self, mutant: Mutant) -> Mutant:
        """The mutant, with what is known of it from another run."""
        result = self._results.get(mutant.key)
        if result is None:
            return mutant
        if result.text != _digest(self.trial) and not _stands(result.verdict, self.trial.text):
            return mutant
        return _recalled(mutant, self._results)

    def _save(self, finished_mutants: Iterable[Mutant]) -> None:
        text = _digest(self.trial)
        for m in finished_mutants:
            if m.verdict is not None and m.verdict.kind != mutants.LATE:
                survivor = m.survivor if m.survivor and not m.survivor.late else None
                self._results[m.key] = MutantResult(text, m.verdict, survivor)
        data = json.dumps(asdict(KeptResults(_program(), self._results)))
        cache.write(_place(self.trial), data.encode(), _MOST_BYTES)


def kept_report(trial: mutants.MutationSubject) -> MutationReport | None:
    """The report that earlier runs have kept of a file, without trying any fault; None if none."""
    results = _results(trial)
    if not results:
        return None
    every = [_recalled(mutant, results) for mutant in mutants_of(trial)]
    tried = tuple(mutant for mutant in every if mutant.verdict is not None)
    return MutationReport(tried, len(every) - len(tried))


def _recalled(mutant: Mutant, results: Mapping[str, MutantResult]) -> Mutant:
    """The mutant with what is kept of it, whatever the rest of the text was then."""
    result = results.get(mutant.key)
    return evolve(mutant, verdict=result.verdict, survivor=result.survivor) if result else mutant


def _stands(verdict: mutants.Verdict, text: str) -> bool:
    """Whether what found a fault in a text of yesterday still stands in that of today."""
    if verdict.kind != mutants.FOUND:
        return False
    lines = {line.partition("#")[0].strip() for line in text.splitlines()}
    return verdict.by in lines or verdict.by in mutants.BY_CHANCE


def mutants_of(trial: mutants.MutationSubject) -> Iterator[Mutant]:
    """All changes of a file, each with a key that other lines of the file do not change."""
    source = Source(trial.name, trial.text)
    numbers: Counter[str] = Counter()
    for mutation in mutations(source, parse(source, Collector())):
        place = source.place(Span(mutation.start, mutation.end))
        old = mutation.old(trial.text)
        line = source.line(place.line)
        name = cache.digest(line, str(place.column), old, mutation.new)
        numbers[name] += 1
        yield Mutant(mutation, place.line, place.column, old, f"{name}-{numbers[name]}")


def _spread(items: Sequence[T], most: int) -> list[T]:
    """At most *most* of the items, spread evenly."""
    if len(items) <= most:
        return list(items)
    return [items[i * len(items) // most] for i in range(most)]


def _digest(trial: mutants.MutationSubject) -> str:
    return cache.digest(trial.text, str(trial.seed), str(trial.effort))


def _place(trial: mutants.MutationSubject) -> Path:
    name = cache.digest(str(Path(trial.path).absolute()))
    return cache.cache_folder() / "mutants" / f"{name}.mutants"


def _program() -> str:
    return cache.fingerprint(Path(rulewright.__file__).parent.rglob("*.py"))


def _results(trial: mutants.MutationSubject) -> dict[str, MutantResult]:
    """The results that are kept of a file, by key; none of another version of the program."""
    with suppress(DataError):
        results = read_json(cache.read(_place(trial)), KeptResults)
        return results.mutants if results.program == _program() else {}
    return {}


# --- the report as text ---


def report_lines(trial: mutants.MutationSubject, report: MutationReport) -> Iterator[str]:
    """The lines of a report."""
    proposed: set[str] = set()
    for mutant in report.survivors:
        yield from (*_survivor(trial, mutant, proposed), "")
    if report.alike:
        yield "no game shows a difference between the file and these faults:"
        for mutant in report.alike:
            extent = mutant.survivor.extent if mutant.survivor else ""
            yield f"  {_head(trial, mutant)} ({extent})"
        yield ""
    yield _score(trial, report)


def _head(trial: mutants.MutationSubject, mutant: Mutant) -> str:
    old, new = (" ".join(t.split()) for t in (mutant.old, mutant.mutation.new))
    change = f"`{old}` {translate('as')} `{new}`" if new else translate(f"without `{old}`")
    fault = translate(mutant.mutation.what)
    return f"{trial.name}:{mutant.line}:{mutant.column}: {fault}: {change}"


def _survivor(trial: mutants.MutationSubject, mutant: Mutant, proposed: set[str]) -> list[str]:
    """The fault, the game that shows it, and the claim to add unless it is `proposed` already."""
    survivor = mutant.survivor
    assert survivor is not None
    lines = [_head(trial, mutant)]
    if survivor.claim in proposed:
        return [*lines, f"  {translate('caught too by')}: {survivor.claim}"]
    moves = " ".join(survivor.moves or ()) or "(the first position)"
    options = f" with {survivor.settings}" if survivor.settings else ""
    lines.append(f"  plays differently{options} after: {moves}")
    if survivor.first or survivor.second:
        lines.append(f"    the file: {survivor.first}; changed so: {survivor.second}")
    if survivor.claim:
        proposed.add(survivor.claim)
        lines.append(f"  {translate('add')}: {survivor.claim}")
    return lines


def _score(trial: mutants.MutationSubject, report: MutationReport) -> str:
    whole = report.number_found + len(report.survivors)
    parts = [f"{report.number_found} of {whole} found ({report.score:.0%})"]
    parts += [f"{len(report.alike)} play the same"] if report.alike else []
    parts += [f"{report.late} took too long"] if report.late else []
    parts += [f"{report.untried} not tried"] if report.untried else []
    return f"{trial.name}: {'; '.join(parts)}"
