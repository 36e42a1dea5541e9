"""What the studio shows of every bundled game before it is opened: its card and its title."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from rulewright.app.studio.desk import Desk
from rulewright.app.studio.folder import Folder, headings_of
from rulewright.app.studio.gallery import CARDS
from rulewright.app.studio.menu import Heading
from rulewright.games.files.dresser import dressing_of
from rulewright.games.files.games import load
from tests.shared.desks import ask
from tests.shared.sample import chosen


def test_each_bundled_game_has_a_card_in_both_themes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path))
    desk = Desk(Folder(tmp_path))
    names = chosen()
    batches = [names[i : i + CARDS] for i in range(0, len(names), CARDS)]
    cards = [card for batch in batches for card in ask(desk, "gallery", games=batch)]
    assert [card["game"] for card in cards] == names
    for card in cards:
        assert card["tell"], card["game"]
        assert "prefers-color-scheme:dark" in card["picture"]
        assert ElementTree.fromstring(card["picture"]).tag.endswith("svg")
    desk.close()


def test_headings_are_those_of_the_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    headings = headings_of(chosen())
    for name, heading in headings.items():
        dressing = dressing_of(load(name))
        assert heading == Heading(dressing.title, dressing.tell, dressing.family)
    assert [*headings] == chosen()
    (tmp_path / "mine.rules").write_text("format 1\ngame mine\n")
    monkeypatch.setenv("RULEWRIGHT_PATH", str(tmp_path))
    assert headings_of(["mine", "no such game"]) == {}
