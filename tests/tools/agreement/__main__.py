"""Many random rules files and many random games: what a test has no time for.

`python -m tests.tools.agreement --files 2000 --games 20 --seed 1` compares the reference with
kernels on random rules files (every `--native`-th as machine code too, every `--wasm`-th as
WebAssembly) and on the bundled games.
Findings are kept in `agreement_findings/`, each with the smallest file that shows it; then the exit
status is 1.  How far a run has come stands on standard error once a minute.  SIGINT and SIGTERM end
it with the same report as its own end does, and status 130 where nothing was found.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from attrs import define, field

from rulewright.compiler.backend.wasm_host import wasm_is_there
from rulewright.compiler.engine import Engine, native_is_there
from rulewright.compiler.layout import Unsupported
from tests.shared.bundled import GAMES, game
from tests.tools.agreement.files import (
    AGREES,
    REFUSED,
    TOO_SLOW,
    Verdict,
    round_trip,
    smallest,
    texts,
    verdict,
)
from tests.tools.agreement.pair import Counts, Pair

FOLDER = Path("agreement_findings")
SECONDS = 60.0
"""How often a run says how far it has come."""
INTERRUPTED = 130
PATIENCE = 15.0
"""Seconds of processor time for a file: the reference goes through all ways of a `longest`."""


@define
class Run:
    """A long run under way."""

    games: int
    most: int
    counts: Counts = field(factory=Counts)
    verdicts: Counter[str] = field(factory=Counter)
    findings: int = 0
    files: int = 0
    stopped: bool = False
    began: float = field(factory=time.monotonic)
    said: float = field(factory=time.monotonic)

    @property
    def seconds(self) -> float:
        """How long the run has taken."""
        return time.monotonic() - self.began

    def progress(self) -> None:
        """Count a file that is done; say how many are, where nothing was said for a while."""
        self.files += 1
        if self.stopped:
            raise KeyboardInterrupt
        if time.monotonic() - self.said >= SECONDS:
            self.said = time.monotonic()
            line = f"{self.files:,} files, {self.findings} findings, {self.seconds:.0f} s\n"
            sys.stderr.write(line)

    def file(self, text: str, backend: str) -> None:
        """Compare one file, for a while."""
        found = in_time(lambda: verdict(text, backend, self.games, self.most, self.counts))
        self.verdicts[f"{found.what}: {found.why}" if found.why else found.what] += 1
        if found.finding:
            self._keep(text, backend, found)
        elif backend == "python" and found.what not in (REFUSED, TOO_SLOW):
            self._printed(text)

    def _printed(self, text: str) -> None:
        try:
            round_trip(text)
        except Exception as error:  # whatever it is, it is a finding
            self.findings += 1
            say(f"printing and reading: {error}\n{text}")

    def _keep(self, text: str, backend: str, found: Verdict) -> None:
        self.findings += 1
        if self.verdicts[found.what] > 3:
            return  # the same once more
        FOLDER.mkdir(exist_ok=True)
        small = smallest(text, lambda t: self._again(t, backend).what == found.what)
        path = FOLDER / f"{self.findings:03d}.rules"
        path.write_text(small)
        path.with_suffix(".txt").write_text(self._again(small, backend).trace)
        say(f"{path}: {found.what}")

    def _again(self, text: str, backend: str) -> Verdict:
        return verdict(text, backend, self.games, self.most, Counts())

    def bundled(self, name: str, backend: str) -> None:
        """Compare random games of a bundled game, then play many on the kernels alone."""
        play = game(name).play
        try:
            kernels = Engine(play, backend)
        except Unsupported as reason:
            self.verdicts[f"{name} falls back: {reason}"] += 1
            return
        pair = Pair(play, kernels, self.counts)
        try:
            for seed in range(self.games):
                pair.game(seed, self.most)
                pair.sampled(seed, 4 * self.most)
        except Exception as error:  # whatever it is, it is a finding
            self.findings += 1
            say(f"{name} ({backend}): {type(error).__name__}: {error}")


class OutOfTime(BaseException):
    """A file has taken too long; no `Exception`, since those are caught on the way."""


def in_time(compare: Callable[[], Verdict]) -> Verdict:
    """The verdict, or that it took too long."""

    def stop(*_: object) -> None:
        raise OutOfTime

    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        return compare()
    except OutOfTime:
        return Verdict(TOO_SLOW)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def playouts(name: str, games: int) -> str:
    """Random games on kernels in Python raise nothing, and machine code plays the same ones."""
    play = game(name).play
    slow = Engine(play, "python").playouts(play.first, games, seed=3, most=2000)
    if not native_is_there():
        return ""
    fast = Engine(play, "native").playouts(play.first, games, seed=3, most=2000)
    return "" if slow == fast else f"{name}: {slow} in Python, {fast} as machine code"


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> int:
    """Compare; the exit status tells whether anything was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=2000, help="random rules files")
    parser.add_argument("--games", type=int, default=3, help="random games of each file and game")
    parser.add_argument("--most", type=int, default=25, help="decisions of a game at the most")
    parser.add_argument("--native", type=int, default=20, help="every so many files natively")
    parser.add_argument("--wasm", type=int, default=1, help="every so many files as WebAssembly")
    parser.add_argument("--playouts", type=int, default=100, help="of each bundled game, in Python")
    parser.add_argument("--only", nargs="*", default=GAMES, help="these bundled games")
    parser.add_argument("--lucky", action="store_true", help="files with chance and secrets")
    parser.add_argument("--seated", action="store_true", help="files for one, three or four")
    parser.add_argument("--minutes", type=float, default=600, help="no new file after so many")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    return watched(Run(options.games, options.most), options)


def watched(run: Run, options: argparse.Namespace) -> int:
    """Compare until the end or a signal, and report either way; the exit status."""

    def stop(*_: object) -> None:
        run.stopped = True  # what is raised in a finalizer is lost
        raise KeyboardInterrupt

    for number in (signal.SIGINT, signal.SIGTERM):  # a shell's `&` makes SIGINT do nothing
        signal.signal(number, stop)
    try:
        compare(run, options)
    except KeyboardInterrupt:
        say("interrupted")
        return report(run) or INTERRUPTED
    return report(run)


def compare(run: Run, options: argparse.Namespace) -> None:
    """Compare random files, then bundled games."""
    every = {"python": 1}
    every |= {"native": options.native} if native_is_there() else {}
    every |= {"wasm": options.wasm} if wasm_is_there() else {}
    kind = {word: True for word in ("lucky", "seated") if getattr(options, word)}
    for number, text in enumerate(texts(options.files, options.seed, **kind)):
        for backend in (b for b, step in every.items() if number % step == 0):
            run.file(text, backend)
        run.progress()
        if run.seconds > 60 * options.minutes:
            break
    for name in options.only:
        for backend in every:
            run.bundled(name, backend)
    if options.playouts:
        for difference in filter(None, (playouts(n, options.playouts) for n in options.only)):
            run.findings += 1
            say(difference)


def report(run: Run) -> int:
    """Say what was compared and what was found."""
    for what, times in run.verdicts.most_common():
        say(f"{times:6,}  {what}")
    total, counts = sum(run.verdicts.values()), run.counts
    say(f"{run.files:,} files; {total:,} times one was tried, {run.verdicts[AGREES]:,} agree")
    say(f"{run.seconds:.0f} s")
    say(f"{counts.games:,} games, {counts.positions:,} positions, {counts.decisions:,} decisions")
    say(f"faults met: {dict(counts.faults.most_common())}; findings: {run.findings}")
    return 1 if run.findings else 0


if __name__ == "__main__":
    sys.exit(main())
