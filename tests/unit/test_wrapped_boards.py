"""Boards with joined sides: steps, rounds and lines over the edge; what is refused."""

from __future__ import annotations

import pytest

from rulewright import check, loads
from rulewright.model.board import Board, bits

GAME = """format 1
game frame
players red blue
board {board}
pieces stone
move place
  choose cell in empty
  put stone at cell
turn place
draw when stuck
"""


def board_of(text: str) -> Board:
    return loads(GAME.format(board=text)).rules.board


@pytest.mark.parametrize(
    "text", ["square 5 by 4 wrap left top", "square 3 by 3 wrap top", "rhombus 4 by 3 wrap left"]
)
def test_steps_back_lead_back(text: str) -> None:
    board = board_of(text)
    for step in board.steps["around"]:
        for site, target in enumerate(board.targets(step)):
            for other in bits(target):
                assert board.targets(board.opposite(step))[other] == 1 << site


def test_rounds_are_as_long_as_their_walks_say() -> None:
    board = board_of("square 6 by 4 wrap left top where not b2")
    assert {board.round(s, (1, 0)) for s in bits(board.sites)} == {0, 6}
    assert {board.round(s, (1, 1)) for s in bits(board.sites)} == {0, 12}
    a1 = board.by_name["a1"]
    assert board.ahead(a1, (1, 0), 13) == 1 << board.by_name["b1"]


def test_lines_over_the_edge_stand_once() -> None:
    assert len(board_of("square 4 by 4 wrap left top").lines(4)) == 4 * 4
    assert len(board_of("square 4 by 4 wrap left top").lines(3)) == 4 * 16
    assert len(board_of("square 5 by 4 wrap left").lines(3)) == 4 * 5 + 2 * 5 + 2 * 2 * 5


def test_joined_sides_are_no_border() -> None:
    tube, ring = board_of("square 4 by 4 wrap right"), board_of("square 4 by 4 wrap bottom left")
    assert tube.regions["border"] == tube.regions["top"] | tube.regions["bottom"]
    assert tube.regions["corners"] == ring.regions["border"] == 0
    assert ring.sides == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hexagon 3 wrap left", "only flat boards of squares"),
        ("square 3 by 3 by 3 wrap left", "only flat boards of squares"),
        ("square 2 by 5 wrap left", "joined sides are at least 3 sites apart"),
        ("square 5 by 5 wrap middle", "no side is called `middle`"),
        ("square 5 by 5 wrap left right", "`right` is joined with the side across already"),
    ],
)
def test_what_cannot_be_joined(text: str, message: str) -> None:
    assert message in check(GAME.format(board=text)).diagnostics[0].message


def test_links_need_a_board_with_sides() -> None:
    text = GAME.format(board="square 5 by 5 wrap left").replace(
        "move place", "links wire along orthogonal\nmove place"
    )
    assert "a board with joined sides has no links" in str(check(text).diagnostics[0].message)
