"""Jobs in a child process that may die: what it died of is a finding, and a new child goes on.

In: jobs.  Out: a `Told` for each.
"""

from __future__ import annotations

import mmap
import signal
import tempfile
import time
import traceback
from collections.abc import Iterable, Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path

from attrs import frozen

from tests.tools.guards import pages
from tests.tools.guards.jobs import Job, do

PATIENCE = 600.0
"""Seconds that a job may take."""


@frozen
class Told:
    """What became of a job: `wrong` is a finding, `note` why something was left out."""

    job: Job
    wrong: str = ""
    note: str = ""
    seconds: float = 0.0


def run(jobs: Iterable[Job]) -> Iterator[Told]:
    """Do jobs one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        shared = Path(folder) / "kernel"
        shared.write_bytes(bytes(pages.NAME))
        worker: _Worker | None = None
        try:
            for job in jobs:
                worker = worker or _Worker(shared)
                told = worker.do(job)
                yield told
                if told.wrong:
                    worker.close()
                    worker = None
        finally:
            if worker:
                worker.close()


class _Worker:
    """A child with guarded arrays."""

    def __init__(self, shared: Path) -> None:
        context = get_context("spawn")
        self.shared = shared
        self.pipe, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(target=_serve, args=(theirs, str(shared)))
        self.process.start()
        theirs.close()

    def do(self, job: Job) -> Told:
        began = time.monotonic()
        self.pipe.send(job)
        try:
            said = self.pipe.recv() if self.pipe.poll(PATIENCE) else f"WRONG: over {PATIENCE:.0f} s"
        except EOFError:
            self.process.join()
            said = f"WRONG: {_death(self.process.exitcode or 0)} in kernel `{self._kernel()}`"
        head, wrong, tail = said.partition("WRONG: ")
        seconds = time.monotonic() - began
        return Told(job, tail, "", seconds) if wrong else Told(job, "", head, seconds)

    def _kernel(self) -> str:
        return self.shared.read_bytes().rstrip(b"\0").decode()

    def close(self) -> None:
        self.pipe.close()
        self.process.join(5)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


def _death(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit status {code}"


def _serve(pipe: Connection, shared: str) -> None:
    with open(shared, "r+b") as file:  # noqa: PTH123 (a mapping wants a file)
        pages.guard(mmap.mmap(file.fileno(), pages.NAME))
        while True:
            try:
                job = pipe.recv()
            except EOFError:
                return
            try:
                said = do(job)
            except Exception:  # whatever it is, it is a finding
                said = f"WRONG: {traceback.format_exc()}"
            pipe.send(said)
