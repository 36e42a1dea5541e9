"""The cards of the studio's home: titles, lines and pictures, without compiling a game."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.app.studio import export
from rulewright.app.studio.desk import Desk
from rulewright.app.studio.export import SCRIPTS, exported, shown
from rulewright.app.studio.folder import Folder
from rulewright.app.studio.front import FRONT
from rulewright.app.studio.gallery import CARDS
from rulewright.games.engine import kernels
from rulewright.games.files.games import bundled
from tests.shared.desks import ask
from tests.shared.tiny import RULES

HOME = 1_500_000
"""Bytes of the page and all that its home shows."""


def is_of_home(name: str) -> bool:
    return name in (*SCRIPTS, FRONT, "index.html") or name.startswith("cards/")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """A desk of a folder with a game, one that draws nothing, and one with mistakes."""
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path / "data"))
    own = tmp_path / "own"
    own.mkdir()
    (own / "mine.rules").write_text(RULES)
    (own / "wrong.rules").write_text("format 1\ngame wrong\n")
    (tmp_path / "outside.rules").write_text(RULES)
    opened = Desk(Folder(own))
    yield opened
    opened.close()


def test_a_card_shows_a_position_and_compiles_nothing(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "load_engine", None)
    (card,) = ask(desk, "gallery", games=["mine.rules"])
    assert card["picture"].startswith("<svg")
    assert (card["title"], card["tell"]) == ("", "")


def test_a_game_that_cannot_be_drawn_has_a_card_and_others_are_not_read(desk: Desk) -> None:
    names = ["wrong.rules", "../outside.rules", "nowhere", "mine.rules"]
    cards = ask(desk, "gallery", games=names)
    assert [card["game"] for card in cards] == names
    assert [bool(card["picture"]) for card in cards] == [False, False, False, True]


def test_a_request_is_for_a_few_cards(desk: Desk) -> None:
    assert len(ask(desk, "gallery", games=["tictactoe"] * (CARDS + 5))) == CARDS


def test_a_changed_text_has_a_new_card(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "own" / "mine.rules").write_text("format 1\n")
    (card,) = ask(desk, "gallery", games=["mine.rules"])
    assert card["picture"] == ""


def test_an_export_brings_the_cards_and_lessons_and_begins_with_them(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "_library_of", lambda *_: {})
    python = {"pyodide.mjs": b""}
    files = exported(shown("", {}), python)
    front = json.loads(files[FRONT])
    assert [card["game"] for card in front["cards"]] == [*bundled()]
    for card in front["cards"]:
        assert files[card["picture"]].startswith(b"<svg")
        assert json.loads(files[f"learn/{card['game']}.json"])["pictures"], card["game"]
    assert front["greeting"]["titles"] == ask(desk, "hello")["titles"]
    assert b"first.svg" not in files["index.html"]
    assert sum(len(data) for name, data in files.items() if is_of_home(name)) < HOME
    assert b' data-home="yes"' in files["index.html"]
    assert b"data-home" not in exported(shown("tictactoe", {}), python)["index.html"]
