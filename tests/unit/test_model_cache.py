"""Models in the cache: the same text gives the same game, and no other."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rulewright.games.engine import model_cache
from rulewright.games.files import kinds
from rulewright.games.files.catalog import EVALUATOR, PATTERNS, PERSONALITY
from rulewright.games.files.games import bundled_games, load_with
from rulewright.games.files.kinds import FileContext, KnownReports, check_file
from rulewright.ground.records import canonical_text
from rulewright.language.diagnostics import TextError

TEXT = """format 1
game corners
players cross nought
option size = 3 in 1..9
board square size by size
pieces mark "XO"
move place
  choose cell in empty
  put mark at cell
turn place
draw when stuck
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    load_with("tictactoe", {})  # the grammar's tables stay where they are
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    return tmp_path / "rulewright" / "models"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "corners.rules"
    path.write_text(TEXT)
    return path


def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list that grows whenever a text is read."""
    from rulewright.games.files import games, kinds

    names, real = list[str](), kinds.check_file

    def noted(kind: Any, name: str, *more: Any) -> Any:
        names.append(name)
        return real(kind, name, *more)

    monkeypatch.setattr(games, "check_file", noted)
    return names


@pytest.mark.parametrize("name", list(bundled_games()))
def test_what_is_kept_is_what_was_read(
    name: str, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = load_with(name, {})
    names = parsed(monkeypatch)
    second = load_with(name, {})
    assert names == []
    assert second.rules is not first.rules
    assert second.rules == first.rules
    assert second.rules.origins == first.rules.origins
    assert second.start().text() == first.start().text()
    assert second.start().moves.texts == first.start().moves.texts


def test_texts_options_and_names_are_distinguished(
    cache: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = parsed(monkeypatch)
    for options in ({}, {"size": 4}, {"size": 5}, {"size": 4}, {}):
        game = load_with(file, options)
        assert len(game.start().moves) == options.get("size", 3) ** 2
    assert len(names) == 3
    file.write_text(TEXT.replace("= 3", "= 2"))
    assert len(load_with(file, {}).start().moves.texts) == 4
    other = file.with_name("other.rules")
    other.write_text(file.read_text())
    load_with(other, {})
    assert len(names) == 5
    assert len(list(cache.iterdir())) == 5


def test_another_program_reads_again(
    cache: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = parsed(monkeypatch)
    load_with(file, {})
    monkeypatch.setattr(model_cache, "_program", lambda: "later")
    load_with(file, {})
    assert len(names) == 2


def test_mistakes_are_reported_every_time(cache: Path, file: Path) -> None:
    file.write_text(TEXT.replace("stuck", "stuk"))
    for _ in range(2):
        with pytest.raises(TextError):
            load_with(file, {})
    assert not cache.exists()


@pytest.mark.parametrize("damage", [b"", b"no model", None])
def test_a_damaged_model_is_read_again(
    damage: bytes | None, cache: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load_with(file, {})
    (path,) = cache.iterdir()
    path.write_bytes(path.read_bytes()[:-1] if damage is None else damage)
    names = parsed(monkeypatch)
    assert load_with(file, {}).rules == game.rules
    assert len(names) == 1


def test_nothing_is_kept_when_nothing_is_asked_for(cache: Path, file: Path) -> None:
    load_with(file, {}, use_cache=False)
    assert not cache.exists()


def test_a_kept_game_needs_no_grammar(cache: Path, file: Path) -> None:
    text = f"""
import sys
from rulewright.games.files.games import load
load({str(file)!r}).start().play("a1")
print("lark" in sys.modules, "rulewright.language.resolve" in sys.modules)
"""
    said = [
        subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert [done.stdout for done in said] == ["True True\n", "False False\n"]


# --- while many files are read ---


def test_a_game_is_read_once_for_many_files(file: Path) -> None:
    with KnownReports().used():
        game = load_with(file, {})
        assert load_with(file, {}) is game
        assert load_with(file, {"size": 4}) is not game
        file.write_text(TEXT.replace("= 3", "= 2"))
        assert len(load_with(file, {}).start().moves) == 4
    assert load_with(file, {}) is not load_with(file, {})


def test_evaluators_of_a_game_ask_for_its_names_once(
    cache: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_with(file, {})
    names, game = parsed(monkeypatch), load_with(file, {})
    text = b"format 1\nevaluator e for corners\nvalue of position for mover = count empty\n"
    for _ in range(3):
        assert check_file(EVALUATOR, "e.eval", text, FileContext(game)).ok
    assert names == [str(file)]


# --- evaluators, personalities and patterns ---

EVAL = "format 1\nevaluator worth for corners\nvalue of position for mover = {} * ply\n"
PLAYER = "format 1\npersonality plain for corners\nuse worth\nsearch alphabeta, depth 2\n"


@pytest.fixture
def player(file: Path) -> Path:
    file.with_name("worth.eval").write_text(EVAL.format(1))
    file.with_name("plain.personality").write_text(PLAYER)
    return file.with_name("plain.personality")


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list that grows whenever a file of a game is checked."""
    names, real = list[str](), kinds.check_path

    def noted(kind: Any, path: Path, *more: Any) -> Any:
        names.append(path.name)
        return real(kind, path, *more)

    monkeypatch.setattr(kinds, "check_path", noted)
    return names


@pytest.mark.parametrize("name", list(bundled_games()))
def test_bundled_players_are_kept_as_they_were_read(
    name: str, cache: Path, checked: list[str]
) -> None:
    load_with(name, {})
    game, other = load_with(name, {}), load_with(name, {})
    every: tuple[kinds.FileKind[Any], ...] = (PERSONALITY, EVALUATOR, PATTERNS)
    for kind in every:
        files = kinds.files_of(kind, game)
        for called in (c for c, path in files.items() if path.parent.name == name):
            first = canonical_text(kinds.load_file(kind, game, called))
            checked.clear()
            assert canonical_text(kinds.load_file(kind, other, called)) == first
            assert not checked


def test_what_a_player_uses_is_read_again_when_it_changes(
    cache: Path, file: Path, player: Path, checked: list[str]
) -> None:
    def weight() -> str:
        found = kinds.load_file(PERSONALITY, load_with(file, {}), player)
        assert found.evaluator is not None
        return found.evaluator.values[0].terms[0].text

    assert [weight(), weight()] == ["1 * ply", "1 * ply"]
    assert checked.count("plain.personality") == 1
    player.with_name("worth.eval").write_text(EVAL.format(2))
    assert weight() == "2 * ply"


def test_mistakes_of_a_player_are_reported_every_time(
    cache: Path, file: Path, player: Path
) -> None:
    player.write_text(PLAYER.replace("worth", "wroth"))
    for _ in range(2):
        with pytest.raises(TextError):
            kinds.load_file(PERSONALITY, load_with(file, {}), player)
    player.with_name("wroth.eval").write_text(EVAL.format(1).replace("worth", "wroth"))
    assert kinds.load_file(PERSONALITY, load_with(file, {}), player).name == "plain"
