"""The sites beyond the ends of a line, against the words of docs/language.md."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulewright
from rulewright.model.board import Board, bits
from rulewright.model.board_shapes import lattice

BOARDS = [
    lattice("square", 4, 3, False), lattice("square", 3, 1, False), lattice("hexagon", 2, 2, False),
    lattice("rhombus", 3, 3, False), lattice("square", 4, 4, False).cut(0xF99F),
]  # fmt: skip


def walked(board: Board, first: int, step: tuple[int, int], length: int) -> tuple[int, ...]:
    """So many sites from one on along a step, as far as there are any."""
    line = [first]
    while len(line) < length and (after := board.targets(step)[line[-1]]):
        line.append(after.bit_length() - 1)
    return tuple(line)


def beyond(board: Board, line: int) -> int:
    """What comes after this line, from every site of it in every direction."""
    ends, length = 0, line.bit_count()
    for step in board.both_ways(board.axes):
        for first in bits(line):
            way = walked(board, first, step, length)
            if length and sum(1 << site for site in way) == line:
                ends |= board.targets(step)[way[-1]]
    return ends


@pytest.mark.parametrize("board", BOARDS, ids=lambda b: f"{b.shape}{b.count}")
@given(data=st.data())
def test_any_set_has_the_ends_of_the_line_that_it_is(board: Board, data: st.DataObject) -> None:
    """The reference died of `ends(own)` before there were pieces."""
    first = data.draw(st.sampled_from(list(bits(board.sites))))
    step = data.draw(st.sampled_from(board.both_ways(board.axes)))
    way = walked(board, first, step, data.draw(st.integers(1, 4)))
    others = data.draw(st.sets(st.sampled_from(list(bits(board.sites))), max_size=1))
    line = sum(1 << site for site in {*way} ^ others)
    assert board.beyond(line) == beyond(board, line)


ENDS = """format 1
game ends
players red blue
board square 3 by 3
pieces stone
move place
  choose cell in empty
  put stone at cell
turn place
win when ends(own) = b3
lose when stuck
"""


def test_nothing_is_no_line() -> None:
    state = rulewright.loads(ENDS).start("reference")
    assert len(state.moves.texts) == 9
    assert not state.play("b1 c3 a1").over
    assert state.play("b1 c3 b2").over
    assert rulewright.check(ENDS).ok
