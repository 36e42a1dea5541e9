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
from collections.abc import Callable
from typing import Any

from lsprotocol import types as t
from pygls.lsp.server import LanguageServer

from rulewright import __version__
from rulewright.cli.lsp_answers import diagnostic, item_of, numbers, symbol, text_edits
from rulewright.cli.lsp_session import EditorSession, RequestRefused
from rulewright.cli.lsp_studies import claim_actions, question_actions, studying
from rulewright.language.source import Span
from rulewright.service import completion, edits, hover, lenses, navigation, tokens
from rulewright.service.document import Document
from rulewright.service.navigation import CannotRename
from rulewright.service.studies import COMMANDS

_MODIFIERS = ("declaration", "defaultLibrary")


def _is_news(record: logging.LogRecord) -> bool:
    """Whether a line of the log is about more than a refusal, which the editor shows."""
    return not (record.exc_info and record.exc_info[0] is RequestRefused)


# --- the server ---


def server() -> LanguageServer:
    """A server for one editor; the caller starts it."""
    made = LanguageServer(
        "rulewright", __version__, text_document_sync_kind=t.TextDocumentSyncKind.Full
    )
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_news)
    session = EditorSession(made)
    for add in (
        _texts,
        _reading,
        _finding,
        _changing,
        _mending,
        _showing,
        _telling,
        _commands,
        studying,
    ):
        add(made, session)
    return made


def _texts(made: LanguageServer, session: EditorSession) -> None:
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


def _reading(made: LanguageServer, session: EditorSession) -> None:
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


def _finding(made: LanguageServer, session: EditorSession) -> None:
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


def _changing(made: LanguageServer, session: EditorSession) -> None:
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
        return session.workspace_edit(found)


def _mending(made: LanguageServer, session: EditorSession) -> None:
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
        t.CodeActionOptions([t.CodeActionKind.QuickFix]),
    )
    def acted(params: t.CodeActionParams) -> list[t.CodeAction | t.Command]:
        document = session.document(params.text_document.uri)
        lines = session.lines(document)
        first, last = lines.offset(params.range.start), lines.offset(params.range.end)
        found = []
        for action in edits.actions(document, workspace.diagnostics(document)):
            assert action.mends is not None
            span = edits.span_of(document, action.mends)
            if span.start <= last and first <= span.end:
                found.append(_action(session, document, action))
        found += claim_actions(session, document, first, last)
        return [*found, *question_actions(session, document, first, last)]


def _showing(made: LanguageServer, session: EditorSession) -> None:
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


def _telling(made: LanguageServer, session: EditorSession) -> None:
    workspace = session.workspace

    @made.feature(t.TEXT_DOCUMENT_INLAY_HINT)
    def hinted(params: t.InlayHintParams) -> list[t.InlayHint]:
        document = session.document(params.text_document.uri)
        lines = session.lines(document)
        first, last = lines.offset(params.range.start), lines.offset(params.range.end)
        found = hover.inlays(workspace, document, first, last)
        kind = t.InlayHintKind.Type
        hints = [t.InlayHint(lines.position(f.span.start), f.text, kind) for f in found]
        counts = session.studies.counts(document)
        ends = {n: lines.end(n - 1) for n in counts}
        told = ((ends[n], count) for n, count in counts.items())
        beside = [t.InlayHint(p, f"{count:,}x", padding_left=True) for p, count in told]
        return hints + [h for h in beside if first <= lines.offset(h.position) <= last]

    @made.feature(t.TEXT_DOCUMENT_CODE_LENS, t.CodeLensOptions(resolve_provider=True))
    def lensed(params: t.CodeLensParams) -> list[t.CodeLens]:
        uri = params.text_document.uri
        document = session.document(uri)
        lines = session.lines(document)
        found = []
        for lens in lenses.lenses(document):
            place = lines.range(lens.span)
            plain = lens.what in ("play", "test", *COMMANDS)
            told = [one.told for one in session.studies.of(document) if one.what == lens.what]
            title = ": ".join([lens.what, *told])
            command = t.Command(title, f"rulewright.{lens.what}", arguments=[uri])
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


def _commands(made: LanguageServer, session: EditorSession) -> None:
    @made.command("rulewright.claimPerft")
    async def claim(uri: str) -> None:
        """Write what was counted as a claim of the file."""
        document = session.document(uri)
        work = asyncio.get_running_loop().run_in_executor
        edit = await work(None, lenses.claim_of, session.workspace, document)
        if edit is not None and session.current(document):
            change = session.workspace_edit({document: [edit]})
            params = t.ApplyWorkspaceEditParams(change, "Write perft as a claim")
            await made.workspace_apply_edit_async(params)


# --- answers ---


def _refusing(question: Callable[..., Any], *arguments: Any) -> Any:
    """An answer, or the reason why there is none as an error of the protocol."""
    try:
        return question(*arguments)
    except CannotRename as error:
        raise RequestRefused(str(error)) from None


def _snippets(made: LanguageServer) -> bool:
    documents = made.client_capabilities.text_document
    known = documents.completion if documents else None
    item = known.completion_item if known else None
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
