"""What the studio shows of every bundled game before it is opened: its card and its title."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from rulewright.app.studio.desk import Desk
from rulewright.app.studio.folder import Folder, titles_of
from rulewright.app.studio.gallery import CARDS
from rulewright.games.files.dresser import dressing_of
from rulewright.games.files.games import bundled_games, load
from tests.shared.desks import ask


def test_each_bundled_game_has_a_card_in_both_themes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path))
    desk = Desk(Folder(tmp_path))
    names = [*bundled_games()]
    batches = [names[i : i + CARDS] for i in range(0, len(names), CARDS)]
    cards = [card for batch in batches for card in ask(desk, "gallery", games=batch)]
    assert [card["game"] for card in cards] == names
    for card in cards:
        assert card["tell"], card["game"]
        assert "prefers-color-scheme:dark" in card["picture"]
        assert ElementTree.fromstring(card["picture"]).tag.endswith("svg")
    desk.close()


def test_titles_are_those_of_the_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    titles = titles_of(bundled_games())
    assert titles == {name: dressing_of(load(name)).title for name in bundled_games()}
    (tmp_path / "mine.rules").write_text("format 1\ngame mine\n")
    monkeypatch.setenv("RULEWRIGHT_PATH", str(tmp_path))
    assert titles_of(["mine", "no such game"]) == {}
