"""Boards that are smaller than the rows a game asks for: nobody wins, and the game plays on."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from rulewright.app.cli import main
from rulewright.compiler.engine import Engine
from rulewright.games.files.games import load, loads
from rulewright.language.diagnostics import TextError
from rulewright.players.personality import Personality
from tests.shared.backends import BACKENDS
from tests.shared.effort import tries
from tests.shared.playing import played_on
from tests.tools.agreement.pair import Pair

SMALL = [
    ("connect5", {"width": 4, "height": 4}),
    ("connect5", {"width": 1, "height": 1}),
    ("connect5", {"width": 7, "height": 3}),
    ("connect4", {"width": 3, "height": 2}),
    ("connect4", {"width": 2, "height": 2, "run": 9}),
]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("name", "options"), SMALL)
def test_small_boards_play_on_alike(name: str, options: dict[str, int], backend: str) -> None:
    play = load(name, **options).play
    pair = Pair(play, Engine(play, backend))
    for seed in range(tries(3)):
        pair.game(seed, most=25)
        pair.sampled(seed, most=25)


CONNECTED = [
    ("hex", {"size": 4, "pie": False}),
    ("hex", {"size": 9, "pie": False}),
    ("spanit", {"size": 3}),
    ("y", {"size": 5}),
]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("name", "options"), CONNECTED)
def test_connected_pieces_are_known_from_any_position_on(
    name: str, options: dict[str, int], backend: str
) -> None:
    """Random games keep what is connected up to date; they may begin in the middle of a game."""
    play = load(name, **options).play
    pair = Pair(play, Engine(play, backend))
    for seed in range(tries(4)):
        random, situation = Random(seed), play.start()
        for _ in range(5 * seed):
            following = situation.after(random.choice(situation.options))
            situation = situation if following.ended else following
        pair.sampled(seed, most=100, begin=situation)


def test_a_board_without_lines_ends_in_a_draw() -> None:
    state = load("connect5", width=4, height=3).start()
    state = played_on(state, Random(5), 12)
    assert str(state.result).startswith("draw")
    assert state.ply == 12


@pytest.mark.parametrize("name", ["smart", "basic"])
def test_connect5_players_decide_on_boards_of_any_size(name: str) -> None:
    for width, height in ((3, 3), (4, 6), (1, 2), (5, 5)):
        game = load("connect5", width=width, height=height)
        state = game.start()
        assert Personality.load(name, game).choose(state) in state.moves


def test_a_file_that_asks_for_too_long_lines_by_itself_is_still_faulty() -> None:
    with pytest.raises(TextError, match="no line of this board has 9 sites"):
        loads(
            "format 1\ngame x\nplayers red blue\nboard square 4 by 4\npieces stone\n"
            "move go\n  choose a in empty\n  put stone at a\nturn go\n"
            "win when some(l in lines(9) : l in own)\ndraw when stuck\n"
        )


def test_a_small_board_of_rows_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "board"
    file.write_text("((- - - -) (- X O -) (- - X -) (- - - -))", "utf-8")
    assert main(["best", "connect5", "--board", str(file), "--personality", "smart"]) == 0
    assert '"move"' in capsys.readouterr().out
