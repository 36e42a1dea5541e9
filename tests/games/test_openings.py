"""Openings by lines of an evaluator: sets, the last decisions, conditions, chance."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.app.cli import main
from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import load
from rulewright.language.diagnostics import TextError
from rulewright.language.reprint import formatted
from rulewright.players import opening
from rulewright.players.explain import explain
from rulewright.players.opening import opening_decision
from rulewright.players.personality import Personality, whole_text
from tests.shared.effort import tries

HEAD = "format 1\nevaluator seen for tictactoe\nvalue of position for mover = 0\n"


def written(folder: Path, lines: str, names: str) -> Personality:
    """A player of tic-tac-toe who follows lines of an evaluator."""
    (folder / "seen.eval").write_text(HEAD + lines)
    text = f"format 1\npersonality one for tictactoe\nuse seen\nsearch one_ply\n{names}\n"
    (folder / "one.personality").write_text(text)
    return Personality.load(folder / "one.personality", load("tictactoe"))


def says(player: Personality, moves: str = "", seed: int = 0) -> tuple[str, str] | None:
    """The decision of the opening and its line."""
    state = player.game.start().play(moves) if moves else player.game.start()
    found = opening_decision(player.model, player.judge, state, Random(seed))
    return None if found is None else (found.move, found.line)


def test_the_first_set_with_a_legal_decision_counts(tmp_path: Path) -> None:
    lines = "opening a of move place from b2, a1 or c3 when ply < 4\n"
    player = written(tmp_path, lines, "opening a")
    assert says(player) == ("b2", "a")
    assert {says(player, "b2", seed) for seed in range(20)} == {("a1", "a"), ("c3", "a")}
    assert says(player, "b2 a1 c3") is None  # nothing is left in any set
    assert says(player, "a2 b1 a3 c2") is None  # `when` is over, though b2 is free


def test_what_asks_no_last_decision_is_asked_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Going back through a long game takes far longer than most conditions."""
    line = "opening a of move place after last from sites when ply > 5\n"
    player = written(tmp_path, line, "opening a")
    monkeypatch.setattr(opening, "last_sites", None)
    assert says(player, "a1") is None
    with pytest.raises(TypeError):
        says(player, "b2 a1 c3 c1 a3 b3")


def test_lines_are_tried_in_the_order_of_the_personality(tmp_path: Path) -> None:
    lines = "opening a of move place from a1\nopening b of move place from b2\n"
    assert says(written(tmp_path, lines, "opening a, b")) == ("a1", "a")
    assert says(written(tmp_path, lines, "opening b, a")) == ("b2", "b")
    assert says(written(tmp_path, lines, "opening b, a"), "b2") == ("a1", "a")


def test_the_last_decisions_are_sites(tmp_path: Path) -> None:
    lines = (
        "opening a of move place after last, mine from east(last) when last in west(sites)\n"
        "opening b of move place after last from south(last) or north(last)\n"
    )
    player = written(tmp_path, lines, "opening a, b")
    assert says(player) is None  # nobody has decided anything
    assert says(player, "a1") == ("a2", "b")  # the line `a` wants two decisions
    assert says(player, "a2 b1") == ("c1", "a")  # the last one, not the one before


def test_chance_lets_a_line_speak_so_often(tmp_path: Path) -> None:
    player = written(tmp_path, "opening a of move place from a1 with 25%\n", "opening a")
    spoke = sum(says(player, seed=seed) is not None for seed in range(1000))
    assert 200 < spoke < 300


def test_factors_of_the_personality_count(tmp_path: Path) -> None:
    lines = 'factor to = 2 plies in 0..9 "x"\nopening a of move place from sites when ply < to\n'
    player = written(tmp_path, lines, "opening a")
    assert says(player, "a1") is not None
    assert says(player.with_factors(to=1), "a1") is None


def test_the_search_decides_where_no_line_does_and_files_say_it_again(tmp_path: Path) -> None:
    player = written(tmp_path, "opening a of move place from b2\n", "opening a")
    start = player.game.start()
    assert player.decide(start).settled == "opening a"
    assert player.decide(start.play("b2")).line is not None
    assert explain(start, player).opened_by == "a"
    assert "\nopening a\n" in whole_text(player.model, "again")
    long = "opening  a of  move place from ( b2 ),a1  when ply=0 with 50%\n"
    assert "opening a of move place from (b2), a1 when ply = 0 with 50%" in formatted(HEAD + long)


@pytest.mark.parametrize(
    ("line", "names", "code"),
    [
        ("opening a of move place from b2", "opening b", "unknown-name"),
        ("opening a of move plaice from b2", "opening a", "unknown-name"),
        ("opening a of move place from 3", "opening a", "wrong-type"),
        ("opening a of move place when 3", "opening a", "wrong-type"),
        ("opening a of move place with 50", "opening a", "unit"),
        ("opening a of move place with 120%", "opening a", "out-of-range"),
        ("opening a of move place\nopening a of move place", "opening a", "defined-twice"),
    ],
)
def test_mistakes_have_a_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, names: str, code: str
) -> None:
    with pytest.raises(TextError):
        written(tmp_path, line + "\n", names)
    files = [str(tmp_path / name) for name in ("seen.eval", "one.personality")]
    assert main(["check", *files]) == 1
    said = capsys.readouterr()
    assert f"[{code}]" in said.out + said.err


def test_a_set_needs_one_choice(tmp_path: Path) -> None:
    """A step has two ends, and a set cannot say which of them it means."""
    file = tmp_path / "seen.eval"
    text = "format 1\nevaluator seen for breakthrough\nvalue of position for mover = 0\n"
    file.write_text(text + "opening a of move step from top\n")
    assert main(["check", str(file)]) == 1


# --- T1's first pegs, by its document's words ---


@cache
def twixt() -> tuple[Game, Personality]:
    """TwixT without taking over, and T1."""
    game = load("twixt", pie=False)
    return game, Personality.load("t1", game)


def in_the_way(x: int, y: int, along: int, aside: int) -> tuple[int, int]:
    """Where the answer to a peg stands that plays along *y*: halfway to the farther border."""
    border = along if 2 * y <= along else 1
    inside = x + 1 if x <= 6 else x - 1 if x > aside - 6 else x
    return inside, (y + border) // 2


@settings(max_examples=tries(25), deadline=None)
@given(st.integers(2, 23), st.integers(1, 24))
def test_t1_stands_in_the_way_of_a_first_peg(x: int, y: int) -> None:
    game, t1 = twixt()
    state: State = game.start().play(f"{chr(96 + x)}{y}")
    column, row = in_the_way(x, y, 24, 24)
    wanted = f"{chr(96 + column)}{row}"
    found = opening_decision(t1.model, t1.judge, state, Random(0))
    assert found is not None
    assert (found.move, found.line) == (wanted, "in_the_way")


def test_t1_begins_in_the_middle_or_where_it_would_not_be_taken_over() -> None:
    game, t1 = twixt()
    assert t1.choose(game.start()) == "m13"
    pie = load("twixt")
    begins = {Personality.load("t1", pie).choose(pie.start(), Random(seed)) for seed in range(30)}
    assert len(begins) > 10
    for hole in begins:
        assert Personality.load("t1", pie).choose(pie.start().play("l12"), Random(1)) == "swap"
        assert hole[0] not in "klmn"


def test_t1_takes_the_side_with_the_shorter_way() -> None:
    """Where the sides differ by four or more, wherever the first peg stands."""
    for width, height, takes in ((20, 16, {True}), (16, 20, {False}), (18, 16, {True, False})):
        game = load("twixt", width=width, height=height)
        t1 = Personality.load("t1", game)
        said = [
            opening_decision(t1.model, t1.judge, game.start().play(p), Random(1))
            for p in ("b2", "j8")
        ]
        assert {one is not None and one.move == "swap" for one in said} == takes
