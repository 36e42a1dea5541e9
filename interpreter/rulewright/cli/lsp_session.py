"""What one editor has open, what was found in it, and what is under way for it.

In: texts as they are opened and changed.  Out: places and edits in the words of the protocol, and
diagnostics: of a text's form at once, of its meaning when nothing was typed for a moment, of its
claims a little later, each only if the text is still the one that they are about; with them what
`cover`, `mutate` and `claims` said of its lines.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from attrs import define, field
from lsprotocol import types as t
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from rulewright.cli.lsp_answers import ProtocolLines, diagnostic, note, text_edits
from rulewright.language.diagnostics import Diagnostic
from rulewright.service import navigation, studies
from rulewright.service.document import Document
from rulewright.service.documents import Workspace
from rulewright.service.navigation import Edit
from rulewright.service.studies import Studies

MEANING, CLAIMS = 0.15, 0.8
"""Seconds without an edit before a text's meaning, and its claims, are looked at."""


class RequestRefused(JsonRpcException):
    """A request that has no answer, for a reason that the person at the editor is told."""

    CODE = t.LSPErrorCodes.RequestFailed.value


@define(eq=False)
class EditorSession:
    """What one editor has open, and what is under way for it."""

    server: LanguageServer
    workspace: Workspace = field(factory=Workspace)
    uris: dict[Path, str] = field(factory=dict)
    waiting: dict[Path, asyncio.Task[None]] = field(factory=dict)
    faulty: set[Path] = field(factory=set)
    """Texts whose form had mistakes that were shown."""
    found: dict[Path, tuple[Document, tuple[Diagnostic, ...]]] = field(factory=dict)
    """What was last found in each text, claims included."""
    studies: Studies = field(factory=Studies)
    running: dict[tuple[Path, str], Any] = field(factory=dict)
    """Commands that study a text, as processes; None for one that is about to begin."""
    worker: ThreadPoolExecutor = field(factory=partial(ThreadPoolExecutor, 1, "meaning"))

    @property
    def utf16(self) -> bool:
        """Whether the editor counts columns in UTF-16."""
        encoding = self.server.workspace.position_encoding
        return encoding == t.PositionEncodingKind.Utf16

    def path(self, uri: str) -> Path:
        """The path of a text; one that is not saved yet stands in no folder that there is."""
        found = to_fs_path(uri)
        named = found is not None and uri.startswith("file:") and _may_be(found)
        path = Path(found) if found and named else Path("/-unsaved") / _bare(uri)
        self.uris.setdefault(path, uri)
        return path

    def uri(self, path: Path) -> str:
        """The address of a text, as the editor wrote it if it did."""
        return self.uris.get(path) or from_fs_path(str(path)) or path.as_uri()

    def document(self, uri: str) -> Document:
        """The text at an address; raises `RequestRefused` where there is none."""
        found = self.workspace.document(self.path(uri))
        if found is None:
            raise RequestRefused(f"{uri} is not open and cannot be read")
        return found

    def at(self, params: Any) -> tuple[Document, int]:
        """The text and the place that a request is about."""
        document = self.document(params.text_document.uri)
        return document, self.lines(document).offset(params.position)

    def lines(self, document: Document) -> ProtocolLines:
        """The lines of a text as the editor counts them."""
        return ProtocolLines(document.text, self.utf16)

    def location(self, place: navigation.Location) -> t.Location:
        """A place in a text."""
        lines = self.lines(place.document)
        return t.Location(self.uri(place.document.path), lines.range(place.span))

    def workspace_edit(self, found: dict[Document, list[Edit]]) -> t.WorkspaceEdit:
        """Edits of texts in the state that they were worked out for."""
        changes = []
        for document, one in found.items():
            version = document.version if document.open else None
            named = t.OptionalVersionedTextDocumentIdentifier(self.uri(document.path), version)
            changes.append(t.TextDocumentEdit(named, text_edits(self.lines(document), one)))
        return t.WorkspaceEdit(document_changes=[*changes])

    # --- diagnostics ---

    def opened(self, uri: str, text: str, version: int | None) -> None:
        """Take a text, or its next state; tell what is wrong with its form, and look further."""
        document = self.workspace.open(self.path(uri), text, version)
        if document.diagnostics or document.path in self.faulty:
            self.publish(document, document.diagnostics)
            (self.faulty.add if document.diagnostics else self.faulty.discard)(document.path)
        self.look(document)
        for other in self.workspace.documents:
            if other is not document and other.game == document.game:
                self.look(other)

    def look(self, document: Document) -> None:
        """Look at what a text means when nothing was typed for a moment."""
        before = self.waiting.pop(document.path, None)
        if before is not None:
            before.cancel()
        self.waiting[document.path] = asyncio.ensure_future(self._look(document))

    async def _look(self, document: Document) -> None:
        await asyncio.sleep(MEANING)
        loop = asyncio.get_running_loop()
        work = partial(loop.run_in_executor, self.worker)
        found = await work(self.workspace.diagnostics, document)
        if not self.current(document):
            return
        self.publish(document, found)
        await asyncio.sleep(CLAIMS)
        more = await work(self.workspace.tried, document)
        recalled = await work(self.recall, document)
        if (more or recalled) and self.current(document):
            self.publish(document, (*found, *more))
        self.found[document.path] = (document, (*found, *more))

    def recall(self, document: Document) -> bool:
        """Take what `mutate` has kept of a text that nothing is known of in this session."""
        if any(one.what == "mutate" for one in self.studies.of(document)):
            return False
        study = studies.kept(document)
        if study is not None:
            self.studies.add(document.path, study)
        return study is not None

    def published_again(self, document: Document) -> None:
        """Publish what was last found in a text with what is said beside its lines now."""
        known, found = self.found.get(document.path, (None, ()))
        self.publish(document, found if known is document else document.diagnostics)

    def current(self, document: Document) -> bool:
        """Whether a text is still the one that the editor shows."""
        return self.workspace.document(document.path) is document

    def publish(self, document: Document, found: Iterable[Diagnostic]) -> None:
        """Tell the editor what was found, and what is said beside the lines."""
        lines = self.lines(document)
        shown = [diagnostic(lines, document, one) for one in found]
        for span, what, one in self.studies.notes(document):
            if one.line:  # what is said of the whole text is offered as actions
                shown.append(note(lines, span, what, one))
        self.server.text_document_publish_diagnostics(
            t.PublishDiagnosticsParams(self.uri(document.path), shown, document.version)
        )


def _may_be(path: str) -> bool:
    """Whether a system can have a file of this name."""
    try:
        return "\0" not in path and bool(os.fsencode(path))
    except UnicodeEncodeError:  # half a letter
        return False


def _bare(uri: str) -> str:
    return re.sub(r"[^\w.-]+", "-", uri)[-80:].strip("-") or "text"
