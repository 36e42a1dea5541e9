"""Whole turns as one word: one way to read them, found without trying every way."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulewright.errors import MoveError, UnreadableMove
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.whole_turns import LOOKED, read_turn
from rulewright.games.files.games import loads
from rulewright.reference.decisions import NONE
from tests.shared.effort import tries

HEAD = """format 1
game words
players red blue
board square 3 by 3
pieces stone
state n = 0 within turn
write turn together
"""
MOVE = """move m{number}
  need n < {most}
  n := n + {step}
  write "{word}"
"""


def words(turn: str, *moves: tuple[str, int], most: int = 10**6) -> Game:
    """A game whose moves are words; each adds to a number."""
    text = [HEAD] + [
        MOVE.format(number=i, word=word, step=step, most=most)
        for i, (word, step) in enumerate(moves)
    ]
    return loads("".join(text) + f"turn {turn}\ndraw when ply = 3\ndraw when stuck\n")


def every_way(state: State, text: str) -> Iterator[list[str]]:
    """All ways to read a text, each tried: what reading means."""
    for move in state.moves.texts:
        word = "" if move == NONE else move
        if text.startswith(word):
            after, rest = state.play_decision(move), text[len(word) :]
            if after.turn_begins or after.over:
                if not rest:
                    yield [move]
            else:
                yield from ([move, *way] for way in every_way(after, rest))


TURNS = [
    "m0 m1 m2?", "(m0 or m1 or m2) m2?", "m0* m1 (m2 or m1)?*", "(m0 or m1)?* m2?",
    "m0? m1? m2? m0",
]  # fmt: skip
WORDS = st.sampled_from(["a", "b", "aa", "ab", "ba", "aba"])


@settings(max_examples=tries(60), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from(TURNS),
    st.lists(st.tuples(WORDS, st.integers(0, 1)), min_size=3, max_size=3, unique_by=lambda m: m[0]),
    st.text("ab", min_size=1, max_size=7),
)
def test_a_text_is_read_if_there_is_one_way(
    turn: str, moves: list[tuple[str, int]], text: str
) -> None:
    state = words(turn, *moves, most=3).start()
    ways = list(every_way(state, text))
    found = read_turn(state.position, text)
    if len(ways) == 1:
        assert found.numbers
        assert state.play(text).decisions() == ways[0] if text not in state.moves else True
    else:
        assert not found.numbers
        assert bool(found.reason) is (len(ways) > 1)
    if text not in state.moves:
        try:
            end = state.play(text)
        except MoveError:
            assert len(ways) != 1
        else:
            assert [end.decisions()] == ways


def test_a_text_with_many_readings_is_refused_at_once() -> None:
    """Fibonacci's number of ways: 10^20 for a hundred letters."""
    state = words("(m0 or m1)?* m2", ("a", 0), ("aa", 0), ("b", 0)).start()
    with pytest.raises(UnreadableMove, match="more than one way"):
        state.play("a" * 100 + "b")
    with pytest.raises(MoveError, match="is not legal"):
        state.play("a" * 100 + "c")


def test_a_turn_of_two_thousand_letters_is_read() -> None:
    state = words("m0?* m1", ("a", 1), ("b", 0)).start()
    end = state.play("a" * 2000 + "b")
    assert (end.ply, len(end.decisions())) == (1, 2002)  # and `-`, which ends the chain
    with pytest.raises(MoveError) as refused:
        state.play("a" * 2000 + "c")
    assert len(str(refused.value)) < 300


def test_reading_is_bounded_where_no_two_ways_meet() -> None:
    """Every way to read the text comes to other numbers, so nothing can be followed once."""
    parts = [HEAD.replace("state n = 0 within turn", "state n = 1 within turn")]
    parts += [f'move m{i}\n  n := (n * 2 + {i}) mod 1000003\n  write "a"\n' for i in (0,)]
    parts += ['move m1\n  n := (n * 3 + 1) mod 1000003\n  write "aa"\n']
    parts += ['move m2\n  need n = 0\n  write "b"\n']
    rules = "".join(parts) + "turn (m0 or m1)?* m2\ndraw when ply = 3\ndraw when stuck\n"
    state = loads(rules).start()
    assert read_turn(state.position, "a" * 60 + "b").reason == "it can be read in too many ways"
    with pytest.raises(UnreadableMove, match="write its decisions apart"):
        state.play("a" * 60 + "b")
    assert LOOKED < 10**5


def test_a_decision_without_letters_may_be_played_for_ever() -> None:
    """The same position at the same letter is looked at once, so reading comes to an end."""
    rules = HEAD + 'move m0\n  write "a"\nmove m2\n  write "b"\n'
    state = loads(rules + "turn m0?* m2\ndraw when ply = 3\ndraw when stuck\n").start()
    assert state.play("ab").decisions() == ["a", NONE, "b"]
