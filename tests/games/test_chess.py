"""Chess: the standard test position with every special move, by public numbers."""

from __future__ import annotations

import pytest

from rulewright.files.games import load

KIWIPETE = """
8 r . . . k . . r
7 p . p p q p b .
6 b n . . p n p .
5 . . . P N . . .
4 . p . . P . . .
3 . . N . . Q . p
2 P P P B B P P P
1 R . . . K . . R
  a b c d e f g h

mover: white
ply: 20
fresh: a8+e8+h8+a1+e1+h1
ghost: nowhere
quiet: 0
"""


@pytest.mark.parametrize(("depth", "leaves"), [(1, 48), (2, 2039)])
def test_kiwipete(depth: int, leaves: int) -> None:
    assert load("chess").read(KIWIPETE).perft(depth) == leaves


def test_en_passant_only_at_once() -> None:
    state = load("chess").start().play("e2e4 a7a6 e4e5 d7d5")
    assert "e5d6" in state.moves
    assert "e5d6" not in state.play("h2h3 h7h6").moves
    assert state.play("e5d6").board().splitlines()[3] == "5 . . . . . . . ."


def test_mate_and_stalemate() -> None:
    mate = load("chess").start().play("f2f3 e7e5 g2g4 d8h4")
    assert mate.result is not None
    assert (mate.result.winner, mate.result.rule) == (
        "black",
        "lose when stuck and attacked(own king)",
    )


def test_a_position_that_stands_a_third_time_is_drawn() -> None:
    state = load("chess").start().play("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8")
    assert state.result is not None
    assert state.result.winner is None
    assert state.result.rule == "draw when repeats >= 2"
