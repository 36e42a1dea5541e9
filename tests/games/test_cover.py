"""Coverage of every kind of file: what games use, what nothing uses, what only options wake."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from rulewright.app.cli import main
from rulewright.checks.coverage import ClauseUsage, Coverage
from rulewright.checks.instrument import instrumented_evaluator
from rulewright.checks.run import CheckRequest, cover_file
from rulewright.checks.sampling import states
from rulewright.games.files import catalog
from rulewright.games.files.games import load
from rulewright.games.files.kinds import FileContext, check_file
from rulewright.reference.evaluation import StaticEvaluator
from tests.shared.places import RULESETS

RULES = """format 1
game sample

players red blue
option misere = false
option bonus = 0 in 0..3
option flying = false
board square 2 by 2
pieces stone

move place
  choose cell in empty
  put stone at cell

move fly
  need flying
  choose cell in own
  clear cell

turn fly or place
lose when misere and some(l in lines(2) : l in own)
win when not misere and some(l in lines(2) : l in own)
draw when stuck
"""
EVALUATOR = """format 1
evaluator sample for tictactoe

factor used = 3 points in 0..9 "of use"
factor idle = 5 points in 0..9 "of none"

let stones = count own
let never = idle if ply > 99 else 0
value main of position for mover = used * stones + never
value corner of move place for mover = 1 if cell = a1 else 0
value late of move place for mover = 1 if ply > 99 else 0
"""
PERSONALITY = """format 1
personality sample for tictactoe

use sample
search one_ply
used = 2
idle = 7
pick best late if late > 0
pick best corner
"""
PATTERNS = """format 1
Patterns for connect5
Around own

Off beside
  Free 0 1
  Set 0 1

Off crowd
  Own 0 1
  Own 0 2
  Own 0 3
  Opp 0 4
  Own 0 5
  Own 0 6
  Opp 0 7
  Free 0 8
  Set 0 8
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (
        ("sample.rules", RULES), ("sample.eval", EVALUATOR), ("sample.personality", PERSONALITY),
        ("sample.patterns", PATTERNS),
    ):  # fmt: skip
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def uses(found: Coverage, kind: str) -> dict[str, ClauseUsage]:
    return {use.clause.text: use for use in found.uses if use.kind == kind}


def test_options_are_tried_one_at_a_time(folder: Path) -> None:
    found = cover_file(folder / "sample.rules", CheckRequest())
    options = uses(found, "option")
    assert options["option bonus = 0 in 0..3"].why == (
        "changed nothing in random games with 1 or 2 or 3"
    )
    assert not options["option misere = false"].why
    woken = {use.clause.text: use.only for use in found.uses if use.only}
    assert woken["clear cell"] == "flying = true"
    assert woken["lose when misere and some(l in lines(2) : l in own)"] == "misere = true"
    assert [dead.text for dead in found.dead] == ["option bonus = 0 in 0..3", "draw when stuck"]


def test_an_option_that_is_set_is_tried_the_other_way(folder: Path) -> None:
    found = cover_file(
        folder / "sample.rules", CheckRequest(options={"flying": True, "misere": True})
    )
    woken = {use.clause.text: use.only for use in found.uses if use.only}
    assert woken == {
        "win when not misere and some(l in lines(2) : l in own)": "misere = false",
    }


def test_an_evaluator(folder: Path) -> None:
    found = cover_file(folder / "sample.eval", CheckRequest(effort=0.1))
    factors = uses(found, "factor")
    assert factors['factor used = 3 points in 0..9 "of use"'].true
    assert factors['factor idle = 5 points in 0..9 "of none"'].why == "changes no value"
    parts = {(use.clause.text, use.why) for use in found.uses if use.kind == "part"}
    assert parts == {
        ("let never = idle if ply > 99 else 0", "never true"),
        ("value corner of move place for mover = 1 if cell = a1 else 0", ""),
        ("value late of move place for mover = 1 if ply > 99 else 0", "never true"),
    }
    assert uses(found, "let")["let stones = count own"].reached >= found.positions > found.games > 1


def test_a_personality(folder: Path) -> None:
    found = cover_file(folder / "sample.personality", CheckRequest(effort=0.1))
    told = {use.clause.text: use.why for use in found.uses}
    assert told == {
        "used = 2": "changes no decision",
        "idle = 7": "changes no decision",
        "pick best late if late > 0": "never decides",
        "pick best corner": "",
    }
    text = (folder / "sample.personality").read_text("utf-8")
    (folder / "sample.personality").write_text(text.replace("best corner", "best main"), "utf-8")
    (folder / "sample.eval").write_text(
        EVALUATOR.replace("ply > 99 else 0\nv", "ply > 1 else 0\nv")
    )
    found = cover_file(folder / "sample.personality", CheckRequest(effort=0.1))
    assert uses(found, "pick")["pick best main"].true


def test_patterns(folder: Path) -> None:
    found = cover_file(folder / "sample.patterns", CheckRequest(effort=0.1))
    assert {use.clause.text: use.why for use in found.uses} == {
        "Off beside": "", "Off crowd": "never fires",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("game", "name"), [("spanit", "spanit"), ("conniption", "conniption"), ("twixt", "t1")]
)
def test_evaluators_with_notes_are_worth_the_same(game: str, name: str) -> None:
    board = load(game)
    path = RULESETS / game / f"{name}.eval"
    read = check_file(
        catalog.EVALUATOR, path.name, path.read_bytes(), FileContext(board, path.parent)
    )
    assert read.model is not None
    noted, book = instrumented_evaluator(read.model, path.name)
    heard: list[object] = []
    book.listener = lambda spot, value, context: heard.append(spot)
    plain, other = StaticEvaluator(board.play, read.model), StaticEvaluator(board.play, noted)
    for state in states(board, 4, 1):
        here = state.situation.position
        for one, two in zip(read.model.values, noted.values, strict=True):
            if not one.of_move:
                same = plain.of_position(one, here, random=Random(1))
                assert other.of_position(two, here, random=Random(1)) == same
                continue
            for option in state.situation.options[:3]:
                choice = plain.choices(here, option)
                if choice is not None and choice.move in one.moves:
                    assert plain.of_move(one, here, choice) == other.of_move(two, here, choice)
    assert heard


def test_the_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evaluator = str(folder / "sample.eval")
    assert main(["cover", evaluator, "--effort", "0.05"]) == 1
    told = capsys.readouterr()
    assert 'factor idle = 5 points in 0..9 "of none"   <- changes no value' in told.out
    assert main(["cover", evaluator, "--effort", "0.05", "--format", "json"]) == 1
    (report,) = json.loads(capsys.readouterr().out)["reports"]
    assert {dead["why"] for dead in report["dead"]} == {
        "changes no value", "a part is never true",
    }  # fmt: skip
    assert {clause["kind"] for clause in report["clauses"]} == {"factor", "let", "part", "value"}


def test_what_has_no_coverage_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cover", "README.md"]) == 2
    assert "reads these kinds of files: .rules, .eval" in capsys.readouterr().err
    (folder / "sample.eval").write_text(EVALUATOR.replace("count own", "count ovn"), "utf-8")
    assert main(["cover", str(folder / "sample.eval")]) == 1
    assert "did you mean `own`" in capsys.readouterr().err


def test_one_bad_file_keeps_nothing_back(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = str(folder / "sample.patterns")
    assert main(["cover", good, "nowhere.rules", "--effort", "0.01"]) == 2
    told = capsys.readouterr()
    assert "Off beside" in told.out
    assert "there is no file nowhere.rules" in told.err


def test_faults_of_an_evaluator_are_reported(folder: Path) -> None:
    text = EVALUATOR.replace("used * stones", "used * stones / (2 - stones)")
    (folder / "sample.eval").write_text(text, "utf-8")
    found = cover_file(folder / "sample.eval", CheckRequest(effort=0.1))
    (fault,) = uses(found, "fault").values()
    assert fault.why.startswith("a division by zero, in ")
    cover_file(folder / "sample.personality", CheckRequest(effort=0.1))  # goes on with the others


def test_a_factor_may_fault_for_some_decisions_only(folder: Path) -> None:
    """With `idle` at 0 there is no value in the first column, and elsewhere the same one."""
    formula = "1 if 6 div (idle + 1 - x(cell)) < 99 else 0"
    (folder / "sample.eval").write_text(
        EVALUATOR.replace("1 if cell = a1 else 0", formula), "utf-8"
    )
    found = cover_file(folder / "sample.eval", CheckRequest(effort=0.1))
    assert not uses(found, "fault")
    assert uses(found, "factor")['factor idle = 5 points in 0..9 "of none"'].why


def test_factors_of_a_search_that_judges_nothing(folder: Path) -> None:
    path = folder / "sample.personality"
    text = PERSONALITY.replace("search one_ply", "search mcts, nodes 20")
    path.write_text(text[: text.index("pick")], "utf-8")
    found = cover_file(path, CheckRequest(effort=0.1))
    assert {use.why for use in found.uses} == {"changes no decision"}
