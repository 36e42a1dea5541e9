"""A user's own evaluators, personalities and patterns are found beside his own rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright.games.files import catalog
from rulewright.games.files.games import bundled_games
from rulewright.games.files.kinds import FileContext, check_file

EVALUATOR = """\
format 1
evaluator mien for mine

# Counts discs in the middle column.

factor worth = 3 points in 0..9 "a disc in the middle"

value of position for mover = worth * count(own column(4)) - worth * count(enemy column(4))
"""
PERSONALITY = """\
format 1
personality middling for mine

# Loves the middle.

use mien
worth = 5
search minimax, depth 2
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """Rules of the user's own, with an evaluator and a personality beside them."""
    text = bundled_games()["connect4"].read_text("utf-8")
    path = tmp_path / "mine.rules"
    path.write_text(text.replace("game connect4", "game mine"), "utf-8")
    (tmp_path / "mien.eval").write_text(EVALUATOR, "utf-8")
    (tmp_path / "middling.personality").write_text(PERSONALITY, "utf-8")
    other = EVALUATOR.replace("mien for mine", "alien for yours")
    (tmp_path / "alien.eval").write_text(other, "utf-8")
    return path


def test_own_files_load_by_name_from_any_folder(rules: Path, run: Any) -> None:
    for _ in range(2):  # the second time the model is the one that was kept
        status, out, err = run("explain", str(rules), "--personality", "middling")
        assert (status, err) == (0, "")
        assert out.startswith("middling plays 4 ")
    assert "there is `middling`" in run("explain", str(rules), "--personality", "zzz")[2]


def test_own_files_are_listed_and_those_of_other_games_are_not(rules: Path, run: Any) -> None:
    status, out, err = run("factors", str(rules))
    assert (status, err) == (0, "")
    assert out.splitlines()[0] == "evaluator mien: Counts discs in the middle column."
    assert "personality middling: Loves the middle." in out
    assert "alien" not in out


def test_a_faulty_file_is_named_and_hides_no_other(rules: Path, run: Any) -> None:
    broken = rules.with_name("broken.eval")
    broken.write_text(EVALUATOR.replace("evaluator mien", "evaluator broken") + "factor\n")
    status, out, err = run("factors", str(rules))
    assert status == 1
    assert "evaluator mien" in out
    assert "broken.eval has mistakes" in err


def test_factors_of_a_file_shows_its_values(rules: Path, run: Any) -> None:
    file = str(rules.with_name("middling.personality"))
    status, out, _ = run("factors", file)
    assert status == 0
    assert "worth  5 (default 3) in 0..9 points  a disc in the middle" in out
    assert json.loads(run("factors", file, "--format", "json")[1])["values"] == {"worth": 5}
    assert "worth  3 in 0..9" in run("factors", str(rules.with_name("mien.eval")))[1]
    assert run("factors", str(rules.with_name("none.eval")))[0] == 2


def test_a_misspelt_evaluator_is_answered_with_what_there_is(rules: Path) -> None:
    where = FileContext(None, rules.parent)
    for word, hint in (("mein", "did you mean `mien`?"), ("zzzz", "there is `mien`")):
        text = PERSONALITY.replace("use mien\nworth = 5", f"use {word}")
        report = check_file(catalog.PERSONALITY, "middling.personality", text.encode(), where)
        assert [d.hint for d in report.diagnostics] == [hint]


def test_a_mistake_in_an_evaluator_that_another_uses_is_reported_where_it_stands(
    rules: Path, run: Any
) -> None:
    mien = rules.with_name("mien.eval")
    mien.write_text(EVALUATOR.replace("\nvalue of", "let odd = coun own\n\nvalue of"), "utf-8")
    outer = rules.with_name("outer.eval")
    outer.write_text(
        "format 1\nevaluator outer for mine\nuse mien\nvalue of position for mover = 1\n"
    )
    status, out, _ = run("check", str(outer))
    assert status == 1
    assert out.startswith("mien.eval:7:11: no set, value or definition is called `coun`")


def test_definitions_of_a_used_evaluator_may_ask_for_a_move_that_is_not_judged_here(
    rules: Path, run: Any
) -> None:
    judged = EVALUATOR.replace("value of", "let high = worth * y(slot)\nvalue of")
    judged += "value lift of move drop for mover = high\n"
    (rules.parent / "mien.eval").write_text(judged, "utf-8")
    user = rules.parent / "user.eval"
    head = "format 1\nevaluator user for mine\nuse mien\n"
    user.write_text(f"{head}value of position for mover = worth * count own\n", "utf-8")
    assert run("check", str(user))[0] == 0
    user.write_text(f"{head}value of position for mover = high\n", "utf-8")
    assert run("check", str(user))[0] == 1  # a position has no `slot`


def test_players_of_the_base_that_do_not_fit_are_no_mistakes_of_the_game(run: Any) -> None:
    status, out, err = run("factors", "racingkings")  # it leaves out the moves of pawns
    assert (status, err) == (0, "")
    assert "personality runner" in out
    assert "personality club" not in out
    status, _, err = run("explain", "racingkings", "--personality", "club")
    assert status == 1
    assert "the evaluator `squares` of chess does not fit racingkings" in err
