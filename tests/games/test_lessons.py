"""What there is to learn of a game: pictures with sentences, and puzzles with their answers."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulewright
from rulewright.app.play.seats import Seat
from rulewright.app.studio.folder import Folder
from rulewright.app.studio.gallery import load_introduction
from rulewright.app.studio.tree import start_state
from rulewright.errors import MoveError
from rulewright.games.files.catalog import LOOK, load_look
from rulewright.games.files.dresser import look_of
from rulewright.games.files.kinds import FileContext, check_file
from rulewright.games.files.lessons import introduction
from rulewright.games.render.svg import thumbnail_svg
from tests.shared.sample import chosen
from tests.shared.tiny import RULES

LOOKS = {name: look_of(rulewright.load(name)) for name in chosen()}
TAUGHT = [name for name, look in LOOKS.items() if look is not None and look.lessons]
ASKED = [name for name, look in LOOKS.items() if look is not None and look.puzzles]
NOT_WON = {
    "antichess", "coins", "dots", "frisiandraughts", "morris", "othello", "turkishdraughts",
}  # fmt: skip
"""Games whose puzzle is not the last decision."""
NOT_ASKED = {
    "arimaa", "backgammon", "chess960", "chinesecheckers", "darkhex", "goofspiel", "kuhn", "leduc",
    "mensch", "phantom", "rps", "ur",
}  # fmt: skip
"""Games without a puzzle: chance, a secret, or more decisions than a look may play."""


def test_all_bundled_games_teach() -> None:
    assert chosen() == TAUGHT
    assert [name for name in TAUGHT if name not in NOT_ASKED] == ASKED
    families = {look.texts["family"] for look in LOOKS.values() if look is not None}
    assert len(families) <= 10  # they stand side by side at home


@pytest.mark.parametrize("name", TAUGHT)
def test_a_game_is_taught_by_three_pictures_and_sentences(name: str) -> None:
    look = LOOKS[name]
    assert look is not None
    pictures = introduction(rulewright.load(name)).pictures
    assert [picture.text for picture in pictures] == [lesson.text for lesson in look.lessons]
    assert len(pictures) == 3
    assert len({str(picture.state) for picture in pictures}) == 3
    assert all(picture.text.endswith(".") for picture in pictures)


@pytest.mark.parametrize("name", ASKED)
def test_a_puzzle_opens_the_position_of_its_picture(name: str) -> None:
    """As the page does: by the moves that lead there, from the beginning."""
    puzzle = load_introduction(name, Folder()).puzzle
    assert puzzle is not None
    state = start_state(name, {})
    state = state.play(puzzle.moves) if puzzle.moves else state
    assert thumbnail_svg(state.scene, theme="both") == puzzle.picture


@pytest.mark.parametrize("name", ASKED)
def test_a_puzzle_is_solved_by_its_answer(name: str) -> None:
    puzzle = introduction(rulewright.load(name)).puzzle
    assert puzzle is not None
    assert not puzzle.state.over
    solved = puzzle.state.play(puzzle.answer)
    if name in NOT_WON:
        seat = Seat.of("search@nodes=20000", puzzle.state.game)
        assert seat.decide(puzzle.state, 1).move == puzzle.answer
    else:
        assert solved.result is not None
        assert solved.result.winner == puzzle.state.mover


def test_a_puzzle_can_be_answered_wrongly() -> None:
    puzzle = introduction(rulewright.load("chess")).puzzle
    assert puzzle is not None
    assert not puzzle.state.play("a7a6").over
    with pytest.raises(MoveError):
        puzzle.state.play("e1e2")


def test_a_game_without_a_look_shows_a_game_of_chance(tmp_path: Path) -> None:
    path = tmp_path / "mine.rules"
    path.write_text(RULES)
    lessons = introduction(rulewright.load(path))
    assert lessons.puzzle is None
    assert 1 < len(lessons.pictures) <= 3
    assert lessons.pictures[0].state.decisions() == []
    assert lessons.pictures[-1].state.over
    assert all(picture.text and "(" not in picture.text for picture in lessons.pictures)


def test_a_smaller_board_leaves_out_what_it_does_not_have() -> None:
    small = rulewright.load("hex", size=5)
    assert introduction(small).puzzle is None
    assert [picture.text for picture in introduction(small).pictures]


def test_positions_that_cannot_be_are_reported(tmp_path: Path) -> None:
    game = rulewright.load("tictactoe")
    path = tmp_path / "mine.look"
    path.write_text('format 1\nlook mine for tictactoe\n\nlearn after "b2 b2" "Twice."\n')
    report = check_file(LOOK, path.name, path.read_bytes(), FileContext(game, tmp_path))
    assert [d.code for d in report.diagnostics] == ["illegal-move"]
    path.write_text('format 1\nlook mine for tictactoe\n\npuzzle after "b2" is "b2" "Twice."\n')
    report = check_file(LOOK, path.name, path.read_bytes(), FileContext(game, tmp_path))
    assert [d.code for d in report.diagnostics] == ["illegal-move"]
    path.write_text('format 1\nlook mine for tictactoe\n\npuzzle after "" is "b2" "Begin."\n')
    assert load_look(game, path, tmp_path).puzzles[0].answer == "b2"
