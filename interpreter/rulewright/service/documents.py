"""The texts that an editor holds, the files beside them, and what they mean together.

In: texts that are opened, changed and closed, by their paths.  Out: documents, the files of a game,
where a name is declared and used, what is wrong with a text: by its form at once, by its meaning
with the rules that it is for, by its claims as far as `check` tries them.  Open texts stand for
their files.  A rules file that cannot be read is taken as it was when it last could, for the files
that stand on it, and says so in its own diagnostics.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import RLock
from typing import Any

from attrs import define, field

from rulewright import disk
from rulewright.budget import within_seconds
from rulewright.checks.cases import SUFFIX
from rulewright.checks.tried import tried
from rulewright.engine.game import Game
from rulewright.errors import OutOfBudget, RulewrightError
from rulewright.files import catalog
from rulewright.files.games import RULES, bundled, by_name
from rulewright.files.kinds import FileContext, KnownReports, Report, check_parsed
from rulewright.language.diagnostics import Diagnostic
from rulewright.language.parse_cache import KeptLines
from rulewright.language.source import Span
from rulewright.language.syntax import NAME
from rulewright.service.document import Document
from rulewright.service.names import FILES, Mention

SUFFIXES = (*catalog.by_suffix(), SUFFIX)
MOST_FILES = 400
"""Files of one folder that are looked at for those of a game."""
TRIED_SECONDS = 10.0
"""How long the claims of a text may be tried after an edit."""
_BUILT_UPON = frozenset(kind.name for kind in catalog.KINDS if kind is not RULES)
"""Kinds of files that others name, besides rules."""


@define(eq=False)
class Workspace:
    """Open documents and the files beside them; may be asked by several threads."""

    _open: dict[Path, Document] = field(factory=dict)
    _kept: dict[Path, Document] = field(factory=dict)
    """Files that no editor holds, as they were when they were last read."""
    _reports: dict[Path, tuple[Document, int, Report[Any]]] = field(factory=dict)
    _good: dict[Path, Game] = field(factory=dict)
    """The game of each rules file, as it was when it could last be read."""
    _memory: KnownReports = field(factory=KnownReports)
    """What the files say that others name."""
    _edits: int = 0
    _lock: RLock = field(factory=RLock)

    # --- texts ---

    def open(self, path: Path, text: str, version: int | None = None) -> Document:
        """Take *text* for the file at a path from now on; also each later state of it."""
        with self._lock:
            before = self._open.get(path)
            kept = before.kept if before is not None else KeptLines()
            document = Document(path, text, version, open=True, kept=kept)
            self._open[path] = document
            self._edits += 1
        return document

    def close(self, path: Path) -> None:
        """Take the file at a path for itself again."""
        with self._lock:
            self._open.pop(path, None)
            self._reports.pop(path, None)
            self._edits += 1

    def files_changed(self) -> None:
        """Look at the files anew: something else has written some."""
        with self._lock:
            self._kept.clear()
            self._edits += 1

    def document(self, path: Path) -> Document | None:
        """The text at a path, as an editor or else the disk has it; None where there is none."""
        with self._lock:
            if path in self._open:
                return self._open[path]
            try:
                data = disk.read_source(path)
            except OSError:
                return None
            text = data.decode("utf-8-sig", "replace")
            known = self._kept.get(path)
            if known is None or known.text != text:
                self._kept[path] = known = Document(path, text)
            return known

    @property
    def documents(self) -> tuple[Document, ...]:
        """The texts that an editor holds."""
        with self._lock:
            return tuple(self._open.values())

    def held_again(self, before: tuple[Document, ...]) -> None:
        """Let an editor hold the texts that it held before, and no others."""
        with self._lock:
            if before != self.documents:
                self._open = {one.path: one for one in before}
                self._reports.clear()
                self._edits += 1

    # --- the files of a game ---

    def rules_of(self, document: Document) -> Document | None:
        """The rules that a text is for: beside it, bundled, or on a shelf."""
        if document.language == "rules":
            return document
        name = document.game
        beside = document.path.parent / f"{name}.rules"
        found = self.document(beside) if name else None
        if found is None and name and (path := by_name(name)) is not None:
            found = self.document(path)
        return found

    def family(self, document: Document) -> list[Document]:
        """The texts of the game that a text is of, itself first."""
        rules, found = self.rules_of(document), {document.path: document}
        if rules is not None:
            found.setdefault(rules.path, rules)
        if document.game:
            for path in self._beside(document, rules):
                other = self.document(path)
                if other is None or other.game != document.game:
                    continue
                if other.language != "rules" or other is rules:
                    found.setdefault(path, other)
        return list(found.values())

    def _beside(self, document: Document, rules: Document | None) -> Iterator[Path]:
        """The paths at which files of the same game may stand."""
        folders = {document.path.parent: None}
        if rules is not None:
            folders[rules.path.parent] = None
            if bundled().get(document.game) == rules.path:
                folders[disk.root("patterns") / document.game] = None
        yield from [one.path for one in self.documents if one.path.parent in folders]
        for folder in folders:
            try:
                paths = sorted(p for p in folder.iterdir() if p.suffix in SUFFIXES)
            except OSError:
                continue
            yield from paths[:MOST_FILES]

    # --- meaning ---

    def report(self, document: Document) -> Report[Any]:
        """What a text means, and everything that is wrong with it, but for its claims."""
        with self._lock:
            known, edits = self._reports.get(document.path), self._edits
        alone = document.language == "rules"
        if known and known[0] is document and (alone or known[1] == edits):
            return known[2]
        report = self._report(document)  # others may ask meanwhile; at worst one does it again
        with self._lock:
            if document.open is (document.path in self._open):
                self._reports[document.path] = document, edits, report
        return report

    def _report(self, document: Document) -> Report[Any]:
        kind = document.kind
        if kind is None:
            return Report(document.source, document.diagnostics, None, None)
        game = self.game(document) if kind is not RULES else None
        with disk.held(self.texts()), self._memory.used():
            where = FileContext(game, document.path.parent)
            report = check_parsed(kind, document.parsed(), where)
        if kind is RULES and report.game is not None:
            self._good[document.path] = report.game
        return report

    def texts(self) -> dict[Path, bytes]:
        """What stands for files, because an editor holds it."""
        return {one.path: one.data for one in self.documents}

    def game(self, document: Document) -> Game | None:
        """The game that a text is of; if its rules are wrong now, as they were before."""
        rules = self.rules_of(document)
        if rules is None:
            return None
        found = self.report(rules).game
        return found if found is not None else self._good.get(rules.path)

    def diagnostics(self, document: Document) -> tuple[Diagnostic, ...]:
        """What is wrong with a text by its form and its meaning."""
        return tuple(self.report(document).diagnostics)

    def tried(self, document: Document) -> tuple[Diagnostic, ...]:
        """What its claims show besides, as far as `check` tries them and there is time."""
        report = self.report(document)
        try:
            with disk.held(self.texts()), within_seconds(TRIED_SECONDS, 1.0, ""):
                return tuple(tried(document.language, report)[0])
        except (OutOfBudget, RulewrightError):
            return ()

    # --- names ---

    def declarations(self, document: Document, mention: Mention) -> list[tuple[Document, Mention]]:
        """Where what a name stands for is declared: in several places where players differ."""
        own = [m for m in document.mentions if m.declares and m.same(mention)]
        if own or mention.home is not None:
            return [(document, m) for m in own]
        if mention.of in FILES:
            return self._file(document, mention)
        for other in self._seen_by(document):
            if other is document:
                continue
            found = [m for m in other.mentions if m.declares and _answers(m, mention)]
            if found:
                return [(other, m) for m in found]
        return self._chosen(document, mention)

    def _chosen(self, document: Document, mention: Mention) -> list[tuple[Document, Mention]]:
        """What moves choose under a name, which evaluators of moves can ask for."""
        rules = self.rules_of(document) if document.language == "evaluator" else None
        if rules is None or mention.of != NAME:
            return []
        chosen = (m for m in rules.mentions if m.kind == "choice" and m.text == mention.text)
        return [(rules, m) for m in chosen]

    def _file(self, document: Document, mention: Mention) -> list[tuple[Document, Mention]]:
        for other in self.family(document):
            for one in other.mentions:
                if one.declares and (one.of, one.text) == (mention.of, mention.text):
                    return [(other, one)]
            named = other.language == "patterns" and other.path.stem == mention.text
            if mention.of == "patterns" and named:
                return [(other, Mention(mention.text, _TOP, "patterns", "patterns"))]
        return []

    def _seen_by(self, document: Document) -> list[Document]:
        """The texts whose names a text can use: those it names come before the rules."""
        family = self.family(document)
        used = self._used(document, family, set())
        rules = [d for d in family if d.language == "rules"]
        others = [d for d in family if d.language == "evaluator"]
        loose = document.language in ("personality", "patterns") and not used
        return [*used, *(others if loose else ()), *rules]

    def _used(self, document: Document, family: list[Document], seen: set[Path]) -> list[Document]:
        """The texts that a text builds upon, directly or not."""
        found = []
        for mention in document.mentions:
            if mention.of not in _BUILT_UPON or mention.declares:
                continue
            for other in family:
                stem = other.path.stem == mention.text
                if stem and other.language == mention.of and other.path not in seen:
                    seen.add(other.path)
                    found += [other, *self._used(other, family, seen)]
        return found

    def visible(self, document: Document) -> dict[str, tuple[Document, Mention]]:
        """The names that are not local and that a text can use, by their text; the nearest wins."""
        found: dict[str, tuple[Document, Mention]] = {}
        for other in [document, *self._seen_by(document)]:
            for mention in other.mentions:
                if mention.declares and mention.home is None and mention.of == NAME:
                    found.setdefault(mention.text, (other, mention))
        return found

    def of(self, document: Document, what: str) -> dict[str, tuple[Document, Mention]]:
        """The moves, values or files of a kind that a text can name."""
        seen = self.family(document) if what in FILES else [document, *self._seen_by(document)]
        found: dict[str, tuple[Document, Mention]] = {}
        for other in seen:
            if what == "patterns" and other.language == "patterns":
                name = Mention(other.path.stem, _TOP, "patterns", "patterns")
                found.setdefault(other.path.stem, (other, name))
            for mention in other.mentions:
                if mention.declares and mention.of == what:
                    found.setdefault(mention.text, (other, mention))
        return found

    def references(self, document: Document, mention: Mention) -> list[tuple[Document, Mention]]:
        """Every place, in all files of the game, where a name means the same."""
        declared = self.declarations(document, mention)
        if not declared:
            return [(document, m) for m in document.mentions if m.same(mention)]
        home, first = declared[0]
        found = [(home, m) for m in home.mentions if m.same(first)]
        if first.home is not None:
            return found
        for other in self.family(document):
            if other is not home:
                uses = (m for m in other.mentions if not m.declares and _answers(first, m))
                found += [(other, m) for m in uses if self._means(other, m, home, first)]
        return found

    def _means(self, other: Document, use: Mention, home: Document, first: Mention) -> bool:
        declared = self.declarations(other, use)
        return bool(declared) and declared[0][0] is home and declared[0][1].same(first)


_TOP = Span(0, 1)


def _answers(declared: Mention, use: Mention) -> bool:
    """Whether a name of one text can be what another text uses."""
    if declared.home is not None or use.home is not None or declared.text != use.text:
        return False
    return declared.of == use.of
