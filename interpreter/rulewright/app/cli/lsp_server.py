"""The language service as a server: requests of an editor to answers of `rulewright.app.service`.

In: messages of the Language Server Protocol.  Out: answers about the text at the time of the
request; diagnostics of syntax at once, of meaning after a short pause in typing, of claims a little
later, each only if the text has not changed meanwhile.  A wrong request (a position beyond the
text, a file that is not open) has an empty answer or a message.

Texts come whole with every change: they are small, and the editor's count of lines cannot differ.
"""

from __future__ import annotations

import asyncio
import gc
import hashlib
import logging
from collections.abc import Callable
from typing import Any, BinaryIO, cast

from lsprotocol import types as t
from pygls.lsp.server import LanguageServer

from rulewright import __version__
from rulewright.app.cli.lsp_answers import diagnostic, item_of, numbers, symbol, text_edits
from rulewright.app.cli.lsp_protocol import EditorProtocol, Json, ReadAhead
from rulewright.app.cli.lsp_session import EditorSession, RequestRefused
from rulewright.app.cli.lsp_studies import claim_actions, question_actions, studying
from rulewright.app.service import completion, edits, hover, lenses, navigation, tokens
from rulewright.app.service.document import Document
from rulewright.app.service.navigation import CannotRename
from rulewright.app.service.outline import outline
from rulewright.app.service.studies import COMMANDS

_MODIFIERS = ("declaration", "defaultLibrary")


def _is_news(record: logging.LogRecord) -> bool:
    """Whether a record of the log is more than a refused request, which the editor shows."""
    refused = record.exc_info and record.exc_info[0] is RequestRefused
    return not refused and not record.getMessage().startswith("Unable to deserialize")


# --- the server ---


def server() -> LanguageServer:
    """Make a server for one editor; the caller starts it."""
    language_server = LanguageServer(
        "rulewright", __version__, text_document_sync_kind=t.TextDocumentSyncKind.Full,
        protocol_cls=EditorProtocol,
    )  # fmt: skip
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_news)
    session = EditorSession(language_server)
    for add in (
        _texts, _pulling, _hovering, _finding, _renaming, _editing, _showing, _hinting, _commands,
        studying,
    ):  # fmt: skip
        add(language_server, session)
    return language_server


def serve(stream: BinaryIO, output: BinaryIO) -> None:
    """Serve one editor until it says exit, or is gone.

    The modules loaded by now stay: the garbage collector need not look through them.
    """
    gc.freeze()
    language_server = server()
    ahead = ReadAhead(stream)
    protocol: Any = language_server.protocol
    protocol.ahead = ahead
    ahead.start()
    language_server.start_io(cast("BinaryIO", ahead), output)


def _texts(server: LanguageServer, session: EditorSession) -> None:
    @server.feature(t.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: t.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        session.opened(item.uri, item.text, item.version)

    @server.feature(t.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: t.DidChangeTextDocumentParams) -> None:
        item = params.text_document
        session.opened(item.uri, params.content_changes[-1].text, item.version)

    @server.feature(t.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: t.DidCloseTextDocumentParams) -> None:
        path = session.path(params.text_document.uri)
        session.workspace.close(path)
        session.faulty.discard(path)
        waiting = session.waiting.pop(path, None)
        if waiting is not None:
            waiting.cancel()
        nothing = t.PublishDiagnosticsParams(params.text_document.uri, [])
        server.text_document_publish_diagnostics(nothing)

    @server.feature(t.TEXT_DOCUMENT_DID_SAVE)
    @server.feature(t.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def saved(_: Any) -> None:
        session.workspace.files_changed()
        for document in session.workspace.documents:
            session.look(document)


def _pulling(server: LanguageServer, session: EditorSession) -> None:
    @server.feature(
        t.TEXT_DOCUMENT_DIAGNOSTIC,
        t.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False),
    )
    async def pulled(params: t.DocumentDiagnosticParams) -> t.DocumentDiagnosticReport:
        items = await session.pulled(session.document(params.text_document.uri))
        number = hashlib.sha256(repr(items).encode("utf-8", "replace")).hexdigest()[:16]
        if params.previous_result_id == number:
            return t.RelatedUnchangedDocumentDiagnosticReport(number)
        return t.RelatedFullDocumentDiagnosticReport(items, result_id=number)


def _hovering(server: LanguageServer, session: EditorSession) -> None:
    workspace = session.workspace

    @server.feature(t.TEXT_DOCUMENT_HOVER)
    def hovered(params: t.HoverParams) -> t.Hover | None:
        document, offset = session.at(params)
        explanation = hover.hover(workspace, document, offset)
        if explanation is None:
            return None
        text = t.MarkupContent(t.MarkupKind.Markdown, explanation.text)
        return t.Hover(text, session.lines(document).range(explanation.span))

    @server.feature(
        t.TEXT_DOCUMENT_COMPLETION, t.CompletionOptions(trigger_characters=[" ", "(", "{", ","])
    )
    def completed(params: t.CompletionParams) -> t.CompletionList:
        document, offset = session.at(params)
        completions = completion.complete(workspace, document, offset)
        place = session.lines(document).range(completions.span)
        snippets = _snippets(server)
        items = [item_of(i, place, n, snippets) for n, i in enumerate(completions.items)]
        return t.CompletionList(False, items)


def _finding(server: LanguageServer, session: EditorSession) -> None:
    workspace = session.workspace

    @server.feature(t.TEXT_DOCUMENT_DEFINITION)
    def defined(params: t.DefinitionParams) -> list[t.Location]:
        return [session.location(p) for p in navigation.definition(workspace, *session.at(params))]

    @server.feature(t.TEXT_DOCUMENT_REFERENCES)
    def referred(params: t.ReferenceParams) -> list[t.Location]:
        also = params.context.include_declaration
        places = navigation.references(workspace, *session.at(params), declared=also)
        return [session.location(p) for p in places]

    @server.feature(t.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlighted(params: t.DocumentHighlightParams) -> list[t.DocumentHighlight]:
        document, offset = session.at(params)
        places = navigation.references(workspace, document, offset)
        lines = session.lines(document)
        return [t.DocumentHighlight(lines.range(p.span)) for p in places if p.document is document]


def _renaming(server: LanguageServer, session: EditorSession) -> None:
    workspace = session.workspace

    @server.feature(t.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepared(params: t.PrepareRenameParams) -> t.Range:
        document, offset = session.at(params)
        mention = _refusing(navigation.renamable, workspace, document, offset)
        return session.lines(document).range(mention.span)

    @server.feature(t.TEXT_DOCUMENT_RENAME, t.RenameOptions(prepare_provider=True))
    def renamed(params: t.RenameParams) -> t.WorkspaceEdit:
        changes = _refusing(navigation.rename, workspace, *session.at(params), params.new_name)
        return session.workspace_edit(changes)


def _editing(server: LanguageServer, session: EditorSession) -> None:
    workspace = session.workspace

    @server.feature(t.TEXT_DOCUMENT_FORMATTING)
    def formatted(params: t.DocumentFormattingParams) -> list[t.TextEdit]:
        document, lines = session.text(params)
        return text_edits(lines, edits.formatting(document))

    @server.feature(t.TEXT_DOCUMENT_RANGE_FORMATTING)
    def formatted_part(params: t.DocumentRangeFormattingParams) -> list[t.TextEdit]:
        document, lines = session.text(params)
        start, end = lines.offset(params.range.start), lines.offset(params.range.end)
        return text_edits(lines, edits.formatting_of(document, start, end))

    @server.feature(t.TEXT_DOCUMENT_CODE_ACTION, t.CodeActionOptions([t.CodeActionKind.QuickFix]))
    def acted(params: t.CodeActionParams) -> list[t.CodeAction | t.Command]:
        document, lines = session.text(params)
        first, last = lines.offset(params.range.start), lines.offset(params.range.end)
        actions = []
        for action in edits.actions(document, workspace.diagnostics(document)):
            assert action.mends is not None
            span = edits.span_of(document, action.mends)
            if span.start <= last and first <= span.end:
                actions.append(_action(session, document, action))
        actions += claim_actions(session, document, first, last)
        return [*actions, *question_actions(session, document, first, last)]


def _showing(server: LanguageServer, session: EditorSession) -> None:
    workspace = session.workspace

    @server.feature(t.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def outlined(params: t.DocumentSymbolParams) -> Json:
        document, lines = session.text(params)
        return Json([symbol(lines, entry) for entry in outline(document)])

    @server.feature(t.TEXT_DOCUMENT_FOLDING_RANGE)
    def folded(params: t.FoldingRangeParams) -> list[t.FoldingRange]:
        kinds = {True: t.FoldingRangeKind.Comment, False: None}
        folds = navigation.folds(session.document(params.text_document.uri))
        return [t.FoldingRange(f.first - 1, f.last - 1, kind=kinds[f.comment]) for f in folds]

    legend = t.SemanticTokensLegend([*tokens.KINDS], [*_MODIFIERS])

    @server.feature(t.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    def coloured(params: t.SemanticTokensParams) -> t.SemanticTokens:
        document, lines = session.text(params)
        return t.SemanticTokens(numbers(lines, tokens.colours(workspace, document)))


def _hinting(server: LanguageServer, session: EditorSession) -> None:
    workspace = session.workspace

    @server.feature(t.TEXT_DOCUMENT_INLAY_HINT)
    def hinted(params: t.InlayHintParams) -> list[t.InlayHint]:
        document, lines = session.text(params)
        first, last = lines.offset(params.range.start), lines.offset(params.range.end)
        inlays = hover.inlays(workspace, document, first, last)
        kind = t.InlayHintKind.Type
        hints = [t.InlayHint(lines.position(f.span.start), f.text, kind) for f in inlays]
        counts = session.studies.counts(document)
        ends = {n: lines.end(n - 1) for n in counts}
        places = ((ends[n], count) for n, count in counts.items())
        beside = [t.InlayHint(p, f"{count:,}x", padding_left=True) for p, count in places]
        return hints + [h for h in beside if first <= lines.offset(h.position) <= last]

    @server.feature(t.TEXT_DOCUMENT_CODE_LENS, t.CodeLensOptions(resolve_provider=True))
    def lensed(params: t.CodeLensParams) -> list[t.CodeLens]:
        uri = params.text_document.uri
        document, lines = session.text(params)
        code_lenses = []
        for lens in lenses.lenses(document):
            place = lines.range(lens.span)
            plain = lens.action in ("play", "test", *COMMANDS)
            own = [s for s in session.studies.of(document) if s.command == lens.action]
            title = ": ".join([lens.action, *(study.summary for study in own)])
            command = t.Command(title, f"rulewright.{lens.action}", arguments=[uri])
            data = {"uri": uri, "what": lens.action, "version": document.version}
            code_lenses.append(t.CodeLens(place, command if plain else None, data))
        return code_lenses

    @server.feature(t.CODE_LENS_RESOLVE)
    @server.thread()
    def resolved(lens: t.CodeLens) -> t.CodeLens:
        data: Any = lens.data
        document = session.document(data["uri"])
        text = lenses.lens_text(workspace, document, data["what"])
        if document.version != data["version"] or not text:
            text = text and "..."
        name = "rulewright.claimPerft" if data["what"] == "perft" and text else ""
        return t.CodeLens(lens.range, t.Command(text, name, arguments=[data["uri"]]), data)


def _commands(server: LanguageServer, session: EditorSession) -> None:
    @server.command("rulewright.claimPerft")
    async def claim(uri: str) -> None:
        """Write perft as a claim of the file."""
        document = session.document(uri)
        work = asyncio.get_running_loop().run_in_executor
        edit = await work(None, lenses.claim_of, session.workspace, document)
        if edit is not None and session.current(document):
            change = session.workspace_edit({document: [edit]})
            params = t.ApplyWorkspaceEditParams(change, "Write perft as a claim")
            await server.workspace_apply_edit_async(params)


# --- answers ---


def _refusing(question: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function of the service; `CannotRename` becomes an error of the protocol."""
    try:
        return question(*arguments)
    except CannotRename as error:
        raise RequestRefused(str(error)) from None


def _snippets(server: LanguageServer) -> bool:
    documents = server.client_capabilities.text_document
    completion = documents.completion if documents else None
    item = completion.completion_item if completion else None
    return bool(item and item.snippet_support)


def _action(session: EditorSession, document: Document, action: edits.CodeAction) -> t.CodeAction:
    lines = session.lines(document)
    assert action.mends is not None
    return t.CodeAction(
        action.title,
        t.CodeActionKind.QuickFix,
        diagnostics=[diagnostic(lines, document, action.mends)],
        is_preferred=True,
        edit=session.workspace_edit({document: [*action.edits]}),
    )
