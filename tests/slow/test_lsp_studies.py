"""Studies and questions over the protocol: what `cover`, `claims` and `mutate` say of lines."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

pytest.importorskip("pygls")

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from rulewright.app.cli import main
from rulewright.app.service.documents import Workspace
from rulewright.app.service.studies import Studies, kept_study, study
from rulewright.games.files.games import bundled_games
from tests.shared.lsp import Editor, named, with_editor

TEXT = "\n".join(
    line
    for line in bundled_games()["tictactoe"].read_text("utf-8").splitlines()
    if not line.startswith("claim")
)
DEAD = TEXT.replace("draw when stuck", "draw when stuck or ply > 50")
ALL = t.Range(t.Position(0, 0), t.Position(999, 0))


async def actions(editor: Editor, uri: str) -> dict[str, t.CodeAction | t.Command]:
    """What can be done anywhere in a text, by title."""
    return {one.title: one for one in await every_action(editor, uri)}


async def every_action(editor: Editor, uri: str) -> Sequence[t.CodeAction | t.Command]:
    """What can be done anywhere in a text."""
    params = t.CodeActionParams(named(uri), ALL, t.CodeActionContext([]))
    return await editor.client.text_document_code_action_async(params) or ()


async def run(editor: Editor, command: str, *arguments: object) -> object:
    """Run a command of the server."""
    params = t.ExecuteCommandParams(f"rulewright.{command}", [*arguments])
    return await editor.client.workspace_execute_command_async(params)


def test_a_text_is_studied_and_claims_are_added(tmp_path: Path) -> None:
    path = tmp_path / "mine.rules"
    path.write_text(DEAD, "utf-8")

    async def session(editor: Editor) -> None:
        uri = editor.open(path, DEAD + "# more\n")
        with pytest.raises(JsonRpcException, match=r"save .* first"):
            await run(editor, "cover", uri)
        editor.change(uri, 2, DEAD)
        told = await run(editor, "cover", uri)
        assert "parts used" in str(told)
        shown = await editor.until(
            lambda p: any(d.source == "rulewright cover" for d in p.diagnostics)
        )
        (dead,) = [d for d in shown.diagnostics if d.source == "rulewright cover"]
        assert DEAD.splitlines()[dead.range.start.line].startswith("draw when stuck or ply > 50")
        hints = await editor.client.text_document_inlay_hint_async(
            t.InlayHintParams(named(uri), ALL)
        )
        assert any(str(hint.label).endswith("x") for hint in hints or [])
        lenses = await editor.client.text_document_code_lens_async(t.CodeLensParams(named(uri)))
        titles = [lens.command.title for lens in lenses or [] if lens.command]
        assert f"cover: {told}" in titles
        assert "mutate" in titles

        await run(editor, "claims", uri)
        offered = [
            a.title for a in await every_action(editor, uri) if a.title.startswith("Add `claim ")
        ]
        assert len({*offered}) == len(offered)
        kinds = {title.split()[2].rstrip("`") for title in offered}
        assert {"perft", "symmetric"} <= kinds
        whole = await actions(editor, uri)
        every = next(a for name, a in whole.items() if name.startswith("Add all "))
        assert isinstance(every, t.CodeAction)
        assert every.edit is not None
        assert every.edit.document_changes is not None
        (change,) = every.edit.document_changes
        assert isinstance(change, t.TextDocumentEdit)
        added = [e.new_text for e in change.edits if isinstance(e, t.TextEdit)]
        new = DEAD.rstrip("\n") + "\n\n" + "".join(added).lstrip("\n")
        editor.change(uri, 3, new)
        assert not [n for n in await actions(editor, uri) if n.startswith("Add `claim ")]

    with_editor(session)


def test_a_second_click_begins_no_second_study(tmp_path: Path) -> None:
    path = tmp_path / "mine.rules"
    path.write_text(TEXT, "utf-8")

    async def session(editor: Editor) -> None:
        uri = editor.open(path, TEXT)
        told = await asyncio.gather(*(run(editor, "cover", uri) for _ in range(3)))
        assert told.count("cover is under way") == 2

    with_editor(session)


def test_lines_are_asked_and_answer(tmp_path: Path) -> None:
    path = tmp_path / "mine.rules"
    text = TEXT.rstrip("\n") + '\n\nclaim no "a1" after "a1"\n'
    path.write_text(TEXT, "utf-8")

    async def session(editor: Editor) -> None:
        uri = editor.open(path, text)
        offered = await actions(editor, uri)
        assert "What do these edits change in play?" in offered
        asked = offered["Why is `a1` not legal?"]
        assert isinstance(asked, t.Command)
        told = await run(editor, asked.command.partition(".")[2], *(asked.arguments or ()))
        assert "choose cell in empty" in str(told)

    with_editor(session)


def test_what_mutate_has_kept_is_reported_beside_the_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "mine.rules"
    path.write_text(TEXT, "utf-8")
    workspace, studies = Workspace(), Studies()
    document = workspace.open(path, TEXT)
    assert kept_study(document) is None
    main(["mutate", str(path), "--most", "4", "--format", "json"])
    data = json.loads(capsys.readouterr().out)
    assert data["survivors"]
    found = kept_study(document)
    assert found is not None
    assert found.notes == study("mutate", TEXT, data).notes
    studies.add(path, found)
    notes = list(studies.notes(document))
    assert [TEXT.count("\n", 0, span.start) + 1 for span, _, _ in notes] == [
        one["line"] for one in data["survivors"]
    ]
    claimed = workspace.open(path, TEXT + "".join(f"\n{n.claim}" for _, _, n in notes) + "\n")
    assert list(studies.notes(claimed)) == []
    moved = workspace.open(path, "# a line more\n" + TEXT)
    assert [n for _, _, n in studies.notes(moved)] == [n for _, _, n in notes]
