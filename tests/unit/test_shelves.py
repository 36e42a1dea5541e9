"""Games beside the bundled ones: named folders, added and installed packages."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.app.service.documents import Workspace
from rulewright.errors import UnknownGame
from rulewright.games.files import shelves
from rulewright.games.files.catalog import PERSONALITY, load_personality
from rulewright.games.files.games import bundled_games, find, known_games, load
from rulewright.games.files.kinds import files_of
from tests.shared.tiny import RULES

PERSONALITY_TEXT = "format 1\npersonality patient for connect4\n\nuse eager\nsearch one_ply\n"
IMPORTED = "raise SystemExit('a package of games was imported')\n"


def rules(name: str) -> str:
    """Rules of a small game under another name."""
    text = bundled_games()["tictactoe"].read_text("utf-8")
    return text.replace("game tictactoe", f"game {name}")


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path / "data"))
    monkeypatch.delenv(shelves.VARIABLE, raising=False)
    shelves._installed.cache_clear()
    yield
    shelves._installed.cache_clear()


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that `RULEWRIGHT_PATH` names."""
    folder = tmp_path / "shelf"
    monkeypatch.setenv(shelves.VARIABLE, os.pathsep.join([str(tmp_path / "none"), str(folder)]))
    return put(folder, {"deep/deep.rules": rules("deep"), "flat.rules": rules("flat")})


def put(folder: Path, texts: dict[str, str]) -> Path:
    """Write texts into a folder."""
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, value: str = "pack") -> Path:
    """A package as pip leaves it: metadata, and a folder whose code must not be run."""
    points = f"[{shelves.GROUP}]\npack = {value}\n"
    metadata = "Metadata-Version: 2.1\nName: boardpack\nVersion: 1.2\n"
    info = "boardpack-1.2.dist-info"
    put(folder, {f"{info}/METADATA": metadata, f"{info}/entry_points.txt": points})
    put(folder, {"pack/__init__.py": IMPORTED, "pack/inside/inside.rules": rules("inside")})
    monkeypatch.syspath_prepend(str(folder))
    return folder / "pack"


def test_a_folder_of_the_path_gives_its_games(shelf: Path) -> None:
    assert find("deep") == shelf / "deep/deep.rules"
    assert load("flat").name == "flat"
    assert {"deep", "flat", "chess"} <= {*known_games()}


def test_a_name_is_looked_for_in_the_current_folder_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UnknownGame):
        find("mine")
    (tmp_path / "mine.rules").write_text(RULES)
    (tmp_path / "hex.rules").write_text(RULES)
    monkeypatch.chdir(tmp_path)
    assert find("mine").resolve() == tmp_path / "mine.rules"
    assert find("hex") == bundled_games()["hex"]


def test_the_bundled_game_has_its_name_and_the_list_says_what_is_hidden(
    shelf: Path, run: Any
) -> None:
    put(shelf, {"chess.rules": rules("chess")})
    assert find("chess") == bundled_games()["chess"]
    status, out, err = run("games")
    assert status == 0
    assert f"({shelves.VARIABLE}: {shelf})" in out
    assert f"chess means the bundled game, not {shelf / 'chess.rules'}" in err
    assert f"none is no folder ({shelf.parent / 'none'})" in err


def test_the_list_tells_each_place_and_passes_over_what_cannot_be_used(
    shelf: Path, run: Any
) -> None:
    put(shelf, {"bad.rules": "rubbish\n"})
    status, out, err = run("games", "--format", "json")
    games = {game["name"]: game for game in json.loads(out)["games"]}
    assert status == 0
    assert games["flat"]["path"] == str(shelf / "flat.rules")
    assert "place" not in games["chess"]
    assert "bad" not in games
    assert f"{shelf / 'bad.rules'} cannot be used" in err


def test_an_installed_package_is_listed_without_an_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Any
) -> None:
    folder = install(tmp_path / "site", monkeypatch)
    assert find("inside") == folder / "inside/inside.rules"
    assert "pack" not in sys.modules
    assert "(installed: boardpack 1.2)" in run("games")[1]
    assert "pack" not in sys.modules


@pytest.mark.parametrize(
    "value",
    ["../pack", "pack:run", "/etc", "pack.nothing", "", "pack\nx", "pack/inside", "{outside}"],
)
def test_metadata_that_name_no_folder_stop_nothing(
    value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A path is no name of a module, though a game may stand there."""
    outside = put(tmp_path / "outside", {"inside.rules": rules("inside")})
    install(tmp_path / "site", monkeypatch, value.format(outside=outside))
    with pytest.raises(UnknownGame):
        find("inside")


class Metadata:
    """A package that is installed, or of which little is left."""

    def __init__(self, place: Path, error: Exception | None) -> None:
        self.place, self.error, self.version = place, error, "1"

    @property
    def name(self) -> str:
        """What the metadata say, or the error that reading them is."""
        if self.error is not None:
            raise self.error
        return "pack"

    def locate_file(self, path: str) -> Path:
        """Where a file of the package stands."""
        return self.place / path


DAMAGED = st.sampled_from([KeyError("Name"), OSError(5, "I/O"), ValueError(), AttributeError()])


@given(st.lists(st.none() | DAMAGED | st.just("no metadata"), max_size=5))
def test_broken_metadata_hide_no_other_package(states: list[Exception | str | None]) -> None:
    points = [
        SimpleNamespace(
            name=f"p{number}", value="pack",
            dist=None if isinstance(state, str) else Metadata(Path(f"/none/{number}"), state),
        )
        for number, state in enumerate(states)
    ]  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("importlib.metadata.entry_points", lambda group: points)
        shelves._installed.cache_clear()
        folders = [shelf.folder for shelf in shelves._installed()]
    whole = [number for number, state in enumerate(states) if state is None]
    assert folders == [Path(f"/none/{number}/pack") for number in whole]


def test_a_linked_package_is_listed_from_the_path_of_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = install(tmp_path / "site", monkeypatch)
    (tmp_path / "project").mkdir()
    folder.rename(tmp_path / "project/pack")
    monkeypatch.syspath_prepend(str(tmp_path / "project"))
    assert find("inside").is_relative_to(tmp_path / "project")


def test_the_path_goes_before_what_was_added_and_that_before_what_is_installed(
    shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = install(tmp_path / "site", monkeypatch)
    assert find("inside") == installed / "inside/inside.rules"
    added = put(tmp_path / "data/packages/pack", {"inside/inside.rules": rules("inside")})
    assert find("inside") == added / "inside/inside.rules"
    put(shelf, {"inside.rules": rules("inside")})
    assert find("inside") == shelf / "inside.rules"


@pytest.mark.parametrize("name", ["connect4/patient.personality", "patient.personality"])
def test_files_of_a_bundled_game_are_listed(name: str, shelf: Path) -> None:
    path = put(shelf, {name: PERSONALITY_TEXT}) / name
    assert files_of(PERSONALITY, load("connect4"))["patient"] == path
    assert load_personality(load("connect4"), "patient").name == "patient"


def test_what_belongs_to_another_game_is_not(shelf: Path) -> None:
    put(shelf, {"patient.personality": PERSONALITY_TEXT.replace("connect4", "hex")})
    assert "patient" not in files_of(PERSONALITY, load("connect4"))


def test_an_evaluator_may_name_a_game_of_a_shelf(shelf: Path, tmp_path: Path, run: Any) -> None:
    text = "format 1\nevaluator level for deep\n\nvalue of position for mover = 0\n"
    put(tmp_path, {"level.eval": text})
    assert run("check", str(tmp_path / "level.eval"))[0] == 0
    workspace = Workspace()
    document = workspace.open(tmp_path / "level.eval", text)
    rules_of = workspace.rules_of(document)
    assert rules_of is not None
    assert rules_of.path == shelf / "deep/deep.rules"


# --- at the edges ---


def test_a_folder_that_is_gone_has_no_games(tmp_path: Path) -> None:
    assert shelves.Shelf(tmp_path / "gone", "gone").games() == {}


def test_a_shelf_is_opened_once_and_stands_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(shelves.VARIABLE, "first")
    for _ in range(2):
        shelves.open_shelf(tmp_path)
        assert os.environ[shelves.VARIABLE] == os.pathsep.join(["first", str(tmp_path)])


def test_only_names_are_looked_for(shelf: Path) -> None:
    assert shelves.on_shelf("flat") == shelf / "flat.rules"
    assert shelves.on_shelf(f"../{shelf.name}/flat") is None


def test_blanks_and_hidden_folders_are_no_shelves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(shelves.VARIABLE, os.pathsep.join(["", "  ", str(tmp_path)]))
    put(tmp_path / "data" / "packages", {".part/x.rules": "", "whole/x.rules": "", "file": ""})
    assert [shelf.folder for shelf in shelves._of_path()] == [tmp_path]
    assert [shelf.folder.name for shelf in shelves._added()] == ["whole"]


def test_the_first_of_two_shelves_hides_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = (put(tmp_path / name, {"same.rules": rules("same")}) for name in ("one", "two"))
    monkeypatch.setenv(shelves.VARIABLE, os.pathsep.join([str(one), str(two)]))
    (told,) = shelves.hidden_games(())
    assert told.startswith("same means that of ")
    assert str(two) in told
