"""What a notebook shows: boards to play on, tables of searches and explanations."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbclient import NotebookClient

import rulewright
from rulewright.games.render.markup import table

CELLS = (
    "import rulewright; state = rulewright.load('connect4').start().play('4 4')",
    "state",
    "rulewright.search(state, nodes=5000, roots=True)",
    "rulewright.explain(state, 'counter')",
    "run = rulewright.match('connect4', 'counter', 'random', games=2); list(run); run",
    "rulewright.patterns(rulewright.load('twixt').start().play('l12 m14 n16'), 'seen')",
    "rulewright.board(state, 'counter')",
)
SHOWN = ("image/svg+xml", *["text/html"] * 4)
"""What the second cell and those after it show, the last one but for its board."""


def test_a_notebook_is_executed() -> None:
    cells = [nbformat.v4.new_code_cell(cell) for cell in CELLS]  # type: ignore[no-untyped-call]
    book = nbformat.v4.new_notebook(cells=cells)  # type: ignore[no-untyped-call]
    NotebookClient(book, timeout=120, kernel_name="python3").execute()
    shown = [set(cell.outputs[-1].data) if cell.outputs else set() for cell in book.cells]
    for kind, data in zip(SHOWN, shown[1:], strict=False):
        assert {kind, "text/plain"} <= data
    assert "application/vnd.jupyter.widget-view+json" in shown[-1]


def test_a_notebook_of_marimo_is_executed(tmp_path: Path) -> None:
    lines = ["import marimo", "app = marimo.App()"]
    for cell in CELLS:
        first, *rest = cell.split("; ")
        given = "" if first.startswith("import") else "rulewright, state"
        lines += ["@app.cell", f"def _({given}):"]
        lines += [f"    {line}" for line in (first, *rest)]
        lines += ["    return" if given else "    return rulewright, state"]
    (tmp_path / "book.py").write_text("\n".join(lines))
    words = ["export", "ipynb", "book.py", "--include-outputs", "-o", "book.ipynb"]
    subprocess.run([sys.executable, "-m", "marimo", *words], check=True, cwd=tmp_path, timeout=120)
    book = nbformat.read(tmp_path / "book.ipynb", 4)  # type: ignore[no-untyped-call]
    shown = [one.data for cell in book.cells for one in cell.get("outputs", ())]
    for kind, data in zip(SHOWN, shown, strict=False):
        assert kind in data
    assert "marimo-anywidget" in str(shown[-1])


def test_a_board_plays_answers_and_takes_back() -> None:
    board = rulewright.board(rulewright.load("connect4").start(), "counter")
    board._take_message(None, {"play": "4"}, None)
    assert len(board.state.decisions()) == 2
    assert board.scene == board.state.scene.as_json()
    board._take_message(None, {"play": "9"}, None)
    assert "9" in board.message
    board._take_message(None, {"back": True}, None)
    assert (board.state.decisions(), board.message) == ([], "")


@given(st.text(), st.lists(st.text() | st.floats(allow_nan=False) | st.integers(), max_size=3))
def test_tables_are_well_formed_whatever_is_in_them(text: str, row: list[object]) -> None:
    ET.fromstring(table(text, [text], [row]))


def test_without_the_extra_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "rulewright.app.studio.widget", None)
    with pytest.raises(rulewright.errors.RulewrightError, match="rulewright\\[notebook\\]"):
        rulewright.board(rulewright.load("tictactoe").start())


def test_the_widget_has_its_files() -> None:
    page = Path(rulewright.__file__).parent / "app" / "studio" / "page"
    assert (page / "board.js").stat().st_size < 50_000
    assert "export" in (page / "board.js").read_text("utf-8")
