"""Matches and tournaments as they run: iterated, cancelled, resumed, killed, in many processes."""

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

import rulewright
from rulewright.app.cli import main
from rulewright.errors import RulewrightError
from rulewright.matches import summary
from rulewright.matches.api import match, tournament
from rulewright.matches.game_record import GameRecord, RecordedMove
from rulewright.matches.plan import MatchPlan
from rulewright.matches.record_files import read_matches
from rulewright.matches.run import Run
from rulewright.matches.standing import Standing
from rulewright.matches.summary import summary_lines
from rulewright.players.machine import ScoreMemory
from rulewright.players.personality import Personality
from tests.shared.effort import tries
from tests.shared.matches import played, timeless
from tests.tools import kill_check


def short(**terms: Any) -> Run:
    return match("tictactoe", "computer@nodes=30", "random", games=8, openings=1, **terms)


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    return played(short())


def test_a_match_is_an_iterator_of_its_games() -> None:
    with short() as run:
        games = list(run)
    assert [game.number for game in games] == list(range(8))
    for one, two in zip(games[::2], games[1::2], strict=True):
        assert one.players == two.players[::-1]
        assert one.decisions[: one.opening] == two.decisions[: two.opening]
        assert one.opening == 1
    game = rulewright.load("tictactoe")
    for record in games:
        state = game.start().play(" ".join(record.decisions))
        assert state.over
        assert len(state.turns()) == record.turns
    assert run.stopped == "all 8 games are played"


def test_results_have_the_stable_names(whole: dict[str, Any]) -> None:
    assert {"game", "players", "pairings", "ratings", "seed", "stopped", "first_share"} <= set(
        whole
    )
    one, two = whole["pairings"]
    assert set(one) == {
        "p1", "p2", "games", "p1_wins", "p2_wins", "draws", "p1_score", "mean_turns",
        "mean_decisions",
    }  # fmt: skip
    assert one["games"] == two["games"] == 4
    assert (one["p1"], one["p2"]) == (two["p2"], two["p1"])
    assert set(whole["ratings"][0]) == {"player", "elo", "low", "high"}
    wins = sum(cell["p1_wins"] for cell in whole["pairings"])
    assert whole["first_share"] == wins / 8
    json.dumps(whole)


def test_a_cancelled_match_goes_on_where_it_stopped(tmp_path: Path, whole: dict[str, Any]) -> None:
    record = tmp_path / "record.db"
    with short(record=record) as run:
        for number, _ in enumerate(run):
            if number == 2:
                run.cancel()
    assert run.stopped == "cancelled"
    assert 2 < run.standing.games < 8
    again = short(record=record)
    assert again.resumed == run.standing.games
    assert played(again) == whole
    ended = short(record=record)
    assert ended.resumed == 8
    assert played(ended) == whole


def test_leaving_early_loses_nothing(tmp_path: Path, whole: dict[str, Any]) -> None:
    record = tmp_path / "record.db"
    with short(record=record) as run:
        next(run)
    assert played(short(record=record)) == whole


def test_another_seed_is_another_match(tmp_path: Path) -> None:
    record = tmp_path / "record.db"
    played(short(record=record))
    with pytest.raises(RulewrightError, match="differs in seed"):
        short(record=record, seed=1)


def test_workers_change_nothing(whole: dict[str, Any]) -> None:
    assert played(short(workers=2)) == whole


def test_any_executor_plays(whole: dict[str, Any]) -> None:
    with ThreadPoolExecutor(3) as pool:
        assert played(short(executor=pool, workers=3)) == whole


class Breaking(Executor):
    """Loses every third task, as if a process had died."""

    def __init__(self) -> None:
        self.tasks = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.tasks += 1
        future: Future[Any] = Future()
        if self.tasks % 3 == 0:
            future.set_exception(BrokenProcessPool("a process died"))
        else:
            future.set_result(fn(*args, **kwargs))
        return future


def test_a_lost_worker_loses_no_game(
    whole: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    run, renewed = short(executor=Breaking(), workers=2), list[int]()
    monkeypatch.setattr(type(run.pool), "renew", lambda self: renewed.append(1))
    assert played(run) == whole
    assert renewed


class Dead(Executor):
    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        raise BrokenProcessPool("no process lives")


def test_dying_workers_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    run = short(executor=Dead())
    monkeypatch.setattr(type(run.pool), "renew", lambda self: None)
    with pytest.raises(RulewrightError, match="keep dying"):
        played(run)


def test_mistakes_are_reported_before_the_first_game(tmp_path: Path) -> None:
    with pytest.raises(RulewrightError, match="tictactoe has no personality `flip`"):
        match("tictactoe", "flip", "random", record=tmp_path / "record.db")
    assert not (tmp_path / "record.db").exists()
    with pytest.raises(RulewrightError, match="did you mean `tictactoe`"):
        match("tictactoo", "computer", "random")
    with pytest.raises(RulewrightError, match="larger than 0"):
        match("tictactoe", "computer", "random", nodes=0)
    with pytest.raises(TypeError, match="name or the path"):
        match(rulewright.load("hex"), "computer", "random")  # type: ignore[arg-type]


def test_a_player_that_fails_loses_and_the_match_goes_on(tmp_path: Path) -> None:
    # the evaluator divides by zero as soon as the middle is taken
    (tmp_path / "bad.eval").write_text(
        'format 1\nevaluator bad for tictactoe\nfactor one = 1 in 0..9 "a number"\n'
        "value of position for cross = one / (1 - count (b2 full))\n"
    )
    bad = tmp_path / "bad.personality"
    bad.write_text(
        "format 1\npersonality bad for tictactoe\nuse bad\nsearch minimax, depth 2\npick best\n"
    )
    run = match("tictactoe", str(bad), "random", games=6, openings=["b2"])
    games = list(run)
    assert {game.reason for game in games} == {"crash"}
    assert all(game.players[game.winner or 0] == "random" for game in games)
    result = run.result()
    assert result["reasons"] == {"crash": 6}
    assert {e["player"]: e["failures"] for e in result["effort"]} == {str(bad): 6, "random": 0}


def test_a_gauntlet_and_both_seats() -> None:
    players = ["random", "computer@nodes=20", "computer@nodes=9"]
    gauntlet = played(tournament("tictactoe", players, "gauntlet", games=2))
    assert {(c["p1"] == "random") + (c["p2"] == "random") for c in gauntlet["pairings"]} == {1}
    both = played(
        tournament("tictactoe", ["random", "computer@nodes=20"], games=4, both_seats=True)
    )
    assert {(c["p1"], c["p2"]): c["games"] for c in both["pairings"]} == {
        (one, two): 4
        for one in ("random", "computer@nodes=20")
        for two in ("random", "computer@nodes=20")
    }
    for effort in (*both["effort"], *gauntlet["effort"]):
        effort["seconds"] = 0.0
    told = list(summary_lines(both))
    at = told.index("share of the points of whoever begins (the row):")
    for row, name in zip(
        told[at + 2 : at + 4], [r["player"] for r in both["ratings"]], strict=True
    ):
        mine = [c for c in both["pairings"] if c["p1"] == name]
        shares = {c["p2"]: f"{c['p1_score'] * 100:.1f}" for c in mine}
        assert row.split()[1:4] == [name, *(shares[r["player"]] for r in both["ratings"])]
    assert not any("whoever begins (the row)" in line for line in summary_lines(gauntlet))


def test_two_runs_on_one_database_count_every_game_once(
    tmp_path: Path, whole: dict[str, Any]
) -> None:
    one, two = short(record=tmp_path / "record.db"), short(record=tmp_path / "record.db")
    games = [next(one).number, next(two).number, next(two).number, next(two).number]
    assert played(one) == whole
    assert played(two) == whole
    assert len(read_matches(tmp_path / "record.db")[0].games) == 8
    assert len(set(games)) >= 3


# --- the sequential test ---


def test_a_match_stops_when_it_is_sure() -> None:
    with match("tictactoe", "computer@nodes=200", "random", sprt=(0, 100), games=400) as run:
        games = list(run)
    assert run.stopped.startswith("sequential test: elo >= 100 is accepted after ")
    assert len(games) < 200
    test = run.result()["sprt"]
    assert test["accepted"] == "elo1"
    assert test["llr"] >= test["high"]


PLAN = MatchPlan("tictactoe", {}, ("a", "b"), 80, sprt=(0.0, 200.0, 0.05, 0.05))


@settings(max_examples=tries(30), deadline=None)
@given(st.integers(0, 10**6), st.floats(0.4, 0.9))
def test_the_order_in_which_games_end_changes_nothing(seed: int, strength: float) -> None:
    random = Random(seed)
    games = [
        _game(number, 0 if (random.random() < strength) == (number % 2 == 0) else 1)
        for number in range(80)
    ]
    straight, shuffled = Standing(PLAN), Standing(PLAN)
    for game in games:
        straight.add(game)
    random.shuffle(games)
    for game in games:
        shuffled.add(game)
    assert straight.as_data("now") == shuffled.as_data("now")
    assert straight.verdict == shuffled.verdict
    assert straight.games % 2 == 0


def _game(number: int, winner: int) -> GameRecord:
    seats = ("a", "b") if number % 2 == 0 else ("b", "a")
    moves = (RecordedMove("b2", 0, seconds=0.0),)
    return GameRecord(
        PLAN.name, number, number // 2, "tictactoe", {}, seats, moves, 0, winner, "rules", "", 1, 0
    )


def test_points_are_those_of_the_player_and_not_of_the_seat() -> None:
    standing = Standing(evolve(PLAN, sprt=None))
    standing.add(_game(0, 0))
    standing.add(_game(1, 1))
    standing.add(_game(2, 1))
    standing.add(_game(3, 1))
    assert standing.counts("a", "b") == (0, 0, 1, 0, 1)
    assert standing.score("a") == (3.0, 4)
    assert standing.first_share == 0.25


# --- what players remember ---


@pytest.mark.parametrize("name", ["flip_steady", "dice_steady"])
def test_remembered_scores_equal_recomputed_scores(name: str) -> None:
    game = rulewright.load("conniption")
    plain = Personality.load(name, game)
    remembers = evolve(plain, score_memory=ScoreMemory())
    state = game.start().play("4 4! 3")
    for _ in range(2):
        for seed in range(3):
            one = plain.decide(state, Random(seed))
            two = remembers.decide(state, Random(seed))
            assert (one.move, dict(one.root).keys()) == (two.move, dict(two.root).keys())
            assert one.line == two.line


def test_what_is_remembered_costs_what_it_cost() -> None:
    with match("conniption", "flip@depth=1", "sols@depth=1", games=12, openings=["4 4"]) as run:
        games = list(run)
    first, later = games[0].moves[6], games[2].moves[6]
    assert first.nodes
    assert (first.nodes, first.depth, first.value) == (later.nodes, later.depth, later.value)


# --- killed ---


def test_kills_lose_nothing() -> None:
    assert kill_check.check(2, games=2, seed=7, say=False) > 0


def test_the_check_finds_what_is_lost(tmp_path: Path) -> None:
    record = tmp_path / "record.db"
    played(short(record=record))
    victim = kill_check.Tournament(record, 0, 2, 1)
    victim._nothing_lost()
    victim.seen[99] = "a game that was there"
    with pytest.raises(kill_check.Lost, match="game 99 was on record"):
        victim._nothing_lost()


# --- the command ---


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*words: str) -> tuple[int, str, str]:
        try:
            status = main(words)
        except SystemExit as usage:
            status = int(str(usage.code))
        out, err = capsys.readouterr()
        return status, out, err

    return run


def test_the_command_prints_data(command: Any, whole: dict[str, Any]) -> None:
    status, out, _ = command(
        "match", "tictactoe", "computer@nodes=30", "random", "--games", "8", "--openings", "1",
        "--format", "json",
    )  # fmt: skip
    data = json.loads(out)
    assert (status, data.pop("format")) == (0, 1)
    assert timeless(data) == whole


def test_the_command_prints_tables(command: Any, tmp_path: Path) -> None:
    record = str(tmp_path / "record.db")
    words = (
        "tournament", "tictactoe", "computer@nodes=30", "random", "computer@nodes=9", "--games",
        "4", "--record", record,
    )  # fmt: skip
    status, out, _ = command(*words)
    assert status == 0
    assert "12 games" in out
    assert "stopped: all 12 games are played" in out
    status, again, err = command(*words)
    assert (status, err) == (0, "12 games were on record already\n")
    assert again == out
    status, _, err = command(*words, "--seed", "5")
    assert status == 2
    assert "record of another command, which differs in seed" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--games", "3"], "no even number"),
        (["--clock", "x"], "--clock takes"),
        (["--adjudicate", "5"], "--adjudicate takes"),
        (["--sprt", "5", "1"], "ELO0 < ELO1"),
        (["--record", "x.txt"], "kept in a database, `.db`"),
        (["--openings", "nowhere.txt"], "cannot be read"),
        (["--set", "size=3"], "no option `size`"),
    ],
)
def test_wrong_usage_is_reported(command: Any, words: list[str], message: str) -> None:
    status, out, err = command("match", "tictactoe", "computer", "random", *words)
    assert (status, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such signals")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_interruption_prints_where_it_stands(workers: str, tmp_path: Path) -> None:
    record = tmp_path / "record.db"
    words = (
        "match", "connect4", "computer@nodes=500", "random", "--games", "2000", "--format", "json",
        "--record", str(record), "--workers", workers, "--openings", "0",
    )  # fmt: skip
    with started([sys.executable, "-m", "rulewright", *words]) as process:
        while process.poll() is None and len(kill_check.recorded(record)) < 2:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    result = json.loads(out)
    assert result["stopped"] == "cancelled"
    assert result["games"] == len(kill_check.recorded(record)) < 2000
    assert "Traceback" not in err


@pytest.mark.skipif(sys.platform != "linux", reason="sends signals to a whole group")
@pytest.mark.parametrize("signal_", [signal.SIGINT, signal.SIGTERM])
def test_signals_at_any_moment_leave_no_traceback_and_no_worker(signal_: signal.Signals) -> None:
    chance = Random(int(signal_))
    command = (
        sys.executable, "-c", BEGUN, "match", "tictactoe", "computer@nodes=99", "random",
        "--games", "9000", "--workers", "2", "--openings", "0",
    )  # fmt: skip
    for step in range(6):
        with started(command) as process:
            assert process.stdout
            assert process.stdout.readline() == "begun\n"
            time.sleep(step * 0.2 + chance.random() * 0.2)  # loading, starting, playing
            os.killpg(process.pid, signal_)
            _, err = process.communicate(timeout=60)
            until = time.monotonic() + 20
            while _living(process.pid) and time.monotonic() < until:
                time.sleep(0.01)
            assert not _living(process.pid), "a worker is left"
        assert "Traceback" not in err, err
        assert "leaked" not in err, err


@contextlib.contextmanager
def started(command: Sequence[str]) -> Iterator[subprocess.Popen[str]]:
    """A process with a group of its own, which is ended and waited for whatever happens."""
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


# What Python says of an interruption while it starts itself is not ours.
BEGUN = """
import signal
signal.signal(signal.SIGINT, signal.SIG_DFL)
print("begun", flush=True)
from rulewright.__main__ import run
run()
"""


def _living(group: int) -> list[str]:
    found = []  # without those that have ended and wait for somebody to ask
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            about = stat.read_text()
            state, _, its_group = about[about.rindex(")") + 1 :].split()[:3]
            if int(its_group) == group and state not in "ZX":
                found.append(about)
    return found


# --- seen while it is played ---


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("rich", [True, False])
def test_progress_is_shown_at_a_terminal(rich: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if rich:
        pytest.importorskip("rich")
    else:
        for name in ("rich.console", "rich.live", "rich.text"):
            monkeypatch.setitem(sys.modules, name, None)  # as if it were not installed
    monkeypatch.setattr(summary, "EVERY", 0.0)
    stream = Terminal()
    with short() as run:
        assert len(list(summary.watch_games(run, stream))) == 8
    assert "3 of 8 games" in stream.getvalue() or rich  # rich shows some pictures only
    assert "of 8 games" in stream.getvalue()
    assert ("Elo" in stream.getvalue()) == rich


def test_nothing_is_shown_where_nobody_looks() -> None:
    stream = io.StringIO()
    with short() as run:
        assert len(list(summary.watch_games(run, stream))) == 8
    assert stream.getvalue() == ""
