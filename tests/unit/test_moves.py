"""`State.moves`: a sequence, and what a move knows of itself."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.games.files.games import load, loads
from tests.shared.bundled import GAMES
from tests.shared.playing import random_game

CAPITALS = """format 1
game Capitals
players white black
board square 2 by 2
pieces stone "Ss"
move small
  write "a"
move large
  write "A"
move other
  write "b"
turn small or large or other
draw when ply >= 2
"""


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 2**32), at=st.integers(0, 40))
def test_moves_are_a_sequence_that_knows_texts(name: str, seed: int, at: int) -> None:
    states = random_game(name, seed, at + 1)
    moves = states[min(at, len(states) - 1)].moves
    texts = moves.texts
    assert [move.text for move in moves] == [str(move) for move in moves] == texts
    assert len(moves) == len(texts) == len(list(reversed(moves)))
    for number in range(0, len(texts), 1 + len(texts) // 20):  # finding one looks at all before it
        text = texts[number]
        assert moves[number].text == moves[number - len(texts)].text == text
        assert text in moves
        assert moves.index(text) == moves.index(moves[number]) == number
        assert moves.find(text) == moves[text] == moves[number]
    assert moves[1:4].texts == texts[1:4]
    assert moves[::-1].texts == texts[::-1]
    assert moves[::-1][::-1] == moves
    for text in texts[4:6]:  # which a part of them does not hold
        assert text not in moves[1:4]
        with pytest.raises(KeyError, match=text):
            moves[1:4][text]
    assert "no such move" not in moves
    assert moves.find("no such move") is None


@pytest.mark.parametrize("name", GAMES)
def test_a_move_is_what_it_says_and_keeps_it_when_pickled(name: str) -> None:
    for state in random_game(name, 3, 12):
        for move in state.moves:
            again = pickle.loads(pickle.dumps(move))
            assert again == move
            assert hash(again) == hash(move)
            assert (again.text, again.name, again.choices) == (move.text, move.name, move.choices)
        assert len(set(state.moves)) == len(state.moves)


def test_moves_tell_their_declaration_and_choices() -> None:
    knight = load("chess").start().moves.find("G1F3")
    assert knight is not None
    assert (knight.text, knight.name, knight.choices) == ("g1f3", "jump", {"a": "g1", "b": "f3"})
    assert [move.name for move in load("conniption").start().moves] == ["flip", "none"]
    assert dict(load("chess").start().moves["g1f3"].choices) == {"a": "g1", "b": "f3"}


def test_moves_written_alike_but_of_other_choices_are_not_equal() -> None:
    first = load("connect5").start().moves[0]
    assert first == load("connect5", size=9).start().moves.find("a1")
    assert first != load("chess").start().moves[0]
    assert first != "a1"


def test_a_text_in_other_capitals_must_be_unambiguous() -> None:
    moves = loads(CAPITALS).start().moves
    found = [moves.find(text) for text in ("a", "A", "B")]
    assert [move and move.name for move in found] == ["small", "large", "other"]
    assert moves.find("c") is None
