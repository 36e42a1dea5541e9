"""The studio as files for any web host, and the desk inside a page."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from rulewright import load
from rulewright.errors import RulewrightError
from rulewright.studio.export import LIST, Shown, export, exported, library
from rulewright.studio.pyodide import FILES, pyodide
from rulewright.studio.reply import Inside

RULES = """format 1
game tiny
players red blue
board square 3 by 1
pieces stone
move place
  choose at in empty
  put stone at those(s in empty : s = at)
turn place
lose when stuck
"""


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are kept here."""
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path / "data"))


@pytest.fixture
def python(monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """Files that stand for Pyodide's, which nobody compiles with."""
    monkeypatch.setattr("rulewright.studio.export.compiled", lambda library, _: library)
    return {"pyodide.mjs": b"export {}"}


def test_an_export_names_all_its_files_and_shows_the_game(python: dict[str, bytes]) -> None:
    files = exported(Shown("connect4", load("connect4", width=5), {"width": "5"}), python)
    listed = json.loads(files[LIST])["files"]
    assert sorted(listed) == sorted(set(files) - {LIST})
    page = files["index.html"].decode()
    assert 'data-game="connect4" data-options="{&quot;width&quot;: &quot;5&quot;}"' in page
    assert "script-src 'self'" in page
    assert files["first.svg"].decode() == load("connect4", width=5).start().svg()
    other = exported(Shown("hex", load("hex"), {}), python)
    assert files["offline.js"] != other["offline.js"]  # else browsers would keep the old files


def test_the_library_of_a_page_can_be_imported(tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(library())) as archive:
        archive.extractall(tmp_path)
    first = f"import sys; sys.path[:0] = [{str(tmp_path)!r}]; "
    code = (
        "import rulewright.studio.reply as r, lark; "
        "from pathlib import Path; i = r.Inside(Path('texts'), '', {}, print);"
        'print(i.ask(\'{"id": 1, "method": "table"}\')[:20], r.__file__, lark.__file__)'
    )
    words = [sys.executable, "-S", "-c", first + code]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.startswith('{"id": 1, "result": ')
    assert done.stdout.count(str(tmp_path)) == 2


def test_an_export_spares_what_others_have_written(
    tmp_path: Path, python: dict[str, bytes]
) -> None:
    shown = Shown("tictactoe", load("tictactoe"), {})
    (tmp_path / "index.html").write_text("mine")
    with pytest.raises(RulewrightError, match="holds other files"):
        export(tmp_path, shown, python)
    assert (tmp_path / "index.html").read_text() == "mine"
    size = export(tmp_path / "new", shown, python)
    assert export(tmp_path / "new", shown, python) == size


@pytest.mark.parametrize(
    "listed",
    ["[]", "{", '{"files": ["index.html"]}', '{"version": "1", "files": ["a.html"]}', "[" * 9999],
)
def test_a_list_of_others_frees_no_file(
    listed: str, python: dict[str, bytes], tmp_path: Path
) -> None:
    """Web folders have such names too."""
    (tmp_path / LIST).write_text(listed)
    (tmp_path / "index.html").write_text("mine")
    game = load("tictactoe")
    with pytest.raises(RulewrightError, match=r"holds other files|no file of an earlier export"):
        export(tmp_path, Shown("tictactoe", game, {}), python)
    assert (tmp_path / "index.html").read_text() == "mine"


def test_other_versions_of_pyodide_are_refused(tmp_path: Path) -> None:
    for name in FILES:
        (tmp_path / name).write_bytes(b"another")
    with pytest.raises(RulewrightError, match="is not that of Pyodide"):
        pyodide(tmp_path)


def test_a_desk_inside_a_page(tmp_path: Path) -> None:
    told: list[str] = []
    inside = Inside(tmp_path / "texts", "", {}, told.append)
    inside.put(json.dumps({"tiny.rules": RULES}))
    assert json.loads(inside.files()) == {"tiny.rules": RULES}
    asked = {"id": 7, "method": "open", "params": {"game": "tiny.rules"}}
    assert json.loads(inside.ask(json.dumps(asked)))["result"]["game"] == "tiny"
    searching = {"id": 8, "method": "search", "params": {"seconds": 0.2}}
    answer = json.loads(inside.ask(json.dumps(searching)))
    assert answer["id"] == 8
    assert answer["result"]["move"] in ("a1", "b1", "c1")
    assert all(json.loads(text)["id"] == 8 for text in told)
    assert json.loads(inside.ask("what?"))["error"]
    with pytest.raises(RulewrightError):
        inside.put(json.dumps({"../out.rules": ""}))
