"""Opening books by search: values go back to the beginning, and the lines are the best."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright import load
from rulewright.games.engine.game import Game
from rulewright.learning.book_making import MadeLine
from rulewright.learning.book_search import BookSearch, SearchTerms
from rulewright.players.analyze import judge_of
from rulewright.players.player import GameLimits
from rulewright.search.solve import solve
from tests.shared.effort import tries
from tests.shared.proposals import said

TICTACTOE, HEXAPAWN = load("tictactoe"), load("hexapawn")


def book(game: Game, positions: int, depth: int) -> list[MadeLine]:
    """A book by a search that sees nothing: it has two nodes."""
    judge = judge_of(game, "", GameLimits(nodes=2))
    return BookSearch(game, judge, SearchTerms(positions, depth)).run()


def test_a_whole_tree_gives_back_true_values() -> None:
    """What is judged below a decision corrects what the search said of it."""
    lines = book(HEXAPAWN, 1000, 20)
    assert len(lines) > 30
    values = {"win": 1, "draw": 0, "loss": -1}
    for made in lines:
        state = HEXAPAWN.start()
        for text in made.line.after.split():
            state = state.play_decision(text)
        best = values[str(solve(state).value)]
        for text, _ in made.line.choices:
            after = state.play_decision(text)
            if not after.over:
                assert -values[str(solve(after).value)] == best, (made.line.after, text)


@settings(max_examples=tries(10), deadline=None)
@given(st.integers(1, 40), st.integers(1, 4))
def test_a_book_is_as_large_as_it_may_be(positions: int, depth: int) -> None:
    lines = book(TICTACTOE, positions, depth)
    assert len(lines) <= positions
    assert max(len(made.line.after.split()) for made in lines) < depth
    assert lines[0].line.after == ""
    assert len({made.line.after for made in lines}) == len(lines)


def test_a_player_gets_the_book(write: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["book", "connect4", "counter", "--search", "12", "--nodes", "50", "--depth", "3"]
    status, out = said(capsys, *words, "--out", "reader.personality")[:2]
    assert (status, out.split(" with ")[0]) == (0, "12 lines")
    assert said(capsys, "check", "reader.personality")[0] == 0
    assert 'book after "" ' in (write / "reader.personality").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["connect4", "counter"], "say where the book comes from"),
        (["connect4", "counter", "--search", "3", "--games", "a.txt"], "say where the book"),
        (["connect4", "counter", "--games", "a.txt", "--nodes", "9"], "--nodes is for --search"),
        (["backgammon", "pointer", "--search", "3"], "without chance or secrets"),
    ],
)
def test_what_cannot_be_a_book_is_refused(
    words: list[str], message: str, write: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, err = said(capsys, "book", *words, "--out", "reader.personality")
    assert (status, message in err) == (2, True)
    assert not (write / "reader.personality").exists()
