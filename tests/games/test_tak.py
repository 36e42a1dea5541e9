"""Tak: counts that engines of others publish, from positions with piles, walls and capstones.

The three positions and their counts stand in the tests of several independent engines.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import rulewright

STEPS = {"+": (0, 1), "-": (0, -1), ">": (1, 0), "<": (-1, 0)}
PILES = "d3 c3 c4 1d3< 1c4- Sc4"
CAPSTONE = "c2 c3 d3 b3 c4 1c2+ 1d3< 1b3> 1c4- Cc2 a1 1c2+ a2"
LONG = """c4 c2 d2 c3 b2 d3 1d2+ b3 d2 b4 1c2+ 1b3> 2d3< 1c4- d4 5c3<23 c2 c4 1d4< d3 1d2+ 1c3+ Cc3
2c4> 1c3< d2 c3 1d2+ 1c3+ 1b4> 2b3>11 3c4-12 d2 c4 b4 c5 1b3> 1c4< 3c3- e5 e2"""


def decisions(turn: str) -> Iterator[str]:
    """The decisions of a turn in the notation that Tak's players use."""
    if turn[-1] not in "+-<>" and not any(step in turn for step in STEPS):
        yield turn
        return
    step = next(c for c in turn if c in STEPS)
    head, _, tail = turn.partition(step)
    number, site, drops = int(head[0]), head[1:], [int(c) for c in tail] or [int(head[0])]
    dx, dy = STEPS[step]
    yield f"{number}{site}{chr(ord(site[0]) + dx)}{int(site[1]) + dy}"
    for drop in drops[:-1]:
        number -= drop
        yield str(number)
    yield "-"


def position(turns: str) -> rulewright.State:
    moves = " ".join(d for turn in turns.split() for d in decisions(turn))
    return rulewright.load("tak").start().play(moves)


def after_turns(state: rulewright.State) -> Iterator[rulewright.State]:
    """The positions after every turn."""
    for text in state.moves.texts:
        after = state.play(text)
        if after.ply == state.ply and not after.over:
            yield from after_turns(after)
        else:
            yield after


@pytest.mark.parametrize(
    ("turns", "once", "twice"), [(PILES, 87, 6155), (CAPSTONE, 104, 7743), (LONG, 85, 11206)]
)
def test_counts_are_those_of_other_engines(turns: str, once: int, twice: int) -> None:
    """They count a game that has ended as one more way."""
    later = list(after_turns(position(turns)))
    assert len(later) == once
    assert sum(1 if state.over else state.perft(1, "turn") for state in later) == twice


def test_no_more_goes_on_than_the_board_is_wide() -> None:
    turns = "c2 c3 d3 b3 c4 1c2+ 1d3< 1b3> 1c4+ Cc2 a1 1c2+ a2"
    texts = position(turns).moves.texts
    assert "5c3d3" in texts
    assert "6c3d3" not in texts


def test_half_a_turn_makes_no_road() -> None:
    """A pile that goes on takes the stone along that would have joined the sides."""
    state = rulewright.load("tak", size=3, flats=10, caps=0).start()
    passing = state.play("c3 a1 c1 b1 a2 1b1a1 - 1a2a1 - b3 2a1b1")
    assert passing.result is None
    assert str(passing.play("-").result).startswith("white wins")
    assert passing.play("1 -").result is None
