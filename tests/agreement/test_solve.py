"""Solving: known values, an independent solver, three methods, and ways to stop."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulewright
from rulewright.app.cli import main
from rulewright.errors import GameOver, OutOfBudget, RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import load_with
from rulewright.players.machine import proving
from rulewright.players.personality import Personality
from rulewright.search.certificate import Unproven, _Walk, check
from rulewright.search.driver import Driver
from rulewright.search.results import Limits
from rulewright.search.solve import Solver, solve
from rulewright.search.thread_arrays import Steps
from tests.independent import bridgit, connect_four, solver, tictactoe
from tests.independent.protocol import Position
from tests.shared.backends import needs_llvm
from tests.shared.effort import tries

pytestmark = needs_llvm
NAMES = {1: "win", 0: "draw", -1: "loss"}


@cache
def game(name: str, **options: int) -> Game:
    return load_with(name, dict(options))


@pytest.mark.parametrize("method", ["alphabeta", "shortest", "proof"])
@pytest.mark.parametrize(
    ("name", "options", "value", "distance"),
    [  # m,n,k games: Uiterwijk and van den Herik 2000; Connect Four: Tromp's table
        ("tictactoe", {}, "draw", None),
        ("tictactoe", {"width": 4, "height": 3}, "win", 7),
        ("tictactoe", {"width": 4, "height": 4}, "win", 5),
        ("spanit", {"size": 2}, "win", 5),
        ("spanit", {"size": 3}, "win", 9),
        ("connect4", {"width": 4, "height": 4}, "draw", None),
    ],
)
def test_known_values(
    method: str, name: str, options: dict[str, int], value: str, distance: int | None
) -> None:
    start, shortest = game(name, **options).start(), method == "shortest"
    way = "proof" if method == "proof" else "alphabeta"
    solved = solve(start, shortest=shortest, method=way)
    assert (solved.value, solved.side) == (value, start.mover)
    assert solved.distance == (distance if shortest else None)
    if shortest and value == "win":
        assert len(solved.pv) == distance
        assert start.play(" ".join(solved.pv)).result is not None


@pytest.mark.parametrize(
    ("name", "options", "value"),
    [
        ("tictactoe", {"width": 4, "height": 4, "run": 4}, "draw"),
        ("connect4", {"width": 5, "height": 4}, "draw"),
    ],
)
def test_known_values_of_bigger_boards(name: str, options: dict[str, int], value: str) -> None:
    assert solve(game(name, **options).start()).value == value


SMALL: list[tuple[str, dict[str, int], Position, int]] = [
    ("tictactoe", {}, tictactoe.start(), 9),
    ("tictactoe", {"width": 4, "height": 3}, tictactoe.start(4, 3, 3), 9),
    ("spanit", {"size": 3}, bridgit.start(3), 8),
    ("connect4", {"width": 4, "height": 4}, connect_four.start(4, 4), 9),
]


@pytest.mark.parametrize(("name", "options", "first", "plies"), SMALL)
@settings(max_examples=tries(6), deadline=None)
@given(seed=st.integers(0, 2**32))
def test_an_independent_solver_agrees(
    name: str, options: dict[str, int], first: Position, plies: int, seed: int
) -> None:
    random, state, other = Random(seed), game(name, **options).start(), first
    for _ in range(random.randrange(3, plies)):
        move = random.choice(state.moves.texts)
        if state.play_decision(move).over:
            break
        state, other = state.play_decision(move), other.play(move)
    if name == "connect4" and state.ply < 5:  # slow in Python from the start
        return
    value = NAMES[solver.solve(other)]
    assert solve(state).value == value
    assert solve(state, method="alphabeta").value == value
    assert solve(state, shortest=True).value == value
    assert solve(state, method="proof").value == value


def length(state: State) -> int:
    """Decisions of the shortest forced win of who is at move, 99 without one."""
    if state.over:
        return 99
    best = 99
    for move in state.moves.texts:
        later = state.play_decision(move)
        if later.result is not None:
            best = min(best, 1 if later.result.winner == state.mover else 99)
        elif best > 1:
            replies = [later.play_decision(m) for m in later.moves.texts]
            if all(r.result is None for r in replies):
                best = min(best, 2 + max(length(r) for r in replies))
    return best


@settings(max_examples=tries(6), deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_shortest_win_is_the_shortest(seed: int) -> None:
    random, state = Random(seed), game("tictactoe").start("reference")
    for _ in range(random.randrange(4, 7)):
        if state.play_decision(state.moves.texts[0]).over:
            return
        state = state.play_decision(random.choice(state.moves.texts))
        if state.over:
            return
    solved, wanted = solve(state, shortest=True), length(state)
    assert (solved.value == "win") == (wanted < 99)
    if wanted < 99:
        assert solved.distance == wanted


def test_the_same_in_python() -> None:
    start = game("tictactoe").start()
    native, python = (solve(start, backend=b) for b in ("native", "python"))
    assert (native.value, native.nodes, native.pv) == (python.value, python.nodes, python.pv)


def test_a_limit_leaves_what_is_known() -> None:
    solved = solve(game("connect4").start(), Limits(None, nodes=5000))
    assert (solved.value, solved.least, solved.most, solved.nodes) == (None, "loss", "win", 5000)
    assert solved.move is None
    assert solved.depth > 1


def test_what_cannot_be_solved() -> None:
    with pytest.raises(GameOver):
        solve(game("tictactoe").start().play("a1 b1 a2 b2 a3"))
    with pytest.raises(RulewrightError, match="proof numbers"):
        solve(game("tictactoe").start(), shortest=True, method="proof")
    with pytest.raises(RulewrightError, match="no method"):
        solve(game("tictactoe").start(), method="magic")


# --- proofs that are played through ---


@pytest.mark.parametrize("method", ["alphabeta", "proof"])
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("tictactoe", {}),
        ("spanit", {"size": 2}),
        ("dots", {"width": 2, "height": 1}),
        ("hex", {"size": 3, "pie": True}),
        ("othello", {"size": 4}),
    ],
)
def test_the_reference_plays_through_proofs(
    name: str, options: dict[str, int], method: str
) -> None:
    begun: list[Solver] = []
    solved = solve(game(name, **options).start(), method=method, keep=begun.append)
    assert solved.value is not None
    assert check(begun[0]) >= 9  # Span-It!, where little has to be shown


@pytest.mark.parametrize(
    ("name", "options", "claimed"),
    [
        ("tictactoe", {}, 1),
        ("tictactoe", {}, -1),
        ("hex", {"size": 3}, -1),
        ("dots", {"size": 1}, 1),
    ],
)
def test_a_value_that_does_not_hold_is_refused(
    name: str, options: dict[str, int], claimed: int
) -> None:
    begun: list[Solver] = []
    solve(game(name, **options).start(), method="alphabeta", keep=begun.append)
    begun[0].least = begun[0].most = claimed
    with pytest.raises(Unproven):
        check(begun[0])


def test_what_cannot_be_checked() -> None:
    begun: list[Solver] = []
    solve(game("connect4").start(), Limits(None, nodes=1000), keep=begun.append)
    with pytest.raises(Unproven, match="nothing is proven"):
        check(begun[0])


# --- the command ---


def test_the_command_checks_proofs(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("solve", "tictactoe", "--moves", "a1 b2 c3 a3 c1", "--check")
    status, out = run(capsys, *words)
    assert (status, out.splitlines()[1].split(":")[0]) == (0, "checked")
    status, out = run(capsys, *words, "--format", "json")
    assert json.loads(out)["checked"] > 0


CHASE = """format 1
game chase
players white black
board square 3 by 3
pieces man "WB"
setup
  put white man at b2
  put black man at a2 or c3
let steps for white = diagonal
let steps for black = orthogonal
move walk
  choose a in own
  choose b in steps(a) empty
  move a to b
turn walk
lose when stuck
"""
"""A game in which men can walk for ever, and white loses in two decisions."""


@pytest.mark.parametrize("more", [[], ["--shortest"]])
def test_a_proof_is_checked_where_games_can_go_on_for_ever(
    more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "chase.rules"
    path.write_text(CHASE)
    status, out = run(capsys, "solve", str(path), "--check", "--time", "30", *more)
    assert status == 0
    assert re.fullmatch(
        r"a loss for white( in 2 decisions)?: b2-\w+ \S+\nchecked: .* 4 positions\n", out
    )


def test_a_value_is_printed_where_it_cannot_be_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "chase.rules"
    path.write_text(f"{CHASE}draw when repeats >= 2\n")
    reason = "the rules look at earlier positions, so a position has no value of its own"
    status, out = run(capsys, "solve", str(path), "--check")
    assert status == 1
    assert re.fullmatch(rf"a loss for white: b2-\w+ \S+\nnot checked: {reason}\n", out)
    status, out = run(capsys, "solve", str(path), "--check", "--format", "json")
    data = json.loads(out)
    assert (status, data["value"], data["checked"]) == (1, "loss", None)
    assert data["unchecked"] == reason


def test_a_check_ends_with_the_time() -> None:
    solvers: list[Solver] = []
    solve(game("tictactoe").start(), keep=solvers.append)
    with pytest.raises(OutOfBudget, match="the time was over before the proof was checked"):
        check(solvers[0], over=lambda: True)


def test_a_circle_ends_no_game(tmp_path: Path) -> None:
    """A chooser that walks back and forth is no proof, though it never loses."""
    path = tmp_path / "chase.rules"
    path.write_text(CHASE)
    state = rulewright.load(str(path)).start()
    walk = _Walk(lambda *_: 0, state.situation.position.mover, 0, lambda: False)
    there = state.situation
    walk.followers[there.position] = [there.after(there.options[0]).position]
    assert not walk.has_circle()
    walk.followers[there.after(there.options[0]).position] = [there.position]
    assert walk.has_circle()


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    status = main(words)
    return status, capsys.readouterr().out


def test_the_command_says_it_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    status, out = run(capsys, "solve", "tictactoe", "--moves", "a1 b2 c3 a3 c1")
    assert (status, out.split(":")[0]) == (0, "a loss for nought")
    status, out = run(capsys, "solve", "tictactoe", "--moves", "a1 b1 a2 b2", "--shortest")
    assert (status, out) == (0, "a win for cross in 1 decision: a3\n")
    status, out = run(capsys, "solve", "tictactoe", "--method", "proof")
    assert (status, out) == (0, "a draw\n")


def test_the_command_gives_json(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("solve", "connect4", "--nodes", "1000", "--format", "json")
    status, out = run(capsys, *words)
    data = json.loads(out)
    assert status == 1
    assert (data["value"], data["least"], data["most"]) == (None, "loss", "win")
    assert data["nodes"] == 1000
    assert data["options"]["width"] == 7


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
def test_an_interrupt_reports_the_best_so_far() -> None:
    script = (
        "import sys; from rulewright.app.cli import main; print(1, flush=True); sys.exit(main())"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", script, "solve", "connect4"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdout is not None
    child.stdout.readline()
    time.sleep(2.5)  # the kernels are loaded and the search is under way
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate(timeout=20)
    assert child.returncode == 130
    assert errors.splitlines()[-1] == "interrupted"
    assert "Traceback" not in errors


@pytest.mark.parametrize(
    ("name", "options"), [("connect4", {"width": 4, "height": 4}), ("spanit", {"size": 3})]
)
def test_threads_prove_the_same_together(name: str, options: dict[str, int]) -> None:
    start, begun = game(name, **options).start(), list[Solver]()
    alone = solve(start, method="alphabeta")
    found = solve(start, Limits(None, threads=3), method="alphabeta", keep=begun.append)
    assert (found.value, found.side) == (alone.value, alone.side)
    assert len(begun[0].workers) == 3
    assert found.nodes == sum(worker.nodes for worker in begun[0].workers)


def test_a_long_iteration_is_shared_though_those_before_it_were_short(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen, together = list[int](), Driver.together

    def watched(self: Driver[object], works: Iterable[Steps]) -> Steps:
        seen.append(self.nodes)
        return together(self, works)

    monkeypatch.setattr(Driver, "together", watched)
    start = game("connect4", width=4, height=4).start()
    found = solve(start, Limits(None, threads=2), method="alphabeta")
    assert seen[-1] < found.nodes / 2


def test_proof_numbers_are_for_one_thread() -> None:
    with pytest.raises(RulewrightError, match="one thread"):
        solve(game("tictactoe").start(), Limits(None, threads=2), method="proof")


def test_a_proof_begins_with_what_a_text_tries_first_and_believes_what_it_calls_drawn() -> None:
    board = game("tictactoe", width=4, height=4, run=4)
    led = proving(Personality.load("solver", board).model)
    found = solve(board.start(), leading=led)
    assert found.value == "draw"
    assert found.nodes * 3 < solve(board.start()).nodes
    board = game("tictactoe", width=5, height=3, run=4)
    led = proving(Personality.load("solver", board).model)
    chosen = solve(board.start(), leading=led).move
    assert chosen is not None
    assert chosen[0] in "bcd"  # any would do


def test_limits_are_named_as_those_of_a_search() -> None:
    start = game("connect4").start()
    begun = list[Solver]()
    found = solve(start, nodes=2000, memory=1, keep=begun.append)
    assert (found.value, found.nodes <= 2000) == (None, True)
    assert begun[0].limits == Limits(None, 2000, None, 1 << 20)
    before = time.perf_counter()
    assert solve(start, time=0.2).value is None
    assert time.perf_counter() - before < 20
