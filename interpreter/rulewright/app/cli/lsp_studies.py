"""Long commands of an editor: studies of a text, and answers to questions about its lines.

In: the address of a text, and a command or a question.  Out: notes beside its lines, counts, claims
to add; answers as a text that the editor opens.  Studies run as processes on the saved file, so
that the editor is not kept waiting; they end with the editor.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from rulewright.app.cli.lsp_session import EditorSession, RequestRefused
from rulewright.app.service import questions, studies
from rulewright.app.service.document import Document
from rulewright.ground.disk import read_bytes
from rulewright.ground.printable import amount

GUTTER = "rulewright/gutter"
"""The notification about the margin of a text, for editors that have announced this capability."""


def studying(server: LanguageServer, session: EditorSession) -> None:
    """Add to a server the commands that study texts and answer questions."""
    for command in studies.COMMANDS:
        _study_command(server, session, command)
    answers = tempfile.TemporaryDirectory(prefix="rulewright-", ignore_cleanup_errors=True)

    @server.command("rulewright.ask")
    async def answer(uri: str, kind: str, offset: int) -> str:
        """Answer a question about a line, in a document of its own if the editor opens one."""
        if not kind.isidentifier():
            raise RequestRefused(f"nothing is asked by `{kind}`")  # it is the name of a file too
        document = session.document(uri)
        run = asyncio.get_running_loop().run_in_executor
        text = await run(None, questions.answer, session.workspace, document, kind, offset)
        await _show(server, Path(answers.name) / f"{kind}.txt", text)
        return text

    @server.feature(t.SHUTDOWN)
    def ended(_: Any) -> None:
        for process in session.running.values():
            with suppress(ProcessLookupError):
                if process is not None:
                    process.kill()
        answers.cleanup()


def _study_command(server: LanguageServer, session: EditorSession, command: str) -> None:
    @server.command(f"rulewright.{command}")
    async def studied(uri: str) -> str:
        """Run a command on the file of a text, and show its notes beside the lines."""
        document = session.document(uri)
        if (document.path, command) in session.running:
            return f"{command} is under way"
        _refuse_unsaved(document)
        summary = await _run(session, document, command)
        _refresh(server, session, document)
        _say(server, f"{document.name}: {summary}")
        return summary


def _refuse_unsaved(document: Document) -> None:
    try:
        data = read_bytes(document.path)
    except OSError:
        data = b""
    if data != document.data:
        raise RequestRefused(f"save {document.name} first: the file is studied, not what is typed")


async def _run(session: EditorSession, document: Document, command: str) -> str:
    """Run a command as a process, and keep its study; returns the summary."""
    key = document.path, command
    session.running[key] = None  # so that a second click, before it has begun, begins no other
    try:
        process = session.running[key] = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "rulewright", command, str(document.path), "--format", "json",
            *studies.COMMANDS[command],
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        async with _progress(session.server, f"{command} of {document.name}", process.kill):
            out, wrong = await process.communicate()
    finally:
        session.running.pop(key, None)
    try:
        study = studies.study(command, document.text, json.loads(out))
    except (ValueError, LookupError):
        raise RequestRefused(
            wrong.decode("utf-8", "replace").strip() or f"{command} said nothing"
        ) from None
    session.studies.add(document.path, study)
    return study.summary


@asynccontextmanager
async def _progress(
    server: LanguageServer, title: str, end: Callable[[], None]
) -> AsyncIterator[None]:
    """Shows that work is under way, where the editor can; whoever cancels it there ends it."""
    window, token = server.client_capabilities.window, str(uuid4())
    progress = server.work_done_progress
    if window and window.work_done_progress:
        with suppress(JsonRpcException):  # an editor that cannot after all
            await progress.create_async(token)
    if token not in progress.tokens:
        yield
        return
    progress.begin(token, t.WorkDoneProgressBegin(title, cancellable=True))
    future = progress.tokens[token]
    future.add_done_callback(lambda future: end() if future.cancelled() else None)
    try:
        yield
    finally:
        ended = "cancelled" if future.cancelled() else "finished"
        progress.tokens.pop(token, None)
        progress.end(token, t.WorkDoneProgressEnd(message=ended))


def _refresh(server: LanguageServer, session: EditorSession, document: Document) -> None:
    """Send the current notes, and have the editor ask again for lenses and hints if it can."""
    open_document = session.workspace.document(document.path)
    if open_document is None:
        return
    session.published_again(open_document)
    experimental = server.client_capabilities.experimental
    if isinstance(experimental, dict) and experimental.get(GUTTER):
        lines = [*_gutter(session, open_document)]
        server.protocol.notify(GUTTER, {"uri": session.uri(open_document.path), "lines": lines})
    workspace = server.client_capabilities.workspace
    if workspace and workspace.code_lens and workspace.code_lens.refresh_support:
        server.workspace_code_lens_refresh(None)
    if workspace and workspace.inlay_hint and workspace.inlay_hint.refresh_support:
        server.workspace_inlay_hint_refresh(None)


def _gutter(session: EditorSession, document: Document) -> Iterator[dict[str, Any]]:
    """Lines (from 0) with how often they were reached, and their notes."""
    lines = session.lines(document)
    counts = session.studies.counts(document)
    notes = defaultdict[int, list[str]](list)
    for span, command, note in session.studies.notes(document):
        if note.line:
            notes[lines.position(span.start).line + 1].append(f"{command}: {note.text}")
    for number in sorted({*counts, *notes}):
        text = "; ".join(notes.get(number, []))
        yield {"line": number - 1, "count": counts.get(number), "told": text}


def _say(server: LanguageServer, text: str) -> None:
    server.window_show_message(t.ShowMessageParams(t.MessageType.Info, text))


async def _show(server: LanguageServer, path: Path, text: str) -> None:
    """Open a text in the editor, or show it as a message where it cannot."""
    window = server.client_capabilities.window
    if window and window.show_document and window.show_document.support:
        path.write_text(text + "\n", "utf-8")
        params = t.ShowDocumentParams(path.as_uri(), take_focus=False)
        if (await server.window_show_document_async(params)).success:
            return
    _say(server, text)


# --- actions at a line ---


def claim_actions(
    session: EditorSession, document: Document, first: int, last: int
) -> list[t.CodeAction]:
    """Claims to add: those that would answer the notes of these lines, or all that are proposed."""
    notes = [(span, n) for span, _, n in session.studies.notes(document) if n.claim]
    near = dict.fromkeys(n.claim for span, n in notes if n.line and _meets(span, first, last))
    whole = dict.fromkeys(n.claim for _, n in notes if not n.line)
    texts = list(dict.fromkeys(n.claim for _, n in notes))
    actions = [_adding(session, document, f"Add `{claim}`", [claim]) for claim in [*near, *whole]]
    if len(texts) > 1:
        actions.append(_adding(session, document, f"Add all {amount(len(texts), 'claim')}", texts))
    return actions


def _meets(span: Any, first: int, last: int) -> bool:
    return bool(span.start <= last and first <= span.end)


def _adding(
    session: EditorSession, document: Document, title: str, claims: list[str]
) -> t.CodeAction:
    edit = session.workspace_edit({document: [*studies.claim_edits(document, claims)]})
    return t.CodeAction(title, t.CodeActionKind.QuickFix, edit=edit)


def question_actions(
    session: EditorSession, document: Document, first: int, last: int
) -> list[t.Command]:
    """The questions about lines, as commands that open the answer."""
    uri = session.uri(document.path)
    return [
        t.Command(q.title, "rulewright.ask", arguments=[uri, q.kind, q.span.start])
        for q in questions.questions(document)
        if _meets(q.span, first, last)
    ]
