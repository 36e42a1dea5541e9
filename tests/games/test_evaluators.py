"""Evaluators: the worked numbers of the old programs through the bundled text files, and laws."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.checks.properties_of_evaluators import failing_examples
from rulewright.errors import Fault
from rulewright.games.engine.game import Game
from rulewright.games.files.catalog import EVALUATOR
from rulewright.games.files.games import load, loads
from rulewright.games.files.kinds import FileContext, check_file, load_file
from rulewright.language.diagnostics import TextError
from rulewright.reference.evaluation import MoveChoice, StaticEvaluator, terms
from rulewright.reference.position import Position
from tests.shared.effort import tries
from tests.shared.evaluating import game, judge, values, written
from tests.shared.places import RULESETS
from tests.shared.playing import played_on, rows_of

FILES = sorted(RULESETS.glob("*/*.eval"))


def move_values(
    wise: StaticEvaluator, position: Position, value: str = ""
) -> dict[str, tuple[float, ...]]:
    found = wise.evaluator.value(value)
    assert found is not None
    options = wise.play.options(position)
    choices = {o.text: wise.choices(position, o) for o in options if o.move in found.moves}
    return {t: wise.of_move(found, position, c) for t, c in choices.items() if c is not None}


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_a_bundled_evaluator_has_nothing_to_complain_of(path: Path) -> None:
    where = FileContext(game(path.parent.name), path.parent)
    report = check_file(EVALUATOR, path.name, path.read_bytes(), where)
    assert [d.render() for d in report.diagnostics] == []
    assert report.model is not None
    assert report.model.name == path.stem
    assert report.model.examples or report.model.values[0].of_move
    found = failing_examples(game(path.parent.name), report.model)
    assert [d.render() for d in found] == []


# --- Connect 5 ---


def row_of(text: str) -> tuple[Game, Position, str]:
    """A board of one row in the signs of the document; `_` is the square that is tried."""
    squares = text.split()
    board = load("connect5", width=len(squares), height=1)
    rows = rows_of(f"(({' '.join('-' if s == '_' else s for s in squares)}))")
    position = board.play.first
    for column, square in enumerate(rows[0]):
        if square != "-":
            position = position.put("XO".index(square), 0, 1 << column)
    return board, position, f"{'abcdefghi'[squares.index('_')]}1"


# A row alone: the other three lines meet the border at once on both sides, -5 and -5.
@pytest.mark.parametrize(
    ("row", "value", "expected"),
    [
        ("- X X _ X -", "win", 52),
        ("O X X _ X O", "win", 50),
        ("X - - _ - X", "win", 27),
        ("- O O O _ -", "block", 51),
        ("X X - X X X _ - -", "win", 89),
    ],
)
def test_lines_of_connect5_are_worth_what_the_document_says(
    row: str, value: str, expected: int
) -> None:
    board, position, square = row_of(row)
    wise = StaticEvaluator(board.play, load_file(EVALUATOR, board))
    best, total, *_ = move_values(wise, position, value)[square]
    assert best == expected
    assert total == expected - 30


def by_the_document(row: list[str], at: int, friend: str, block: bool) -> int:
    """The value of a square along one row, written once more from the document's words."""
    total = 0
    for side in (row[at + 1 :], row[:at][::-1]):
        value, inc, met = 0, 20, False
        for index, square in enumerate([*side, "|"]):
            if square == friend:
                value, met = value + inc, True
            elif square != "-":
                value -= 5
                break
            elif block and met:
                value -= 4
                break
            else:
                if not block and (side[0] == friend or not met):
                    value += 1
                inc -= 2
            assert index <= len(side)
        total += value
    return total


@settings(deadline=None, max_examples=tries(60))
@given(st.lists(st.sampled_from("XO-"), min_size=5, max_size=9), st.data())
def test_scans_agree_with_a_second_reading_of_the_document(
    row: list[str], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(row) - 1))
    squares = [*row[:at], "_", *row[at + 1 :]]
    board, position, square = row_of(" ".join(squares))
    wise = judge("connect5", width=len(row), height=1)
    assert wise.play.rules == board.rules
    for value, friend, block in (("win", "X", False), ("block", "O", True)):
        found = move_values(wise, position, value)[square]
        line = by_the_document(squares, at, friend, block)
        assert found[:2] == (max(line, -10), line - 30)


# --- Conniption ---


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ("4", {"sols": 7, "cells": 7, "hybrid": 14, "flip": 14}),
        ("4 4!", {"sols": 3, "cells": 3, "hybrid": 6, "flip": 16}),
    ],
)
def test_conniption_is_worth_what_the_document_says(moves: str, expected: dict[str, int]) -> None:
    found = values(game("conniption").start().play(moves))
    assert {name: found[name] for name in expected} == expected


def test_every_cell_weighs_the_lines_through_it() -> None:
    board = game("conniption")
    wise = judge("conniption")
    cells = wise.evaluator.value("cells")
    assert cells is not None
    weights = [
        wise.of_position(cells, board.play.first.put(0, 0, 1 << site))[0] for site in range(42)
    ]
    assert (min(weights), max(weights), sum(weights)) == (3, 13, 276)
    corners = [weights[board.rules.board.by_name[name]] for name in ("a1", "g1", "a6", "g6")]
    centre = [weights[board.rules.board.by_name[name]] for name in ("d3", "d4")]
    assert (corners, centre) == ([3] * 4, [13] * 2)


def test_random_values_are_whole_from_0_to_10_and_come_from_the_seed() -> None:
    wise, position = judge("conniption"), game("conniption").play.first
    value = wise.evaluator.value("random")
    assert value is not None
    drawn = [wise.of_position(value, position, None, Random(n))[0] for n in range(300)]
    assert set(drawn) == set(range(11))
    assert wise.of_position(value, position, None, Random(7))[0] == drawn[7]


@settings(deadline=None, max_examples=tries(25))
@given(st.lists(st.integers(0, 10**6), max_size=14))
def test_lines_count_as_written_down_once_more(choices: list[int]) -> None:
    state = game("conniption").start()
    for number in choices:
        if not state.over:
            state = state.play_decision(state.moves.texts[number % len(state.moves)])
    position = state.situation.position
    weight, expected = (0, 1, 4, 16, 1024), 0
    for line in game("conniption").rules.board.lines(4):
        red, blue = (line & position.owned[p] for p in (0, 1))
        if not (red and blue):
            expected += weight[red.bit_count()] - weight[blue.bit_count()]
    assert values(state)["sols"] == expected


# --- Span-It! ---


def worked_example() -> Position:
    """Size 3: vertical has M00 and M20, horizontal has M11, vertical is to move."""
    state = game("spanit", size=3).start().play("M00 M11 M20")
    return evolve(state.situation.position, mover=0)


def test_weights_of_the_worked_example() -> None:
    found = move_values(judge("spanit", size=3), worked_example())
    assert {text: value for text, (value,) in found.items()} == {
        "M10": 1037.5, "M02": 27.0, "M22": 27.0, "M01": 23.5, "M21": 23.5, "M12": 22.5,
        "m00": 9.0, "m10": 9.0, "m01": 8.0, "m11": 8.0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("factor", "weights"),
    [
        ("PathMemberCount", {"M10": 4 + 2, "M22": -2}),
        ("PathMinorSpan", {"M22": -1, "m11": -2}),
        ("PathMajorSpan", {"M22": -2, "m11": -1}),
    ],
)
def test_powers_of_negative_factors(factor: str, weights: dict[str, float]) -> None:
    """The number of members is raised as it stands; spans have the sign of their own factor."""
    wise = judge("spanit", size=3)
    known = [(f.name, f.whole) for f in wise.evaluator.factors]
    factors = tuple(-2.0 if name == factor else 0 if whole else 0.0 for name, whole in known)
    position = game("spanit", size=3).start().play("M00 M02").situation.position
    value = wise.evaluator.value("")
    assert value is not None
    found = {}
    for option in wise.play.options(position):
        choice = wise.choices(position, option)
        found[option.text] = wise.of_move(value, position, choice, factors, Random(0))[0]
    assert {text: found[text] for text in weights} == weights


def test_all_fourteen_factors_of_spanit_are_there() -> None:
    factors = judge("spanit", size=3).evaluator.factors
    assert len(factors) == 14
    assert sum(f.name.startswith("GameTree") for f in factors) == 4
    assert [f.name for f in factors if f.percent] == [
        "GamePredictability", "GameTreeBreadthTrim", "GameTreeValueFade",
    ]  # fmt: skip


# --- laws ---


@pytest.mark.parametrize("name", ["hex", "breakthrough", "othello", "connect4", "conniption"])
@settings(deadline=None, max_examples=tries(6))
@given(seed=st.integers(0, 10**6))
def test_terms_add_up_to_the_value(name: str, seed: int) -> None:
    options = {"size": 5} if name == "hex" else {}
    wise, random = judge(name, **options), Random(seed)
    state = game(name, **options).start()
    state = played_on(state, random, random.randrange(12))
    position = state.situation.position
    for value in wise.evaluator.values:
        if not value.of_move and value.name != "random":
            told = terms(value, wise.at(value, position))
            assert sum(n for _, n in told) == wise.of_position(value, position)[0]


def test_the_other_players_change_is_made_in_the_position_as_it_is() -> None:
    board = game("tictactoe")
    text = """format 1
evaluator t for tictactoe
value of move place for mover = 100 * change(count own) + 10 * change(count own) for enemy
value empty of move place for mover = change(count empty)
"""
    name = board.rules.moves[0].name
    wise = StaticEvaluator(board.play, written(text.replace("move place", f"move {name}"), board))
    position = board.start().situation.position
    assert set(move_values(wise, position).values()) == {(110,)}
    assert set(move_values(wise, position, "empty").values()) == {(-1,)}


def test_a_choice_that_a_player_cannot_make_changes_nothing() -> None:
    board = load("twixt", size=6, pie=False)
    text = """format 1
evaluator t for twixt
value of move place for mover = change(count own) + 10 * change(count own) for enemy
"""
    wise = StaticEvaluator(board.play, written(text, board))
    found = move_values(wise, board.start().situation.position)
    # c1 is in red's bank: blue may not put a peg there
    assert [found["c3"], found["c1"]] == [(11,), (1,)]


@pytest.mark.parametrize(
    ("formula", "code"),
    [
        ("1 / (count own - count own)", "divide-by-zero"),
        ("power(10, 40)", "overflow"),
        ("power(2, -1 - count own)", "bad-power"),
        ("max(s in own : 1)", "nothing-to-compare"),
        ("power(power(10.0, 60), 6 + count own)", "overflow"),
    ],
)
def test_faults_are_typed_and_located(formula: str, code: str) -> None:
    board = game("tictactoe")
    text = f"format 1\nevaluator t for tictactoe\n\nvalue of position for mover = {formula}\n"
    report = check_file(EVALUATOR, "t.eval", text.encode(), FileContext(board))
    if report.model is None:  # a constant: found without playing
        assert [d.code for d in report.diagnostics] == ["arithmetic"]
        assert report.diagnostics[0].place.line == 4
        return
    wise = StaticEvaluator(board.play, report.model)
    with pytest.raises(Fault) as caught:
        wise.of_position(report.model.values[0], board.play.first)
    assert caught.value.code == code
    assert report.model.place(caught.value.origin) == "t.eval:4"


def test_use_borrows_definitions_and_factors(tmp_path: Path) -> None:
    (tmp_path / "base.eval").write_text(
        'format 1\nevaluator base for tictactoe\nfactor worth = 3 in 0..9 "a mark"\n'
        "let good = worth * count own\nvalue of position for mover = good\n"
    )
    (tmp_path / "more.eval").write_text(
        "format 1\nevaluator more for tictactoe\nuse base\n"
        "value of position for mover = good - good for enemy\n"
    )
    board = game("tictactoe")
    found = load_file(EVALUATOR, board, tmp_path / "more.eval")
    wise = StaticEvaluator(board.play, found)
    assert [f.name for f in found.factors] == ["worth"]
    state = board.start().play(board.start().moves.texts[0])
    assert wise.of_position(found.values[0], state.situation.position) == (-3,)
    assert wise.of_position(found.values[0], state.situation.position, (5,)) == (-5,)


def test_evaluators_that_use_each_other_are_refused(tmp_path: Path) -> None:
    for one, other in (("a", "b"), ("b", "a")):
        (tmp_path / f"{one}.eval").write_text(
            f"format 1\nevaluator {one} for tictactoe\nuse {other}\n"
            "value of position for mover = 1\n"
        )
    with pytest.raises(TextError) as caught:
        load_file(EVALUATOR, game("tictactoe"), tmp_path / "a.eval")
    assert [d.code for d in caught.value.diagnostics] == ["cycle"]
    assert "a -> b -> a" in caught.value.diagnostics[0].message


def test_a_misuse_of_a_definition_of_the_rules_is_reported_at_the_use() -> None:
    board = loads(
        "format 1\ngame t\nplayers a b\nboard square 2 by 2\npieces man\n"
        "let far(s) = count (near(s) empty)\nmove put_one\n  choose c in empty\n  put man at c\n"
        "turn put_one\nwin when far(a1) > 9\ndraw when stuck\n"
    )
    text = "format 1\nevaluator e for t\nvalue of position for a = far(3)\n"
    report = check_file(EVALUATOR, "e.eval", text.encode(), FileContext(board))
    (found,) = report.diagnostics
    assert (found.code, found.place.file, found.place.line) == ("wrong-type", "e.eval", 3)
    assert re.search(r"`far` cannot be used like this", found.message)


def test_a_factor_changes_values_and_compiles_nothing() -> None:
    wise = judge("conniption")
    position = game("conniption").start().play("4").situation.position
    value = wise.evaluator.value("sols")
    assert value is not None
    names = [f.name for f in wise.evaluator.factors]
    factors = list(wise.evaluator.defaults)
    factors[names.index("one")] = 5
    assert wise.of_position(value, position, tuple(factors)) == (35,)


def test_a_choice_is_what_the_decision_has_chosen() -> None:
    board = game("breakthrough")
    wise, position = judge("breakthrough"), board.play.first
    option = next(o for o in board.start().situation.options if o.text == "a2-a3")
    choice = wise.choices(position, option)
    sites = board.rules.board.by_name
    assert choice == MoveChoice(0, {"a": 1 << sites["a2"], "b": 1 << sites["a3"]})
    after = wise.played(position, 0, choice)
    assert after is not None
    assert after.owned == option.after.owned
    assert wise.played(position, 1, choice) is None
