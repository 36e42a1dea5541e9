"""What a saved file shows: mistakes, the game under way, which claims changed, what tests find.

In: a path, the moves of a game under way, how long tests may take.  Out: a `View` for each state of
the files: everything that is wrong; the game replayed as far as its moves are legal, with the
reason where it stops; claims and properties that hold or fail now and did not before.  A file that
cannot be read shows the game as it was when it last could, and says so.  Only `svg_beside` writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from attrs import define, field, frozen

from rulewright import disk
from rulewright.budget import within_seconds
from rulewright.checks.findings import FileReport
from rulewright.checks.run import CHECKS, CheckRequest, try_file
from rulewright.engine.game import Game, State
from rulewright.errors import Fault, MoveError, OutOfBudget, RulewrightError
from rulewright.language.diagnostics import Diagnostic, errors
from rulewright.printable import amount, plural
from rulewright.service.document import Document
from rulewright.service.documents import SUFFIXES, Workspace

HOLDS, FAILS, UNTRIED = "holds", "fails", "was not tried"
GAMES = 20
"""Random games of one test."""
_PROPERTY = {
    "start": "start", "always": "always", "perft": "perft", "after": "after", "illegal": "after",
    "wins": "wins", "symmetric": "symmetric", "bound": "within", "never": "draws",
}  # fmt: skip
"""The property that tries each kind of claim."""
Stamps = dict[Path, tuple[int, int]]


@frozen
class View:
    """One state of a file: its mistakes, the game under way, and what changed since the last."""

    diagnostics: tuple[Diagnostic, ...]
    state: State | None
    stale: bool = False
    """Whether the game is that of an earlier state, as this one cannot be read."""
    played: tuple[str, ...] = ()
    stopped: str = ""
    """Why the game under way goes no further; empty where it does."""
    changes: tuple[str, ...] = ()
    summary: str = ""
    """How many claims and properties hold."""

    @property
    def fine(self) -> bool:
        """Whether nothing is wrong with the file; warnings do not count."""
        return not errors(self.diagnostics)


@define(eq=False)
class FileWatch:
    """Watches a file and those of its game; `moves` are those of the game under way."""

    path: Path
    moves: tuple[str, ...] = ()
    seconds: float = 3.0
    workspace: Workspace = field(factory=Workspace)
    _game: Game | None = None
    _known: dict[str, str] = field(factory=dict)
    """What held, failed or was not tried in the state before, by its text."""
    _stamps: Stamps = field(factory=dict)

    def changed(self) -> bool:
        """Whether a file of the game was saved since this was last asked."""
        before, self._stamps = self._stamps, _stamps(self.path.parent)
        return before != self._stamps

    def play(self, moves: Iterable[str]) -> None:
        """Go on with the game; raises `MoveError` at the first move that is not legal."""
        state, played, _ = self._replayed()
        self.moves = played  # what could not be replayed is given up
        for text in moves if state is not None else ():
            assert state is not None
            state = state.play(text)
            self.moves = (*self.moves, text)

    def look(self) -> View:
        """The file as it is now."""
        self.workspace.files_changed()
        document = self.workspace.document(self.path)
        if document is None:
            disk.read_source(self.path)  # says why
            raise RulewrightError(f"{self.path} cannot be read")
        found = self.workspace.diagnostics(document)
        wrong = bool(errors(found))
        if not wrong:
            self._game = self.workspace.game(document)
            found = (*found, *self.workspace.tried(document))
        state, played, stopped = self._replayed()
        changes, summary = ((), "") if wrong else self._tested(document)
        return View(found, state, wrong, played, stopped, changes, summary)

    # --- the game under way ---

    def _replayed(self) -> tuple[State | None, tuple[str, ...], str]:
        if self._game is None:
            return None, (), ""
        state, played = self._game.start(), list[str]()
        for text in self.moves:
            try:
                state = state.play(text)
            except (MoveError, Fault) as error:
                return state, tuple(played), f"`{text}`: {error}"
            played.append(text)
        return state, tuple(played), ""

    # --- claims and properties ---

    def _tested(self, document: Document) -> tuple[tuple[str, ...], str]:
        """What changed, and how much holds."""
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
        before, self._known = self._known, now
        return tuple(_changes(before, now)), _summary(now)


def _stamps(folder: Path) -> Stamps:
    """When each file that a game may have was saved, and its size."""
    found: Stamps = {}
    try:
        for path in folder.iterdir():
            if path.suffix in SUFFIXES:
                stat = path.stat()
                found[path] = (stat.st_mtime_ns, stat.st_size)
    except OSError:
        pass  # a file that goes while it is looked at is seen the next time
    return found


def _claims(report: FileReport, game: Game | None) -> Iterator[tuple[str, str]]:
    """The claims of rules, by their text."""
    if game is None:
        return
    tried = {one.name: one for one in report.tried}
    failed = {f.about.text for f in report.findings if f.about is not None}
    for claim in game.rules.claims:
        text = game.rules.origins[claim.origin].text
        one = tried.get(_PROPERTY.get(claim.kind, ""))
        untried = one is None or one.status == "left out"
        yield text, FAILS if text in failed else UNTRIED if untried else HOLDS


def _properties(report: FileReport) -> dict[str, str]:
    """The properties that were tried, with the message of those that fail."""
    found: dict[str, str] = {}
    for one in report.tried:
        if one.status == "failed":
            first = one.findings[0]
            moves = f" after {' '.join(first.moves)}" if first.moves else ""
            found[one.name] = f"{FAILS}: {first.message}{moves}"
        elif one.status == "held":
            found[one.name] = HOLDS
    return found


def _changes(before: dict[str, str], now: dict[str, str]) -> Iterator[str]:
    for text, status in now.items():
        old = before.get(text)
        if status == old or (old is None and status == HOLDS) or UNTRIED in (status, old):
            continue
        still = "still " if old and old.startswith(FAILS) and status.startswith(FAILS) else ""
        yield f"`{text}` {still}{status}"
    gone = before.keys() - now.keys()
    yield from sorted(f"`{text}` is gone" for text in gone if before[text] != UNTRIED)


def _summary(now: dict[str, str]) -> str:
    holds = sum(status == HOLDS for status in now.values())
    fails = sum(status.startswith(FAILS) for status in now.values())
    untried = sum(status == UNTRIED for status in now.values())
    some = amount(holds, "claim or property", "claims and properties")
    told = [f"{some} {plural(holds, 'holds', 'hold')}"]
    told += [f"{fails} {plural(fails, 'fails', 'fail')}"] if fails else []
    told += [f"{untried} {plural(untried, 'was', 'were')} not tried"] if untried else []
    return ", ".join(told)


def svg_beside(path: Path, state: State) -> None:
    """Write the board as SVG at a path."""
    disk.write_whole(path, state.svg().encode())
