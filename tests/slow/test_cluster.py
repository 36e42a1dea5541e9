"""Matches on a Dask cluster: a real scheduler and two workers, one of which is killed."""

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import define, field

from rulewright.errors import RulewrightError
from rulewright.matches import executors
from rulewright.matches.api import match
from rulewright.matches.record_store import read_matches
from rulewright.matches.run import Run
from tests.shared.matches import played, timeless

pytest.importorskip("distributed")
PATIENCE = 60.0


@define
class Local:
    """Processes of a cluster on this machine."""

    folder: Path
    address: str = ""
    processes: list[subprocess.Popen[str]] = field(factory=list)

    def start(self, *words: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", *words], stderr=subprocess.PIPE, text=True, cwd=self.folder
        )
        self.processes.append(process)
        return process

    def worker(self) -> subprocess.Popen[str]:
        """A worker of one process and one thread; ready when it says so."""
        worker = self.start(
            "distributed.cli.dask_worker", self.address, "--nthreads", "1", "--no-nanny",
            "--no-dashboard", "--memory-limit", "0",
        )  # fmt: skip
        _wait_for(worker, r"Registered to")
        return worker


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
        for process in reversed(found.processes):
            process.kill()
            process.wait()
            if process.stderr is not None:
                process.stderr.close()


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


def test_nobody_at_the_address() -> None:
    with pytest.raises(RulewrightError, match=r"no cluster answers at tcp://127.0.0.1:9"):
        executors.Cluster("tcp://127.0.0.1:9", patience=0.5)
