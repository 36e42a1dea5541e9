"""Matches on a Dask cluster: a real scheduler and workers, of which some are killed or strange."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from attrs import define, field

import rulewright
from rulewright.app.cli import main
from rulewright.errors import RulewrightError
from rulewright.matches import arena, executors
from rulewright.matches.api import match
from rulewright.matches.record_files import read_matches
from rulewright.matches.run import Run
from rulewright.matches.verify import verify
from tests.shared.matches import played, timeless

pytest.importorskip("distributed")
PATIENCE = 60.0


@define
class Local:
    """Processes of a cluster on this machine."""

    folder: Path
    address: str = ""
    processes: list[subprocess.Popen[str]] = field(factory=list)

    def start(
        self, *words: str, folder: Path | None = None, more: Mapping[str, str] | None = None
    ) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", *words], stderr=subprocess.PIPE, text=True,
            cwd=folder or self.folder, env={**os.environ, **(more or {})},
        )  # fmt: skip
        self.processes.append(process)
        return process

    def worker(
        self, folder: Path | None = None, more: Mapping[str, str] | None = None
    ) -> subprocess.Popen[str]:
        """A worker of one process and one thread; ready when it says so."""
        worker = self.start(
            "distributed.cli.dask_worker", self.address, "--nthreads", "1", "--no-nanny",
            "--no-dashboard", "--memory-limit", "0", folder=folder, more=more,
        )  # fmt: skip
        _wait_for(worker, r"Registered to")
        return worker

    def end(self, number: int) -> None:
        """End a process."""
        process = self.processes.pop(number)
        process.kill()
        process.wait()
        if process.stderr is not None:
            process.stderr.close()


def _wait_for(process: subprocess.Popen[str], words: str) -> str:
    assert process.stderr is not None
    until, said = time.monotonic() + PATIENCE, ""
    while time.monotonic() < until:
        line = process.stderr.readline()
        said += line
        found = re.search(words, line)
        if found:
            return found[0]
        if not line:
            break
    raise AssertionError(f"`{words}` was never said: {said}")


@pytest.fixture
def local(tmp_path: Path) -> Iterator[Local]:
    found = Local(tmp_path)
    try:
        scheduler = found.start(
            "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0",
            "--no-dashboard", "--no-jupyter",
        )  # fmt: skip
        found.address = _wait_for(scheduler, r"tcp://127\.0\.0\.1:\d+")
        yield found
    finally:
        while found.processes:
            found.end(-1)


def short(**terms: object) -> Run:
    return match(
        "conniption",
        "flip@depth=1",
        "hybrid@depth=1",
        games=30,
        seed=2,
        **terms,  # type: ignore[arg-type]
    )


def test_a_killed_worker_loses_no_game(local: Local, tmp_path: Path) -> None:
    victim, survivor = local.worker(), local.worker()
    record = tmp_path / "record.db"
    with short(cluster=local.address, record=record) as run:
        for number, _ in enumerate(run):
            if number == 5:
                victim.kill()
    assert survivor.poll() is None
    assert victim.wait() != 0
    assert timeless(run.result()) == played(short())
    (kept,) = read_matches(record)
    assert [game.number for game in kept.games] == list(range(30))


RULES = """format 1
game rows

players red blue
board square 4 by 4
pieces man "XO"

move place
  choose a in empty
  put man at a

turn place

{end} when some(l in lines(3) : l in own)
draw when stuck
"""


def rows(folder: Path, end: str = "win") -> Path:
    """A folder with the rules of a game."""
    folder.mkdir(exist_ok=True)
    (folder / "rows.rules").write_text(RULES.format(end=end))
    return folder


def mine(local: Local, **terms: object) -> Run:
    """A match of the rules that stand beside whoever plays it."""
    return match(
        "rows.rules",
        "random",
        "search@nodes=30",
        games=400,
        seed=2,
        cluster=local.address,
        **terms,  # type: ignore[arg-type]
    )


def refused(local: Local, deed: Callable[[], object] = lambda: None, **terms: object) -> str:
    """The message with which a match ends, in which something is done behind the second game."""
    said = ""
    try:
        with mine(local, **terms) as run:
            for number, _ in enumerate(run):
                if number == 1:
                    deed()
    except RulewrightError as error:
        said = str(error)
    return said


def package(folder: Path, version: str) -> dict[str, str]:
    """What makes a worker find a package of another version; without one it cannot be imported."""
    home = folder / f"package{version}"
    (home / "rulewright").mkdir(parents=True)
    text = f'__version__ = "{version}"\n' if version else 'raise ImportError("no package")\n'
    (home / "rulewright" / "__init__.py").write_text(text)
    return {"PYTHONPATH": str(home)}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the match is begun."""
    folder = rows(tmp_path / "here")
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize(
    ("version", "message"),
    [
        ("0.0.9", r"rulewright 0\.0\.9 runs there, and the match began with "),
        ("", r"it cannot import rulewright \(ImportError: no package\)"),
    ],
)
def test_a_worker_with_another_version_is_refused(
    local: Local, tmp_path: Path, here: Path, version: str, message: str
) -> None:
    """The match ends where it is alone, and goes on without it beside another one."""
    local.worker(more=package(tmp_path, version))
    assert re.search(message, refused(local))
    local.worker(here)
    with short(cluster=local.address) as run:
        list(run)
    assert timeless(run.result()) == played(short())
    (reason,) = run.pool.refusals.values()
    assert re.search(message, reason)


PERSONALITY = """format 1
personality greedy for rows

use rows
search alphabeta, depth 2
pick best position
ties random
"""
EVALUATOR = """format 1
evaluator rows for rows

let rows = sum(l in lines(3) : 0 if any enemy l else count own l)
value position of position for mover = rows - rows for enemy
"""


def greedy(folder: Path) -> None:
    """Put a personality into a folder, with its evaluator."""
    (folder / "greedy.personality").write_text(PERSONALITY)
    (folder / "rows.eval").write_text(EVALUATOR)


@pytest.mark.parametrize("there", ["nothing", "other rules"])
def test_a_worker_plays_by_the_texts_of_the_match(
    local: Local, tmp_path: Path, here: Path, there: str
) -> None:
    """Whatever stands under the same paths in its own folder."""
    strange = rows(tmp_path / "there", "lose") if there == "other rules" else tmp_path / "there"
    strange.mkdir(exist_ok=True)
    greedy(here)
    players = ("greedy@nodes=30", "greedy.personality@nodes=20")
    local.worker(strange)
    terms = {"games": 20, "seed": 2}
    record = here / "record.db"
    with match("rows.rules", *players, cluster=local.address, record=record, **terms) as run:  # type: ignore[arg-type]
        assert len(list(run)) == 20
    assert timeless(run.result()) == played(match("rows.rules", *players, **terms))  # type: ignore[arg-type]
    (kept,) = read_matches(record)
    assert list(verify(kept)) == []


def test_a_worker_without_the_shelf_of_a_game_is_refused(
    local: Local, tmp_path: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its name says nothing to the worker, whatever texts are sent."""
    shelf = rows(tmp_path / "shelf")
    local.worker(tmp_path)
    monkeypatch.setenv("RULEWRIGHT_PATH", str(shelf))
    (here / "rows.rules").unlink()
    said = ""
    try:
        list(match("rows", "random", "search@nodes=30", games=4, cluster=local.address))
    except RulewrightError as error:
        said = str(error)
    assert "cannot play this match: no game is called rows" in said


def test_a_refused_worker_that_comes_later_costs_no_game(
    local: Local,
    tmp_path: Path,
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Others play what it was given; all are told, and where these are gone, it is asked again."""
    monkeypatch.setenv("RULEWRIGHT_PATH", str(rows(tmp_path / "shelf")))
    (here / "rows.rules").unlink()
    local.worker(more={"RULEWRIGHT_PATH": os.environ["RULEWRIGHT_PATH"]})
    terms = {"games": 200, "seed": 2}
    with match("rows", "random", "search@nodes=30", cluster=local.address, **terms) as run:  # type: ignore[arg-type]
        for number, _ in enumerate(run):
            if number == 1:
                local.worker(more={"RULEWRIGHT_PATH": ""})
                local.worker(more=package(tmp_path, ""))
    assert timeless(run.result()) == played(match("rows", "random", "search@nodes=30", **terms))  # type: ignore[arg-type]
    told = sorted(run.pool.refusals.values())
    assert any("no game is called rows" in one for one in told)
    words = ["match", "rows", "random", "search@nodes=30", "--cluster", local.address]
    words += ["--games", "4"]
    assert main(words) == 0
    assert "it cannot import rulewright" in capsys.readouterr().err
    local.end(1)
    with pytest.raises(RulewrightError, match="cannot play this match"):
        list(match("rows", "random", "search@nodes=30", games=4, cluster=local.address))


def test_a_text_that_is_changed_after_the_beginning_is_noticed(here: Path) -> None:
    """Whoever reads it later plays nothing by it: rules, and the files of a player."""
    greedy(here)
    with match("rows.rules", "greedy", "random", games=2) as run:
        plan = run.plan
    texts, own = arena.texts_of(plan)
    assert texts["greedy.personality"] == PERSONALITY.encode()
    assert not any("conniption" in path for path in texts)
    (here / "greedy.personality").write_text(PERSONALITY + "# changed\n")
    with pytest.raises(RulewrightError, match=r"the files of greedy are not those with which"):
        arena.texts_of(plan)
    task = plan.as_data(), [(0, (0, 1), 0, ())]
    assert arena.play_checked(task, own, texts)[2] == own
    arena.leave()
    rows(here, "lose")
    with pytest.raises(
        RulewrightError, match=r"the rules are not those with which the match began"
    ):
        arena.play(task)


def test_what_is_loaded_otherwise_is_reported(here: Path) -> None:
    """Version, texts and a perft; one after the other, whichever differs first."""
    with match("rows.rules", "random", "search@nodes=30", games=2) as run:
        own = arena.loaded_versions(run.plan, rulewright.load("rows.rules"))
    assert arena.unlike(own, own) == ""
    assert "rulewright 0 runs there, and" in arena.unlike(own, {**own, "version": "0"})
    assert "the rules there is none" in arena.unlike(own, {**own, "hashes": {}})
    told = arena.unlike(own, {**own, "perft": [16, 239]})
    assert told == "sequences of decisions there are 16 239, and here 16 240 3360"


def test_a_killed_scheduler_is_a_message(
    local: Local, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the status 2; what was recorded is kept, and a process is left in time."""
    local.worker(here)
    scheduler = local.processes[0]
    assert "broke down" in refused(local, scheduler.kill, record="record.db")
    words = ["match", "rows.rules", "random", "search@nodes=30", "--cluster", local.address]
    assert main(words) == 2
    assert "no cluster answers" in capsys.readouterr().err


def test_a_cluster_without_workers_is_reported(local: Local, here: Path) -> None:
    with pytest.raises(RulewrightError, match="has no workers"):
        executors.Cluster(local.address, patience=1.0)


def test_a_number_is_a_port_of_this_machine(local: Local, here: Path) -> None:
    local.worker(here)
    found = executors.Cluster(local.address.rpartition(":")[2])
    assert found.address == local.address
    found.close()


def test_nobody_at_the_address() -> None:
    with pytest.raises(RulewrightError, match=r"no cluster answers at tcp://127.0.0.1:9"):
        executors.Cluster("tcp://127.0.0.1:9", patience=0.5)
