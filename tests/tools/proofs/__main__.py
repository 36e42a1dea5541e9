"""Goes on with random small games that are solved by force, beside all that claims a proof.

`python -m tests.tools.proofs --minutes 60` writes new random rules files, goes through all
positions of those that are small with the reference alone, and compares what `solve` (by every
method), searches and words that lead a proof claim of them.  Files go on where `proofs.json` stands
and are never tried twice.  What differs is told, kept in `proofs_findings/` and counted; the exit
status is 1 then.  `--show` only says what there is.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

from rulewright.ground.disk import write_whole
from tests.generators import rule_files
from tests.tools.proofs.compare import Comparison, compared

PLACE = Path(__file__).parent / "proofs.json"
FOLDER = Path("proofs_findings")
WANTED = 20_000
"""Games that must have been compared without a difference."""
BATCH = 60
"""Files of one run of Hypothesis; other seeds bring other files."""
FRESH: dict[str, Any] = {
    "batch": 1, "games": 0, "positions": 0, "claims": 0, "open": 0, "led": 0, "differ": 0,
    "left": {}, "seconds": 0.0,
}  # fmt: skip


def batch(number: int) -> list[str]:
    """The files of a batch, all different; every fourth batch is of games that only add pieces."""
    found: dict[str, None] = {}

    @seed(number)
    @settings(
        max_examples=BATCH, database=None, deadline=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(rule_files(grows=True if number % 4 == 0 else None))
    def note(text: str) -> None:
        found[text] = None

    note()
    return list(found)


def games(first: int) -> Iterator[tuple[int, str]]:
    """The files of all batches from one on, with the number of the batch that follows."""
    number = first
    while True:
        texts = batch(number)
        number += 1
        yield from ((number, text) for text in texts)


def add(row: dict[str, Any], text: str) -> None:
    """Compare one file."""
    begun = time.process_time()
    try:
        found = compared(text)
    except Exception:  # whatever it is, it is a finding
        found = Comparison(wrong=[traceback.format_exc()])
    row["seconds"] = round(row["seconds"] + time.process_time() - begun, 2)
    if found.left:
        row["left"][found.left] = row["left"].get(found.left, 0) + 1
        return
    row["games"] += 1
    for name in ("positions", "claims", "open", "led"):
        row[name] += getattr(found, name)
    if found.wrong:
        row["differ"] += 1
        FOLDER.mkdir(exist_ok=True)
        path = FOLDER / f"{row['batch']:05d}_{row['games']:06d}.rules"
        path.write_text(text)
        path.with_suffix(".txt").write_text("\n\n".join(found.wrong))
        say(f"{path}: {found.wrong[0].splitlines()[0][:300]}")


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> int:
    """Go on; the exit status tells whether anything differed in this run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--show", action="store_true", help="only say what there is")
    options = parser.parse_args()
    os.environ["RULEWRIGHT_CACHE"] = mkdtemp()  # no game is met twice
    row: dict[str, Any] = json.loads(PLACE.read_text()) if PLACE.is_file() else dict(FRESH)
    before, until = row["differ"], time.monotonic() + 60 * options.minutes
    for following, text in () if options.show else games(row["batch"]):
        if following > row["batch"] + 1:  # a batch is over
            row["batch"] = following - 1
            write_whole(PLACE, (json.dumps(row, indent=1) + "\n").encode())
            if time.monotonic() > until or row["games"] >= WANTED:
                break
        add(row, text)
    say(json.dumps(row))
    return 1 if row["differ"] > before else 0


if __name__ == "__main__":
    sys.exit(main())
