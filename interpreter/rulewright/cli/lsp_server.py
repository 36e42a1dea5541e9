"""The language service as a server: requests of an editor to answers of `rulewright.service`.

In: messages of the Language Server Protocol.  Out: answers about the text as it is when the request
comes; diagnostics of its form at once, of its meaning when nothing was typed for a moment, of its
claims a little later, each only if the text is still the one that they are about.  What is wrong in
a request (a place beyond the text, a file that is not open) has an empty answer or a message.

Texts come whole with every change: they are small, and so no two programs count lines differently.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from attrs import define, field
from lsprotocol import types as t
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from rulewright import __version__
from rulewright.cli.lsp_answers import Lines, diagnostic, item_of, numbers, symbol, text_edits
from rulewright.language.diagnostics import Diagnostic
from rulewright.language.source import Span
from rulewright.service import completion, edits, hover, lenses, navigation, tokens
from rulewright.service.document import Document
from rulewright.service.navigation import CannotRename, Edit
from rulewright.service.workspace import Workspace

MEANING, CLAIMS = 0.15, 0.8
"""Seconds without an edit before a text's meaning, and its claims, are looked at."""
_MODIFIERS = ("declaration", "defaultLibrary")


class Refused(JsonRpcException):
    """A request that has no answer, for a reason that the person at the editor is told."""

    CODE = t.LSPErrorCodes.RequestFailed.value


def _is_news(record: logging.LogRecord) -> bool:
    """Whether a line of the log is about more than a refusal, which the editor shows."""
    return not (record.exc_info and record.exc_info[0] is Refused)


# --- the server ---


@define(eq=False)
class _Session:
    """What one editor has open, and what is under way for it."""

    server: LanguageServer
    workspace: Workspace = field(factory=Workspace)
    uris: dict[Path, str] = field(factory=dict)
    waiting: dict[Path, asyncio.Task[None]] = field(factory=dict)
    faulty: set[Path] = field(factory=set)
    """Texts whose form had mistakes that were shown."""
    worker: ThreadPoolExecutor = field(factory=partial(ThreadPoolExecutor, 1, "meaning"))

    @property
    def utf16(self) -> bool:
        encoding = self.server.workspace.position_encoding
        return encoding == t.PositionEncodingKind.Utf16

    def path(self, uri: str) -> Path:
        """The path of a text; one that is not saved yet stands in no folder that there is."""
        found = to_fs_path(uri)
        path = Path(found) if found and uri.startswith("file:") else Path("/-unsaved") / _bare(uri)
        self.uris.setdefault(path, uri)
        return path

    def uri(self, path: Path) -> str:
        return self.uris.get(path) or from_fs_path(str(path)) or path.as_uri()

    def document(self, uri: str) -> Document:
        found = self.workspace.document(self.path(uri))
        if found is None:
            raise Refused(f"{uri} is not open and cannot be read")
        return found

    def at(self, params: Any) -> tuple[Document, int]:
        """The text and the place that a request is about."""
        document = self.document(params.text_document.uri)
        return document, self.lines(document).offset(params.position)

    def lines(self, document: Document) -> Lines:
        return Lines(document.text, self.utf16)

    def location(self, place: navigation.Location) -> t.Location:
        lines = self.lines(place.document)
        return t.Location(self.uri(place.document.path), lines.range(place.span))

    # --- diagnostics ---

    def opened(self, uri: str, text: str, version: int | None) -> None:
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
        if more and self.current(document):
            self.publish(document, (*found, *more))

    def current(self, document: Document) -> bool:
        """Whether a text is still the one that the editor shows."""
        return self.workspace.document(document.path) is document

    def publish(self, document: Document, found: Iterable[Diagnostic]) -> None:
        lines = self.lines(document)
        shown = [diagnostic(lines, document, one) for one in found]
        self.server.text_document_publish_diagnostics(
            t.PublishDiagnosticsParams(self.uri(document.path), shown, document.version)
        )


def _bare(uri: str) -> str:
    return re.sub(r"[^\w.-]+", "-", uri)[-80:].strip("-") or "text"


def server() -> LanguageServer:
    """A server for one editor; the caller starts it."""
    made = LanguageServer(
        "rulewright", __version__, text_document_sync_kind=t.TextDocumentSyncKind.Full
    )
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_news)
    session = _Session(made)
    for add in (_texts, _reading, _finding, _changing, _mending, _showing, _telling, _commands):
        add(made, session)
    return made


def _texts(made: LanguageServer, session: _Session) -> None:
    @made.feature(t.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: t.DidOpenTextDocumentParams) -> None:
        one = params.text_document
        session.opened(one.uri, one.text, one.version)

    @made.feature(t.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: t.DidChangeTextDocumentParams) -> None:
        one = params.text_document
        session.opened(one.uri, params.content_changes[-1].text, one.version)

    @made.feature(t.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: t.DidCloseTextDocumentParams) -> None:
        path = session.path(params.text_document.uri)
        session.workspace.close(path)
        session.faulty.discard(path)
        waiting = session.waiting.pop(path, None)
        if waiting is not None:
            waiting.cancel()
        nothing = t.PublishDiagnosticsParams(params.text_document.uri, [])
        made.text_document_publish_diagnostics(nothing)

    @made.feature(t.TEXT_DOCUMENT_DID_SAVE)
    @made.feature(t.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def saved(_: Any) -> None:
        session.workspace.files_changed()
        for document in session.workspace.documents:
            session.look(document)


def _reading(made: LanguageServer, session: _Session) -> None:
    workspace = session.workspace

    @made.feature(t.TEXT_DOCUMENT_HOVER)
    def hovered(params: t.HoverParams) -> t.Hover | None:
        document, offset = session.at(params)
        found = hover.hover(workspace, document, offset)
        if found is None:
            return None
        text = t.MarkupContent(t.MarkupKind.Markdown, found.text)
        return t.Hover(text, session.lines(document).range(found.span))

    @made.feature(
        t.TEXT_DOCUMENT_COMPLETION, t.CompletionOptions(trigger_characters=[" ", "(", "{", ","])
    )
    def completed(params: t.CompletionParams) -> t.CompletionList:
        document, offset = session.at(params)
        found = completion.complete(workspace, document, offset)
        place = session.lines(document).range(found.span)
        return t.CompletionList(
            False, [item_of(item, place, n, _snippets(made)) for n, item in enumerate(found.items)]
        )


def _finding(made: LanguageServer, session: _Session) -> None:
    workspace = session.workspace

    @made.feature(t.TEXT_DOCUMENT_DEFINITION)
    def defined(params: t.DefinitionParams) -> list[t.Location]:
        return [session.location(p) for p in navigation.definition(workspace, *session.at(params))]

    @made.feature(t.TEXT_DOCUMENT_REFERENCES)
    def referred(params: t.ReferenceParams) -> list[t.Location]:
        also = params.context.include_declaration
        found = navigation.references(workspace, *session.at(params), declared=also)
        return [session.location(p) for p in found]

    @made.feature(t.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlighted(params: t.DocumentHighlightParams) -> list[t.DocumentHighlight]:
        document, offset = session.at(params)
        found = navigation.references(workspace, document, offset)
        lines = session.lines(document)
        return [t.DocumentHighlight(lines.range(p.span)) for p in found if p.document is document]


def _changing(made: LanguageServer, session: _Session) -> None:
    workspace = session.workspace

    @made.feature(t.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepared(params: t.PrepareRenameParams) -> t.Range:
        document = session.document(params.text_document.uri)
        lines = session.lines(document)
        offset = lines.offset(params.position)
        mention = _refusing(navigation.renamable, workspace, document, offset)
        return lines.range(mention.span)

    @made.feature(t.TEXT_DOCUMENT_RENAME, t.RenameOptions(prepare_provider=True))
    def renamed(params: t.RenameParams) -> t.WorkspaceEdit:
        document = session.document(params.text_document.uri)
        offset = session.lines(document).offset(params.position)
        found = _refusing(navigation.rename, workspace, document, offset, params.new_name)
        return _workspace_edit(session, found)


def _mending(made: LanguageServer, session: _Session) -> None:
    workspace = session.workspace

    @made.feature(t.TEXT_DOCUMENT_FORMATTING)
    def formatted(params: t.DocumentFormattingParams) -> list[t.TextEdit]:
        document = session.document(params.text_document.uri)
        return text_edits(session.lines(document), edits.formatting(document))

    @made.feature(t.TEXT_DOCUMENT_RANGE_FORMATTING)
    def formatted_part(params: t.DocumentRangeFormattingParams) -> list[t.TextEdit]:
        document = session.document(params.text_document.uri)
        lines = session.lines(document)
        span = Span(lines.offset(params.range.start), lines.offset(params.range.end))
        return text_edits(lines, edits.formatting_of(document, span.start, span.end))

    @made.feature(
        t.TEXT_DOCUMENT_CODE_ACTION,
        t.CodeActionOptions(code_action_kinds=[t.CodeActionKind.QuickFix]),
    )
    def acted(params: t.CodeActionParams) -> list[t.CodeAction]:
        document = session.document(params.text_document.uri)
        lines = session.lines(document)
        first, last = lines.offset(params.range.start), lines.offset(params.range.end)
        found = []
        for action in edits.actions(document, workspace.diagnostics(document)):
            assert action.mends is not None
            span = edits.span_of(document, action.mends)
            if span.start <= last and first <= span.end:
                found.append(_action(session, document, action))
        return found


def _showing(made: LanguageServer, session: _Session) -> None:
    workspace = session.workspace

    @made.feature(t.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def outlined(params: t.DocumentSymbolParams) -> list[t.DocumentSymbol]:
        document = session.document(params.text_document.uri)
        lines = session.lines(document)
        return [symbol(lines, entry) for entry in navigation.outline(document)]

    @made.feature(t.TEXT_DOCUMENT_FOLDING_RANGE)
    def folded(params: t.FoldingRangeParams) -> list[t.FoldingRange]:
        kinds = {True: t.FoldingRangeKind.Comment, False: None}
        found = navigation.folds(session.document(params.text_document.uri))
        return [t.FoldingRange(f.first - 1, f.last - 1, kind=kinds[f.comment]) for f in found]

    legend = t.SemanticTokensLegend([*tokens.KINDS], [*_MODIFIERS])

    @made.feature(t.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    def coloured(params: t.SemanticTokensParams) -> t.SemanticTokens:
        document = session.document(params.text_document.uri)
        found = tokens.colours(workspace, document)
        return t.SemanticTokens(numbers(session.lines(document), found))


def _telling(made: LanguageServer, session: _Session) -> None:
    workspace = session.workspace

    @made.feature(t.TEXT_DOCUMENT_INLAY_HINT)
    def hinted(params: t.InlayHintParams) -> list[t.InlayHint]:
        document = session.document(params.text_document.uri)
        lines = session.lines(document)
        first, last = lines.offset(params.range.start), lines.offset(params.range.end)
        found = hover.inlays(workspace, document, first, last)
        kind = t.InlayHintKind.Type
        return [t.InlayHint(lines.position(f.span.start), f.text, kind) for f in found]

    @made.feature(t.TEXT_DOCUMENT_CODE_LENS, t.CodeLensOptions(resolve_provider=True))
    def lensed(params: t.CodeLensParams) -> list[t.CodeLens]:
        uri = params.text_document.uri
        document = session.document(uri)
        lines = session.lines(document)
        found = []
        for lens in lenses.lenses(document):
            place = lines.range(lens.span)
            plain = lens.what in ("play", "test")
            command = t.Command(lens.what, f"rulewright.{lens.what}", arguments=[uri])
            data = {"uri": uri, "what": lens.what, "version": document.version}
            found.append(t.CodeLens(place, command if plain else None, data))
        return found

    @made.feature(t.CODE_LENS_RESOLVE)
    @made.thread()
    def resolved(lens: t.CodeLens) -> t.CodeLens:
        data: Any = lens.data
        document = session.document(data["uri"])
        text = lenses.told(workspace, document, data["what"])
        if document.version != data["version"] or not text:
            text = text and "..."
        name = "rulewright.claimPerft" if data["what"] == "perft" and text else ""
        return t.CodeLens(lens.range, t.Command(text, name, arguments=[data["uri"]]), data)


def _commands(made: LanguageServer, session: _Session) -> None:
    @made.command("rulewright.claimPerft")
    async def claim(uri: str) -> None:
        """Write what was counted as a claim of the file."""
        document = session.document(uri)
        work = asyncio.get_running_loop().run_in_executor
        edit = await work(None, lenses.claim_of, session.workspace, document)
        if edit is not None and session.current(document):
            change = _workspace_edit(session, {document: [edit]})
            params = t.ApplyWorkspaceEditParams(change, "Write perft as a claim")
            await made.workspace_apply_edit_async(params)


# --- answers ---


def _refusing(question: Callable[..., Any], *arguments: Any) -> Any:
    """An answer, or the reason why there is none as an error of the protocol."""
    try:
        return question(*arguments)
    except CannotRename as error:
        raise Refused(str(error)) from None


def _snippets(made: LanguageServer) -> bool:
    documents = made.client_capabilities.text_document
    known = documents.completion if documents else None
    item = known.completion_item if known else None
    return bool(item and item.snippet_support)


def _workspace_edit(session: _Session, found: dict[Document, list[Edit]]) -> t.WorkspaceEdit:
    """Edits of texts in the state that they were worked out for."""
    changes = []
    for document, one in found.items():
        version = document.version if document.open else None
        named = t.OptionalVersionedTextDocumentIdentifier(session.uri(document.path), version)
        changes.append(t.TextDocumentEdit(named, text_edits(session.lines(document), one)))
    return t.WorkspaceEdit(document_changes=[*changes])


def _action(session: _Session, document: Document, action: edits.Action) -> t.CodeAction:
    lines = session.lines(document)
    assert action.mends is not None
    return t.CodeAction(
        action.title,
        t.CodeActionKind.QuickFix,
        diagnostics=[diagnostic(lines, document, action.mends)],
        is_preferred=True,
        edit=_workspace_edit(session, {document: [*action.edits]}),
    )
