"""A piece that cannot stand where a user's file shows it is told at its place in that file."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.app.cli import main

EMPTY = ". . . . . . ."


def drawn(*rows: str) -> str:
    """A board of Conniption with these rows at its top, and a red tile at the bottom."""
    shown = [*rows, *[EMPTY] * (5 - len(rows)), ". . . X . . ."]
    lines = [f"{6 - number} {row}" for number, row in enumerate(shown)]
    return "\n".join([*lines, "  1 2 3 4 5 6 7", "", "mover: blue", "ply: 1", ""])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (drawn(EMPTY, ". . . . O . ."), "line 2, column 11: with the blue tile on e5"),
        (drawn("X . . . . . .", ". . . . O . ."), "line 2, column 11: with the blue tile on e5"),
        (drawn(". . . X . . ."), "line 1, column 9: with the red tile on d6"),
    ],
)
def test_a_tile_in_the_air_is_named(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "board.txt"
    file.write_text(text, "utf-8")
    assert main(["show", "conniption", "--position", str(file)]) == 2
    told = capsys.readouterr().err
    assert f"board.txt: {said} the rules cannot go on" in told


def test_the_same_in_a_list_of_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "board.txt"
    rows = ["(- - - - - - -)"] * 5 + ["(- - - X - - -)"]
    rows[2] = "(- - O - - - -)"
    file.write_text("(" + "\n ".join(rows) + ")", "utf-8")
    assert main(["show", "conniption", "--board", str(file)]) == 2
    assert "line 3, column 7: with the blue tile on c4" in capsys.readouterr().err


def test_boards_that_stand_are_read(tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text(drawn(), "utf-8")
    assert main(["show", "conniption", "--position", str(file)]) == 0
