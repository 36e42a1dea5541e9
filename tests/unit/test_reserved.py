"""Names of players that every game has mean the same wherever a player is named."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from rulewright import Personality, explain, load
from rulewright.app.cli import main
from rulewright.errors import RulewrightError
from rulewright.games.files.catalog import PERSONALITY
from rulewright.games.files.kinds import files_of
from rulewright.model.personality import RESERVED
from rulewright.players.builtin import RandomPlayer
from rulewright.players.personality import whole_text
from rulewright.players.player import Clock, GameLimits
from tests.shared.sample import chosen


def test_no_bundled_personality_is_called_like_a_player_of_every_game() -> None:
    for name in chosen():
        assert not set(files_of(PERSONALITY, load(name))) & set(RESERVED)


@pytest.mark.parametrize("name", ["conniption", "hex"])
def test_random_plays_any_decision_whoever_names_it(name: str) -> None:
    """What `best` and `explain` ask is as uniform as what plays in matches."""
    game = load(name, **({"size": 3} if name == "hex" else {}))
    state, player = game.start(), Personality.load("random", game)
    assert {player.choose(state, Random(n)) for n in range(90)} == set(state.moves.texts)
    match = RandomPlayer()
    match.start(game, GameLimits(), 1)
    assert {match.choose(state, Clock()).move for _ in range(90)} == set(state.moves.texts)
    found = explain(state, "random")
    assert (found.decided_by, found.moves) == ("pick random", ())
    assert set(found.tied) == set(state.moves.texts)


def test_other_players_of_every_game_are_no_personalities() -> None:
    for name in ("computer", "search", "human"):
        with pytest.raises(RulewrightError, match=f"`{name}` is .*, no personality"):
            Personality.load(name, load("hex", size=3))


def test_no_file_may_take_such_a_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "random.personality"
    file.write_text("format 1\npersonality random for conniption\nuse conniption\nsearch one_ply\n")
    assert main(["check", str(file)]) == 1
    assert "[reserved-word]" in capsys.readouterr().out
    assert main(["best", "conniption", "--personality", str(file)]) != 0
    capsys.readouterr()
    word = str(tmp_path / "computer")
    assert main(["new", word, "--from", "conniption", "--personality", "flip"]) == 2
    assert not Path(f"{word}.personality").exists()


@pytest.mark.parametrize("name", [*RESERVED, "two words", "9lives", "né"])
def test_no_text_is_written_under_such_a_name(name: str) -> None:
    """`new`, `save` in a game and `tune` all write by this."""
    model = Personality.load("flip", load("conniption")).model
    with pytest.raises(RulewrightError, match="a personality"):
        whole_text(model, name)


def test_best_by_random_has_no_value(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["best", "conniption", "--personality", "random"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["personality"] == "random"
    assert "value" not in data
