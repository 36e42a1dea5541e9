"""The cards of the studio's home: titles, lines and pictures, without compiling a game."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.app.studio import gallery
from rulewright.app.studio.desk import Desk
from rulewright.app.studio.folder import Folder
from rulewright.app.studio.gallery import CARDS
from rulewright.app.studio.menu import GameCard
from rulewright.games.engine import kernels
from rulewright.games.engine.game import Game, State
from tests.shared.desks import ask
from tests.shared.tiny import RULES


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


def test_what_was_drawn_of_a_bundled_game_is_taken_until_a_text_or_the_file_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    drawn, real = list[str](), gallery._card

    def noted(name: str, folder: Folder) -> GameCard:
        drawn.append(name)
        return real(name, folder)

    monkeypatch.setattr(gallery, "_card", noted)
    draw = gallery.bundled_card.__wrapped__
    first = draw("tictactoe")
    assert draw("tictactoe") == first == real("tictactoe", Folder())
    assert drawn == ["tictactoe"]
    (place,) = tmp_path.rglob("*.card")
    place.write_bytes(place.read_bytes()[:-1])
    assert draw("tictactoe") == first
    monkeypatch.setattr(gallery, "_bundled_texts", lambda: "others")
    assert draw("tictactoe") == first
    assert drawn == ["tictactoe"] * 3


def test_a_card_that_ran_out_of_time_has_no_picture(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thumbnail passes over what is left of its time; its first position would be cached."""

    def late(_: object, game: Game) -> State:
        start = game.start()
        assert start.scene.spots  # drawn, so that nothing asks for the time again
        time.sleep(1.2)  # a card has a second to be written down
        return start

    monkeypatch.setattr(gallery, "_DRAWING", 0.0)
    monkeypatch.setattr(gallery, "thumbnail", late)
    (card,) = ask(desk, "gallery", games=["mine.rules"])
    assert card["picture"] == ""
