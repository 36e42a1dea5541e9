"""What a notebook shows: boards to play on, tables of searches and explanations."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbclient import NotebookClient

import rulewright
from rulewright.render.markup import table

CELLS = (
    "import rulewright; state = rulewright.load('connect4').start().play('4 4')",
    "state",
    "rulewright.search(state, nodes=5000, roots=True)",
    "rulewright.explain(state, 'counter')",
    "rulewright.board(state, 'counter')",
)


def test_a_notebook_is_executed() -> None:
    cells = [nbformat.v4.new_code_cell(cell) for cell in CELLS]  # type: ignore[no-untyped-call]
    book = nbformat.v4.new_notebook(cells=cells)  # type: ignore[no-untyped-call]
    NotebookClient(book, timeout=120, kernel_name="python3").execute()
    shown = [set(cell.outputs[0].data) if cell.outputs else set() for cell in book.cells]
    assert "image/svg+xml" in shown[1]
    assert "text/html" in shown[2]
    assert "text/html" in shown[3]
    assert "application/vnd.jupyter.widget-view+json" in shown[4]


def test_a_board_plays_answers_and_takes_back() -> None:
    board = rulewright.board(rulewright.load("connect4").start(), "counter")
    board._asked(None, {"play": "4"}, None)
    assert len(board.state.decisions()) == 2
    assert board.scene == board.state.scene.as_json()
    board._asked(None, {"play": "9"}, None)
    assert "9" in board.told
    board._asked(None, {"back": True}, None)
    assert (board.state.decisions(), board.told) == ([], "")


@given(st.text(), st.lists(st.text() | st.floats(allow_nan=False) | st.integers(), max_size=3))
def test_tables_are_well_formed_whatever_is_in_them(text: str, row: list[object]) -> None:
    ET.fromstring(table(text, [text], [row]))


def test_without_the_extra_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "rulewright.studio.widget", None)
    with pytest.raises(rulewright.errors.RulewrightError, match="rulewright\\[notebook\\]"):
        rulewright.board(rulewright.load("tictactoe").start())


def test_the_widget_has_its_files() -> None:
    page = Path(rulewright.__file__).parent / "studio" / "page"
    assert (page / "board.js").stat().st_size < 50_000
    assert "export" in (page / "board.js").read_text("utf-8")
