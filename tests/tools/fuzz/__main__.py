"""Damaged and random texts for everything that reads: an answer each, soon, and never a crash.

`python -m tests.tools.fuzz --minutes 10 [--only rules sgf ...] [--seed N]` changes texts of all
languages and formats at random and reads them in this process.  An exception that is not the
package's own, a diagnostic without its place, a model with a gap, a text that takes longer or needs
more memory than is generous: each is a finding, whose text is kept in `fuzz_findings/`; the exit
status is 1 then. `--grow` adds texts with new messages to `tests/data/corpus/`, cut down; there
they are texts to begin with for all later runs.
"""

from __future__ import annotations

import argparse
import random
import sys
import time

from tests.tools.fuzz.fuzzer import Fuzzer, say
from tests.tools.fuzz.readers import READERS

BATCH = 200
"""Texts of one reader before it is the turn of the next."""


def main() -> int:
    """Fuzz for some minutes; the exit status tells whether anything was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--only", nargs="*", default=[r.name for r in READERS])
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--grow", action="store_true", help="add to the corpus")
    options = parser.parse_args()
    say(f"seed {options.seed}")
    until = time.monotonic() + 60 * options.minutes
    chosen = [reader for reader in READERS if reader.name in options.only]
    fuzzers = [Fuzzer(reader, say, grows=options.grow) for reader in chosen]
    turn = options.seed
    while time.monotonic() < until and sum(f.findings for f in fuzzers) < 50:
        for fuzzer in fuzzers:  # slow readers get their share of the time, not of the texts
            share = time.monotonic() + max(1.0, 60 * options.minutes / len(fuzzers) / 10)
            fuzzer.run(turn, BATCH, min(until, share))
        turn += 1
    for fuzzer in fuzzers:
        rate = fuzzer.done / max(fuzzer.seconds, 1e-9)
        say(
            f"{fuzzer.reader.name:16} {fuzzer.done:8,} texts, {rate:6,.0f} a second, the slowest "
            f"{fuzzer.slowest:.2f} s, {len(fuzzer.known)} messages; {fuzzer.findings} findings"
        )
    found = sum(f.findings for f in fuzzers)
    say(f"{sum(f.done for f in fuzzers):,} texts; {found} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
