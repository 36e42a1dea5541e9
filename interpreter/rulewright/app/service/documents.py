"""The workspace of an editor: open texts, the files beside them, and their names and diagnostics.

In: texts that are opened, changed and closed, by their paths.  Out: documents, the files of a game,
declarations and uses of names, diagnostics: of syntax, of meaning (resolved with the rules that a
text is for), and of claims as far as `check` tries them.  Open texts stand in for their files.
While a rules file has mistakes, files that build on it are resolved with its last good version.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from threading import RLock
from typing import Any, TypeAlias

from attrs import define, field

from rulewright.app.service.document import Document
from rulewright.app.service.names import FILES, Mention
from rulewright.checks.cases import SUFFIX
from rulewright.checks.tried import try_claims
from rulewright.errors import OutOfBudget, RulewrightError
from rulewright.games.engine.game import Game
from rulewright.games.files import catalog
from rulewright.games.files.bases import base_files
from rulewright.games.files.games import RULES, bundled_games, by_name
from rulewright.games.files.kinds import FileContext, KnownReports, Report, check_parsed
from rulewright.ground import disk
from rulewright.ground.budget import within_seconds
from rulewright.language.diagnostics import Diagnostic
from rulewright.language.parse_cache import KeptLines
from rulewright.language.source import Span
from rulewright.language.syntax import NAME

SUFFIXES = (*catalog.by_suffix(), SUFFIX)
MOST_FILES = 400
"""Files of a folder that are searched for those of a game."""
TRIED_SECONDS = 10.0
"""Seconds for trying the claims of a text after an edit."""
_BUILT_UPON = frozenset(kind.name for kind in catalog.KINDS if kind is not RULES)
"""Kinds of files that other files name, besides rules."""
NamedPlace: TypeAlias = tuple[Document, Mention]
"""A name in a text."""


@define(eq=False)
class Workspace:
    """Open documents and the files beside them; safe for several threads."""

    _open: dict[Path, Document] = field(factory=dict)
    _documents: dict[Path, Document] = field(factory=dict)
    """Files that are not open, as last read."""
    _reports: dict[Path, tuple[Document, int, Report[Any]]] = field(factory=dict)
    _last_games: dict[Path, Game] = field(factory=dict)
    """The game of each rules file, of its last version without mistakes."""
    _memory: KnownReports = field(factory=KnownReports)
    """Reports about files that other files name."""
    _edits: int = 0
    _lock: RLock = field(factory=RLock)

    # --- texts ---

    def open(self, path: Path, text: str, version: int | None = None) -> Document:
        """Open a text, or a new version of it, in place of the file at its path."""
        with self._lock:
            before = self._open.get(path)
            lines = before.kept_lines if before is not None else KeptLines()
            document = Document(path, text, version, open=True, kept_lines=lines)
            self._open[path] = document
            self._edits += 1
        return document

    def close(self, path: Path) -> None:
        """Close a text: from now on the file at its path counts."""
        with self._lock:
            self._open.pop(path, None)
            self._reports.pop(path, None)
            self._edits += 1

    def files_changed(self) -> None:
        """Read files again, as another program may have written some."""
        with self._lock:
            self._documents.clear()
            self._edits += 1

    def document(self, path: Path) -> Document | None:
        """The open text at a path, else the file; None if there is neither."""
        with self._lock:
            if path in self._open:
                return self._open[path]
            try:
                data = disk.read_source(path)
            except OSError:
                return None
            text = data.decode("utf-8-sig", "replace")
            document = self._documents.get(path)
            if document is None or document.text != text:
                self._documents[path] = document = Document(path, text)
            return document

    @property
    def documents(self) -> tuple[Document, ...]:
        """The open texts."""
        with self._lock:
            return tuple(self._open.values())

    def restore(self, before: tuple[Document, ...]) -> None:
        """Have these texts open, and no others."""
        with self._lock:
            if before != self.documents:
                self._open = {document.path: document for document in before}
                self._reports.clear()
                self._edits += 1

    # --- the files of a game ---

    def rules_of(self, document: Document) -> Document | None:
        """The rules that a text is for: beside it, bundled, or on a shelf; None if not found."""
        if document.language == "rules":
            return document
        name = document.game
        beside = document.path.parent / f"{name}.rules"
        rules = self.document(beside) if name else None
        if rules is None and name and (path := by_name(name)) is not None:
            rules = self.document(path)
        return rules

    def bases_of(self, document: Document) -> list[Document]:
        """The texts that the rules of a text build on, the nearest first."""
        with disk.held_texts(self.texts()):
            files = base_files(document.data, document.path.parent, by_name)
            paths = [path for path, _ in files] if document.language == "rules" else []
        return [base for path in paths if (base := self.document(path)) is not None]

    def family(self, document: Document) -> list[Document]:
        """The texts of the game of a text, itself first."""
        rules, members = self.rules_of(document), {document.path: document}
        if rules is not None:
            members.setdefault(rules.path, rules)
        if document.game:
            for path in self._beside(document, rules):
                other = self.document(path)
                if other is None or other.game != document.game:
                    continue
                if other.language != "rules" or other is rules:
                    members.setdefault(path, other)
        return list(members.values())

    def _kin(self, document: Document) -> list[Document]:
        """The texts of the game of a text, and of the games that it builds on."""
        bases = self.bases_of(self.rules_of(document) or document)
        families = [self.family(document), *(self.family(base) for base in bases)]
        return list(chain.from_iterable(families))

    def _beside(self, document: Document, rules: Document | None) -> Iterator[Path]:
        """The paths of files that may belong to the same game."""
        folders = {document.path.parent: None}
        if rules is not None:
            folders[rules.path.parent] = None
            if bundled_games().get(document.game) == rules.path:
                folders[disk.root("patterns") / document.game] = None
        yield from [other.path for other in self.documents if other.path.parent in folders]
        for folder in folders:
            try:
                paths = sorted(p for p in folder.iterdir() if p.suffix in SUFFIXES)
            except OSError:
                continue
            yield from paths[:MOST_FILES]

    # --- meaning ---

    def report(self, document: Document) -> Report[Any]:
        """The model of a text and its mistakes, except those of its claims."""
        with self._lock:
            entry, edits = self._reports.get(document.path), self._edits
        alone = document.language == "rules" and not self.bases_of(document)
        if entry and entry[0] is document and (alone or entry[1] == edits):
            return entry[2]
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
        with disk.held_texts(self.texts()), self._memory.used():
            context = FileContext(game, document.path.parent)
            report = check_parsed(kind, document.parsed(), context)
        if kind is RULES and report.game is not None:
            self._last_games[document.path] = report.game
        return report

    def texts(self) -> dict[Path, bytes]:
        """The bytes of the open texts, by path."""
        return {document.path: document.data for document in self.documents}

    def game(self, document: Document) -> Game | None:
        """The game of a text; if its rules have mistakes, by their last good version."""
        rules = self.rules_of(document)
        if rules is None:
            return None
        game = self.report(rules).game
        return game if game is not None else self._last_games.get(rules.path)

    def diagnostics(self, document: Document) -> tuple[Diagnostic, ...]:
        """The mistakes of a text in syntax and meaning."""
        return tuple(self.report(document).diagnostics)

    def claim_diagnostics(self, document: Document) -> tuple[Diagnostic, ...]:
        """The mistakes in the claims of a text, as far as `check` tries them and there is time."""
        report = self.report(document)
        try:
            with disk.held_texts(self.texts()), within_seconds(TRIED_SECONDS, 1.0, ""):
                return tuple(try_claims(document.language, report)[0])
        except (OutOfBudget, RulewrightError):
            return ()

    # --- names ---

    def declarations(self, document: Document, mention: Mention) -> list[NamedPlace]:
        """The declarations of a name: several where players have their own."""
        own = [m for m in document.mentions if m.declares and m.same(mention)]
        if own or mention.home is not None:
            return [(document, m) for m in own]
        if mention.of in FILES:
            return self._file_declarations(document, mention)
        for other in self._sources_of_names(document):
            if other is document:
                continue
            declared = [m for m in other.mentions if m.declares and _can_refer_to(m, mention)]
            if declared:
                return [(other, m) for m in declared]
        return self._choice_declarations(document, mention)

    def _choice_declarations(self, document: Document, mention: Mention) -> list[NamedPlace]:
        """The choices of moves with a name, which evaluators of moves can use.

        So can moves into which the lines of a base's move are taken.
        """
        if mention.of != NAME or document.language not in ("evaluator", "rules"):
            return []
        evaluated = self.rules_of(document) if document.language == "evaluator" else None
        homes = self.bases_of(evaluated or document)
        homes = [evaluated, *homes] if evaluated else homes
        return [
            (home, m)
            for home in homes
            for m in home.mentions
            if m.kind == "choice" and m.text == mention.text
        ]

    def _file_declarations(self, document: Document, mention: Mention) -> list[NamedPlace]:
        """The file that a name stands for."""
        key = (True, mention.of, mention.text)
        for other in self._kin(document):
            for use in other.mentions:
                if (use.declares, use.of, use.text) == key:
                    return [(other, use)]
            is_namesake = other.language == "patterns" and other.path.stem == mention.text
            if mention.of == "patterns" and is_namesake:
                return [(other, Mention(mention.text, _TOP, "patterns", "patterns"))]
        return []

    def _sources_of_names(self, document: Document) -> list[Document]:
        """The texts whose names a text can use: those that it names, then the rules."""
        family = self.family(document)
        sources = self._built_upon(document, self._kin(document), set())
        rules = [d for d in family if d.language == "rules"]
        evaluators = [d for d in family if d.language == "evaluator"]
        loose = document.language in ("personality", "patterns") and not sources
        bases = [base for d in rules for base in self.bases_of(d)]
        return [*sources, *(evaluators if loose else ()), *rules, *bases]

    def _built_upon(
        self, document: Document, family: list[Document], paths: set[Path]
    ) -> list[Document]:
        """The texts that a text names, and those that they name."""
        sources = []
        for mention in document.mentions:
            if mention.of not in _BUILT_UPON or mention.declares:
                continue
            for other in family:
                stem = other.path.stem == mention.text
                if stem and other.language == mention.of and other.path not in paths:
                    paths.add(other.path)
                    sources += [other, *self._built_upon(other, family, paths)]
        return sources

    def visible(self, document: Document) -> dict[str, NamedPlace]:
        """The declarations of the global names that a text can use; the nearest wins."""
        declared: dict[str, NamedPlace] = {}
        for other in [document, *self._sources_of_names(document)]:
            for mention in other.mentions:
                if mention.declares and mention.home is None and mention.of == NAME:
                    declared.setdefault(mention.text, (other, mention))
        return declared

    def of(self, document: Document, kind: str) -> dict[str, NamedPlace]:
        """The moves, values or files of a kind that a text can name."""
        sources = [document, *self._sources_of_names(document)]
        declared: dict[str, NamedPlace] = {}
        for other in self.family(document) if kind in FILES else sources:
            if kind == "patterns" and other.language == "patterns":
                name = Mention(other.path.stem, _TOP, "patterns", "patterns")
                declared.setdefault(other.path.stem, (other, name))
            for mention in other.mentions:
                if mention.declares and mention.of == kind:
                    declared.setdefault(mention.text, (other, mention))
        return declared

    def references(self, document: Document, mention: Mention) -> list[NamedPlace]:
        """Every place in the files of the game where the name means the same."""
        declared = self.declarations(document, mention)
        if not declared:
            return [(document, m) for m in document.mentions if m.same(mention)]
        home, first = declared[0]
        places = [(home, m) for m in home.mentions if m.same(first)]
        if first.home is not None:
            return places
        for other in self.family(document):
            if other is not home:
                uses = (m for m in other.mentions if not m.declares and _can_refer_to(first, m))
                places += [(other, m) for m in uses if self._refers_to(other, m, home, first)]
        return places

    def _refers_to(self, other: Document, use: Mention, home: Document, first: Mention) -> bool:
        declared = self.declarations(other, use)
        return bool(declared) and declared[0][0] is home and declared[0][1].same(first)


_TOP = Span(0, 1)


def _can_refer_to(declared: Mention, use: Mention) -> bool:
    """Whether the use of a name in another text can refer to a declaration: neither is local."""
    alike = (declared.text, declared.of) == (use.text, use.of)
    return alike and declared.home is None and use.home is None
