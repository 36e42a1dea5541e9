"""Opening books: made from games, read and written, followed to their end."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright import Personality, explain, load
from rulewright.language.reprint import formatted
from rulewright.learning.book_making import BookTerms, make_book
from rulewright.model.personality import BookLine
from rulewright.players.book import book_choices
from tests.shared.effort import tries
from tests.shared.proposals import said

HEAD = "format 1\npersonality reader for tictactoe\n\nextends solver\nties random\n"


def write_games(folder: Path, games: list[str]) -> list[str]:
    """Write lists of moves of tic-tac-toe; returns their paths."""
    for number, moves in enumerate(games):
        (folder / f"{number}.txt").write_text(f"game tictactoe\n{moves}\n", "utf-8")
    return [str(folder / f"{number}.txt") for number in range(len(games))]


def test_a_book_says_what_scored_up_to_symmetry(
    write: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The corner won twice from different corners, the edge lost; transpositions are joined."""
    files = write_games(write, ["a1 a2 b2 b1 c3", "c3 c2 b2 b3 a1", "a2 b2 c2 a1 b3 c3"])
    lines, games = make_book(load("tictactoe"), files, BookTerms(1, 3))
    first = lines[0]
    assert (games, first.line) == (3, BookLine("", (("a3", 2),)))
    assert first.facts == ({"points": 2.0, "games": 2},)
    replies = {made.line.after: made for made in lines if len(made.line.after.split()) == 1}
    assert set(replies) == {"a2"}  # what was answered to the corner never scored
    out = ["--out", "reader.personality", "--least", "1", "--depth", "3"]
    assert said(capsys, "book", "tictactoe", "solver", "--games", *files, *out)[0] == 0
    text = (write / "reader.personality").read_text("utf-8")
    assert "# a3 2 of 2" in text
    assert formatted(text) == text
    assert said(capsys, "check", "reader.personality")[0] == 0
    reader = Personality.load(write / "reader.personality", load("tictactoe"))
    assert reader.model.opening.book == tuple(made.line for made in lines)


def test_a_player_follows_the_book_and_leaves_it_at_its_end(write: Path) -> None:
    """Also where the position is a mirror image, or came by other moves; `explain` says so."""
    game = load("tictactoe")
    (write / "reader.personality").write_text(HEAD + 'book after "a1" "c2" 1\n', "utf-8")
    reader = Personality.load(write / "reader.personality", game)
    start = game.start()
    state = start.play("a1")
    images = {reader.choose(state, Random(seed)) for seed in range(30)}
    assert images == {"c2", "b3"}  # mirror images of each other
    assert {reader.choose(start.play("c3"), Random(seed)) for seed in range(30)} == {"a2", "b1"}
    assert explain(state, reader).opened_by == "book"
    later = state.play("c2")
    assert reader.decide(later).settled != "opening book"
    assert book_choices(reader.model.opening.book, later) == {}


@settings(max_examples=tries(10), deadline=None)
@given(st.dictionaries(st.sampled_from(["b2", "a1", "a2"]), st.integers(1, 9), min_size=1))
def test_decisions_are_played_as_often_as_they_weigh(weights: dict[str, int]) -> None:
    """Corners and edges share the weight of theirs by chance; `ties first` takes the heaviest."""
    game, book = load("tictactoe"), (BookLine("", tuple(weights.items())),)
    choices = book_choices(book, game.start())
    alike = {"b2": {"b2"}, "a1": {"a1", "a3", "c1", "c3"}, "a2": {"a2", "b1", "b3", "c2"}}
    assert choices == {text: weights[name] for name in weights for text in alike[name]}


@pytest.mark.parametrize(
    ("lines", "place", "message"),
    [
        ('book after "a1" "a1" 1\n', ":6:1:", "illegal"),
        ('book after "a1 a1" "b2" 1\n', ":6:1:", "illegal"),
        ('book after "" "b2" 1\nbook after "" "a1" 1\n', ":7:1:", "has a line after"),
        ('book after "" "b2" 0\n', ":6:1:", "from 1 to 1,000,000"),
        ('book after "" "b2"\n', ":6:15:", "expected a number"),
    ],
)
def test_a_wrong_line_is_reported_at_its_place(
    lines: str, place: str, message: str, write: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (write / "reader.personality").write_text(HEAD + lines, "utf-8")
    status, shown, told = said(capsys, "check", "reader.personality")
    assert status == 1
    assert f"reader.personality{place}" in shown + told
    assert message in shown + told


def test_a_book_is_inherited_line_by_line(write: Path) -> None:
    (write / "reader.personality").write_text(
        HEAD + 'book after "" "b2" 1\nbook after "b2" "a1" 1\n', "utf-8"
    )
    heir = HEAD.replace("reader", "heir").replace("solver", "reader")
    (write / "heir.personality").write_text(heir + 'book after "" "a1" 2\n', "utf-8")
    model = Personality.load(write / "heir.personality", load("tictactoe")).model
    assert {line.after: line.choices for line in model.opening.book} == {
        "": (("a1", 2),), "b2": (("a1", 1),),
    }  # fmt: skip
