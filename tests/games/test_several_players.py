"""What knows of two players says so where more play, and puzzles are solved as games of one."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulewright
from rulewright.app.cli import main
from rulewright.checks.findings import PropertyResult
from rulewright.checks.properties_of_rules import RulesProperties
from rulewright.checks.sampling import Workload
from rulewright.checks.subject import Subject
from rulewright.reference.sight import view_of
from rulewright.search.solve import solve
from tests.independent.sokoban import solution
from tests.shared.backends import needs_llvm

THREE = """format 1
game three
players red blue green
board square 3 by 2
pieces man
move place
  choose a in empty
  put man at a
turn place
win when count own = 2 and own in bottom
draw when stuck
"""
HOP = """format 1
game hop
players solver
board square 4 by 1
pieces peg "o"
setup
  put solver peg at a1 or b1 or d1
move jump
  choose a in own
  choose ray from a along orthogonal /[over: own], [b: empty]/
  clear over
  move a to b
  write "{a}x{b}"
turn jump
win when count own = 1
lose when stuck
"""


def properties(text: str) -> tuple[PropertyResult, ...]:
    return RulesProperties(Subject(rulewright.loads(text)), 0, Workload.of(0.1, 400)).run()


def test_proofs_refuse_more_than_two(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "three.rules"
    path.write_text(THREE, "utf-8")
    assert main(["solve", str(path), "--method", "proof"]) in (1, 2)
    assert "among several players a value takes no proof: leave --method out" in (
        capsys.readouterr().err
    )
    assert main(["solve", str(path)]) == 0
    assert "all for themselves: red 0, blue 0, green 0" in capsys.readouterr().out


def test_everybody_has_a_place() -> None:
    game = rulewright.loads(THREE)
    state = game.start().play("a1 a2 b2 b1")
    assert state.result is not None
    assert state.result.winner == "red"
    outcome = state.situation.outcome
    assert outcome is not None
    assert outcome.places == (1, 2, 2)


BLIND = """format 1
game blind
players red blue green
board square 3 by 2
pieces man
state tries each = 0 in 0..9 hidden
sees nowhere
move place
  choose a in sites and not own
  if a in empty
    put man at a
  else
    tries := tries + 1
turn place
win when count own = 3
draw when ply = 12
"""


@needs_llvm
@pytest.mark.parametrize("text", [THREE, BLIND], ids=["open", "blind"])
def test_rules_of_three_players_hold_their_properties(text: str) -> None:
    """Kernels end games with places, and each player wins some."""
    report = properties(text)
    assert [result.name for result in report if result.findings] == []
    assert "outcomes" in [result.name for result in report]


def test_a_puzzle_need_not_be_solved_by_chance() -> None:
    report = properties(HOP)
    names = [result.name for result in report]
    assert "turns" in names
    assert "outcomes" not in names
    assert not any(result.findings for result in report)


@needs_llvm
def test_bundled_puzzles_are_solved() -> None:
    """The shortest solution of Sokoban is as long as that of a search breadth first."""
    sokoban = solve(rulewright.load("sokoban").start(), shortest=True)
    assert (sokoban.value, sokoban.distance) == ("win", len(solution()))
    start = rulewright.load("pegsolitaire").start()
    solved = solve(start, method="proof")
    end = start.play(" ".join(solved.pv))
    assert (solved.value, end.over, end.result and end.result.winner) == ("win", True, "solver")


@needs_llvm
def test_proof_numbers_show_the_decision_that_wins() -> None:
    """It ends where the other one decides, and leaves that one with a loss."""
    state = rulewright.load("tictactoe").start().play("a1 b1")
    solved = solve(state, method="proof")
    assert (solved.value, len(solved.pv)) == ("win", 1)
    assert solve(state.play(solved.pv[0])).value == "loss"
    drawn = solve(rulewright.load("tictactoe").start(), method="proof")
    assert (drawn.value, drawn.pv) == ("draw", ())


def test_a_puzzle_is_solved_with_its_moves() -> None:
    state = rulewright.loads(HOP).start()
    solved = solve(state, shortest=True)
    assert (solved.value, solved.distance) == ("win", 2)
    assert state.play("a1xc1").mover == "solver"


def test_each_of_three_sees_a_hidden_number_of_its_own() -> None:
    text = THREE.replace("move place", "state bid each = 2 in 0..3 hidden\nmove place")
    game = rulewright.loads(text.replace("  put man at a\n", "  put man at a\n  bid := 1\n"))
    position = game.start().play("a1 b1").situation.position
    shown = [view_of(game.play, position, player) for player in range(3)]
    assert [part.hidden for part in shown] == [
        {(0, other) for other in range(3) if other != player} for player in range(3)
    ]
    assert shown[1].position.states[0][1] == 1


CROSS = """format 1
game cross
players red blue green yellow
board square 5 by 5
pieces man
let home for red = a3
let home for blue = c5
let home for green = e3
let home for yellow = c1
setup
  each p in players
    put p man at home for p
move step
  choose a in own
  choose b in near(a) and not own
  move a to b
turn step
win when own = c3
lose when stuck
claim symmetric under quarter swap sides
claim symmetric under half swap sides
"""


@pytest.mark.parametrize(
    ("old", "new", "holds"),
    [
        ("", "", True),
        # Green may not go where red may, a quarter turn without new seats, seats the other way.
        ("  need true", "  need not (mover = green and b = d3)", False),
        ("under quarter swap sides", "under quarter", False),
        ("red blue green yellow", "red yellow green blue", True),
        ("red blue green yellow", "red green blue yellow", False),
    ],
)
def test_everybody_moves_on_where_the_board_is_turned(old: str, new: str, holds: bool) -> None:
    """By one seat or by three: whichever brings the first position to itself."""
    text = CROSS.replace("  move a to b\n", "  need true\n  move a to b\n")
    found = [result for result in properties(text.replace(old, new)) if result.findings]
    assert [result.name for result in found] == ([] if holds else ["symmetric"])


def test_a_puzzle_has_nobody_to_exchange_sides_with() -> None:
    report = rulewright.check(HOP + "claim symmetric under mirror swap sides\n")
    assert [diagnostic.code for diagnostic in report.diagnostics] == ["misplaced"]
