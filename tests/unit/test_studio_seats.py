"""The desk of a page with games of one player and of more than two: a chair for each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.app.play.saved_games import Autosave, read_saved_game
from rulewright.app.studio.desk import Desk
from rulewright.errors import RulewrightError
from tests.shared.desks import ask


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """A desk whose games are kept in a folder of the test."""
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path / "data"))
    desk = Desk()
    yield desk
    desk.close()


def autosave(desk: Desk) -> Autosave:
    """Where the game on a desk is kept."""
    assert desk.autosave is not None
    return desk.autosave


def test_everybody_has_a_chair(desk: Desk) -> None:
    table = ask(
        desk, "open", game="chinesecheckers", options={"seats": "3"}, players=["human", "random"]
    )
    assert [chair["player"] for chair in table["chairs"]] == ["human", "random", "random"]
    assert [chair["colour"] for chair in table["chairs"]] == ["red", "yellow", "green"]
    assert ask(desk, "sit", chair=2, player="human")["chairs"][2]["human"]
    with pytest.raises(RulewrightError, match="0 to 2"):
        ask(desk, "sit", chair=3, player="human")
    assert ask(desk, "play", text="k4-k5")["thinking"]
    after = ask(desk, "think")
    assert (after["scene"]["mover"], after["thinking"]) == ("green", False)
    with pytest.raises(RulewrightError, match="3 players"):
        ask(desk, "curve")
    assert ask(desk, "resign")["verdict"] == "red and yellow win: green resigned"
    assert read_saved_game(autosave(desk).path).players == ("human", "random", "human")


def test_a_puzzle_has_one_chair(desk: Desk) -> None:
    table = ask(desk, "open", game="sokoban", players=["human", "search"])
    assert [chair["colour"] for chair in table["chairs"]] == ["keeper"]
    assert not ask(desk, "play", text="south")["thinking"]
    assert read_saved_game(autosave(desk).path).state.decisions() == ["south"]
