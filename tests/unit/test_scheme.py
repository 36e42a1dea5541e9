"""Boards as lists of rows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.errors import PositionError
from tests.shared.playing import rows_of

rows = st.integers(1, 8).flatmap(
    lambda width: st.lists(st.text("-XO", min_size=width, max_size=width), min_size=1, max_size=8)
)
blank = st.sampled_from([" ", "\n", "\t ", "  \n  "])


@given(rows, blank)
def test_any_board_reads_back_whatever_the_white_space(board: list[str], space: str) -> None:
    text = "(" + space.join(f"({space.join(row)})" for row in board) + ")"
    assert rows_of(text) == board


@pytest.mark.parametrize(
    "text",
    [
        "((- X) (O -))",
        "'((- X) (O -))",
        "[[- X] [O -]]",
        "(list (list '- 'X) (list 'O '-))",
        "(quote ((- x) (o -)))",
        "((- X)\r\n (0 -)) ; the digit",
        "(('- 'X) ('0 '-))",
    ],
)
def test_the_ways_to_write_a_board(text: str) -> None:
    assert rows_of(text) == ["-X", "O-"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("((- X) (O))", "line 1, column 8: this row has 1 square, and the first has 2"),
        ("((- X)\n (O Y))", "line 2, column 5: `Y` is no square; there are -, X and O"),
        ("((- X) (O -)", "line 1, column 1: this `(` is never closed"),
        ("((- X) (O -)))", "line 1, column 14: this `)` closes nothing"),
        ("((- X) (O -])", "line 1, column 12: this `]` closes nothing"),
        ("", "line 1, column 1: one board is expected, and there is none"),
        ("X", "line 1, column 1: a board is a list of rows: ((- - X) (- O -) ...)"),
        ("3 . X .\n2 . . O", "line 1, column 1: a board is a list of rows: ((- - X) (- O -) ...)"),
        ("()", "line 1, column 1: a board is a list of rows: ((- - X) (- O -) ...)"),
        ("(- X)", "line 1, column 2: a row is a list of squares: (- X O)"),
        ("((- X)) ((- X))", "line 1, column 9: one board is expected"),
        ("((- (X)))", "line 1, column 5: `a list` is no square; there are -, X and O"),
    ],
)
def test_mistakes_have_their_place(text: str, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        rows_of(text)
    assert str(caught.value) == message
