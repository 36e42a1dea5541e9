"""The session of an editor: its open texts, their diagnostics, and running studies.

In: texts as they are opened and changed.  Out: places and edits in the terms of the protocol, and
diagnostics: of syntax at once, of meaning after a short pause in typing, of claims a little later,
each only if the text has not changed meanwhile; with them the notes of `cover`, `mutate` and
`claims`.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from attrs import define, field
from lsprotocol import types as t
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from rulewright.app.cli.lsp_answers import ProtocolLines, diagnostic, note, text_edits
from rulewright.app.service import navigation, studies
from rulewright.app.service.document import Document
from rulewright.app.service.documents import Workspace
from rulewright.app.service.navigation import Edit
from rulewright.app.service.studies import Studies
from rulewright.ground.printable import amount
from rulewright.language.diagnostics import Diagnostic

FORM, MEANING, CLAIMS = 0.02, 0.15, 0.8
"""Seconds without an edit before a text is read, then its meaning checked, then its claims.

What the editor asks at once, such as an outline, is answered before the text is read.
"""


class RequestRefused(JsonRpcException):
    """Raised for a request without an answer; the editor shows the message."""

    CODE = t.LSPErrorCodes.RequestFailed.value


@define(eq=False)
class EditorSession:
    """The open texts of an editor, their diagnostics, and the studies that run for it."""

    server: LanguageServer
    workspace: Workspace = field(factory=Workspace)
    uris: dict[Path, str] = field(factory=dict)
    waiting: dict[Path, asyncio.Task[None]] = field(factory=dict)
    faulty: set[Path] = field(factory=set)
    """Texts whose syntax errors are shown."""
    published: dict[Path, tuple[Document, tuple[Diagnostic, ...]]] = field(factory=dict)
    """The last diagnostics of each text, those of claims included."""
    studies: Studies = field(factory=Studies)
    running: dict[tuple[Path, str], Any] = field(factory=dict)
    """The processes of commands that study a text; None for one that is about to begin."""
    reader: ThreadPoolExecutor = field(factory=partial(ThreadPoolExecutor, 1, "form"))
    worker: ThreadPoolExecutor = field(factory=partial(ThreadPoolExecutor, 1, "meaning"))

    @property
    def utf16(self) -> bool:
        """Whether the editor counts columns in UTF-16."""
        encoding = self.server.workspace.position_encoding
        return encoding == t.PositionEncodingKind.Utf16

    def path(self, uri: str) -> Path:
        """The path of a text; for one that is not saved yet, a path that does not exist."""
        file = to_fs_path(uri)
        is_path = file is not None and uri.startswith("file:") and _may_be(file)
        path = Path(file) if file and is_path else Path("/-unsaved") / _bare(uri)
        self.uris.setdefault(path, uri)
        return path

    def uri(self, path: Path) -> str:
        """The address of a text, as the editor writes it."""
        return self.uris.get(path) or from_fs_path(str(path)) or path.as_uri()

    def document(self, uri: str) -> Document:
        """The text at an address; raises `RequestRefused` where there is none."""
        document = self.workspace.document(self.path(uri))
        if document is None:
            raise RequestRefused(f"{uri} is not open and cannot be read")
        return document

    def text(self, params: Any) -> tuple[Document, ProtocolLines]:
        """The text of a request, and its lines."""
        document = self.document(params.text_document.uri)
        return document, self.lines(document)

    def at(self, params: Any) -> tuple[Document, int]:
        """The text of a request, and the offset of its position; refuses one below the text."""
        document, lines = self.text(params)
        if params.position.line >= lines.count:
            has = f"{document.name} has {amount(lines.count, 'line')}"
            raise RequestRefused(f"{has}: none has the number {params.position.line}, from 0")
        return document, lines.offset(params.position)

    def lines(self, document: Document) -> ProtocolLines:
        """The lines of a text as the editor counts them."""
        return ProtocolLines(document.text, self.utf16)

    def location(self, place: navigation.Location) -> t.Location:
        """A place in a text, as the protocol has it."""
        lines = self.lines(place.document)
        return t.Location(self.uri(place.document.path), lines.range(place.span))

    def workspace_edit(self, edits: dict[Document, list[Edit]]) -> t.WorkspaceEdit:
        """Edits of texts, for the versions that they were made for."""
        changes = []
        for document, own in edits.items():
            version = document.version if document.open else None
            identifier = t.OptionalVersionedTextDocumentIdentifier(self.uri(document.path), version)
            changes.append(t.TextDocumentEdit(identifier, text_edits(self.lines(document), own)))
        return t.WorkspaceEdit(document_changes=[*changes])

    # --- diagnostics ---

    def opened(self, uri: str, text: str, version: int | None) -> None:
        """Take a text, or its next version; syntax errors are published soon, the rest later."""
        document = self.workspace.open(self.path(uri), text, version)
        self._later(document, self._read(document))

    def look(self, document: Document) -> None:
        """Check the meaning of a text after a short pause in typing."""
        self._later(document, self._look(document))

    def _later(self, document: Document, work: Coroutine[Any, Any, None]) -> None:
        """Do some work on a text in place of what waits to be done on it."""
        before = self.waiting.pop(document.path, None)
        if before is not None:
            before.cancel()
        self.waiting[document.path] = asyncio.ensure_future(work)

    async def _read(self, document: Document) -> None:
        """Publish the syntax errors of a text, then check it and the others of its game."""
        await asyncio.sleep(FORM)
        run = asyncio.get_running_loop().run_in_executor
        problems, game = await run(self.reader, lambda: (document.diagnostics, document.game))
        if not self.current(document):
            return
        if not self.pulls and (problems or document.path in self.faulty):
            self.publish(document, problems)
            (self.faulty.add if problems else self.faulty.discard)(document.path)
        for other in self.workspace.documents:
            if other is not document and other.game == game:
                self.look(other)
        await self._look(document)

    async def _look(self, document: Document) -> None:
        await asyncio.sleep(MEANING)
        loop = asyncio.get_running_loop()
        work = partial(loop.run_in_executor, self.worker)
        diagnostics = await work(self.workspace.diagnostics, document)
        if not self.current(document):
            return
        if not self.pulls:
            self.publish(document, diagnostics)
        await asyncio.sleep(CLAIMS)
        more = await work(self.workspace.claim_diagnostics, document)
        recalled = await work(self.recall, document)
        self.published[document.path] = (document, (*diagnostics, *more))
        if (more or recalled) and self.current(document):
            self.publish(document, (*diagnostics, *more))

    @property
    def pulls(self) -> bool:
        """Whether the editor asks for diagnostics, again where it is told that there are others."""
        able = self.server.client_capabilities
        texts, workspace = able.text_document, able.workspace
        again = workspace and workspace.diagnostics and workspace.diagnostics.refresh_support
        return bool(texts and texts.diagnostic and again)

    async def pulled(self, document: Document) -> list[t.Diagnostic]:
        """All that is known against a text, for an editor that asks."""
        before, diagnostics = self.published.get(document.path, (None, ()))
        if before is not document:
            run = asyncio.get_running_loop().run_in_executor
            diagnostics = await run(self.worker, self.workspace.diagnostics, document)
        return self.items(document, diagnostics)

    def recall(self, document: Document) -> bool:
        """Load what `mutate` has kept of a text; whether there was anything new."""
        if any(study.command == "mutate" for study in self.studies.of(document)):
            return False
        study = studies.kept_study(document)
        if study is not None:
            self.studies.add(document.path, study)
        return study is not None

    def published_again(self, document: Document) -> None:
        """Publish the last diagnostics of a text again, with the current notes."""
        document_before, diagnostics = self.published.get(document.path, (None, ()))
        self.publish(document, diagnostics if document_before is document else document.diagnostics)

    def current(self, document: Document) -> bool:
        """Whether a text is still the one that the editor shows."""
        return self.workspace.document(document.path) is document

    def publish(self, document: Document, diagnostics: Iterable[Diagnostic]) -> None:
        """Send the diagnostics of a text to the editor, or have it ask for them."""
        if self.pulls:
            self.server.workspace_diagnostic_refresh(None)
            return
        items = self.items(document, diagnostics)
        self.server.text_document_publish_diagnostics(
            t.PublishDiagnosticsParams(self.uri(document.path), items, document.version)
        )

    def items(self, document: Document, diagnostics: Iterable[Diagnostic]) -> list[t.Diagnostic]:
        """Diagnostics as the protocol has them, with the notes about the lines of a text."""
        lines = self.lines(document)
        items = [diagnostic(lines, document, item) for item in diagnostics]
        for span, command, item in self.studies.notes(document):
            if item.line:  # notes about the whole text are offered as actions instead
                items.append(note(lines, span, command, item))
        return items


def _may_be(path: str) -> bool:
    """Whether the system can have a file of this name."""
    try:
        return "\0" not in path and bool(os.fsencode(path))
    except UnicodeEncodeError:  # half a letter
        return False


def _bare(uri: str) -> str:
    return re.sub(r"[^\w.-]+", "-", uri)[-80:].strip("-") or "text"
