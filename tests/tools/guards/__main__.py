"""All kernels as machine code, in arrays that end where nothing may be touched.

`python -m tests.tools.guards --files 500` plays random games of every bundled game, lets all its
players decide, and plays random rules files, in a child process.  A SIGSEGV there is told as the
game or file, seed and kernel; texts of files are kept in `guard_findings/`.  The exit status is 1
then.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.shared.bundled import GAMES
from tests.tools.agreement.files import texts
from tests.tools.guards.jobs import Job
from tests.tools.guards.run import run

FOLDER = Path("guard_findings")


def jobs(options: argparse.Namespace) -> Iterator[Job]:
    """Everything that is asked for."""
    for name in options.only:
        yield Job("play", name, name, options.seed, options.games)
        if not options.no_players:
            yield Job("players", name, name, options.seed)
    for number, text in enumerate(texts(options.files, options.seed)):
        yield Job("file", f"file {number}", text, options.seed + number, 20)


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> int:
    """Do all jobs; the exit status tells whether anything was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=500, help="random rules files")
    parser.add_argument("--games", type=int, default=200, help="random games of a bundled game")
    parser.add_argument("--only", nargs="*", default=GAMES, help="these bundled games")
    parser.add_argument("--no-players", action="store_true", help="random play only")
    parser.add_argument("--minutes", type=float, default=60, help="no new job after so many")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began, done, notes, findings = time.monotonic(), Counter[str](), Counter[str](), 0
    for told in run(jobs(options)):
        done[told.job.kind] += 1
        notes[told.note] += 1
        if told.wrong:
            findings += 1
            say(f"{told.job}: {told.wrong}")
            if told.job.kind == "file":
                FOLDER.mkdir(exist_ok=True)
                (FOLDER / f"{told.job.seed:04d}.rules").write_text(told.job.what)
        if time.monotonic() - began > 60 * options.minutes:
            say("the time is over")
            break
    for note, times in notes.most_common():
        say(f"{times:5}  {note or 'done'}")
    counted = ", ".join(f"{times} {kind}" for kind, times in done.items())
    say(f"{counted}; {time.monotonic() - began:.0f} s; findings: {findings}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
