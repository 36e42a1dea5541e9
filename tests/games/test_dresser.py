"""Games are drawn as their looks say, and never stopped by one."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import rulewright
from rulewright.games.files.dresser import dressing_of, look_of
from rulewright.games.files.games import bundled_games
from rulewright.games.render.scene_building import drawing_of_rules
from tests.shared.places import RULESETS


@pytest.mark.parametrize("game", sorted(bundled_games()))
def test_every_bundled_game_has_a_look_of_its_name(game: str) -> None:
    loaded = rulewright.load(game)
    look = look_of(loaded)
    assert look is not None
    assert look.name == game
    dressing = dressing_of(loaded)
    assert dressing.title
    assert dressing.tell
    assert loaded.start().scene.drawing == drawing_of_rules(loaded.rules, dressing)


def test_a_look_of_the_base_serves_a_game_that_builds_on_it(tmp_path: Path) -> None:
    text = "format 1\ngame mine extends chess\n\ndraw when no pawn\n"
    (tmp_path / "mine.rules").write_text(text)
    look = look_of(rulewright.load(tmp_path / "mine.rules"))
    assert look is not None
    assert look.name == "chess"


@pytest.mark.parametrize("text", ["", "look\n", "format 1\nlook mine for mine\nboard x\n", "\xff"])
def test_a_wrong_look_stops_no_game(text: str, tmp_path: Path) -> None:
    rules = (RULESETS / "hex" / "hex.rules").read_text("utf-8").replace("game hex", "game mine")
    (tmp_path / "mine.rules").write_text(rules)
    (tmp_path / "mine.look").write_bytes(text.encode("latin-1"))
    state = rulewright.load(tmp_path / "mine.rules").start()
    assert state.scene.drawing == drawing_of_rules(state.game.rules)
    assert state.svg().endswith("</svg>\n")


def test_a_look_beside_the_rules_is_the_one_that_holds(tmp_path: Path) -> None:
    shutil.copy(RULESETS / "hex" / "hex.rules", tmp_path)
    (tmp_path / "hex.look").write_text('format 1\nlook hex for hex\n\ntitle "My own"\n')
    assert dressing_of(rulewright.load(tmp_path / "hex.rules")).title == "My own"


@pytest.mark.parametrize(("game", "move"), [("kalah", "b1"), ("oware", "a1")])
def test_what_a_table_holds_is_written_at_its_sites(game: str, move: str) -> None:
    state = rulewright.load(game).start().play(move)
    numbers = state.scene.shown.numbers
    board = state.game.rules.board
    told = dict(re.findall(r"<title>(\w+): (\d+)</title>", state.svg()))
    assert told == {board.names[site]: str(number) for site, number in numbers.items()}
    assert len(set(numbers.values())) > 2
    assert sum(numbers.values()) == 48
