"""`rulewright lsp` as an editor meets it: a process that answers messages of the protocol.

What the service says of the same text is the oracle, so an answer about an older text is found.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls")

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException
from pygls.lsp._base_client import BaseLanguageClient

from rulewright.app.cli.lsp_answers import ProtocolLines
from rulewright.app.cli.lsp_protocol import ReadAhead
from rulewright.app.service import completion, navigation, tokens
from rulewright.app.service.documents import Workspace
from rulewright.ground import disk
from rulewright.ground.limits import FILE_BYTES
from tests.shared.lsp import Editor, at, named, started, with_editor

CHESS = (disk.root("rulesets") / "chess" / "chess.rules").read_text("utf-8")


def test_a_session_from_a_mistake_to_a_game_that_is_renamed(tmp_path: Path) -> None:
    for name in ("chess.eval", "patzer.personality"):
        shutil.copy(disk.root("rulesets") / "chess" / name, tmp_path)

    async def session(editor: Editor) -> None:
        client = editor.client
        wrong = CHESS.replace("choose a in own pawn\n", "choose a in own pwan\n", 1)
        uri = editor.open(tmp_path / "chess.rules", wrong)
        shown = await editor.until(lambda p: bool(p.diagnostics))
        (one,) = shown.diagnostics
        assert (shown.version, one.code) == (1, "unknown-name")
        assert "did you mean `pawn`?" in one.message
        context = t.CodeActionContext([one])
        acted = await client.text_document_code_action_async(
            t.CodeActionParams(named(uri), one.range, context)
        )
        assert acted is not None
        (action,) = acted
        assert isinstance(action, t.CodeAction)
        assert action.title == "Change `pwan` to `pawn`"
        editor.change(uri, 2, CHESS)
        fine = await editor.until(lambda p: p.version == 2)
        assert not fine.diagnostics
        hover = await client.text_document_hover_async(
            t.HoverParams(named(uri), at(CHESS, "camp", after="let last"))
        )
        assert hover is not None
        assert isinstance(hover.contents, t.MarkupContent)
        assert "8 sites" in hover.contents.value
        asked = t.RenameParams(named(uri), at(CHESS, "queen", after="\npieces"), "lady")
        edit = await client.text_document_rename_async(asked)
        assert edit is not None
        assert edit.document_changes is not None
        files = {
            c.text_document.uri for c in edit.document_changes if isinstance(c, t.TextDocumentEdit)
        }
        assert files == {(tmp_path / n).as_uri() for n in ("chess.rules", "chess.eval")}
        with pytest.raises(JsonRpcException, match="means something already"):
            await client.text_document_rename_async(
                t.RenameParams(named(uri), at(CHESS, "queen", after="\npieces"), "king")
            )

    with_editor(session)


def test_a_question_names_no_file_outside(tmp_path: Path) -> None:
    """Its answer is written into a file that is called as the question is."""

    async def session(editor: Editor) -> None:
        uri = editor.open(tmp_path / "chess.rules", CHESS)
        mine = tmp_path / "mine.txt"
        mine.write_text("mine")
        for what in (str(mine.with_suffix("")), "../mine", ".."):
            asked = t.ExecuteCommandParams("rulewright.ask", arguments=[uri, what, 0])
            with pytest.raises(JsonRpcException, match="nothing is asked by"):
                await editor.client.workspace_execute_command_async(asked)
        assert mine.read_text() == "mine"

    with_editor(session)


def test_a_text_whose_file_can_have_no_such_name_is_none() -> None:
    async def session(editor: Editor) -> None:
        for name in ("%00.rules", "\ud800.rules", "x" * 5000):
            document = named(f"file:///{name}")
            asked = t.DocumentFormattingParams(document, t.FormattingOptions(2, insert_spaces=True))
            with pytest.raises(JsonRpcException, match="is not open and cannot be read"):
                await editor.client.text_document_formatting_async(asked)

    with_editor(session)


def test_every_question_of_an_outline_is_answered(tmp_path: Path) -> None:
    async def session(editor: Editor) -> None:
        client, text = editor.client, CHESS.replace("let last = camp", "let  last=camp")
        uri = editor.open(tmp_path / "chess.rules", text)
        document = named(uri)
        symbols = await client.text_document_document_symbol_async(t.DocumentSymbolParams(document))
        assert symbols is not None
        known = {s.name: s for s in symbols if isinstance(s, t.DocumentSymbol)}
        assert {"castle", "attacked", "ghost", "white"} <= known.keys()
        assert [c.name for c in known["castle"].children or ()] == ["a", "mid", "b", "r"]
        folds = await client.text_document_folding_range_async(t.FoldingRangeParams(document))
        assert folds is not None
        assert len(folds) > 12
        form = t.FormattingOptions(2, insert_spaces=True)
        changes = await client.text_document_formatting_async(
            t.DocumentFormattingParams(document, form)
        )
        assert changes is not None
        assert [c.new_text for c in changes] == ["let last = camp for enemy\n"]
        whole = t.Range(t.Position(0, 0), ProtocolLines(text, utf16=True).position(len(text)))
        hints = await client.text_document_inlay_hint_async(t.InlayHintParams(document, whole))
        assert hints is not None
        assert ": a set of sites, 8 sites" in str([h.label for h in hints])
        lenses = await client.text_document_code_lens_async(t.CodeLensParams(document))
        assert lenses is not None
        perft = next(one for one in lenses if one.command is None)
        resolved = await client.code_lens_resolve_async(perft)
        assert resolved.command is not None
        assert resolved.command.title.startswith("perft 20 400")
        places = await client.text_document_references_async(
            t.ReferenceParams(t.ReferenceContext(True), document, at(text, "fresh"))
        )
        assert places is not None
        code = "\n".join(line.partition("#")[0] for line in text.splitlines())
        assert len(places) == len(re.findall(r"\bfresh\b", code))

    with_editor(session)


def test_no_answer_is_about_an_older_text(tmp_path: Path) -> None:
    """Changes and questions follow each other without a pause; each answer is the service's."""

    async def session(editor: Editor) -> None:
        chance, text = random.Random(1), CHESS
        uri, path = editor.open(tmp_path / "chess.rules", text), tmp_path / "chess.rules"
        texts = {1: text}
        for version in range(2, 40):
            text = texts[version] = damaged(text, chance)
            editor.change(uri, version, text)
            await compare(editor, path, text, chance.randrange(len(text)))
        last = max(texts)
        await editor.until(lambda p: p.version == last and p.uri == uri)
        await asyncio.sleep(1)
        for shown in editor.shown:
            assert shown.version is not None
            assert messages(shown) <= all_messages(path, texts[shown.version])

    with_editor(session)


PIECES = [
    "(",
    '"',
    "\n",
    "  ",
    "𝄞",
    "é",
    "let x = own\n",
    "some(s in own : ",
    "\r\n",
    "\u2028",
    "#",
]


def damaged(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text))
    return text[:at] + chance.choice(PIECES) + text[at + chance.randrange(12) :]


async def compare(editor: Editor, path: Path, text: str, offset: int) -> None:
    """Ask the server and the service the same."""
    workspace = Workspace()
    document = workspace.open(path, text, 1)
    lines, named_ = ProtocolLines(text, utf16=True), named(path.as_uri())
    position = lines.position(offset)
    offset = lines.offset(position)
    found = await editor.client.text_document_completion_async(t.CompletionParams(named_, position))
    assert isinstance(found, t.CompletionList)
    wanted = completion.complete(workspace, document, offset)
    assert [i.label for i in found.items] == [i.label for i in wanted.items]
    coloured = await editor.client.text_document_semantic_tokens_full_async(
        t.SemanticTokensParams(named_)
    )
    assert coloured is not None
    assert len(coloured.data) == 5 * len(tokens.colours(workspace, document))
    places = await editor.client.text_document_definition_async(
        t.DefinitionParams(named_, position)
    )
    assert isinstance(places, Sequence)
    assert len(places) == len(navigation.definition(workspace, document, offset))


def messages(shown: t.PublishDiagnosticsParams) -> set[tuple[int, str]]:
    return {(d.range.start.line, str(d.code)) for d in shown.diagnostics}


def all_messages(path: Path, text: str) -> set[tuple[int, str]]:
    workspace = Workspace()
    document = workspace.open(path, text, 1)
    found = (*workspace.diagnostics(document), *document.diagnostics)
    claims = {"claim-fails", "claim-untested", "slow", "too-slow"}
    more = {(n, c) for n in range(text.count("\n") + 1) for c in claims}
    return {(d.place.line - 1, d.code) for d in found} | more


def test_a_file_above_the_limit_has_one_diagnostic_and_the_server_goes_on(tmp_path: Path) -> None:
    async def session(editor: Editor) -> None:
        big = editor.open(tmp_path / "big.rules", "# much\n" * (FILE_BYTES // 6))
        shown = await editor.until(lambda p: p.uri == big)
        assert [d.code for d in shown.diagnostics] == ["too-large"]
        other = editor.open(tmp_path / "other.rules", "format 1\ngame x\n")
        await editor.until(lambda p: p.uri == other and bool(p.diagnostics))
        unknown = t.HoverParams(named((tmp_path / "none.rules").as_uri()), t.Position(0, 0))
        with pytest.raises(JsonRpcException, match="not open"):
            await editor.client.text_document_hover_async(unknown)

    with_editor(session)


def test_an_evaluator_sees_the_rules_that_are_not_saved_yet(tmp_path: Path) -> None:
    async def session(editor: Editor) -> None:
        rules = CHESS.replace("pawn", "foot")
        editor.open(tmp_path / "chess.rules", rules)
        text = (
            "format 1\nevaluator chess for chess\nvalue of position for mover = count (own foot)\n"
        )
        uri = editor.open(tmp_path / "chess.eval", text)
        shown = await editor.until(lambda p: p.uri == uri)
        assert not shown.diagnostics
        (tmp_path / "chess.rules").write_text(CHESS)
        editor.change(uri, 2, text.replace("foot", "pawn"))
        wrong = await editor.until(lambda p: p.uri == uri and p.version == 2)
        assert [d.code for d in wrong.diagnostics] == ["unknown-name"]

    with_editor(session)


def test_it_listens_on_a_port(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "rulewright", "lsp", "--tcp", str(port)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert "listening" in process.stderr.readline()

    async def session() -> None:
        client = BaseLanguageClient("test", "1")
        await connected(client, port)
        editor = await started(client)
        uri = editor.open(tmp_path / "x.rules", "format 1\nxyzzy\n")
        await editor.until(lambda p: p.uri == uri and bool(p.diagnostics))
        await client.shutdown_async(None)
        client.exit(None)

    try:
        asyncio.run(session())
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


async def connected(client: Any, port: int) -> None:
    for _ in range(100):
        try:
            await client.start_tcp("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.1)
        else:
            return


# --- what no library of the server's own side asks ---

NEOVIM = shutil.which("nvim")
SESSION = """
local out, done = {}, false
local id = vim.lsp.start_client({
  cmd = vim.json.decode(vim.env.COMMAND), root_dir = vim.env.FOLDER,
})
vim.cmd("edit " .. vim.env.FOLDER .. "/chess.rules")
vim.lsp.buf_attach_client(0, id)
vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 20)
local first = vim.diagnostic.get(0)[1]
out.mistake = { line = first.lnum, message = first.message }
local line = vim.api.nvim_buf_get_lines(0, first.lnum, first.lnum + 1, false)[1]
vim.api.nvim_buf_set_lines(0, first.lnum, first.lnum + 1, false, { (line:gsub("pwan", "pawn")) })
vim.wait(60000, function() return #vim.diagnostic.get(0) == 0 end, 20)
out.left = #vim.diagnostic.get(0)
vim.api.nvim_win_set_cursor(0, { first.lnum + 1, #line - 1 })
local document = vim.lsp.util.make_text_document_params()
local function ask(method, params)
  local answer = vim.lsp.buf_request_sync(0, "textDocument/" .. method, params, 60000)
  return answer[id].result
end
out.hover = ask("hover", vim.lsp.util.make_position_params())
out.symbols = #ask("documentSymbol", { textDocument = document })
out.completions = #ask("completion", vim.lsp.util.make_position_params()).items
local wrong = vim.lsp.buf_request_sync(
  0, "textDocument/hover", { textDocument = document, position = { line = 9999, character = 0 } },
  60000)
local refusal = wrong[id].err or wrong[id].error
out.beyond = refusal and refusal.message or "no error"
vim.fn.writefile({ vim.json.encode(out) }, vim.env.FOLDER .. "/out.json")
vim.lsp.stop_client(id)
vim.cmd("qall!")
"""


@pytest.mark.skipif(NEOVIM is None, reason="no neovim here")
def test_neovim_without_a_screen(tmp_path: Path) -> None:
    """Its client shares no code with the server."""
    wrong = CHESS.replace("choose a in own pawn\n", "choose a in own pwan\n", 1)
    (tmp_path / "chess.rules").write_text(wrong)
    (tmp_path / "session.lua").write_text(SESSION)
    more = {
        "COMMAND": json.dumps([sys.executable, "-m", "rulewright", "lsp"]),
        "FOLDER": str(tmp_path), "XDG_STATE_HOME": str(tmp_path),
    }  # fmt: skip
    assert NEOVIM is not None
    command = [NEOVIM, "--headless", "--clean", "-S", str(tmp_path / "session.lua")]
    subprocess.run(command, env={**os.environ, **more}, timeout=200, check=True)
    out = json.loads((tmp_path / "out.json").read_text())
    assert wrong.splitlines()[out["mistake"]["line"]].endswith("pwan")
    assert "did you mean `pawn`?" in out["mistake"]["message"]
    assert out["left"] == 0
    assert "pawn" in out["hover"]["contents"]["value"]
    assert out["symbols"] > 20
    assert out["completions"] > 10
    assert "none has the number 9999" in out["beyond"]


def framed(*messages: dict[str, Any]) -> bytes:
    bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
    return b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies)


def answers(*messages: dict[str, Any]) -> dict[int, Any]:
    """The answers of a server that is sent all messages at once, by their numbers."""
    data, found = framed(*messages, {"method": "exit"}), dict[int, Any]()
    done = subprocess.run(
        [sys.executable, "-m", "rulewright", "lsp"],
        input=data, capture_output=True, timeout=100, check=False,
    )  # fmt: skip
    stream = io.BytesIO(done.stdout)
    while head := stream.readline():
        length = int(head.split(b":")[1])
        while stream.readline().strip():
            pass
        message = json.loads(stream.read(length))
        if "id" in message and "method" not in message:
            assert message["id"] not in found, "one answer for each"
            found[message["id"]] = message
    assert done.stderr == b""
    return found


GREETING = {"id": 1, "method": "initialize", "params": {"capabilities": {}}}


def test_requests_that_cannot_be_are_answered_by_errors(tmp_path: Path) -> None:
    document = {"uri": (tmp_path / "x.rules").as_uri()}
    text = {**document, "languageId": "rulewright", "version": 1, "text": "format 1\ngame x\n"}

    def hover(number: int, line: int) -> dict[str, Any]:
        position = {"line": line, "character": 0}
        params = {"textDocument": document, "position": position}
        return {"id": number, "method": "textDocument/hover", "params": params}

    found = answers(
        hover(7, 0), GREETING, {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": text}},
        hover(2, 0), hover(3, -5), hover(4, 99), {"id": 5, "method": "shutdown"}, hover(6, 0),
    )  # fmt: skip
    codes = {number: answer.get("error", {}).get("code") for number, answer in found.items()}
    early, params, failed, late = -32002, -32602, -32803, -32600
    assert codes == {7: early, 1: None, 2: None, 3: params, 4: failed, 5: None, 6: late}


def test_cancelled_requests_are_not_computed(tmp_path: Path) -> None:
    """The first may be under way before it is heard that it is cancelled."""
    document = {"uri": (tmp_path / "chess.rules").as_uri()}
    text = {**document, "languageId": "rulewright", "version": 1, "text": CHESS}
    place = {"textDocument": document, "position": {"line": 60, "character": 2}}
    numbers = range(10, 30)
    found = answers(
        GREETING, {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": text}},
        *({"id": n, "method": "textDocument/completion", "params": place} for n in numbers),
        *({"method": "$/cancelRequest", "params": {"id": n}} for n in numbers),
        {"id": 2, "method": "shutdown"},
    )  # fmt: skip
    cancelled = [n for n in numbers if found[n].get("error", {}).get("code") == -32800]
    assert len(cancelled) >= 18


def test_what_is_read_ahead_is_read_whole() -> None:
    data = framed({"id": 1, "method": "x"}, {"method": "$/cancelRequest", "params": {"id": "é"}})
    ahead = ReadAhead(io.BytesIO(data + framed({"method": "$/cancelRequest", "params": [3]})))
    ahead.start()
    read = b""
    while line := ahead.readline():
        read += line if line.strip() else line + ahead.read(10**6)
    assert read.startswith(data)
    assert ahead.cancelled == {"é"}


def test_the_outline_of_a_text_at_the_limit_comes_before_the_text_is_read(tmp_path: Path) -> None:
    """`benchmarks/service.py` says how long it takes."""
    head = "format 1\ngame big\nplayers a b\nboard square 4 by 4\nlet wrong wrong\n"
    text = head + "".join(f"let n{n} = empty\n" for n in range(3600))
    assert 60_000 < len(text) < FILE_BYTES

    async def session(editor: Editor) -> None:
        uri = editor.open(tmp_path / "big.rules", text)
        ask = editor.client.text_document_document_symbol_async
        symbols = await ask(t.DocumentSymbolParams(named(uri)))
        assert symbols is not None
        assert len(symbols) == 3604
        assert editor.shown == []
        await editor.until(lambda shown: bool(shown.diagnostics))

    with_editor(session)


def test_an_editor_may_ask_for_diagnostics(tmp_path: Path) -> None:
    async def session(editor: Editor) -> None:
        uri = editor.open(tmp_path / "chess.rules", CHESS.replace("own pawn\n", "own pwan\n", 1))
        ask = editor.client.text_document_diagnostic_async
        report = await ask(t.DocumentDiagnosticParams(named(uri)))
        assert isinstance(report, t.RelatedFullDocumentDiagnosticReport)
        assert [d.code for d in report.items] == ["unknown-name"]
        before = report.result_id
        again = await ask(t.DocumentDiagnosticParams(named(uri), previous_result_id=before))
        assert isinstance(again, t.RelatedUnchangedDocumentDiagnosticReport)
        editor.change(uri, 2, CHESS)
        fine = await ask(t.DocumentDiagnosticParams(named(uri), previous_result_id=before))
        assert isinstance(fine, t.RelatedFullDocumentDiagnosticReport)
        assert not fine.items

    with_editor(session)


def test_a_study_shows_its_progress(tmp_path: Path) -> None:
    path = tmp_path / "lines.rules"
    shutil.copy(disk.root("rulesets") / "tictactoe" / "tictactoe.rules", path)

    async def session(editor: Editor) -> None:
        uri = editor.open(path, path.read_text("utf-8"))
        study = t.ExecuteCommandParams("rulewright.cover", arguments=[uri])
        await editor.client.workspace_execute_command_async(study)
        first, last = editor.progress
        assert first.token == last.token
        assert "cover of" in str(first.value)
        assert "finished" in str(last.value)

    with_editor(session)
