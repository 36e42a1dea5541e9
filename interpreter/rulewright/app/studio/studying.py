"""Studies of a text in the background: its properties, faults put into it, its coverage.

In: the text that an editor holds for a file, seconds, a `Telling`.  Out: notes with lines, games
and claims; how often lines were reached; the first difference of two rules.  Each round tries more,
and reports what is known.  Refuses texts with mistakes, and kinds of files without such a study.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from threading import Event, Thread
from typing import Any

from attrs import field, frozen

from rulewright.app.service import studies
from rulewright.app.studio import answers as a
from rulewright.app.studio.thinking import Telling, refuse_endless
from rulewright.app.studio.tree import replay
from rulewright.checks.claims import FACTS
from rulewright.checks.compare import Comparison, GameDifference, alike_text, difference_lines
from rulewright.checks.findings import FileReport, Finding, PropertyResult, clause
from rulewright.checks.mutants import MutationSubject
from rulewright.checks.mutate import Mutant, MutationReport, MutationRun
from rulewright.checks.properties_of_rules import NOT_TRIED, property_of_claim
from rulewright.checks.run import CheckRequest, cover_file, try_file
from rulewright.errors import OptionError, OutOfBudget, RulewrightError
from rulewright.games.engine.game import Game
from rulewright.games.files.games import RULES
from rulewright.games.files.kinds import FileContext, check_file
from rulewright.ground import budget, disk
from rulewright.ground.printable import amount, plural
from rulewright.matches.executors import InProcess, Pool, Processes

_ROUNDS = (0.03, 0.2, 1.0)
"""The effort of each round."""
_FAULTS = (10, 40, 160, 640)
"""The number of faults in each round; the next includes them."""
_EFFORT = 0.2
_GRACE = 2.0
_LOOKS = 0.2
"""Seconds between two looks whether the page has stopped the request."""


@contextmanager
def stoppable(seconds: float, name: str, telling: Telling) -> Iterator[None]:
    """A block with a time limit, which also ends when the page stops the request."""
    refuse_endless(seconds)
    end = Event()
    with budget.within_seconds(seconds, _GRACE, f"{name} was stopped") as limit:

        def watch() -> None:
            while not end.wait(_LOOKS):
                if telling.ended():
                    limit.until = limit.latest = 0.0
                    return

        if sys.platform != "emscripten":  # in a browser the page ends the worker instead
            Thread(target=watch, daemon=True).start()
        try:
            yield
        finally:
            end.set()


@frozen(slots=False)
class TextStudy:
    """A study of a text in place of its file."""

    path: Path
    text: str
    seconds: float
    telling: Telling
    options: dict[str, Any] = field(factory=dict)

    @property
    def data(self) -> bytes:
        """The bytes of a file with this text."""
        return self.text.encode("utf-8", "surrogatepass")

    def study(self, kind: str) -> a.Study:
        """Study by one of `KINDS`; raises `TextError` with the mistakes of the text."""
        if kind not in KINDS:
            raise RulewrightError(f"there is no study `{kind}`")
        last: a.Study | None = None
        with disk.held_texts({self.path: self.data}), stoppable(self.seconds, kind, self.telling):
            try:
                for study in KINDS[kind](self):
                    if last is not None and budget.over():  # this round is incomplete
                        break
                    last = study
                    self.telling.tell(study)
            except OutOfBudget:
                if last is None:
                    raise
        assert last is not None
        return last

    # --- properties ---

    def properties(self) -> Iterator[a.Study]:
        """Try the properties of a file of this kind in games and positions."""
        for effort in _ROUNDS:
            games = max(10, round(1000 * effort))
            request = CheckRequest(effort=effort, games=games, options=self.options)
            with budget.share(1):
                yield self._tested(try_file(self.path, request))

    def _tested(self, report: FileReport) -> a.Study:
        count = sum(result.status == "held" for result in report.tried)
        notes = [_finding(result, f) for result in report.tried for f in result.findings]
        summary = f"{amount(count, 'property', 'properties')} {plural(count, 'holds', 'hold')}"
        summary += f", {amount(len(notes), 'finding')}" if notes else ""
        rows = tuple((r.name, r.status, r.looked or r.skipped) for r in report.tried)
        return a.Study("properties", summary, tuple(notes), {}, rows, self._holding(report))

    @cached_property
    def _claims(self) -> tuple[tuple[int, str], ...]:
        """The claims of rules: their lines, and the properties that try them."""
        if self.path.suffix != RULES.suffix:
            return ()
        rules = game_of(self.path, self.text, self.options).rules
        claims = ((clause(rules, claim.origin).place, claim.kind) for claim in rules.claims)
        return tuple((_line(place), property_of_claim(kind)) for place, kind in claims)

    def _holding(self, report: FileReport) -> tuple[int, ...]:
        """The lines of claims that were tried and hold."""
        failing = {_line(f.about.place) for f in report.findings if f.about}
        tried = {r.name: r for r in report.tried if not r.skipped and NOT_TRIED not in r.looked}
        holds = {n for n, r in tried.items() if n in FACTS or not r.findings}
        return tuple(line for line, name in self._claims if name in holds and line not in failing)

    # --- faults ---

    def faults(self) -> Iterator[a.Study]:
        """Put faults into the rules, and look whether anything notices them."""
        if self.path.suffix != RULES.suffix:
            raise RulewrightError("faults are put into rules")
        trial = MutationSubject(self.path.name, str(self.path), self.text, 0, _EFFORT)
        pool = _pool()
        try:
            for most in _FAULTS:
                report = self._mutated(trial, pool, most)
                yield _mutated(self.text, report)
                if not report.untried:
                    return
        finally:
            pool.close()

    def _mutated(self, trial: MutationSubject, pool: Pool, most: int) -> MutationReport:
        def report_progress(count: int, total: int) -> None:
            note = f"{count} of {amount(total, 'fault')} tried"
            self.telling.sometimes(lambda: a.Study("faults", note, (), {}, (), whole=False))
            if self.telling.ended() or budget.over():
                run.seconds = 0.0

        span = budget.seconds_left()
        run = MutationRun(trial, pool.executor, pool.width, most, span, report_progress)
        return run.run()

    # --- coverage ---

    def coverage(self) -> Iterator[a.Study]:
        """Count how often games reach each line."""
        for effort in _ROUNDS[1:]:
            coverage = cover_file(self.path, CheckRequest(effort=effort, options=self.options))
            study = studies.study("cover", self.text, {"reports": [coverage.as_data()]})
            counts = {str(line): count for line, count in study.counts.items()}
            yield a.Study("coverage", study.summary, tuple(map(_note, study.notes)), counts, ())


KINDS: Mapping[str, Callable[[TextStudy], Iterator[a.Study]]] = {
    "properties": TextStudy.properties, "faults": TextStudy.faults, "coverage": TextStudy.coverage,
}  # fmt: skip


def _pool() -> Pool:
    """A pool of one process, so that the studio can answer meanwhile; a page has no processes."""
    return InProcess() if sys.platform == "emscripten" else Processes(1)


def _finding(result: PropertyResult, finding: Finding) -> a.StudyNote:
    line = _line(finding.about.place) if finding.about else 0
    moves = None if finding.moves is None else " ".join(finding.moves)
    return a.StudyNote(
        line, f"{result.name}: {finding.message}", "", False, moves, dict(finding.options)
    )


def _line(place: str) -> int:
    """The number of the line of a place, 0 for none."""
    return int(place.rpartition(":")[2] or 0)


def _note(note: studies.Note) -> a.StudyNote:
    return a.StudyNote(note.line, note.text, note.claim, note.dead, None, {})


def _mutated(text: str, report: MutationReport) -> a.Study:
    study = studies.study("mutate", text, report.as_data())
    pairs = zip(study.notes, report.survivors, strict=True)
    notes = tuple(_survivor(text, note, mutant) for note, mutant in pairs)
    broken = f"; broken already: {', '.join(report.broken)}" if report.broken else ""
    return a.Study("faults", study.summary + broken, notes, {}, ())


def _survivor(text: str, note: studies.Note, mutant: Mutant) -> a.StudyNote:
    """The note about a fault that nothing noticed, with the faulty text for comparison."""
    survivor = mutant.survivor
    assert survivor is not None
    name, _, value = survivor.settings.partition(" = ")
    return a.StudyNote(
        note.line, note.text, note.claim, False, " ".join(survivor.moves or ()) or None,
        {name: value} if value else {}, mutant.mutation.of(text),
    )  # fmt: skip


# --- two texts ---


def game_of(path: Path, text: str, options: Mapping[str, Any]) -> Game:
    """Load the game of a text in place of a file; without options that it does not have."""
    data = text.encode("utf-8", "surrogatepass")

    def load(options: Mapping[str, Any]) -> Game:
        context = FileContext(None, path.parent, dict(options))
        return check_file(RULES, path.name, data, context).loaded()

    try:
        return load(options)
    except OptionError:
        return load({})


def compare_games(
    games: tuple[Game, Game], names: tuple[str, str], moves: str | None, seconds: float,
    telling: Telling,
) -> a.Differed:  # fmt: skip
    """Compare two games: at the first position in which they differ, or after given *moves*."""
    if moves is not None:
        return _side_by_side(games, moves.split(), [], None)
    comparison, lines = Comparison(*games, quick=True), list[str]()
    with stoppable(seconds, "comparing", telling), suppress(OutOfBudget):
        result = comparison.run()
        if result.difference is not None:
            lines = [*difference_lines(result.difference, *names)]
            return _side_by_side(games, result.difference.moves, lines, result.difference)
        lines = [alike_text(result)]
    if not lines:
        message = f"no difference found in {amount(comparison.positions, 'position')}"
        lines = [f"{message}, and the time is over"]
    return a.Differed(lines, "", None, None, (), (), ("", ""))


def _side_by_side(
    games: tuple[Game, Game],
    moves: Sequence[str],
    lines: list[str],
    difference: GameDifference | None,
) -> a.Differed:
    """Show two games after as many of the moves as are legal in each."""
    first, second = (replay(game, moves)[0] for game in games)
    old, new = (() if s.over else tuple(s.moves.texts) for s in (first, second))
    only = tuple(m for m in old if m not in new), tuple(m for m in new if m not in old)
    how = (difference.first, difference.second) if difference else ("", "")
    return a.Differed(
        lines, " ".join(moves), first.scene.as_json(), second.scene.as_json(), *only, how
    )
