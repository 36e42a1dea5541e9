"""Positions from files: a picture gives its own size, and its mistakes their places."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.app.cli import main
from rulewright.errors import PositionError
from rulewright.games.files.games import load_with
from rulewright.games.files.positions import GameSource, read_drawn, read_listed
from tests.shared.effort import tries

SIZES = {
    "coins": ("width", range(1, 6)),
    "connect4": ("height", range(4, 9)),
    "connect5": ("size", range(5, 12)),
    "dots": ("size", range(1, 6)),
    "go": ("size", range(2, 10)),
    "havannah": ("size", range(2, 6)),
    "hex": ("size", range(2, 9)),
    "pente": ("size", range(6, 12)),
    "spanit": ("size", range(2, 13)),
    "tictactoe": ("width", range(3, 7)),
    "twixt": ("size", range(5, 13)),
    "y": ("size", range(2, 8)),
}


@settings(max_examples=tries(25), deadline=None)
@given(st.data(), st.sampled_from(sorted(SIZES)), st.integers(0, 2**32))
def test_a_printed_position_needs_no_size(data: st.DataObject, game: str, seed: int) -> None:
    name, values = SIZES[game]
    options: dict[str, int] = {name: data.draw(st.sampled_from(values))}
    state, chance = load_with(game, options).start(), random.Random(seed)
    for _ in range(chance.randrange(6)):
        if not state.over:
            state = state.play(chance.choice(state.moves.texts))
    read = read_drawn(GameSource(game, {}), state.text())
    assert read.text() == state.text()
    assert sorted(read.moves.texts) == sorted(state.moves.texts)


@given(st.integers(5, 9), st.integers(5, 9))
@settings(max_examples=tries(8), deadline=None)
def test_width_and_height_may_differ(width: int, height: int) -> None:
    state = load_with("twixt", {"width": width, "height": height}).start()
    assert read_drawn(GameSource("twixt", {}), state.text()).text() == state.text()


def test_an_option_that_is_given_is_not_changed() -> None:
    text = load_with("y", {"size": 5}).start().text()
    with pytest.raises(PositionError, match="line 5: the board has 4 rows, and 5 are shown"):
        read_drawn(GameSource("y", {"size": "4"}), text)
    wide = load_with("hex", {"width": 6, "height": 4}).start().text()
    assert len(read_drawn(GameSource("hex", {"height": "4"}), wide).moves.texts) == 24


def test_rows_of_any_size() -> None:
    assert len(read_listed(GameSource("hex", {}), "((- X -) (- - O) (- - -))").moves.texts) == 7
    assert (
        len(read_listed(GameSource("connect5", {}), "((- X - - - -) (- - O - - -))").moves.texts)
        == 10
    )


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        ("twixt", "((X - - - -)\n(- - - - -)(- - - - -)(- - - - -)(- - - - -))",
         "line 1, column 3: the board of twixt has no site here, so nothing stands on it"),
        ("conniption", "((- X) (O -))",
         "line 1: conniption is played on 7 by 6; this board is 2 by 2"),
        ("chess", "((- X) (O -))", "line 1: chess has 6 kinds of pieces, and rows show one"),
    ],
)  # fmt: skip
def test_rows_that_do_not_fit_say_where(game: str, text: str, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        read_listed(GameSource(game, {}), text)
    assert str(caught.value) == message


def test_messages_name_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drawn, listed = tmp_path / "drawn.txt", tmp_path / "rows.txt"
    drawn.write_text("3 . . .\n2 . ? .\n1 . . .\n")
    listed.write_text("((- - -)\n (- ? -)\n (- - -))\n")
    assert main(["show", "tictactoe", "--position", str(drawn)]) == 2
    assert main(["best", "tictactoe", "--board", str(listed)]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert f"{drawn}: line 2, column 5: `?` on b2 is no piece" in first
    assert f"{listed}: line 2, column 5: `?` is no square" in second


def test_commands_take_the_size_from_the_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "position.txt"
    assert main(["show", "twixt", "--set", "size=7", "--moves", "c3 e5 d5"]) == 0
    shown = capsys.readouterr().out
    file.write_text(shown)
    assert main(["show", "twixt", "--position", str(file)]) == 0
    assert capsys.readouterr().out == shown.replace("(o)", " o ")
    rows = tmp_path / "rows.txt"
    rows.write_text("((X X -) (O O -) (- - -))")
    assert main(["show", "hex", "--board", str(rows)]) == 0
    assert len(capsys.readouterr().out.split("mover")[0].split()) == 3 * 4 + 3


def test_a_board_given_to_the_wrong_option_names_the_right_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows, picture = tmp_path / "rows.scm", tmp_path / "picture.txt"
    rows.write_text("((X -) (- O))")
    picture.write_text("1 X .\n2 . O\n  a b\n")
    assert main(("show", "connect5", "--position", str(rows))) == 2
    assert capsys.readouterr().err.endswith("; --board reads this file\n")
    assert main(("show", "connect5", "--board", str(picture))) == 2
    assert capsys.readouterr().err.endswith("; --position reads this file\n")
