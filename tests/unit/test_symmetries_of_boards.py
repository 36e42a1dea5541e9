"""Symmetries that are proven keep what rules look at without a word of steps."""

from __future__ import annotations

import pytest

from rulewright.compiler.passes.symmetry import symmetries
from rulewright.games.files.games import loads
from rulewright.model.board import bits, union

GAME = """format 1
game rows
players one two
board {board}
pieces stone
move place
  choose cell in empty
  put stone at cell
turn place
win when some(l in lines(3) : l in own and no ends(l) enemy)
draw when no empty
"""
BOARDS = (
    "rhombus 4 by 4", "rhombus 3 by 5", "hexagon 3", "triangle 5", "square 4 by 4", "square 3 by 5",
)  # fmt: skip


@pytest.mark.parametrize("board", BOARDS)
def test_lines_and_neighbours_stay_what_they_are(board: str) -> None:
    rules = loads(GAME.format(board=board)).rules
    lines, near = set(rules.board.lines(3)), rules.board.neighbours(rules.board.steps["near"])
    for sites in symmetries(rules):
        turned = {union(1 << sites[i] for i in bits(line)) for line in lines}
        assert turned == lines
        for site in bits(rules.board.sites):
            assert union(1 << sites[i] for i in bits(near[site])) == near[sites[site]]


@pytest.mark.parametrize(
    ("board", "many"), [("rhombus 4 by 4", 3), ("hexagon 3", 11), ("square 4 by 4", 7)]
)
def test_no_symmetry_is_lost(board: str, many: int) -> None:
    assert len(symmetries(loads(GAME.format(board=board)).rules)) == many
