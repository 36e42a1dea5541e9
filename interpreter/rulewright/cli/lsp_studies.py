"""Commands of an editor that take long: studies of a text, and answers to what its lines ask.

In: the address of a text, and what is asked.  Out: notes beside its lines, counts, claims to add;
answers as a text that the editor opens.  Studies run as commands of their own, on the saved file,
so that whoever types is not kept waiting; they end with the editor.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from lsprotocol import types as t
from pygls.lsp.server import LanguageServer

from rulewright.cli.lsp_session import EditorSession, RequestRefused
from rulewright.disk import read_bytes
from rulewright.printable import amount
from rulewright.service import questions, studies
from rulewright.service.document import Document
from rulewright.service.studies import Note

GUTTER = "rulewright/gutter"
"""What is beside the lines of a text, for editors that say by this word that they draw it."""


def studying(made: LanguageServer, session: EditorSession) -> None:
    """Let a server study texts and answer their questions."""
    for what in studies.COMMANDS:
        _study_command(made, session, what)
    answers = tempfile.TemporaryDirectory(prefix="rulewright-", ignore_cleanup_errors=True)

    @made.command("rulewright.ask")
    async def asked(uri: str, what: str, offset: int) -> str:
        """Answer what a line asks, in a document of its own where the editor opens one."""
        if not what.isidentifier():
            raise RequestRefused(f"nothing is asked by `{what}`")  # it is the name of a file too
        document = session.document(uri)
        run = asyncio.get_running_loop().run_in_executor
        text = await run(None, questions.answer, session.workspace, document, what, offset)
        await _show(made, Path(answers.name) / f"{what}.txt", text)
        return text

    @made.feature(t.SHUTDOWN)
    def ended(_: Any) -> None:
        for process in session.running.values():
            with suppress(ProcessLookupError):
                if process is not None:
                    process.kill()
        answers.cleanup()


def _study_command(made: LanguageServer, session: EditorSession, what: str) -> None:
    @made.command(f"rulewright.{what}")
    async def studied(uri: str) -> str:
        """Run a command on the file of a text, and show what it says beside the lines."""
        document = session.document(uri)
        if (document.path, what) in session.running:
            return f"{what} is under way"
        _refuse_unsaved(document)
        told = await _run(session, document, what)
        _refresh(made, session, document)
        _say(made, f"{document.name}: {told}")
        return told


def _refuse_unsaved(document: Document) -> None:
    try:
        saved = read_bytes(document.path)
    except OSError:
        saved = b""
    if saved != document.data:
        raise RequestRefused(f"save {document.name} first: the file is studied, not what is typed")


async def _run(session: EditorSession, document: Document, what: str) -> str:
    """What the command says; its study is kept."""
    key = document.path, what
    session.running[key] = None  # so that a second click, before it has begun, begins no other
    try:
        process = session.running[key] = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "rulewright", what, str(document.path), "--format", "json",
            *studies.COMMANDS[what],
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        out, wrong = await process.communicate()
    finally:
        session.running.pop(key, None)
    try:
        study = studies.study(what, document.text, json.loads(out))
    except (ValueError, LookupError):
        raise RequestRefused(
            wrong.decode("utf-8", "replace").strip() or f"{what} said nothing"
        ) from None
    session.studies.add(document.path, study)
    return study.told


def _refresh(made: LanguageServer, session: EditorSession, document: Document) -> None:
    """Show what is known now, where the editor can be told to ask again."""
    here = session.workspace.document(document.path)
    if here is None:
        return
    session.published_again(here)
    drawn = made.client_capabilities.experimental
    if isinstance(drawn, dict) and drawn.get(GUTTER):
        lines = [*_gutter(session, here)]
        made.protocol.notify(GUTTER, {"uri": session.uri(here.path), "lines": lines})
    known = made.client_capabilities.workspace
    if known and known.code_lens and known.code_lens.refresh_support:
        made.workspace_code_lens_refresh(None)
    if known and known.inlay_hint and known.inlay_hint.refresh_support:
        made.workspace_inlay_hint_refresh(None)


def _gutter(session: EditorSession, document: Document) -> Iterator[dict[str, Any]]:
    """Lines (from 0) with how often they were reached and what is said of them."""
    lines = session.lines(document)
    counts = session.studies.counts(document)
    told: dict[int, list[str]] = {}
    for span, what, one in session.studies.notes(document):
        if one.line:
            told.setdefault(lines.position(span.start).line + 1, []).append(f"{what}: {one.text}")
    for number in sorted({*counts, *told}):
        said = "; ".join(told.get(number, []))
        yield {"line": number - 1, "count": counts.get(number), "told": said}


def _say(made: LanguageServer, text: str) -> None:
    made.window_show_message(t.ShowMessageParams(t.MessageType.Info, text))


async def _show(made: LanguageServer, path: Path, text: str) -> None:
    """Open a text in the editor, or show it as a message where it cannot."""
    window = made.client_capabilities.window
    if window and window.show_document and window.show_document.support:
        path.write_text(text + "\n", "utf-8")
        params = t.ShowDocumentParams(path.as_uri(), take_focus=False)
        if (await made.window_show_document_async(params)).success:
            return
    _say(made, text)


# --- what is offered at a line ---


def claim_actions(
    session: EditorSession, document: Document, first: int, last: int
) -> list[t.CodeAction]:
    """Claims to add: those that would answer the notes of these lines, or all that are proposed."""
    here = (one for one in _notes(session, document) if one[2].line)
    notes = [one for span, _, one in here if _meets(span, first, last)]
    whole = [one for _, _, one in _notes(session, document) if not one.line]
    found = [_adding(session, document, f"Add `{n.claim}`", [n.claim]) for n in _once(notes)]
    found += [_adding(session, document, f"Add `{n.claim}`", [n.claim]) for n in _once(whole)]
    every = [n.claim for n in _once([one for _, _, one in _notes(session, document)])]
    if len(every) > 1:
        found.append(_adding(session, document, f"Add all {amount(len(every), 'claim')}", every))
    return found


def _notes(session: EditorSession, document: Document) -> list[tuple[Any, str, Note]]:
    return [one for one in session.studies.notes(document) if one[2].claim]


def _once(notes: list[Note]) -> list[Note]:
    return list({one.claim: one for one in notes}.values())


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
    """What the lines ask, as commands that open the answer."""
    uri = session.uri(document.path)
    return [
        t.Command(one.title, "rulewright.ask", arguments=[uri, one.what, one.span.start])
        for one in questions.questions(document)
        if _meets(one.span, first, last)
    ]
