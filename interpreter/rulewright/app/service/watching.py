"""Watching a file: at every save its mistakes, the game in progress, and changed test results.

In: a path, the moves of a game in progress, a time limit for tests.  Out: a `View` for each version
of the files: all mistakes; the game replayed as far as its moves are legal, with the reason where
it stops; claims and properties that hold or fail now and did not before.  While the file has
mistakes, the game is that of its last good version.  Only `svg_beside` writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from attrs import define, field, frozen

from rulewright.app.service.document import Document
from rulewright.app.service.documents import SUFFIXES, Workspace
from rulewright.checks.findings import FileReport
from rulewright.checks.run import CHECKS, CheckRequest, try_file
from rulewright.errors import Fault, MoveError, OutOfBudget, RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.ground import disk
from rulewright.ground.budget import within_seconds
from rulewright.ground.printable import amount, plural
from rulewright.language.diagnostics import Diagnostic, errors

HOLDS, FAILS, UNTRIED = "holds", "fails", "was not tried"
GAMES = 20
"""Random games of a test."""
_PROPERTY = {
    "start": "start", "always": "always", "perft": "perft", "after": "after", "illegal": "after",
    "wins": "wins", "symmetric": "symmetric", "bound": "within", "never": "draws",
}  # fmt: skip
"""The property that tries each kind of claim."""
Stamps = dict[Path, tuple[int, int]]


@frozen
class View:
    """A version of a file: its mistakes, the game in progress, and changes since the last one."""

    diagnostics: tuple[Diagnostic, ...]
    state: State | None
    stale: bool = False
    """Whether the game is that of an earlier version, as this one has mistakes."""
    played: tuple[str, ...] = ()
    stopped: str = ""
    """Why the game cannot be replayed further; empty if it can."""
    changes: tuple[str, ...] = ()
    summary: str = ""
    """How many claims and properties hold."""

    @property
    def fine(self) -> bool:
        """Whether the file has no errors; warnings do not count."""
        return not errors(self.diagnostics)


@define(eq=False)
class FileWatch:
    """Watches a file and those of its game; `moves` are those of the game in progress."""

    path: Path
    moves: tuple[str, ...] = ()
    seconds: float = 3.0
    workspace: Workspace = field(factory=Workspace)
    _game: Game | None = None
    _digests: dict[str, str] = field(factory=dict)
    """The status of each claim and property in the last version, by its text."""
    _stamps: Stamps = field(factory=dict)

    def changed(self) -> bool:
        """Whether a file of the game was saved since the last call."""
        before, self._stamps = self._stamps, _stamps(self.path.parent)
        return before != self._stamps

    def play(self, moves: Iterable[str]) -> None:
        """Play more moves; raises `MoveError` at the first that is not legal."""
        state, line, _ = self._replay()
        self.moves = line  # moves that could not be replayed are dropped
        for text in moves if state is not None else ():
            assert state is not None
            state = state.play(text)
            self.moves = (*self.moves, text)

    def look(self) -> View:
        """Check, replay and test the file as it is now."""
        self.workspace.files_changed()
        document = self.workspace.document(self.path)
        if document is None:
            disk.read_source(self.path)  # says why
            raise RulewrightError(f"{self.path} cannot be read")
        diagnostics = self.workspace.diagnostics(document)
        wrong = bool(errors(diagnostics))
        if not wrong:
            self._game = self.workspace.game(document)
            diagnostics = (*diagnostics, *self.workspace.claim_diagnostics(document))
        state, moves, stopped = self._replay()
        changes, summary = ((), "") if wrong else self._test(document)
        return View(diagnostics, state, wrong, moves, stopped, changes, summary)

    # --- the game in progress ---

    def _replay(self) -> tuple[State | None, tuple[str, ...], str]:
        if self._game is None:
            return None, (), ""
        state, moves = self._game.start(), list[str]()
        for text in self.moves:
            try:
                state = state.play(text)
            except (MoveError, Fault) as error:
                return state, tuple(moves), f"`{text}`: {error}"
            moves.append(text)
        return state, tuple(moves), ""

    # --- claims and properties ---

    def _test(self, document: Document) -> tuple[tuple[str, ...], str]:
        """Test a document; returns what changed, and a summary."""
        if document.language != "rules" and document.language not in CHECKS:
            return (), ""
        try:
            with within_seconds(self.seconds, 0.5, "the time for tests was over"):
                report = try_file(self.path, CheckRequest(effort=0.2, games=GAMES))
        except OutOfBudget:
            return (), "there was no time to test"
        except RulewrightError as error:
            return (), str(error)
        now = dict(_claims(report, self._game if document.language == "rules" else None))
        now |= _properties(report)
        before, self._digests = self._digests, now
        return tuple(_changes(before, now)), _summary(now)


def _stamps(folder: Path) -> Stamps:
    """Time of change and size of each file that the game may have."""
    stamps: Stamps = {}
    try:
        for path in folder.iterdir():
            if path.suffix in SUFFIXES:
                stat = path.stat()
                stamps[path] = (stat.st_mtime_ns, stat.st_size)
    except OSError:
        pass  # a file that is deleted meanwhile is noticed the next time
    return stamps


def _claims(report: FileReport, game: Game | None) -> Iterator[tuple[str, str]]:
    """The claims of rules and their status, by their text."""
    if game is None:
        return
    results = {result.name: result for result in report.tried}
    failed = {f.about.text for f in report.findings if f.about is not None}
    for claim in game.rules.claims:
        text = game.rules.origins[claim.origin].text
        result = results.get(_PROPERTY.get(claim.kind, ""))
        untried = result is None or result.status == "left out"
        yield text, FAILS if text in failed else UNTRIED if untried else HOLDS


def _properties(report: FileReport) -> dict[str, str]:
    """The status of the properties that were tried, with the message of a failure."""
    statuses: dict[str, str] = {}
    for result in report.tried:
        if result.status == "failed":
            first = result.findings[0]
            moves = f" after {' '.join(first.moves)}" if first.moves else ""
            statuses[result.name] = f"{FAILS}: {first.message}{moves}"
        elif result.status == "held":
            statuses[result.name] = HOLDS
    return statuses


def _changes(before: dict[str, str], now: dict[str, str]) -> Iterator[str]:
    for text, status in now.items():
        old = before.get(text)
        if status == old or (old is None and status == HOLDS) or UNTRIED in (status, old):
            continue
        still = "still " if old and old.startswith(FAILS) and status.startswith(FAILS) else ""
        yield f"`{text}` {still}{status}"
    lost_names = before.keys() - now.keys()
    yield from sorted(f"`{text}` is gone" for text in lost_names if before[text] != UNTRIED)


def _summary(now: dict[str, str]) -> str:
    holds = sum(status == HOLDS for status in now.values())
    fails = sum(status.startswith(FAILS) for status in now.values())
    untried = sum(status == UNTRIED for status in now.values())
    holding = amount(holds, "claim or property", "claims and properties")
    parts = [f"{holding} {plural(holds, 'holds', 'hold')}"]
    parts += [f"{fails} {plural(fails, 'fails', 'fail')}"] if fails else []
    parts += [f"{untried} {plural(untried, 'was', 'were')} not tried"] if untried else []
    return ", ".join(parts)


def svg_beside(path: Path, state: State) -> None:
    """Write the board as SVG at a path."""
    disk.write_whole(path, state.svg().encode())
