"""An editor for tests of the language server: pygls's own client."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from attrs import define, field
from lsprotocol import types as t
from pygls.lsp._base_client import BaseLanguageClient

from rulewright.app.cli.lsp_answers import ProtocolLines

PATIENCE = 60


@define(eq=False)
class Editor:
    """A client with the diagnostics that were shown to it."""

    client: BaseLanguageClient
    shown: list[t.PublishDiagnosticsParams] = field(factory=list)
    seen: asyncio.Event = field(factory=asyncio.Event)
    progress: list[t.ProgressParams] = field(factory=list)

    def open(self, path: Path, text: str) -> str:
        uri = path.as_uri()
        item = t.TextDocumentItem(uri, "rulewright", 1, text)
        self.client.text_document_did_open(t.DidOpenTextDocumentParams(item))
        return uri

    def change(self, uri: str, version: int, text: str) -> None:
        named = t.VersionedTextDocumentIdentifier(version, uri)
        whole = t.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(t.DidChangeTextDocumentParams(named, [whole]))

    async def until(
        self, fits: Callable[[t.PublishDiagnosticsParams], bool]
    ) -> t.PublishDiagnosticsParams:
        """The first diagnostics that fit, of those shown so far and of those to come."""
        while True:
            self.seen.clear()
            for one in self.shown:
                if fits(one):
                    return one
            await asyncio.wait_for(self.seen.wait(), PATIENCE)


async def started(client: BaseLanguageClient) -> Editor:
    editor = Editor(client)

    feature: Any = client.feature  # its decorator has no types

    @feature(t.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
    def published(params: t.PublishDiagnosticsParams) -> None:
        editor.shown.append(params)
        editor.seen.set()

    @feature(t.WINDOW_WORK_DONE_PROGRESS_CREATE)  # type: ignore[untyped-decorator]
    def created(params: t.WorkDoneProgressCreateParams) -> None:
        pass

    @feature(t.PROGRESS)  # type: ignore[untyped-decorator]
    def progressed(params: t.ProgressParams) -> None:
        editor.progress.append(params)

    item = t.ClientCompletionItemOptions(snippet_support=True)
    known = t.TextDocumentClientCapabilities(
        completion=t.CompletionClientCapabilities(completion_item=item)
    )
    window = t.WindowClientCapabilities(work_done_progress=True)
    able = t.ClientCapabilities(text_document=known, window=window)
    await client.initialize_async(t.InitializeParams(able, process_id=None))
    client.initialized(t.InitializedParams())
    return editor


def with_editor(session: Callable[[Editor], Awaitable[None]]) -> None:
    """Run a session against a server of its own; it must end in order."""

    async def run() -> None:
        client = BaseLanguageClient("test", "1")
        await client.start_io(sys.executable, "-m", "rulewright", "lsp")
        try:
            await session(await started(client))
            await client.shutdown_async(None)
        finally:
            client.exit(None)
            stop: Any = client.stop
            await stop()

    asyncio.run(run())


def at(text: str, word: str, after: str = "") -> t.Position:
    return ProtocolLines(text, utf16=True).position(text.index(word, text.index(after)))


def named(uri: str) -> t.TextDocumentIdentifier:
    return t.TextDocumentIdentifier(uri)
