"""The studio's list of games: those of named folders, added and installed packages are in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.app.studio import export
from rulewright.app.studio.desk import Desk
from rulewright.app.studio.folder import named_file
from rulewright.errors import RulewrightError
from rulewright.games.files import shelves
from rulewright.games.files.games import bundled_games
from tests.shared.desks import ask

PLACES = {"named": "RULEWRIGHT_PATH: ", "added": "added: boards", "inside": "installed: pack 1.2"}


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """A desk beside a game on a shelf of each kind, and one that nobody can read."""
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path / "data"))
    monkeypatch.setenv(shelves.VARIABLE, str(tmp_path / "own"))
    put(tmp_path / "own", "named")
    put(tmp_path / "data/packages/boards", "added")
    put(tmp_path / "site/pack", "inside")
    (tmp_path / "own/broken").mkdir()
    (tmp_path / "own/broken/broken.rules").write_bytes(b"format 1\n# caf\xe9\n")
    info = tmp_path / "site/pack-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pack\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text(f"[{shelves.GROUP}]\npack = pack\n")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    shelves._installed.cache_clear()
    found = Desk()
    yield found
    found.close()
    shelves._installed.cache_clear()


def put(folder: Path, name: str) -> None:
    text = bundled_games()["tictactoe"].read_text("utf-8")
    folder.mkdir(parents=True)
    (folder / f"{name}.rules").write_text(text.replace("game tictactoe", f"game {name}"), "utf-8")


def test_the_list_has_the_games_of_shelves_with_their_places(desk: Desk) -> None:
    games = ask(desk, "hello")["games"]
    assert [*games][: len(bundled_games())] == [*bundled_games()]
    for name, place in PLACES.items():
        assert games[name].startswith("Two players put marks")
        assert f" ({place}" in games[name]
        assert ask(desk, "hello")["places"][name].startswith(place)
    assert "(" not in games["tictactoe"]


@pytest.mark.parametrize("name", PLACES)
def test_a_game_of_a_shelf_is_opened_played_and_written(desk: Desk, name: str) -> None:
    assert ask(desk, "open", game=name)["source"] == name
    ask(desk, "play", text="b2")
    written = ask(desk, "write_game", form="txt")
    ask(desk, "open", game="hex")
    table = ask(desk, "read_game", name=written["name"], text=written["text"])
    assert (table["source"], [n["text"] for n in table["nodes"]]) == (name, ["b2"])


def test_a_game_that_cannot_be_read_is_listed_and_says_so(desk: Desk) -> None:
    assert "broken" in ask(desk, "hello")["games"]
    with pytest.raises(RulewrightError):
        ask(desk, "open", game="broken")
    assert ask(desk, "table")["source"] == "tictactoe"


def test_the_studio_begins_with_a_game_of_a_shelf(desk: Desk) -> None:
    folder, opened = named_file("named")
    assert (folder.path, opened) == (None, "named")
    begun = Desk(folder, opened)
    assert ask(begun, "table")["source"] == "named"
    begun.close()
    shown = export.first_page("named", {})  # a page that has no shelf brings the text with it
    assert (shown.name, shown.game.name) == ("named.rules", "named")
    assert "named.rules" in shown.texts


def test_games_and_personalities_of_an_open_folder_are_at_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path / "data"))
    monkeypatch.setenv(shelves.VARIABLE, "")
    put(tmp_path / "open" / "own", "own")
    folder, opened = named_file(str(tmp_path / "open"))
    shelves.open_shelf(tmp_path / "open")
    shelves.open_shelf(tmp_path / "open")  # once is enough
    desk = Desk(folder, opened)
    hello = ask(desk, "hello")
    assert hello["own"] == ["own/own.rules"]
    assert "own" not in hello["games"]
    assert "own" not in hello["places"]
    assert ask(desk, "table")["source"] == "own/own.rules"
    saved = {"personality": "counter", "factors": {"one": 7.0}, "name": "mine"}
    ask(desk, "open", game="connect4")
    assert ask(desk, "save_personality", **saved)["path"] == "mine.personality"
    assert "mine" in [one["name"] for one in ask(desk, "personalities")]
    assert ask(desk, "sit", chair=1, player="mine")["chairs"][1]["player"] == "mine"
    text = bundled_games()["connect4"].read_text("utf-8")
    (tmp_path / "open" / "own" / "four.rules").write_text(text)
    ask(desk, "open", game="own/four.rules")
    assert ask(desk, "save_personality", **saved)["path"] == "own/mine.personality"
    desk.close()
