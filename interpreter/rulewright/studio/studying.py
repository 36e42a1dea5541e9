"""What is found out about a text while its author goes on: properties, faults put in, coverage.

In: a text that an editor holds for a file, seconds, a `Telling`.  Out: notes with lines, games and
claims; how often lines were reached; where two texts of rules part.  More is looked at from round
to round, and what is known is told after each.  Refuses texts with mistakes, and kinds of files for
which there is nothing to be tried.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

from attrs import field, frozen

from rulewright import budget, disk
from rulewright.checks.compare import Comparison, GameDifference, alike_text, difference_lines
from rulewright.checks.findings import FileReport, Finding, PropertyResult
from rulewright.checks.mutants import MutationSubject
from rulewright.checks.mutate import Mutant, MutationReport, MutationRun
from rulewright.checks.run import CheckRequest, cover_file, try_file
from rulewright.engine.game import Game, State
from rulewright.errors import MoveError, OptionError, OutOfBudget, RulewrightError
from rulewright.files.games import RULES
from rulewright.files.kinds import FileContext, check_file
from rulewright.matches.executors import InProcess, Pool, Processes
from rulewright.printable import amount, plural
from rulewright.service import studies
from rulewright.studio import answers as a
from rulewright.studio.thinking import Telling, refuse_endless

_ROUNDS = (0.03, 0.2, 1.0)
"""How hard a text is looked at, one time after the other."""
_FAULTS = (10, 40, 160, 640)
"""How many faults are put in; those of a round are among those of the next."""
_EFFORT = 0.2
_GRACE = 2.0
_LOOKS = 0.2
"""Seconds between two looks at whether the page still waits."""


@contextmanager
def stoppable(seconds: float, what: str, telling: Telling) -> Iterator[None]:
    """At most so many seconds in this block, and none once nobody waits for it."""
    refuse_endless(seconds)
    done = Event()
    with budget.within_seconds(seconds, _GRACE, f"{what} was stopped") as held:

        def watch() -> None:
            while not done.wait(_LOOKS):
                if telling.ended():
                    held.until = held.latest = 0.0
                    return

        if sys.platform != "emscripten":  # there the page ends the whole worker
            Thread(target=watch, daemon=True).start()
        try:
            yield
        finally:
            done.set()


@frozen
class Studied:
    """A text under study, in the place of its file."""

    path: Path
    text: str
    seconds: float
    telling: Telling
    options: dict[str, Any] = field(factory=dict)

    @property
    def data(self) -> bytes:
        """What the file would hold."""
        return self.text.encode("utf-8", "surrogatepass")

    def study(self, what: str) -> a.Study:
        """Find out by one of `KINDS`; raises `TextError` with the mistakes of the text."""
        if what not in KINDS:
            raise RulewrightError(f"nothing is found out by `{what}`")
        known: a.Study | None = None
        with disk.held({self.path: self.data}), stoppable(self.seconds, what, self.telling):
            try:
                for found in KINDS[what](self):
                    if known is not None and budget.over():  # this round was broken off
                        break
                    known = found
                    self.telling.tell(known)
            except OutOfBudget:
                if known is None:
                    raise
        assert known is not None
        return known

    # --- properties ---

    def properties(self) -> Iterator[a.Study]:
        """What should hold of a file of this kind, by games and positions."""
        for effort in _ROUNDS:
            games = max(10, round(1000 * effort))
            request = CheckRequest(effort=effort, games=games, options=self.options)
            with budget.share(1):
                yield self._tested(try_file(self.path, request))

    def _tested(self, report: FileReport) -> a.Study:
        held = [one for one in report.tried if one.status == "held"]
        notes = [_finding(one, f) for one in report.tried for f in one.findings]
        told = f"{amount(len(held), 'property', 'properties')} {plural(len(held), 'holds', 'hold')}"
        told += f", {amount(len(notes), 'finding')}" if notes else ""
        rows = tuple((one.name, one.status, one.looked or one.skipped) for one in report.tried)
        return a.Study("properties", told, tuple(notes), {}, rows)

    # --- faults ---

    def faults(self) -> Iterator[a.Study]:
        """Whether anything would notice faults in the rules."""
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
        def told(done: int, whole: int) -> None:
            note = f"{done} of {amount(whole, 'fault')} tried"
            self.telling.sometimes(lambda: a.Study("faults", note, (), {}, (), False))
            if self.telling.ended() or budget.over():
                run.seconds = 0.0

        run = MutationRun(trial, pool.executor, pool.width, most, budget.left(), told)
        return run.run()

    # --- coverage ---

    def coverage(self) -> Iterator[a.Study]:
        """How often games reach each line."""
        for effort in _ROUNDS[1:]:
            found = cover_file(self.path, CheckRequest(effort=effort, options=self.options))
            study = studies.study("cover", self.text, {"reports": [found.as_data()]})
            counts = {str(line): count for line, count in study.counts.items()}
            yield a.Study("coverage", study.told, tuple(map(_note, study.notes)), counts, ())


KINDS: Mapping[str, Callable[[Studied], Iterator[a.Study]]] = {
    "properties": Studied.properties, "faults": Studied.faults, "coverage": Studied.coverage,
}  # fmt: skip


def _pool() -> Pool:
    """A process of its own, so that the studio answers; a page has no others."""
    return InProcess() if sys.platform == "emscripten" else Processes(1)


def _finding(tried: PropertyResult, found: Finding) -> a.StudyNote:
    line = int(found.about.place.rpartition(":")[2]) if found.about and found.about.place else 0
    moves = None if found.moves is None else " ".join(found.moves)
    return a.StudyNote(
        line, f"{tried.name}: {found.message}", "", False, moves, dict(found.options)
    )


def _note(one: studies.Note) -> a.StudyNote:
    return a.StudyNote(one.line, one.text, one.claim, one.dead, None, {})


def _mutated(text: str, report: MutationReport) -> a.Study:
    study = studies.study("mutate", text, report.as_data())
    pairs = zip(study.notes, report.survivors, strict=True)
    notes = tuple(_survivor(text, note, mutant) for note, mutant in pairs)
    told = f"{study.told}; broken already: {', '.join(report.broken)}" * bool(report.broken)
    return a.Study("faults", told or study.told, notes, {}, ())


def _survivor(text: str, note: studies.Note, mutant: Mutant) -> a.StudyNote:
    """A fault that nothing found: the text with it is told, to be compared."""
    told = mutant.survivor
    assert told is not None
    name, _, value = told.settings.partition(" = ")
    return a.StudyNote(
        note.line, note.text, note.claim, False, " ".join(told.moves or ()) or None,
        {name: value} if value else {}, mutant.mutation.of(text),
    )  # fmt: skip


# --- two texts ---


def game_of(path: Path, text: str, options: Mapping[str, Any]) -> Game:
    """The game of a text in the place of a file, with those of the options that it has."""
    data = text.encode("utf-8", "surrogatepass")
    try:
        return check_file(
            RULES, path.name, data, FileContext(None, path.parent, dict(options))
        ).loaded()
    except OptionError:
        return check_file(RULES, path.name, data, FileContext(None, path.parent)).loaded()


def compared(
    games: tuple[Game, Game], names: tuple[str, str], moves: str | None, seconds: float,
    telling: Telling,
) -> a.Differed:  # fmt: skip
    """The first position in which two games differ, as both have it, or after given *moves*."""
    if moves is not None:
        return _side_by_side(games, tuple(moves.split()), [], None)
    looked = Comparison(*games, quick=True)
    with stoppable(seconds, "comparing", telling), suppress(OutOfBudget):
        found = looked.run()
        if found.difference is None:
            return a.Differed([alike_text(found)], "", None, None, (), (), ("", ""))
        told = [*difference_lines(found.difference, *names)]
        return _side_by_side(games, found.difference.moves, told, found.difference)
    told = [f"no difference found in {amount(looked.positions, 'position')}, and the time is over"]
    return a.Differed(told, "", None, None, (), (), ("", ""))


def _side_by_side(
    games: tuple[Game, Game], moves: tuple[str, ...], told: list[str], found: GameDifference | None
) -> a.Differed:
    one, other = (_played(game, moves) for game in games)
    mine, its = (() if s.over else tuple(s.moves.texts) for s in (one, other))
    only = tuple(m for m in mine if m not in its), tuple(m for m in its if m not in mine)
    how = (found.first, found.second) if found else ("", "")
    return a.Differed(told, " ".join(moves), one.scene.as_json(), other.scene.as_json(), *only, how)


def _played(game: Game, moves: tuple[str, ...]) -> State:
    """After as many of the decisions as there are in this game."""
    state = game.start()
    with suppress(MoveError):
        for move in moves:
            state = state.play_decision(move)
    return state
