"""`--time` of best, explain, solve, test and cover is that of the whole command.

Each runs in a process of its own, as it may be ended without ceremony, and is given far more time
than it promises to take: a machine may be busy.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from threading import Event
from time import perf_counter, sleep

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulewright
from rulewright.app.cli import COMMANDS as COMMANDS_OF_ALL
from rulewright.app.cli import LIMITED, main, parser, shares
from rulewright.checks.cover_rules import cover_rules
from rulewright.checks.playouts import tally
from rulewright.checks.run import CheckRequest, try_file
from rulewright.checks.sampling import Cost
from rulewright.checks.subject import Subject
from rulewright.errors import OutOfBudget
from rulewright.games.files.games import bundled_games
from rulewright.ground import budget
from rulewright.players.player import GameLimits
from rulewright.search.background import BackgroundWork, in_time, wait_for_compilers
from rulewright.search.best import best, best_turn, first_decision
from rulewright.search.results import Limits
from tests.shared.places import WAITING

LATEST = 15
"""Seconds after which a command with `--time 1` hangs; it needs two, on a machine of its own."""
TEXTS = {"needc": "a1 b1 c3", "many": "a1 b1", "opt": "+a1", "pairs": "a1"}
COMMANDS = (
    ("best", "--format", "text"),
    ("solve",),
    ("test", "--no-cases"),
    ("cover", "--dead"),
)


def ran(*words: str, seconds: int = 1) -> tuple[int, str, str]:
    """The status, the output and the messages of a command."""
    whole = [sys.executable, "-m", "rulewright", *words, "--time", str(seconds)]
    done = subprocess.run(whole, capture_output=True, text=True, timeout=LATEST, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("command", COMMANDS, ids=lambda words: words[0])
@pytest.mark.parametrize("text", TEXTS)
def test_every_command_ends_in_time(text: str, command: tuple[str, ...]) -> None:
    """With an answer, or with status 1 and a message; some of these took minutes."""
    name, *more = command
    way = ["--moves", TEXTS[text]] if name in ("best", "solve") else []
    status, out, error = ran(name, str(WAITING / f"{text}.rules"), *more, *way)
    assert status in (0, 1)
    told = ("the time was over (1 s)", "more than a quarter of the time", "properties hold")
    assert out or any(one in error for one in told)
    assert "Traceback" not in error


def test_explaining_ends_in_time() -> None:
    words = ("--personality", str(WAITING / "pairs.personality"))
    status, out, error = ran("explain", str(WAITING / "pairs.rules"), *words)
    assert "pairs.personality" not in error, "the file itself is at fault, not the clock"
    assert (status, bool(out)) == (0, True) or (status == 1 and "the time was over (1 s)" in error)


@given(st.floats(0.01, 100), st.floats(0, 100))
def test_a_limit_counts_from_the_start_of_the_process(seconds: float, started: float) -> None:
    """Thinking ends at the limit, and all of it within a second more, if it was begun in time."""
    thinking, grace, rest = shares(seconds, started)
    assert thinking > 0
    assert grace >= 0
    assert rest > 0.1
    if started <= seconds / 2:
        assert started + thinking == pytest.approx(seconds)
    if started <= seconds + 0.5:
        assert started + thinking + grace + rest < seconds + 0.9


def test_the_commands_that_end_in_time_are_known_before_they_are_loaded() -> None:
    whole = {name for name in COMMANDS_OF_ALL if known(name).get_default("whole")}
    assert whole == set(LIMITED)


def known(name: str) -> argparse.ArgumentParser:
    """The parser of one command."""
    (below,) = (a for a in parser(name)._actions if isinstance(a, argparse._SubParsersAction))
    found: argparse.ArgumentParser = below.choices[name]
    return found


@pytest.mark.parametrize("words", ["solve hex --time 0.3", "best hex --time nan --time=0.2"])
def test_a_command_ends_in_time_while_it_is_loaded(words: str) -> None:
    begin = "import sys, time; from rulewright.app import cli"
    slow = f"{begin}; cli._arguments = lambda _: time.sleep(99)"
    begun = f"{slow}; sys.argv = {['rulewright', *words.split()]}; cli.run()"
    whole = [sys.executable, "-c", begun]
    done = subprocess.run(whole, capture_output=True, text=True, timeout=4 * LATEST, check=False)
    assert done.returncode == 1
    assert "the time was over" in done.stderr


@pytest.mark.parametrize("game", ["hex", "spanit", "chess", "twixt"])
@pytest.mark.parametrize("more", ["", "--turn", "--algorithm montecarlo", "--format text"])
def test_there_is_always_a_decision(
    game: str, more: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With no time at all, and nothing that is kept: the first legal one, which says so."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    whole = [sys.executable, "-m", "rulewright", "best", game, *more.split(), "--time", "0.001"]
    done = subprocess.run(whole, capture_output=True, text=True, timeout=4 * LATEST, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    if more == "--format text":
        assert "no time for a search: the first legal decision" in done.stdout
        return
    found = json.loads(done.stdout)
    assert found["searched"] is False
    state = rulewright.load(game).start()
    assert found["pv"][0] in state.moves
    assert state.play(found["move"]).ply > state.ply or more != "--turn"


@pytest.mark.parametrize("more", ["", "--personality dreamer"])
def test_a_command_that_runs_out_of_its_budget_has_a_decision(
    more: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def late(*_: object, **__: object) -> None:
        raise OutOfBudget("late")

    monkeypatch.setattr("rulewright.app.cli.best.best", late)
    monkeypatch.setattr("rulewright.players.personality.Personality.decide", late)
    assert main(["best", "hex", "--time", "20", *more.split()]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["searched"], found["move"]) == (False, "a1")


def test_a_limit_may_be_longer_than_any_clock() -> None:
    """Even while something goes on beside that never ends."""
    words = [
        "rulewright",
        "best",
        "tictactoe",
        "--time",
        "1e300",
        "--depth",
        "1",
        "--algorithm",
        "alphabeta",
    ]
    begun = (
        "import sys; from threading import Event; from rulewright.app import cli;"
        "from rulewright.search.background import BackgroundWork;"
        f"never = BackgroundWork(Event().wait); sys.argv = {words}; cli.run()"
    )
    whole = [sys.executable, "-c", begun]
    done = subprocess.run(whole, capture_output=True, text=True, timeout=LATEST, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(sys.platform != "linux", reason="nothing tells when a process began")
def test_what_is_loaded_before_the_command_line_counts() -> None:
    told = "import time; time.sleep(0.3); from rulewright.app import cli; print(cli._since_start())"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert 0.3 < float(done.stdout) < LATEST


def test_late_code_is_waited_for_until_a_moment() -> None:
    """So that the next command has it; what does not end holds nobody up."""
    never = Event()
    soon = BackgroundWork(lambda: sleep(0.2))
    wait_for_compilers(perf_counter() + 60)
    assert soon.completion.is_set()
    endless = BackgroundWork(never.wait)
    wait_for_compilers(perf_counter() + 0.1)
    assert not endless.completion.is_set()
    never.set()


def test_the_message_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["solve", str(WAITING / "many.rules"), "--time", "0.2"]
    assert main(words) == 1
    assert "the time was over (0.2 s) before there was an answer; give more with --time" in (
        capsys.readouterr().err
    )


def test_a_decision_is_there_before_all_are_listed() -> None:
    """Listing them takes seconds; one of them is found by chance at once.

    By the reference: another test may have compiled the game, whose code lists in time.
    """
    state = rulewright.load(WAITING / "many.rules", backend="reference").start()
    with budget.within_seconds(0.1, 60, "late"):
        found = best(state, Limits(0.1), seed=3)
    assert found.move in state.game.rules.board.names
    assert found.root == ((found.move, None),)
    assert found.side == "red"


@pytest.mark.parametrize("name", ["chess", "twixt", "conniption", "draughts"])
def test_the_first_decision_is_that_of_the_list(name: str) -> None:
    state = rulewright.load(name).start()
    with budget.within_seconds(0, 0, "late"):
        found = first_decision(state)
    assert (found.move, found.searched) == (state.moves.texts[0], False)


def test_the_reference_plays_until_there_is_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling that never ends is not waited for, and the win in one is found all the same."""
    never = BackgroundWork(lambda: None)
    never.completion.clear()
    monkeypatch.setattr("rulewright.search.best.BackgroundWork", lambda _: never)
    state = rulewright.load("tictactoe").start().play("a1 b1 a2 b2")
    with budget.within_seconds(2, 60, "late"):
        found = best(state, Limits(2))
    assert (found.move, found.proven) == ("a3", "win")


def test_a_turn_shares_the_time() -> None:
    state = rulewright.load("amazons").start()
    with budget.within_seconds(4, 60, "late"):
        decisions, _ = best_turn(state, Limits(4))
    assert len(decisions) == 2
    assert state.play_decision(decisions[0]).play_decision(decisions[1]).turn_begins


def test_work_that_is_not_there_in_time_is_left_alone() -> None:
    def work() -> int:
        with budget.within_seconds(60, 0, ""):
            return len(rulewright.load(WAITING / "many.rules").start().moves.texts)

    with budget.within_seconds(0.05, 0, "late"), pytest.raises(OutOfBudget, match="late"):
        in_time(work)
    assert in_time(lambda: 7) == 7


def test_what_was_looked_at_in_time_is_reported() -> None:
    """Nothing is said to hold that nobody looked at."""
    path = bundled_games()["tictactoe"]
    with budget.within_seconds(4, 60, "late"):
        report = try_file(path, CheckRequest(effort=1000))
    late = [t for t in report.tried if t.skipped == "the time was over"]
    assert all(not t.findings for t in late)
    held = [t for t in report.tried if t.status == "held" and t.looked]
    assert held
    assert not any(t.looked.startswith("0 ") for t in held)


def test_kernels_that_do_not_end_cost_no_other_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    never = Event()
    monkeypatch.setattr("rulewright.checks.properties_of_rules.hashes", lambda *_: never.wait(60))
    path = bundled_games()["tictactoe"]
    with budget.within_seconds(3, 60, "late"):
        report = try_file(path, CheckRequest(("hashes", "stuck", "notation"), 0.1))
    never.set()
    told = {t.name: t.skipped for t in report.tried}
    assert told["hashes"] == "the time was over"
    assert [name for name in told if not told[name]]


def test_time_is_an_option_of_every_whole_command() -> None:
    env = {**os.environ, "COLUMNS": "200"}
    for name in ("best", "explain", "solve", "test", "cover"):
        words = [sys.executable, "-m", "rulewright", name, "--help"]
        shown = subprocess.run(words, capture_output=True, text=True, env=env, check=True).stdout
        assert "seconds for the whole command" in shown


def test_an_answer_in_time_is_the_usual_one() -> None:
    status, out, _ = ran(
        "best", "tictactoe", "--moves", "a1 b1 a2 b2", "--nodes", "500", seconds=12
    )
    assert status == 0
    assert json.loads(out)["move"] == "a3"


def test_a_share_of_the_time_stops_the_reference() -> None:
    """Not a grace later: who tells what is known by then needs that."""
    state = rulewright.load(WAITING / "many.rules").start()
    with (
        budget.within_seconds(0.2, 60, "late"),
        pytest.raises(OutOfBudget, match="late"),
        budget.share(0.5),
    ):
        _ = state.moves.texts
    assert budget.seconds_left() is None


ENDLESS = """format 1
game turning
players red blue
board square 2 by 2
pieces stone
setup
  put red stone at a1
  put blue stone at b1

move go
  choose a in own
  choose b in empty
  move a to b

turn go
draw when stuck
"""


def test_games_of_the_reference_are_broken_off_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of them may take longer than all that is left."""
    monkeypatch.setattr("rulewright.checks.playouts.LONGEST", 10**9)
    game = rulewright.loads(ENDLESS, backend="reference")
    with budget.within_seconds(0.5, 5, "late"):
        found = tally(Subject(game), Cost(1, 1), 10**9, 10, 0)
    assert not found.games


def test_what_is_covered_in_time_is_reported() -> None:
    with budget.within_seconds(1, 60, "late"):
        found = cover_rules(rulewright.load("twixt", size=8), effort=1000)
    assert found.positions
    assert not found.whole


def test_a_cover_of_nothing_is_none() -> None:
    game = rulewright.load(WAITING / "many.rules")
    with budget.within_seconds(0.1, 60, "late"), pytest.raises(OutOfBudget, match="late"):
        cover_rules(game)


def test_a_decision_may_have_more_time_than_any_clock() -> None:
    """Of a search, and of a player in a match."""
    state = rulewright.load("tictactoe").start()
    assert rulewright.search(state, time=1e300, depth=2, algorithm="alphabeta").depth == 2
    assert GameLimits(seconds=1e300, clock=1e300) == GameLimits(seconds=1e8, clock=1e8)
    with budget.within_seconds(1e300, 0, "late"):
        assert in_time(lambda: 7) == 7
