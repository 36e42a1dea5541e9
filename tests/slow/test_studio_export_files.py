"""The studio as files for any web host, and the desk inside a page."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from attrs import evolve

from rulewright import load, loads
from rulewright.app.studio.desk import Desk
from rulewright.app.studio.export import (
    LIST,
    SCRIPTS,
    TEXTS,
    FirstPage,
    export,
    exported_files,
    first_page,
    library,
    make_cache_files,
)
from rulewright.app.studio.folder import MOST, Folder
from rulewright.app.studio.front import FRONT
from rulewright.app.studio.pyodide import FILES, VERSION, compiled, join_files, pyodide
from rulewright.app.studio.reply import WorkerDesk, rehearse
from rulewright.app.studio.tree import _start_state, start_state
from rulewright.errors import RulewrightError
from rulewright.games.files.games import bundled_games
from rulewright.language.diagnostics import TextError
from tests.shared.desks import ask
from tests.shared.tiny import RULES


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are kept here."""
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path / "data"))


@pytest.fixture
def python(monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """Files that stand for Pyodide's, which nobody compiles with."""
    monkeypatch.setattr("rulewright.app.studio.export.compiled", lambda library, _: library)
    monkeypatch.setattr("rulewright.app.studio.export.remembered", lambda *_: b"")
    monkeypatch.setattr("rulewright.app.studio.export.make_cache_files", lambda _: {})
    return {"pyodide.mjs": b"export {}"}


def test_a_machine_too_busy_to_compile_in_time_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.app.studio.export._WAIT", 0.01)
    with pytest.raises(RulewrightError, match="not compiled in 0 s"):
        make_cache_files(FirstPage("connect4", load("connect4"), {}))
    if shutil.which("node"):
        monkeypatch.setattr("rulewright.app.studio.pyodide._WAIT", 0.001)
        with pytest.raises(RulewrightError, match="takes more than 0 s"):
            compiled(b"", {"pyodide.mjs": b"export {}"})


def test_an_export_names_all_its_files_and_shows_the_game(python: dict[str, bytes]) -> None:
    files = exported_files(FirstPage("connect4", load("connect4", width=5), {"width": "5"}), python)
    listed = json.loads(files[LIST])["files"]
    assert sorted(listed) == sorted(set(files) - {LIST})
    page = files["index.html"].decode()
    assert 'data-game="connect4" data-options="{&quot;width&quot;: &quot;5&quot;}"' in page
    assert "script-src 'self'" in page
    assert files["first.svg"].decode() == load("connect4", width=5).start().svg()
    other = exported_files(FirstPage("hex", load("hex"), {}), python)
    assert files["offline.js"] != other["offline.js"]  # else browsers would keep the old files


HOME = 1_500_000
"""Bytes of the page and all that its home shows."""


def is_of_home(name: str) -> bool:
    return name in (*SCRIPTS, FRONT, "index.html") or name.startswith("cards/")


def test_an_export_brings_the_cards_and_lessons_and_begins_with_them(
    python: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulewright.app.studio.export._library_of", lambda *_: {})
    files = exported_files(first_page("", {}), python)
    front = json.loads(files[FRONT])
    assert [card["game"] for card in front["cards"]] == [*bundled_games()]
    for card in front["cards"]:
        assert files[card["picture"]].startswith(b"<svg")
        assert json.loads(files[f"learn/{card['game']}.json"])["pictures"], card["game"]
    hex_table = ask(Desk(opened="hex"), "table")
    assert json.loads(files["open/hex.json"]) == json.loads(json.dumps(hex_table))
    assert files["open/backgammon.json"] == b"null"  # dice make its first position
    desk = Desk(Folder(tmp_path))
    assert front["greeting"]["headings"] == ask(desk, "hello")["headings"]
    desk.close()
    assert b"first.svg" not in files["index.html"]
    assert sum(len(data) for name, data in files.items() if is_of_home(name)) < HOME
    assert b' data-home="yes"' in files["index.html"]
    assert b"documents" not in files["index.html"]
    beside = evolve(first_page("", {}), documents="docs/")
    assert b' data-documents="docs/"' in exported_files(beside, python)["index.html"]
    assert b"data-home" not in exported_files(first_page("tictactoe", {}), python)["index.html"]


def test_an_export_brings_own_texts(python: dict[str, bytes], tmp_path: Path) -> None:
    (tmp_path / "mine.rules").write_text(RULES)
    (tmp_path / "notes.txt").write_text("mine alone")
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "other.rules").write_text(RULES)
    for name, texts in (
        ("mine.rules", {"mine.rules"}),
        ("", {"mine.rules", "below/other.rules"}),
    ):
        first = first_page(str(tmp_path / name), {})
        assert set(first.texts) == texts
        files = exported_files(first, python)
        assert json.loads(files[TEXTS]) == dict.fromkeys(texts, RULES)
        game = "mine.rules" if name else "below/other.rules"
        assert f'data-game="{game}"' in files["index.html"].decode()
    assert first_page("hex", {}).texts == {}
    (tmp_path / "mine.rules").write_text("format 1\n")
    with pytest.raises(TextError):
        first_page(str(tmp_path / "mine.rules"), {})


def test_an_export_brings_the_game_that_it_shows(tmp_path: Path) -> None:
    """Though no list has it: it is hidden, or the last of too many."""
    for name in (".mine.rules", "z.rules"):
        (tmp_path / name).write_text(RULES)
    for number in range(MOST):
        (tmp_path / f"{number}.eval").write_text("# empty\n")
    for name in (".mine.rules", "z.rules"):
        first = first_page(str(tmp_path / name), {})
        assert (first.name, first.texts[name]) == (name, RULES)


def test_an_export_refuses_names_that_no_page_holds(tmp_path: Path) -> None:
    odd = os.fsdecode(b"a\xff.rules")
    try:
        (tmp_path / odd).write_text(RULES)
    except OSError:
        pytest.skip("this disk has no such names")
    (tmp_path / "mine.rules").write_text(RULES)
    for name in (odd, "mine.rules", ""):
        with pytest.raises(RulewrightError, match="is not UTF-8: no page holds such a name"):
            first_page(str(tmp_path / name), {})


@pytest.mark.parametrize("files", [{}, {"a/b.py": b"x\n", "c": b"", "d.bin": bytes(range(256))}])
def test_packed_files_are_a_list_and_their_bytes(files: dict[str, bytes]) -> None:
    head, _, rest = join_files(files.items()).partition(b"\n")
    assert dict(json.loads(head)) == {name: len(data) for name, data in files.items()}
    assert rest == b"".join(files.values())


def test_the_library_of_a_page_can_be_imported(tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(library())) as archive:
        archive.extractall(tmp_path)
    first = f"import sys; sys.path[:0] = [{str(tmp_path)!r}]; "
    code = (
        "import rulewright.app.studio.reply as r, lark; "
        "from pathlib import Path; i = r.WorkerDesk(Path('texts'), print);"
        'print(i.ask(\'{"id": 1, "method": "table"}\')[:20], r.__file__, lark.__file__)'
    )
    words = [sys.executable, "-S", "-c", first + code]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.startswith('{"id": 1, "result": ')
    assert done.stdout.count(str(tmp_path)) == 2


IN_PAGE = """
import sys
from pathlib import Path
from rulewright.ground import cache
cache.fill(Path(sys.argv[1]), page=True)
from rulewright.compiler.backend import unpack_code, wasm_host
from rulewright.compiler.layout import Emitted
from rulewright.games.engine import kernels, model_cache
from rulewright.games.engine.packed import stepping_kernels
from rulewright.model.rules import Rules
from rulewright.reference.play import ReferencePlay
text = sys.stdin.read()
place = model_cache.place("/texts/mine.rules", text.encode(), {})
rules = model_cache.read(place, Rules)
game = type("Game", (), {"place": place})
given = rules, *ReferencePlay(rules).links
emitted = model_cache.read(kernels._place(game), Emitted, given)
parts = [emitted.linked, stepping_kernels()]
code, functions, _ = unpack_code(cache.read(wasm_host._in_page(parts)))
print(rules.name, code[:4], "step" in functions)
"""


def test_a_page_is_brought_models_and_kernels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game whose text and options are as they were exported is neither read nor compiled."""
    monkeypatch.setattr("rulewright.app.studio.export.bundled_texts", list)
    texts = {"mine.rules": RULES, "faulty.rules": "format 1", "seen.patterns": ""}
    first = FirstPage("mine.rules", loads(RULES), {}, texts)
    cache = tmp_path / "cache"
    cache.mkdir()
    for name, data in make_cache_files(first).items():
        assert name.startswith("rulewright/brought/")
        (cache / Path(name).name).write_bytes(data)
    assert sorted(path.suffix for path in cache.iterdir()) == [".kernels", ".model", ".wasm"]
    words = [sys.executable, "-c", IN_PAGE, str(cache)]
    done = subprocess.run(words, input=RULES, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"{loads(RULES).name} b'\\x00asm'")
    assert done.stdout.endswith("True\n")


def test_an_export_spares_what_others_have_written(
    tmp_path: Path, python: dict[str, bytes]
) -> None:
    shown = FirstPage("tictactoe", load("tictactoe"), {})
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
        export(tmp_path, FirstPage("tictactoe", game, {}), python)
    assert (tmp_path / "index.html").read_text() == "mine"


def test_other_versions_of_pyodide_are_refused(tmp_path: Path) -> None:
    for name in FILES:
        (tmp_path / name).write_bytes(b"another")
    with pytest.raises(RulewrightError, match="is not that of Pyodide"):
        pyodide(tmp_path)


def test_pyodide_is_fetched_once_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def npm(words: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        folder = Path(words[words.index("--prefix") + 1]) / "node_modules" / "pyodide"
        folder.mkdir(parents=True)
        for name in FILES:
            (folder / name).write_bytes(b"fetched")
        asked.append(words)
        return subprocess.CompletedProcess(words, 0, "", "")

    digests = dict.fromkeys(FILES, hashlib.sha256(b"fetched").hexdigest())
    monkeypatch.setattr("rulewright.app.studio.pyodide.FILES", digests)
    monkeypatch.setattr("rulewright.app.studio.pyodide.user_data_path", lambda *_, **__: tmp_path)
    monkeypatch.setattr("rulewright.app.studio.pyodide.subprocess.run", npm)
    monkeypatch.setattr("rulewright.app.studio.pyodide.shutil.which", lambda _: "npm")
    assert pyodide() == pyodide() == dict.fromkeys(FILES, b"fetched")
    assert [words[-1] for words in asked] == [f"pyodide@{VERSION}"]
    monkeypatch.setattr("rulewright.app.studio.pyodide.shutil.which", lambda _: None)
    monkeypatch.setattr("rulewright.app.studio.pyodide.VERSION", "0")
    with pytest.raises(RulewrightError, match="no npm"):
        pyodide()


def test_a_desk_inside_a_page(tmp_path: Path) -> None:
    told: list[str] = []
    inside = WorkerDesk(tmp_path / "texts", told.append)
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


def test_what_a_page_asks_first_is_known_before_and_nothing_compiled(tmp_path: Path) -> None:
    _start_state.cache_clear()
    rehearse(str(tmp_path / "texts"), "mine.rules", {}, {"mine.rules": RULES})
    begun = start_state(str(tmp_path / "texts" / "mine.rules"), {})
    assert _start_state.cache_info().hits >= 1
    assert begun.game.play.engines == {}
    (tmp_path / "texts" / "mine.rules").write_text(RULES + "# other\n")
    assert start_state(str(tmp_path / "texts" / "mine.rules"), {}) is not begun
